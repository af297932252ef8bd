// An exercise: a kernel with its launch, and what is to be claimed of its accesses.
//
//   assets/exercises/pmpp_6_3.exercise.json   title, source, task, what is asked
//   assets/exercises/pmpp_6_3.scenario.json   the kernel and its launch
//   assets/exercises/pmpp_6_3.cu              the file to begin with
//
// It holds no answer: the simulator works them out (truth.h). The format is warplens.exercise/1, described in
// docs/exercises.md.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/exercise/figure.h"
#include "sim/scenario/scenario.h"

namespace warplens::exercise {

using scenario::LocalText;
using scenario::Outcome;

// An access of the kernel, and the figures of it that are asked for.
struct Ask {
  std::string array;  // that it goes through: "tile"
  memory::Op op = memory::Op::Load;
  int nth = 1;   // of the accesses in the text that do so, from 1
  int turn = 0;  // which request of the warp there, from 0: the first time that it comes by
  std::vector<Figure> figures;
  std::string field;  // "asks[2]", for errors
};

struct Exercise {
  std::string name;
  LocalText title, source, task;
  scenario::Scenario scenario;
  sim::Dim3 block{0, 0, 0};  // the warp that is asked about
  int warp = 0;
  std::vector<Ask> asks;
  std::filesystem::path file;

  int claims() const;  // how many are asked for
};

// Where a budget is given and ends, these throw Stopped.
Outcome<Exercise> load_exercise(const std::filesystem::path& file, Budget* budget = nullptr);
// All of a folder by name. Files that cannot be read are reported beside the others' value.
Outcome<std::vector<Exercise>> load_exercises(const std::filesystem::path& folder, Budget* budget = nullptr);
// By the name that it has in assets/exercises, or by its file.
Outcome<Exercise> find_exercise(const std::string& what, Budget* budget = nullptr);

}  // namespace warplens::exercise
