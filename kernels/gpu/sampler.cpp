#include "kernels/gpu/sampler.h"

#include <algorithm>

#include "kernels/gpu/cuda/compile_kernel.h"

namespace warplens::gpu {
namespace {

using measure::Measurement;
using measure::MeasureRequest;

constexpr unsigned long long kDelayNanoseconds = 20'000;
constexpr std::uint64_t kLeastFlush = std::uint64_t{32} << 20;
constexpr int kFloorSamples = 51;
constexpr double kShareForSampling = 0.8;  // of the time allowed; the rest is for what comes after
constexpr int kRoundsBetweenClockReadings = 10;

// %globaltimer may tick as coarsely as once a microsecond, which is fine here.
constexpr const char* kHelpers = R"(
extern "C" __global__ void warplens_delay(unsigned long long nanoseconds) {
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)); while (now - begin < nanoseconds);
}
extern "C" __global__ void warplens_empty() {}
extern "C" __global__ void warplens_read(const uint4* data, unsigned long long count, unsigned* sink) {
  unsigned seen = 0;
  for (unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    seen |= data[i].x ^ data[i].w;
  if (seen == 1) *sink = seen;  // never: all words of the buffer are equal
}
)";

}  // namespace

// One kind of sample as it grows: `wanted` of them, each of which is put on the stream and read once it has
// passed.
struct Sampler::Series {
  EventPair events;
  int wanted;
  std::vector<double> seconds;
  Series(const Driver& driver, int count) : events(driver), wanted(count) {}
  bool goes_on() const { return static_cast<int>(seconds.size()) < wanted; }
  void take() {
    if (goes_on()) seconds.push_back(events.seconds());
  }
  measure::Samples finish() {
    const bool complete = !goes_on();
    measure::Samples samples = measure::summarise(std::move(seconds));
    samples.complete = complete;
    return samples;
  }
};

// What takes turns: a piece of work and its samples of both kinds.
struct Sampler::Work {
  Launch launch;
  Series cold, warm;
};

Sampler::Sampler(Gpu& gpu) : gpu_(gpu), reference_(gpu) {}

std::uint64_t Sampler::flush_bytes() const {
  return std::max(kLeastFlush, 4 * gpu_.l2_bytes());
}

void Sampler::prepare() {
  if (read_ == nullptr) {
    delay_ = helper_kernel(gpu_, kHelpers, "warplens_delay");
    empty_ = helper_kernel(gpu_, kHelpers, "warplens_empty");
    read_ = helper_kernel(gpu_, kHelpers, "warplens_read");
  }
  if (flush_buffer_.bytes() == 0) {
    flush_buffer_ = DeviceBuffer(gpu_.driver(), flush_bytes());
    gpu_.driver().check(
        gpu_.driver().set_words(flush_buffer_.address(), 1, flush_buffer_.bytes() / 4, gpu_.stream()),
        "flushing the L2 cache");  // all words are equal from here on
  }
}

void Sampler::flush() {
  CUdeviceptr data = flush_buffer_.address();
  unsigned long long count = flush_buffer_.bytes() / 16;
  void* arguments[] = {&data, &count, &data};
  const auto blocks =
      static_cast<std::uint32_t>(8 * gpu_.attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
  read_->launch({blocks, 1, 1}, {256, 1, 1}, 0, gpu_.stream(), arguments);
}

double Sampler::launch_seconds(const Watch& watch) {
  prepare();
  wake_up(watch);
  return measure_floor(watch, true) - measure_floor(watch, false);
}

void Sampler::empty_l2() {
  prepare();
  flush();
}

void Sampler::delay() {
  unsigned long long nanoseconds = kDelayNanoseconds;
  void* arguments[] = {&nanoseconds};
  delay_->launch({1, 1, 1}, {1, 1, 1}, 0, gpu_.stream(), arguments);
}

void Sampler::time_cold(const EventPair& events, const Launch& work) {
  flush();
  delay();
  events.record_begin(gpu_.stream());
  work();
  events.record_end(gpu_.stream());
}

void Sampler::time_warm(const EventPair& events, const Launch& work) {
  work();
  delay();
  events.record_begin(gpu_.stream());
  work();
  events.record_end(gpu_.stream());
}

// What the clock reads for an empty kernel, or for nothing at all.
double Sampler::measure_floor(const Watch& watch, bool with_kernel) {
  double& floor = with_kernel ? floor_ : pair_floor_;
  if (floor > 0) return floor;
  Series series(gpu_.driver(), kFloorSamples);
  for (int i = 0; i < kFloorSamples; ++i) {
    delay();
    series.events.record_begin(gpu_.stream());
    if (with_kernel) empty_->launch({1, 1, 1}, {32, 1, 1}, 0, gpu_.stream(), nullptr);
    series.events.record_end(gpu_.stream());
    gpu_.wait(watch);
    series.take();
  }
  return floor = series.finish().median;
}

// A GPU that was idle runs at low clocks at first: it is kept busy, the longer the longer it slept.
void Sampler::wake_up(const Watch& watch) {
  const auto now = Watch::Clock::now();
  const bool long_idle = now - last_busy_ > std::chrono::seconds(2);
  const auto until = now + std::chrono::milliseconds(long_idle ? 300 : 20);
  while (Watch::Clock::now() < until) {
    for (int i = 0; i < 20; ++i) flush();
    gpu_.wait(watch);
  }
}

void Sampler::take_turns(std::vector<Work>& works, const Watch& watch, const OnProgress& progress,
                         measure::ClockRecord& clocks) {
  const int rounds = std::max(works.front().cold.wanted, works.front().warm.wanted);
  for (int round = 0; round < rounds && watch.elapsed() < watch.seconds * kShareForSampling; ++round) {
    for (Work& work : works)
      if (work.cold.goes_on()) time_cold(work.cold.events, work.launch);
    for (Work& work : works)
      if (work.warm.goes_on()) time_warm(work.warm.events, work.launch);
    gpu_.wait(watch);
    for (Work& work : works) {
      work.cold.take();
      work.warm.take();
    }
    if (round % kRoundsBetweenClockReadings == 0) {
      gpu_.clocks().observe(clocks);
      progress(static_cast<double>(round) / rounds);
    }
  }
  gpu_.clocks().observe(clocks);
  last_busy_ = Watch::Clock::now();
}

void Sampler::sample(const MeasureRequest& request, const Launch& launch, const Watch& watch,
                     const OnProgress& progress, Measurement& result) {
  prepare();
  reference_.prepare(request, result);
  std::vector<Work> works;
  const auto add = [&](const Launch& work) {
    const Driver& driver = gpu_.driver();
    works.push_back({work, Series(driver, request.cold_samples), Series(driver, request.warm_samples)});
  };
  add(launch);
  if (reference_) add([this] { reference_.launch(); });
  wake_up(watch);
  for (const Work& work : works)
    for (int i = 0; i < request.warm_up; ++i) work.launch();
  gpu_.wait(watch);
  result.event_floor = measure_floor(watch, true);
  result.event_pair = measure_floor(watch, false);
  take_turns(works, watch, progress, result.clocks);
  result.cold = works[0].cold.finish();
  result.warm = works[0].warm.finish();
  if (works.size() > 1) {
    result.reference_cold = works[1].cold.finish();
    result.reference_warm = works[1].warm.finish();
  }
  measure::subtract_event_pair(result);
  reference_.release();
}

}  // namespace warplens::gpu
