// Spellings of literals -> values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "sim/base/message.h"
#include "sim/cuda/parse/syntax.h"

namespace warplens::cuda {

// The literal, or in words what is wrong with it.
using NumberResult = std::variant<IntegerLiteral, FloatLiteral, Message>;

// 42, 0x2Au, 0b101010, 052, 1'000'000LL, 1.5f, .5e-3, 0x1.8p3f.
NumberResult parse_number(std::string_view spelling);

// 'a', '\n', '\x41': the value, or an error.
std::variant<std::uint64_t, Message> parse_char(std::string_view spelling);

// "text\n" or R"(text)" -> its bytes. Unknown escapes stand for themselves.
std::string parse_string(std::string_view spelling);

}  // namespace warplens::cuda
