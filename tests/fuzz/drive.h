// What a text goes through: the front-end alone, or compiled and run with small budgets. Nothing in here may
// crash, hang or leak, whatever the text is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::fuzz {

struct Outcome {
  int kernels = 0, compiled = 0, ran = 0;  // ended in order, with or without an error that is named
  int diagnostics = 0;
};

// Parses, lists kernels and launches, compiles each kernel.
Outcome front_end(std::string_view text);

// And runs what compiles: values, whole-grid totals both ways (which must agree), one block's trace.
Outcome front_end_and_machine(std::string_view text);

// Reads a text as what ncu printed; `compiled`: it is one.
Outcome profile(std::string_view text);

// Of the files in these folders, in the order of their names.
std::vector<std::string> texts_of(std::initializer_list<const char*> folders, const char* extension,
                                  std::uintmax_t most_bytes);

// Profiles of tests/data/ncu, in the order of their names.
std::vector<std::string> profile_corpus();

// The text of every kernel of the gallery and of tests/language, in the order of their names.
std::vector<std::string> corpus();

// PTX that compilers made, up to 16 KiB each (tests/compiled), in the order of their names.
std::vector<std::string> module_corpus();

// Deterministic: the same on every machine for the same numbers.
std::string mutate(const std::vector<std::string>& corpus, std::uint64_t seed);

// Throws std::runtime_error where something that must hold does not.
void require(bool holds, const char* what);

}  // namespace warplens::fuzz
