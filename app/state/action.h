// Everything that can be done to the state, as values: keys, panels and the clock make them, apply() does
// them. What is asked of the world outside as it stands is one of them too (Request).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "app/scene/scene.h"
#include "app/state/state.h"

namespace warplens::app {

struct By {
  int by = 1;
};
struct Switch {
  bool on = true;
};
// A field of the state becomes this.
template <auto kField>
struct Set {
  std::remove_cvref_t<decltype(std::declval<State&>().*kField)> value{};
};

// ---- where to look ---------------------------------------------------------------------------------------
struct StepAccess : By {};
struct StepLine : By {};
struct StepWavefront : By {};
struct StepWarp : By {};
struct StepBlock : By {};
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
  sim::Dim3 block{0, 0, 0};
};

// ---- playing ---------------------------------------------------------------------------------------------
struct SetPlaying : Switch {};
struct PlayNext {};  // the next access, to its end; behind the last one the first
struct CountOut {    // what it counts lights up in the picture, one by one
  scene::Count what = scene::Count::Cost;
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
struct SetValues {  // of several parameters; undone together
  scenario::ParameterValues values;
};
struct StepParameter {
  std::string name;
  int by = 1;         // steps, or choices
  bool held = false;  // by a key that is held: those of it are undone together
};
struct SelectScenario {
  std::string name;
};
struct StepRung : By {};  // on the ladder
struct SetText {
  std::string text;
  Caret caret;
  std::string gesture;
};
// A user's own file, as read.
struct OpenText {
  std::string path, text;
  std::shared_ptr<const UserKernel> kernel =
      nullptr;           // what opened_kernel() makes of it; null: it is still to be asked
  bool is_part = false;  // of another file: none of this name was read
};
// A wish carried out: what the one was, the other is, wherever it stands.
struct KernelSettled {
  std::shared_ptr<const UserKernel> before, after;
};
// Settings as a whole, from a session's file.
struct TakeSettings {
  Settings settings;
  Position position;
  std::string path, on_disk;  // of a user's own kernel; or empty
  std::optional<Settings> pinned = std::nullopt;
  std::shared_ptr<const Lecture> lecture = nullptr;  // that is in it, with the scene gone to last
  int scene = -1;
  bool unsaved = false;  // the lecture is in no file
};
struct SetFormField {
  std::string field, text;  // as launch_form.h names them
  std::string gesture;
};
struct ChooseKernel {
  std::string kernel;
};
struct UseLaunch {
  int launch = 0;  // into FileFacts::launches
};
// The expression of the text's line `#define INDEX (...)`.
struct SetIndexExpression {
  std::string expression;
  std::string gesture;
};
struct Undo {};
struct Redo {};

// ---- A│B -------------------------------------------------------------------------------------------------
struct RunRace {};  // A│B, where both times are known; while it is run: ends it
struct TakeRace {
  Race race;
};
using MoveDivider = Set<&State::divider>;  // A│B's; at least kLeastPane from either side
struct PinA {};                            // the present settings become A; what changes from now on is B
struct CompareRungs {};  // A becomes the rung that one came from, with the values that one would go back with
struct SwapAB {};
struct ReturnToA {};  // B becomes as A is
struct LeaveComparison {};
struct LookAt {  // a place of A's, by its name
  Position position;
};

// ---- which view stands in the place of the memory of one access -------------------------------------------
struct ShowView {
  ViewId view = ViewId::Memory;
};
struct HoldView : Switch {};  // gives it the arrow keys, where it takes them

// ---- the matrix map ---------------------------------------------------------------------------------------
struct SetMapArray {
  std::string array;  // empty: that of the access looked at
};
struct StepMapArray : By {};
struct SetMapScope {
  MapScope scope = MapScope::Block;
};
struct MoveMap {  // to there
  scene::MapPosition position;
};
struct ZoomMap {  // about the middle of the view
  double factor = 2;
};
struct PanMap {  // by parts of what is in view
  double columns = 0, rows = 0;
};
struct FindOnMap {};  // the access looked at comes into the middle

// ---- the block's timeline, and the landscape of two parameters --------------------------------------------
struct TakeProfile {  // as read: it is shown, where it has a launch of the kernel on screen
  std::shared_ptr<const LoadedProfile> profile;
};
struct StepProfileLaunch : By {};  // to the next launch of the same kernel
struct ZoomTimeline {              // about the access looked at
  double factor = 2;               // 0: to all of it
};
struct GoToAccess {  // of any warp of the block
  int warp = 0;
  int event = 0;  // of the warp
};
struct SetLandscapeAxes {  // empty: the scenario's own
  std::string x, y;
};
struct StepLandscapeAxis {  // to the next parameter
  bool down = false;        // of the axis that goes downwards
  int by = 1;
};
struct SetLandscapeMeasure {
  LandscapeMeasure measure = LandscapeMeasure::Usual;
};
struct PointAtCell {
  std::optional<CellValues> cell;
};
struct GoToCell {  // both parameters become these; undone together
  CellValues cell;
};

// ---- motion -----------------------------------------------------------------------------------------------
using SetStills = Set<&State::stills>;

// ---- how it is shown -------------------------------------------------------------------------------------
using SetTheme = Set<&State::theme>;
using SetLanguage = Set<&State::language>;
struct SetPresent : Switch {};
// What stands around the picture. None: what stood there goes, or comes back.
struct ShowPanels {
  std::optional<Panels> panels;
};
struct TogglePanel {
  Panel panel = Panel::Source;
};
// What the bars of the measured times say.
using SetTimeUnit = Set<&State::time_unit>;
// Which measurement is looked at: of the kernel as written, or as the compiler likes it.
using SetOptimised = Set<&State::optimised>;
using SetGridTab = Set<&State::grid_tab>;
struct SetHelp : Switch {};
struct MoveControl {  // by Tab, from one control to the next
  int by = 1;
};
struct PressControl {};
struct SettleControl {  // as drawn: the panels know how many controls there are
  std::optional<int> control;
};
struct SetZoom {
  float zoom = 1;
};
using HoverLane = Set<&State::hovered_lane>;
struct SetEditing : Switch {};
struct SetCaret {
  Caret caret;
};
struct ShowForm : Switch {};
// A one-line input takes the keyboard, is typed into, and gives it back. What is typed counts at once.
struct FocusField {
  std::string id;
};
struct EditField {
  std::string text;
};
struct LeaveField {
  bool keep = true;   // false: as it was before
  bool away = false;  // a click elsewhere: what cannot be taken is dropped, and not waited for
};
struct NextField : By {};
struct MoveSelection : By {};  // in the list that is open: palette, files, a menu, exports, scenes
// The list under a button opens or closes, is walked through, and an entry of it is done.
struct ShowMenu {
  std::optional<Menu::Of> of;
};
struct ChooseMenu {
  int entry = -1;  // -1: the selected one
};

// ---- files -----------------------------------------------------------------------------------------------
struct ShowDialog {
  bool saving = false;
  bool lecture = false;  // it is saved, not the text
};
struct CloseSheet {};  // whichever lies over the window, or the list under a button
struct SelectEntry {
  int entry = 0;
};
struct ChooseEntry {};  // the selected one, or what is typed
struct GoToParent {};
struct ShowFolder {  // as it was found
  std::string folder;
  std::vector<FileEntry> entries;
  std::vector<std::string> recent;
};
struct OpenPath {
  std::string path;
  std::vector<std::string> more = {};  // that were dropped with it
};
struct EndReading {};  // what is being read has come, or is not wanted any more
struct Save {
  bool as = false;  // under another name
};
struct WasSaved {
  std::string path, text;
};
struct CouldNotSave {
  std::string path;
  std::string key;  // of the languages, with {words}
  Message words;
  std::string found;  // what the file holds, see fingerprint.h: saving again replaces it; empty: it cannot be
};
struct ShowNotice {
  Notice notice;
};
struct DismissNotice {};
struct Leave {};  // the window closes, whatever is unsaved

// ---- in class --------------------------------------------------------------------------------------------
struct OpenLesson {  // of the catalog
  std::string name;
};
struct TakeLesson {  // of the catalog or the user's own
  std::shared_ptr<const lesson::Lesson> lesson;
};
struct LeaveLesson {};
// The one after this in the course; after the last, or after the user's own, the list.
struct NextLesson {};
struct StepLesson : By {};
struct GoToLessonStep {
  int step = 0;  // as many as there are steps: the challenge
};
struct PutBack {};  // settings and place as the step began
struct ShowHint {};
struct SetPredicting : Switch {};
struct NextQuestion : By {};
struct SetGuess {
  std::string typed;
  int chosen = -1;
};
struct MarkPlace {  // or takes the mark away
  int place = 0;
};
struct MovePlace : By {};
struct LockGuess {};
struct LessonAnswered {  // by the simulator
  std::shared_ptr<const lesson::Lesson> lesson;
  int step = 0;
  std::optional<std::int64_t> answer;
  std::vector<Message> trouble;
};
struct LessonGraded {
  std::shared_ptr<const lesson::Lesson> lesson;
  std::shared_ptr<const lesson::Grade> grade;
  std::vector<Message> trouble;
};
struct ShowTour : Switch {};
struct ShowPalette {
  CommandPalette::Offer offer = CommandPalette::Offer::Commands;
};
struct TakeCommands {
  std::shared_ptr<const PaletteEntries> entries;
};
struct ChooseCommand {
  int entry = -1;  // of those that fit; -1: the selected one
};
struct TakeProgress {  // as kept in the state folder
  Progress progress;
};

// ---- a class that votes (voting.h) -----------------------------------------------------------------------
struct AskClass {};  // the question on screen, by a vote that opens at once; one that is open is begun anew
struct TakeRound {   // as it was made for the question on screen
  vote::Round round;
  std::optional<std::int64_t> truth;  // not known yet: the simulator is at it
};
struct MoveRound {
  vote::Move what = vote::Move::Close;
};
struct EndRound {};    // what it showed goes; it is kept
struct LeaveClass {};  // nobody may come any more
struct TakeNetwork {   // how phones are doing
  ClassNetwork network;
};
struct TakeVotes {
  std::string ballot;
  vote::Counts counts;
  bool last = false;  // of a round that was just revealed: no more will come
};
struct PickAddress : By {};
struct TestNetwork {};
struct TypeHand {  // a digit of an answer, or of how many hands it has
  char digit = '0';
};
struct NextHand {};  // from the answer to its hands, and from these to the next answer
struct EraseHand {};

// ---- lectures (lecture.h) --------------------------------------------------------------------------------
struct TakeLecture {  // from its file; it begins
  std::shared_ptr<const Lecture> lecture;
};
struct KeepScene {};     // what is on screen becomes the scene after the present one
struct ReplaceScene {};  // ... takes the place of the one selected
struct GoToScene {
  int scene = 0;
};
struct StepScene : By {};
struct MoveScene : By {};  // the one selected, among the others
struct RemoveScene {};     // the one selected
struct UndoScenes {};      // the lecture as it was before the last change of its scenes
struct ShowScenes : Switch {};
struct ShowNotes : Switch {};
struct SaveLecture {};
struct LectureSaved {
  std::string path, fingerprint;
};

// ---- exports and the text of a place (share_sheet.h) ----

struct ShowShare : Switch {};
struct ChooseShare {
  int row = 0, column = 0;
};
struct Export {};  // what is chosen
struct OpenPlace {
  std::string text;  // as pasted
};
struct Link;  // link.h
struct TakeLink {
  std::shared_ptr<const Link> link;  // of which the lesson is opened by actions of its own
  bool pasted = false;               // which is told
};

// ---- checking the kernel on a GPU -------------------------------------------------------------------------
struct CompileKernel {};  // as a compiler leaves it, A│B; of what was compiled so: back to the text
struct TakeCompiled {
  Settings of, compiled;
};
using TakeFindings = Set<&State::findings>;

// ---- what is wrong, and what would mend it
// ---------------------------------------------------
using TakeDiagnosis = Set<&State::diagnosis>;
struct ShowFix {};    // A│B: as it is, and with the fix
struct GoToWorst {};  // the costliest access of the line that loses most
struct GoToError {    // the thread with which the run went wrong
  bool says = true;   // so, in a notice
};

// ---- work beside the frame -------------------------------------------------------------------------------
using Halt = Set<&State::halted>;  // false: go on with it

using ActionValue = std::variant<
    StepAccess, StepLine, StepWavefront, StepWarp, StepBlock, GoToEnd, GoToEvent, GoToLine, GoToWarp,
    GoToBlock, SetPlaying, SetSpeed, Tick, SetParameter, SetValues, StepParameter, SelectScenario, StepRung,
    SetText, Undo, Redo, SetTheme, SetLanguage, SetPresent, SetOptimised, SetTimeUnit, SetGridTab, SetHelp,
    MoveControl, PressControl, SettleControl, SetZoom, HoverLane, SetEditing, SetCaret, ShowPanels,
    TogglePanel, PlayNext, CountOut, OpenText, TakeSettings, SetFormField, ChooseKernel, UseLaunch,
    SetIndexExpression, ShowForm, FocusField, EditField, LeaveField, NextField, ShowDialog, CloseSheet,
    SelectEntry, MoveSelection, ChooseEntry, GoToParent, ShowFolder, OpenPath, Save, WasSaved, CouldNotSave,
    ShowNotice, DismissNotice, ReadRecovery, DiscardRecovery, CloseWindow, Leave, Halt, OpenLesson,
    TakeLesson, LeaveLesson, NextLesson, StepLesson, GoToLessonStep, PutBack, ShowHint, SetPredicting,
    NextQuestion, SetGuess, MarkPlace, MovePlace, LockGuess, LessonAnswered, LessonGraded, TakeProgress,
    ShowTour, ShowPalette, TakeCommands, ChooseCommand, PinA, MoveDivider, RunRace, TakeRace, CompareRungs,
    SwapAB, ReturnToA, LeaveComparison, LookAt, ShowView, SetMapArray, StepMapArray, SetMapScope, MoveMap,
    ZoomMap, FindOnMap, SetStills, PanMap, HoldView, CompileKernel, TakeCompiled, TakeFindings, KernelSettled,
    EndReading, TakeProfile, StepProfileLaunch, ZoomTimeline, GoToAccess, SetLandscapeAxes, StepLandscapeAxis,
    SetLandscapeMeasure, PointAtCell, GoToCell,
    // a class that votes
    AskClass, TakeRound, MoveRound, EndRound, LeaveClass, TakeNetwork, TakeVotes, PickAddress, TestNetwork,
    TypeHand, NextHand, EraseHand,
    // lectures
    TakeLecture, KeepScene, ReplaceScene, GoToScene, StepScene, MoveScene, RemoveScene, UndoScenes,
    ShowScenes, ShowNotes, SaveLecture, LectureSaved,
    // getting about
    ShowMenu, ChooseMenu, TakeDiagnosis, ShowFix, GoToWorst, GoToError,
    // exports
    ShowShare, ChooseShare, Export, ShareTold, AdoptFile, CopyLink, OpenPlace, TakeLink>;

template <typename T, typename Variant>
inline constexpr std::size_t kPlaceIn = 0;  // counted from 1; 0: not one of them
template <typename T, typename... Ts>
inline constexpr std::size_t kPlaceIn<T, std::variant<Ts...>> = [] {
  std::size_t place = 0, at = 0;
  ((++at, place = std::is_same_v<T, Ts> ? at : place), ...);
  return place;
}();

// One of them, which never changes: copies share it. Made, and destroyed, in one file: a variant of so many
// types costs the compiler dearly wherever it is made, copied or moved.
class Action {
 public:
  template <typename T>
  requires(kPlaceIn<T, ActionValue> > 0) Action(T action)
      : Action(kPlaceIn<T, ActionValue> - 1, &action) {}  // NOLINT: an action is its value

  const ActionValue& value() const { return *value_; }
  template <typename T>
  const T* as() const {  // null: another one
    return std::get_if<T>(value_.get());
  }

 private:
  Action(std::size_t index, void* action);  // moves from it
  std::shared_ptr<const ActionValue> value_;
};
using Actions = std::vector<Action>;

}  // namespace warplens::app
