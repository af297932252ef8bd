#include "app/input/menu.h"

#include "app/state/chosen_kernel.h"
#include "app/state/user_kernel.h"
#include "app/views/views.h"

namespace warplens::app {
namespace {

std::vector<MenuEntry> rungs(const State& state, const Catalog& catalog) {
  std::vector<MenuEntry> entries;
  const scenario::Scenario* here = scenario_of(catalog, state.settings);
  if (here == nullptr) return entries;
  for (const scenario::Scenario* rung : catalog.ladder_of(*here)) {
    const scenario::LocalText& text = rung->rung_label.empty() ? rung->title : rung->rung_label;
    entries.push_back(
        {std::to_string(entries.size() + 1) + "  " + scenario::in_language(text, state.language),
         SelectScenario{rung->name}, rung == here});
  }
  return entries;
}

std::vector<MenuEntry> pictures(const State& state) {
  std::vector<MenuEntry> entries;
  for (const views::Row& row : views::rows()) {
    if (row.where == views::Tab::WhereWide)
      entries.push_back({"", ShowView{row.id}, state.shown == row.id, row.tab});
  }
  return entries;
}

}  // namespace

std::vector<MenuEntry> menu_entries(Menu::Of of, const State& state, const Catalog& catalog) {
  if (of == Menu::Of::Rungs) return rungs(state, catalog);
  if (of == Menu::Of::Pictures) return pictures(state);
  std::vector<MenuEntry> entries;
  if (!state.settings.own) return entries;
  const UserKernel& own = *state.settings.own;
  if (of == Menu::Of::Kernels) {
    for (const KernelFacts& kernel : own.facts.kernels)
      entries.push_back({kernel.name, ChooseKernel{kernel.name}, kernel.name == own.form.kernel});
    return entries;
  }
  for (std::size_t i = 0; i < own.facts.launches.size(); ++i) {
    const KnownLaunch& launch = own.facts.launches[i];
    entries.push_back(
        {std::to_string(launch.line) + ": " + launch.label, UseLaunch{static_cast<int>(i)}, false});
  }
  return entries;
}

}  // namespace warplens::app
