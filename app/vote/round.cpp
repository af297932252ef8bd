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

json json_of(const Counts& counts) {
  json all = json::array();
  for (const auto& [answer, votes] : counts) all.push_back({answer, votes});
  return all;
}
Counts counts_of(const json& all) {
  Counts counts;
  for (const json& one : all)
    counts[one.at(0).get<std::int64_t>()] = std::clamp(one.at(1).get<int>(), 0, kMostVotes);
  return counts;
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

json to_json(const Round& round) {
  json phases = json::array();
  for (const Phase phase : round.phases) phases.push_back(kPhases[static_cast<int>(phase)]);
  json out = {{"schema", "warplens.class/1"},
              {"id", round.id},
              {"kind", kKinds[static_cast<int>(round.question.kind)]},
              {"question", round.question.text},
              {"choices", round.question.choices},
              {"places", round.question.places},
              {"least", round.question.least},
              {"most", round.question.most},
              {"lesson", round.lesson},
              {"place", round.place},
              {"phases", phases},
              {"first", json_of(round.first)},
              {"second", json_of(round.second)},
              {"by_hands", round.by_hands},
              {"began", round.began}};
  if (round.truth) out["truth"] = *round.truth;
  return out;
}

std::optional<Round> round_of(const json& in) {
  try {
    if (in.at("schema") != "warplens.class/1") return std::nullopt;
    Round round;
    round.id = in.at("id").get<std::string>();
    round.question.kind = named<Question::Kind>(in.at("kind"), kKinds);
    round.question.text = in.at("question").get<LocalText>();
    round.question.choices = in.at("choices").get<std::vector<LocalText>>();
    round.question.places = in.at("places").get<int>();
    round.question.least = in.value("least", -Question::kMost);  // rounds of old have neither
    round.question.most = in.value("most", Question::kMost);
    round.lesson = in.at("lesson").get<std::string>();
    round.place = in.at("place").get<std::string>();
    round.phases.clear();
    for (const json& phase : in.at("phases")) round.phases.push_back(named<Phase>(phase, kPhases));
    if (round.phases.empty()) return std::nullopt;
    round.first = counts_of(in.at("first"));
    round.second = counts_of(in.at("second"));
    round.by_hands = in.at("by_hands").get<bool>();
    round.began = in.at("began").get<std::string>();
    if (in.contains("truth")) round.truth = in.at("truth").get<std::int64_t>();
    return round;
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
