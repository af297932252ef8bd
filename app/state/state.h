// All that a person has chosen, as one value. What is seen is a function of it (see simulation.h):
//
//   input -> Action -> apply(State, Action) -> State -> derive -> Simulation -> scenes -> pixels
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "app/scene/scene.h"
#include "app/state/classroom.h"
#include "app/state/share_sheet.h"
#include "sim/launch/launch.h"
#include "sim/lesson/view_id.h"
#include "sim/memory/access.h"
#include "sim/scenario/scenario.h"

namespace warplens::app {

struct UserKernel;  // user_kernel.h
struct Lecture;     // lecture.h
struct Findings;    // findings.h
struct Diagnosis;
struct LoadedProfile;  // loaded_profile.h

// What the state asks of the world outside: files to be read, written, listed. apply() stays a function of
// values; others carry these out and answer with actions (files.h).

struct FileEntry {
  std::string name;
  bool is_folder = false;
  friend bool operator==(const FileEntry&, const FileEntry&) = default;
};

struct ReadFile {
  std::string path;
  std::vector<std::string> more = {};  // one after another
};
struct ListFolder {
  std::string folder;
};
struct WriteFile {
  std::string path, text;
  std::string known;  // what the file holds as far as the person knows, see fingerprint.h; empty: not known
  bool as = false;    // under a name just chosen: a file that is there is replaced only when that is known
};
struct WriteLecture {
  std::shared_ptr<const Lecture> lecture;
  WriteFile file;  // but for its text
};
struct ReadRecovery {};
struct DiscardRecovery {};
struct ListCommands {};  // for the palette, in the language of the state
struct CloseWindow {};   // unless something unsaved would be lost
struct RunCompiler {};   // the same, by a compiler of CUDA C++
struct MakeRound {};     // of the question on screen, in every language
struct MakeRace {};      // of the times of A and B
struct CopyLink {};      // to what is on screen, into the clipboard
struct OpenLink {
  std::string text;  // as pasted
};
struct KeepProgress {
  std::string lesson;
  LessonRecord record;
};

// The last ten are the app's own (app/desktop): they need pixels, the clipboard, the catalog or a GPU.
using Request = std::variant<ReadFile, ListFolder, WriteFile, WriteLecture, ReadRecovery, DiscardRecovery,
                             KeepProgress, ListCommands, ShareRequest, CopyFigure, AdoptFile, RunCompiler,
                             CloseWindow, MakeRound, MakeRace, CopyLink, OpenLink>;

// What undo brings back.
struct Settings {
  std::string scenario;                     // its name in the catalog
  scenario::ParameterValues values;         // of all its parameters
  std::shared_ptr<const std::string> text;  // edited kernel text; null: the file's own
  // A user's own file with its launch form; `text` is then never null, and `values` are those of the
  // form. Null: a scenario of the catalog.
  std::shared_ptr<const UserKernel> own = nullptr;
};
bool operator==(const Settings& a, const Settings& b);

// One access of a warp, told so that it is found again when the program changes: the `ordinal`-th time that
// the warp executes the `nth` site with this array, operation and space.
struct AccessId {
  std::string array;
  memory::Op op = memory::Op::Load;
  memory::Space space = memory::Space::Global;
  int nth = 0;
  int ordinal = 0;
  bool any = true;  // none has been chosen yet: the costliest
  int number = -1;  // not negative: the access of this number in the warp, whatever it is called
  // It comes from another kernel: where it is at its ideal here and others are not, the costliest of those.
  bool or_costlier = false;
  static AccessId numbered(int number) {
    AccessId access;
    access.any = false, access.number = number;
    return access;
  }
  friend bool operator==(const AccessId&, const AccessId&) = default;
};

inline constexpr int kLastAccess = 999'999'999;  // as a number: of those that there are, the last

// Where the user wants to look. Where that leads in the present program is a Place (simulation.h); a warp or
// an access that is not there now is kept here, so that turning a parameter back leads back.
struct Position {
  sim::Dim3 block{0, 0, 0};
  int warp = 0;
  AccessId access;
  int wavefront = 0;
  friend bool operator==(const Position&, const Position&) = default;
};

// A│B: both sides run through their warp, each in its share of what the slower kernel takes.
struct Race {
  double a = 0, b = 0;  // seconds that the kernels take, measured or recorded
  double done = 0;      // of the slower one's time, 0 to 1
  bool over() const { return done >= 1; }
  // How far a side is, 0 to 1, exactly; and what its picture shows, in steps that do not flash.
  double part(bool is_a) const;
  double shown(bool is_a) const;
};
inline constexpr double kRaceSeconds = 6;  // that the slower one is given

struct Playback {
  bool playing = false;
  double speed = 1;     // 1: an access takes kAccessSeconds
  double elapsed = 0;   // seconds in the present step
  bool frozen = false;  // paused in the middle of a motion: it stays where it is until something else is done
  bool one_access = false;  // it ends with the access looked at
  int slow_warp = 0;        // while the phases are followed: whose accesses take their time
  friend bool operator==(const Playback&, const Playback&) = default;
};
inline constexpr double kAccessSeconds = 1.6;
inline constexpr double kWavefrontSeconds = 0.34;  // nothing flashes three times a second
inline constexpr double kPhaseSeconds = 0.8;       // of an access while the phases are followed
inline constexpr double kOtherWarpsSeconds = 2;    // and of all accesses of the other warps together
inline constexpr double kSlowest = 0.125, kFastest = 32;

// A place in the text being edited; offsets in bytes, on boundaries of UTF-8 characters.
struct Caret {
  int offset = 0;
  int anchor = 0;  // the other end of the selection; equal to offset: nothing is selected
  friend bool operator==(const Caret&, const Caret&) = default;
};

struct Past : Settings {
  Position position;
  bool alone = false;  // A came with what followed, and goes with it
};

// The one-line input that has the keyboard: a field of the launch form, "index" (the index expression),
// "dialog" (the name typed into the file chooser), "value.pad" (a parameter's value), "block" (where to go).
// Empty: none.
inline constexpr const char* kDialogField = "dialog";
struct TextField {
  std::string id, text;
  std::string before;  // what Esc brings back
  friend bool operator==(const TextField&, const TextField&) = default;
};

// The file chooser.
struct FileDialog {
  bool saving = false;
  bool lecture = false;             // saving: the lecture, not the text
  std::string folder;               // absolute
  std::vector<FileEntry> entries;   // of the folder, those that fit; folders first
  std::vector<std::string> recent;  // files opened before, newest first; only for opening
  int selected = 0;                 // into shown_entries(); -1: what is typed
  Message trouble;                  // why the last choice could not be taken: {words} of trouble_key
  std::string trouble_key;          // of the languages
  std::string overwrite;            // this file is there; choosing it again replaces it
  std::string overwrite_found;      // as long as it holds this, see fingerprint.h
};
// A line of the chooser: a recent file, or an entry of the folder that fits what was typed.
struct ShownEntry {
  std::string path, label;
  bool is_folder = false, is_recent = false;
};
struct State;
std::vector<ShownEntry> shown_entries(const State& state);

// A list under a button, with the keyboard while it is open.
struct Menu {
  enum class Of : std::uint8_t { Rungs, Kernels, Launches, Pictures, Panels };
  Of of = Of::Rungs;
  int selected = 0;
  friend bool operator==(const Menu&, const Menu&) = default;
};

// One line under the top bar: what could not be done and why, or what was done.
struct Notice {
  std::string key;  // of the languages, with {words}
  Message words;
  bool bad = true;
  bool offers_recovery = false;
  bool asks_to_leave = false;  // what is unsaved would be lost
  // It goes by itself: after a while, or with what it is about.
  bool is_news() const { return !bad && !offers_recovery && !asks_to_leave; }
};

enum class Theme : std::uint8_t { Dark, Light };
// What stands around the picture on the workbench, each by itself. Without any the picture is alone, as when
// the program is opened for the first time.
enum class Panel : std::uint8_t { Source, Lanes, Access, Grid, Times };
inline constexpr std::array kPanelNames = {"source", "lanes", "access", "grid", "times"};
using Panels = std::bitset<kPanelNames.size()>;
inline bool has(const Panels& panels, Panel panel) {
  return panels.test(static_cast<std::size_t>(panel));
}
inline constexpr unsigned long kAllPanels = (1u << kPanelNames.size()) - 1;
// The workbench as it opens: lanes stand in the picture already, as a table they are asked for.
inline constexpr unsigned long kUsualPanels = kAllPanels & ~(1u << static_cast<unsigned>(Panel::Lanes));
// What the panel of the whole grid shows: the counts that say most, every counter, or the worst lines.
enum class GridTab : std::uint8_t { Totals, Counters, Lines };

// The matrix map in the panel of global memory: an array as rows and columns.
enum class MapScope : std::uint8_t { Warp, Block };  // whose visits are shown
struct MapView {
  std::string array;  // a kernel parameter; empty: that of the access looked at
  MapScope scope = MapScope::Block;
  bool moved = false;           // by a person; until then it is where the action is, see place_of_map()
  scene::MapPosition position;  // ... and not there
  friend bool operator==(const MapView&, const MapView&) = default;
};

// What the landscape's colours are of, over the whole grid. Usual: wavefronts where shared memory is used,
// else sectors.
enum class LandscapeMeasure : std::uint8_t { Usual, Wavefronts, Sectors };
struct CellValues {
  std::int64_t x = 0, y = 0;  // of the landscape's two parameters
  friend bool operator==(const CellValues&, const CellValues&) = default;
};
struct PlotView {
  MapView map;
  double timeline_zoom = 1;  // with the access looked at in its middle
  std::string x, y;          // parameters; empty: those that the scenario is about
  LandscapeMeasure measure = LandscapeMeasure::Usual;
  std::optional<CellValues> pointed;  // the cell under the pointer
  bool held = false;                  // the arrow keys move in the view, not from access to access
  std::string launch;                 // of the profile, by its ID; empty: the first that fits
  friend bool operator==(const PlotView&, const PlotView&) = default;
};

// The lecture that is open; what changes of it makes a new one.
struct Lecturing {
  std::shared_ptr<const Lecture> lecture;  // null: none
  int scene = -1;                          // gone to last; -1: none
  std::shared_ptr<const Lecture> before;   // its scenes were last changed; null: they were not
  bool unsaved = false;                    // it differs from its file
  bool notes = false;                      // those for the speaker are shown
  std::optional<int> list;                 // the sheet of scenes is open; the one selected
};

// Where the class was asked, to come back to with the truth.
struct AskedAt {
  Settings settings;
  Position position;
  std::string question;  // as key_of_question() has it
};

inline constexpr float kMiddle = 0.5f, kLeastPane = 0.2f;  // of A│B's width
// What is looked at and how: the part of the state that a session, a link and a scene of a lecture hold too.
struct OnScreen {
  Settings settings;
  std::optional<Settings> pinned;  // A│B: the settings pinned as A; `settings` are then B. See comparison.h
  bool paired = false;             // A was pinned by what made B, and is left with it by undo
  float divider = kMiddle;         // of the width that A and B share, A's part
  Position position;
  ViewId shown = ViewId::Memory;
  PlotView plot;
  bool optimised = false;  // measurements as optimised are looked at, not as written
  GridTab grid_tab = GridTab::Totals;
  scene::TimeUnit time_unit = scene::TimeUnit::Time;  // as chosen; see shown_unit() in app/views
  friend bool operator==(const OnScreen&, const OnScreen&) = default;
};

struct State : OnScreen {
  Playback playback;
  std::optional<Race> race;  // goes on while it is played, and its end stays until something else is done

  // How it is shown.
  Theme theme = Theme::Dark;
  std::string language = "en";
  bool present = false;
  std::shared_ptr<const LoadedProfile> profile;  // null: none was opened
  bool stills = false;                           // nothing moves, for users who prefer that
  bool help = false;                             // the sheet with all keys
  Panels panels{kUsualPanels};
  Panels workbench{kUsualPanels};  // what stood there last; never none
  float zoom = 1;                  // of everything, apart from the display's density
  int hovered_lane = -1;
  bool editing = false;
  Caret caret;
  bool form = false;  // the launch form is shown; only for a user's own kernel
  TextField field;
  std::optional<Menu> menu;
  // The control that the keyboard has come to, in the order in which they are drawn; below 0: from the last
  // one.
  std::optional<int> control;
  bool control_pressed = false;  // until it was drawn
  std::optional<FileDialog> dialog;
  std::optional<ShareSheet> share;
  std::string share_folder;  // where exports go, as typed; empty: the present folder
  std::optional<Notice> notice;
  std::optional<std::string> reading;          // the name of a file that is being read
  std::shared_ptr<const Findings> findings;    // null: not looked for yet
  std::shared_ptr<const Diagnosis> diagnosis;  // of some settings, which may be others by now; or null
  bool halted = false;                         // the simulation of these settings was stopped
  std::map<std::string, std::shared_ptr<const std::string>> on_disk;  // text of files as last read or written
  // Files that the person at the window opened or saved to. A name that came with a session is none of them,
  // and nothing is written there before it is chosen.
  std::set<std::string> chosen;
  std::map<std::string, std::string> told;  // what a changed file holds, see fingerprint.h, of which was told
  bool leaving = false;                     // the window closes, whatever is unsaved
  Classroom classroom;                      // lessons and predictions
  Lecturing lecturing;
  bool notes_apart = false;  // the speaker has a window: the notes are never on the stage
  Voting voting;             // of a class, on its question
  std::optional<AskedAt> asked_at;
  std::vector<Request> requests;  // to be done outside

  // Settings before and after the present ones, nearest last, with the access looked at. `gesture` names the
  // movement (a drag, a run of typing) that made the last change: the next change of the same movement joins
  // it.
  std::vector<Past> past, future;
  std::string gesture;
};

void show_view(State* state, ViewId view);

// The text differs from its file's.
bool is_edited(const State& state);

// What would mend the loss that the worst line has: found and proved by the simulator beside the frame
// (app/derive/fix_finder.h). It belongs to the settings it was looked for with, and is not shown beside
// others.

struct Fix {
  enum class Kind : std::uint8_t {
    Padding,     // a parameter, or the last extent of a shared array
    BlockShape,  // the block's sides
    Swapped,     // x and y of the indices
    Swizzle,     // the column of a shared array by its row
    Rung,        // another kernel of the same ladder
  };
  Kind kind = Kind::Padding;
  Settings settings;        // with the fix
  std::string name, value;  // of what changes: "pad", "1"; "", "32 × 8"; of a rung its scenario
  bool shared = false;      // the figures are wavefronts of shared memory, else sectors of global memory
  std::uint64_t before = 0, after = 0;  // over the whole grid
};

struct Diagnosis {
  Settings of;
  std::optional<Fix> fix;  // none: none of those tried helps
};

// Of the settings on screen, or null.
inline const Diagnosis* diagnosis_of(const State& state) {
  return state.diagnosis && state.diagnosis->of == state.settings ? state.diagnosis.get() : nullptr;
}

}  // namespace warplens::app
