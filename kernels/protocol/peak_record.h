// What a GPU can do at most, as measured: in the reply to a request for it, and in a pack.
#pragma once

#include <string>

#include "kernels/protocol/measurement.h"
#include "sim/report/why.h"

namespace warplens::measure {

struct PeakRecord {
  report::Peaks peaks;
  DeviceInfo device;               // in a pack: the pack's
  std::string when;                // "2026-11-03T10:15:00Z"
  int sm_mhz = 0, memory_mhz = 0;  // clocks right after them; 0: not known
};

// `compact`: no device (a pack keeps that once).
void describe(Fields& f, PeakRecord& record, bool compact);

}  // namespace warplens::measure
