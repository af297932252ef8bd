// What stands beside each other, how it is shown, and the window itself.
#include "app/input/commands.h"
#include "app/language/languages.h"
#include "app/readout/question.h"
#include "app/state/diagnosis.h"
#include "app/state/typed_value.h"

namespace warplens::app {
namespace {

// What lies over what is closed first.
Actions close_innermost(In in) {
  const State& s = in.state;
  if (s.help) return {SetHelp{false}};
  if (s.names) return {ShowNames{false}};
  if (s.notice) return {DismissNotice{}};
  if (s.editing) return {SetEditing{false}};
  if (s.map.held) return {HoldMap{false}};
  if (s.plot.held) return {HoldLandscape{false}};
  if (is_plot(s.shown)) return {ShowView{ViewId::Memory}};
  // Presenting is the stage that the comparison stands on.
  if (s.pinned) return {LeaveComparison{}};
  if (s.present) return {SetPresent{false}};
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
bool shows_map(In in) {
  return in.state.shown == ViewId::Map;
}
bool holds_map(In in) {
  return in.state.map.held;
}

// A tenth of what is in view, with Shift nearly all of it.
template <int kColumns, int kRows>
Actions pan(In in) {
  const double by = in.shift ? 0.9 : 0.1;
  return {PanMap{kColumns * by, kRows * by}};
}
Actions larger_map(In) {
  return {ZoomMap{2}};
}
Actions smaller_map(In) {
  return {ZoomMap{0.5}};
}
Actions next_scope(In in) {
  return {SetMapScope{static_cast<MapScope>((static_cast<int>(in.state.map.scope) + 1) % 3)}};
}

bool shows_profile(In in) {
  return in.state.shown == ViewId::Profile;
}

constexpr const char* kProfile = "help.profile";
constexpr const char* kView = "help.map_view";
constexpr const char* kHold = "help.map_hold";
constexpr Command kWindowCommands[] = {
    {"compare", Focus::Window, "F3", "help.compare",
     [](In in) { return is_comparing(in) ? Actions{LeaveComparison{}} : Actions{PinA{}}; }},
    {"compare_rungs", Focus::Window, "Shift F3", "help.compare_rungs", does<CompareRungs>},
    {"compare_with", Focus::Window, "Ctrl F3", "help.compare_with",
     show_palette<CommandPalette::Offer::Comparison>},
    {"swap", Focus::Window, "F4", "help.swap.both", does<SwapAB>, "help.swap", is_comparing},
    {"return_to_a", Focus::Window, "Shift F4", "help.swap.back", does<ReturnToA>, "help.swap", is_comparing},
    {"map", Focus::Window, "F10", "help.map.show", toggles<ViewId::Map>, "help.map"},
    {"map_scope", Focus::Window, "Shift F10", "help.map.scope", next_scope, "help.map", shows_map},
    {"map_larger", Focus::Map, "+; =", nullptr, larger_map, kView, shows_map},
    {"map_smaller", Focus::Map, "−", nullptr, smaller_map, kView, shows_map},
    {"map_all", Focus::Map, "0", nullptr, does<MoveMap>, kView, shows_map},
    {"map_find", Focus::Map, ".", nullptr, does<FindOnMap>, kView, shows_map},
    {"map_array", Focus::Map, "Tab", nullptr, [](In in) { return Actions{StepMapArray{in.shift ? -1 : 1}}; },
     kView, shows_map},
    {"map_hold", Focus::Map, "Enter", nullptr, [](In in) { return Actions{HoldMap{!in.state.map.held}}; },
     kHold, shows_map},
    {"map_left", Focus::Map, "←", nullptr, pan<-1, 0>, kHold, holds_map},
    {"map_right", Focus::Map, "→", nullptr, pan<1, 0>, kHold, holds_map},
    {"map_up", Focus::Map, "↑", nullptr, pan<0, -1>, kHold, holds_map},
    {"map_down", Focus::Map, "↓", nullptr, pan<0, 1>, kHold, holds_map},
    {"map_page_up", Focus::Map, "PgUp", nullptr, larger_map, nullptr, holds_map},
    {"map_page_down", Focus::Map, "PgDn", nullptr, smaller_map, nullptr, holds_map},
    {"show_fix", Focus::Window, "Ctrl D", "help.diagnosis.fix", does<ShowFix>, "help.diagnosis", has_fix},
    {"go_worst", Focus::Window, "Ctrl Shift D", "help.diagnosis.worst", does<GoToWorst>, "help.diagnosis",
     is_told},
    {"go_error", Focus::Window, "Ctrl Shift G", "help.go_error", does<GoToError>},
    {"go_block", Focus::Window, "Ctrl G", "help.go_block",
     [](In) { return Actions{FocusField{kBlockInput}}; }},
    {"phases", Focus::Window, "F11", "help.phases", toggles<ViewId::Phases>},
    {"reuse", Focus::Window, "Shift F11", "help.reuse",
     [](In in) { return Actions{ShowReuse{!in.state.reuse}}; }},
};
constexpr Command kStageCommands[] = {
    {"profile", Focus::Window, "Ctrl I", "help.profile.show", toggles<ViewId::Profile>, kProfile},
    {"profile_launch", Focus::Map, "Tab", nullptr,
     [](In in) { return Actions{StepProfileLaunch{in.shift ? -1 : 1}}; }, kProfile, shows_profile},
    {"why", Focus::Window, "Ctrl W", "help.why", toggles<ViewId::Why>},
    {"roofline", Focus::Window, "Ctrl Shift W", "help.roofline", toggles<ViewId::Roofline>},
    {"layout", Focus::Window, "Ctrl M", "help.layout", toggles<ViewId::Layout>},
    {"fragments", Focus::Window, "Ctrl Shift M", "help.fragments", toggles<ViewId::Fragments>},
    {"stills", Focus::Window, "F12", "help.stills",
     [](In in) { return Actions{SetStills{!in.state.stills}}; }},
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
    {"names", Focus::Anywhere, "Ctrl F1", "help.names",
     [](In in) { return Actions{ShowNames{!in.state.names}}; }},
    {"close", Focus::Window, "Esc", nullptr, close_innermost, "help.escape"},
    {"end_reading", Focus::Anywhere, "Esc", nullptr, does<EndReading>, nullptr,
     [](In in) { return in.state.reading.has_value(); }},
    {"quit", Focus::Anywhere, "Ctrl Q", "help.quit", does<Quit>},
};

}  // namespace

std::span<const Command> window_commands() {
  return kWindowCommands;
}

std::span<const Command> stage_commands() {
  return kStageCommands;
}

}  // namespace warplens::app
