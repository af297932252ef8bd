#include "app/state/action.h"

#include <array>
#include <utility>

namespace warplens::app {
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
