// A kernel file, how it is launched, and what it must do: compile without a word, compute what the host's
// compiler makes of the same text, and count what can be worked out by hand.
//
//   #include "vector_add.cu.h"
//   const Register vector_add_case({.launch = {"vector_add.cu", "add", {4}, {64}},
//       .arguments = {buffer("a", 200, Fill::Random), number("n", 200)},
//       .host = called(vector_add::add)});  // or HOST(vector_add::add(h["a"], 200))
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

using sim::Dim3;
using sim::Fill;
inline constexpr Fill R = Fill::Random, I = Fill::Iota;

struct NamedArgument {
  std::string name;
  sim::Argument value;
};
inline NamedArgument buffer(std::string name, std::uint64_t elements, Fill fill = Fill::Zero) {
  return {std::move(name), sim::Buffer{elements, fill}};
}
inline NamedArgument number(std::string name, std::int64_t value) {
  return {std::move(name), value};
}
inline NamedArgument real(std::string name, double value) {
  return {std::move(name), value};
}

// The host's copies of the buffers, filled alike.
struct HostBuffers {
  std::vector<NamedArgument> arguments;                     // of the launch
  std::map<std::string, std::vector<std::uint64_t>> bytes;  // in words, for their alignment
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

struct Total {
  std::string name;  // "global load requests", "shared store wavefronts", "barriers"
  std::uint64_t value = 0;
};

struct Case {
  struct {
    std::string file, kernel;  // "vector_add.cu", "add<float>"
    Dim3 grid = {1}, block = {32};
    std::uint64_t shared_bytes = 0;
  } launch;
  std::vector<NamedArgument> arguments = {};
  std::function<void(HostBuffers&)> before = {};  // fills variables
  std::function<void(HostBuffers&)> host;         // one thread of the kernel
  std::function<void(HostBuffers&)> after = {};   // takes variables back
  std::vector<Total> totals = {};
  int warnings = 0;      // that compiling must give
  double tolerance = 0;  // relative, of floats: where the host's library rounds differently
};

std::vector<Case>& cases();
struct Register {
  explicit Register(Case c) { cases().push_back(std::move(c)); }
};

// The host's copy of a kernel, called with the launch's arguments in turn.
template <class... P>
std::function<void(HostBuffers&)> called(void (*kernel)(P...)) {
  return [kernel](HostBuffers& h) {
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
    std::apply(kernel, std::tuple<P...>{given(static_cast<const P*>(nullptr))...});  // from left to right
  };
}

#define HOST(...)      \
  [](HostBuffers& h) { \
    (void)h;           \
    __VA_ARGS__;       \
  }

}  // namespace warplens::language
