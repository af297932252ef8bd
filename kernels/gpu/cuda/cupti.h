// CUPTI, NVIDIA's library of counters, opened while the program runs. Only where it is known to the compiler.
#pragma once

#ifdef WARPLENS_CUPTI

#include <cupti_result.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "kernels/gpu/device.h"
#include "sim/base/message.h"

namespace warplens::gpu {

// Thrown: why there are no counters, in words.
struct NoCounters {
  Message reason;
};

class Cupti {
 public:
  // Opens the library that goes with the GPU's CUDA; throws NoCounters.
  explicit Cupti(Gpu& gpu);

  // Throws NoCounters where the library is too old to have the function.
  template <class Function>
  void look_up(const char* name, Function& function) const {
    function = reinterpret_cast<Function>(symbol(name));
  }
  // Throws NoCounters: "CUPTI failed to start: ...".
  void check(CUptiResult result, const char* what) const;

 private:
  void* symbol(const char* name) const;
  SharedLibrary library_;
};

// What is opened by the first that needs it. Without the library or the permission it is not tried again;
// after that, each kernel has its own chance.
template <class Session>
class Opened {
 public:
  // Why there are no counters; empty: `work` has read them.
  template <class Work>
  Message use(Gpu& gpu, const Work& work) {
    if (!for_good_.empty()) return for_good_;
    try {
      if (session_ == nullptr) session_ = std::make_unique<Session>(gpu);
      work(*session_);
      return {};
    } catch (const NoCounters& failed) {
      if (session_ == nullptr) for_good_ = failed.reason;
      return failed.reason;
    }
  }

 private:
  std::unique_ptr<Session> session_;
  Message for_good_;
};

// A list of functions as members that point to them, and what fills these from a `Cupti cupti`.
#define WARPLENS_CUPTI_MEMBER(name) decltype(&::name) name = nullptr;
#define WARPLENS_CUPTI_LOOK_UP(name) cupti.look_up(#name, name);

// A parameter block as CUPTI wants it: zeros, and its own size.
template <typename Params>
Params block(std::size_t size) {
  Params params{};
  params.structSize = size;
  return params;
}
#define WARPLENS_CUPTI_BLOCK(type) block<type>(type##_STRUCT_SIZE)

// Runs a piece of work when it goes out of scope, unless the GPU's state is lost: then every call would hang.
class Finally {
 public:
  Finally(const Driver& driver, std::function<void()> work) : driver_(driver), work_(std::move(work)) {}
  ~Finally() {
    if (!driver_.lost) work_();
  }
  Finally(const Finally&) = delete;

 private:
  const Driver& driver_;
  std::function<void()> work_;
};

}  // namespace warplens::gpu

#endif
