#include "app/state/action.h"

#include <array>
#include <utility>

namespace warplens::app {
namespace {

using Maker = ActionValue (*)(void* action);

template <typename T>
ActionValue make(void* action) {
  return ActionValue(std::in_place_type<T>, std::move(*static_cast<T*>(action)));
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
Action::Action(const Action&) = default;
Action::Action(Action&&) noexcept = default;
Action& Action::operator=(const Action&) = default;
Action& Action::operator=(Action&&) noexcept = default;
Action::~Action() = default;

}  // namespace warplens::app
