#include "app/simulate/kernel_settler.h"

#include "app/state/user_kernel.h"

namespace warplens::app {

KernelSettler::Asked KernelSettler::asked_by(const State& state) {
  if (state.halted) return {};
  const auto asks = [](const Settings& settings) { return settings.own && settings.own->wish; };
  if (asks(state.settings)) return {state.settings.own, state.settings.text};
  if (state.pinned && asks(*state.pinned)) return {state.pinned->own, state.pinned->text};
  return {};
}

Actions KernelSettler::update(const State& state) {
  const Asked asked = asked_by(state);
  if (!(asked == asked_)) {
    asked_ = asked;
    if (asked.own == nullptr) {
      worker_.cancel();
      return {};
    }
    worker_.start([asked, programs = programs_](const std::atomic<bool>* cancel, std::atomic<double>*) {
      Budget budget(app_allowance(cancel));
      const Means means{programs.get(), &budget};
      return KernelSettled{asked.own,
                           std::make_shared<const UserKernel>(settled(*asked.own, *asked.text, means))};
    });
  }
  if (asked_.own == nullptr) return {};
  if (auto found = worker_.take()) return {std::move(*found)};
  if (worker_.failure().empty()) return {};
  // It stays as it is, but is not asked for again.
  auto given_up = std::make_shared<UserKernel>(*asked.own);
  given_up->wish.reset();
  return {KernelSettled{asked.own, std::move(given_up)}};
}

}  // namespace warplens::app
