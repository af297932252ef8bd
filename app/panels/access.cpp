// This access: the verdict in one figure, and the formula that leads to it.
#include <algorithm>

#include "app/panels/class_panels.h"

namespace warplens::panels {
namespace {

Color verdict_color(const View& view, const session::Judgement& j) {
  return j.verdict == session::Verdict::Costly ? view.palette.costly : view.palette.ideal;
}

}  // namespace

void draw_verdict(const View& view, const session::Judgement& j, ImVec2 at, float room, float size) {
  const Color color = verdict_color(view, j);
  const float width = draw_text(view, at, j.figure, {size, color, Align::Left, Face::WordsBold});
  const float left = at.x + width + view.px(12);
  draw_text(view, {left, at.y + view.px(0.2f * size)}, j.words,
            {20, color, Align::Left, Face::Words, at.x + room - left});
}

Actions draw_access(const View& view, const Rect& rect) {
  Heading heading{view.strings("access.title"), "", {}, false};
  if (view.sim.now)
    heading.answer = session::op_text(view.sim.now->access.op, view.strings) + " " + view.sim.now->site->text;
  const Rect inner = draw_panel(view, rect, heading);
  if (!view.sim.now) return {};
  if (hidden(view).costs) {
    draw_text(view, {inner.x, inner.y + view.px(24)}, "?",
              {46, view.palette.accent, Align::Left, Face::WordsBold});
    Column column{view, inner.x, inner.y + view.px(58), inner.width};
    column.paragraph(view.strings("class.hidden"), {14, view.palette.secondary});
    return {};
  }
  const session::Judgement j = session::judge(*view.sim.now, view.strings);
  draw_verdict(view, j, {inner.x, inner.y + view.px(24)}, inner.width, 46);
  const float top = inner.y + view.px(58);
  const float step = std::min(view.px(27), (bottom(inner) - top) / static_cast<float>(j.steps.size()));
  for (std::size_t i = 0; i < j.steps.size(); ++i) {
    const session::FormulaStep& line = j.steps[i];
    const Rect row{inner.x, top + step * static_cast<float>(i), inner.width, step};
    const Color value_color = line.result ? verdict_color(view, j) : view.palette.text;
    const float value = draw_text(view, {right(row), middle(row)}, line.value,
                                  {14, value_color, Align::Right, line.result ? Face::CodeBold : Face::Code});
    draw_text(view, {row.x, middle(row)}, line.label,
              {14, view.palette.secondary, Align::Left, Face::Words, row.width - value - view.px(10)});
    if (!line.tooltip.empty() && hit_area(static_cast<int>(i), row).hovered) tooltip(view, line.tooltip);
  }
  return {};
}

}  // namespace warplens::panels
