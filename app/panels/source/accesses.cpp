#include "app/panels/source/accesses.h"

#include <algorithm>
#include <array>

#include "app/panels/source/margin.h"
#include "app/panels/widgets/ui.h"

namespace warplens::panels {
namespace {

// Once every access counts the program tells no more of those that compilers leave out.
bool has_choice(const View& view) {
  if (view.state.settings.literal) return true;
  if (view.sim.empty() || !shows_margin(view)) return false;
  const sim::Program& program = view.sim.program();
  return !program.unissued.empty() ||
         std::ranges::any_of(program.sites, [](const sim::AccessSite& site) { return site.written > 1; });
}

}  // namespace

float draw_accesses_choice(const View& view, const Rect& area, Actions* actions) {
  if (!has_choice(view)) return 0;
  const float height = view.px(26);
  const Rect row{area.x, bottom(area) - height, area.width, height};
  fill({row.x, row.y, row.width, 1}, view.palette.line);
  const bool literal = view.state.settings.literal;
  const std::array tabs{Tab{view.strings("source.issued"), view.strings("source.issued.tip"), !literal},
                        Tab{view.strings("source.literal"), view.strings("source.literal.tip"), literal}};
  const float inside = view.px(8), y = middle(row) - view.px(1);
  const TabChoice choice = draw_tabs(view, "accesses", {right(row) - inside, y}, tabs);
  if (choice.clicked >= 0 && !view.is_a) actions->push_back(app::SetLiteral{choice.clicked == 1});
  const Type type{13, view.palette.secondary};
  const std::string label = view.strings("source.which");
  if (text_width(view, label, type) < row.width - choice.width - 2 * inside)
    draw_text(view, {row.x + inside, y}, label, type);
  return height;
}

}  // namespace warplens::panels
