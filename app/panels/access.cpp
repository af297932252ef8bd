// This access: the verdict in one figure, and the formula that leads to it.
#include <algorithm>

#include "app/panels/code_text.h"
#include "app/panels/panels.h"

namespace warplens::panels {
namespace {

Color verdict_color(const View& view, const session::Judgement& j) {
  return j.verdict == session::Verdict::Costly ? view.palette.costly : view.palette.ideal;
}

// The figure with its words beside it; below it, where there is no room beside.
void draw_verdict(const View& view, const session::Judgement& j, float x, float baseline, float room) {
  const Color color = verdict_color(view, j);
  const float width = draw_text(view, {x, baseline}, j.figure, {46, color, Align::Left, Face::WordsBold});
  const float left = x + width + view.px(12);
  draw_text(view, {left, baseline + view.px(9)}, j.words, {20, color, Align::Left, Face::Words, x + room - left});
}

}  // namespace

Actions draw_access(const View& view, const Rect& rect) {
  Heading heading{view.strings("access.title"), "", {}, false};
  if (view.sim.now) heading.answer = session::op_text(view.sim.now->access.op, view.strings) + " " + view.sim.now->site->text;
  const Rect inner = draw_panel(view, rect, heading);
  if (!view.sim.now) return {};
  const session::Judgement j = session::judge(*view.sim.now, view.strings);
  draw_verdict(view, j, inner.x, inner.y + view.px(24), inner.width);
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

Actions draw_access_strip(const View& view, const Rect& rect) {
  const scene::Palette& p = view.palette;
  fill(rect, p.panel, view.px(8));
  outline(rect, p.line, view.px(8), 1);
  if (!view.sim.now) return {};
  const session::Moment& now = *view.sim.now;
  const session::Judgement j = session::judge(now, view.strings);
  const float x = rect.x + view.px(18), half = 0.5f * rect.width;
  draw_verdict(view, j, x, rect.y + 0.42f * rect.height, half - view.px(30));
  // The line of the kernel that does it.
  const CodeText& code = code_text(view.source());
  const int line = now.site->range.begin.line - 1;
  if (!view.sim.fresh || line >= static_cast<int>(code.lines.size())) return {};
  const CodeLine& l = code.lines[static_cast<std::size_t>(line)];
  const std::string_view chars = std::string_view(code.text).substr(static_cast<std::size_t>(l.begin),
                                                                    static_cast<std::size_t>(l.end - l.begin));
  const std::size_t indent = std::min(chars.find_first_not_of(" \t"), chars.size());
  const std::string shown(chars.substr(indent));
  draw_text(view, {right(rect) - view.px(18), rect.y + 0.34f * rect.height}, shown,
            {14, p.text, Align::Right, Face::Code, half});
  draw_text(view, {right(rect) - view.px(18), rect.y + 0.72f * rect.height}, j.steps.front().value + "  ·  " +
                                                                                 j.steps[2].label + " " + j.steps[2].value,
            {13, p.secondary, Align::Right, Face::Words, half});
  return {};
}

}  // namespace warplens::panels
