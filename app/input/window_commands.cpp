// What stands beside each other, how it is shown, and the window itself.
#include <algorithm>

#include "app/input/commands.h"
#include "app/input/palette.h"
#include "app/language/strings.h"
#include "app/readout/question.h"
#include "app/source/text_fixes.h"
#include "app/state/catalog.h"
#include "app/state/state.h"
#include "app/state/teaching.h"
#include "app/views/times.h"
#include "app/views/views.h"

namespace warplens::app {
namespace {

constexpr char kLeaveStage[] = "idle.stage", kNoFix[] = "idle.fix", kNoPicture[] = "idle.picture";
template <const char* kKey>
Actions says(In) {
  return {ShowNotice{{kKey, {}, false, false}}};
}

// What lies over what is closed first.
Actions close_innermost(In in) {
  const State& s = in.state;
  if (s.help) return {CloseSheet{}};
  if (s.notice && !(s.editing && s.notice->is_news())) return {DismissNotice{}};
  if (s.editing) return {SetEditing{false}};
  if (s.plot.held) return {HoldView{false}};
  const LectureScene* scene = scene_at(s);
  const bool is_of_scene = s.present && scene != nullptr && scene->view.shown == s.shown;
  if (s.shown != ViewId::Memory && !is_of_scene) return {ShowView{ViewId::Memory}};
  // Presenting is the stage that the comparison stands on.
  if (s.pinned) return {LeaveComparison{}};
  if (s.present) return says<kLeaveStage>(in);  // by its own key alone
  return {};
}

// The same key opens the list and closes it.
template <CommandPalette::Offer kOffer>
Actions show_palette(In in) {
  const auto& palette = in.state.classroom.palette;
  if (palette && palette->offer == kOffer) return {CloseSheet{}};
  return {ShowPalette{kOffer}};
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
    {"workbench", Focus::Picture, "W", "help.workbench",
     [](In in) { return is_comparing(in) ? says<kNoPicture>(in) : Actions{ShowPanels{}}; }},
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
    {"scenarios", Focus::Anywhere, "Ctrl K", "help.scenarios",
     show_palette<CommandPalette::Offer::Scenarios>},
    {"tour", Focus::Anywhere, "Shift F1", "help.tour", does<ShowTour, true>},
    {"help", Focus::Anywhere, "F1", "help.help", [](In in) { return Actions{SetHelp{!in.state.help}}; }},
    {"close", Focus::Window, "Esc", nullptr, close_innermost, "help.escape"},
    {"end_reading", Focus::Anywhere, "Esc", nullptr, does<EndReading>, nullptr,
     [](In in) { return in.state.reading.has_value(); }},
    {"quit", Focus::Anywhere, "Ctrl Q", "help.quit", does<CloseWindow>},
};

// Stepping and playing, the ladder, the parameters.

const scenario::ScenarioParameter* parameter_of(In in) {
  const scenario::Scenario* s = scenario_of(in.catalog, in.state.settings);
  if (s == nullptr) return nullptr;
  for (const scenario::ScenarioParameter& parameter : s->parameters) {
    if (parameter.key.size() == 1 && parameter.key[0] == in.character) return &parameter;
  }
  return nullptr;
}

Actions choose_rung(In in) {
  const auto rungs = rungs_of(in.state, in.catalog);
  const auto index = static_cast<std::size_t>(in.character - '1');
  return index < rungs.size() ? Actions{rungs[index].chosen} : Actions{};
}

const scenario::ScenarioParameter* first_parameter(In in) {
  const scenario::Scenario* s = scenario_of(in.catalog, in.state.settings);
  return s == nullptr || s->parameters.empty() ? nullptr : parameters_in_order(*s).front();
}

Actions move_control(In in) {
  return {MoveControl{in.shift ? -1 : 1}};
}

bool is_desk(In in) {
  return !in.state.present;
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
    {"block_previous", Focus::Picture, "PgUp", "help.block.previous", does<StepBlock, -1>, "help.block",
     is_desk},
    {"block_next", Focus::Picture, "PgDn", "help.block.next", does<StepBlock, 1>, "help.block", is_desk},
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

// The keys of the sheets and of one-line inputs. What is typed into an input is the input's own.

constexpr int kLast = 1000;  // more rows than a list has

bool types_nothing(In in) {
  return in.state.field.id.empty();
}
template <int kBy>
Actions choose_format(In in) {
  return {ChooseShare{in.state.share->row, in.state.share->column + kBy}};
}

constexpr Command kSheetCommands[] = {
    {"list_close", Focus::List, "Esc", nullptr, does<CloseSheet>},
    {"list_up", Focus::List, "↑", nullptr, does<MoveSelection, -1>},
    {"list_down", Focus::List, "↓", nullptr, does<MoveSelection, 1>},
    {"list_page_up", Focus::List, "PgUp", nullptr, does<MoveSelection, -10>},
    {"list_page_down", Focus::List, "PgDn", nullptr, does<MoveSelection, 10>},
    {"list_first", Focus::List, "Home", nullptr, does<MoveSelection, -kLast>, nullptr, types_nothing},
    {"list_last", Focus::List, "End", nullptr, does<MoveSelection, kLast>, nullptr, types_nothing},

    {"palette_choose", Focus::Palette, "Enter", nullptr, does<ChooseCommand>},

    {"control_next", Focus::Control, "Tab", nullptr, move_control},
    {"control_press", Focus::Control, "Enter; Space", nullptr, does<PressControl>},
    {"control_leave", Focus::Control, "Esc", nullptr, does<SettleControl>},

    {"menu_close", Focus::Menu, "Tab", nullptr, does<CloseSheet>},
    {"menu_choose", Focus::Menu, "Enter; Space", nullptr, does<ChooseMenu>},

    {"chooser_choose", Focus::Chooser, "Enter", nullptr, does<ChooseEntry>},
    {"chooser_parent", Focus::Chooser, "Backspace", nullptr, does<GoToParent>, nullptr,
     [](In in) { return in.state.field.text.empty(); }},

    {"field_leave", Focus::Field, "Esc", nullptr, does<LeaveField, false>},
    {"field_keep", Focus::Field, "Enter", nullptr, does<LeaveField, true>},
    {"field_next", Focus::Field, "Tab ↓", nullptr, does<NextField, 1>},
    {"field_previous", Focus::Field, "Shift Tab, ↑", nullptr, does<NextField, -1>},

    {"share_write", Focus::Share, "Enter; Space", nullptr, does<Export>},
    {"share_left", Focus::Share, "←", nullptr, choose_format<-1>},
    {"share_right", Focus::Share, "→", nullptr, choose_format<1>},
    {"share_folder", Focus::Share, "Tab", nullptr, [](In) { return Actions{FocusField{kShareFolder}}; }},
    {"share_copy", Focus::Share, "Ctrl C", nullptr, does<CopyLink>},
};

// The kernel: its settings, its text, its files, its launch.

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

// The stage has no form.
bool has_form(In in) {
  return in.state.settings.own != nullptr && !in.state.present;
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
    {"open", Focus::Anywhere, "Ctrl O", "help.open", open_file},
    {"save", Focus::Anywhere, "Ctrl S", "help.save.here", save<false>, "help.save"},
    {"save_as", Focus::Anywhere, "Ctrl Shift S", "help.save.as", save<true>, "help.save"},
    {"share", Focus::Anywhere, "Ctrl E", "help.share",
     [](In in) { return Actions{ShowShare{!in.state.share}}; }},
    {"copy", Focus::Picture, "Ctrl C", nullptr, does<CopyLink>, "help.place", nullptr, "Ctrl C  Ctrl V"},
    {"paste", Focus::Picture, "Ctrl V", nullptr, [](In in) { return Actions{OpenPlace{in.clipboard.get()}}; },
     "help.place"},
    {"form", Focus::Picture, "L", "help.form", [](In in) { return Actions{ShowForm{!in.state.form}}; },
     nullptr, has_form},
    {"index", Focus::Picture, "I", "help.index", type_index, nullptr, may_type_index},
    {"stop", Focus::Window, "Ctrl .", "help.stop", [](In in) { return Actions{Halt{!in.state.halted}}; }},
    {"as_compiled", Focus::Window, "Ctrl J", "help.as_compiled", does<CompileKernel>},
};

// ---- Lessons, predictions and the tour.

// ---- lessons ----------------------------------------------------------------------------------------------

bool in_lesson(In in) {
  return in.state.classroom.active.has_value();
}
// Not where the same keys choose text.
bool steps_lesson(In in) {
  return in_lesson(in) && !in.state.editing;
}
bool is_passed(In in) {
  return in_lesson(in) && in.state.classroom.active->was_passed();
}
bool may_go_on(In in) {
  return in_lesson(in) && (!in.state.classroom.active->in_challenge() || is_passed(in));
}

// ---- predictions and questions ----------------------------------------------------------------------------

bool is_predicting(In in) {
  return in.state.classroom.predicting.has_value();
}
// An answer is being given.
bool is_asked(In in) {
  const Guess* guess = guess_of(in.state.classroom);
  return guess != nullptr && !guess->locked;
}
std::size_t choices_of(In in) {
  const Classroom& c = in.state.classroom;
  return c.predicting ? 0 : c.active->prediction()->choices.size();
}
const std::string& typed(In in) {
  return guess_of(in.state.classroom)->typed;
}
bool is_marking(In in) {
  return is_asked(in) && is_drawn(in.state);
}
bool is_typing(In in) {
  return is_asked(in) && !is_drawn(in.state);
}
bool takes_minus(In in) {
  return is_typing(in) && choices_of(in) == 0 && typed(in).empty();
}

Actions answer(In in) {
  const std::size_t choices = choices_of(in);
  if (choices == 0) return {SetGuess{typed(in) + in.character, -1}};
  const int chosen = in.character - '1';
  if (chosen < 0 || chosen >= static_cast<int>(choices)) return {};
  return {SetGuess{{}, chosen}};
}
Actions erase_digit(In in) {
  return {SetGuess{typed(in).substr(0, typed(in).size() - (typed(in).empty() ? 0 : 1)), -1}};
}
// Locks an answer; locked, it goes on.
Actions confirm(In in) {
  if (is_asked(in)) return {LockGuess{}};
  // In a lecture it is the clicker's next, and nothing else.
  if (is_predicting(in)) return takes_clicker(in.state) ? Actions{StepScene{1}} : Actions{StepAccess{1}};
  return is_passed(in) ? Actions{NextLesson{}} : Actions{StepLesson{1}};
}

constexpr const char* kAnswer = "help.answer";
// Before a class one key by mistake tells no answer.
constexpr const char* kLeaveQuestion = "class.leave";
Actions leave_question(In in) {
  const bool open = in.state.present && !in.state.classroom.predicting->guess.locked;
  const auto& notice = in.state.notice;
  if (open && !(notice && notice->key == kLeaveQuestion))
    return {ShowNotice{{kLeaveQuestion, {}, false, false}}};
  return {SetPredicting{false}, DismissNotice{}};
}

constexpr Command kLessonCommands[] = {
    {"lessons", Focus::Anywhere, "F8", "help.lessons", show_palette<CommandPalette::Offer::Lessons>},
    {"lesson_previous", Focus::Lesson, "Shift PgUp", "help.lesson_step.previous", does<StepLesson, -1>,
     "help.lesson_step", steps_lesson},
    {"lesson_next", Focus::Lesson, "Shift PgDn", "help.lesson_step.next", does<StepLesson, 1>,
     "help.lesson_step", steps_lesson},
    {"lesson_after", Focus::Lesson, "Ctrl F8", "help.lesson_after", does<NextLesson>, "help.lesson_step",
     in_lesson},
    {"lesson_hint", Focus::Lesson, "Ctrl H", "help.lesson_hint", does<ShowHint>, nullptr, in_lesson},
    {"lesson_back", Focus::Lesson, "Ctrl R", "help.lesson_back", does<PutBack>, nullptr, in_lesson},
    {"lesson_leave", Focus::Anywhere, "Shift F8", "help.lesson_leave", does<LeaveLesson>, nullptr, in_lesson},
    {"predict", Focus::Anywhere, "F9", "help.predict",
     [](In in) { return Actions{SetPredicting{!in.state.classroom.predicting}}; }},
    {"answer", Focus::Question, "0 … 9", nullptr, answer, kAnswer, is_typing, "0 … 9  Enter"},
    {"answer_minus", Focus::Question, "−", nullptr, answer, kAnswer, takes_minus},
    {"answer_erase", Focus::Question, "Backspace", nullptr, erase_digit, kAnswer, is_typing},
    {"answer_confirm", Focus::Question, "Enter", nullptr, confirm, kAnswer,
     [](In in) { return is_asked(in) || is_predicting(in) || may_go_on(in); }},
    {"mark_previous", Focus::Question, "←", nullptr, does<MovePlace, -1>, nullptr, is_marking},
    {"mark_next", Focus::Question, "→", nullptr, does<MovePlace, 1>, nullptr, is_marking},
    {"mark_above", Focus::Question, "↑", nullptr, does<MovePlace, -8>, nullptr, is_marking},
    {"mark_below", Focus::Question, "↓", nullptr, does<MovePlace, 8>, nullptr, is_marking},
    {"mark", Focus::Question, "Space", nullptr,
     [](In in) { return Actions{MarkPlace{guess_of(in.state.classroom)->at}}; }, nullptr, is_marking},
    {"question", Focus::Question, "Tab", "help.question",
     [](In in) { return Actions{NextQuestion{in.shift ? -1 : 1}}; }, nullptr, is_predicting},
    {"predict_leave", Focus::Question, "Esc", nullptr, leave_question, nullptr,
     [](In in) { return is_predicting(in) && !(in.state.notice && !in.state.notice->is_news()); }},

    {"tour_close", Focus::Tour, "Esc", nullptr, does<ShowTour, false>},
};

// Scenes of a lecture: kept, gone through, put in order.

bool has_scenes(In in) {
  return in.state.lecturing.lecture != nullptr && !in.state.lecturing.lecture->scenes.empty();
}
bool clicks(In in) {
  return takes_clicker(in.state);
}

bool is_stage(In in) {
  return in.state.present;
}

Actions go_to_selected(In in) {
  const std::optional<int>& list = in.state.lecturing.list;
  return has_scenes(in) && list ? Actions{GoToScene{*list}} : Actions{};
}

constexpr const char* kSteps = "help.scene";
constexpr Command kLectureCommands[] = {
    {"scene_keep", Focus::Anywhere, "Ctrl B", "help.scene_keep", does<KeepScene>},
    {"scenes", Focus::Anywhere, "Ctrl Shift L", "help.scenes",
     [](In in) { return Actions{ShowScenes{!in.state.lecturing.list}}; }},
    // A clicker sends them; with a lecture open and presented they are no longer those of the grid's blocks.
    {"scene_previous", Focus::Window, "PgUp", "help.scene.previous", does<StepScene, -1>, kSteps, clicks,
     "PgUp PgDn"},
    {"scene_next", Focus::Window, "PgDn; Enter", "help.scene.next", does<StepScene, 1>, kSteps, clicks},
    // Without one an access comes next: of another block the picture is often the same.
    {"stage_previous", Focus::Picture, "PgUp", nullptr, does<StepAccess, -1>, kSteps, is_stage},
    {"stage_next", Focus::Picture, "PgDn; Enter", nullptr, does<StepAccess, 1>, kSteps, is_stage},
    {"notes", Focus::Anywhere, "Ctrl Shift B", "help.notes",
     [](In in) { return Actions{ShowNotes{!in.state.lecturing.notes}}; }, nullptr, has_scenes},
    {"no_notes", Focus::Anywhere, "Ctrl Shift B", nullptr,
     [](In) {
       return Actions{ShowNotice{{"idle.lecture", {}, false, false}}};
     },
     "help.notes"},

    {"scenes_go", Focus::Scenes, "Enter", nullptr, go_to_selected},
    {"scenes_earlier", Focus::Scenes, "Shift ↑", nullptr, does<MoveScene, -1>},
    {"scenes_later", Focus::Scenes, "Shift ↓", nullptr, does<MoveScene, 1>},
    {"scenes_remove", Focus::Scenes, "Delete", nullptr, does<RemoveScene>},
    {"scenes_replace", Focus::Scenes, "R", nullptr, does<ReplaceScene>, nullptr, has_scenes},
    {"scenes_undo", Focus::Scenes, "Ctrl Z", nullptr, does<UndoScenes>, nullptr,
     [](In in) { return in.state.lecturing.before != nullptr; }},
    {"scenes_name", Focus::Scenes, "F2; Tab", nullptr, [](In) { return Actions{FocusField{kSceneName}}; },
     nullptr, has_scenes},
    {"scenes_save", Focus::Scenes, "Ctrl S", nullptr, does<SaveLecture>, nullptr, has_scenes},
};

// A class's vote: opened, closed, revealed, and hands that are counted.

using vote::Move;
using vote::Phase;

bool has_round(In in) {
  return in.state.voting.round.has_value();
}
const vote::Round& round_of(In in) {
  return *in.state.voting.round;
}
bool is_open(In in) {
  return has_round(in) && round_of(in).takes_votes();
}
bool is_under_way(In in) {
  return has_round(in) && !round_of(in).is_over();
}
bool counts_hands(In in) {
  return is_open(in) && (round_of(in).by_hands || !in.state.voting.hand.empty());
}

Actions go_on(In in) {
  if (!in.state.voting.hand.empty()) return {NextHand{}};
  switch (round_of(in).phase()) {
    case Phase::First:
      return {MoveRound{Move::Close}};
    case Phase::Discussion:
      return {MoveRound{Move::Second}};
    case Phase::Second:
      return {MoveRound{Move::Reveal}};
    default:
      return {EndRound{}};
  }
}
Actions take_back(In in) {
  return in.state.voting.hand.empty() ? Actions{MoveRound{Move::Undo}} : Actions{EraseHand{}};
}
Actions leave(In in) {
  if (in.state.voting.test) return {TestNetwork{}};
  return is_under_way(in) ? Actions{MoveRound{Move::Skip}} : Actions{EndRound{}};
}
Actions next_field(In in) {
  if (counts_hands(in)) return {NextHand{}};
  return {PickAddress{in.shift ? -1 : 1}};
}

constexpr const char* kAsk = "help.class_ask";
constexpr const char* kMoves = "help.vote_moves";
constexpr Command kVoteCommands[] = {
    {"class_ask", Focus::Anywhere, "Ctrl F9", "help.class_ask.now", does<AskClass>, kAsk},
    {"class_leave", Focus::Anywhere, "Ctrl Shift F9", "help.class_leave", does<LeaveClass>, kAsk,
     [](In in) { return in.state.voting.wanted; }},
    {"vote_next", Focus::Vote, "Enter", nullptr, go_on, kMoves, has_round, "Enter  R  N  T"},
    {"vote_reveal", Focus::Vote, "R", nullptr, does<MoveRound, Move::Reveal>, kMoves, is_under_way},
    {"vote_undo", Focus::Vote, "Backspace", nullptr, take_back, kMoves, has_round},
    {"vote_again", Focus::Vote, "N", nullptr, does<AskClass>, kMoves, has_round},
    {"vote_test", Focus::Vote, "T", nullptr, does<TestNetwork>, kMoves, has_round},
    {"vote_leave", Focus::Vote, "Esc", nullptr, leave, kMoves, has_round},
    {"vote_hands", Focus::Vote, "0 … 9", nullptr, [](In in) { return Actions{TypeHand{in.character}}; },
     "help.vote_hands", is_under_way, "0 … 9  Tab"},
    {"vote_address", Focus::Vote, "Tab", nullptr, next_field, "help.vote_hands", has_round},
};

}  // namespace

std::vector<CommandArea> command_areas() {
  std::vector<CommandArea> areas{
      {"help.group.picture", kPictureCommands}, {kKernelGroup, kKernelCommands},
      {"help.group.lesson", kLessonCommands},   {"help.group.vote", kVoteCommands},
      {"help.group.lecture", kLectureCommands}, {"help.group.compare", kWindowCommands}};
  for (const views::Row& row : views::rows()) areas.push_back({kViewsGroup, row.commands});
  areas.push_back({kViewsGroup, kWhyCommands});
  areas.push_back({"help.group.window", kStageCommands});
  areas.push_back({"", kSheetCommands});
  return areas;
}

}  // namespace warplens::app
