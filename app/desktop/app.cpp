#include "app/desktop/app.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <functional>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/desktop/beside.h"
#include "app/language/joined.h"
#include "app/language/strings.h"
#include "app/panels/panels.h"
#include "app/panels/widgets/text_input.h"
#include "app/platform/system.h"
#include "app/readout/question.h"
#include "app/simulate/simulation.h"
#include "app/source/text_fixes.h"
#include "app/state/catalog.h"
#include "app/state/classroom.h"
#include "app/state/teaching.h"
#include "app/storage/files.h"
#include "app/storage/link.h"
#include "app/storage/session_file.h"
#include "app/views/compare.h"
#include "app/views/vote.h"
#include "sim/scenario/permalink.h"
#include "sim/scenario/scenario.h"
#include "sim/scenario/text_file.h"
#include "sim/text/shown.h"

namespace warplens::desktop {

Baseline::Baseline(const app::Catalog* catalog, jobs::Runner& runner, app::SimulatorOptions options,
                   app::RegistersOf registers_of, bool moves)
    : Side(catalog, runner, std::move(registers_of)),
      catalog_(catalog),
      runner_(runner),
      options_(std::move(options)),
      moves_(moves) {}

std::shared_ptr<const app::Simulation> Baseline::follow(const app::State& b,
                                                        std::shared_ptr<const app::Simulation> seen,
                                                        double now) {
  if (!b.pinned) {
    simulator_.reset();
    simulation = seen_ = seen_with_a_ = nullptr;
    compared_.reset();
    static const app::State kNoState;
    static const app::Simulation kNothing;
    derive(kNoState, kNothing);
    return seen;
  }
  if (!simulator_) {
    simulator_ = std::make_unique<app::Simulator>(catalog_, runner_, options_);
    motion = {};
  }
  state = app::state_of_a(b, *seen, simulation.get());
  const auto before = std::exchange(simulation, simulator_->derive(state));
  const std::pair settings{*b.pinned, b.settings};
  const bool same_settings = compared_ && *compared_ == settings;
  if (!same_settings) comparison = app::compare_settings(*catalog_, b);
  const bool raced = std::exchange(raced_, b.race.has_value());
  if (!same_settings || simulation != before || seen != seen_ || raced)
    app::compare_accesses(*simulation, *seen, &comparison);
  if (b.race) app::forget_accesses(&comparison);
  compared_ = settings;
  derive(state, *simulation);
  motion.enabled = moves_ && !b.stills;
  motion = app::follow(motion, *simulation, now);
  if (seen != seen_ || !seen_with_a_ || seen_with_a_->other_wavefronts != comparison.wavefronts) {
    auto with_a = std::make_shared<app::Simulation>(*seen);
    with_a->other_wavefronts = comparison.wavefronts;
    seen_with_a_ = std::move(with_a);
  }
  seen_ = std::move(seen);
  return seen_with_a_;
}

void Sharing::start(share::Order order, share::Source source) {
  percent_ = -1;
  refused_ = false;
  busy_ = true;
  job_.start([order = std::move(order), source = std::move(source)](const std::atomic<bool>* cancel,
                                                                    std::atomic<double>* progress) {
    Budget budget({.cancel = cancel});
    return share::carry_out(order, source, budget, progress);
  });
}

std::optional<app::ShareTold> Sharing::news() {
  if (!busy_) return std::nullopt;
  const auto result = job_.take();
  const Message failure = job_.failure();
  busy_ = !result && failure.empty();
  if (busy_) {
    const int percent = static_cast<int>(100 * job_.progress());
    if (std::exchange(percent_, percent) == percent) return std::nullopt;
    return app::ShareTold{refused_ ? "share.wait" : "share.busy", {}, false, true, job_.progress()};
  }
  if (!result) return app::ShareTold{"files.trouble", failure, true, false, 0};
  if (!result->key.empty()) return app::ShareTold{result->key, result->words, true, false, 0};
  const std::string file = result->written.string();
  const Message words = result->files > 1 ? Message("{} ({})", file, result->files) : Message::verbatim(file);
  return app::ShareTold{"share.written", words, false, false, 1};
}

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
      here_(&catalog_, runner_, [this](const app::State& of) { return registers_of(of, &here_); }),
      a_(
          &catalog_, runner_, {.programs = programs_},
          [this](const app::State& of) { return registers_of(of, &a_); }, !options_.still),
      sharing_(runner_) {
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
  watch_mouse(in);
  if (layout_.is_bare && is_parked(in.input)) input.mouse_inside = false;
  input.typed = hear(in.keys);
  if (const auto news = sharing_.news()) act({*news});
  watch_news();
  take_read();
  if (state_.playback.playing) act({app::Tick{std::min(in.now - last_, 0.1)}});
  last_ = in.now;
  watch_playing();
  settle();
  derive();
  act(errors_.update(state_, *simulation_));
  ask_judge();
  for (const app::Action& action : fixes_.update(state_, *shown_))
    state_ = app::apply(std::move(state_), action, *simulation_, catalog_);
  const app::Actions done = build(input);
  const bool pointed_only = std::all_of(done.begin(), done.end(), [](const app::Action& action) {
    return action.as<app::HoverLane>() != nullptr || action.as<app::PointAtCell>() != nullptr;
  });
  act(done);
  acted_ = !pointed_only;  // the next frame shows it
  host_.end_frame();
  if (prepare_fonts(
          layout_.scale)) {  // a character was drawn that they had not: once more, and nothing is heard
    input.typed.clear(), input.wheel = input.wheel_sideways = 0;
    (void)build(input);
    host_.end_frame();
  }
  draw(in.input);
  runner_.work();
}

// The first place that the mouse is seen in is no use of it. A tooltip goes when a key is pressed, and comes
// again when the mouse does something.
void App::watch_mouse(const FrameInput& in) {
  constexpr float kShaken = 2;  // pixels that a table is good for
  const panels::Input& now = in.input;
  const bool known = pointed_x_ >= 0, pressed = now.buttons[0] || now.buttons[1];
  const bool moved =
      std::abs(now.mouse_x - pointed_x_) > kShaken || std::abs(now.mouse_y - pointed_y_) > kShaken;
  if ((known && moved) || pressed) pointed_ = now_;
  quiet_ = !in.keys.empty() || (quiet_ && !(known && moved) && !pressed && now.wheel == 0);
  if (!known || moved) pointed_x_ = now.mouse_x, pointed_y_ = now.mouse_y;
  // Bars that lie over the picture come where the mouse touches the window's edge, and go when it leaves
  // them: whoever points at the picture sees it.
  const float top = layout_.top.height, bottom = layout_.bottom.height;
  over_top_ = pointed_y_ >= 0 && pointed_y_ < (over_top_ ? layout_.top.y + 1.1f * top : 0.4f * top);
  over_bottom_ =
      pointed_y_ >= (over_bottom_ ? layout_.bottom.y - 0.05f * bottom : layout_.height - 0.35f * bottom);
}

// Where the pointer lies since a key was pressed, or for a while, nobody points at what slides under it.
bool App::is_parked(const panels::Input& input) const {
  constexpr double kPoints = 3;
  const bool pressed = input.buttons[0] || input.buttons[1] || input.wheel != 0;
  return !pressed && (quiet_ || now_ > pointed_ + kPoints) && chrome_left() <= 0;
}

constexpr double kAskSeconds = 3.6;  // three times

void App::watch_playing() {
  const bool knows = plays_on_ && !state_.classroom.tour;  // the tour's sentence asks for its own key
  asks_.follow(layout_.is_bare && !knows && !state_.playback.playing && !here_.motion.moving(motion_now_),
               now_);
}

float App::asks() const {
  if (asks_.begun < 0) return 0;
  const double turn = 3 * asks_.seconds(now_) / kAskSeconds;  // 1 to 0 to 1
  return state_.stills || turn >= 3 ? 1.0f : static_cast<float>(0.5 + 0.5 * std::cos(6.283185307 * turn));
}

constexpr double kBoxesSeconds = 3.2, kBoxSeconds = 0.16, kCountRests = 1.5;

// In equal steps, all of them within a few seconds; then the number stands a while.
scene::Counting App::counting() const {
  // Wavefronts are counted as they pass.
  if (counts_ == scene::Count::None || (counts_ == scene::Count::Cost && shown_->steps() > 1)) return {};
  const int all = app::most_to_count(*shown_, counts_);
  const double since = now_ - counts_since_;
  const double each = state_.stills ? 0 : std::min(kBoxSeconds, kBoxesSeconds / std::max(all, 1));
  if (all == 0 || since > each * all + kCountRests) return {};
  return {counts_, since < each * all ? static_cast<int>(since / each) : all};
}

// News has been read after a while; what is wrong stays until it is closed.
void App::watch_news() {
  const auto& told = state_.notice;
  const bool is_news = told && told->is_news();
  if (is_news && std::exchange(news_key_, told->key) != told->key) news_ = {};
  news_.follow(is_news, now_);
  if (is_news && news_left() <= 0) act({app::DismissNotice{}});
}

double App::news_left() const {
  constexpr double kNewsSeconds = 12;
  return news_.begun < 0 ? 0 : std::max(0.0, kNewsSeconds - news_.seconds(now_));
}

double App::chrome_left() const {
  constexpr double kChromeSeconds = 8;  // where the mouse rests over it
  if (!layout_.floats) return 0;
  if (listens() || state_.menu) return kChromeSeconds;  // what is typed or chosen there is not done
  return over_top_ || over_bottom_ ? std::max(0.0, pointed_ + kChromeSeconds - now_) : 0;
}

void App::act(const app::Actions& actions) {
  for (const app::Action& action : actions) {
    if (const auto* count = action.as<app::CountOut>())
      counts_ = count->what, counts_since_ = now_;
    else if (action.as<app::HoverLane>() == nullptr)
      counts_ = scene::Count::None;
    plays_on_ = plays_on_ || action.as<app::PlayNext>() != nullptr;
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

const std::vector<app::RungTime>& App::times_of(const app::State& state, Side* side) {
  const auto mode = state_.optimised ? measure::CompileMode::AsOptimised : measure::CompileMode::AsWritten;
  return side->times.of(catalog_, state.settings, measurements_, mode);
}

std::optional<int> App::registers_of(const app::State& state, Side* side) {
  const auto* measured = app::measurement_of(times_of(state, side));
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
  if (auto to = app::opening_access(state_, a_.simulation.get(), *simulation_)) {
    state_ = app::apply(std::move(state_), app::LookAt{*std::move(to)}, *simulation_, catalog_);
    return derive();
  }
  const app::Hidden hidden = app::hidden_in(state_);
  const bool revealed = shown_ && shown_->hidden.costs && !hidden.costs;
  if (shown_of_ != simulation_ || !(shown_->hidden == hidden)) {
    shown_ = app::visible(simulation_, hidden);
    shown_of_ = simulation_;
  }
  here_.derive(state_, *shown_);
  here_.motion.enabled = !options_.still && !state_.stills;
  here_.motion = app::follow(here_.motion, *simulation_, motion_now_, state_.lecturing.scene);
  if (revealed) here_.motion.access_began = here_.motion.wavefront_began = motion_now_;
  working_.follow(works(), now_);
  stale_.follow(!simulation_->fresh, now_);
}

panels::LayoutOptions App::layout_wanted(const panels::Input& input, double working) const {
  const auto width = static_cast<float>(input.width), height = static_cast<float>(input.height);
  panels::LayoutOptions wanted = panels::layout_options(state_, *shown_, width, height);
  wanted.density = input.density;
  wanted.alone = options_.alone || panels::has_room_for_the_picture_only(wanted);
  wanted.hint = panels::has_message(state_, *shown_, working) || (wanted.alone && !options_.alone);
  wanted.passes = !panels::has_message(state_, *shown_, 0);
  wanted.parameters = !options_.controls || !options_.controls->empty();
  wanted.index = app::find_index(app::text_of(catalog_, state_.settings)).has_value();
  return wanted;
}

// What every panel gets of one side: the state and what was derived from it.
panels::View App::view_of(const app::State& state, const app::Simulation& simulation, Side* side,
                          double working, app::Actions* actions) {
  const std::vector<app::RungTime>& times = times_of(state, side);
  const scene::Palette& inks = state_.present || layout_.is_bare ? scene::presented(palette()) : palette();
  const bool may_gain = !simulation.hidden.times && app::has_more_to_gain(times);
  panels::View view{state,
                    simulation,
                    catalog_,
                    times,
                    gpu_,
                    side->motion,
                    languages_.find(state_.language)->second,
                    may_gain ? scene::with_more_to_gain(inks) : inks,
                    fonts_,
                    stage_,
                    *actions,
                    motion_now_,
                    layout_.scale,
                    working};
  view.enlarged = layout_.enlarged;
  view.stale = options_.still ? 1e9 : stale_.seconds(now_);
  view.made = side->made.get();
  view.reuse = side->reuse.get();
  view.quiet = quiet_;
  view.peaks = peaks_of(simulation, view.times);
  return view;
}

app::Actions App::build(const panels::Input& input) {
  const double working = working_.seconds(now_);
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
  app::Actions done, done_in_a;
  panels::View view = view_of(state_, *shown_, &here_, working, &done);
  view.lit = app::lit_by_answer(state_, *shown_);
  view.alone = wanted.alone;
  view.bare = layout.is_bare;
  view.asks = asks();
  view.counting = counting();
  const bool chrome = chrome_left() > 0, typed = listens();
  view.chrome_top = chrome && (over_top_ || typed || state_.menu);
  view.chrome_bottom = chrome && (over_bottom_ || typed);
  view.controls = options_.controls ? &*options_.controls : nullptr;
  if (!a_.shown() || wanted.alone || panels::has_lesson_panel(state_)) {
    panels::draw_all(view, layout);
    return done;
  }
  panels::View a = view_of(a_.state, *a_.simulation, &a_, working, &done_in_a);
  a.is_a = true;
  a.comparison = view.comparison = &a_.comparison;
  a.headed = view.headed = wanted.headed;
  a.other = &view;
  view.other = &a;
  panels::draw_all(view, layout);
  return done;
}

// Over the frame before, what differs from it; then all of it into the bound framebuffer, whose own picture a
// window system may have thrown away.
void App::draw(const panels::Input& input) {
  GLint target = 0;
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &target);
  if (!straight_ && !keep_picture(input.width, input.height)) return;
  const auto parts = redraw_.cut(host_.drawn(), &stage_, palette().window, input.width, input.height);
  if (straight_)
    glViewport(0, 0, input.width, input.height);
  else
    picture_->bind();
  glEnable(GL_SCISSOR_TEST);
  glClearColor(palette().window.r, palette().window.g, palette().window.b, 1);
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
  const scene::Rect& rect = layout_.picture;
  return x >= rect.x && x < rect.x + rect.width && y >= rect.y && y < rect.y + rect.height;
}

App::Typing App::typing() const {
  if (!listens()) return {};
  const ImVec2 caret = panels::text_caret();
  return {true, caret.x, caret.y, 16 * layout_.scale};
}

std::string App::spoken() {
  if (!shown_->now || shown_->hidden.costs) return {};
  const language::Strings& strings = words(state_.language);
  const app::CostSummary cost = app::judge(*shown_, strings);
  return app::op_text(shown_->now->access.op, strings) + " " + shown_->now->site->text + ": " + cost.figure +
         " " + cost.words;
}

// What the program itself says in a language, at once: loading takes as long for one character as for all.
// What comes from outside when it is on screen. true: something was not there.
bool App::prepare_fonts(float scale) {
  if (std::exchange(fonts_language_, state_.language) != state_.language) {
    fonts_.need("？³×÷–—−·…→←↑↓▾Δ=│≈≥≤µ°“”‘’中文简体");  // signs without a string of their own
    for (const auto& [key, text] : words(state_.language).texts()) fonts_.need(text);
    for (const auto& lesson : catalog_.lessons)
      for (const std::string& text : app::words_of(*lesson, state_.language)) fonts_.need(text);
    for (const scenario::Scenario& s : catalog_.scenarios) {
      for (const auto* text : {&s.title, &s.teaches, &s.rung_label})
        fonts_.need(scenario::in_language(*text, state_.language));
      for (const auto& p : s.parameters) fonts_.need(scenario::in_language(p.label, state_.language));
    }
  }
  fonts_.need(app::text_of(catalog_, state_.settings));
  const bool loaded = fonts_.prepare(host_, scale);
  if (loaded) redraw_.forget();
  return loaded;
}

std::pair<const measure::Measurement*, const measure::Measurement*> App::times() {
  return {app::measurement_of(times_of(state_, &here_)),
          a_.shown() ? app::measurement_of(times_of(a_.state, &a_)) : nullptr};
}

bool App::animates() const {
  if (state_.playback.playing || sharing_.busy() || acted_ || !heard_.empty()) return true;
  if (counting().what != scene::Count::None) return true;
  if (asks_.begun >= 0 && !state_.stills && asks_.seconds(now_) < kAskSeconds) return true;
  return !state_.playback.frozen && (here_.motion.moving(motion_now_) || a_.moving(motion_now_));
}
// Something has been under way for so long that the window says so.
bool App::is_slow() const {
  return working_.seconds(now_) > panels::kPatienceSeconds;
}
bool App::awaits() const {
  return works() || fixes_.busy();
}
bool App::works() const {
  if (reader_.busy()) return true;
  if (simulation_->halted) return false;
  if (settler_.busy()) return true;
  return judge_.busy() || a_.awaits() || here_.awaits(*simulation_);
}

void App::set_measurements(app::Measurements measurements, std::vector<Message> errors) {
  measurements_ = std::move(measurements);
  pack_errors_ = std::move(errors);
  if (gpu_language_ != "*") gpu_language_.clear();
  measurements_changed();
}

// What the state asks for that only the app has: pixels, the clipboard, files that join the catalog.

bool App::serve(const app::Request& request) {
  if (const auto* file = std::get_if<app::AdoptFile>(&request)) {
    adopt(*file);
  } else if (std::holds_alternative<app::ReadFile>(request) ||
             std::holds_alternative<app::OpenLink>(request)) {
    begin_reading(request);
  } else if (std::holds_alternative<app::RunCompiler>(request)) {
    wishes_.set(static_cast<std::size_t>(Wish::Compile));
  } else if (std::holds_alternative<app::MakeRound>(request)) {
    ask_class();
  } else if (std::holds_alternative<app::MakeRace>(request)) {
    begin_race();
  } else if (std::holds_alternative<app::CloseWindow>(request)) {
    wishes_.set(static_cast<std::size_t>(Wish::Quit));
  } else if (std::holds_alternative<app::CopyLink>(request)) {
    tell_copied(app::write_link(state_, *simulation_, catalog_));
  } else if (std::holds_alternative<app::CopyFigure>(request)) {
    tell_copied(figure());
  } else if (const auto* wanted = std::get_if<app::ShareRequest>(&request)) {
    begin_share(*wanted);
  } else {
    return false;
  }
  return true;
}

// The question on screen, as phones are asked it in any language.
void App::ask_class() {
  std::vector<const language::Strings*> all;
  for (const std::string& language : language::languages()) all.push_back(&words(language));
  auto asked = app::round_on_screen(state_, *simulation_, catalog_, all);
  if (!asked) return act({app::ShowNotice{{"vote.nothing", {}, true, false}}});
  asked->round.began = measure::utc_now();
  asked->round.id = vote::random_text(16, "0123456789abcdef");  // the clock may be wrong, and may go back
  act({app::TakeRound{std::move(asked->round), asked->truth}});
}

// Both kernels at the same work, timed on one GPU; else it is said why there is no race.
void App::begin_race() {
  const auto [b, a] = times();
  const auto none = [&](const char* key, const char* who) {
    act({app::ShowNotice{{key, Message::verbatim(who), false, false}}});
  };
  if (!a_.shown() || a_.simulation->empty() || simulation_->empty()) return;
  if (const app::Hidden& hidden = shown_->hidden; hidden.costs || hidden.rest || hidden.times)
    return none("race.hidden", "");
  if (a == nullptr || b == nullptr)
    return none("race.no_time", a != nullptr ? "B" : b != nullptr ? "A" : "A, B");
  if (a->device.name != b->device.name) return none("race.other_gpu", "");
  if (!views::same_work({&a_.comparison, a_.simulation.get(), simulation_.get(), a, b}))
    return none("race.other_work", "");
  act({app::TakeRace{{a->cold.median, b->cold.median}}});
}

std::string App::answered() {
  const app::Guess* guess = app::guess_of(state_.classroom);
  if (guess == nullptr || !guess->locked) return {};
  const auto question = app::question_of(state_, *simulation_, words(state_.language));
  if (!question || !question->answer) return {};
  // Where no second answer was given, the first.
  const std::int64_t given = guess->empty() ? guess->first.value_or(0) : guess->value();
  nlohmann::ordered_json out{{"question", question->text},
                             {"given", given},
                             {"answer", *question->answer},
                             {"right", app::is_right(*question, *guess)}};
  if (!question->choices.empty()) out["choices"] = question->choices;
  if (const auto& active = state_.classroom.active)
    out["lesson"] = active->lesson->name, out["step"] = active->step + 1;
  return out.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void App::tell_copied(const std::string& text) {
  if (text.empty()) return act({app::ShareTold{"share.long_link", {}, true, false, 0}});
  if (clipboard.set) clipboard.set(text);
  const std::string place = text.size() > 200 ? text.substr(0, 200) + "…" : text;
  act({app::ShareTold{"share.copied", Message::verbatim(place), false, false, 0}});
}

std::string App::figure() {
  app::Figure figure;
  figure.link = app::write_link(state_, *simulation_, catalog_);
  if (figure.link.empty()) return {};
  figure.site = platform::variable("WARPLENS_SITE");
  figure.title = spoken();
  if (figure.title.empty()) figure.title = "Warplens: " + state_.settings.scenario;
  const scenario::Scenario* scenario = app::scenario_of(catalog_, state_.settings);
  if (scenario != nullptr)
    for (const auto& parameter : scenario->parameters) figure.controls.push_back(parameter.name);
  return app::figure_html(figure);
}

void App::open_lesson_of(const std::string& link, Budget& budget) {
  const auto read = app::read_link(link, catalog_, {programs_.get(), &budget});
  if (read && !(*read.value)->lesson.empty()) act(app::actions_of(*read.value, state_, false));
}

// Reading may take long: a text is parsed and its launch tried out, also that of a link; a pack has
// megabytes.
void App::begin_reading(const app::Request& request) {
  app::Places places = options_.places;
  places.recovery = nullptr;
  reader_.start(
      [this, request, places, state = state_](const std::atomic<bool>* cancel, std::atomic<double>*) {
        Budget budget(app::app_allowance(cancel));
        return app::perform(request, state, catalog_, places, {programs_.get(), &budget});
      });
  take_read();
}

void App::take_read() {
  if (!state_.reading) reader_.cancel();
  if (auto answers = reader_.take()) {
    app::keep_aside(*answers, state_, options_.places);
    act(*answers);
  } else if (const Message words = reader_.failure(); !words.empty()) {
    reader_.cancel();
    act({app::EndReading{}, app::ShowNotice{{"files.trouble", words, true, false}}});
  }
}

void App::begin_share(const app::ShareRequest& request) {
  if (sharing_.busy()) return sharing_.refuse();
  share::Order order{request.what, request.format, platform::without_tilde(request.folder), {}};
  share::Source source;
  const language::Strings& strings = words(state_.language);
  if (simulation_->empty()) {
    source.subject.simulation = simulation_;
  } else {
    const auto& times = times_of(state_, &here_);
    source.subject = share::subject_of(state_, shown_, catalog_, times, strings);
    if (const measure::PeakRecord* peaks = peaks_of(*shown_, times))
      source.subject.peaks = std::make_shared<const measure::PeakRecord>(*peaks);
    if (here_.made && !here_.made->busy) source.subject.made = here_.made;
    if (a_.shown() && !a_.simulation->empty())
      source.subject.beside =
          share::beside_of({a_.state, a_.simulation, app::measurement_of(times_of(a_.state, &a_))},
                           {state_, shown_, app::measurement_of(times)}, a_.comparison, catalog_, strings);
  }
  source.whole = simulation_;
  source.name = simulation_->empty() ? state_.settings.scenario : simulation_->compiled->setup.name;
  app::State kept = state_;  // the sheet itself is no part of the session
  kept.share.reset();
  kept.field = {};
  source.session =
      app::to_json(kept, app::Simulation{}).dump(1, ' ', false, nlohmann::json::error_handler_t::replace) +
      "\n";
  sharing_.start(std::move(order), std::move(source));
}

void App::adopt(const app::AdoptFile& file) {
  const auto tell = [&](const Message& words, bool bad) {
    act({app::ShowNotice{{bad ? "files.trouble" : "share.adopted", words, bad, false}}});
  };
  app::Adopted read = file.read ? std::move(*file.read) : app::read_adopted(file.path, file.schema);
  if (read.scenario) {
    // A user's own file goes before a gallery's of the same name; dropped again, it is read again.
    const std::string name = read.scenario->name;
    for (int n = 2; catalog_.find(read.scenario->name) != nullptr; ++n)
      read.scenario->name = name + " " + std::to_string(n);
    catalog_.scenarios.push_back(std::move(*read.scenario));
    act({app::SelectScenario{catalog_.scenarios.back().name}});
  } else if (read.pack) {
    measurements_.packs.insert(measurements_.packs.begin(), std::move(*read.pack));
    set_measurements(std::move(measurements_), std::move(pack_errors_));
  } else {
    return tell(read.errors.empty() ? Message::verbatim(file.path) : read.errors.front(), true);
  }
  tell(Message::verbatim(file.path), false);
}

namespace {

constexpr std::uint64_t kMostInstructions =
    100'000'000;  // about a second: a longer block is looked up in the window

std::string wrong_access(const Options& options, const app::Position& asked, const app::Simulation& s) {
  const int access = options.step > 0 ? options.step - 1 : asked.access.number;
  if (access >= s.event_count())
    return (options.step > 0 ? "--step " : "access ") + std::to_string(access + 1) + ": warp " +
           std::to_string(asked.warp) + " has " + std::to_string(s.event_count()) + " accesses, from 1";
  const int wavefront = options.wavefront > 0 ? options.wavefront : asked.wavefront + 1;
  const int wavefronts = s.wavefronts_of(access >= 0 ? access : s.place.event);
  if (s.place.event >= 0 && wavefront > wavefronts)
    return (options.wavefront > 0 ? "--wavefront " : "wavefront ") + std::to_string(wavefront) +
           ": the access has " + std::to_string(wavefronts) + ", from 1";
  return {};
}

std::string wrong_lesson_step(const Options& options, const app::State& state) {
  if (options.lesson_step == 0) return {};
  const auto& active = state.classroom.active;
  if (!active) return "--lesson-step: goes with --lesson";
  const int last = static_cast<int>(active->lesson->steps.size()) + 1;
  if (options.lesson_step <= last) return {};
  return "--lesson-step " + std::to_string(options.lesson_step) + ": " + active->lesson->name + " has " +
         std::to_string(last) + ", from 1; the last is the challenge";
}

}  // namespace

std::string wrong_place(const Options& options, const app::Catalog& catalog, const app::State& state) {
  if (std::string wrong = wrong_lesson_step(options, state); !wrong.empty()) return wrong;
  const bool given = options.step > 0 || options.wavefront > 0 || options.warp >= 0 ||
                     !options.block.empty() || scenario::is_permalink(options.target);
  if (!given) return {};
  sim::Limits limits;
  limits.instructions = kMostInstructions;
  const app::Look look = app::look_at(catalog, state.settings, state.position, limits);
  if (look.limit) return {};
  if (look.compiled && !look.simulation && !look.problems.empty()) return look.problems.front();
  return look.simulation ? wrong_access(options, state.position, *look.simulation) : std::string();
}

}  // namespace warplens::desktop
