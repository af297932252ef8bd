// Syntax colours.
#pragma once

#include <string_view>
#include <vector>

#include "sim/base/budget.h"

namespace warplens::cuda {

enum class TokenClass { Plain, Keyword, Type, Builtin, Number, String, Comment, Preprocessor, Punctuation };
struct ColouredToken {
  int begin = 0, end = 0;  // byte offsets
  TokenClass token_class = TokenClass::Plain;
};
// Throws Stopped where the budget ends.
std::vector<ColouredToken> colour_tokens(std::string_view text, Budget& budget = Budget::endless());

}  // namespace warplens::cuda
