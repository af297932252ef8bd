// Claims in comments, and their marks.
#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "sim/base/numbers.h"
#include "sim/cuda/text/lexer.h"
#include "sim/cuda/text/source.h"
#include "sim/exercise/exercise.h"
#include "sim/report/report.h"
#include "sim/text/scan.h"

namespace warplens::exercise {

// ---- claims in comments

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

// ---- marks

namespace {

// The first line where the code of `text`, comments aside, is not that of `original`; 0: it is the same.
int first_difference(std::string_view original, std::string_view text, Budget& budget) {
  cuda::SpellingArena arena;
  cuda::Lexer theirs(original, arena), own(text, arena);
  Pace pace(budget, Stage::Reading);
  for (;;) {
    pace.step();
    const cuda::Token a = theirs.next(), b = own.next();
    if (a.kind != b.kind || a.text != b.text)
      return cuda::LineTable(text)
          .place(b.kind == cuda::TokenKind::End ? static_cast<int>(text.size()) : b.begin)
          .line;
    if (a.kind == cuda::TokenKind::End) return 0;
  }
}

// The lines of the exercise's asks, in somebody's copy of its text: those of the same tokens.
std::vector<int> lines_in_copy(const std::vector<Truth>& truths, std::string_view original,
                               std::string_view copy) {
  cuda::SpellingArena arena;
  cuda::Lexer theirs(original, arena), own(copy, arena);
  const cuda::LineTable of_original(original), of_copy(copy);
  std::vector<int> lines(truths.size(), 0);
  for (;;) {
    const cuda::Token a = theirs.next(), b = own.next();
    if (a.kind == cuda::TokenKind::End || b.kind == cuda::TokenKind::End) return lines;
    const cuda::SourcePlace at = of_original.place(a.begin);
    for (std::size_t i = 0; i < truths.size(); ++i)
      if (truths[i].place.line == at.line && truths[i].place.column == at.column)
        lines[i] = of_copy.place(b.begin).line;
  }
}

class Marker {
 public:
  // `lines`: of each ask, in the text that the claims are from.
  Marker(const Exercise& exercise, const std::vector<Truth>& truths, std::vector<int> lines,
         const std::string& name)
      : exercise_(exercise), lines_(std::move(lines)), name_(name) {
    for (std::size_t i = 0; i < exercise.asks.size(); ++i)
      for (const Figure figure : exercise.asks[i].figures)
        mark_.claims.push_back(
            {i, figure, Verdict::Missing, {}, value_of(figure, truths[i].access), lines_[i]});
  }

  Mark take(const std::vector<Claim>& claims) {
    for (const Claim& claim : claims) take(claim);
    for (Marked& marked : mark_.claims) {
      if (marked.claimed.empty()) continue;
      const bool right =
          std::ranges::all_of(marked.claimed, [&](std::int64_t value) { return value == marked.truth; });
      marked.verdict = right ? Verdict::Right : Verdict::Wrong;
    }
    return std::move(mark_);
  }

 private:
  bool is_about(const Claim& claim, const Marked& marked) const {
    const Ask& ask = exercise_.asks[marked.ask];
    return claim.figure == marked.figure && claim.line == marked.line &&
           (claim.array.empty() || claim.array == ask.array) && (!claim.op || *claim.op == ask.op) &&
           (claim.nth == 0 || claim.nth == ask.nth);
  }

  void take(const Claim& claim) {
    std::vector<Marked*> about;
    for (Marked& marked : mark_.claims)
      if (is_about(claim, marked)) about.push_back(&marked);
    if (about.size() == 1) return about.front()->claimed.push_back(claim.value);
    const Message place("{}, line {}", name_, claim.line);
    if (about.empty())
      return mark_.notes.push_back(Message("{}: \"{}\" is not asked for there", place, claim.text));
    const Ask& ask = exercise_.asks[about.front()->ask];
    mark_.notes.push_back(Message("{}: \"{}\" may be about {} accesses: write which one, as {} {}: {}", place,
                                  claim.text, about.size(), report::name_of(ask.op), ask.array, claim.text));
  }

  const Exercise& exercise_;
  std::vector<int> lines_;
  const std::string& name_;
  Mark mark_;
};

}  // namespace

const char* name_of(Verdict verdict) {
  constexpr const char* kNames[] = {"right", "wrong", "missing"};
  return kNames[static_cast<std::size_t>(verdict)];
}

int Mark::right() const {
  return static_cast<int>(
      std::ranges::count_if(claims, [](const Marked& m) { return m.verdict == Verdict::Right; }));
}

Outcome<Mark> mark_file(const Exercise& exercise, const std::vector<Truth>& truths, std::string_view text,
                        const std::string& name, Budget& budget) {
  const std::string& original = exercise.scenario.text;
  if (const int line = first_difference(original, text, budget); line > 0)
    return Message("{}, line {}: the code is not that of {}: only comments may be changed", name, line,
                   exercise.scenario.source.filename().string());
  Marker marker(exercise, truths, lines_in_copy(truths, original, text), name);
  return marker.take(claims_in(text, budget));
}

}  // namespace warplens::exercise
