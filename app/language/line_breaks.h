// Where a line of text may end: between words, and between the characters of a script without spaces, but
// never before a closing mark or after an opening one.
//
//   "五个扇区，而不是“四个”。"  ->  五|个|扇|区，|而|不|是|“四|个”。
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::language {

// The bytes of the character that begins at `at`; 1 where the text is not UTF-8.
std::size_t character_length(std::string_view text, std::size_t at);

// As much of a text as a screen may show, cut between two characters: what a file gives as a name
// or a word may be as long as the file.
std::string_view readable(std::string_view text);

// Where the piece that begins at `at` ends: the spaces there, and as much as must stay on one line. Greater
// than `at` where there is any text.
std::size_t piece_end(std::string_view text, std::size_t at);

// How wide a text will be, in any unit.
using Width = std::function<float(std::string_view)>;
// Between the parts of a text that can do without its last ones: "Grid · 4,096 blocks".
inline constexpr std::string_view kDot = " · ";
// Where the text is wider than `room`, its first parts that are not; where not even the first has room, that
// one with an ellipsis at its end. Empty where not one character fits.
std::string shortened(std::string_view text, float room, const Width& width);
// Lines no wider than `room`, as far as their pieces allow; a line's end in the text ends one too. The last
// of at most `most` has all the rest of its paragraph.
std::vector<std::string> wrapped(std::string_view text, float room, int most, const Width& width);

}  // namespace warplens::language
