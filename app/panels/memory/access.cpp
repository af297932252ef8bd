// This access: the verdict in one figure, what the kernel loses most by, and the formula that leads to the
// figure.
#include <algorithm>

#include "app/panels/panels.h"
#include "app/panels/widgets/ui.h"
#include "app/readout/verdict.h"
#include "app/scene/scene.h"
#include "app/views/counts.h"
#include "app/views/vote.h"

namespace warplens::panels {
namespace {

struct Words {
  std::string sentence, whole;  // what there is no room for is in the tooltip
  Color ink{};
  app::Action go = app::GoToWorst{};
  const char* go_tip = "diagnosis.go.tip";
  const app::Fix* fix = nullptr;
  bool is_there = false;  // where it leads is looked at
};

constexpr float kWaysHeight = 34;

std::optional<Words> words_of_error(const View& view) {
  const app::Problem* failed = app::failure_of(view.sim);
  if (failed == nullptr) return std::nullopt;
  Words words;
  // Beside the text it stands at its place. (Where a form is all that was asked for, all panels are there.)
  words.whole = view.strings(failed->message);
  if (view.state.panels.any() && !has(view.state.panels, app::Panel::Source)) words.sentence = words.whole;
  words.ink = legible(view.palette.costly, view.palette.panel, view.palette);
  words.go = app::GoToError{};
  words.is_there = view.sim.stopped_here() && view.sim.place.event + 1 == view.sim.event_count();
  words.go_tip = "diagnosis.error.tip";
  return words;
}

std::optional<Words> words_of_loss(const View& view) {
  const std::vector<views::WorstLine>& lines = views::worst_lines(view.sim);
  if (lines.empty()) return std::nullopt;
  // Of several that lose as much, the one that is looked at.
  const int here = view.sim.now ? view.sim.now->site->range.begin.line : 0;
  const auto tied = std::ranges::find_if(lines, [&](const views::WorstLine& line) {
    return line.line == here && line.lost_bytes == lines.front().lost_bytes;
  });
  const views::WorstLine& worst = tied == lines.end() ? lines.front() : *tied;
  Words words;
  words.sentence = views::diagnosis_text(worst, view.strings);
  words.whole = words.sentence + "\n" + views::advice_text(worst, view.strings);
  if (worst.excess != 0 && !worst.shared && !worst.atomic)
    words.whole += "\n" + view.strings("diagnosis.loss.tip");
  words.is_there = worst.line == here;
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

// "Show me" with what it shows and saves, beside it in two lines at most or else below, and the way to the
// access at the right end. Gives the height taken.
float draw_ways(const View& view, const Words& words, const Rect& room) {
  const std::string go = view.strings("diagnosis.go"), show = view.strings("diagnosis.show");
  const float row = view.px(kWaysHeight), height = view.px(26), y = room.y + 0.5f * (row - height);
  const float go_width = words.is_there ? 0 : pill_width(view, go, false);
  if (!words.is_there)
    answer(view, pill(view, "go", {right(room) - go_width, y, go_width, height}, go, false),
           view.strings(words.go_tip), words.go);
  if (words.fix == nullptr) return row;
  const std::string what = app::fix_text(*words.fix, view.catalog, view.strings),
                    gain = app::fix_gain(*words.fix, view.strings), all = what + ": " + gain;
  const float show_width = pill_width(view, show, true);
  answer(view, pill(view, "show", {room.x, y, show_width, height}, show, true),
         view.strings("diagnosis.show.tip", {{"fix", what}, {"gain", gain}}), app::ShowFix{});
  const Type type{13, view.palette.text, Align::Left, Face::WordsBold};
  const float x = room.x + show_width + view.px(8), beside = right(room) - go_width - view.px(8) - x,
              step = view.px(15);
  std::vector<std::string> lines = wrapped(view, all, beside, type);
  if (lines.size() > 2) {
    lines = wrapped(view, all, room.width, type);
    if (row + step * static_cast<float>(lines.size()) <= room.height)
      return row + draw_lines(view, {room.x, room.y + row}, lines, step, type);
    lines = {first_that_fits(view, {what}, beside, type)};
  }
  draw_lines(view, {x, room.y + 0.5f * (row - step * static_cast<float>(lines.size()))}, lines, step, type);
  return row;
}

// Two lines, so that the table below keeps its rows; three where not even a clause has room in two.
std::vector<std::string> lines_of(const View& view, const Words& words, float width, const Type& type) {
  for (const std::size_t most : {2u, 3u}) {
    const std::string told = scene::whole_clauses(words.sentence, [&](const std::string& sentence) {
      return wrapped(view, sentence, width, type).size() <= most;
    });
    if (!told.empty()) return wrapped(view, told, width, type);
  }
  return {};
}

}  // namespace

float draw_diagnosis(const View& view, const Rect& room) {
  const std::optional<Words> words = told_words(view);
  if (!words) return 0;
  const Type type{13, words->ink};
  const float step = view.px(17);
  std::vector<std::string> lines = lines_of(view, *words, room.width, type);
  const float text = step * static_cast<float>(lines.size());
  if (text + view.px(kWaysHeight) > room.height) return 0;
  draw_lines(view, top_left(room), lines, step, type);
  if (hit_area("sentence", {room.x, room.y, room.width, text}).hovered) tooltip(view, words->whole);
  return text + draw_ways(view, *words, {room.x, room.y + text, room.width, room.height - text}) + view.px(4);
}

namespace {

// What leads to the figure, a step a row.
void draw_steps(const View& view, const app::CostSummary& j, const Rect& box) {
  draw_rows(view, "steps", box, static_cast<int>(j.steps.size()), view.px(27), view.px(19),
            [&](int i, const Rect& row) {
              const app::FormulaStep& step = j.steps[static_cast<std::size_t>(i)];
              const float value = draw_text(view, {right(row), middle(row)}, step.value,
                                            {14, view.palette.text, Align::Right, Face::Code});
              const Rect label{row.x, row.y, row.width - value - view.px(10), row.height};
              draw_text(view, {label.x, middle(label)}, step.label,
                        {14, view.palette.secondary, Align::Left, Face::Words, label.width});
              if (!step.tooltip.empty() && hit_area(i, row).hovered) tooltip(view, step.tooltip);
            });
}

// Whether others use what this access fetches in vain, in whole sentences on three lines at most; gives the
// height taken.
float draw_sharing(const View& view, const Rect& room) {
  const bool looked_at = view.sim.global && view.sim.global->event == view.sim.place.event;
  if (view.reuse == nullptr || !looked_at) return 0;
  const std::string words = views::sharing_words(*view.reuse, view.sim, view.strings);
  const Type type{13, view.palette.text};
  const float step = view.px(17);
  if (words.empty() || room.height < 6 * step) return 0;
  const auto fits = [&](const std::string& text) {
    constexpr std::size_t kMost = 3;
    const std::string_view rest = std::string_view(words).substr(text.size());
    const bool ends = rest.empty() || rest.starts_with(";") || rest.starts_with("；");  // no half comparison
    return ends && wrapped(view, text, room.width, type).size() <= kMost;
  };
  const auto lines = wrapped(view, scene::whole_clauses(words, fits), room.width, type);
  const float height = draw_lines(view, top_left(room), lines, step, type);
  if (hit_area("sharing", {room.x, room.y, room.width, height}).hovered)
    tooltip(view, words + "\n" + view.strings("reuse.sharing.tip"));
  return height + view.px(4);
}

}  // namespace

std::string with_meaning(const View& view, const std::string& counter) {
  for (const std::string part : {"bank_conflicts", "wavefronts", "requests", "sectors"})
    if (counter.find(part) != std::string::npos) return view.strings("meaning." + part) + "\n" + counter;
  return counter;
}

void draw_verdict(const View& view, const app::CostSummary& j, ImVec2 at, float room, float size) {
  // While the stacks slide, the count is not yet what they show: it comes with them.
  const float settled = 0.25f + 0.75f * view.motion.slide(view.now);
  const Color color = scene::mix(view.palette.panel, app::verdict_color(view.palette, j.verdict), settled);
  // The figure gives way before its words are cut.
  while (size > 26 && verdict_width(view, j, size, 13) > room) size -= 4;
  const bool counts = view.counting.what == scene::Count::Cost && !view.is_a;
  const Type figure{size, counts ? view.palette.text : color, Align::Left, Face::WordsBold};
  const float width = text_width(view, j.figure, figure);
  draw_text(view, at, counts ? std::to_string(view.counting.n) : j.figure, figure);
  if (j.verdict != app::Verdict::Hidden && !view.is_a) {  // where it comes from
    const Rect felt{at.x, at.y - view.px(0.5f * size), width, view.px(size)};
    Hit hit = hit_area("figure", felt);
    hit.clicked |= control_pressed(felt);
    const std::string tip = view.sim.now ? with_meaning(view, app::counter_of(*view.sim.now)) + "\n" : "";
    answer(view, hit, tip + view.strings("access.count.tip"), app::CountOut{});
  }
  const float left = at.x + width + view.px(12);
  Type type{20, color, Align::Left, Face::Words, at.x + room - left};
  for (const float smaller : {17.0f, 15.0f, 13.0f}) {
    if (text_width(view, j.words, type) > type.room) type.size = smaller;
  }
  if (text_width(view, j.words, type) > type.room)  // the reason stands at their end
    return Column{view, left, at.y - view.px(17), type.room}.paragraph(j.words, type);
  draw_text(view, {left, at.y + view.px(0.2f * size)}, j.words, type);
}

float verdict_width(const View& view, const app::CostSummary& j, float size, float words) {
  return text_width(view, j.figure, {size, {}, Align::Left, Face::WordsBold}) + view.px(12) +
         text_width(view, j.words, {words, {}, Align::Left, Face::Words});
}

void draw_access(const View& view, const Rect& rect) {
  std::string title = view.sim.now ? change_words(view) : "";
  const Type heading{15, view.palette.text, Align::Left, Face::WordsBold};
  if (title.empty() || text_width(view, title, heading) > rect.width - view.px(40))
    title = view.strings("access.title");
  const Rect inner = draw_panel(view, rect, {title, "", {}, false});
  if (view.shows_other_kernel()) return;
  if (!view.sim.now) return void(draw_diagnosis(view, inner));
  const app::CostSummary j = app::judge(view.sim, view.strings);
  draw_verdict(view, j, {inner.x, inner.y + view.px(24)}, inner.width, 46);
  if (j.verdict == app::Verdict::Hidden) {
    Column column{view, inner.x, inner.y + view.px(58), inner.width};
    column.paragraph(view.strings("class.hidden"), {14, view.palette.secondary});
  }
  float top = inner.y + view.px(58);
  const auto rest = [&] { return Rect{inner.x, top, inner.width, bottom(inner) - top}; };
  top += draw_sharing(view, rest());
  top += draw_diagnosis(view, rest());
  draw_steps(view, j, rest());
}

// A class's vote on the screen.
void draw_vote(const View& view, const Rect& rect) {
  const bool stage = view.state.present;
  Rect room = picture_room(rect, view.scale, false);
  if (stage) room.y += view.px(6), room.height -= view.px(6);
  const scene::VoteView vote = app::vote_view(view.state.voting, stage, view.strings);
  scene::Scene scene = scene::vote_scene(vote, view.canvas(room.width, room.height));
  Heading heading{scene.title, scene.answer, {}, true};
  draw_panel(view, rect, heading);
  draw_scene(view, "scene", std::move(scene), top_left(room));
}

}  // namespace warplens::panels
