#include "app/panels/memory/diagnosis.h"

#include <algorithm>

#include "app/panels/widgets/ui.h"
#include "app/readout/words/fix.h"
#include "app/scene/text.h"
#include "app/views/counts.h"

namespace warplens::panels {
namespace {

struct Words {
  std::string sentence, whole;  // what there is no room for is in the tooltip
  std::string brief{};          // of the sentence; empty: there is no shorter one
  Color ink{};
  app::Action go = app::GoToWorst{};
  const char* go_tip = "diagnosis.go.tip";
  const app::Fix* fix = nullptr;
};

std::optional<Words> words_of_error(const View& view) {
  for (const app::Problem& problem : view.sim.problems) {
    if (!problem.at || problem.severity != cuda::Severity::Error) continue;
    Words words;
    words.sentence = words.whole = view.strings(problem.message);
    words.ink = legible(view.palette.costly, view.palette.panel, view.palette);
    words.go = app::GoToError{};
    words.go_tip = "diagnosis.error.tip";
    return words;
  }
  return std::nullopt;
}

std::optional<Words> words_of_loss(const View& view) {
  static views::WorstLines kept;  // made anew only when the totals are
  const std::vector<views::WorstLine>& lines = kept.of(view.sim);
  if (lines.empty()) return std::nullopt;
  Words words;
  words.sentence = views::diagnosis_text(lines.front(), view.strings);
  words.brief = views::diagnosis_in_brief(lines.front(), view.strings);
  words.whole = words.sentence + "\n" + views::advice_text(lines.front(), view.strings);
  words.ink = view.palette.text;
  const app::Diagnosis* found = app::diagnosis_of(view.state);
  if (found != nullptr && found->fix) words.fix = &*found->fix;
  return words;
}

// In a lesson the sentence would be the answer to its challenge.
std::optional<Words> told_words(const View& view) {
  if (view.sim.hidden.rest || view.state.classroom.active) return std::nullopt;
  if (auto error = words_of_error(view)) return error;
  if (!view.sim.fresh || view.sim.empty() || !view.sim.totals || view.sim.totals->error) return std::nullopt;
  return words_of_loss(view);
}

// "Show me" with what it shows and saves, and the way to the access at the right end.
void draw_ways(const View& view, const Words& words, const Rect& row, Actions* actions) {
  const std::string go = view.strings("diagnosis.go"), show = view.strings("diagnosis.show");
  const float height = std::min(row.height, view.px(26)), y = middle(row) - 0.5f * height;
  const float go_width = pill_width(view, go, false);
  const Hit there = pill(view, "go", {right(row) - go_width, y, go_width, height}, go, false);
  if (there.hovered) tooltip(view, view.strings(words.go_tip));
  if (there.clicked) actions->push_back(words.go);
  if (words.fix == nullptr) return;
  const std::string what = app::fix_text(*words.fix, view.catalog, view.strings),
                    gain = app::fix_gain(*words.fix, view.strings),
                    full = app::fix_gain_in_full(*words.fix, view.strings),
                    brief = app::fix_gain_in_brief(*words.fix, view.strings);
  const float show_width = pill_width(view, show, true);
  const Hit hit = pill(view, "show", {row.x, y, show_width, height}, show, true);
  if (hit.hovered) tooltip(view, view.strings("diagnosis.show.tip", {{"fix", what}, {"gain", full}}));
  if (hit.clicked) actions->push_back(app::ShowFix{});
  const Type type{13, legible(view.palette.ideal, view.palette.panel, view.palette), Align::Left,
                  Face::WordsBold};
  const float x = row.x + show_width + view.px(8), room = right(row) - go_width - view.px(8) - x;
  draw_text(view, {x, middle(row)},
            first_that_fits(view, {what + ": " + full, what + ": " + gain, what + ": " + brief, gain, brief},
                            room, type),
            type);
}

// Two lines, so that the table below keeps its rows; a third only where it takes a part of the sentence.
std::vector<std::string> lines_of(const View& view, const Words& words, float width, const Type& type) {
  constexpr std::size_t kWanted = 2, kMost = 3;
  for (const std::string& sentence : {words.sentence, words.brief}) {
    std::vector<std::string> lines = wrapped(view, sentence, width, type);
    if (!sentence.empty() && lines.size() <= kWanted) return lines;
  }
  const auto fits = [&](const std::string& sentence) {
    return wrapped(view, sentence, width, type).size() <= kMost;
  };
  return wrapped(view, scene::whole_clauses(words.brief.empty() ? words.sentence : words.brief, fits), width,
                 type);
}

}  // namespace

float draw_diagnosis(const View& view, const Rect& room, Actions* actions) {
  const std::optional<Words> words = told_words(view);
  if (!words) return 0;
  const Type type{13, words->ink};
  const float step = view.px(17), ways = view.px(30);
  std::vector<std::string> lines = lines_of(view, *words, room.width, type);
  const float text = step * static_cast<float>(lines.size());
  if (text + ways > room.height) return 0;
  for (std::size_t i = 0; i < lines.size(); ++i)
    draw_text(view, {room.x, room.y + step * (static_cast<float>(i) + 0.5f)}, lines[i], type);
  if (hit_area("sentence", {room.x, room.y, room.width, text}).hovered) tooltip(view, words->whole);
  draw_ways(view, *words, {room.x, room.y + text, room.width, ways}, actions);
  return text + ways + view.px(4);
}

}  // namespace warplens::panels
