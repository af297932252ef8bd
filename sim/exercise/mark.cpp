#include "sim/exercise/mark.h"

#include <algorithm>

#include "sim/cuda/text/lexer.h"
#include "sim/cuda/text/source.h"
#include "sim/report/report.h"

namespace warplens::exercise {

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
    return claim.figure == marked.figure && (claim.line == 0 || claim.line == marked.line) &&
           (claim.array.empty() || claim.array == ask.array) && (!claim.op || *claim.op == ask.op) &&
           (claim.nth == 0 || claim.nth == ask.nth);
  }

  void take(const Claim& claim) {
    std::vector<Marked*> about;
    for (Marked& marked : mark_.claims)
      if (is_about(claim, marked)) about.push_back(&marked);
    if (about.size() == 1) return about.front()->claimed.push_back(claim.value);
    const Message place =
        claim.line > 0 ? Message("{}, line {}", name_, claim.line) : Message::verbatim(name_);
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
    return {{},
            {Message("{}, line {}: the code is not that of {}: only comments may be changed", name, line,
                     exercise.scenario.source.filename().string())}};
  Marker marker(exercise, truths, lines_in_copy(truths, original, text), name);
  return {marker.take(claims_in(text, budget)), {}};
}

Mark mark_claims(const Exercise& exercise, const std::vector<Truth>& truths, const std::vector<Claim>& claims,
                 const std::string& name) {
  std::vector<int> lines;
  for (const Truth& truth : truths) lines.push_back(truth.place.line);
  return Marker(exercise, truths, std::move(lines), name).take(claims);
}

}  // namespace warplens::exercise
