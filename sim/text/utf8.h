// UTF-8 that may be broken.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warplens::text {

inline constexpr char32_t kReplacement = 0xfffd;

// Whether a byte goes on with a character that another began.
constexpr bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xc0u) == 0x80u;
}

// The code point at `*at`, which moves on to the next. A byte that begins no whole and shortest sequence of a
// Unicode character is passed over alone, and gives kReplacement.
char32_t next_code_point(std::string_view text, std::size_t* at);

bool is_utf8(std::string_view text);

void append_utf8(char32_t code, std::string* text);

}  // namespace warplens::text
