// The lessons to choose from: what each is about, and how far one has come.
#include <algorithm>

#include "app/actions/lesson_actions.h"
#include "app/panels/lessons/lesson_panels.h"
#include "app/panels/sheets/overlay.h"
#include "app/panels/widgets/row_list.h"

namespace warplens::panels {
namespace {

const std::string& words_of_lesson(const View& view, const lesson::LocalText& text) {
  return scenario::in_language(text, view.state.language);
}

struct Standing {
  std::string words;
  Color color;
};

Standing standing_of(const View& view, const lesson::Lesson& one) {
  const auto& progress = view.state.classroom.progress;
  const auto known = progress.find(one.name);
  const std::string minutes = view.strings("class.minutes", {{"n", std::to_string(one.minutes)}});
  if (known == progress.end()) return {minutes, view.palette.secondary};
  const app::LessonRecord& r = known->second;
  int right = 0;
  for (const auto& [step, prediction] : r.predictions) right += prediction.first;
  const std::string score =
      r.predictions.empty()
          ? std::string()
          : " · " + view.strings("class.score", {{"right", std::to_string(right)},
                                                 {"of", std::to_string(r.predictions.size())}});
  if (r.passed) return {view.strings("class.state.passed") + score, view.palette.ideal};
  return {view.strings("class.state.steps",
                       {{"n", std::to_string(r.done.size())}, {"of", std::to_string(one.steps.size())}}) +
              score,
          view.palette.accent};
}

void draw_row(const View& view, const lesson::Lesson& one, const Rect& row, bool chosen, bool hovered) {
  const scene::Palette& p = view.palette;
  if (chosen || hovered)
    fill(row, chosen ? scene::with_alpha(p.accent, 0.24f) : scene::mix(p.cell, p.text, 0.06f), view.px(5));
  if (chosen) outline(row, p.accent, view.px(5), view.px(1.5f));
  // On the tint of the chosen row only the text's own colour reads.
  const Color quiet = chosen ? p.text : p.secondary;
  Standing standing = standing_of(view, one);
  if (chosen) standing.color = p.text;
  const float end = right(row) - view.px(12), x = row.x + view.px(44);
  const float upper = row.y + 0.31f * row.height, lower = row.y + 0.71f * row.height;
  draw_text(view, {row.x + view.px(32), upper}, std::to_string(one.order),
            {15, quiet, Align::Right, Face::Code});
  const float used =
      draw_text(view, {end, upper}, standing.words, {14, standing.color, Align::Right, Face::WordsBold});
  draw_text(view, {x, upper}, words_of_lesson(view, one.title),
            {15, p.text, Align::Left, Face::WordsBold, end - x - used - view.px(12)});
  draw_text(view, {x, lower}, words_of_lesson(view, one.goal),
            {13, quiet, Align::Left, Face::Words, end - x});
}

}  // namespace

Actions draw_lesson_list(const View& view, const Rect& window) {
  const auto& lessons = view.catalog.lessons;
  const auto count = static_cast<int>(lessons.size());
  const float height =
      std::min(view.px(116) + view.px(52) * static_cast<float>(count), window.height - view.px(48));
  const Sheet sheet(view, window,
                    {"lesson list", view.px(860), height, 0.5f, 22, view.strings("class.lessons")});
  Actions actions;
  if (sheet.closed()) actions.push_back(app::ShowLessons{false});
  const Rect rows{sheet.left(), sheet.box().y + view.px(58), sheet.room(), height - view.px(58 + 44)};
  const float share = std::floor(rows.height / static_cast<float>(std::max(count, 1)));
  const float row = std::min(std::round(std::max(view.px(46), share)), view.px(52));
  const int selected = *view.state.classroom.list;
  draw_list(view, "lessons", rows, count, row, selected, [&](int i, const Rect& line) {
    const auto& one = lessons[static_cast<std::size_t>(i)];
    const Hit hit = hit_area(i, line);
    draw_row(view, *one, line, i == selected, hit.hovered);
    if (hit.clicked) actions.push_back(app::OpenLesson{one->name});
  });
  const std::string own = view.strings("class.list.own");
  const float own_width = pill_width(view, own, false), end = bottom(sheet.box());
  draw_text(view, {sheet.left(), end - view.px(22)}, view.strings("class.list.keys"),
            {13, view.palette.secondary, Align::Left, Face::Words, sheet.room() - own_width - view.px(12)});
  const Rect button{sheet.left() + sheet.room() - own_width, end - view.px(37), own_width, view.px(30)};
  if (pill(view, "own", button, own, false).clicked) {
    actions.push_back(app::ShowLessons{false});
    actions.push_back(app::ShowDialog{false});
  }
  return actions;
}

}  // namespace warplens::panels
