// `__attribute__((...))` and `[[...]]` as the parser has them: of a struct, what says how it lies in memory;
// nothing else.
#pragma once

#include <string_view>
#include <vector>

#include "sim/cuda/text/lexer.h"
#include "sim/cuda/text/token.h"

namespace warplens::cuda {

inline constexpr std::string_view kAttributeWords = "__attribute_words__";  // what the macro leaves of one
inline constexpr std::string_view kPacked = "__packed_struct__";

// Behind `struct`, `union`, `class` and behind a '}' `aligned(16)` becomes `__align__(16)` and `packed` a
// word of its own. Elsewhere attributes go.
std::vector<Token> settle_attributes(std::vector<Token> tokens);

}  // namespace warplens::cuda
