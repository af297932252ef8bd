// The keys of the sheets and of one-line inputs. What is typed into an input is the input's own.
#include "app/input/commands.h"
#include "app/state/chosen_kernel.h"

namespace warplens::app {
namespace {

constexpr int kLast = 1000;  // more rows than a sheet has

bool shares_figure(In in) {
  return in.state.share && in.state.share->is_on(ShareWhat::Figure);
}

Actions offer_parameter(In in) {
  const scenario::Scenario* scenario = scenario_of(in.catalog, in.state.settings);
  const auto index = static_cast<std::size_t>(in.character - '1');
  if (scenario == nullptr || index >= scenario->parameters.size()) return {};
  return {OfferParameter{scenario->parameters[index].name}};
}

constexpr Command kSheetCommands[] = {
    {"palette_close", Focus::Palette, "Esc", nullptr, does<ShowPalette, false>},
    {"palette_choose", Focus::Palette, "Enter", nullptr, does<ChooseCommand>},
    {"palette_up", Focus::Palette, "↑", nullptr, does<MovePalette, -1>},
    {"palette_down", Focus::Palette, "↓", nullptr, does<MovePalette, 1>},
    {"palette_page_up", Focus::Palette, "PgUp", nullptr, does<MovePalette, -10>},
    {"palette_page_down", Focus::Palette, "PgDn", nullptr, does<MovePalette, 10>},

    {"menu_close", Focus::Menu, "Esc; Tab", nullptr, [](In) { return Actions{ShowMenu{}}; }},
    {"menu_choose", Focus::Menu, "Enter; Space", nullptr, does<ChooseMenu>},
    {"menu_up", Focus::Menu, "↑", nullptr, does<MoveMenu, -1>},
    {"menu_down", Focus::Menu, "↓", nullptr, does<MoveMenu, 1>},
    {"menu_page_up", Focus::Menu, "PgUp", nullptr, does<MoveMenu, -10>},
    {"menu_page_down", Focus::Menu, "PgDn", nullptr, does<MoveMenu, 10>},
    {"menu_first", Focus::Menu, "Home", nullptr, does<MoveMenu, -kLast>},
    {"menu_last", Focus::Menu, "End", nullptr, does<MoveMenu, kLast>},

    {"chooser_close", Focus::Chooser, "Esc", nullptr, does<CloseDialog>},
    {"chooser_choose", Focus::Chooser, "Enter", nullptr, does<ChooseEntry>},
    {"chooser_up", Focus::Chooser, "↑", nullptr, does<MoveSelection, -1>},
    {"chooser_down", Focus::Chooser, "↓", nullptr, does<MoveSelection, 1>},
    {"chooser_page_up", Focus::Chooser, "PgUp", nullptr, does<MoveSelection, -10>},
    {"chooser_page_down", Focus::Chooser, "PgDn", nullptr, does<MoveSelection, 10>},
    {"chooser_parent", Focus::Chooser, "Backspace", nullptr, does<GoToParent>, nullptr,
     [](In in) { return in.state.field.text.empty(); }},

    {"field_leave", Focus::Field, "Esc", nullptr, does<LeaveField, false>},
    {"field_keep", Focus::Field, "Enter", nullptr, does<LeaveField, true>},
    {"field_next", Focus::Field, "Tab ↓", nullptr, does<NextField, 1>},
    {"field_previous", Focus::Field, "Shift Tab, ↑", nullptr, does<NextField, -1>},

    {"share_close", Focus::Share, "Esc", nullptr, does<ShowShare, false>},
    {"share_write", Focus::Share, "Enter; Space", nullptr, does<Export>},
    {"share_up", Focus::Share, "↑", nullptr, does<MoveShare, -1, 0>},
    {"share_down", Focus::Share, "↓", nullptr, does<MoveShare, 1, 0>},
    {"share_left", Focus::Share, "←", nullptr, does<MoveShare, 0, -1>},
    {"share_right", Focus::Share, "→", nullptr, does<MoveShare, 0, 1>},
    {"share_first", Focus::Share, "Home", nullptr, does<ChooseShare, 0, 0>},
    {"share_last", Focus::Share, "End", nullptr, does<ChooseShare, kLast, 0>},
    {"share_folder", Focus::Share, "Tab", nullptr,
     [](In in) { return Actions{FocusField{shares_figure(in) ? kShareSite : kShareFolder}}; }},
    {"share_offer", Focus::Share, "1 … 9", nullptr, offer_parameter, nullptr, shares_figure, "1 … 9"},
    {"share_copy", Focus::Share, "Ctrl C", nullptr, does<CopyPlace>},
};

}  // namespace

std::span<const Command> sheet_commands() {
  return kSheetCommands;
}

}  // namespace warplens::app
