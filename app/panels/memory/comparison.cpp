// A│B: who is who, and the table of all that is counted and measured on both sides.
#include <algorithm>

#include "app/panels/panels.h"
#include "app/panels/widgets/ui.h"
#include "app/views/compare.h"

namespace warplens::panels {
namespace {

using views::TableRow;

views::SideWords words_of(const View& view) {
  return views::side_words(*view.comparison, view.is_a, view.scenario(), app::is_edited(view.state),
                           view.state.language, view.strings);
}

void draw_badge(const View& view, const Rect& box) {
  const scene::Palette& p = view.palette;
  const Color ink = view.is_a ? p.secondary : p.accent;
  fill(box, scene::with_alpha(ink, 0.16f), view.px(6));
  outline(box, ink, view.px(6), std::max(1.5f, view.px(2)));
  draw_text(view, {box.x + 0.5f * box.width, middle(box)}, view.is_a ? "A" : "B",
            {box.height / view.scale * 0.62f, legible(ink, scene::mix(p.panel, ink, 0.16f), p), Align::Center,
             Face::WordsBold});
}

// Swap, back to A, leave; at the right of the heading. Gives their left end.
float draw_buttons(const View& view, const Rect& rect) {
  float x = right(rect) - view.px(10);
  const float height = view.px(26), y = rect.y + view.px(7);
  answer(view, icon_button(view, "leave", {x -= height, y, height, height}, Icon::Cross, false),
         view.strings("compare.leave.tip"), app::LeaveComparison{});
  const auto button = [&](const char* id, const char* label, const char* tip, Action action) {
    const std::string text = view.strings(label);
    const float width = pill_width(view, text, false);
    answer(view, pill(view, id, {x -= width + view.px(6), y, width, height}, text, false), view.strings(tip),
           std::move(action));
  };
  button("return", "compare.return", "compare.return.tip", app::ReturnToA{});
  button("swap", "compare.swap", "compare.swap.tip", app::SwapAB{});
  return x;
}

// Presenting, nothing below says what is accessed: at the right end, if there is room right of `left`.
void draw_accessed(const View& view, const Rect& rect, float left) {
  if (!view.sim.now || view.sim.now->site == nullptr) return;
  const std::string text =
      app::op_text(view.sim.now->access.op, view.strings) + " " + view.sim.now->site->text;
  const Type type{14, view.palette.text, Align::Right, Face::Words};
  const float end = right(rect) - view.px(10);
  if (end - text_width(view, text, type) >= left) draw_text(view, {end, middle(rect)}, text, type);
}

}  // namespace

views::TableInput table_input(const View& view) {
  return {view.comparison, &view.other->sim, &view.sim, app::measurement_of(view.other->times),
          app::measurement_of(view.times)};
}

void draw_pane_head(const View& view, const Rect& rect) {
  const scene::Palette& p = view.palette;
  draw_ground(view, rect, view.is_a ? 0 : view.px(1.5f));
  const float badge = rect.height - view.px(14);
  const Rect box{rect.x + view.px(7), rect.y + view.px(7), badge, badge};
  draw_badge(view, box);
  const float x = right(box) + view.px(12);
  const bool narrow = rect.height < view.px(50);
  const float end = right(rect) - view.px(10);
  const float room = end - x - view.px(12);
  const views::SideWords side = words_of(view);
  const float upper = narrow ? middle(rect) : rect.y + 0.34f * rect.height;
  const float width =
      draw_text(view, {x, upper}, side.name, {16, p.text, Align::Left, Face::WordsBold, room});
  const ImVec2 second =
      narrow ? ImVec2{x + width + view.px(14), upper} : ImVec2{x, rect.y + 0.70f * rect.height};
  const float left = narrow ? room - width - view.px(14) : room;
  const std::string& words = side.differences;
  if (left > view.px(20))
    draw_text(view, second, words, {14, view.is_a ? p.secondary : p.accent, Align::Left, Face::Words, left});
  if (narrow) draw_accessed(view, rect, second.x + text_width(view, words, {14}) + view.px(20));
  if (hit_area("head", rect).hovered) tooltip(view, side.name + "\n" + words);
}

// It follows the hand; a double click puts it back into the middle.
void draw_divider(const View& view, const Rect& rect, float left, float both) {
  const float more = view.px(4);  // than is drawn can be taken hold of
  const Hit hit = hit_area("grip", {rect.x - more, rect.y, rect.width + 2 * more, rect.height});
  const scene::Palette& p = view.palette;
  const bool taken = hit.hovered || hit.held;
  const float x = rect.x + 0.5f * rect.width, width = view.px(taken ? 3 : 2);
  const float grip = std::min(view.px(56), rect.height);
  const Color ink = taken ? p.text : p.faint;
  if (taken) fill({x - 0.5f * width, rect.y, width, rect.height}, ink, 0.5f * width);
  fill({x - view.px(2), middle(rect) - 0.5f * grip, view.px(4), grip}, ink, view.px(2));
  if (hit.hovered && !hit.held) tooltip(view, view.strings("compare.divider.tip"));
  if (hit.double_clicked) return view.act(app::MoveDivider{app::kMiddle});
  const ImGuiIO& io = ImGui::GetIO();
  if (!hit.held || io.MouseDelta.x == 0 || both <= 0) return;
  const float part = (io.MousePos.x - 0.5f * rect.width - left) / both;
  view.act(app::MoveDivider{std::clamp(part, app::kLeastPane, 1 - app::kLeastPane)});
}

void draw_comparison(const View& view, const Rect& rect) {
  const Rect inner = draw_panel(view, rect, {"", "", {}, false});
  const float end = draw_buttons(view, rect);
  draw_text(view, {inner.x, rect.y + view.px(20)}, "A│B", title_type(view, end - inner.x));
  const std::vector<TableRow> rows = views::comparison_table(table_input(view), view.strings);
  draw_scene(
      view, "table",
      views::comparison(rows, !view.comparison->counts.empty(), view.canvas(inner.width, inner.height)),
      top_left(inner));
}

// What it comes to, in a sentence that names what explains the time.
void draw_differences(const View& view, const Rect& rect) {
  draw_ground(view, rect);
  const float inside = view.px(14);
  draw_text(view, {rect.x + inside, middle(rect)}, views::comparison_result(table_input(view), view.strings),
            {15, view.palette.text, Align::Left, Face::WordsBold, rect.width - 2 * inside});
}

}  // namespace warplens::panels
