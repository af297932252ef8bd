// One kernel text, two executions: simulated, and compiled by the host's C++ compiler.
//
//   WARPLENS_KERNEL(scale, __global__ void kernel(float* out, int n) { ... })
//
//   TEST(Values, Scale) {
//     Comparison c({1}, {64});
//     float* out = c.buffer<float>("out", 64, Fill::Iota);
//     const int n = c.scalar("n", 50);
//     c.check(scale_text, [&] { scale::kernel(out, n); });
//   }
//
// The macro keeps the text as a string and compiles it too, with the words of CUDA given a meaning below.
// Barriers need Comparison::with_barriers: the block's threads then are threads of the host.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <barrier>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "sim/count/totals.h"
#include "sim/lower/lower.h"
#include "tests/sim/disassemble.h"

#define WARPLENS_KERNEL(NAME, ...) \
  namespace NAME {                 \
  __VA_ARGS__                      \
  }                                \
  [[maybe_unused]] constexpr const char* NAME##_text = #__VA_ARGS__;

#define __global__ [[maybe_unused]] static
#define __device__ [[maybe_unused]] static
#define __shared__ static
#define __forceinline__ inline

// ---- CUDA's names on the host ----

struct uint3 {
  unsigned x, y, z;
};
struct alignas(8) float2 {
  float x, y;
};
struct float3 {
  float x, y, z;
};
struct alignas(16) float4 {
  float x, y, z, w;
};
struct alignas(8) int2 {
  int x, y;
};
struct alignas(16) int4 {
  int x, y, z, w;
};
struct alignas(4) uchar4 {
  unsigned char x, y, z, w;
};
struct alignas(16) double2 {
  double x, y;
};
struct alignas(16) ulonglong2 {
  unsigned long long x, y;
};
inline float2 make_float2(float x, float y) {
  return {x, y};
}
inline float4 make_float4(float x, float y, float z, float w) {
  return {x, y, z, w};
}
inline int2 make_int2(int x, int y) {
  return {x, y};
}

inline thread_local uint3 threadIdx{}, blockIdx{};
inline uint3 blockDim{}, gridDim{};
inline std::barrier<>* host_barrier = nullptr;
inline void __syncthreads() {
  host_barrier->arrive_and_wait();
}

inline int min(int a, int b) {
  return b < a ? b : a;
}
inline int max(int a, int b) {
  return a < b ? b : a;
}
inline unsigned min(unsigned a, unsigned b) {
  return b < a ? b : a;
}
inline unsigned max(unsigned a, unsigned b) {
  return a < b ? b : a;
}
inline int __popc(unsigned v) {
  return __builtin_popcount(v);
}
inline int __clz(int v) {
  return v == 0 ? 32 : __builtin_clz(static_cast<unsigned>(v));
}
inline int __ffs(int v) {
  return __builtin_ffs(v);
}

inline std::mutex host_atomics;
template <class T>
T atomicAdd(T* address, T value) {
  const std::scoped_lock lock(host_atomics);
  const T old = *address;
  *address = old + value;
  return old;
}
template <class T>
T atomicMax(T* address, T value) {
  const std::scoped_lock lock(host_atomics);
  const T old = *address;
  *address = old < value ? value : old;
  return old;
}

// ---- comparing ----

namespace warplens::sim {

class Comparison {
 public:
  Comparison(Dim3 grid, Dim3 block) {
    launch_.grid = grid;
    launch_.block = block;
  }

  bool with_barriers = false;
  std::vector<std::string> template_arguments;

  template <class T>
  T* buffer(const std::string& name, std::uint64_t elements, Fill fill = Fill::Zero) {
    launch_.arguments[name] = Buffer{elements, fill};
    HostBuffer& made = buffers_.emplace_back();
    made.name = name;
    made.fill = fill;
    made.elements = elements;
    made.bytes.resize(elements * sizeof(T) + 16);
    return reinterpret_cast<T*>(made.begin());
  }
  template <class T>
  T scalar(const std::string& name, T value) {
    if constexpr (std::is_floating_point_v<T>)
      launch_.arguments[name] = static_cast<double>(value);
    else
      launch_.arguments[name] = static_cast<std::int64_t>(value);
    return value;
  }

  // Runs both, and compares every byte of every buffer.
  void check(const char* text, const std::function<void()>& host) {
    CompileRequest request;
    request.text = text;
    request.kernel = "kernel";
    request.template_arguments = template_arguments;
    const CompileResult compiled = compile(request);
    for (const cuda::Diagnostic& d : compiled.diagnostics) {
      if (d.severity == cuda::Severity::Error) ADD_FAILURE() << cuda::render(d, text, "kernel.cu");
    }
    ASSERT_TRUE(compiled.program);
    const Program& program = *compiled.program;
    fill(program);
    const GridValues values = run_grid(program, launch_, memory::default_gpu_model());
    ASSERT_FALSE(values.error) << values.error->message << "\n" << disassemble(program);
    run_host(host);
    for (std::size_t p = 0; p < program.parameters.size(); ++p) compare(program, p, values.buffers[p]);
  }

 private:
  struct HostBuffer {
    std::string name;
    Fill fill = Fill::Zero;
    std::uint64_t elements = 0;
    std::vector<std::uint8_t> bytes;
    std::uint8_t* begin() {  // aligned for float4
      const auto at = reinterpret_cast<std::uintptr_t>(bytes.data());
      return bytes.data() + (16 - at % 16) % 16;
    }
  };

  HostBuffer* find(const std::string& name) {
    for (HostBuffer& b : buffers_) {
      if (b.name == name) return &b;
    }
    return nullptr;
  }

  void fill(const Program& program) {
    for (const KernelParameter& parameter : program.parameters) {
      HostBuffer* buffer = find(parameter.name);
      if (!buffer) continue;
      const int bytes = size_of(parameter.type);
      for (std::uint64_t i = 0; i < buffer->elements; ++i) {
        const std::uint64_t bits = fill_element(buffer->fill, parameter.type, i, buffer->elements);
        std::memcpy(buffer->begin() + i * bytes, &bits, bytes);
      }
    }
  }

  void run_host(const std::function<void()>& host) {
    const Dim3 grid = launch_.grid, block = launch_.block;
    gridDim = {grid.x, grid.y, grid.z};
    blockDim = {block.x, block.y, block.z};
    for (unsigned b = 0; b < grid.count(); ++b) {
      const uint3 block_index{b % grid.x, b / grid.x % grid.y, b / grid.x / grid.y};
      const auto run_thread = [&](unsigned t) {
        blockIdx = block_index;
        threadIdx = {t % block.x, t / block.x % block.y, t / block.x / block.y};
        host();
      };
      if (!with_barriers) {
        for (unsigned t = 0; t < block.count(); ++t) run_thread(t);
        continue;
      }
      std::barrier<> barrier(static_cast<std::ptrdiff_t>(block.count()));
      host_barrier = &barrier;
      std::vector<std::thread> threads;
      for (unsigned t = 0; t < block.count(); ++t) {
        threads.emplace_back([&, t] {
          run_thread(t);
          barrier.arrive_and_drop();
        });
      }
      for (std::thread& thread : threads) thread.join();
    }
  }

  void compare(const Program& program, std::size_t index, const std::vector<std::uint8_t>& simulated) {
    const KernelParameter& parameter = program.parameters[index];
    HostBuffer* buffer = find(parameter.name);
    if (!buffer) return;
    const auto bytes = static_cast<std::size_t>(size_of(parameter.type));
    ASSERT_EQ(simulated.size(), buffer->elements * bytes);
    for (std::uint64_t i = 0; i < buffer->elements; ++i) {
      const std::uint8_t* expected = buffer->begin() + i * bytes;
      if (std::memcmp(expected, simulated.data() + i * bytes, bytes) == 0) continue;
      FAIL() << parameter.name << "[" << i << "] is " << show(parameter.type, simulated.data() + i * bytes)
             << ", the host says " << show(parameter.type, expected) << "\n"
             << disassemble(program);
    }
  }

  static std::string show(ScalarType type, const std::uint8_t* at) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, at, static_cast<std::size_t>(size_of(type)));
    float f = 0;
    double d = 0;
    std::memcpy(&f, at, std::min<std::size_t>(4, static_cast<std::size_t>(size_of(type))));
    if (size_of(type) == 8) std::memcpy(&d, at, 8);
    if (type == ScalarType::F32) return std::to_string(f);
    if (type == ScalarType::F64) return std::to_string(d);
    return std::to_string(static_cast<std::int64_t>(bits));
  }

  Launch launch_;
  std::list<HostBuffer> buffers_;  // their bytes stay where they are
};

}  // namespace warplens::sim
