// The architecture that the app predicts for: its limits of launches, its multiprocessors. Chosen once, by
// --gpu, before anything is compiled; it does not change while the program runs.
#pragma once

#include "sim/memory/gpu_model.h"

namespace warplens::app {

const memory::GpuModel& predicted_gpu();  // sm_90 where none was chosen
void predict_for(const memory::GpuModel& gpu);

}  // namespace warplens::app
