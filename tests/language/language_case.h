// A kernel file, how it is launched, and what it must do: compile without a word, compute what the host's
// compiler makes of the same text, and count what can be worked out by hand.
//
//   #include "byte_copies.cu.h"
//   const Register kCases[] = {
//       {CALLED("1 32 out=@256 in=@128:random", byte_copies, copy_rows), {.totals = {{"barriers", 0}}}}};
//
// The launch in words: grid, block, bytes of dynamic shared memory behind a +, arguments as the command line
// takes them.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "sim/count/totals.h"
#include "sim/lower/lower.h"
#include "tests/language/host/host_cuda.h"

namespace warplens::language {

// The host's copies of the buffers, filled alike.
struct HostBuffers {
  std::vector<std::pair<std::string, sim::Argument>> arguments;  // of the launch
  std::map<std::string, std::vector<std::uint64_t>> bytes;       // in words, for their alignment
  struct Pointer {
    void* at;
    template <class T>
    operator T*() const {
      return static_cast<T*>(at);
    }
  };
  Pointer operator[](const std::string& name) { return {bytes.at(name).data()}; }
  // Copies a buffer into a variable of the file: __constant__ and __device__ ones.
  template <class T>
  void fill(T& variable, const std::string& name) {
    std::memcpy(&variable, bytes.at(name).data(), sizeof variable);
  }
  template <class T>
  void take(const T& variable, const std::string& name) {
    std::memcpy(bytes.at(name).data(), &variable, sizeof variable);
  }
};
using OnHost = std::function<void(HostBuffers&)>;

#define HOST(...)      \
  [](HostBuffers& h) { \
    (void)h;           \
    __VA_ARGS__;       \
  }

struct Host {
  OnHost thread = {};              // one thread of the kernel
  OnHost before = {}, after = {};  // fills variables, takes them back
};

// Called with as many of the launch's arguments as it has parameters, in turn.
template <class... P>
OnHost with_arguments(std::function<void(P...)> function) {
  return [function](HostBuffers& h) {
    std::size_t next = 0;
    const auto given = [&]<class T>(const T*) {
      const auto& [name, value] = h.arguments.at(next++);
      if constexpr (std::is_pointer_v<T>)
        return static_cast<T>(h[name]);
      else if (const auto* whole = std::get_if<std::int64_t>(&value))
        return static_cast<T>(*whole);
      else
        return static_cast<T>(std::get<double>(value));
    };
    std::apply(function, std::tuple<P...>{given(static_cast<const P*>(nullptr))...});  // from left to right
  };
}

// The host's copy of a kernel.
template <class... P>
Host called(void (*kernel)(P...), OnHost before = {}, OnHost after = {}) {
  return {with_arguments(std::function(kernel)), std::move(before), std::move(after)};
}
// All that the kernel leaves behind, of the buffers by their names or of the arguments.
template <class F>
Host computed(F function) {
  if constexpr (std::is_invocable_v<F, HostBuffers&>)
    return {.after = function};
  else
    return {.after = with_arguments(std::function(function))};
}

#define LAUNCH(launch, file, ...) #file ".cu", #__VA_ARGS__, launch
#define CALLED(launch, file, ...) LAUNCH(launch, file, __VA_ARGS__), called(file::__VA_ARGS__)

struct Total {
  std::string name;  // "global load requests", "shared store wavefronts", "barriers"
  std::uint64_t value = 0;
};
struct More {
  std::vector<Total> totals = {};
  int warnings = 0;      // that compiling must give
  double tolerance = 0;  // relative, of floats: where the host's library rounds differently
};

struct Case {
  std::string file, kernel, launch;
  Host host;
  More more;
};
std::vector<Case>& cases();
struct Register {
  Register(std::string file, std::string kernel, std::string launch, Host host, More more = {}) {
    cases().push_back(
        {std::move(file), std::move(kernel), std::move(launch), std::move(host), std::move(more)});
  }
};

}  // namespace warplens::language
