// Mutations that texts of programs are sensitive to: words exchanged, doubled, dropped, numbers at their
// limits, brackets lost, pieces of other files.
#include <cctype>
#include <fstream>

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

// Those of libFuzzer's dictionary: a line each, in quotes, with \\, \" and \xAB.
const std::vector<std::string>& dictionary() {
  static const std::vector<std::string> kWords = [] {
    std::vector<std::string> words;
    std::ifstream file(WARPLENS_SOURCE_DIR "/tests/fuzz/cuda.dict");
    for (std::string line; std::getline(file, line);) {
      if (!line.starts_with('"')) continue;
      std::string& word = words.emplace_back();
      for (std::size_t i = 1; i + 1 < line.size(); ++i) {
        const bool is_number = line[i] == '\\' && line[i + 1] == 'x';
        if (line[i] == '\\') ++i;
        word += is_number ? static_cast<char>(std::stoi(line.substr(i + 1, 2), nullptr, 16)) : line[i];
        if (is_number) i += 2;
      }
    }
    return words;
  }();
  return kWords;
}

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
      text.insert(at.begin, std::string(" ") + dictionary()[random.below(dictionary().size())] + " ");
      break;
    case 6:
      text.replace(at.begin, at.end - at.begin, dictionary()[random.below(dictionary().size())]);
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
