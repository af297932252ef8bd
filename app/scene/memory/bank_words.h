// What a shared access comes to, in a sentence: why it conflicts, or why it does not.
#pragma once

#include <string>

#include "app/scene/pen.h"
#include "sim/memory/banks.h"

namespace warplens::scene {

struct BankFacts {
  const memory::WarpAccess* access = nullptr;
  const memory::BankPlan* plan = nullptr;
  std::string array;           // "tile"; may be empty
  std::int64_t row_bytes = 0;  // of the array, padding included; 0: not known
  int padding_words = 0;       // at the end of every row
  memory::Address begin = 0;   // of the array
  int unit_words = 1;          // padding goes in these: what some access of the array takes at once
  bool hatched = false;        // words of padding are in the picture
};

std::string bank_sentence(const Pen& pen, const BankFacts& facts);
// "16-way bank conflict · wavefront 3 of 16", "= 1 wavefront, no conflict"; wavefront == plan.wavefronts: all
std::string bank_answer(const Pen& pen, const memory::BankPlan& plan, int wavefront);

}  // namespace warplens::scene
