#include "app/source/predicted_gpu.h"

#include <atomic>

namespace warplens::app {
namespace {

std::atomic<const memory::GpuModel*> chosen = nullptr;

}  // namespace

const memory::GpuModel& predicted_gpu() {
  const memory::GpuModel* gpu = chosen;
  return gpu != nullptr ? *gpu : memory::default_gpu_model();
}

void predict_for(const memory::GpuModel& gpu) {
  chosen = &gpu;
}

}  // namespace warplens::app
