// What in host code changes a variable, and whether it surely does: what the readers of its values go by.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "app/source/host/words.h"

namespace warplens::app {

constexpr std::size_t kNoWord = static_cast<std::size_t>(-1);

// Where the statement of the i-th word begins: behind a ; { } or a bracket that is open. kNoWord: too far
// away.
std::size_t statement_begin(const Words& words, std::size_t i);

// `int n, m`, `const auto& n`: the statement that begins there declares variables.
bool declares(const Words& words, std::size_t begin);

// Where the name stands that an assignment whose = is the i-th word changes (n = 1, n <<= 1, grid.x = 1 at
// x); kNoWord: it is none.
std::size_t assigned_name(const Words& words, std::size_t i);

// The name or member (`grid.x`) at i; empty: a member of what is no variable.
std::string member_name(const Words& words, std::size_t i);

// The variables that the i-th word hands to what may change them: set(&n), std::swap(w, h), std::cin >> n. Of
// allocations only where `allocates`.
std::vector<std::string> handed_over(const Words& words, std::size_t i, bool allocates);

// The variables that functions of the text assign to, count up or hand over, but for their own declarations:
// what a variable of the file is set to where it is declared, it may not hold where it is used.
std::set<std::string> changed_in_functions(const Words& words);

// The places of parameters like `int& n`, by the name of the function.
using References = std::map<std::string, std::set<std::size_t>, std::less<>>;
References reference_parameters(const Words& words);

// What a block that has ended leaves behind, as statements that follow it: those that surely happen, where it
// stands by itself (`is_bare`), and for each other name that it changes one without an operand (n*=?).
std::string left_behind(const Words& block, bool is_bare);

}  // namespace warplens::app
