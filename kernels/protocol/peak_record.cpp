#include "kernels/protocol/peak_record.h"

#include <cmath>
#include <span>

namespace warplens::measure {

// Figures above 0, those that there are.
static void describe(Fields& f, std::span<const report::PeakName> names, const char* field, const char* of,
                     report::Peaks& peaks) {
  for (const report::PeakName& peak : names) {
    double& figure = peaks.*peak.value;
    if (!f.reads() && figure > 0) f.out()[peak.name] = {{field, figure}};
    if (!f.reads() && figure > 0 && of != nullptr) f.out()[peak.name][of] = peak.unit;
    if (!f.reads() || !f.in().has(peak.name)) continue;
    f.object(peak.name, [&](Fields& own) { own(field, figure); });
    if (!(figure > 0) || !std::isfinite(figure)) f.complain(peak.name, Message("must be above 0"));
  }
}

void describe(Fields& f, PeakRecord& record, bool compact) {
  f("when", record.when);
  f.object("clocks_mhz",
           [&](Fields& clocks) { clocks("sm", record.sm_mhz), clocks("memory", record.memory_mhz); });
  if (f.reads() || !compact) f.object("device", [&](Fields& own) { describe(own, record.device); });
  f.needed("per_second",
           [&](Fields& rates) { describe(rates, report::peak_names(), "most", "of", record.peaks); });
  if (f.reads() || record.peaks.dram_latency > 0 || record.peaks.l2_latency > 0)
    f.object("seconds", [&](Fields& times) {
      describe(times, report::latency_names(), "least", nullptr, record.peaks);
    });
}

}  // namespace warplens::measure
