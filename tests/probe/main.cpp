// warplens-probe: the app without a window, made to do what only tests ask of it. See --help.
#include <CLI/CLI.hpp>
#include <sstream>

#include "app/cli/target.h"
#include "app/platform/system.h"
#include "sim/text/shown.h"
#include "tests/probe/probes.h"

namespace {

using namespace warplens;

struct Probe {
  std::string what;
  int count = 0;  // of frames, actions or toggles
  bool all = false, few = false, whole = false;
  double zoom = 1;
  std::string pictures;
};

bool takes_count(const std::string& what) {
  return what == "walk" || what == "soak" || what == "toggles" || what == "motion" || what == "map";
}

int run(const Probe& probe, const desktop::Options& options, double started) {
  desktop::AppOptions app_options;
  const bool checks = probe.what == "texts" || probe.what == "secrets";
  app_options.still = checks || options.still || probe.what == "toggles";
  if (checks || probe.what == "walk") app_options.jobs.wait = std::chrono::seconds(120);  // for every number
  desktop::Options opened_with = options;
  if (probe.what == "first-picture" && !options.panels)
    opened_with.panels = app::Panels();  // as for the first time
  else if (!options.panels)
    opened_with.panels = app::Panels(app::kAllPanels);
  const desktop::Started opened = desktop::start(opened_with, std::move(app_options));
  if (!opened.app) return opened.exit_code;
  desktop::App& app = *opened.app;
  desktop::OffscreenTarget target;
  if (!desktop::open_target(app, options.width, options.height, &target)) return desktop::kCannot;
  // A kernel with something to toggle, or to be seen on the map.
  if (takes_count(probe.what) && options.target.empty() && probe.what != "walk" && probe.what != "soak")
    app.act({app::SelectScenario{probe.what == "map" ? "transpose_naive_row" : "transpose_shared"}});
  if (probe.what == "motion") return desktop::bench_motion(app, target, probe.count);
  if (probe.what == "map") return desktop::bench_map(app, target, probe.count);
  desktop::show_view(app, options);
  if (probe.what == "toggles") return desktop::bench_toggles(app, target, probe.count);
  if (probe.what == "start") return desktop::bench_start(app, target, started);
  if (checks) app.act({app::SetZoom{static_cast<float>(probe.zoom)}});
  if (probe.what == "texts") {
    return desktop::check_texts(app, target,
                                probe.all   ? desktop::TextTourOf::All
                                : probe.few ? desktop::TextTourOf::Few
                                            : desktop::TextTourOf::Each,
                                probe.pictures);
  }
  if (probe.what == "first-picture") return desktop::count_picture(app, target);
  if (probe.what == "secrets") return desktop::check_secrets(app, target);
  if (probe.what == "tooltips") return desktop::check_tooltips(app, target);
  if (probe.what == "soak") return desktop::soak(app, target, probe.count);
  return desktop::walk(app, target, probe.count, probe.whole);
}

}  // namespace

int main(int argc, char** argv) {
  const double started = desktop::seconds_now();
  platform::prepare_app();
  Probe probe;
  CLI::App app(
      "What only tests ask of the app. Further options are those of warplens: --size 1280x720, --set pad=1 "
      "...",
      "warplens-probe");
  app.allow_extras();
  app.add_option("WHAT", probe.what,
                 "texts: is every text whole and legible; secrets: "
                 "does a figure show while a question is open; tooltips: do they go when a key is pressed; "
                 "first-picture: what it has to press and to read; soak N, walk N: random actions, frames; "
                 "toggles N, motion N, map N, start: benchmarks")
      ->required()
      ->check(CLI::IsMember({"texts", "secrets", "tooltips", "soak", "walk", "toggles", "motion", "map",
                             "start", "first-picture"}));
  cli::add_number(app, "-n", &probe.count, 1, cli::kMostNumber, "how many actions, frames or toggles");
  app.add_flag("--all", probe.all, "texts: in every view, language and theme");
  app.add_flag("--few", probe.few, "texts: some of the many views that are alike");
  cli::add_number(app, "--zoom", &probe.zoom, 0.5, 3.0, "texts: everything so much larger");
  app.add_option("--pictures", probe.pictures, "texts: a folder for a picture of every look")
      ->check(CLI::ExistingDirectory);
  app.add_flag("--whole", probe.whole, "walk: draw every frame whole");
  try {
    app.parse(argc, argv);
    if (takes_count(probe.what) && probe.count == 0) throw CLI::RequiredError("-n");
  } catch (const CLI::ParseError& error) {
    std::ostringstream out, wrong;
    const int code = app.exit(error, out, wrong);
    text::print(stdout, out.str());
    text::print(stderr, wrong.str());
    return code == 0 ? 0 : 2;
  }
  std::vector<std::string> rest = app.remaining();
  std::vector<char*> arguments{argv[0]};
  for (std::string& one : rest) arguments.push_back(one.data());
  const desktop::Parsed parsed = desktop::parse_options(static_cast<int>(arguments.size()), arguments.data());
  return parsed.exit_code ? *parsed.exit_code : run(probe, parsed.options, started);
}
