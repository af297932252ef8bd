// What stands beside each other, how it is shown, and the window itself.
#include <algorithm>

#include "app/input/commands.h"
#include "app/language/strings.h"
#include "app/readout/question.h"
#include "app/source/text_fixes.h"
#include "app/state/catalog.h"
#include "app/state/diagnosis.h"
#include "app/state/teaching.h"
#include "app/views/times.h"

namespace warplens::app {
namespace {

constexpr char kLeaveStage[] = "idle.stage", kNoFix[] = "idle.fix";
template <const char* kKey>
Actions says(In) {
  return {ShowNotice{{kKey, {}, false, false}}};
}

// What lies over what is closed first.
Actions close_innermost(In in) {
  const State& s = in.state;
  if (s.help) return {SetHelp{false}};
  if (s.notice) return {DismissNotice{}};
  if (s.editing) return {SetEditing{false}};
  if (s.plot.held) return {HoldView{false}};
  if (is_plot(s.shown)) return {ShowView{ViewId::Memory}};
  // Presenting is the stage that the comparison stands on.
  if (s.pinned) return {LeaveComparison{}};
  if (s.present) return says<kLeaveStage>(in);  // by its own key alone
  return {};
}

// The same key opens the list and closes it.
template <CommandPalette::Offer kOffer>
Actions show_palette(In in) {
  const auto& palette = in.state.classroom.palette;
  return {ShowPalette{!palette || palette->offer != kOffer, kOffer}};
}

// While a question is open nothing may tell what the access costs.
bool is_told(In in) {
  return !hidden_in(in.state).rest;
}
bool has_fix(In in) {
  const Diagnosis* found = diagnosis_of(in.state);
  return is_told(in) && found != nullptr && found->fix;
}

bool is_comparing(In in) {
  return in.state.pinned.has_value();
}
template <int kPercent>
Actions move_divider(In in) {
  const float part = in.state.divider + 0.01f * kPercent;
  return {MoveDivider{std::clamp(part, kLeastPane, 1 - kLeastPane)}};
}

constexpr const char* kDivider = "help.divider";
constexpr const char* kProfile = "help.profile";
constexpr Command kWindowCommands[] = {
    {"compare", Focus::Window, "F3", "help.compare",
     [](In in) { return is_comparing(in) ? Actions{LeaveComparison{}} : Actions{PinA{}}; }},
    {"compare_rungs", Focus::Window, "Shift F3", "help.compare_rungs", does<CompareRungs>},
    {"compare_with", Focus::Window, "Ctrl F3", "help.compare_with",
     show_palette<CommandPalette::Offer::Comparison>},
    {"swap", Focus::Window, "F4", "help.swap.both", does<SwapAB>, "help.swap", is_comparing},
    {"return_to_a", Focus::Window, "Shift F4", "help.swap.back", does<ReturnToA>, "help.swap", is_comparing},
    {"race", Focus::Picture, "Ctrl Shift R", "help.race", does<RunRace>, nullptr, is_comparing},
    {"divider_left", Focus::Picture, "Ctrl Shift ←", "help.divider.left", move_divider<-5>, kDivider,
     is_comparing},
    {"divider_right", Focus::Picture, "Ctrl Shift →", "help.divider.right", move_divider<5>, kDivider,
     is_comparing},
    {"divider_middle", Focus::Picture, "Ctrl Shift Home", "help.divider.middle",
     [](In) { return Actions{MoveDivider{kMiddle}}; }, kDivider, is_comparing},
    {"show_fix", Focus::Window, "Ctrl D", "help.diagnosis.fix", does<ShowFix>, "help.diagnosis", has_fix},
    {"no_fix", Focus::Window, "Ctrl D", nullptr, says<kNoFix>, "help.diagnosis", is_told},
    {"go_worst", Focus::Window, "Ctrl Shift D", "help.diagnosis.worst", does<GoToWorst>, "help.diagnosis",
     is_told},
    {"go_error", Focus::Window, "Ctrl Shift G", "help.go_error", does<GoToError>},
    {"go_block", Focus::Window, "Ctrl G", "help.go_block",
     [](In) { return Actions{FocusField{kBlockInput}}; }},
};
constexpr Command kWhyCommands[] = {
    {"profile", Focus::Window, "Ctrl I", "help.profile.show", toggles<ViewId::Profile>, kProfile},
    {"profile_launch", Focus::Map, "Tab", nullptr,
     [](In in) { return Actions{StepProfileLaunch{in.shift ? -1 : 1}}; }, kProfile,
     [](In in) { return in.state.shown == ViewId::Profile; }},
    {"why", Focus::Window, "Ctrl Shift I", "help.why", toggles<ViewId::Why>},
    {"roofline", Focus::Window, "Ctrl Shift A", "help.roofline", toggles<ViewId::Roofline>},
};
constexpr Command kStageCommands[] = {
    {"stills", Focus::Window, "F12", "help.stills",
     [](In in) { return Actions{SetStills{!in.state.stills}}; }},
    {"workbench", Focus::Picture, "W", "help.workbench", does<ShowPanels>},
    {"panels", Focus::Picture, "Shift W", "help.panels",
     [](In) { return Actions{ShowMenu{Menu::Of::Panels}}; }},
    {"present", Focus::Anywhere, "F5", "help.present",
     [](In in) { return Actions{SetPresent{!in.state.present}}; }},
    {"theme", Focus::Anywhere, "F6", "help.theme",
     [](In in) { return Actions{SetTheme{in.state.theme == Theme::Dark ? Theme::Light : Theme::Dark}}; }},
    {"language", Focus::Anywhere, "F7", "help.language",
     [](In in) { return Actions{SetLanguage{language::next_language(in.state.language)}}; }},
    {"larger", Focus::Anywhere, "Ctrl +; Ctrl =", "help.zoom.larger",
     [](In in) { return Actions{SetZoom{in.state.zoom * 1.1f}}; }, "help.zoom"},
    {"smaller", Focus::Anywhere, "Ctrl −", "help.zoom.smaller",
     [](In in) { return Actions{SetZoom{in.state.zoom / 1.1f}}; }, "help.zoom"},
    {"usual_size", Focus::Anywhere, "Ctrl 0", "help.zoom.before", [](In) { return Actions{SetZoom{1}}; },
     "help.zoom"},
    {"palette", Focus::Anywhere, "Ctrl P", nullptr, show_palette<CommandPalette::Offer::Commands>,
     "help.palette"},
    {"scenarios", Focus::Anywhere, "Ctrl Shift P", "help.scenarios",
     show_palette<CommandPalette::Offer::Scenarios>},
    {"tour", Focus::Anywhere, "Shift F1", "help.tour",
     [](In in) { return Actions{ShowTour{!in.state.classroom.tour}}; }},
    {"help", Focus::Anywhere, "F1", "help.help", [](In in) { return Actions{SetHelp{!in.state.help}}; }},
    {"close", Focus::Window, "Esc", nullptr, close_innermost, "help.escape"},
    {"end_reading", Focus::Anywhere, "Esc", nullptr, does<EndReading>, nullptr,
     [](In in) { return in.state.reading.has_value(); }},
    {"quit", Focus::Anywhere, "Ctrl Q", "help.quit", does<CloseWindow>},
};

}  // namespace

std::span<const Command> window_commands() {
  return kWindowCommands;
}

std::span<const Command> why_commands() {
  return kWhyCommands;
}

std::span<const Command> stage_commands() {
  return kStageCommands;
}

// Stepping and playing, the ladder, the parameters.
namespace {

const scenario::ScenarioParameter* parameter_of(In in) {
  const scenario::Scenario* s = scenario_of(in.catalog, in.state.settings);
  if (s == nullptr) return nullptr;
  for (const scenario::ScenarioParameter& parameter : s->parameters) {
    if (parameter.key.size() == 1 && parameter.key[0] == in.character) return &parameter;
  }
  return nullptr;
}

Actions choose_rung(In in) {
  const scenario::Scenario* here = scenario_of(in.catalog, in.state.settings);
  if (here == nullptr || in.state.settings.own) return {};
  const auto rungs = in.catalog.ladder_of(*here);
  const auto index = static_cast<std::size_t>(in.character - '1');
  return index < rungs.size() ? Actions{SelectScenario{rungs[index]->name}} : Actions{};
}

const scenario::ScenarioParameter* first_parameter(In in) {
  const scenario::Scenario* s = scenario_of(in.catalog, in.state.settings);
  return s == nullptr || s->parameters.empty() ? nullptr : parameters_in_order(*s).front();
}

Actions move_control(In in) {
  return {MoveControl{in.shift ? -1 : 1}};
}

constexpr Command kPictureCommands[] = {
    // Beside nothing, one access after another is played; on the workbench it plays or pauses.
    {"play", Focus::Picture, "Space", "help.play",
     [](In in) {
       return in.state.panels.none() && !in.state.present ? Actions{PlayNext{}}
                                                          : Actions{SetPlaying{!in.state.playback.playing}};
     }},
    {"control", Focus::Picture, "Tab", nullptr, move_control, "help.control", nullptr, "Tab  Enter"},
    {"count", Focus::Picture, "Q", "help.count", does<CountOut>},
    {"access_previous", Focus::Picture, "←", "help.access.previous", does<StepAccess, -1>, "help.access"},
    {"access_next", Focus::Picture, "→", "help.access.next", does<StepAccess, 1>, "help.access"},
    {"wavefront_previous", Focus::Picture, "Ctrl ←", "help.wavefront.previous", does<StepWavefront, -1>,
     "help.wavefront"},
    {"wavefront_next", Focus::Picture, "Ctrl →", "help.wavefront.next", does<StepWavefront, 1>,
     "help.wavefront"},
    {"line_previous", Focus::Picture, "Shift ←", "help.line.previous", does<StepLine, -1>, "help.line"},
    {"line_next", Focus::Picture, "Shift →", "help.line.next", does<StepLine, 1>, "help.line"},
    {"warp_previous", Focus::Picture, "↑", "help.warp.previous", does<StepWarp, -1>, "help.warp"},
    {"warp_next", Focus::Picture, "↓", "help.warp.next", does<StepWarp, 1>, "help.warp"},
    {"block_previous", Focus::Picture, "PgUp", "help.block.previous", does<StepBlock, -1>, "help.block"},
    {"block_next", Focus::Picture, "PgDn", "help.block.next", does<StepBlock, 1>, "help.block"},
    {"access_first", Focus::Picture, "Home", "help.ends.first", does<GoToEnd, false>, "help.ends"},
    {"access_last", Focus::Picture, "End", "help.ends.last", does<GoToEnd, true>, "help.ends"},
    // In class a digit is an answer, whether one is asked for now or has just been given.
    {"rung", Focus::Picture, "1 … 9", nullptr, choose_rung, "help.rung",
     [](In in) {
       return !in.state.classroom.active && !in.state.classroom.predicting && !takes_clicker(in.state);
     },
     "1 … 9"},
    {"rung_previous", Focus::Picture, "[", "help.rung.previous", does<StepRung, -1>, "help.next_rung"},
    {"rung_next", Focus::Picture, "]", "help.rung.next", does<StepRung, 1>, "help.next_rung"},
    // A scenario's own keys go before any other character of the picture: Shift comes with them.
    {"parameter", Focus::Parameter, "A … Z", nullptr,
     [](In in) {
       return Actions{StepParameter{parameter_of(in)->name, in.shift ? -1 : 1, in.held}};
     },
     "help.parameter", [](In in) { return parameter_of(in) != nullptr; }, "P X Y …"},
    {"value", Focus::Picture, "V", "help.value",
     [](In in) { return Actions{FocusField{std::string(kValueInput) + first_parameter(in)->name}}; }, nullptr,
     [](In in) { return first_parameter(in) != nullptr; }},
};

}  // namespace

std::span<const Command> picture_commands() {
  return kPictureCommands;
}

// The keys of the sheets and of one-line inputs. What is typed into an input is the input's own.
namespace {

constexpr int kLast = 1000;  // more rows than a list has

// Lessons and scenes have two lines a row.
template <int kSign>
Actions page(In in) {
  const bool high = in.state.classroom.list || in.state.lecturing.list;
  return {MoveSelection{kSign * (high ? 5 : 10)}};
}
bool types_nothing(In in) {
  return in.state.field.id.empty();
}

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
    {"list_up", Focus::List, "↑", nullptr, does<MoveSelection, -1>},
    {"list_down", Focus::List, "↓", nullptr, does<MoveSelection, 1>},
    {"list_page_up", Focus::List, "PgUp", nullptr, page<-1>},
    {"list_page_down", Focus::List, "PgDn", nullptr, page<1>},
    {"list_first", Focus::List, "Home", nullptr, does<MoveSelection, -kLast>, nullptr, types_nothing},
    {"list_last", Focus::List, "End", nullptr, does<MoveSelection, kLast>, nullptr, types_nothing},

    {"palette_close", Focus::Palette, "Esc", nullptr, does<ShowPalette, false>},
    {"palette_choose", Focus::Palette, "Enter", nullptr, does<ChooseCommand>},

    {"control_next", Focus::Control, "Tab", nullptr, move_control},
    {"control_press", Focus::Control, "Enter; Space", nullptr, does<PressControl>},
    {"control_leave", Focus::Control, "Esc", nullptr, does<SettleControl>},

    {"menu_close", Focus::Menu, "Esc; Tab", nullptr, [](In) { return Actions{ShowMenu{}}; }},
    {"menu_choose", Focus::Menu, "Enter; Space", nullptr, does<ChooseMenu>},

    {"chooser_close", Focus::Chooser, "Esc", nullptr, does<CloseDialog>},
    {"chooser_choose", Focus::Chooser, "Enter", nullptr, does<ChooseEntry>},
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
    {"share_copy", Focus::Share, "Ctrl C", nullptr, does<CopyLink>},
};

}  // namespace

std::span<const Command> sheet_commands() {
  return kSheetCommands;
}

// The kernel: its settings, its text, its files, its launch.
namespace {

// A chooser that is open already stays: another one would forget what is typed.
Actions open_file(In in) {
  return in.state.dialog && !in.state.dialog->saving ? Actions{} : Actions{ShowDialog{false}};
}
template <bool kAs>
Actions save(In in) {
  const Lecturing& lecturing = in.state.lecturing;
  const bool lists_scenes = lecturing.list && lecturing.lecture && !lecturing.lecture->scenes.empty();
  if (!kAs && !in.state.dialog && lists_scenes) return {SaveLecture{}};  // what is looked at
  return in.state.dialog && in.state.dialog->saving ? Actions{} : Actions{Save{kAs}};
}

bool is_own(In in) {
  return in.state.settings.own != nullptr;
}
bool has_index(In in) {
  return find_index(text_of(in.catalog, in.state.settings)).has_value();
}
constexpr const char* kIndexScenario = "index_expression";
bool may_type_index(In in) {
  return has_index(in) || in.catalog.find(kIndexScenario) != nullptr;
}
// Where the kernel has none, that of the gallery.
Actions type_index(In in) {
  if (has_index(in)) return {FocusField{kIndexInput}};
  return {SelectScenario{kIndexScenario}, FocusField{kIndexInput}};
}
Actions edit(In in) {
  return {SetEditing{!in.state.editing}};
}

constexpr Command kKernelCommands[] = {
    {"undo", Focus::Window, "Ctrl Z", "help.undo", does<Undo>},
    {"redo", Focus::Window, "Ctrl Y; Ctrl Shift Z", "help.redo", does<Redo>},
    {"edit", Focus::Picture, "E", "help.edit", edit, nullptr, nullptr, "E  F2"},
    {"edit_or_end", Focus::Window, "F2", nullptr, edit, "help.edit"},
    {"time_unit", Focus::Window, "Ctrl U", "help.time_unit",
     [](In in) {
       return Actions{
           SetTimeUnit{views::next_unit(scenario_of(in.catalog, in.state.settings), in.state.time_unit)}};
     }},
    {"margin", Focus::Picture, "F", "help.margin",
     [](In in) { return Actions{SetGridMargin{!in.state.grid_margin}}; }},
    {"open", Focus::Anywhere, "Ctrl O", "help.open", open_file},
    {"save", Focus::Anywhere, "Ctrl S", "help.save.here", save<false>, "help.save"},
    {"save_as", Focus::Anywhere, "Ctrl Shift S", "help.save.as", save<true>, "help.save"},
    {"share", Focus::Anywhere, "Ctrl E", "help.share",
     [](In in) { return Actions{ShowShare{!in.state.share}}; }},
    {"copy", Focus::Picture, "Ctrl C", nullptr, does<CopyLink>, "help.place", nullptr, "Ctrl C  Ctrl V"},
    {"paste", Focus::Picture, "Ctrl V", nullptr, [](In in) { return Actions{OpenPlace{in.clipboard.get()}}; },
     "help.place"},
    {"form", Focus::Picture, "L", "help.form", [](In in) { return Actions{ShowForm{!in.state.form}}; },
     nullptr, is_own},
    {"index", Focus::Picture, "I", "help.index", type_index, nullptr, may_type_index},
    {"stop", Focus::Window, "Ctrl .", "help.stop", [](In in) { return Actions{Halt{!in.state.halted}}; }},
    {"check", Focus::Window, "Ctrl K", "help.check", does<RunSanitizer>},
    {"as_compiled", Focus::Window, "Ctrl J", "help.as_compiled", does<CompileKernel>},
};

}  // namespace

std::span<const Command> kernel_commands() {
  return kKernelCommands;
}

}  // namespace warplens::app
