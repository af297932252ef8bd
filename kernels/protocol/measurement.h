// warplens.measurement/1: what was measured, on what, when, and everything that came out. See
// docs/measurement.md.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernels/protocol/subject.h"
#include "sim/base/message.h"
#include "sim/report/why.h"
#include "sim/scenario/scenario.h"

namespace warplens::measure {

// The GPU and what drives it, as at the time of the measurement. Empty texts and zeros: could not be found
// out.
struct DeviceInfo {
  std::string name;  // "NVIDIA H200"
  int compute_major = 0, compute_minor = 0;
  std::string driver;  // "580.159.03"
  std::string cuda;    // of the driver: "13.0"
  std::string nvrtc;   // of the compiler: "13.0"
  std::uint64_t memory_bytes = 0, free_bytes = 0;
  std::uint64_t l2_bytes = 0;
  int multiprocessors = 0;
  int sm_clock_mhz = 0, memory_clock_mhz = 0;  // the most it can do
  int current_sm_clock_mhz = 0, current_memory_clock_mhz = 0;
  std::string sm() const;                        // "sm_90"
  bool same_gpu(const DeviceInfo& other) const;  // name, driver and CUDA version agree
};

// Repeated timings of one thing, in seconds, in the order in which they were taken.
struct Samples {
  std::vector<double> seconds;
  double median = 0, minimum = 0;
  double spread = 0;     // (third quartile - first quartile) / median
  bool complete = true;  // false: the time allowed ended before all samples were taken
};
Samples summarise(std::vector<double> seconds);
// How the times moved while they were taken: median of the last third / median of the first third - 1. A GPU
// that slows down or warms up shows here even where its clocks cannot be read. 0 below nine samples.
double drift(const Samples& samples);

struct ClockRecord {
  int sm_mhz_least = 0, sm_mhz_most = 0;  // seen during the samples; 0: not observed
  bool throttled = false;
  std::string throttle_reasons;  // in words; empty: none
};

enum class CheckState : std::uint8_t { Right, Wrong, NotChecked };
struct OutputResult {
  CheckState state = CheckState::NotChecked;
  std::string how;     // "expected values computed on the host", "simulated", or why it was not checked
  std::string buffer;  // where the first difference is
  std::uint64_t element = 0;
  std::string expected, got;
  std::uint64_t differing = 0, compared = 0;  // elements
};

struct Counters {
  std::map<std::string, double>
      values;  // by the name Nsight Compute gives them; the L2 cache was emptied before
  std::map<std::string, double>
      warm;              // traffic behind the first-level cache where the kernel ran just before
  Message reason;        // why there are none; empty where there are
  Message exact_reason;  // why there are none of instrumented machine code (smsp__sass_...)
};

struct Measurement {
  MeasurementKey key;
  Subject subject;                                 // its text may be empty, its hash never is
  std::string scenario;                            // or empty
  std::map<std::string, std::int64_t> parameters;  // of the scenario
  DeviceInfo device;
  std::string when;        // "2025-11-03T10:15:00Z"
  std::string as_written;  // how the mode was reached: "volatile declarations", "volatile accesses (PTX)",
                           // "nothing to do"
  std::uint64_t useful_bytes = 0;  // by the scenario's rule; 0: not given
  std::uint64_t counted_bytes =
      0;  // that the kernel asks global memory for, counted by the simulator; 0: not counted
  std::uint64_t operations = 0;  // useful floating-point operations by the scenario's rule; 0: not given
  Samples cold, warm;            // L2 flushed before each sample; not flushed
  scenario::Reference reference = scenario::Reference::Copy;
  std::string reference_what;    // "cudaMemcpy device to device", "cublasSgemm (FP32)", or empty: not timed
  std::string reference_reason;  // why it was not timed, in words
  std::uint64_t reference_bytes = 0;  // read plus written by a copy; 0: the reference is a product
  Samples reference_cold, reference_warm;
  double event_floor = 0;  // what the same clock reads for an empty kernel, in seconds
  double event_pair = 0;   // what it reads for nothing at all
  double subtracted = 0;   // taken off every sample; see subtract_event_pair
  ClockRecord clocks;
  OutputResult check;
  Counters counters;
  int registers = 0;  // per thread
  std::uint64_t static_shared_bytes = 0;
  bool recorded = false;  // came from a pack, not from a GPU just now

  // 10^9 bytes a second at the median: useful ones, or else those that the kernel asks for; 0: unknown.
  double gb_per_second(const Samples& samples) const;
  double gflop_per_second(const Samples& samples) const;  // 10^9 operations a second; 0: unknown
  // Cold, 1 = as fast as the copy, or as cuBLAS; 0: unknown. Timed in turns with it, or with `beside`,
  // another measurement of the same kind, so that several can be held against one.
  double share_of_reference() const { return share_of_reference(*this); }
  double share_of_reference(const Measurement& beside) const;
  double reference_rate() const;  // bytes a second of the copy, of a product products a second; 0: unknown
  // A wrong result's time is no success: nothing may show it as one.
  bool is_valid() const { return check.state != CheckState::Wrong; }
};

// `compact`: samples as whole nanoseconds, no device (a pack keeps that once).
nlohmann::json to_json(const Measurement& measurement, bool compact = false);
// Takes what two events read for nothing at all off every sample, so that a time is that of the launch alone,
// as Nsight Compute's gpu__time_duration is. Once: later calls change nothing.
void subtract_event_pair(Measurement& measurement);
// Samples of a document without `subtracted` are as the events read them; they are corrected on reading.
Measurement measurement_from_json(const scenario::JsonValue& value);

void describe(Fields& f, DeviceInfo& device);

const char* name_of(scenario::Reference reference);  // "copy", "cublas_hgemm", ...
void describe(Fields& f, const char* name, scenario::Reference& reference);

std::string utc_now();  // "2025-11-03T10:15:00Z"

// What a GPU can do at most, as measured: in the reply to a request for it, and in a pack.
struct PeakRecord {
  report::Peaks peaks;
  DeviceInfo device;               // in a pack: the pack's
  std::string when;                // "2026-11-03T10:15:00Z"
  int sm_mhz = 0, memory_mhz = 0;  // clocks right after them; 0: not known
};

// `compact`: no device (a pack keeps that once).
void describe(Fields& f, PeakRecord& record, bool compact);

}  // namespace warplens::measure
