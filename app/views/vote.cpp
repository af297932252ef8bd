#include "app/views/vote.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "app/readout/permalink.h"
#include "app/readout/question.h"
#include "app/scene/pen.h"
#include "app/scene/scene.h"
#include "app/vote/vote_server.h"

namespace warplens::scene {
namespace {

constexpr float kVoteLine = 1.42f;  // of the type's size

class VotePicture {
 public:
  VotePicture(const VoteView& view, const Canvas& canvas) : view_(view), pen_(canvas), most_(1) {
    for (const VoteRow& row : view.rows) most_ = std::max({most_, row.first, row.second});
  }

  Scene draw() {
    pen_.scene().title = view_.title;
    pen_.scene().answer = view_.answer;
    if (pen_.too_small()) return pen_.finish();
    bottom_ = pen_.height();
    for (auto line = view_.lines.rbegin(); line != view_.lines.rend(); ++line)
      draw_below(*line, pen_.palette().secondary);
    if (!view_.urgent.empty()) draw_below(view_.urgent, pen_.palette().accent, true);
    if (!view_.question.empty())
      draw_paragraph(view_.question, {16, pen_.palette().text, Align::Left, Font::Words, true});
    for (const std::string& choice : view_.choices) draw_paragraph(choice, {14, pen_.palette().text});
    if (!view_.rows.empty())
      draw_rows();
    else
      draw_way_in();
    return pen_.finish();
  }

 private:
  std::vector<std::string> lines_of(const std::string& text, const Type& type, float width) const {
    return pen_.lines_of(text, width, type, 12);
  }

  void draw_paragraph(const std::string& text, const Type& type) {
    const auto lines = lines_of(text, type, pen_.width());
    top_ = pen_.lines(1, {0, top_}, lines, kVoteLine * pen_.size_of(type), type) + pen_.px(6);
  }
  // From the foot upwards.
  void draw_below(const std::string& text, Color color, bool bold = false) {
    const Type type{14, color, Align::Left, Font::Words, bold};
    const float step = kVoteLine * pen_.size_of(type);
    const auto lines = lines_of(text, type, pen_.width());
    bottom_ -= step * static_cast<float>(lines.size());
    pen_.lines(1, {0, bottom_}, lines, step, type);
    bottom_ -= pen_.px(4);
  }

  // As large as there is room: the code for cameras, and beside or below it what is to be typed.
  void draw_way_in() {
    const Palette& p = pen_.palette();
    const float room = bottom_ - top_, width = pen_.width();
    const bool beside = view_.side > 0 && width > 1.25f * room;
    const float count = view_.hands_for.empty() ? 22 : 46;  // hands are counted aloud, before a whole hall
    const float text = beside ? 0 : pen_.px((view_.address.empty() ? 11 : 89) + 1.3f * count);
    const float side =
        view_.side > 0 ? std::min(beside ? room : room - text, beside ? 0.55f * width : width) : 0;
    if (side > pen_.px(60)) draw_qr({0, top_, side, side});
    const float x = beside ? side + pen_.px(14) : 0;
    float y = beside || side <= pen_.px(60) ? top_ + pen_.px(6) : top_ + side + pen_.px(8);
    const auto line = [&](const std::string& words, float most, Color color, Font font,
                          const std::string& before = {}) {
      if (words.empty()) return;
      Type type{most, color, Align::Left, font, true};
      const Type word{most > 40 ? 20.0f : 14.0f, color};
      const float lead = before.empty() ? 0 : pen_.width_of(before, word) + pen_.px(8);
      while (type.size > 13 && pen_.width_of(words, type) > width - x - lead) type.size -= 1;
      const float step = 1.3f * pen_.size_of(type);
      pen_.label(1, {x, y + 0.5f * step}, before, word);
      pen_.label_within(1, {x + lead, y + 0.5f * step}, width - x - lead, words, type);
      y += step;
    };
    line(view_.address, 27, p.text, Font::Words);
    line(view_.code, 27, p.accent, Font::Words, view_.code_word);
    line(view_.count, count, p.text, Font::Words, view_.hands_for);
  }

  // Black on white in either theme, with the margin that cameras look for. A run of modules is one cell.
  void draw_qr(const Rect& at) {
    constexpr int kQuiet = 3;
    const auto count = static_cast<float>(view_.side + 2 * kQuiet);
    const float module = std::max(1.0f, std::floor(at.width / count)), whole = module * count;
    const Rect ground{std::round(at.x), std::round(at.y), whole, whole};
    pen_.sharp(0, ground, {1, 1, 1, 1});
    for (int row = 0; row < view_.side; ++row) {
      for (int column = 0; column < view_.side;) {
        int end = column;
        const auto is_black = [&](int i) {
          return view_.black[static_cast<std::size_t>(row * view_.side + i)];
        };
        while (end < view_.side && is_black(end) == is_black(column)) ++end;
        if (is_black(column)) {
          // A little higher, so that no seam is left between two rows.
          const Rect run{ground.x + module * static_cast<float>(column + kQuiet),
                         ground.y + module * static_cast<float>(row + kQuiet),
                         module * static_cast<float>(end - column), module + 0.5f};
          pen_.sharp(1, run, {0, 0, 0, 1});
        }
        column = end;
      }
    }
  }

  void draw_rows() {
    const Palette& p = pen_.palette();
    const float least = kVoteLine * pen_.size_of({}), gap = pen_.px(12);
    const Type head{14, p.secondary, Align::Left, Font::Words, true};
    float widest = 0;
    for (const VoteRow& row : view_.rows)
      widest = std::max(widest, pen_.width_of(row.label, {14, p.text, Align::Left, Font::Words, true}));
    const float labels = std::min(widest + pen_.px(34), 0.45f * pen_.width());
    const float column =
        (pen_.width() - labels - (view_.with_second ? gap : 0)) / (view_.with_second ? 2 : 1);
    float heads = top_;
    for (int i = 0; i < (view_.with_second ? 2 : 1); ++i) {
      float y = top_;
      for (const std::string& words : i == 0 ? view_.first : view_.second) {
        for (const std::string& line : lines_of(words, head, column)) {
          pen_.label_within(1, {labels + static_cast<float>(i) * (column + gap), y + 0.5f * least}, column,
                            line, head);
          y += least;
        }
      }
      heads = std::max(heads, y);
    }
    top_ = heads + pen_.px(4);
    const std::vector<VoteRow> rows = rows_for(static_cast<int>((bottom_ - top_) / least));
    const float high =
        std::min((bottom_ - top_) / static_cast<float>(std::max<std::size_t>(rows.size(), 1)), pen_.px(44));
    for (const VoteRow& row : rows) {
      draw_label(row, labels - pen_.px(6), high);
      draw_bar(row, row.first, {labels, top_, column, high}, !view_.with_second);
      if (view_.with_second) draw_bar(row, row.second, {labels + column + gap, top_, column, high}, true);
      top_ += high;
    }
  }

  // Those with the most votes where not all have room; the truth and the majority always.
  std::vector<VoteRow> rows_for(int room) const {
    std::vector<VoteRow> rows = view_.rows;
    while (static_cast<int>(rows.size()) > std::max(room, 2)) {
      rows.erase(std::ranges::min_element(rows, {}, [](const VoteRow& row) {
        return row.first + row.second + (row.truth || row.majority ? 1'000'000 : 0);
      }));
    }
    return rows;
  }

  void draw_label(const VoteRow& row, float width, float high) {
    const Palette& p = pen_.palette();
    const Color color = row.truth ? p.right : row.majority ? p.costly : p.text;
    const float middle = top_ + 0.5f * high;
    if (row.truth || row.majority)
      pen_.label(1, {pen_.px(8), middle}, row.truth ? "✓" : "×",
                 {16, color, Align::Center, Font::Words, true});
    pen_.label_within(1, {pen_.px(20), middle}, width - pen_.px(20), row.label,
                      {14, color, Align::Left, Font::Words, row.truth || row.majority});
  }

  void draw_bar(const VoteRow& row, int votes, const Rect& at, bool last) {
    const Palette& p = pen_.palette();
    const Type type{14, p.text, Align::Left, Font::Code, true};
    const float figure = pen_.width_of(std::to_string(most_), type) + pen_.px(10);
    const float length = (at.width - figure) * static_cast<float>(votes) / static_cast<float>(most_);
    const Rect bar{at.x, at.y + 0.16f * at.height, std::max(length, 1.0f), 0.68f * at.height};
    Cell& cell = pen_.cell(0, bar, row.truth ? p.right : row.majority && last ? p.costly : p.faint);
    if (row.majority && last && !row.truth) cell.hatched(pen_.px(6), with_alpha(p.panel, 0.5f));
    pen_.label(1, {bar.x + bar.width + pen_.px(5), at.y + 0.5f * at.height}, std::to_string(votes), type);
  }

  const VoteView& view_;
  Pen pen_;
  int most_;
  float top_ = 0, bottom_ = 0;
};

}  // namespace

Scene vote_scene(const VoteView& view, const Canvas& canvas) {
  return VotePicture(view, canvas).draw();
}

}  // namespace warplens::scene

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

std::string kind_words(platform::NetworkAddress::Kind kind, const Strings& strings) {
  constexpr const char* kKeys[] = {"vote.net.loopback", "vote.net.cable", "vote.net.wifi", "vote.net.hotspot",
                                   "vote.net.virtual"};
  return strings(kKeys[static_cast<int>(kind)]);
}

// "192.168.1.23 (Wi-Fi, wlan0)"
std::string address_words(const platform::NetworkAddress& address, const Strings& strings) {
  return address.address + " (" + kind_words(address.kind, strings) + ", " + address.interface + ")";
}

// It is time to close.
std::string urgent_words(const Voting& v, const Strings& strings) {
  if (!v.round->takes_votes() || v.round->by_hands) return {};
  const int votes = vote::total(v.round->counts());
  if (v.network.joined >= 5 && 5 * votes >= 4 * v.network.joined) return strings("vote.most");
  return v.network.late && votes > 0 ? strings("vote.late") : std::string();
}

// Phones do not reach this machine's own address. Another can be chosen where there is one.
const char* key_of_unreached(const ClassNetwork& net) {
  return net.addresses.size() > 1 ? "vote.pick" : "vote.alone";
}

// What stands between the address and phones, a line each.
std::vector<std::string> network_words(const ClassNetwork& net, const Strings& strings) {
  std::vector<std::string> lines;
  const platform::NetworkAddress* address = net.address();
  for (const platform::NetworkAddress& one : net.addresses)
    lines.push_back((&one == address ? "→ " : "· ") + address_words(one, strings));
  if (address == nullptr) return lines;
  lines.push_back(strings(net.outside > 0 ? "vote.test.outside" : "vote.test.nobody", {{"n", net.outside}}));
  if (address->kind == platform::NetworkAddress::Kind::Loopback) {
    lines.push_back(strings(key_of_unreached(net)));
    return lines;
  }
  if (net.ufw) lines.push_back(strings("vote.test.ufw"));
  if (net.outside == 0)
    lines.push_back(strings("vote.test.firewall", {{"interface", address->interface}, {"port", net.port}}));
  lines.push_back(strings("vote.test.hotspot"));
  return lines;
}

std::vector<std::string> lines_of(const Voting& v, const Strings& strings) {
  std::vector<std::string> lines;
  const ClassNetwork& net = v.network;
  if (v.test) return network_words(net, strings);
  const vote::Round& round = *v.round;
  if (!net.trouble.empty()) {
    lines.push_back(strings(net.trouble, {{"words", net.words}, {"port", net.port}}));
  } else if (round.takes_votes() && !round.by_hands && net.address() != nullptr) {
    const bool only = net.address()->kind == platform::NetworkAddress::Kind::Loopback;
    lines.push_back(strings(only ? key_of_unreached(net) : "vote.listens",
                            {{"address", address_words(*net.address(), strings)}}));
  }
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
    return {strings(key, {{"n", vote::total(counts)}}),
            percent < 0 ? "–" : strings("vote.right", {{"percent", static_cast<int>(percent + 0.5)}})};
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
    if (!question || question->kind == Question::Kind::Draw) return std::nullopt;
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

scene::VoteView vote_view(const Voting& v, bool question, const Strings& strings) {
  const vote::Round& round = *v.round;
  scene::VoteView view;
  view.title = strings(key_of_phase(round.phase()));
  view.lines = lines_of(v, strings);
  // Before the class it is said whether a phone has come; commands for a shell are for who looks after it.
  if (question && v.test) {
    const auto first = view.lines.begin() + static_cast<std::ptrdiff_t>(v.network.addresses.size());
    view.lines = {first, std::min(first + 1, view.lines.end())};
  }
  view.urgent = urgent_words(v, strings);
  if (question) view.question = scenario::in_language(round.question.text, strings.language());
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
    view.choices.push_back(std::to_string(i + 1) + "  " +
                           scenario::in_language(round.question.choices[i], strings.language()));
  if (!v.hand.empty()) {
    view.hands_for = strings("vote.hand", {{"answer", v.hand.answer}});
    view.count = v.hand.at_count ? v.hand.count + "_" : " ";
  } else {
    const int votes = vote::total(round.counts());
    if (round.by_hands) view.hands_for = strings("vote.count.hands");
    view.count = round.by_hands ? std::to_string(votes)
                                : strings(votes == 1 ? "vote.count.one" : "vote.count",
                                          {{"n", votes}, {"phones", v.network.joined}});
  }
  const std::string url = url_of(v.network);
  // Phones do not reach this machine's own address: they are shown no code that leads nowhere.
  const bool reached = !url.empty() && v.network.address()->kind != platform::NetworkAddress::Kind::Loopback;
  if (reached && !round.by_hands && (question || !v.test) && round.phase() != Phase::Skipped) {
    const vote::QrCode code = vote::qr_code(url);
    view.side = code.side, view.black = code.black;
    view.address = v.network.address()->address + ":" + std::to_string(v.network.port);
    view.code_word = strings("vote.code");
    for (std::size_t i = 0; i < v.network.code.size(); ++i)
      view.code += (i > 0 && i % 3 == 0 ? " " : "") + v.network.code.substr(i, 1);
  }
  return view;
}

}  // namespace warplens::app
