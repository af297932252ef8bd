// Claims that stand in comments.
#include <algorithm>
#include <array>
#include <charconv>

#include "sim/base/numbers.h"
#include "sim/cuda/text/lexer.h"
#include "sim/cuda/text/source.h"
#include "sim/exercise/claims.h"
#include "sim/text/scan.h"

namespace warplens::exercise {

namespace {

// What follows a number. Longer words come before those that they begin with.
struct Unit {
  std::string_view words;
  Figure figure;
};
constexpr std::array kUnits{Unit{"sector", Figure::Sectors},  Unit{"cache line", Figure::Lines},
                            Unit{"line", Figure::Lines},      Unit{"wavefront", Figure::Wavefronts},
                            Unit{"-way", Figure::Ways},       Unit{"way", Figure::Ways},
                            Unit{"个扇区", Figure::Sectors},  Unit{"扇区", Figure::Sectors},
                            Unit{"条缓存行", Figure::Lines},  Unit{"个缓存行", Figure::Lines},
                            Unit{"缓存行", Figure::Lines},    Unit{"个波前", Figure::Wavefronts},
                            Unit{"波前", Figure::Wavefronts}, Unit{"路", Figure::Ways}};

// What needs no number.
struct Word {
  std::string_view words;
  Figure figure;
  std::int64_t value;
};
constexpr std::array kWords{Word{"not coalesced", Figure::Coalesced, 0},
                            Word{"uncoalesced", Figure::Coalesced, 0},
                            Word{"coalesced", Figure::Coalesced, 1},
                            Word{"no bank conflict", Figure::Ways, 1},
                            Word{"no conflict", Figure::Ways, 1},
                            Word{"conflict-free", Figure::Ways, 1},
                            Word{"conflict free", Figure::Ways, 1},
                            Word{"未合并", Figure::Coalesced, 0},
                            Word{"不合并", Figure::Coalesced, 0},
                            Word{"没有合并", Figure::Coalesced, 0},
                            Word{"合并", Figure::Coalesced, 1},
                            Word{"无存储体冲突", Figure::Ways, 1},
                            Word{"无冲突", Figure::Ways, 1},
                            Word{"没有冲突", Figure::Ways, 1}};

struct OpWord {
  std::string_view word;
  memory::Op op;
};
constexpr std::array kOps{OpWord{"load", memory::Op::Load},     OpWord{"read", memory::Op::Load},
                          OpWord{"store", memory::Op::Store},   OpWord{"write", memory::Op::Store},
                          OpWord{"atomic", memory::Op::Atomic}, OpWord{"reduction", memory::Op::Reduction},
                          OpWord{"读", memory::Op::Load},       OpWord{"写", memory::Op::Store}};

// Full-width signs, as Chinese has them, are those of English.
std::string with_plain_signs(std::string_view text) {
  constexpr std::pair<std::string_view, char> kSigns[] = {{"，", ','}, {"；", ';'}, {"：", ':'}, {"、", ','}};
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto sign =
        std::ranges::find_if(kSigns, [&](const auto& s) { return text.substr(i).starts_with(s.first); });
    if (sign != std::end(kSigns)) {
      out += sign->second;
      i += sign->first.size();
    } else {
      out += text[i++];
    }
  }
  return out;
}

std::vector<std::string_view> parts(std::string_view text, char between) {
  std::vector<std::string_view> out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(between, begin), text.size());
    out.push_back(text::trimmed(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return out;
}

// "8 sectors", "32-way", "not coalesced".
std::optional<Claim> claim_in(std::string_view written) {
  Claim claim;
  claim.text = written;
  const std::string text = text::lower_case(written);
  for (const Word& word : kWords)
    if (text.starts_with(word.words)) {
      claim.figure = word.figure;
      claim.value = word.value;
      return claim;
    }
  const char *begin = text.data(), *end = begin + text.size();
  const auto [after, error] = std::from_chars(begin, end, claim.value);
  if (error != std::errc() || claim.value < 0) return std::nullopt;
  const std::string_view unit = text::trimmed({after, static_cast<std::size_t>(end - after)});
  for (const Unit& known : kUnits)
    if (unit.starts_with(known.words)) {
      claim.figure = known.figure;
      return claim;
    }
  return std::nullopt;
}

// "load in", "tile", "store out 2": what stands before a colon.
bool read_selector(std::string_view text, Claim* of) {
  for (std::string_view word : parts(text, ' ')) {
    if (word.empty()) continue;
    const std::string small = text::lower_case(word);
    const auto op = std::ranges::find(kOps, std::string_view(small), &OpWord::word);
    if (op != kOps.end())
      of->op = op->op;
    else if (const auto nth = number_in<int>(word))
      of->nth = *nth;
    else if (cuda::is_identifier_start(word.front()) && of->array.empty())
      of->array = word;
    else
      return false;
  }
  return true;
}

// The text of a comment without its signs.
std::string_view inside(std::string_view comment) {
  const bool block = comment.starts_with("/*");
  comment.remove_prefix(std::min<std::size_t>(2, comment.size()));
  if (block && comment.ends_with("*/")) comment.remove_suffix(2);
  return text::trimmed(comment);
}

void read_comment(std::string_view comment, int line, std::vector<Claim>* claims) {
  const std::string plain = with_plain_signs(inside(comment));
  for (std::string_view part : parts(plain, ';')) {
    Claim about;
    about.line = line;
    const std::size_t colon = part.find(':');
    if (colon != std::string_view::npos) {
      if (!read_selector(text::trimmed(part.substr(0, colon)), &about)) continue;
      part = text::trimmed(part.substr(colon + 1));
    }
    for (const std::string_view each : parts(part, ',')) {
      std::optional<Claim> claim = claim_in(each);
      if (!claim) continue;
      claim->line = about.line, claim->array = about.array, claim->op = about.op, claim->nth = about.nth;
      claims->push_back(std::move(*claim));
    }
  }
}

}  // namespace

std::vector<Claim> claims_in(std::string_view text, Budget& budget) {
  const cuda::LineTable lines(text);
  cuda::SpellingArena arena;
  cuda::Lexer lexer(text, arena, true);
  Pace pace(budget, Stage::Reading);
  std::vector<Claim> claims;
  std::vector<std::string_view> waiting;  // comments that stand alone, until the next line of code
  int code_line = 0;
  for (cuda::Token token = lexer.next(); token.kind != cuda::TokenKind::End; token = lexer.next()) {
    pace.step();
    const int line = lines.place(token.begin).line;
    if (token.kind != cuda::TokenKind::Comment) {
      for (const std::string_view comment : std::exchange(waiting, {})) read_comment(comment, line, &claims);
      code_line = line;
    } else if (line == code_line) {
      read_comment(token.text, line, &claims);
    } else {
      waiting.push_back(token.text);
    }
  }
  return claims;
}

}  // namespace warplens::exercise
