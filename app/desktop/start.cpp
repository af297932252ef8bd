#include "app/desktop/start.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "app/desktop/pictures.h"
#include "app/desktop/place_check.h"
#include "app/desktop/target.h"
#include "app/platform/system.h"
#include "app/state/teaching/lecture.h"
#include "app/storage/lecture_file.h"
#include "app/storage/link.h"
#include "app/storage/profile_file.h"
#include "app/storage/progress_file.h"
#include "sim/scenario/command_line.h"
#include "sim/text/shown.h"

namespace warplens::desktop {
namespace {

// What the command line says of lessons; what is wrong with it, in words, or empty.
std::string enter_class(const Options& options, App* app) {
  if (options.predict) app->act({app::SetPredicting{true}});
  if (options.tour_stop > 0) app->act({app::ShowTour{}, app::StepTour{options.tour_stop - 1}});
  if (options.palette) app->act({app::ShowPalette{}});
  if (options.help) app->act({app::SetHelp{true}});
  if (options.names) app->act({app::ShowNames{true}});
  if (options.lessons) app->act({app::ShowLessons{true}});
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
  if (options.guess.empty()) return {};
  const bool choice = active->prediction() != nullptr && !active->prediction()->choices.empty();
  if (!choice) return app->act({app::SetGuess{options.guess, -1}, app::LockGuess{}}), std::string();
  const auto count = static_cast<std::int64_t>(active->prediction()->choices.size());
  const auto chosen = scenario::parse_whole(options.guess, "--guess", 1, count);
  if (!chosen) return chosen.errors.front();
  app->act({app::SetGuess{{}, static_cast<int>(*chosen.value) - 1}, app::LockGuess{}});
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
  if (has_window && platform::reduced_motion()) state.stills = true;
  state.hint = options.screenshot.empty() && options.tour.empty() && !state.settings.own;
  if (const auto offer = app::offer_of(app_options.places)) state.notice = *offer;
  take_progress(app_options, &state);
  auto app = std::make_unique<App>(std::move(catalog), std::move(state), std::move(app_options));
  load_measurements(app.get());
  if (!options.margin.empty()) app->act({app::SetGridMargin{options.margin == "grid"}});
  if (const std::string words = enter_lecture(options, app.get(), means); !words.empty()) return wrong(words);
  if (!options.theme.empty())  // goes before a scene's own
    app->act({app::SetTheme{options.theme == "light" ? app::Theme::Light : app::Theme::Dark}});
  if (options.notes) app->act({app::ShowNotes{}});
  if (options.scenes) app->act({app::ShowScenes{}});
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
  if (options.optimised) app->act({app::SetOptimised{true}});
  if (options.tab == "counters") app->act({app::SetGridTab{app::GridTab::Counters}});
  if (options.tab == "lines") app->act({app::SetGridTab{app::GridTab::Lines}});
  return {std::move(app), 0};
}

}  // namespace warplens::desktop
