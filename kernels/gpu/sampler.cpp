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

// One kind of sample as it grows.
struct Sampler::Series {
  EventPair events;
  std::vector<double> seconds;
  explicit Series(const Driver& driver) : events(driver) {}
  void take() { seconds.push_back(events.seconds()); }
  measure::Samples finish(bool complete) {
    measure::Samples samples = measure::summarise(std::move(seconds));
    samples.complete = complete;
    return samples;
  }
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
  Series series(gpu_.driver());
  for (int i = 0; i < kFloorSamples; ++i) {
    delay();
    series.events.record_begin(gpu_.stream());
    empty_->launch({1, 1, 1}, {32, 1, 1}, 0, gpu_.stream(), nullptr);
    series.events.record_end(gpu_.stream());
    gpu_.wait(watch);
    series.take();
  }
  return floor_ = series.finish(true).median;
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

void Sampler::sample(const MeasureRequest& request, const Launch& launch, const Watch& watch,
                     const OnProgress& progress, Measurement& result) {
  prepare();
  const Driver& driver = gpu_.driver();
  const std::uint64_t bytes = copy_bytes(request);
  DeviceBuffer from, to;
  if (bytes > 0) {
    from = DeviceBuffer(driver, bytes);
    to = DeviceBuffer(driver, bytes);
    driver.check(driver.set_bytes(from.address(), 1, bytes, gpu_.stream()), "preparing the reference copy");
  }
  const Launch copy = [&] {
    driver.check(driver.copy_on_device(to.address(), from.address(), bytes, gpu_.stream()),
                 "the reference copy");
  };

  wake_up(watch);
  for (int i = 0; i < request.warm_up; ++i) launch();
  gpu_.wait(watch);
  result.event_floor = measure_floor(watch);

  Series cold(driver), warm(driver), copy_cold(driver), copy_warm(driver);
  const int rounds = std::max(request.cold_samples, request.warm_samples);
  int round = 0;
  for (; round < rounds && watch.elapsed() < watch.seconds * kShareForSampling; ++round) {
    const bool do_cold = round < request.cold_samples, do_warm = round < request.warm_samples;
    if (do_cold) time_cold(cold.events, launch);
    if (do_cold && bytes > 0) time_cold(copy_cold.events, copy);
    if (do_warm) time_warm(warm.events, launch);
    if (do_warm && bytes > 0) time_warm(copy_warm.events, copy);
    gpu_.wait(watch);
    if (do_cold) cold.take();
    if (do_warm) warm.take();
    if (do_cold && bytes > 0) copy_cold.take();
    if (do_warm && bytes > 0) copy_warm.take();
    if (round % kRoundsBetweenClockReadings == 0) {
      gpu_.clocks().observe(result.clocks);
      progress(static_cast<double>(round) / rounds);
    }
  }
  gpu_.clocks().observe(result.clocks);
  last_busy_ = Watch::Clock::now();
  const bool complete = round == rounds;
  result.cold = cold.finish(complete);
  result.warm = warm.finish(complete);
  if (bytes == 0) return;
  result.reference_what = "cudaMemcpy device to device";
  result.reference_bytes = 2 * bytes;
  result.reference_cold = copy_cold.finish(complete);
  result.reference_warm = copy_warm.finish(complete);
}

}  // namespace warplens::gpu
