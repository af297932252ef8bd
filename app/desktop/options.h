// The command line.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/source/programs.h"
#include "app/state/catalog.h"
#include "app/state/state.h"

namespace warplens::desktop {

struct Options {
  std::string target;             // scenario, kernel file or session; empty: the transpose ladder
  std::vector<std::string> sets;  // NAME=VALUE
  std::string via;                // a launcher for warplens-gpu: "ssh host"
  std::string gpu;                // the architecture to predict for; empty: sm_90
  bool present = false;
  std::string language, theme;  // empty: as the session or the environment says
  std::filesystem::path screenshot, state_file;
  int width = 1920, height = 1080;
  bool size_given = false;
  std::string lesson;   // a built-in lesson or a file
  int lesson_step = 0;  // from 1; one more than there are steps: the challenge; 0: where it was left
  bool predict = false;
  std::string lecture;  // one that comes with the program, or a file
  int scene = 0;        // of it, from 1; 0: the first
  bool notes = false;   // those for the speaker are shown
  int step = 0;         // from 1; 0: the costliest access
  int wavefront = 0;    // from 1
  int warp = -1;
  std::string block;   // "X,Y,Z"
  bool still = false;  // no animation
  bool alone = false;
  std::optional<app::Panels> panels;    // around the picture; none: as they were left
  std::optional<std::string> controls;  // with it, the parameters offered: names with commas
  std::string tab;                      // of the whole grid's panel: totals, counters, lines
  std::string view;                     // by its name; empty: as it opens
  std::string profile;                  // what ncu --csv printed, read beside the target
  std::string keys;                     // pressed once all else is there
  double at = -1;                       // seconds of motion after arriving, or after `then`; below 0: at rest
  std::vector<std::string> then;        // NAME=VALUE, turned before the picture
  std::vector<std::string> a_sets;  // A│B: NAME=VALUE of A; "rung": the rung before; empty: no comparison
  bool tell_answers = false;
};

// Done: the program ends with `exit_code` (help, version, a mistake that has been told).
struct Parsed {
  Options options;
  std::optional<int> exit_code;
};
Parsed parse_options(int argc, char** argv);

// "pad,nrows": its names.
std::vector<std::string> names_in(const std::string& list);

// May add a scenario to the catalog (a user's own kernel file). Errors in words.
scenario::Outcome<app::State> open_target(const Options& options, app::Catalog* catalog,
                                          const app::Means& means);

// "pad=1" -> a parameter of the scenario and a value that it may take; `option` begins the error.
scenario::Outcome<std::pair<std::string, std::int64_t>> read_setting(const std::string& option,
                                                                     const std::string& text,
                                                                     const scenario::Scenario& scenario);

}  // namespace warplens::desktop
