#include <algorithm>
#include <limits>

#include "kernels/gpu/cuda/compile_kernel.h"
#include "kernels/gpu/session.h"

namespace warplens::gpu {
namespace {

using report::Peaks;

constexpr std::uint64_t kMostBytes = std::uint64_t{2} << 30;  // of each of two buffers
constexpr int kLaunches = 12, kWarmUp = 3;
constexpr std::uint64_t kWarp = 32;

// Inline PTX where the compiler would otherwise leave out, merge or reorder what is to be counted.
constexpr const char* kKernels = R"(
typedef unsigned u32;
typedef unsigned long long u64;
#define EACH(count) _Pragma("unroll") for (int k = 0; k < count; ++k)
#define LOAD(kind, v, at) asm volatile("ld.global." kind ".v4.u32 {%0,%1,%2,%3}, [%4];" \
    : "=r"((v).x), "=r"((v).y), "=r"((v).z), "=r"((v).w) : "l"(at))

extern "C" __global__ void peak_empty() {}

// Four words of 16 bytes a thread, a block's side by side.
extern "C" __global__ void peak_dram_read(const uint4* from, uint4* to) {
  const size_t i = blockIdx.x * size_t(blockDim.x) * 4 + threadIdx.x;
  uint4 v[4];
  EACH(4) v[k] = from[i + k * blockDim.x];
  if ((v[0].x ^ v[1].y ^ v[2].z ^ v[3].w) == 0x12345678u) *to = v[0];
}
extern "C" __global__ void peak_dram_write(const uint4*, uint4* to) {
  const size_t i = blockIdx.x * size_t(blockDim.x) * 4 + threadIdx.x;
  EACH(4) to[i + k * blockDim.x] = make_uint4(1, 2, 3, 4);
}
extern "C" __global__ void peak_dram_copy(const uint4* from, uint4* to) {
  const size_t i = blockIdx.x * size_t(blockDim.x) * 4 + threadIdx.x;
  uint4 v[4];
  EACH(4) v[k] = from[i + k * blockDim.x];
  EACH(4) to[i + k * blockDim.x] = v[k];
}

// Over and over the same words, a power of two of them, past L1; blocks begin apart.
extern "C" __global__ void peak_l2_read(const uint4* from, uint4* to, u32 words, u32 rounds) {
  const u32 threads = gridDim.x * blockDim.x;
  u32 i = blockIdx.x * blockDim.x + threadIdx.x, seen = 0;
  for (u32 r = 0; r < rounds; ++r, i += 8 * threads + 4 * 37)
    EACH(8) { uint4 v; LOAD("cg", v, from + ((i + k * threads) & (words - 1))); seen ^= v.x; }
  if (seen == 0x12345678u) *to = make_uint4(seen, 0, 0, 0);
}
extern "C" __global__ void peak_l2_write(const uint4*, uint4* to, u32 words, u32 rounds) {
  const u32 threads = gridDim.x * blockDim.x;
  u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  for (u32 r = 0; r < rounds; ++r, i += 8 * threads + 4 * 37)
    EACH(8) to[(i + k * threads) & (words - 1)] = make_uint4(r, 2, 3, 4);
}
extern "C" __global__ void peak_l2_copy(const uint4* from, uint4* to, u32 words, u32 rounds) {
  const u32 threads = gridDim.x * blockDim.x;
  u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  for (u32 r = 0; r < rounds; ++r, i += 4 * threads + 4 * 37) {
    uint4 v[4];
    EACH(4) LOAD("cg", v[k], from + ((i + k * threads) & (words - 1)));
    EACH(4) to[(i + k * threads) & (words - 1)] = v[k];
  }
}

// Each warp lines that stay in L1, another one each time: the assembler would read one and the same but once.
#define LOAD_WORD(v, at) asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v) : "l"(at))
// 33 words from lane to lane: each lane a line of its own, no two of them in one bank.
extern "C" __global__ void peak_l1_lines(const u32* from, u32* to, u32 rounds) {
  u32 seen = 0;
  for (u32 r = 0; r < rounds; ++r)
    EACH(16) { u32 v; LOAD_WORD(v, from + (threadIdx.x % 32 * 33 + (r * 16 + k & 31))); seen ^= v; }
  if (seen == 0x12345678u) *to = seen;
}
extern "C" __global__ void peak_shared(const u32*, u32* to, u32 rounds) {
  __shared__ u32 words[1024];
  for (u32 i = threadIdx.x; i < 1024; i += blockDim.x) words[i] = i;
  __syncthreads();
  volatile u32* at = words + threadIdx.x % 32;
  u32 seen = 0;
  for (u32 r = 0; r < rounds; ++r) EACH(16) seen ^= at[k * 32];
  if (seen == 0x12345678u) *to = seen;
}

#define ADD(at) asm volatile("red.global.add.u32 [%0], %1;" :: "l"(at), "r"(threadIdx.x + k) : "memory")
extern "C" __global__ void peak_atomic_slice(const u32*, u32* to, u32 rounds) {
  u32* at = to + threadIdx.x % 32;
  for (u32 r = 0; r < rounds; ++r) EACH(8) ADD(at);
}
extern "C" __global__ void peak_atomic_turns(const u32*, u32* to, u32 rounds) {
  u32* at = to + (blockIdx.x * blockDim.x + threadIdx.x) * 8;
  for (u32 r = 0; r < rounds; ++r) EACH(8) ADD(at);
}
// `none` is 0, which the compiler does not know: lanes whose address is one for all it would add up by itself.
extern "C" __global__ void peak_atomic_one_address(const u32*, u32* to, u32 rounds, u32 none) {
  u32* at = to + (threadIdx.x & none);
  for (u32 r = 0; r < rounds; ++r) EACH(8) ADD(at);
}

extern "C" __global__ void peak_fma(const u32*, u32* to, u32 rounds) {
  float x[8];
  EACH(8) x[k] = threadIdx.x + k;
  for (u32 r = 0; r < rounds; ++r)
    _Pragma("unroll") for (int j = 0; j < 16; ++j)
      EACH(8) asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x[k]) : "f"(1.0001f), "f"(0.5f));
  float sum = 0;
  EACH(8) sum += x[k];
  if (sum == 1.2345f) *to = 1;
}

// A ring of `links` (a power of two) addresses, `apart` bytes from one another, in no order that hardware could
// fetch ahead in: each holds the next one's address.
extern "C" __global__ void peak_ring(char* from, u64*, u32 links, u32 apart) {
  const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= links) return;
  const u32 next = (i * 1664525u + 1013904223u) & (links - 1);
  *(u64*)(from + u64(i) * apart) = u64(from + u64(next) * apart);
}
extern "C" __global__ void peak_chase_begin(char* from, u64* to) { *to = u64(from); }
// One thread, past L1, each load at the address that the one before brought; where it ends the next launch
// goes on.
extern "C" __global__ void peak_chase(char*, u64* to, u32 steps) {
  u64 at = *to;
  for (u32 i = 0; i < steps; i += 8)
    EACH(8) asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(at) :: "memory");
  *to = at;
}
)";

class PeakMeter {
 public:
  PeakMeter(Gpu& gpu, const Watch& watch) : gpu_(gpu), watch_(watch), events_(gpu.driver()) {
    bytes_ = std::uint64_t{1} << 20;
    while (bytes_ < kMostBytes && bytes_ * 8 <= gpu.free_bytes()) bytes_ *= 2;
    from_ = DeviceBuffer(gpu.driver(), bytes_);
    to_ = DeviceBuffer(gpu.driver(), bytes_);
    for (const DeviceBuffer* buffer : {&from_, &to_})
      gpu.driver().check(gpu.driver().set_bytes(buffer->address(), 0, bytes_, gpu.stream()),
                         Message::Text("filling a buffer"));
  }

  Peaks measure() {
    Peaks peaks;
    const auto multiprocessors =
        static_cast<std::uint64_t>(gpu_.attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
    wake_up();
    const std::uint64_t blocks = std::uint64_t{1} << 20;
    peaks.blocks = rate(
        blocks, [&](const Kernel& k) { launch(k, blocks, 32, {}); }, "peak_empty");
    measure_dram(peaks);
    measure_l2(peaks, multiprocessors);
    // Two blocks of 1,024 threads fill a multiprocessor.
    const std::uint64_t warps = multiprocessors * 64;
    const auto on_all = [&](const char* kernel, std::uint32_t rounds, std::uint64_t a_round) {
      return rate(
          warps * rounds * a_round,
          [&](const Kernel& k) {
            launch(k, multiprocessors * 2, 1024, {rounds, 0});
          },
          kernel);
    };
    peaks.l1_lines = on_all("peak_l1_lines", 400, 16 * kWarp);
    peaks.shared_wavefronts = on_all("peak_shared", 2000, 16);
    peaks.atomic_slice = on_all("peak_atomic_slice", 4, 8 * 4);
    peaks.atomic_turns = on_all("peak_atomic_turns", 20, 8 * kWarp);
    peaks.atomic_one_address = on_all("peak_atomic_one_address", 2, 8 * kWarp);
    peaks.fma = on_all("peak_fma", 400, 128);
    measure_latency(peaks);
    return peaks;
  }

 private:
  void measure_dram(Peaks& peaks) {
    const std::uint64_t blocks = bytes_ / 16 / 4 / 1024;
    const auto all = [&](const Kernel& k) { launch(k, blocks, 1024, {}); };
    peaks.dram_read = rate(bytes_, all, "peak_dram_read");
    peaks.dram_write = rate(bytes_, all, "peak_dram_write");
    // The driver's own copy may be faster than a kernel.
    peaks.dram_copy = std::max(
        rate(2 * bytes_, all, "peak_dram_copy"),
        rate(
            2 * bytes_,
            [&](const Kernel&) {
              const Driver& driver = gpu_.driver();
              driver.check(driver.copy_on_device(to_.address(), from_.address(), bytes_, gpu_.stream()),
                           Message::Text("copying a buffer"));
            },
            "peak_empty"));
  }

  void measure_l2(Peaks& peaks, std::uint64_t multiprocessors) {
    std::uint64_t words = 1024;  // of 16 bytes, in both buffers together at most a quarter of the cache
    while (words * 16 * 2 * 8 <= gpu_.l2_bytes()) words *= 2;
    const std::uint64_t blocks = multiprocessors * 8, rounds = 100;
    const std::uint64_t sectors = blocks * 256 * rounds * 8 / 2;
    const auto all = [&](const Kernel& k) {
      launch(k, blocks, 256, {static_cast<std::uint32_t>(words), static_cast<std::uint32_t>(rounds)});
    };
    peaks.l2_read = rate(sectors, all, "peak_l2_read");
    peaks.l2_write = rate(sectors, all, "peak_l2_write");
    peaks.l2_copy = rate(sectors, all, "peak_l2_copy");
  }

  // Last of all: what it leaves in the buffers the others would not expect.
  void measure_latency(Peaks& peaks) {
    std::uint64_t ring = std::uint64_t{1} << 20;  // bytes: more than the cache holds, but few pages
    while (ring < gpu_.l2_bytes() * 4 && ring < bytes_) ring *= 2;
    // Each launch goes on where the one before ended: none meets a link that another has brought into L2.
    constexpr std::uint32_t kApart = 4096;
    const auto links = static_cast<std::uint32_t>(ring / kApart);
    peaks.dram_latency = latency(links, kApart, links / (kWarmUp + kLaunches + 1) / 8 * 8);
    constexpr std::uint32_t kLinksOfL2 = 8192;  // a line each; the first launch brings them into L2
    peaks.l2_latency = latency(kLinksOfL2, 128, kLinksOfL2);
  }

  double latency(std::uint32_t links, std::uint32_t apart, std::uint32_t steps) {
    once("peak_ring", (links + 255) / 256, 256, {links, apart});
    // Writes all of the other buffer: nothing of the ring stays in L2.
    gpu_.driver().check(gpu_.driver().set_bytes(to_.address(), 0, bytes_, gpu_.stream()),
                        Message::Text("filling a buffer"));
    once("peak_chase_begin", 1, 1, {});
    return 1 / rate(
                   steps, [&](const Kernel& k) { launch(k, 1, 1, {steps}); }, "peak_chase");
  }

  void once(const char* name, std::uint32_t blocks, std::uint32_t threads, std::vector<std::uint32_t> more) {
    const std::unique_ptr<Kernel> kernel = helper_kernel(gpu_, kKernels, name);
    launch(*kernel, blocks, threads, std::move(more));
    gpu_.wait(watch_);
  }

  // What one launch does, divided by the shortest time that it took.
  template <class Launch>
  double rate(std::uint64_t count, const Launch& launch, const char* name) {
    const std::unique_ptr<Kernel> kernel = helper_kernel(gpu_, kKernels, name);
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < kWarmUp + kLaunches; ++i) {
      events_.record_begin(gpu_.stream());
      launch(*kernel);
      events_.record_end(gpu_.stream());
      gpu_.wait(watch_);
      if (i >= kWarmUp) best = std::min(best, events_.seconds());
    }
    return static_cast<double>(count) / best;
  }

  void launch(const Kernel& kernel, std::uint64_t blocks, std::uint32_t threads,
              std::vector<std::uint32_t> more) {
    CUdeviceptr from = from_.address(), to = to_.address();
    std::vector<void*> arguments{&from, &to};
    for (std::uint32_t& value : more) arguments.push_back(&value);
    kernel.launch({static_cast<std::uint32_t>(blocks), 1, 1}, {threads, 1, 1}, 0, gpu_.stream(),
                  arguments.data());
  }

  // A GPU that was idle runs at low clocks at first.
  void wake_up() {
    const auto until = Watch::Clock::now() + std::chrono::milliseconds(300);
    while (Watch::Clock::now() < until) {
      gpu_.driver().check(gpu_.driver().copy_on_device(to_.address(), from_.address(), bytes_, gpu_.stream()),
                          Message::Text("copying a buffer"));
      gpu_.wait(watch_);
    }
  }

  Gpu& gpu_;
  const Watch& watch_;
  EventPair events_;
  std::uint64_t bytes_ = 0;
  DeviceBuffer from_, to_;
};

}  // namespace

report::Peaks measure_peaks(Gpu& gpu, double launch, const Watch& watch) {
  report::Peaks peaks = PeakMeter(gpu, watch).measure();
  if (launch > 0) peaks.launches = 1 / launch;
  return peaks;
}

}  // namespace warplens::gpu
