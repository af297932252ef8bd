#include "app/desktop/app.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <utility>

#include "app/desktop/gpu/gpu_line.h"
#include "app/panels/lessons/lesson_panels.h"
#include "app/panels/widgets/text_input.h"
#include "app/simulate/visible.h"
#include "app/source/index_expression.h"
#include "app/state/chosen_kernel.h"
#include "sim/scenario/scenario.h"
#include "sim/text/shown.h"

namespace warplens::desktop {
namespace {

constexpr double kAtOnceSeconds = 1;  // for a text that was not saved to be read

// A text of one letter, as keys name it; 0: another text.
char lower(const std::string& text) {
  return text.size() == 1 ? static_cast<char>(std::tolower(static_cast<unsigned char>(text[0]))) : '\0';
}

}  // namespace

App::App(app::Catalog catalog, app::State state, AppOptions options)
    : catalog_(std::move(catalog)),
      options_(std::move(options)),
      state_(std::move(state)),
      runner_(options_.jobs),
      simulator_(&catalog_, runner_, {.programs = programs_}),
      judge_(runner_),
      fixes_(&catalog_, runner_, programs_),
      settler_(runner_, programs_),
      reader_(runner_),
      reuser_(runner_),
      plotter_(&catalog_, runner_, {.programs = programs_},
               [this](const app::State& of) { return registers_of(of, &times_); }),
      a_(
          &catalog_, runner_, {.programs = programs_},
          [this](const app::State& of) { return registers_of(of, &a_times_); }, !options_.still),
      sharing_(runner_) {
  if (state_.share_site.empty()) state_.share_site = platform::variable("WARPLENS_SITE");
  derive();
}

bool App::create_graphics(std::string* error) {
  if (!host_.create(error)) return false;
  host_.use_clipboard(&clipboard);
  return renderer_.create(scenario::data_folder("shaders"), error);
}

void App::destroy_graphics() {
  picture_.reset();
  redraw_.forget();
  renderer_.destroy();
  host_.destroy();
}

void App::frame(const FrameInput& in) {
  runner_.begin_frame();
  now_ = in.now;
  motion_now_ += std::max(in.now - last_, 0.0) * app::motion_rate(state_.playback);
  panels::Input input = in.input;
  quiet_ = keeps_quiet(in);
  input.typed = hear(in.keys);
  if (const auto news = sharing_.news()) act({*news});
  take_read();
  if (state_.playback.playing) act({app::Tick{std::min(in.now - last_, 0.1)}});
  last_ = in.now;
  settle();
  derive();
  ask_judge();
  for (const app::Action& action : fixes_.update(state_, *shown_))
    state_ = app::apply(std::move(state_), action, *simulation_, catalog_);
  app::Actions done = build(input);
  const bool pointed_only = std::all_of(done.begin(), done.end(), [](const app::Action& action) {
    return action.as<app::HoverLane>() != nullptr || action.as<app::PointAtCell>() != nullptr;
  });
  if (!pointed_only && state_.hint) done.push_back(app::DismissHint{});
  act(done);
  acted_ = !pointed_only;  // the next frame shows it
  host_.end_frame();
  draw(in.input);
  if (wanted_window_) begin_share(*std::exchange(wanted_window_, std::nullopt), shoot(in.input));
  runner_.work();
}

// A tooltip goes when a key is pressed, and comes again when the mouse does something.
bool App::keeps_quiet(const FrameInput& in) {
  constexpr float kShaken = 2;  // pixels that a table is good for
  const panels::Input& now = in.input;
  const bool used = now.wheel != 0 || now.buttons[0] || now.buttons[1] ||
                    std::abs(now.mouse_x - quiet_x_) > kShaken || std::abs(now.mouse_y - quiet_y_) > kShaken;
  if (!in.keys.empty()) {
    quiet_x_ = now.mouse_x, quiet_y_ = now.mouse_y;
    return true;
  }
  return quiet_ && !used;
}

void App::act(const app::Actions& actions) {
  for (const app::Action& action : actions) {
    state_ = app::apply(std::move(state_), action, *simulation_, catalog_);
    settle();
    derive();
    for (const app::Request& request : std::exchange(state_.requests, {})) {
      if (!serve(request)) act(perform(request));
    }
  }
  ask_judge();
}

// What is done at once. Bringing back what was not saved is: it is the window's own, and waited for.
app::Actions App::perform(const app::Request& request) {
  Allowance allowance = app::app_allowance(nullptr);
  allowance.deadline = Budget::in(kAtOnceSeconds);
  Budget budget(allowance);
  return app::perform(request, state_, catalog_, options_.places, {programs_.get(), &budget});
}

// What a user's own kernel asks for, before anything is derived: what is done at once is compiled once.
void App::settle() {
  for (const app::Action& action : settler_.update(state_))
    state_ = app::apply(std::move(state_), action, *simulation_, catalog_);
}

void App::ask_judge() {
  const auto recorded = [this](const lesson::View& view) { return recorded_of(view); };
  for (const app::Action& action : judge_.update(state_, recorded)) act({action});
}

// Only packs are read: a lesson speaks of what was recorded, not of the GPU at hand.
lesson::Recorded App::recorded_of(const lesson::View& view) const {
  const scenario::Scenario* scenario = catalog_.find(view.scenario);
  if (scenario == nullptr) return {};
  const auto setup = scenario::make_setup(*scenario, view.values);
  if (!setup) return {};
  return measurements_.recorded(*setup.value, memory::default_gpu_model().name);
}

// Commands are done at once; what is typed into an input is given back for the frame, which takes in a run of
// text and a key behind it. What comes behind that waits, since it may be about what was typed.
std::vector<app::KeyPress> App::hear(const std::vector<app::KeyPress>& keys) {
  constexpr int kMostWaited = 4;  // frames; an input that is not there by then is not on screen
  for (const app::KeyPress& key : keys) {
    if (composition_.is_the_apps(key, listens())) heard_.push_back(key);
  }
  std::vector<app::KeyPress> typed;
  for (; !heard_.empty(); heard_.pop_front()) {
    const app::KeyPress& key = heard_.front();
    if (key.key == app::Key::Text && swallowed_ != 0 && std::exchange(swallowed_, '\0') == lower(key.text))
      continue;
    const app::Taker taker = app::taker_of(key, state_, catalog_);
    if (taker == app::Taker::App) {
      if (!typed.empty()) break;
      press(key);
    } else if (taker == app::Taker::Input && panels::takes_typing(state_)) {
      const bool run = key.key == app::Key::Text && !typed.empty() && typed.back().key == key.key;
      if (!typed.empty() && !run) break;
      typed.push_back(key);
    } else if (taker == app::Taker::Input && ++waited_ <= kMostWaited) {
      return typed;
    }
  }
  waited_ = 0;
  return typed;
}

bool App::listens() const {
  return state_.editing || !state_.field.id.empty();
}

void App::press(const app::KeyPress& key) {
  const bool before = listens();
  app::Actions actions = app::actions_of(key, state_, catalog_, clipboard);
  if (actions.empty() && key.key == app::Key::Escape && is_slow()) actions.push_back(app::Halt{true});
  for (app::Action& action : actions) {
    act({std::move(action)});  // each sees the state that the one before made
  }
  // A letter that opens an input comes a second time, as typed text.
  if (key.key == app::Key::Character && !key.control)
    swallowed_ = !before && listens() ? key.character : '\0';
}

std::optional<int> App::registers_of(const app::State& state, app::LadderTimes* times) {
  const auto mode = state_.optimised ? measure::CompileMode::AsOptimised : measure::CompileMode::AsWritten;
  const auto* measured = app::measurement_of(times->of(catalog_, state.settings, measurements_, mode));
  if (measured == nullptr || measured->registers <= 0) return std::nullopt;
  return measured->registers;
}

const measure::PeakRecord* App::peaks_of(const app::Simulation& simulation,
                                         const std::vector<app::RungTime>& times) const {
  if (!simulation.compiled) return nullptr;
  return measurements_.peaks(simulation.compiled->gpu->name, app::measurement_of(times));
}

void App::derive() {
  simulation_ = a_.follow(state_, simulator_.derive(state_), motion_now_);
  const app::Hidden hidden = app::hidden_in(state_);
  const bool revealed = shown_ && shown_->hidden.costs && !hidden.costs;
  if (shown_of_ != simulation_ || !(shown_->hidden == hidden)) {
    shown_ = app::visible(simulation_, hidden);
    shown_of_ = simulation_;
  }
  plots_ = plotter_.derive(state_, *shown_);
  reuse_ = reuser_.derive(state_, *shown_);
  motion_.enabled = !options_.still && !state_.stills;
  motion_ = app::follow(motion_, *simulation_, motion_now_);
  if (revealed) motion_.access_began = motion_.wavefront_began = motion_now_;
  if (!works()) {
    working_since_ = -1;
  } else if (working_since_ < 0) {
    working_since_ = now_;
  }
  if (simulation_->fresh) {
    stale_since_ = -1;
  } else if (stale_since_ < 0) {
    stale_since_ = now_;
  }
}

panels::LayoutOptions App::layout_wanted(const panels::Input& input, double working) const {
  const auto width = static_cast<float>(input.width), height = static_cast<float>(input.height);
  panels::LayoutOptions wanted = panels::layout_options(state_, *shown_, width, height);
  wanted.density = input.density;
  wanted.alone = options_.alone || panels::has_room_for_the_picture_only(wanted);
  wanted.hint = (wanted.hint && !wanted.alone) || panels::has_message(state_, *shown_, working) ||
                (wanted.alone && !options_.alone);
  if (a_.shown() && !a_.simulation().empty())
    wanted.a_uses_shared = !a_.simulation().program().shared_arrays.empty() || a_.simulation().shared;
  wanted.parameters = !options_.controls || !options_.controls->empty();
  wanted.index = app::find_index(app::text_of(catalog_, state_.settings)).has_value();
  return wanted;
}

// What every panel gets of one side: the state and what was derived from it.
panels::View App::view_of(const app::State& state, const app::Simulation& simulation,
                          const app::Motion& motion, app::LadderTimes* times, double working) {
  const scene::Palette& palette =
      state_.theme == app::Theme::Dark ? scene::dark_palette() : scene::light_palette();
  const double stale = options_.still ? 1e9 : stale_since_ < 0 ? 0 : now_ - stale_since_;
  const auto mode = state_.optimised ? measure::CompileMode::AsOptimised : measure::CompileMode::AsWritten;
  return panels::View{state,
                      simulation,
                      catalog_,
                      times->of(catalog_, state.settings, measurements_, mode),
                      gpu_,
                      motion,
                      languages_.find(state_.language)->second,
                      state_.present ? scene::presented(palette) : palette,
                      fonts_,
                      stage_,
                      motion_now_,
                      layout_.scale,
                      working,
                      stale};
}

app::Actions App::build(const panels::Input& input) {
  const double working = working_since_ < 0 ? 0 : now_ - working_since_;
  const panels::LayoutOptions wanted = layout_wanted(input, working);
  layout_ = panels::lay_out(wanted);
  const panels::Layout& layout = layout_;
  prepare_fonts(layout.scale);
  if (gpu_language_ != "*" && gpu_language_ != state_.language) {
    gpu_language_ = state_.language;
    gpu_ = recorded_line(measurements_.packs, pack_errors_, languages_.find(state_.language)->second);
  }
  stage_.begin_frame(input.width, input.height);
  host_.begin_frame(input);
  panels::View view = view_of(state_, *shown_, motion_, &times_, working);
  view.lit = app::lit_by_answer(state_, *shown_);
  view.plots = plots_.get();
  view.reuse = reuse_.get();
  view.quiet = quiet_;
  view.alone = wanted.alone;
  view.controls = options_.controls ? &*options_.controls : nullptr;
  view.peaks = peaks_of(*shown_, view.times);
  if (!a_.shown() || wanted.alone || panels::has_lesson_panel(state_)) return panels::draw_all(view, layout);
  panels::View a = view_of(a_.state(), a_.simulation(), a_.motion(), &a_times_, working);
  a.is_a = true;
  a.plots = a_.plots();
  a.reuse = a_.reuse().get();
  a.quiet = quiet_;
  a.peaks = peaks_of(a_.simulation(), a.times);
  a.comparison = view.comparison = &a_.comparison();
  a.other = &view;
  view.other = &a;
  return panels::draw_all(view, layout);
}

// Over the frame before, what differs from it; then all of it into the bound framebuffer, whose own picture a
// window system may have thrown away.
void App::draw(const panels::Input& input) {
  const scene::Palette& palette =
      state_.theme == app::Theme::Dark ? scene::dark_palette() : scene::light_palette();
  GLint target = 0;
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &target);
  if (!straight_ && !keep_picture(input.width, input.height)) return;
  const auto parts = redraw_.cut(host_.drawn(), &stage_, palette.window, input.width, input.height);
  if (straight_)
    glViewport(0, 0, input.width, input.height);
  else
    picture_->bind();
  glEnable(GL_SCISSOR_TEST);
  glClearColor(palette.window.r, palette.window.g, palette.window.b, 1);
  for (const gl::PixelRect& part : parts) {
    glScissor(part.left, part.top, part.right - part.left, part.bottom - part.top);
    glClear(GL_COLOR_BUFFER_BIT);
  }
  host_.render();
  if (!straight_) picture_->copy_to(static_cast<GLuint>(target));
}

// false: the driver gives no framebuffer of this size, which has been told once.
bool App::keep_picture(int width, int height) {
  if (picture_ && picture_->width() == width && picture_->height() == height) return true;
  if (!picture_ && refused_ == std::pair(width, height)) return false;
  picture_.reset();
  redraw_.forget();
  std::string error;
  picture_ = gl::Framebuffer::create(width, height, &error);
  if (picture_) return true;
  refused_ = {width, height};
  text::say(stderr, "warplens: the window cannot be drawn: %s. Make it smaller.\n", error.c_str());
  return false;
}

const language::Strings& App::words(const std::string& language) {
  const auto known = languages_.find(language);
  if (known != languages_.end()) return known->second;
  std::string error;
  return languages_
      .emplace(language, app::load_words(scenario::data_folder("assets") / "languages", language, &error))
      .first->second;
}

bool App::is_picture(float x, float y) const {
  const auto holds = [&](const scene::Rect& rect) {
    return x >= rect.x && x < rect.x + rect.width && y >= rect.y && y < rect.y + rect.height;
  };
  return holds(layout_.global) || holds(layout_.shared);
}

App::Typing App::typing() const {
  if (!listens()) return {};
  const ImVec2 caret = panels::text_caret();
  return {true, caret.x, caret.y, 16 * layout_.scale};
}

std::string App::spoken() {
  if (!shown_->now || shown_->hidden.costs) return {};
  const language::Strings& strings = words(state_.language);
  const app::CostSummary cost = app::judge(*shown_->now, strings);
  return app::op_text(shown_->now->access.op, strings) + " " + shown_->now->site->text + ": " + cost.figure +
         " " + cost.words;
}

void App::prepare_fonts(float scale) {
  const auto& characters = characters_.of(state_, catalog_, words(state_.language));
  if (fonts_.prepare(host_, scale, characters)) redraw_.forget();
}

std::pair<const measure::Measurement*, const measure::Measurement*> App::times() {
  const auto mode = state_.optimised ? measure::CompileMode::AsOptimised : measure::CompileMode::AsWritten;
  const auto* here = app::measurement_of(times_.of(catalog_, state_.settings, measurements_, mode));
  if (!a_.shown()) return {here, nullptr};
  return {here, app::measurement_of(a_times_.of(catalog_, a_.state().settings, measurements_, mode))};
}

bool App::animates() const {
  if (state_.playback.playing || sharing_.busy() || acted_ || !heard_.empty()) return true;
  return !state_.playback.frozen && (motion_.moving(motion_now_) || a_.moving(motion_now_));
}
// Something has been under way for so long that the window says so.
bool App::is_slow() const {
  return working_since_ >= 0 && now_ - working_since_ > panels::kPatienceSeconds;
}
bool App::awaits() const {
  return works() || fixes_.busy();
}
bool App::works() const {
  if (reader_.busy()) return true;
  if (simulation_->halted) return false;
  if (settler_.busy()) return true;
  if ((plots_ && plots_->busy) || (reuse_ && reuse_->busy)) return true;
  return judge_.busy() || a_.awaits() || simulation_->busy ||
         (simulation_->fresh && simulation_->totals == nullptr);
}

void App::set_measurements(app::Measurements measurements, std::vector<Message> errors) {
  measurements_ = std::move(measurements);
  pack_errors_ = std::move(errors);
  if (gpu_language_ != "*") gpu_language_.clear();
  measurements_changed();
}

}  // namespace warplens::desktop
