// Scenes of a lecture: kept, gone through, put in order.
#include "app/input/commands.h"
#include "app/state/teaching/lecture.h"

namespace warplens::app {
namespace {

bool has_scenes(In in) {
  return in.state.lecturing.lecture != nullptr && !in.state.lecturing.lecture->scenes.empty();
}
bool clicks(In in) {
  return takes_clicker(in.state);
}
bool may_undo(In in) {
  return in.state.lecturing.before != nullptr;
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
    {"scene_previous", Focus::Window, "PgUp", "help.scene.previous", does<StepScene, -1>, kSteps, clicks},
    {"scene_next", Focus::Window, "PgDn", "help.scene.next", does<StepScene, 1>, kSteps, clicks},
    {"notes", Focus::Anywhere, "Ctrl N", "help.notes",
     [](In in) { return Actions{ShowNotes{!in.state.lecturing.notes}}; }, nullptr, has_scenes},

    {"scenes_close", Focus::Scenes, "Esc", nullptr, does<ShowScenes, false>},
    {"scenes_go", Focus::Scenes, "Enter", nullptr, go_to_selected},
    {"scenes_up", Focus::Scenes, "↑", nullptr, does<SelectScene, -1>},
    {"scenes_down", Focus::Scenes, "↓", nullptr, does<SelectScene, 1>},
    {"scenes_page_up", Focus::Scenes, "PgUp", nullptr, does<SelectScene, -5>},
    {"scenes_page_down", Focus::Scenes, "PgDn", nullptr, does<SelectScene, 5>},
    {"scenes_first", Focus::Scenes, "Home", nullptr, does<SelectScene, -static_cast<int>(kMostScenes)>},
    {"scenes_last", Focus::Scenes, "End", nullptr, does<SelectScene, static_cast<int>(kMostScenes)>},
    {"scenes_earlier", Focus::Scenes, "Shift ↑", nullptr, does<MoveScene, -1>},
    {"scenes_later", Focus::Scenes, "Shift ↓", nullptr, does<MoveScene, 1>},
    {"scenes_remove", Focus::Scenes, "Delete", nullptr, does<RemoveScene>},
    {"scenes_replace", Focus::Scenes, "R", nullptr, does<ReplaceScene>, nullptr, has_scenes},
    {"scenes_undo", Focus::Scenes, "Ctrl Z", nullptr, does<UndoScenes>, nullptr, may_undo},
    {"scenes_name", Focus::Scenes, "F2; Tab", nullptr, [](In) { return Actions{FocusField{kSceneName}}; },
     nullptr, has_scenes},
    {"scenes_save", Focus::Scenes, "Ctrl S", nullptr, does<SaveLecture>, nullptr, has_scenes},
};

}  // namespace

std::span<const Command> lecture_commands() {
  return kLectureCommands;
}

}  // namespace warplens::app
