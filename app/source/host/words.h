// Host code as words: what reads its values without a grammar goes by.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::app {

using Words = std::vector<std::string_view>;

// Words, numbers, single characters and "\n" where a line begins; comments and strings are left out.
Words words_of(std::string_view text);

bool is_name(std::string_view word);

bool is_count(const Words& words, std::size_t i);  // whether a ++ or -- begins with the i-th

int nesting(std::string_view word);  // 1: a bracket that opens; -1: one that closes; 0: none

// Where the bracket that opens at `open` closes; the end where it does not.
std::size_t closing(const Words& words, std::size_t open);

// As text, without the ends of lines.
std::string join(const Words& words, std::size_t begin, std::size_t end);

bool is_enclosed(const std::string& text);  // in one pair of parentheses from end to end
bool is_plain(const std::string& value);    // stays whole wherever it is put

}  // namespace warplens::app
