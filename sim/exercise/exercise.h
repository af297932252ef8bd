// An exercise: a kernel with its launch, and what is to be claimed of its accesses.
//
//   assets/exercises/pmpp_6_3.exercise.json   title, source, task, what is asked
//   assets/exercises/pmpp_6_3.scenario.json   the kernel and its launch
//   assets/exercises/pmpp_6_3.cu              the file to begin with
//
// It holds no answer: the simulator works them out (truth.h). The format is warplens.exercise/1, described in
// docs/exercises.md.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/launch/run.h"
#include "sim/memory/access.h"
#include "sim/scenario/json_document.h"
#include "sim/scenario/scenario.h"

namespace warplens::exercise {

// What a claim is about: a figure of one request of a warp.
enum class Figure : std::uint8_t { Coalesced, Sectors, Lines, Ways, Wavefronts };
inline constexpr std::array kFigures{Figure::Coalesced, Figure::Sectors, Figure::Lines, Figure::Ways,
                                     Figure::Wavefronts};

// As in exercises and results: "coalesced", "sectors", "lines", "ways", "wavefronts".
const char* name_of(Figure figure);
std::optional<Figure> figure_named(std::string_view name);

// Whether a figure is one of requests to that memory: ways and wavefronts of shared memory, the others of
// global.
bool belongs_to(Figure figure, memory::Space space);

// Coalesced: 1 where the request needs no more sectors than would hold its bytes, else 0. Ways:
// BankPlan::degree, so that a float4 without a conflict is 1-way though it takes 4 wavefronts.
std::int64_t value_of(Figure figure, const memory::WarpAccess& access);

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

// ---- what is right
// -----
// What is true of the access that one question asks about.
struct Truth {
  memory::WarpAccess access;
  cuda::SourcePlace place;  // in the kernel's text
  std::string text;         // "tile[x][y]"
};

// One for each ask, in their order. Errors: the kernel's, the run's, or an ask of what the kernel does not
// have.
Outcome<std::vector<Truth>> truths_of(const Exercise& exercise, const sim::Limits& limits);

// Why the figure is what it is, in a sentence without a full stop: "lane after lane 8 bytes further, ...".
Message reason(const Truth& truth, Figure figure);

// ---- what somebody claims
// -----
// What somebody claims of a kernel's accesses, in comments beside its lines.
//
//   out[c] = in[i * 2];   // load in: 8 sectors, not coalesced; out: 4 sectors
//   x = tile[i * 32];     // 32-way
struct Claim {
  int line = 0;       // of the text, from 1
  std::string array;  // empty: not said
  std::optional<memory::Op> op;
  int nth = 0;  // of the accesses of that array and kind, from 1; 0: not said
  Figure figure = Figure::Sectors;
  std::int64_t value = 0;
  std::string text;  // as it is written: "8 sectors"
};

// Comments speak English or Chinese; those without a figure are no claims. "?" in place of a number is none
// yet. A comment that stands alone is about the next line of code. Throws Stopped where the budget ends.
std::vector<Claim> claims_in(std::string_view text, Budget& budget);

// ---- the marks
// -----
// Somebody's claims against what is right.
//
//   Outcome<std::vector<Truth>> truths = truths_of(exercise, limits);              // once
//   Outcome<Mark> mark = mark_file(exercise, *truths.value, text, "ada.cu", budget);   // for each who hands
//   in
enum class Verdict : std::uint8_t { Right, Wrong, Missing };
const char* name_of(Verdict verdict);  // "right", "wrong", "missing"

struct Marked {
  std::size_t ask = 0;  // into Exercise::asks
  Figure figure = Figure::Sectors;
  Verdict verdict = Verdict::Missing;
  std::vector<std::int64_t> claimed;  // more than one: claimed twice, which is right where all are
  std::int64_t truth = 0;
  int line = 0;  // of the access, in the file that was handed in
};

struct Mark {
  std::vector<Marked> claims;  // each figure that is asked for, in the exercise's order
  std::vector<Message> notes;  // claims that are about nothing that is asked, or about several things
  int right() const;
};

// A copy of the exercise's kernel with claims in its comments. An error: its code is another.
Outcome<Mark> mark_file(const Exercise& exercise, const std::vector<Truth>& truths, std::string_view text,
                        const std::string& name, Budget& budget);

}  // namespace warplens::exercise
