#include "app/desktop/options.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <sstream>

#include "app/cli/number_option.h"
#include "app/language/languages.h"
#include "app/simulate/matrix_shape.h"
#include "app/views/timeline.h"
#include "sim/memory/gpu_model.h"
#include "sim/text/shown.h"

namespace warplens::desktop {
namespace {

constexpr std::uint32_t kLeastSide = 200, kMostSide = 16384;

void take_size(const std::string& text, Options* options) {
  const auto size = scenario::parse_extents(text, "--size");
  const auto fits = [](std::uint32_t side) { return side >= kLeastSide && side <= kMostSide; };
  if (!size || size.value->z != 1 || !fits(size.value->x) || !fits(size.value->y))
    throw CLI::ValidationError("--size", "must be WIDTHxHEIGHT, each from 200 to 16384: '" + text + "'");
  options->width = static_cast<int>(size.value->x);
  options->height = static_cast<int>(size.value->y);
  options->size_given = true;
}

// "sm_60", "sm_61", ...
std::vector<std::string> gpu_names() {
  std::vector<std::string> names;
  for (const memory::GpuModel& gpu : memory::gpu_models()) names.emplace_back(gpu.name);
  return names;
}

// Views in the place of both memories; a profile has an option of its own.
std::vector<std::string> plot_names() {
  std::vector<std::string> names;
  for (const std::string_view name : kViewNames) {
    const ViewId id = *view_named(name);
    if (is_plot(id) && id != ViewId::Profile) names.emplace_back(name);
  }
  return names;
}

// What is opened, how it is measured and predicted, and in which words.
void add_subject(CLI::App& app, Options& o) {
  app.add_option("TARGET", o.target,
                 "a scenario (transpose_shared), a pasted 'warplens:...', FILE.cu, FILE.warplens.json or "
                 "FILE.lecture.json");
  app.add_option("--set", o.sets, "NAME=VALUE: a parameter of the scenario; may be repeated")->take_all();
  app.add_option("--via", o.via,
                 "a launcher for warplens-gpu on another machine: \"ssh host\", \"srun -p gpu\"");
  app.add_option("--gpu", o.gpu, "the architecture to predict for (sm_61), sm_90 where none is named")
      ->check(CLI::IsMember(gpu_names()));
  app.add_flag("--present", o.present, "large picture for a projector");
  app.add_option("--lang", o.language, language::language_choice())
      ->check(CLI::IsMember(language::languages()));
  app.add_option("--theme", o.theme, "dark or light")->check(CLI::IsMember({"dark", "light"}));
  app.add_flag("--optimised", o.optimised, "measurements of the kernel as the compiler likes it");
  app.add_flag("--literal", o.literal, "every access in the text, not only those that a compiler keeps");
}

// Where in it the picture stands, and what stands beside it.
void add_place(CLI::App& app, Options& o) {
  cli::add_number(app, "--step", &o.step, 1, cli::kMostNumber, "the access to look at, from 1");
  cli::add_number(app, "--wavefront", &o.wavefront, 1, cli::kMostNumber,
                  "the wavefront of that access, from 1");
  cli::add_number(app, "--warp", &o.warp, 0, cli::kMostNumber, "the warp of the block, from 0");
  app.add_option("--block", o.block, "X[,Y[,Z]]: the block of the grid, from 0");
  app.add_option("--compare", o.a_sets,
                 "A│B: what stands beside TARGET as A: \"rung\", the rung before, \"accesses\", with the "
                 "other accesses "
                 "counted (--literal), or NAME=VALUE; may be repeated")
      ->take_all();
}

// Lessons, lectures and questions.
void add_classroom(CLI::App& app, Options& o) {
  app.add_option("--lesson", o.lesson, "a lesson by its name (padding), or FILE.lesson.json");
  cli::add_number(app, "--lesson-step", &o.lesson_step, 1, cli::kMostNumber,
                  "its step, from 1; one more than it has: the challenge");
  app.add_option("--lecture", o.lecture, "a lecture by its name (ten-minutes), or FILE.lecture.json");
  cli::add_number(app, "--scene", &o.scene, 1, cli::kMostNumber, "the scene of the lecture, from 1");
  app.add_flag("--notes", o.notes, "show the speaker's notes of the scene");
  app.add_flag("--scenes", o.scenes, "show the list of scenes");
  app.add_option("--guess", o.guess,
                 "answer its question with this number, or with the choice of this number")
      ->group("");
  app.add_flag("--predict", o.predict, "hide the costs and ask");
  app.add_flag("--lessons", o.lessons, "show the list of lessons");
}

// What the panels show.
void add_views(CLI::App& app, Options& o) {
  app.add_option("--tab", o.tab, "what the whole grid's panel shows: totals, counters or lines")
      ->check(CLI::IsMember({"totals", "counters", "lines"}));
  app.add_option("--margin", o.margin,
                 "what the costs beside the source are of: one request, or the whole grid")
      ->check(CLI::IsMember({"request", "grid"}));
  app.add_option("--map", o.map,
                 "the matrix map in place of the lanes, of the visits of: warp, block or grid")
      ->check(CLI::IsMember({"warp", "block", "grid"}));
  app.add_option("--map-array", o.map_array, "the kernel's parameter that the map is of")->needs("--map");
  cli::add_number(app, "--map-zoom", &o.map_zoom, 1.0, app::kMostZoom,
                  "the map's enlargement, about the access; 1: all of it")
      ->needs("--map");
  app.add_flag("--phases", o.phases, "the phases of a corner turn; with --stills as a strip");
  app.add_flag("--reuse", o.reuse, "who touched the sectors of global memory before");
  app.add_option(
         "--plot", o.plot,
         "in place of both memories: the block's timeline, the landscape, why it takes that long, the "
         "roofline, where the elements of a tile lie, or who holds the fragments of an mma")
      ->check(CLI::IsMember(plot_names()));
  app.add_option("--profile", o.profile, "what ncu --csv printed: read beside the target, number by number");
  cli::add_number(app, "--plot-zoom", &o.plot_zoom, 1.0, views::kMostTimelineZoom,
                  "the timeline's enlargement, about the access; 1: all of it")
      ->needs("--plot");
  app.add_option("--axes", o.axes, "X Y: the two parameters of the landscape")->expected(2)->needs("--plot");
  app.add_option("--point", o.point, "with --screenshot: X,Y: the landscape's cell that is pointed at")
      ->group("");
}

// What tests and pictures ask for.
void add_pictures(CLI::App& app, Options& o) {
  app.add_option("--tour", o.tour, "write the built-in tour (pictures and index.html) into a folder and end");
  app.add_option("--state-file", o.state_file, "keep the state on screen in this file, as JSON");
  cli::add_number(app, "--tour-stop", &o.tour_stop, 1, cli::kMostNumber,
                  "with --screenshot: a stop of the tour in the app")
      ->group("");
  app.add_flag("--palette", o.palette, "with --screenshot: the command palette")->group("");
  app.add_flag("--keys", o.help, "with --screenshot: the sheet of all keys")->group("");
  app.add_flag("--names", o.names, "with --screenshot: the sheet of nvprof's names")->group("");
  cli::add_number(app, "--at", &o.at, 0.0, 3600.0,
                  "with --screenshot: this many seconds after arriving at the access, or after --then");
  app.add_option("--then", o.then, "NAME=VALUE: turned before the picture, so that --at sees it move")
      ->take_all();
  app.add_flag("--stills", o.stills, "nothing moves, as by F12");
  app.add_flag("--still", o.still, "no animation");
  app.add_flag("--alone", o.alone, "the picture with its transport alone, as in a page that embeds it");
  app.add_option("--frame-times", o.frame_times, "how long each frame took, in milliseconds, a line each")
      ->group("");
  app.add_option("--controls", o.controls,
                 "with --alone: the parameters that are offered, as pad,nrows; a comma alone: none of them")
      ->needs("--alone");
  app.add_flag("--tell-answers", o.tell_answers, "with --state-file: also those of an open question")
      ->group("");
}

}  // namespace

Parsed parse_options(int argc, char** argv) {
  Parsed parsed;
  Options& o = parsed.options;
  CLI::App app("Warplens shows where a warp's 32 lanes go: GPU memory access, step by step.", "warplens");
  std::string size;
  app.set_version_flag("--version", "warplens " WARPLENS_VERSION);
  add_subject(app, o);
  app.add_option("--size", size, "WIDTHxHEIGHT of the window or picture, for example 1920x1080");
  app.add_option("--screenshot", o.screenshot, "write a PNG and end; needs no display");
  add_place(app, o);
  add_classroom(app, o);
  add_views(app, o);
  add_pictures(app, o);
  try {
    app.parse(argc, argv);
    if (!size.empty()) take_size(size, &o);
  } catch (const CLI::ParseError& error) {
    std::ostringstream out, wrong;
    const int code = app.exit(error, out, wrong);
    text::print(stdout, out.str());
    text::print(stderr, wrong.str());
    parsed.exit_code = code == 0 ? 0 : 2;
  }
  return parsed;
}

std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> names;
  std::istringstream in(list);
  for (std::string name; std::getline(in, name, ',');)
    if (!name.empty()) names.push_back(std::move(name));
  return names;
}

}  // namespace warplens::desktop
