#include "app/scene/memory/step.h"

#include <algorithm>

namespace warplens::scene {

GlobalView global_view_of(const warp::Program& program, const memory::GpuModel& gpu,
                          const warp::AccessSite& site, const memory::WarpAccess& access) {
  GlobalView view;
  view.program = &program;
  view.site = &site;
  view.gpu = &gpu;
  view.access = access;
  memory::Address lowest = ~memory::Address{0};
  for (int lane = 0; lane < memory::kWarpLanes; ++lane) {
    if ((access.active >> lane & 1) != 0)
      lowest = std::min(lowest, access.addresses[static_cast<std::size_t>(lane)]);
  }
  if (access.active == 0) return view;
  const memory::Address window = lowest / warp::kBufferSpacing;  // parameter p's buffer is in window p + 1
  if (window < 1 || window > program.parameters.size()) return view;
  view.buffer_base = window * warp::kBufferSpacing;
  view.buffer_name = program.parameters[window - 1].name;
  return view;
}

BankView bank_view_of(const warp::Program& program, const memory::GpuModel& gpu, const warp::AccessSite& site,
                      const memory::WarpAccess& access, const std::map<std::string, std::int64_t>& names) {
  BankView view;
  view.program = &program;
  view.site = &site;
  view.gpu = &gpu;
  view.access = access;
  for (const warp::SharedArray& array : program.shared_arrays) {
    if (array.name == site.array) view.padding_words_per_row = padding_words(array, names);
  }
  return view;
}

}  // namespace warplens::scene
