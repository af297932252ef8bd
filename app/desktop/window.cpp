#include "app/desktop/window.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/desktop/app.h"
#include "app/desktop/beside.h"
#include "app/desktop/options.h"
#include "app/gl/framebuffer.h"
#include "app/platform/stop.h"
#include "app/platform/system.h"
#include "app/platform/window.h"
#include "app/state/teaching.h"
#include "app/storage/files.h"
#include "app/storage/link.h"
#include "app/storage/session_file.h"
#include "app/storage/teaching_files.h"
#include "app/views/vote.h"
#include "sim/file/whole_file.h"
#include "sim/scenario/target.h"
#include "sim/text/scan.h"
#include "sim/text/shown.h"

namespace warplens::desktop {
namespace {

int tell_no_display(const std::string& what) {
  text::say(stderr,
            "warplens: no display: %s\n"
            "  Set DISPLAY or WAYLAND_DISPLAY, or go without one: warplens --screenshot FILE.png and\n"
            "  warplens-cli render make pictures; warplens-cli report prints the numbers.\n",
            what.c_str());
  return kCannot;
}

int tell_no_opengl(const std::string& what) {
  text::say(stderr,
            "warplens: %s\n"
            "  Warplens needs OpenGL 3.3. Try software rendering: LIBGL_ALWAYS_SOFTWARE=1 warplens\n"
            "  warplens-cli gives the same numbers without OpenGL.\n",
            what.c_str());
  return kCannot;
}

// The sooner of two times until something is due; negative: never.
double sooner(double a, double b) {
  return a < 0 ? b : b < 0 ? a : std::min(a, b);
}

// As the stage shows it: the counts once they are revealed.
nlohmann::json vote_json(const app::Voting& voting, const language::Strings& strings) {
  nlohmann::json out = {{"url", app::url_of(voting.network)},
                        {"joined", voting.network.joined},
                        {"trouble", voting.network.trouble},
                        {"hand", {voting.hand.answer, voting.hand.count}}};
  if (voting.test) out["test"] = true;
  if (!voting.round) return out;
  const vote::Round& round = *voting.round;
  out["phase"] = vote::kPhases[static_cast<int>(round.phase())];
  out["votes"] = vote::total(round.counts());
  out["by_hands"] = round.by_hands;
  out["said"] = app::vote_view(voting, false, strings).lines;
  if (round.phase() != vote::Phase::Revealed) return out;
  out["first"] = round.first, out["second"] = round.second;
  if (round.truth) out["truth"] = *round.truth;
  return out;
}

// What a script reads: `heard` and `rests` tell it whether this is the state after what it did.
std::string state_text(App& app, const Options& options, long heard, bool rests,
                       const std::optional<app::SpeakerTold>& speaker = {}) {
  auto state =
      app::to_json(app.state(), options.tell_answers ? app.simulation() : app.shown(), options.tell_answers);
  state["seen"]["gpu"] = {
      {"text", app.gpu().text}, {"tooltip", app.gpu().tooltip}, {"trouble", app.gpu().trouble}};
  state["seen"]["window"] = {{"heard", heard}, {"rests", rests}, {"opengl", gl::description()}};
  if (app.state().voting.wanted)
    state["seen"]["vote"] = vote_json(app.state().voting, app.words(app.state().language));
  if (app.baseline().shown())
    for (const auto& [line, became] : app.baseline().comparison.became)
      state["seen"]["became"][std::to_string(line)] = report::name_of(became);
  if (speaker)
    state["seen"]["speaker"] = {{"place", speaker->place},
                                {"name", speaker->name},
                                {"notes", speaker->notes},
                                {"next", speaker->next},
                                {"answer", options.tell_answers ? speaker->answer : ""},
                                {"since", speaker->since}};
  const auto [time, time_of_a] = app.times();
  const bool told = options.tell_answers || !app.shown().hidden.times;
  if (time != nullptr && told)
    state["seen"]["time"] = {{"seconds", time->cold.median}, {"recorded", time->recorded}};
  if (time_of_a != nullptr) state["seen"]["time_of_a"] = {{"seconds", time_of_a->cold.median}};
  return state.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

void keep_state(const Options& options, std::string text, std::string* last) {
  if (text == *last) return;
  // For scripts, at every frame: it tells of this moment, and need not outlive a loss of power.
  const file::Written written =
      file::write_whole(options.state_file, text, {.to_pipes = true, .durable = false});
  if (!written) text::say(stderr, "warplens: %s\n", written.words.english().c_str());
  *last = std::move(text);
}

}  // namespace

void write_state(App& app, const Options& options) {
  std::string nothing;
  keep_state(options, state_text(app, options, 0, true), &nothing);
}

namespace {

constexpr double kFlushSeconds = 5;

app::Recovery* kept_at_exit = nullptr;

const char* key_of_unkept(file::Trouble trouble) {
  return trouble == file::Trouble::NoName   ? "kept.no_home"
         : trouble == file::Trouble::NoRoom ? "kept.no_room"
                                            : "kept.cannot";
}

// What is unsaved and cannot be kept is told at once, not when it is lost.
void tell_unkept(App& app, const app::Recovery& recovery, bool* told) {
  const file::Written kept = recovery.trouble();
  const auto& notice = app.state().notice;
  if (kept && *told && notice && notice->key.starts_with("kept.")) app.act({app::DismissNotice{}});
  if (!kept && !*told && !(notice && notice->asks_to_leave))
    app.act({app::ShowNotice{
        {key_of_unkept(kept.trouble), Message::verbatim(app.places().state.string()), true, false}}});
  *told = !kept;
}

// Nothing is lost by it, or the person has said that it may be.
bool may_leave(App& app, app::Recovery& recovery) {
  const auto& notice = app.state().notice;
  const std::string asked = notice && notice->asks_to_leave ? notice->key : "";
  if (app.state().leaving) return true;
  const bool exports = app.exports() && asked.empty();
  if (!asked.empty() && asked != "leave.export") return true;
  if (exports) {
    app.act({app::ShowNotice{{"leave.export", {}, true, false, true}}});
    return false;
  }
  if (recovery.flush(kFlushSeconds)) return true;
  app.act({app::ShowNotice{{"leave.ask", Message("{}", recovery.unsaved()), true, false, true}}});
  return false;
}

// How long the loop may sleep. ImGui needs a frame or two to come to rest.
double rest_of(const App& app, double due, int settling) {
  if (app.animates() || settling > 0) return 0;
  if (app.awaits()) return 0.1;  // progress
  for (const double left : {app.chrome_left(), app.news_left()})
    if (left > 0 && (due < 0 || left < due)) due = left;
  return due >= 0 ? due + 0.001
                  : platform::Window::kUntilSomethingHappens;  // what is due has rested long enough
}

// What lives as long as the window.
class Loop {
 public:
  Loop(std::unique_ptr<App> app, std::unique_ptr<platform::Window> window, const Options& options)
      : held_app_(std::move(app)),
        held_window_(std::move(window)),
        options_(options),
        recovery_(*app_.places().recovery),
        end_(platform::wake_window, [this] { recovery_.flush(1); }) {
    jobs::Runner& runner = app_.runner();
    beside_.push_back(live_gpu(runner, options.via));
    beside_.push_back(kernel_compiler(runner));
    beside_.push_back(class_vote(app_.places().state));
    if (window_.keeps_picture()) app_.draw_straight();
    app_.clipboard.get = [this] { return window_.clipboard(); };
    app_.clipboard.set = [this](const std::string& text) { window_.set_clipboard(text); };
    kept_at_exit = &recovery_;
    // An end without a question, such as a lost display, saves what was noted last.
    std::atexit([] {
      if (kept_at_exit != nullptr) kept_at_exit->flush(2);
    });
    on_screen = this;
  }
  ~Loop() {
    on_screen = nullptr;
    // What was not saved is offered at the next start.
    if (!recovery_.flush(kFlushSeconds) && platform::asked_to_stop())
      text::say(stderr, "warplens: what was not saved is lost: %s\n",
                recovery_.trouble().words.english().c_str());
    kept_at_exit = nullptr;
    app_.destroy_graphics();
  }
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // One turn: what came in, the frame, and how long there is nothing to do.
  std::optional<double> turn() {
    platform::Window::Events events = window_.take_events();
    if (events.any) settling_ = 2;
    const bool ticks = !events.any && !events.woken && settling_ == 0 && seconds_now() < frame_due_;
    if (ticks) return tick();  // nothing but the speaker's clock
    const bool close = events.close;
    if (events.close_second) app_.act({app::ShowNotes{false}});
    const bool stale = events.stale_second;
    if (events.input.width > 0 && events.input.height > 0) draw(std::move(events));  // not minimised
    tell_speaker(stale);
    recovery_.keep(app_.state());
    if (app_.state().panels != panels_) app::keep_panels(app_.places().state, panels_ = app_.state().panels);
    tell_unkept(app_, recovery_, &told_unkept_);
    if (platform::asked_to_stop())
      return std::nullopt;  // after a frame that took in what was typed before it
    if (app_.take_wish(Wish::Quit) || close || app_.state().leaving) {
      if (may_leave(app_, recovery_)) return std::nullopt;
      settling_ = 2;
    }
    frame_due_ = 0;
    if (app_.runner().has_work()) {
      settling_ = std::max(settling_, 1);  // what it finds is drawn
      return 0;
    }
    const double now = seconds_now(), rest = rest_of(app_, due_in(now), settling_);
    frame_due_ = rest < 0 ? std::numeric_limits<double>::infinity() : now + rest;
    settling_ = std::max(settling_ - 1, 0);
    return sooner(rest, speaker_.due_in());
  }

  platform::Window& window() { return window_; }
  App& app() { return app_; }
  std::string state_text() { return desktop::state_text(app_, options_, heard_, rests_, speaker_.told()); }

  static Loop* on_screen;  // null: no window is open

 private:
  void tell_speaker(bool stale) {
    speaker_.update(app_, seconds_now(), stale);
    if (!options_.state_file.empty()) keep_state(options_, state_text(), &last_state_);
  }
  // The stage is not drawn again for a clock that is not on it.
  double tick() {
    tell_speaker(false);
    const double now = seconds_now();
    return sooner(frame_due_ > now + 1e9 ? -1 : std::max(frame_due_ - now, 0.0), speaker_.due_in());
  }
  double due_in(double now) const {
    double due = -1;
    for (const auto& one : beside_) due = sooner(due, one->due_in(now));
    return due;
  }
  void draw(platform::Window::Events events) {
    FrameInput in;
    in.input = events.input;
    in.now = seconds_now();
    in.input.seconds = in.now - last_;
    last_ = in.now;
    in.keys = std::move(events.keys);
    if (auto& dropped = events.dropped; !dropped.empty())  // the last of them stays on screen
      app_.act(
          {app::DismissNotice{},
           app::OpenPath{dropped.front(), std::vector<std::string>(dropped.begin() + 1, dropped.end())}});
    for (const auto& one : beside_) one->update(app_, in.now);
    app_.frame(in);
    beside_.back()->update(app_, in.now);  // phones are told what the stage shows, and not a frame later
    window_.show();
    heard_ = events.heard;
    rests_ = settling_ == 0 && !app_.animates() && !app_.awaits();
  }

  const std::unique_ptr<App> held_app_;
  const std::unique_ptr<platform::Window> held_window_;
  App& app_ = *held_app_;
  platform::Window& window_ = *held_window_;
  const Options options_;
  app::Recovery& recovery_;
  std::vector<std::unique_ptr<Beside>> beside_;  // the class's vote last
  SpeakersWindow speaker_{app_.runner(), window_};
  platform::EndWatch end_;
  std::string last_state_;
  bool told_unkept_ = false, rests_ = false;
  app::Panels panels_ = app_.state().panels;
  long heard_ = 0;
  int settling_ = 2;
  double frame_due_ = 0;
  double last_ = seconds_now();
};

Loop* Loop::on_screen = nullptr;

int show_window(std::unique_ptr<App> app, const Options& options) {
  platform::WindowTrouble trouble;
  const platform::WindowSize size =
      options.size_given ? platform::WindowSize{options.width, options.height} : platform::WindowSize{};
  auto window = platform::Window::open(size, &trouble);
  if (!window) return trouble.no_opengl ? tell_no_opengl(trouble.words) : tell_no_display(trouble.words);
  std::string error;
  if (!gl::load_functions(window->function_of, &error) || !app->create_graphics(&error))
    return tell_no_opengl(error);
  const auto loop = std::make_shared<Loop>(std::move(app), std::move(window), options);
  loop->window().run([loop] { return loop->turn(); });
  return 0;
}

}  // namespace

int run_window(std::unique_ptr<App> app, const Options& options) {
  const int code = show_window(std::move(app), options);
  platform::end_as_asked();
  return code;
}

App* app_on_screen() {
  return Loop::on_screen != nullptr ? &Loop::on_screen->app() : nullptr;
}
std::string state_on_screen() {
  return Loop::on_screen != nullptr ? Loop::on_screen->state_text() : std::string();
}

namespace {

// What the command line says of lessons; what is wrong with it, in words, or empty.
std::string enter_class(const Options& options, App* app) {
  if (options.predict) app->act({app::SetPredicting{true}});
  std::string name = options.lesson;
  if (name.empty() && options.target.ends_with(".lesson.json")) name = options.target;
  if (name.empty()) return {};
  if (name.ends_with(".lesson.json")) {
    const auto opened = app::open_lesson(name, app->catalog());
    if (!opened) return opened.errors.front();
    app->act({app::TakeLesson{*opened.value}});
  } else {
    app->act({app::OpenLesson{name}});
  }
  const auto& active = app->state().classroom.active;
  if (!active) {
    std::vector<std::string> names;
    for (const auto& one : app->catalog().lessons) names.push_back(one->name);
    return "there is no lesson \"" + name + "\"" + scenario::did_you_mean(name, names).english();
  }
  if (options.lesson_step > 0) app->act({app::GoToLessonStep{options.lesson_step - 1}});
  return {};
}

// The lecture that the command line names, at its scene; what is wrong, in words, or empty.
std::string enter_lecture(const Options& options, App* app, const app::Means& means) {
  std::string file = options.lecture;
  if (file.empty() && options.target.ends_with(app::kLectureEnding)) file = options.target;
  if (!file.empty()) {
    if (!file.ends_with(app::kLectureEnding)) {
      const std::string name = file;
      file = (app::lectures_folder() / (name + app::kLectureEnding)).string();
      std::vector<std::string> names;
      for (const app::KnownLecture& known : app::shipped_lectures()) {
        const std::string there = std::filesystem::path(known.path).filename().string();
        names.push_back(there.substr(0, there.size() - std::string(app::kLectureEnding).size()));
      }
      if (std::find(names.begin(), names.end(), name) == names.end())
        return "there is no lecture \"" + name + "\"" + scenario::did_you_mean(name, names).english();
    }
    const auto lecture =
        app::load_lecture(std::filesystem::absolute(file).lexically_normal(), app->catalog(), means);
    if (!lecture) return lecture.errors.front();
    app->act({app::TakeLecture{*lecture.value}});
  }
  if (options.scene == 0) return {};
  const auto& lecture = app->state().lecturing.lecture;
  if (lecture == nullptr) return "--scene " + std::to_string(options.scene) + ": no lecture is open";
  if (options.scene > static_cast<int>(lecture->scenes.size()))
    return "--scene " + std::to_string(options.scene) + ": the lecture has " +
           std::to_string(lecture->scenes.size()) + " scenes, from 1";
  app->act({app::GoToScene{options.scene - 1}});
  return {};
}

void take_progress(const AppOptions& app_options, app::State* state) {
  if (app_options.places.state.empty()) return;
  app::LoadedProgress known = app::load_progress(app_options.places.state / "lessons.json");
  state->classroom.progress = std::move(known.progress);
  if (!known.trouble.empty()) state->notice = app::Notice{"files.trouble", known.trouble, true, false};
}

// As they were left. Opened for the first time, and with nothing named, the picture is alone.
void take_panels(const std::filesystem::path& folder, const Options& options, app::State* state) {
  if (folder.empty()) return;
  const bool named =
      !options.target.empty() || !options.lesson.empty() || !options.lecture.empty() || options.predict;
  const app::Panels panels = app::load_panels(folder).value_or(app::Panels());
  if (panels.any()) state->workbench = panels;
  state->panels = named ? state->workbench : panels;
}

Started wrong(const std::string& words) {
  text::say(stderr, "warplens: %s\n", words.c_str());
  return {nullptr, 2};
}

}  // namespace

void load_measurements(App* app) {
  app::Measurements measurements;
  auto packs = measure::load_packs(scenario::data_folder("assets") / "recorded");
  if (packs.value) measurements.packs = std::move(*packs.value);
  app->set_measurements(std::move(measurements), std::move(packs.errors));
}

Started start(const Options& options, AppOptions app_options) {
  app::Catalog catalog = app::load_catalog(scenario::data_folder("kernels"));
  app::load_lessons(scenario::data_folder("assets") / "lessons", &catalog);
  for (const std::string& error : catalog.errors) text::say(stderr, "warplens: %s\n", error.c_str());
  constexpr double kStartSeconds = 20;  // for what the command line names to be read
  Allowance allowance = app::app_allowance(nullptr);
  allowance.deadline = Budget::in(kStartSeconds);
  Budget budget(allowance);
  const app::Means means{nullptr, &budget};
  auto opened = open_target(options, &catalog, means);
  for (const std::string& error : opened.errors) text::say(stderr, "warplens: %s\n", error.c_str());
  if (!opened) return {nullptr, 2};

  app::State& state = *opened.value;
  const bool has_window = app_options.jobs.wake != nullptr;
  state.notes_apart = platform::Window::may_have_second();
  if (has_window && platform::reduced_motion()) state.stills = true;
  if (const auto offer = app::offer_of(app_options.places)) state.notice = *offer;
  take_progress(app_options, &state);
  if (has_window && !options.panels) take_panels(app_options.places.state, options, &state);
  state.playback.one_access = state.panels.none();  // alone, it plays once
  if (state.panels.none() && options.target.empty()) state.classroom.tour = 0;
  auto app = std::make_unique<App>(std::move(catalog), std::move(state), std::move(app_options));
  load_measurements(app.get());
  if (const std::string words = enter_lecture(options, app.get(), means); !words.empty()) return wrong(words);
  if (!options.theme.empty())  // goes before a scene's own
    app->act({app::SetTheme{options.theme == "light" ? app::Theme::Light : app::Theme::Dark}});
  if (options.notes) app->act({app::ShowNotes{}});
  if (const std::string words = enter_class(options, app.get()); !words.empty()) return wrong(words);
  // A lesson that a link names brings its own settings, which those of the link replace.
  if (app::is_link(options.target)) app->open_lesson_of(options.target, budget);
  if (const std::string words = wrong_place(options, app->catalog(), app->state()); !words.empty())
    return wrong(words);
  if (!options.profile.empty()) {
    auto profile = app::load_profile(options.profile, budget);
    if (!profile) return wrong(profile.errors.front());
    app->act({app::TakeProfile{std::move(*profile.value)}});
  }
  if (options.tab == "counters") app->act({app::SetGridTab{app::GridTab::Counters}});
  if (options.tab == "lines") app->act({app::SetGridTab{app::GridTab::Lines}});
  return {std::move(app), 0};
}

}  // namespace warplens::desktop
