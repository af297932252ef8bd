// warplens: the desktop app. See docs and --help for the command line; app.h for the frame.
#include <malloc.h>

#include <csignal>
#include <cstdio>

#include "app/desktop/checks/place_check.h"
#include "app/desktop/checks/secret_check.h"
#include "app/desktop/checks/soak.h"
#include "app/desktop/checks/text_tour.h"
#include "app/desktop/checks/walk.h"
#include "app/desktop/pictures.h"
#include "app/desktop/reduced_motion.h"
#include "app/desktop/target.h"
#include "app/desktop/window.h"
#include "app/storage/progress_file.h"
#include "sim/scenario/command_line.h"
#include "sim/text/shown.h"

namespace {

using namespace warplens;

void load_measurements(desktop::App* app) {
  session::Measurements measurements;
  auto packs = measure::load_packs(scenario::data_folder("assets") / "recorded");
  if (packs.value) measurements.packs = std::move(*packs.value);
  app->set_measurements(std::move(measurements), std::move(packs.errors));
}

// What the command line says of lessons; what is wrong with it, in words, or empty.
std::string enter_class(const desktop::Options& options, desktop::App* app) {
  if (options.predict) app->act({session::SetPredicting{true}});
  if (options.tour_stop > 0) app->act({session::ShowTour{}, session::StepTour{options.tour_stop - 1}});
  if (options.palette) app->act({session::ShowPalette{}});
  if (options.help) app->act({session::SetHelp{true}});
  if (options.lessons) app->act({session::ShowLessons{true}});
  std::string name = options.lesson;
  if (name.empty() && options.target.ends_with(".lesson.json")) name = options.target;
  if (name.empty()) return {};
  if (name.ends_with(".lesson.json")) {
    const auto opened = session::open_lesson(name, app->catalog());
    if (!opened) return opened.errors.front();
    app->act({session::TakeLesson{*opened.value}});
  } else {
    app->act({session::OpenLesson{name}});
  }
  const auto& active = app->state().classroom.active;
  if (!active) {
    std::vector<std::string> names;
    for (const auto& one : app->catalog().lessons) names.push_back(one->name);
    return "there is no lesson \"" + name + "\"" + scenario::did_you_mean(name, names);
  }
  if (options.lesson_step > 0) app->act({session::GoToLessonStep{options.lesson_step - 1}});
  if (options.guess.empty()) return {};
  const bool choice = active->prediction() != nullptr && !active->prediction()->choices.empty();
  if (!choice) return app->act({session::SetGuess{options.guess, -1}, session::LockGuess{}}), std::string();
  const auto count = static_cast<std::int64_t>(active->prediction()->choices.size());
  const auto chosen = scenario::parse_whole(options.guess, "--guess", 1, count);
  if (!chosen) return chosen.errors.front();
  app->act({session::SetGuess{{}, static_cast<int>(*chosen.value) - 1}, session::LockGuess{}});
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  const double started = desktop::seconds_now();
  std::signal(SIGXFSZ,
              SIG_IGN);  // the write that grows a file beyond what is allowed fails, and that is told
  // Traces, maps and letters go back to the system as soon as they are not needed. By itself glibc, once it
  // has seen a large block freed, takes the next ones from the heap, which they leave full of holes: 30 MB
  // more after an hour.
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  mallopt(M_TRIM_THRESHOLD, 16 << 20);
  const desktop::Parsed parsed = desktop::parse_options(argc, argv);
  if (parsed.exit_code) return *parsed.exit_code;
  const desktop::Options& options = parsed.options;

  session::Catalog catalog = session::load_catalog(scenario::data_folder("kernels"));
  session::load_lessons(scenario::data_folder("assets") / "lessons", &catalog);
  for (const std::string& error : catalog.errors) text::say(stderr, "warplens: %s\n", error.c_str());
  auto opened = desktop::open_target(options, &catalog);
  for (const std::string& error : opened.errors) text::say(stderr, "warplens: %s\n", error.c_str());
  if (!opened) return 2;

  const bool picture = !options.screenshot.empty() || !options.tour.empty();
  desktop::AppOptions app_options;
  const bool checks = !options.check_texts.empty() || options.check_secrets;
  const bool quiet = picture || options.walk > 0 || checks || options.soak > 0;
  app_options.still = (picture && options.at < 0) || checks || options.still || options.bench_toggles > 0;
  if (picture || options.walk > 0 || checks)
    app_options.patience = std::chrono::seconds(120);  // pictures wait for their numbers
  if (!quiet) app_options.wake = desktop::wake_window;
  if (!quiet) {  // scripts leave no trace in anybody's home
    app_options.places = session::usual_places();
    app_options.places.recovery =
        std::make_shared<session::Recovery>(app_options.places.state, desktop::wake_window);
  }
  if (!quiet && desktop::reduced_motion()) opened.value->stills = true;
  opened.value->hint = !picture && !opened.value->settings.own;
  if (const auto offer = session::offer_of(app_options.places)) opened.value->notice = *offer;
  if (!app_options.places.state.empty()) {
    session::LoadedProgress known = session::load_progress(app_options.places.state / "lessons.json");
    opened.value->classroom.progress = std::move(known.progress);
    if (!known.trouble.empty())
      opened.value->notice = session::Notice{"files.trouble", known.trouble, true, false};
  }
  desktop::App app(std::move(catalog), std::move(*opened.value), app_options);
  load_measurements(&app);
  if (!options.margin.empty()) app.act({session::SetGridMargin{options.margin == "grid"}});
  if (const std::string wrong = enter_class(options, &app); !wrong.empty()) {
    text::say(stderr, "warplens: %s\n", wrong.c_str());
    return 2;
  }
  if (const std::string wrong = desktop::wrong_place(options, app.catalog(), app.state()); !wrong.empty()) {
    text::say(stderr, "warplens: %s\n", wrong.c_str());
    return 2;
  }
  if (options.optimised) app.act({session::SetOptimised{true}});
  if (options.tab == "counters") app.act({session::SetGridTab{session::GridTab::Counters}});
  if (options.tab == "lines") app.act({session::SetGridTab{session::GridTab::Lines}});

  if (options.bench_motion > 0) return desktop::bench_motion(app, options);
  if (options.bench_map > 0) return desktop::bench_map(app, options);
  desktop::show_map(app, options);
  if (!options.screenshot.empty()) return desktop::write_screenshot(app, options);
  if (!options.tour.empty()) return desktop::write_tour(app, options);
  if (options.bench_toggles > 0) return desktop::bench_toggles(app, options);
  if (options.bench_start) return desktop::bench_start(app, options, started);
  if (!options.check_texts.empty()) return desktop::check_texts(app, options);
  if (options.check_secrets) return desktop::check_secrets(app, options);
  if (options.soak > 0) return desktop::soak(app, options);
  if (options.walk > 0) return desktop::walk(app, options);
  return desktop::run_window(app, options);
}
