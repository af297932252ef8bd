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
  if (s.plot.held) return {HoldView{false}};
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
bool shows_profile(In in) {
  return in.state.shown == ViewId::Profile;
}

constexpr const char* kProfile = "help.profile";
constexpr Command kWindowCommands[] = {
    {"compare", Focus::Window, "F3", "help.compare",
     [](In in) { return is_comparing(in) ? Actions{LeaveComparison{}} : Actions{PinA{}}; }},
    {"compare_rungs", Focus::Window, "Shift F3", "help.compare_rungs", does<CompareRungs>},
    {"compare_with", Focus::Window, "Ctrl F3", "help.compare_with",
     show_palette<CommandPalette::Offer::Comparison>},
    {"swap", Focus::Window, "F4", "help.swap.both", does<SwapAB>, "help.swap", is_comparing},
    {"return_to_a", Focus::Window, "Shift F4", "help.swap.back", does<ReturnToA>, "help.swap", is_comparing},
    {"show_fix", Focus::Window, "Ctrl D", "help.diagnosis.fix", does<ShowFix>, "help.diagnosis", has_fix},
    {"go_worst", Focus::Window, "Ctrl Shift D", "help.diagnosis.worst", does<GoToWorst>, "help.diagnosis",
     is_told},
    {"go_error", Focus::Window, "Ctrl Shift G", "help.go_error", does<GoToError>},
    {"go_block", Focus::Window, "Ctrl G", "help.go_block",
     [](In) { return Actions{FocusField{kBlockInput}}; }},
};
constexpr Command kStageCommands[] = {
    {"profile", Focus::Window, "Ctrl I", "help.profile.show", toggles<ViewId::Profile>, kProfile},
    {"profile_launch", Focus::Map, "Tab", nullptr,
     [](In in) { return Actions{StepProfileLaunch{in.shift ? -1 : 1}}; }, kProfile, shows_profile},
    {"why", Focus::Window, "Ctrl W", "help.why", toggles<ViewId::Why>},
    {"roofline", Focus::Window, "Ctrl Shift W", "help.roofline", toggles<ViewId::Roofline>},
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
