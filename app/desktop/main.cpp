// warplens: the desktop app. See docs and --help for the command line; app.h for the frame.
#include <utility>

#include "app/desktop/window.h"
#include "app/platform/system.h"
#include "app/platform/window.h"
#include "app/source/programs.h"

int main(int argc, char** argv) {
  using namespace warplens;
  platform::prepare_app();
  const desktop::Parsed parsed = desktop::parse_options(argc, argv);
  if (parsed.exit_code) return *parsed.exit_code;
  const desktop::Options& options = parsed.options;

  if (!options.gpu.empty()) app::predict_for(*memory::find_gpu_model(options.gpu));
  desktop::AppOptions app_options;
  app_options.alone = options.alone;
  if (options.controls) app_options.controls = desktop::names_in(*options.controls);
  const bool picture = !options.screenshot.empty();
  app_options.still = (picture && options.at < 0) || options.still;
  if (picture) {
    app_options.jobs.wait = std::chrono::seconds(120);  // pictures wait for their numbers
  } else {
    app_options.jobs.wake = platform::wake_window;
    app_options.jobs.threads = platform::has_threads();
    app_options.places = app::usual_places();
    app_options.places.recovery =
        std::make_shared<app::Recovery>(app_options.places.state, platform::wake_window);
  }
  desktop::Started started = desktop::start(options, std::move(app_options));
  if (!started.app) return started.exit_code;
  desktop::App& app = *started.app;
  desktop::show_view(app, options);
  if (!options.screenshot.empty()) {
    const int code = desktop::write_screenshot(app, options);
    if (!options.state_file.empty()) desktop::write_state(app, options);
    return code;
  }
  return desktop::run_window(std::move(started.app), options);
}
