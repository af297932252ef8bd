// Mutations that texts of programs are sensitive to: words exchanged, doubled, dropped, numbers at their
// limits, brackets lost, pieces of other files.
#include <cctype>

#include "tests/fuzz/drive.h"

namespace warplens::fuzz {

namespace {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 1) {}
  std::size_t below(std::size_t limit) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return limit == 0 ? 0 : static_cast<std::size_t>(state_ % limit);
  }

 private:
  std::uint64_t state_;
};

constexpr const char* kWords[] = {"(",
                                  ")",
                                  "[",
                                  "]",
                                  "{",
                                  "}",
                                  "<",
                                  ">",
                                  ";",
                                  ",",
                                  "*",
                                  "&",
                                  "=",
                                  "+=",
                                  "->",
                                  ".",
                                  "::",
                                  "?",
                                  ":",
                                  "<<<",
                                  ">>",
                                  "##",
                                  "#",
                                  "0",
                                  "-1",
                                  "2147483647",
                                  "-2147483648",
                                  "4294967295u",
                                  "0x7fffffffffffffff",
                                  "1e999f",
                                  "0.0f",
                                  "1 << 40",
                                  "'\\n'",
                                  "\"",
                                  "\n#define X X X\n",
                                  "\n#define F(x) F(x) x\n",
                                  "\n#if 0\n",
                                  "\n#endif\n",
                                  "\n#include \"x\"\n",
                                  "/*",
                                  "//",
                                  "\\\n",
                                  "struct S { S s; };",
                                  "template <int N>",
                                  "template <typename T>",
                                  "typename",
                                  "operator",
                                  "operator()",
                                  "this",
                                  "constexpr",
                                  "const",
                                  "volatile",
                                  "static",
                                  "extern",
                                  "__shared__",
                                  "__device__",
                                  "__global__",
                                  "__constant__",
                                  "threadIdx.x",
                                  "blockIdx.x",
                                  "__syncthreads();",
                                  "__syncthreads_or(x)",
                                  "__shfl_down_sync(~0u, x, 1)",
                                  "atomicAdd(&x, 1)",
                                  "return",
                                  "break;",
                                  "continue;",
                                  "goto",
                                  "while (1)",
                                  "for (;;)",
                                  "do",
                                  "switch (x)",
                                  "case 0:",
                                  "default:",
                                  "if",
                                  "else",
                                  "sizeof",
                                  "float4",
                                  "int",
                                  "unsigned char",
                                  "double",
                                  "auto",
                                  "bool",
                                  "half",
                                  "void",
                                  "reinterpret_cast<float4*>",
                                  "(float*)",
                                  "new",
                                  "asm"};

struct Span {
  std::size_t begin = 0, end = 0;
};

// A word, number, or sign at or behind a random place.
Span token(const std::string& text, Random& random) {
  if (text.empty()) return {};
  Span span;
  span.begin = random.below(text.size());
  while (span.begin < text.size() && std::isspace(static_cast<unsigned char>(text[span.begin]))) ++span.begin;
  span.end = span.begin;
  const auto is_word = [&](std::size_t i) {
    return std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_';
  };
  while (span.begin > 0 && span.begin < text.size() && is_word(span.begin) && is_word(span.begin - 1))
    --span.begin;
  while (span.end < text.size() && is_word(span.end)) ++span.end;
  if (span.end == span.begin) span.end = std::min(text.size(), span.begin + 1);
  return span;
}

Span stretch(const std::string& text, Random& random, std::size_t most) {
  Span span;
  span.begin = random.below(text.size() + 1);
  span.end = std::min(text.size(), span.begin + random.below(most));
  return span;
}

void mutate_once(std::string& text, const std::vector<std::string>& corpus, Random& random) {
  const Span at = token(text, random);
  const std::string word = text.substr(at.begin, at.end - at.begin);
  switch (random.below(9)) {
    case 0:  // drop a word
      text.erase(at.begin, at.end - at.begin);
      break;
    case 1:  // say it twice
      text.insert(at.begin, word + " ");
      break;
    case 2:  // another of the text in its place
    case 3: {
      const Span other = token(text, random);
      text.replace(at.begin, at.end - at.begin, text.substr(other.begin, other.end - other.begin));
      break;
    }
    case 4:
    case 5:
      text.insert(at.begin, std::string(" ") + kWords[random.below(std::size(kWords))] + " ");
      break;
    case 6:
      text.replace(at.begin, at.end - at.begin, kWords[random.below(std::size(kWords))]);
      break;
    case 7: {  // a piece of another file
      const std::string& other = corpus[random.below(corpus.size())];
      const Span piece = stretch(other, random, 200);
      const Span hole = stretch(text, random, 100);
      text.replace(hole.begin, hole.end - hole.begin, other, piece.begin, piece.end - piece.begin);
      break;
    }
    default:  // a byte
      if (!text.empty()) text[random.below(text.size())] = static_cast<char>(random.below(256));
      break;
  }
}

}  // namespace

std::string mutate(const std::vector<std::string>& corpus, std::uint64_t seed) {
  Random random(seed + 1);
  for (int i = 0; i < 8; ++i) random.below(2);
  std::string text = corpus[random.below(corpus.size())];
  const std::size_t times = 1 + random.below(random.below(4) == 0 ? 12 : 3);
  for (std::size_t i = 0; i < times; ++i) mutate_once(text, corpus, random);
  return text;
}

}  // namespace warplens::fuzz
