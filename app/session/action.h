// Everything that can be done to the state, as values: keys, panels and the clock make them, apply() does
// them.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "app/session/state.h"

namespace warplens::session {

// ---- where to look ---------------------------------------------------------------------------------------
struct StepAccess {
  int by = 1;
};
struct StepLine {
  int by = 1;
};
struct StepWavefront {
  int by = 1;
};
struct StepWarp {
  int by = 1;
};
struct StepBlock {
  int by = 1;
};
struct GoToEnd {
  bool last = false;
};
struct GoToEvent {
  int event = 0;
  int wavefront = 0;
};
struct GoToLine {
  int line = 1;  // its first access after the present one, or its first
};
struct GoToWarp {
  int warp = 0;
};
struct GoToBlock {
  warp::Dim3 block{0, 0, 0};
};

// ---- playing ---------------------------------------------------------------------------------------------
struct SetPlaying {
  bool playing = true;
};
struct SetSpeed {
  double speed = 1;
};
struct Tick {
  double seconds = 0;
};

// ---- settings (undoable) ---------------------------------------------------------------------------------
struct SetParameter {
  std::string name;
  std::int64_t value = 0;  // clamped to the parameter's range or nearest choice
  std::string gesture;     // not empty: changes of one gesture are undone together
};
struct StepParameter {
  std::string name;
  int by = 1;  // steps, or choices
};
struct SelectScenario {
  std::string name;
};
struct StepRung {
  int by = 1;  // on the ladder
};
struct SetText {
  std::string text;
  Caret caret;
  std::string gesture;
};
struct RevertText {};
struct Undo {};
struct Redo {};

// ---- how it is shown -------------------------------------------------------------------------------------
struct SetTheme {
  Theme theme = Theme::Dark;
};
struct SetLanguage {
  std::string language;
};
struct SetPresent {
  bool present = true;
};
// Which measurement is looked at: of the kernel as written, or as the compiler likes it.
struct SetOptimised {
  bool optimised = true;
};
struct SetGridTab {
  GridTab tab = GridTab::Totals;
};
struct SetHelp {
  bool help = true;
};
struct SetZoom {
  float zoom = 1;
};
struct HoverLane {
  int lane = -1;
};
struct SetEditing {
  bool editing = true;
};
struct SetCaret {
  Caret caret;
};
struct DismissHint {};

using Action =
    std::variant<StepAccess, StepLine, StepWavefront, StepWarp, StepBlock, GoToEnd, GoToEvent, GoToLine,
                 GoToWarp, GoToBlock, SetPlaying, SetSpeed, Tick, SetParameter, StepParameter, SelectScenario,
                 StepRung, SetText, RevertText, Undo, Redo, SetTheme, SetLanguage, SetPresent, SetOptimised,
                 SetGridTab, SetHelp, SetZoom, HoverLane, SetEditing, SetCaret, DismissHint>;
using Actions = std::vector<Action>;

}  // namespace warplens::session
