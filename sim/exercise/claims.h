// What somebody claims of a kernel's accesses: in comments beside its lines, or in a sheet of its own.
//
//   out[c] = in[i * 2];   // load in: 8 sectors, not coalesced; out: 4 sectors
//   x = tile[i * 32];     // 32-way
//
//   {"schema": "warplens.claims/1", "claims": [{"op": "load", "array": "in", "sectors": 8, "coalesced":
//   false}]}
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/exercise/figure.h"
#include "sim/scenario/json_document.h"

namespace warplens::exercise {

struct Claim {
  int line = 0;       // of the text, from 1; 0: a sheet's
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

// Errors go into the document.
std::vector<Claim> claims_in(scenario::JsonDocument& sheet);

}  // namespace warplens::exercise
