// The index expression: a line to type into, and what is wrong with it.
#include <algorithm>

#include "app/panels/panels.h"
#include "app/panels/widgets/text_input.h"
#include "app/source/index_expression.h"

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

}  // namespace

Actions draw_index_input(const View& view, const Rect& rect) {
  const auto index = app::find_index(view.source());
  if (!index) return {};
  const scene::Palette& p = view.palette;
  const bool active = has_keyboard(view, app::kIndexInput);
  const std::string& expression = active ? view.state.field.text : index->text;
  const auto alone = app::index_problem(expression);
  const auto trouble = trouble_of(view, alone);
  const std::string answer =
      trouble || !view.sim.now ? std::string()
      : view.sim.now->known != app::Known::All
          ? "?"
          : view.strings("expression.cost", {{"n", std::to_string(view.sim.now->cost.sectors)}});
  Heading heading{view.strings("expression.title"),
                  trouble ? view.strings(alone ? "expression.wrong" : "expression.fails") : answer,
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
  const std::string below = trouble ? *trouble : view.strings("expression.tip");
  draw_text(view, {inner.x, bottom(input) + view.px(15)}, below,
            {13, trouble ? p.costly : p.faint, Align::Left, Face::Words, inner.width});
  if (trouble && hit_area("trouble", {inner.x, bottom(input), inner.width, view.px(26)}).hovered)
    tooltip(view, *trouble);
  return actions;
}

}  // namespace warplens::panels
