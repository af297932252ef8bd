// What a person types: numbers, places, files. Never for a name or a number out of a document.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "sim/scenario/target.h"
#include "sim/scenario/text_file.h"

namespace warplens::scenario {

// Decimal or 0x..., with nothing before or behind it; finite. Outside of the range is an error, which names
// it. `what` begins the error: "--step".
Outcome<std::int64_t> parse_whole(const std::string& text, const std::string& what, std::int64_t least,
                                  std::int64_t most = std::numeric_limits<std::int64_t>::max());
Outcome<double> parse_real(const std::string& text, const std::string& what, double least, double most);

// A block of a grid, from 0: "3", "0,3" or "0,3,1"; what is left out is 0.
Outcome<sim::Dim3> parse_index(const std::string& text, const std::string& what);
// How many numbers parse_extents reads: 2 of "32,16".
int extents_given(const std::string& text);

// If a name has two values, it is not known which one was meant: "--set pad=2: pad is given twice". Empty: no name is
// in `texts` (NAME=VALUE each) more than once.
std::vector<Message> given_twice(const std::string& option, const std::vector<std::string>& texts);

// The text of a file that was named on the command line; "-" is standard input, which is waited for until the
// budget ends: then it throws Stopped.
Outcome<std::string> read_input(const std::string& what, std::size_t limit = kMaxTextBytes,
                                Budget* budget = nullptr);

}  // namespace warplens::scenario
