// Somebody's claims against what is right.
//
//   Outcome<std::vector<Truth>> truths = truths_of(exercise, limits);              // once
//   Outcome<Mark> mark = mark_file(exercise, *truths.value, text, "ada.cu", budget);   // for each who hands
//   in
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/exercise/claims.h"
#include "sim/exercise/truth.h"

namespace warplens::exercise {

enum class Verdict : std::uint8_t { Right, Wrong, Missing };
const char* name_of(Verdict verdict);  // "right", "wrong", "missing"

struct Marked {
  std::size_t ask = 0;  // into Exercise::asks
  Figure figure = Figure::Sectors;
  Verdict verdict = Verdict::Missing;
  std::vector<std::int64_t> claimed;  // more than one: claimed twice, which is right where all are
  std::int64_t truth = 0;
  int line = 0;  // of the access, in the file that was handed in; a sheet's is the exercise's own
};

struct Mark {
  std::vector<Marked> claims;  // each figure that is asked for, in the exercise's order
  std::vector<Message> notes;  // claims that are about nothing that is asked, or about several things
  int right() const;
};

// A copy of the exercise's kernel with claims in its comments. An error: its code is another.
Outcome<Mark> mark_file(const Exercise& exercise, const std::vector<Truth>& truths, std::string_view text,
                        const std::string& name, Budget& budget);
// Claims of either kind; `name` is their file's, for notes.
Mark mark_claims(const Exercise& exercise, const std::vector<Truth>& truths, const std::vector<Claim>& claims,
                 const std::string& name);

}  // namespace warplens::exercise
