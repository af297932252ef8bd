#include "app/readout/question.h"

#include <algorithm>
#include <bit>

namespace warplens::app {
namespace {

using Kind = Question::Kind;

// A lane that is not the first one, whose bank or sector would be no question.
int lane_to_ask_about(const PricedAccess& moment) {
  const memory::LaneMask active = moment.access.active;
  if (active == 0) return 0;
  int lane = (11 * std::max(moment.event, 0) + 5) % memory::kWarpLanes;
  while ((active >> lane & 1u) == 0) lane = (lane + 1) % memory::kWarpLanes;
  return lane;
}

std::vector<std::int64_t> places(int count) {
  std::vector<std::int64_t> all;
  for (int i = 0; i < count; ++i) all.push_back(i);
  return all;
}

// What a request costs is no less than nothing, and no more than it has bytes.
Question number(const PricedAccess& moment, std::string text, std::int64_t answer) {
  Question q;
  q.most = std::int64_t{memory::kWarpLanes} * std::max(moment.access.bytes, 1);
  q.text = std::move(text);
  q.answer = answer;
  // The same whatever the answer is: what is offered must not give it away. Powers of two, and what a start
  // that is not on a sector's edge makes of them.
  q.offered = {1, 2, 3, 4, 5, 6, 8, 9, 12, 16, 17, 24, 32};
  return q;
}

Question place(const PricedAccess& moment, const char* key, int count, std::int64_t unit,
               const language::Strings& strings) {
  Question q;
  q.kind = Kind::Place;
  q.lane = lane_to_ask_about(moment);
  q.text = strings(key, {{"lane", q.lane}});
  const memory::Address at = moment.access.addresses[static_cast<std::size_t>(q.lane)];
  q.answer = static_cast<std::int64_t>(at / static_cast<memory::Address>(unit) %
                                       static_cast<memory::Address>(count));
  q.offered = places(count);
  return q;
}

Question question_about_global(const PricedAccess& moment, int which, const language::Strings& strings) {
  constexpr int kSectors = memory::kLineBytes / memory::kSectorBytes;
  if (which == 1) return number(moment, strings("class.ask.lines"), moment.cost.lines);
  if (which == 2) return place(moment, "class.ask.sector", kSectors, memory::kSectorBytes, strings);
  const bool atomic = memory::is_atomic(moment.access.op);
  return number(moment, strings(atomic ? "class.ask.passes" : "class.ask.sectors"), moment.cost.sectors);
}

Question question_about_shared(const PricedAccess& moment, int which, const language::Strings& strings) {
  if (which == 1) return place(moment, "class.ask.bank", 32, 4, strings);
  if (which == 2 && !memory::lanes_take_turns(moment.access)) {
    const auto& words = moment.plan.words_in_bank;
    return number(moment, strings("class.ask.fullest"), *std::ranges::max_element(words));
  }
  return number(moment, strings("class.ask.wavefronts"), moment.cost.wavefronts);
}

Question question_of_step(const ActiveLesson& active, const std::string& language) {
  const lesson::Prediction& prediction = *active.prediction();
  Question q;
  q.text = scenario::in_language(prediction.question, language);
  q.why = scenario::in_language(prediction.why, language);
  q.answer = active.answer;
  for (const lesson::WrongAnswer& one : prediction.wrong)
    q.wrong.emplace_back(one.answer, scenario::in_language(one.why, language));
  if (prediction.names != lesson::Names::Nothing) q.kind = Kind::Place, q.offered = places(32);
  if (prediction.ask.find('-') != std::string::npos)
    q.least = -q.most;  // figures are not negative, differences are
  if (prediction.draw != lesson::Draw::Nothing) q.kind = Kind::Draw;
  for (const lesson::Choice& choice : prediction.choices) {
    q.kind = Kind::Choice;
    q.choices.push_back(scenario::in_language(choice.words, language));
  }
  return q;
}

int number_of(int which) {
  constexpr int kQuestions = 3;
  return (which % kQuestions + kQuestions) % kQuestions;
}

bool is_at(const ResolvedPosition& place, const lesson::View& view) {
  return place.block == view.block && place.warp == view.warp && place.event == view.access;
}

// Of another kernel than that of the lesson's step.
bool is_elsewhere(const State& state) {
  const Classroom& c = state.classroom;
  return !c.predicting && c.active &&
         (state.settings.own || state.settings.scenario != c.active->view().scenario);
}

Lit lit_by_step(const ActiveLesson& active, const ResolvedPosition& place) {
  if (!active.answer || !is_at(place, active.view())) return {};
  const lesson::Prediction& asked = *active.prediction();
  const auto answer = static_cast<int>(*active.answer);
  if (asked.names == lesson::Names::Lane) return {.lane = answer};
  if (asked.names == lesson::Names::Bank) return {.lane = asked.lane(), .bank = answer};
  return {};
}

// The questions about a lane's sector and bank, see above.
Lit lit_by_prediction(const PricedAccess& moment, int which) {
  const bool shared = moment.access.space == memory::Space::Shared;
  if (moment.known != Known::All || number_of(which) != (shared ? 1 : 2)) return {};
  Lit lit{.lane = lane_to_ask_about(moment), .sector = !shared};
  const memory::Address at = moment.access.addresses[static_cast<std::size_t>(lit.lane)];
  if (shared) lit.bank = static_cast<int>(at / 4 % 32);
  return lit;
}

}  // namespace

Question question_about(const PricedAccess& moment, int which, const language::Strings& strings) {
  const int one = number_of(which);
  Question question = moment.access.space == memory::Space::Shared
                          ? question_about_shared(moment, one, strings)
                          : question_about_global(moment, one, strings);
  if (moment.known != Known::All) question.answer.reset();
  return question;
}

std::optional<Question> question_of(const State& state, const Simulation& s,
                                    const language::Strings& strings) {
  const Classroom& c = state.classroom;
  if (c.predicting) {
    if (!s.now) return std::nullopt;
    return question_about(*s.now, c.predicting->question, strings);
  }
  if (!c.active || c.active->prediction() == nullptr) return std::nullopt;
  return question_of_step(*c.active, strings.language());
}

const Guess* guess_of(const Classroom& c) {
  if (c.predicting) return &c.predicting->guess;
  return c.active && c.active->prediction() != nullptr ? &c.active->guess : nullptr;
}

bool is_drawn(const State& state) {
  const Classroom& c = state.classroom;
  return !c.predicting && c.active && c.active->prediction() != nullptr &&
         c.active->prediction()->draw != lesson::Draw::Nothing;
}

std::optional<scene::PlacesView> places_of(const State& state, const Simulation& s) {
  if (!is_drawn(state) || s.empty() || !s.now || is_elsewhere(state)) return std::nullopt;
  const ActiveLesson& active = *state.classroom.active;
  if (!is_at(s.place, active.view())) return std::nullopt;
  const lesson::Draw draw = active.prediction()->draw;
  scene::PlacesView places{draw == lesson::Draw::Banks, active.guess.marks, active.guess.at, {}};
  if (!active.guess.locked) return places;
  places.truth = lesson::lanes_at_places(s.now->access, draw);
  std::int64_t marks = 0;
  for (int i = 0; places.truth && i < lesson::kDrawnPlaces; ++i)
    marks |= std::int64_t{(*places.truth)[static_cast<std::size_t>(i)] != 0} << i;
  // Parameters may have been turned meanwhile: then the picture is of something else.
  return s.now->known == Known::All && active.answer == marks ? std::optional(places) : std::nullopt;
}

Lit lit_by_answer(const State& state, const Simulation& s) {
  const Classroom& c = state.classroom;
  const Guess* guess = guess_of(c);
  if (guess == nullptr || !guess->locked || s.empty() || !s.now) return {};
  Lit lit;
  if (c.predicting)
    lit = lit_by_prediction(*s.now, c.predicting->question);
  else if (!is_elsewhere(state))
    lit = lit_by_step(*c.active, s.place);
  const auto& round = state.voting.round;
  if (!round || round->phase() != vote::Phase::Revealed || guess->empty()) return lit;
  const auto said = static_cast<int>(guess->value());
  const auto kind = round->question.kind;
  if (kind == vote::Question::Kind::Bank && lit.bank >= 0) {
    for (const auto& [bank, votes] : round->counts())
      if (bank >= 0 && bank < 32) lit.bank_votes[static_cast<std::size_t>(bank)] = votes;
  }
  if (kind == vote::Question::Kind::Lane && lit.lane >= 0 && said != lit.lane) lit.said_lane = said;
  return lit;
}

// Those of one's own text say what one knows already.
bool hides_comments(const State& state) {
  const Guess* guess = guess_of(state.classroom);
  return guess != nullptr && !guess->locked && !state.settings.own && !state.editing && !is_elsewhere(state);
}

Hidden hidden_in(const State& state) {
  return is_elsewhere(state) ? Hidden{} : hidden_by(state.classroom);
}

bool is_right(const Question& question, const Guess& guess) {
  return question.answer && !guess.empty() && guess.value() == *question.answer;
}

static std::string words_of_answer(const Question& q, std::int64_t answer) {
  const bool choice = answer >= 0 && answer < static_cast<std::int64_t>(q.choices.size());
  return choice ? q.choices[static_cast<std::size_t>(answer)] : std::to_string(answer);
}

std::string first_words(const Question& q, const Guess& guess, const language::Strings& strings) {
  const std::int64_t said = guess.first.value_or(0);
  if (q.kind == Kind::Draw) return strings("class.again.draw");
  if (q.kind == Kind::Choice) return strings("class.wrong.choice", {{"said", words_of_answer(q, said)}});
  if (q.kind == Kind::Place) return strings("class.again.place", {{"said", said}});
  return strings(guess.low ? "class.again.low" : "class.again.high", {{"said", said}});
}

std::string why_wrong(const Question& q, std::int64_t said) {
  if (q.kind == Kind::Draw) said = std::popcount(static_cast<std::uint64_t>(said));
  const auto found = std::ranges::find_if(q.wrong, [&](const auto& one) { return one.first == said; });
  return found != q.wrong.end() ? found->second : std::string();
}

static std::string drawn_words(std::int64_t said, std::int64_t is, const language::Strings& strings) {
  const auto count = [](std::int64_t marks) { return std::popcount(static_cast<std::uint64_t>(marks)); };
  if (said == is) return strings("class.right.draw", {{"n", count(is)}});
  return strings("class.wrong.draw", {{"n", count(is)},
                                      {"right", count(said & is)},
                                      {"missed", count(is & ~said)},
                                      {"more", count(said & ~is)}});
}

std::string difference_words(const Question& q, const Guess& guess, const language::Strings& strings) {
  if (!q.answer) return strings("class.working");
  const std::int64_t said = guess.value(), is = *q.answer;
  if (guess.empty()) {  // the speaker is told, or a class did not vote
    const auto places = std::popcount(static_cast<std::uint64_t>(is));
    return strings("class.is",
                   {{"answer", q.kind == Kind::Draw ? std::to_string(places) : words_of_answer(q, is)}});
  }
  if (q.kind == Kind::Draw) return drawn_words(said, is, strings);
  if (q.kind == Kind::Choice)
    return strings(said == is ? "class.right.choice" : "class.wrong.choice",
                   {{"said", words_of_answer(q, said)}});
  const std::string a = std::to_string(said), b = std::to_string(is);
  if (said == is) return strings("class.right", {{"answer", b}});
  if (q.kind == Kind::Place) return strings("class.wrong", {{"said", a}, {"answer", b}});
  if (said > 1 && is == 2 * said) return strings("class.wrong.twice", {{"said", a}, {"answer", b}});
  if (said > 1 && is > said && is % said == 0)
    return strings("class.wrong.times", {{"said", a}, {"answer", b}, {"n", is / said}});
  return strings("class.wrong", {{"said", a}, {"answer", b}});
}

}  // namespace warplens::app
