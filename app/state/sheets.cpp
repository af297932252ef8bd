#include "app/state/sheets.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <utility>

#include "app/state/action.h"
#include "kernels/protocol/subject.h"
#include "sim/file/whole_file.h"
#include "sim/scenario/text_file.h"

namespace warplens::app {

void show_view(State* state, ViewId view) {
  state->shown = view;
  state->plot.held = false;
  state->plot.pointed.reset();
}

std::vector<Sheet> sheets_of(const State& state) {
  std::vector<Sheet> open;
  if (state.help) open.push_back(Sheet::Help);
  if (state.dialog) open.push_back(Sheet::Dialog);
  if (state.share) open.push_back(Sheet::Share);
  if (state.classroom.palette) open.push_back(Sheet::Palette);
  if (state.lecturing.list) open.push_back(Sheet::Scenes);
  return open;
}

void make_room(State* state, std::optional<Sheet> sheet) {
  if (sheet != Sheet::Help) state->help = false;
  if (sheet != Sheet::Dialog) state->dialog.reset();
  if (sheet != Sheet::Share) state->share.reset();
  if (sheet != Sheet::Palette) state->classroom.palette.reset();
  if (sheet != Sheet::Scenes) state->lecturing.list.reset();
  state->field = {};
  state->menu.reset();
  state->editing = false;
}

namespace {

namespace fs = std::filesystem;
constexpr std::uintmax_t kMostRead = std::uintmax_t{16} << 20;

}  // namespace

std::string fingerprint_of(std::string_view content) {
  return measure::sha256(content);
}

std::string fingerprint(const fs::path& file) {
  std::error_code failed;
  const fs::file_status status = fs::status(file, failed);
  if (status.type() == fs::file_type::not_found) return kNoFile;
  if (failed) return "out of reach";
  const std::uintmax_t size = fs::file_size(file, failed);
  if (!failed && size <= kMostRead) {
    const auto content = scenario::read_text(file, kMostRead);
    if (content) return fingerprint_of(*content.value);
  }
  const auto date = fs::last_write_time(file, failed).time_since_epoch().count();
  return "size " + std::to_string(size) + " date " + std::to_string(static_cast<long long>(date));
}

namespace {

using Maker = const ActionValue* (*)(void* action);

template <typename T>
const ActionValue* make(void* action) {
  return new ActionValue(std::in_place_type<T>, std::move(*static_cast<T*>(action)));
}

// One for each type, by its place in the variant.
template <typename Variant>
struct Makers;
template <typename... Ts>
struct Makers<std::variant<Ts...>> {
  static constexpr std::array<Maker, sizeof...(Ts)> kAll{&make<Ts>...};
};

}  // namespace

Action::Action(std::size_t index, void* action) : value_(Makers<ActionValue>::kAll.at(index)(action)) {}

}  // namespace warplens::app
