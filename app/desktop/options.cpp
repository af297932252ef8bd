#include "app/desktop/options.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>

namespace warplens::desktop {
namespace {

constexpr int kLeastSide = 200, kMostSide = 16384;

bool parse_size(const std::string& text, Options* options) {
  int width = 0, height = 0;
  char rest = 0;
  if (std::sscanf(text.c_str(), "%dx%d%c", &width, &height, &rest) != 2) return false;
  if (width < kLeastSide || height < kLeastSide || width > kMostSide || height > kMostSide) return false;
  options->width = width;
  options->height = height;
  options->size_given = true;
  return true;
}

}  // namespace

Parsed parse_options(int argc, char** argv) {
  Parsed parsed;
  Options& o = parsed.options;
  CLI::App cli("Warplens shows where a warp's 32 lanes go: GPU memory access, step by step.", "warplens");
  std::string size;
  cli.set_version_flag("--version", "warplens " WARPLENS_VERSION);
  cli.add_option("TARGET", o.target,
                 "a scenario (transpose_shared), a pasted 'warplens:...', FILE.cu or FILE.warplens.json");
  cli.add_option("--set", o.sets, "NAME=VALUE: a parameter of the scenario; may be repeated")->take_all();
  cli.add_option("--via", o.via,
                 "a launcher for warplens-gpu on another machine: \"ssh host\", \"srun -p gpu\"");
  cli.add_flag("--present", o.present, "large picture for a projector");
  cli.add_option("--lang", o.language, "en or zh-CN")->check(CLI::IsMember({"en", "zh-CN"}));
  cli.add_option("--theme", o.theme, "dark or light")->check(CLI::IsMember({"dark", "light"}));
  cli.add_option("--size", size, "WIDTHxHEIGHT of the window or picture, for example 1920x1080");
  cli.add_option("--screenshot", o.screenshot, "write a PNG and end; needs no display");
  cli.add_option("--step", o.step, "the access to look at, from 1")->check(CLI::PositiveNumber);
  cli.add_option("--wavefront", o.wavefront, "the wavefront of that access, from 1")
      ->check(CLI::PositiveNumber);
  cli.add_option("--warp", o.warp, "the warp of the block, from 0")->check(CLI::NonNegativeNumber);
  cli.add_option("--block", o.block, "X[,Y[,Z]]: the block of the grid, from 0");
  cli.add_option("--tour", o.tour, "write the built-in tour (pictures and index.html) into a folder and end");
  cli.add_option("--state-file", o.state_file, "keep the state on screen in this file, as JSON");
  cli.add_option("--tab", o.tab, "what the whole grid's panel shows: totals, counters or lines")
      ->check(CLI::IsMember({"totals", "counters", "lines"}));
  cli.add_option("--margin", o.margin,
                 "what the costs beside the source are of: one request, or the whole grid")
      ->check(CLI::IsMember({"request", "grid"}));
  cli.add_option("--lesson", o.lesson, "a lesson by its name (padding), or FILE.lesson.json");
  cli.add_option("--lesson-step", o.lesson_step, "its step, from 1; one more than it has: the challenge")
      ->check(CLI::PositiveNumber);
  cli.add_option("--guess", o.guess,
                 "answer its question with this number, or with the choice of this number")
      ->group("");
  cli.add_flag("--predict", o.predict, "hide the costs and ask");
  cli.add_option("--tour-stop", o.tour_stop, "with --screenshot: a stop of the tour in the app")->group("");
  cli.add_flag("--palette", o.palette, "with --screenshot: the command palette")->group("");
  cli.add_flag("--keys", o.help, "with --screenshot: the sheet of all keys")->group("");
  cli.add_flag("--least-text", o.least_text, "with --screenshot: print the size of the smallest letters")
      ->group("");
  cli.add_flag("--lessons", o.lessons, "show the list of lessons");
  cli.add_flag("--optimised", o.optimised, "measurements of the kernel as the compiler likes it");
  cli.add_option(
         "--compare", o.a_sets,
         "A│B: what stands beside TARGET as A: \"rung\", the rung before, or NAME=VALUE; may be repeated")
      ->take_all();
  cli.add_option("--map", o.map,
                 "the matrix map in place of the lanes, of the visits of: warp, block or grid")
      ->check(CLI::IsMember({"warp", "block", "grid"}));
  cli.add_option("--map-array", o.map_array, "the kernel's parameter that the map is of");
  cli.add_option("--map-zoom", o.map_zoom, "the map's enlargement, about the access; 1: all of it")
      ->check(CLI::PositiveNumber);
  cli.add_option("--at", o.at,
                 "with --screenshot: so many seconds after arriving at the access, or after --then")
      ->check(CLI::NonNegativeNumber);
  cli.add_option("--then", o.then, "NAME=VALUE: turned before the picture, so that --at sees it move")
      ->take_all();
  cli.add_option("--bench-motion", o.bench_motion, "time N frames of playing without a display")->group("");
  cli.add_option("--bench-map", o.bench_map, "time N frames of zooming and panning the map")->group("");
  cli.add_flag("--phases", o.phases, "the phases of a corner turn; with --stills as a strip");
  cli.add_flag("--stills", o.stills, "nothing moves, as by F12");
  cli.add_flag("--still", o.still, "no animation");
  cli.add_option("--bench-toggles", o.bench_toggles, "time N parameter toggles without a display")->group("");
  cli.add_flag("--bench-start", o.bench_start, "time the start to the first frame without a display")
      ->group("");
  cli.add_option("--check-texts", o.check_texts, "tell clipped, overlapping, small and pale texts: all, some")
      ->check(CLI::IsMember({"all", "some"}))
      ->group("");
  cli.add_flag("--check-secrets", o.check_secrets, "tell figures that show while a question is open")
      ->group("");
  cli.add_flag("--tell-answers", o.tell_answers, "with --state-file: also those of an open question")
      ->group("");
  cli.add_option("--soak", o.soak, "N random actions without a display; tell memory on the way")->group("");
  cli.add_option("--walk", o.walk, "draw N frames of a random walk, print a hash of each")->group("");
  cli.add_flag("--whole", o.whole, "with --walk: draw every frame whole")->group("");
  try {
    cli.parse(argc, argv);
    if (!size.empty() && !parse_size(size, &o)) {
      throw CLI::ValidationError("--size", "must be WIDTHxHEIGHT, each from 200 to 16384: '" + size + "'");
    }
  } catch (const CLI::ParseError& error) {
    const int code = cli.exit(error, std::cout, std::cerr);
    parsed.exit_code = code == 0 ? 0 : 2;
  }
  return parsed;
}

}  // namespace warplens::desktop
