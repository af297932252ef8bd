#include "app/readout/words/vote.h"

#include <algorithm>
#include <set>

#include "app/readout/permalink.h"
#include "app/readout/question.h"
#include "app/vote/qr.h"

namespace warplens::app {
namespace {

using language::Strings;
using vote::Phase;

vote::Question::Kind kind_of(const State& state, const Simulation& s, const Question& q) {
  using Asked = vote::Question::Kind;
  if (q.kind == Question::Kind::Choice) return Asked::Choice;
  if (q.kind == Question::Kind::Number) return Asked::Number;
  if (!state.classroom.predicting)
    return state.classroom.active->prediction()->names == lesson::Names::Lane ? Asked::Lane : Asked::Bank;
  return s.now && s.now->access.space == memory::Space::Shared ? Asked::Bank : Asked::Sector;
}

const char* key_of_phase(Phase phase) {
  constexpr const char* kKeys[] = {"vote.title.first", "vote.title.talk", "vote.title.second",
                                   "vote.title.shown", "vote.title.skipped"};
  return kKeys[static_cast<int>(phase)];
}

std::string in_language(const vote::LocalText& text, const Strings& strings) {
  const auto own = text.find(strings.language());
  return own != text.end() ? own->second : text.empty() ? std::string() : text.begin()->second;
}

std::string kind_words(platform::NetworkAddress::Kind kind, const Strings& strings) {
  constexpr const char* kKeys[] = {"vote.net.loopback", "vote.net.cable", "vote.net.wifi", "vote.net.hotspot",
                                   "vote.net.virtual"};
  return strings(kKeys[static_cast<int>(kind)]);
}

// "192.168.1.23 (Wi-Fi, wlan0)"
std::string address_words(const platform::NetworkAddress& address, const Strings& strings) {
  return address.address + " (" + kind_words(address.kind, strings) + ", " + address.interface + ")";
}

std::string count_words(const Voting& v, const Strings& strings) {
  const int votes = vote::total(v.round->counts());
  const std::string key = v.round->by_hands ? "vote.count.hands" : "vote.count";
  return strings(votes == 1 && !v.round->by_hands ? key + ".one" : key,
                 {{"n", std::to_string(votes)}, {"phones", std::to_string(v.network.joined)}});
}

// It is time to close.
std::string urgent_words(const Voting& v, const Strings& strings) {
  if (!v.round->takes_votes() || v.round->by_hands) return {};
  const int votes = vote::total(v.round->counts());
  if (v.network.joined >= 5 && 5 * votes >= 4 * v.network.joined) return strings("vote.most");
  return v.network.late && votes > 0 ? strings("vote.late") : std::string();
}

std::vector<std::string> lines_of(const Voting& v, const Strings& strings) {
  std::vector<std::string> lines;
  const ClassNetwork& net = v.network;
  if (v.test) return self_test_words(*v.test, net, strings);
  const vote::Round& round = *v.round;
  if (!net.trouble.empty()) {
    lines.push_back(strings(net.trouble, {{"words", net.words}, {"port", std::to_string(net.port)}}));
  } else if (round.takes_votes() && !round.by_hands && net.address() != nullptr) {
    const bool only = net.address()->kind == platform::NetworkAddress::Kind::Loopback;
    lines.push_back(
        strings(only ? "vote.pick" : "vote.listens", {{"address", address_words(*net.address(), strings)}}));
  }
  if (!v.hand.empty())
    lines.push_back(strings(
        "vote.hand", {{"answer", v.hand.answer}, {"count", v.hand.at_count ? v.hand.count + "_" : ""}}));
  constexpr const char* kKeys[] = {"vote.keys.first", "vote.keys.talk", "vote.keys.second", "vote.keys.shown",
                                   "vote.keys.skipped"};
  lines.push_back(strings(kKeys[static_cast<int>(round.phase())]));
  return lines;
}

void add_rows(const vote::Round& round, const Strings& strings, scene::VoteView* view) {
  std::set<std::int64_t> answers;
  for (const auto* counts : {&round.first, &round.second}) {
    for (const auto& [answer, votes] : *counts) answers.insert(answer);
  }
  if (round.truth) answers.insert(*round.truth);
  const auto said = vote::majority(round.counts());
  for (const std::int64_t answer : answers) {
    const auto of = [&](const vote::Counts& counts) {
      const auto found = counts.find(answer);
      return found == counts.end() ? 0 : found->second;
    };
    view->rows.push_back({vote::answer_words(round.question, answer, strings.language()), of(round.first),
                          of(round.second), round.truth == answer, said == answer});
  }
  const auto heading = [&](const char* key, const vote::Counts& counts) -> std::vector<std::string> {
    const double percent = vote::percent_right(counts, round.truth);
    return {strings(key, {{"n", std::to_string(vote::total(counts))}}),
            percent < 0
                ? "–"
                : strings("vote.right", {{"percent", std::to_string(static_cast<int>(percent + 0.5))}})};
  };
  view->with_second = round.has_second();
  view->first = heading(view->with_second ? "vote.first" : "vote.only", round.first);
  view->second = heading("vote.second", round.second);
}

}  // namespace

std::optional<AskedRound> round_on_screen(const State& state, const Simulation& simulation,
                                          const Catalog& catalog,
                                          const std::vector<const Strings*>& languages) {
  AskedRound asked;
  for (const Strings* strings : languages) {
    const auto question = question_of(state, simulation, *strings);
    if (!question) return std::nullopt;
    vote::Question& to = asked.round.question;
    to.text[strings->language()] = question->text;
    to.kind = kind_of(state, simulation, *question);
    to.choices.resize(question->choices.size());
    for (std::size_t i = 0; i < to.choices.size(); ++i)
      to.choices[i][strings->language()] = question->choices[i];
    using Asked = vote::Question::Kind;
    const bool places = to.kind == Asked::Lane || to.kind == Asked::Bank || to.kind == Asked::Sector;
    to.places = places ? static_cast<int>(question->offered.size()) : 0;
    to.least = question->least, to.most = question->most;
    asked.truth = question->answer;
  }
  if (!state.classroom.predicting) asked.round.lesson = state.classroom.active->lesson->name;
  asked.round.place = write_permalink(state, simulation, catalog);
  return asked;
}

std::string url_of(const ClassNetwork& network) {
  if (!network.trouble.empty() || network.address() == nullptr) return {};
  return "http://" + network.address()->address + ":" + std::to_string(network.port) + "/#" + network.key;
}

scene::VoteView vote_view(const vote::Round& round, const Strings& strings) {
  scene::VoteView view;
  view.title = strings(key_of_phase(round.phase()));
  view.question = in_language(round.question.text, strings);
  add_rows(round, strings, &view);
  return view;
}

scene::VoteView vote_view(const Voting& v, bool question, const Strings& strings) {
  const vote::Round& round = *v.round;
  scene::VoteView view;
  view.title = strings(key_of_phase(round.phase()));
  view.lines = lines_of(v, strings);
  view.urgent = urgent_words(v, strings);
  if (question) view.question = in_language(round.question.text, strings);
  if (round.phase() == Phase::Revealed) {
    add_rows(round, strings, &view);
    view.answer =
        round.truth
            ? strings("vote.truth",
                      {{"answer", vote::answer_words(round.question, *round.truth, strings.language())}})
            : strings("class.working");
    return view;
  }
  for (std::size_t i = 0; question && i < round.question.choices.size(); ++i)
    view.choices.push_back(std::to_string(i + 1) + "  " + in_language(round.question.choices[i], strings));
  view.count = count_words(v, strings);
  const std::string url = url_of(v.network);
  if (!url.empty() && !round.by_hands && !v.test && round.phase() != Phase::Skipped) {
    const vote::QrCode code = vote::qr_code(url);
    view.side = code.side, view.black = code.black;
    view.address = v.network.address()->address + ":" + std::to_string(v.network.port);
    view.code_word = strings("vote.code");
    for (std::size_t i = 0; i < v.network.code.size(); ++i)
      view.code += (i > 0 && i % 3 == 0 ? " " : "") + v.network.code.substr(i, 1);
  }
  return view;
}

std::vector<std::string> self_test_words(const SelfTest& test, const ClassNetwork& net,
                                         const Strings& strings) {
  std::vector<std::string> lines;
  const platform::NetworkAddress* address = net.address();
  for (const platform::NetworkAddress& one : net.addresses)
    lines.push_back((&one == address ? "→ " : "· ") + address_words(one, strings));
  if (address == nullptr) return lines;
  const std::string port = std::to_string(net.port);
  constexpr const char* kStanding[] = {"vote.test.asking", "vote.test.answers", "vote.test.silent"};
  lines.push_back(strings(kStanding[static_cast<int>(test.standing)],
                          {{"address", address->address}, {"port", port}, {"words", test.words}}));
  lines.push_back(strings(net.outside > 0 ? "vote.test.outside" : "vote.test.nobody",
                          {{"n", std::to_string(net.outside)}}));
  if (address->kind == platform::NetworkAddress::Kind::Loopback) {
    lines.push_back(strings("vote.pick"));
    return lines;
  }
  if (test.ufw) lines.push_back(strings("vote.test.ufw"));
  if (test.standing == SelfTest::Standing::Silent || net.outside == 0)
    lines.push_back(strings("vote.test.firewall", {{"interface", address->interface}, {"port", port}}));
  lines.push_back(strings("vote.test.hotspot"));
  return lines;
}

}  // namespace warplens::app
