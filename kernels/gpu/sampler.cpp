#include "kernels/gpu/sampler.h"

#include <algorithm>

#include "kernels/gpu/compile_kernel.h"

namespace warplens::gpu {
namespace {

using measure::Measurement;
using measure::MeasureRequest;

constexpr unsigned long long kDelayNanoseconds = 20'000;
constexpr std::uint64_t kLeastFlush = std::uint64_t{32} << 20;
constexpr std::uint64_t kMostCopy = std::uint64_t{4} << 30;
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

Sampler::Sampler(Gpu& gpu) : gpu_(gpu) {}

std::uint64_t Sampler::flush_bytes() const {
  return std::max(kLeastFlush, 2 * gpu_.l2_bytes());
}

std::uint64_t Sampler::copy_bytes(const MeasureRequest& request) {
  if (!request.reference || request.cold_samples + request.warm_samples == 0) return 0;
  return std::min(request.useful_bytes / 2, kMostCopy);  // each byte is read and written
}

void Sampler::prepare() {
  if (delay_ == nullptr)
    for (auto* kernel : {&delay_, &empty_}) {
      const std::string name = kernel == &delay_ ? "warplens_delay" : "warplens_empty";
      const KernelImage image = compile_helper(gpu_.nvrtc(), kHelpers, name, gpu_.major(), gpu_.minor());
      *kernel = std::make_unique<Kernel>(gpu_.driver(), image.image, image.lowered_name);
    }
  if (flush_buffer_.bytes() == 0) flush_buffer_ = DeviceBuffer(gpu_.driver(), flush_bytes());
}

void Sampler::flush() {
  gpu_.driver().check(gpu_.driver().set_words(flush_buffer_.address(), ++flush_value_,
                                              flush_buffer_.bytes() / 4, gpu_.stream()),
                      "flushing the L2 cache");
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

double Sampler::measure_floor(const Watch& watch) {
  if (floor_ > 0) return floor_;
  Series series(gpu_.driver(), kFloorSamples);
  for (int i = 0; i < kFloorSamples; ++i) {
    delay();
    series.events.record_begin(gpu_.stream());
    empty_->launch({1, 1, 1}, {32, 1, 1}, 0, gpu_.stream(), nullptr);
    series.events.record_end(gpu_.stream());
    gpu_.wait(watch);
    series.take();
  }
  return floor_ = series.finish().median;
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
  const Driver& driver = gpu_.driver();
  const std::uint64_t bytes = copy_bytes(request);
  DeviceBuffer from, to;
  std::vector<Work> works;
  const auto add = [&](const Launch& work) {
    works.push_back({work, Series(driver, request.cold_samples), Series(driver, request.warm_samples)});
  };
  add(launch);
  if (bytes > 0) {
    from = DeviceBuffer(driver, bytes);
    to = DeviceBuffer(driver, bytes);
    driver.check(driver.set_bytes(from.address(), 1, bytes, gpu_.stream()), "preparing the reference copy");
    add([&] {
      driver.check(driver.copy_on_device(to.address(), from.address(), bytes, gpu_.stream()),
                   "the reference copy");
    });
  }
  wake_up(watch);
  for (int i = 0; i < request.warm_up; ++i) launch();
  gpu_.wait(watch);
  result.event_floor = measure_floor(watch);
  take_turns(works, watch, progress, result.clocks);
  result.cold = works[0].cold.finish();
  result.warm = works[0].warm.finish();
  if (bytes == 0) return;
  result.reference_what = "cudaMemcpy device to device";
  result.reference_bytes = 2 * bytes;
  result.reference_cold = works[1].cold.finish();
  result.reference_warm = works[1].warm.finish();
}

}  // namespace warplens::gpu
