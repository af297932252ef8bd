// The index expression: a line to type into, and what is wrong with it.
#include <algorithm>

#include "app/panels/panels.h"
#include "app/panels/widgets/text_input.h"
#include "app/readout/index_trouble.h"
#include "app/source/text_fixes.h"

namespace warplens::panels {
namespace {

// What is wrong: with the expression by itself, else with the kernel that it was put into.
std::optional<std::string> trouble_of(const View& view, const std::optional<cuda::Diagnostic>& alone) {
  if (alone) return view.strings(alone->message, alone->remedy);
  for (const app::Problem& problem : view.sim.problems) {
    if (problem.severity == cuda::Severity::Error) return view.strings(problem.message, problem.remedy);
  }
  return std::nullopt;
}

// Sectors, or wavefronts of an index into shared memory.
std::string cost_text(const View& view, const app::PricedAccess& now) {
  const bool shared = now.access.space == memory::Space::Shared;
  return view.strings(shared ? "expression.cost.shared" : "expression.cost",
                      {{"n", std::to_string(shared ? now.cost.wavefronts : now.cost.sectors)}});
}

// Below the input, in as many rows as there are; where that is too few, the mouse tells the rest.
void draw_below(const View& view, const Rect& room, const std::string& text, const Color& color) {
  const Type type{13, color, Align::Left, Face::Words, room.width};
  const float row = view.px(16);
  const std::vector<std::string> all = wrapped(view, text, room.width, type);
  const auto rows = std::max<std::size_t>(1, static_cast<std::size_t>(room.height / row));
  for (std::size_t i = 0; i < std::min(rows, all.size()); ++i) {
    std::string words = all[i];
    for (std::size_t next = i + 1; i + 1 == rows && next < all.size(); ++next) words += " " + all[next];
    draw_text(view, {room.x, room.y + (static_cast<float>(i) + 0.5f) * row}, words, type);
  }
  if (all.size() > rows) tell_whole(view, room, text);
}

}  // namespace

Actions draw_index_input(const View& view, const Rect& rect) {
  const auto index = app::find_index(view.source());
  if (!index) return {};
  const scene::Palette& p = view.palette;
  const bool active = has_keyboard(view, app::kIndexInput);
  const std::string& expression = active ? view.state.field.text : index->text;
  const auto alone = app::index_problem(expression);
  const auto trouble = trouble_of(view, alone);
  const std::string answer = trouble || !view.sim.now                 ? std::string()
                             : view.sim.now->known != app::Known::All ? "?"
                                                                      : cost_text(view, *view.sim.now);
  Heading heading{view.strings("expression.title"),
                  trouble ? view.strings(app::index_trouble(!alone, view.sim)) : answer,
                  {},
                  active};
  if (trouble) heading.answer_color = p.costly;
  const Rect inner = draw_panel(view, rect, heading);
  const Rect input{inner.x, inner.y + view.px(2), inner.width, view.px(32)};
  InputLook look;
  look.size = 15;
  look.wrong = trouble.has_value();
  look.squiggle = alone ? &alone->range : nullptr;
  look.placeholder = "threadIdx.x";
  Actions actions = draw_input(view, app::kIndexInput, input, index->text, look);
  const float from = bottom(input) + view.px(6);
  draw_below(view, {inner.x, from, inner.width, bottom(rect) - view.px(4) - from},
             trouble
                 ? *trouble
                 : view.strings(app::is_of_tile(view.source()) ? "expression.tip.tile" : "expression.tip"),
             trouble ? p.costly : p.faint);
  return actions;
}

}  // namespace warplens::panels
