// warplens.gpu/1: what the client and warplens-gpu say to each other, one JSON document a line.
//
//   -> {"schema": "warplens.gpu/1", "request": "hello", "id": 1, "version": "0.1.0"}
//   <- {"schema": "warplens.gpu/1", "reply": "hello", "id": 1, "version": "0.1.0",
//       "gpu": {...} or null, "reason": ...}
//   -> {"request": "measure", "id": 2, ...}
//   <- {"reply": "progress", "id": 2, "stage": "cold", "done": 0.4}
//   <- {"reply": "measurement", "id": 2, "measurement": {...}}
//      or {"reply": "error", "id": 2, "error": {...}}
//   -> {"request": "peaks", "id": 3, "deadline_seconds": 60}
//   <- {"reply": "peaks", "id": 3, "peaks": {...}}
//   -> {"request": "ptx", "id": 4, "subject": {...}, "architecture": 90, "headers": {"a.h": "..."},
//       "folders": ["include"]}
//   <- {"reply": "ptx", "id": 4, "ptx": "...", "compiler": "NVRTC 13.0"}
//
// Other requests: "cancel" (ends the request with that id), "quit".
// Described in full in docs/measurement.md.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "kernels/protocol/failure.h"
#include "kernels/protocol/measurement.h"
#include "sim/scenario/scenario.h"

namespace warplens::measure {

inline constexpr const char* kProtocol = "warplens.gpu/1";
inline constexpr std::size_t kLongestLine = std::size_t{64} << 20;  // bytes, of a pack too
inline scenario::JsonLimits limits_of_lines(Budget* budget = nullptr) {
  return {.bytes = kLongestLine, .budget = budget};
}

struct MeasureRequest {
  std::uint64_t id = 0;
  Subject subject;
  std::string scenario;  // for the measurement's record
  scenario::ParameterValues parameters;
  std::optional<scenario::OutputCheck> check;  // none: the simulator's, where that is quick enough
  std::uint64_t useful_bytes = 0;              // for GB/s and for the size of the reference copy
  std::uint64_t counted_bytes = 0;             // asked for by the kernel, where the asker has counted them
  std::uint64_t operations = 0;                // for GFLOP/s
  int cold_samples = 60, warm_samples = 60;    // 0 and 0: launch once, check, do not time
  int warm_up = 5;
  bool reference = true;  // time what the kernel is held against, interleaved:
  scenario::Reference reference_kind = scenario::Reference::Copy;
  std::array<std::uint64_t, 3> product{};  // m, n, k of a cuBLAS reference: C (m x n) = A (m x k) B (k x n)
  bool counters = true;                    // hardware counters where they can be read
  double deadline_seconds = 60;
};
void describe(Fields& f, MeasureRequest& request);

// What the GPU can do at most of each thing, from its microbenchmarks.
struct PeaksRequest {
  std::uint64_t id = 0;
  double deadline_seconds = 60;
};
void describe(Fields& f, PeaksRequest& request);

// What NVRTC makes of a kernel; no GPU is needed.
struct PtxRequest {
  std::uint64_t id = 0;
  Subject subject;  // its launch is not looked at
  int architecture = 90;
  std::vector<std::string> folders;  // with more headers than the subject's
};
void describe(Fields& f, PtxRequest& request);
struct Ptx {
  std::string ptx, compiler;  // "NVRTC 13.0"
};

struct Hello {
  std::string version;  // of warplens-gpu
  std::optional<DeviceInfo> gpu;
  Message reason;  // why there is no GPU, in words
};
struct Progress {
  std::string stage;  // "compile", "fill", "check", "sample", "counters"
  double done = 0;    // of the whole request, 0 to 1
};

// A reply of warplens-gpu. `id` is that of the request; 0: of none (a line that could not be read).
struct Reply {
  std::uint64_t id = 0;
  std::variant<Hello, Progress, Measurement, PeakRecord, Failure, Ptx> body;
};
nlohmann::json to_json(const Reply& reply);
// Empty, with `error` in words, where the line is no reply of this protocol.
std::optional<Reply> reply_from_line(const std::string& line, Message& error);

nlohmann::json simple_request(const char* name, std::uint64_t id);  // hello, cancel, quit

}  // namespace warplens::measure
