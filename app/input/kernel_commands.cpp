// The kernel: its settings, its text, its files, its launch.
#include "app/input/commands.h"
#include "app/source/index_expression.h"
#include "app/state/chosen_kernel.h"
#include "app/state/teaching/lecture.h"
#include "app/views/times.h"

namespace warplens::app {
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
    {"margin", Focus::Picture, "W", "help.margin",
     [](In in) { return Actions{SetGridMargin{!in.state.grid_margin}}; }},
    {"literal", Focus::Picture, "Shift W", "help.literal",
     [](In in) { return Actions{SetLiteral{!in.state.settings.literal}}; }},
    {"open", Focus::Anywhere, "Ctrl O", "help.open", open_file},
    {"save", Focus::Anywhere, "Ctrl S", "help.save.here", save<false>, "help.save"},
    {"save_as", Focus::Anywhere, "Ctrl Shift S", "help.save.as", save<true>, "help.save"},
    {"share", Focus::Anywhere, "Ctrl E", "help.share",
     [](In in) { return Actions{ShowShare{!in.state.share}}; }},
    {"copy", Focus::Picture, "Ctrl C", nullptr, does<CopyPlace>, "help.place", nullptr, "Ctrl C  Ctrl V"},
    {"paste", Focus::Picture, "Ctrl V", nullptr, [](In in) { return Actions{OpenPlace{in.clipboard.get()}}; },
     "help.place"},
    {"form", Focus::Picture, "L", "help.form", [](In in) { return Actions{ShowForm{!in.state.form}}; },
     nullptr, is_own},
    {"index", Focus::Picture, "I", "help.index", type_index, nullptr, may_type_index},
    {"stop", Focus::Window, "Ctrl .", "help.stop", [](In in) { return Actions{Halt{!in.state.halted}}; }},
    {"check", Focus::Window, "Ctrl K", "help.check", does<CheckKernel>},
};

}  // namespace

std::span<const Command> kernel_commands() {
  return kKernelCommands;
}

}  // namespace warplens::app
