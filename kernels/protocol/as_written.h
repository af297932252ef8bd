// Making a kernel run its shared accesses as they are written.
//
// A compiler merges neighbouring shared loads into wider ones and drops repeated ones; the simulator counts
// what the text says. Two ways keep them apart, neither of which changes what the kernel computes:
//
//   declarations   __shared__ float tile[32][33];  ->  __shared__ volatile float tile[32][33];
//   PTX            ld.shared.f32 ...               ->  ld.volatile.shared.f32 ...
//
// The first also keeps the compiler proper from dropping or moving accesses, but works only for arrays of
// numbers that are always indexed in full: a pointer into a volatile array, an atomic on it, or a float4
// would not compile. The second works for everything, after the compiler and before the assembler, which is
// where merging happens.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::measure {

struct VolatileText {
  std::string text;                        // the same lines; only "volatile " is added
  std::vector<std::string> made_volatile;  // names of shared arrays that are volatile now, or were before
  std::vector<std::string> left;           // ... that could not be made so: these need the PTX way
  bool has_shared = false;                 // "__shared__" stands anywhere, macros included
};
VolatileText make_shared_volatile(std::string_view text);

// Every plain load from and store to shared memory in PTX text made volatile.
std::string make_shared_accesses_volatile(std::string_view ptx);

// Host functions, and host declarations that name std:: or the CUDA runtime, replaced by blanks; lines and
// columns of everything else stay. Equal to `text` where there is nothing to blank.
std::string blank_host_code(std::string_view text);

// Names between the <> or "" of every #include, in order.
std::vector<std::string> included_files(std::string_view text);

// CUDA C++ text as the lexer's tokens with their places: enough to find declarations and bodies without
// understanding the language. Comments are left out; a preprocessor line is one token.
struct ScanToken {
  enum class Kind { Word, Number, Literal, Directive, Punctuation };
  Kind kind = Kind::Punctuation;
  std::size_t begin = 0, end = 0;
  std::string_view text;
  bool is(std::string_view expected) const { return text == expected; }
};

// Views refer to `text`.
std::vector<ScanToken> scan_tokens(std::string_view text);

// Index of the token that closes the bracket at `open` ("(", "[", "{"), or tokens.size().
std::size_t closing_token(const std::vector<ScanToken>& tokens, std::size_t open);

}  // namespace warplens::measure
