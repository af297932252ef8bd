#include "app/vote/round.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>

#include "sim/report/output/table.h"

namespace warplens::vote {
namespace {

using nlohmann::json;

constexpr int kMostVotes = 100'000;

constexpr const char* kKinds[] = {"number", "choice", "lane", "bank", "sector"};

template <typename Enum, std::size_t kCount>
Enum named(const json& name, const char* const (&names)[kCount]) {
  const auto found = std::find(std::begin(names), std::end(names), name.get<std::string>());
  if (found == std::end(names)) throw json::other_error::create(501, "no such name", nullptr);
  return static_cast<Enum>(found - std::begin(names));
}

// What is in a file of every round, of one that is written or read.
template <typename OneRound, typename Do>
void each_field(OneRound& round, const Do& field) {
  field("id", round.id), field("began", round.began), field("by_hands", round.by_hands);
  field("kind", round.question.kind), field("question", round.question.text);
  field("choices", round.question.choices), field("places", round.question.places);
  field("lesson", round.lesson), field("place", round.place), field("phases", round.phases);
  field("first", round.first), field("second", round.second);
}

// Numbers of a count for a table: "4:12 32:30".
std::string cell_of(const Counts& counts) {
  std::string text;
  for (const auto& [answer, votes] : counts)
    text += (text.empty() ? "" : " ") + std::to_string(answer) + ":" + std::to_string(votes);
  return text;
}

std::string percent_text(double percent) {
  return percent < 0 ? "" : std::to_string(static_cast<int>(percent + 0.5));
}

}  // namespace

bool Question::takes(std::int64_t answer) const {
  if (kind == Kind::Number) return answer >= least && answer <= most;
  const auto count = kind == Kind::Choice ? static_cast<std::int64_t>(choices.size()) : places;
  return answer >= 0 && answer < count;
}

bool Round::has_second() const {
  return std::find(phases.begin(), phases.end(), Phase::Second) != phases.end();
}

bool move(Round* round, Move what) {
  const Phase now = round->phase();
  const auto to = [&](bool may, Phase next) {
    if (may) round->phases.push_back(next);
    // A second vote that was begun and taken back is none.
    if (round->is_over() && !round->has_second()) round->second.clear();
    return may;
  };
  switch (what) {
    case Move::Close:
      return to(now == Phase::First, Phase::Discussion);
    case Move::Second:
      return to(now == Phase::Discussion, Phase::Second);
    case Move::Reveal:
      return to(!round->is_over(), Phase::Revealed);
    case Move::Skip:
      return to(!round->is_over(), Phase::Skipped);
    case Move::Undo:
      break;
  }
  if (round->phases.size() < 2) return false;
  round->phases.pop_back();
  return true;
}

int total(const Counts& counts) {
  int sum = 0;
  for (const auto& [answer, votes] : counts) sum += votes;
  return sum;
}

std::optional<std::int64_t> majority(const Counts& counts) {
  const auto most = std::max_element(counts.begin(), counts.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most == counts.end() || most->second == 0) return std::nullopt;
  return most->first;
}

double percent_right(const Counts& counts, const std::optional<std::int64_t>& truth) {
  const int all = total(counts);
  if (all == 0 || !truth) return -1;
  const auto right = counts.find(*truth);
  return right == counts.end() ? 0 : 100.0 * right->second / all;
}

void from_json(const json& in, Phase& phase) {
  phase = named<Phase>(in, kPhases);
}
void to_json(json& out, Phase phase) {
  out = kPhases[static_cast<int>(phase)];
}
void from_json(const json& in, Question::Kind& kind) {
  kind = named<Question::Kind>(in, kKinds);
}
void to_json(json& out, Question::Kind kind) {
  out = kKinds[static_cast<int>(kind)];
}

json to_json(const Round& round) {
  json out = {{"schema", "warplens.class/1"}, {"least", round.question.least}, {"most", round.question.most}};
  if (round.truth) out["truth"] = *round.truth;
  each_field(round, [&](const char* name, const auto& value) { out[name] = value; });
  return out;
}

std::optional<Round> round_of(const json& in) {
  try {
    if (in.at("schema") != "warplens.class/1") return std::nullopt;
    Round round;
    each_field(round, [&](const char* name, auto& value) { in.at(name).get_to(value); });
    round.question.least = in.value("least", -Question::kMost);  // rounds of old have neither
    round.question.most = in.value("most", Question::kMost);
    if (in.contains("truth")) round.truth = in.at("truth").get<std::int64_t>();
    for (Counts* counts : {&round.first, &round.second})
      for (auto& [answer, votes] : *counts) votes = std::clamp(votes, 0, kMostVotes);
    return round.phases.empty() ? std::nullopt : std::optional(std::move(round));
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

std::string random_text(std::size_t length, std::string_view letters) {
  std::random_device random;
  std::uniform_int_distribution<std::size_t> one(0, letters.size() - 1);
  std::string text;
  while (text.size() < length) text += letters[one(random)];
  return text;
}

std::vector<Round> without_repeats(std::vector<Round> rounds) {
  std::vector<Round> kept;
  for (Round& round : rounds) {
    const auto same =
        std::find_if(kept.begin(), kept.end(), [&](const Round& r) { return r.id == round.id; });
    if (same != kept.end())
      *same = std::move(round);
    else
      kept.push_back(std::move(round));
  }
  return kept;
}

std::string csv_of(const std::vector<Round>& rounds) {
  std::string csv =
      report::csv_row({"began", "lesson", "place", "question", "truth", "phase", "by_hands", "first_votes",
                       "first", "first_percent_right", "second_votes", "second", "second_percent_right"});
  for (const Round& r : rounds) {
    const auto text = r.question.text.find("en");
    csv += report::csv_row({r.began, r.lesson, r.place, text == r.question.text.end() ? "" : text->second,
                            r.truth ? std::to_string(*r.truth) : "", kPhases[static_cast<int>(r.phase())],
                            r.by_hands ? "1" : "0", std::to_string(total(r.first)), cell_of(r.first),
                            percent_text(percent_right(r.first, r.truth)), std::to_string(total(r.second)),
                            cell_of(r.second), percent_text(percent_right(r.second, r.truth))});
  }
  return csv;
}

std::string answer_words(const Question& question, std::int64_t answer, const std::string& language) {
  if (question.kind != Question::Kind::Choice || !question.takes(answer)) return std::to_string(answer);
  return scenario::in_language(question.choices[static_cast<std::size_t>(answer)], language);
}

}  // namespace warplens::vote
