#include "app/desktop/gpu/gpu_line.h"

namespace warplens::desktop {

panels::GpuLine recorded_line(const std::vector<measure::Pack>& packs, const std::vector<Message>& errors,
                              const language::Strings& strings) {
  panels::GpuLine line;
  if (packs.empty()) {
    line.text = strings("gpu.none");
    line.tooltip = strings("gpu.none.tip");
  } else {
    line.kind = panels::GpuLine::Kind::Recorded;
    std::string names;
    for (const measure::Pack& pack : packs) {
      measure::add_gpu_name(pack.device, &names);
      line.tooltip += (line.tooltip.empty() ? "" : "\n") + pack.provenance();
    }
    line.text = strings("gpu.recorded", {{"gpu", names}});
  }
  for (const Message& words : errors) line.tooltip += "\n" + strings(words);
  return line;
}

}  // namespace warplens::desktop
