#include "app/desktop/gpu/gpu_line.h"

namespace warplens::desktop {
namespace {

std::string gpu_names(const std::vector<measure::Pack>& packs) {
  std::string names;
  for (const measure::Pack& pack : packs) {
    if (names.find(pack.device.name) != std::string::npos) continue;
    names += (names.empty() ? "" : ", ") + pack.device.name;
  }
  return names;
}

}  // namespace

panels::GpuLine recorded_line(const std::vector<measure::Pack>& packs, const std::vector<Message>& errors,
                              const language::Strings& strings) {
  panels::GpuLine line;
  if (packs.empty()) {
    line.text = strings("gpu.none");
    line.tooltip = strings("gpu.none.tip");
  } else {
    line.kind = panels::GpuLine::Kind::Recorded;
    line.text = strings("gpu.recorded", {{"gpu", gpu_names(packs)}});
    for (const measure::Pack& pack : packs) {
      line.tooltip += (line.tooltip.empty() ? "" : "\n") + pack.provenance();
    }
  }
  for (const Message& words : errors) line.tooltip += "\n" + strings(words);
  return line;
}

}  // namespace warplens::desktop
