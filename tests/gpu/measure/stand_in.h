#pragma once
// The client's other end in tests: a stand-in child that behaves as it is told, and what is asked of it.
#include <cstdio>
#include <set>

#include "app/measure/gpu_client.h"

namespace warplens::measure {

constexpr double kPatience = 300;  // seconds, for what comes on any machine, however busy

inline std::vector<std::string> stand_in(const std::string& how) {
  return {WARPLENS_BIN_DIR "/stand-in-gpu", how};
}

// A child that ends by itself has all the time to; one that does not is waited for briefly.
inline ClientOptions options_for(const std::string& how) {
  const std::set<std::string> never_ends = {"garbage", "endless", "silent"};
  ClientOptions options;
  options.hello_seconds = kPatience;
  options.grace_seconds = 0.2;
  options.cancel_seconds = 0.2;
  options.patience_seconds = never_ends.contains(how) ? 0.1 : kPatience;
  options.longest_back_off_seconds = 0.05;
  return options;
}

inline MeasureRequest request() {
  MeasureRequest r;
  r.subject.text = "__global__ void k(float* a) { a[threadIdx.x] = 1; }";
  r.subject.kernel = "k";
  r.subject.arguments = {{"a", sim::ScalarType::F32, BufferArgument{32, 4, sim::Fill::Zero, false}}};
  r.useful_bytes = 128;
  r.deadline_seconds = kPatience;
  return r;
}

// out[i] = in[i] of n floats, checked.
inline MeasureRequest copy_of(std::uint64_t n, const std::string& kernel = "copy") {
  using sim::ScalarType;
  MeasureRequest r;
  r.subject.source_name = "copy.cu";
  r.subject.text = "__global__ void " + kernel + "(float* out, const float* in, int n) {\n" +
                   "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) out[i] = in[i];\n}\n";
  r.subject.kernel = kernel;
  r.subject.grid = {static_cast<std::uint32_t>((n + 255) / 256), 1, 1};
  r.subject.block = {256, 1, 1};
  r.subject.arguments = {{"out", ScalarType::F32, BufferArgument{n, 4, sim::Fill::Zero, false}},
                         {"in", ScalarType::F32, BufferArgument{n, 4, sim::Fill::Iota, true}},
                         {"n", ScalarType::I32, static_cast<std::int64_t>(n)}};
  r.check = scenario::OutputCheck{"out", std::to_string(n), "in[i]", 0};
  r.useful_bytes = 8 * n;
  r.cold_samples = r.warm_samples = 5;
  r.deadline_seconds = kPatience;
  return r;
}

// The end of one ticket; Failure Internal "nothing came" after a generous time.
inline std::variant<Measurement, Failure> finish(GpuClient& client, std::uint64_t ticket,
                                                 int* progress = nullptr) {
  for (const auto end = Clock::now() + std::chrono::minutes(10); Clock::now() < end;)
    for (ClientEvent& event : client.wait(0.1)) {
      if (event.ticket != ticket) continue;
      if (progress != nullptr && std::holds_alternative<Progress>(event.what)) ++*progress;
      if (auto* m = std::get_if<Measurement>(&event.what)) return std::move(*m);
      if (auto* f = std::get_if<Failure>(&event.what)) return std::move(*f);
    }
  return Failure{FailureKind::Internal, Message::verbatim("nothing came"), {}, {}, false};
}

inline std::variant<Measurement, Failure> measure_once(GpuClient& client, MeasureRequest r = request()) {
  return finish(client, client.submit(std::move(r)));
}

// Why there is no measurement; of one that came it is Internal.
inline Failure failure_of(const std::variant<Measurement, Failure>& result) {
  const auto* failure = std::get_if<Failure>(&result);
  return failure != nullptr
             ? *failure
             : Failure{FailureKind::Internal, Message::verbatim("it succeeded"), {}, {}, false};
}

struct Ran {
  int code = -1;
  std::string output;  // both streams
};
// What a shell makes of a command line.
inline Ran run_line(const std::string& line) {
  Ran ran;
  FILE* pipe = popen((line + " 2>&1").c_str(), "r");
  for (char text[4096]; std::fgets(text, sizeof text, pipe) != nullptr;) ran.output += text;
  const int status = pclose(pipe);
  ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  return ran;
}

}  // namespace warplens::measure
