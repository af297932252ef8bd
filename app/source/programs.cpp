#include "app/source/programs.h"

#include <algorithm>
#include <atomic>

namespace warplens::app {
namespace {

constexpr std::size_t kMostKept = 24, kMostKeptInstructions = 500'000;  // programs; of all of them
constexpr std::uint64_t kMostMemory = std::uint64_t{7} << 27;  // with all that is beside it below 1 GB

bool same(const sim::CompileRequest& a, const sim::CompileRequest& b) {
  const auto is_same = [](const sim::KernelParameter& one, const sim::KernelParameter& other) {
    return one.name == other.name && one.type_text == other.type_text &&
           one.element_bytes == other.element_bytes && one.symbol_elements == other.symbol_elements;
  };
  return a.kernel == b.kernel && a.template_arguments == b.template_arguments && a.defines == b.defines &&
         a.text == b.text && cuda::same(a.headers, b.headers) && a.source == b.source &&
         a.parameters == b.parameters &&
         std::equal(a.behind.begin(), a.behind.end(), b.behind.begin(), b.behind.end(), is_same);
}

}  // namespace

Programs::Result Programs::find(const sim::CompileRequest& request) {
  const std::lock_guard lock(mutex_);
  const auto known =
      std::find_if(kept_.begin(), kept_.end(), [&](const Kept& k) { return same(k.request, request); });
  if (known == kept_.end()) return nullptr;
  std::rotate(known, known + 1, kept_.end());
  return kept_.back().result;
}

Programs::Result Programs::compile(const sim::CompileRequest& request, Budget& budget) {
  if (Result known = find(request)) return known;
  auto result = std::make_shared<const sim::CompileResult>(sim::compile(request, &budget));
  const std::lock_guard lock(mutex_);
  ++compilations_;
  if (result->stopped) return result;
  kept_.push_back({request, result});
  const auto instructions = [this] {
    std::size_t sum = 0;
    for (const Kept& kept : kept_) sum += kept.result->program ? kept.result->program->code.size() : 0;
    return sum;
  };
  while (kept_.size() > kMostKept || (kept_.size() > 1 && instructions() > kMostKeptInstructions))
    kept_.erase(kept_.begin());
  return result;
}

int Programs::compilations() const {
  const std::lock_guard lock(mutex_);
  return compilations_;
}

Programs::Result Means::compile(const sim::CompileRequest& request) const {
  if (programs != nullptr) return programs->compile(request, *budget);
  return std::make_shared<const sim::CompileResult>(sim::compile(request, budget));
}

Programs::Result Means::compile_soon(const sim::CompileRequest& request) const {
  constexpr double kSeconds = 1;
  Allowance allowance = budget->allowance();
  allowance.deadline = std::min(allowance.deadline, Budget::in(kSeconds));
  Budget soon(allowance);
  return Means{programs, &soon}.compile(request);
}

Allowance app_allowance(const std::atomic<bool>* cancel) {
  Allowance allowance;
  allowance.memory_bytes = kMostMemory;
  allowance.cancel = cancel;
  return allowance;
}

static std::atomic<const memory::GpuModel*> chosen = nullptr;

const memory::GpuModel& predicted_gpu() {
  const memory::GpuModel* gpu = chosen;
  return gpu != nullptr ? *gpu : memory::default_gpu_model();
}

void predict_for(const memory::GpuModel& gpu) {
  chosen = &gpu;
}

}  // namespace warplens::app
