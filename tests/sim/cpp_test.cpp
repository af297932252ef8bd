// tests/sim/cpp.cu as the simulator runs it and as the host's compiler does.
#include <gtest/gtest.h>

#include <algorithm>
#include <cfloat>
#include <climits>
#include <fstream>
#include <functional>
#include <sstream>
#include <vector>

#include "tests/sim/program_of.h"

#define __device__
#define __global__
#define __constant__
#define __forceinline__ inline
namespace warplens::sim::host {
#include "tests/sim/cpp.cu"
}
#undef __device__
#undef __global__
#undef __constant__
#undef __forceinline__

namespace warplens::sim {
namespace {

constexpr std::size_t kWhole = 128, kReal = 32;

struct Kernel {
  const char* name;
  std::function<void(long long*, double*)> host;
  bool has_reals = false;
};

void expect_as_on_the_host(const Kernel& kernel) {
  std::stringstream text;
  text << std::ifstream(WARPLENS_SOURCE_DIR "/tests/sim/cpp.cu").rdbuf();
  const CompileResult compiled = compile({.text = text.str(), .kernel = kernel.name});
  for (const cuda::Diagnostic& d : compiled.diagnostics) ADD_FAILURE() << render(d, text.str(), "cpp.cu");
  ASSERT_TRUE(compiled.program);
  Launch launch{.grid = {}, .block = {1}, .arguments = {{"out", Buffer{kWhole, Fill::Zero}}}};
  if (kernel.has_reals) launch.arguments["real"] = Buffer{kReal, Fill::Zero};
  std::vector<long long> whole(kWhole);
  std::vector<double> real(kReal);
  kernel.host(whole.data(), real.data());
  EXPECT_EQ(values_of<long long>(*compiled.program, launch), whole);
  if (kernel.has_reals) {
    EXPECT_EQ(values_of<double>(*compiled.program, launch, 1), real);
  }
}

TEST(Cpp, IsWhatTheHostsCompilerTakesItFor) {
  const auto whole = [](void (*kernel)(long long*)) {
    return [kernel](long long* out, double*) { kernel(out); };
  };
  for (const Kernel& kernel : {Kernel{"preprocessed", whole(host::preprocessed)},
                               {"literals", host::literals, true},
                               {"operators", host::operators, true},
                               {"statements", whole(host::statements)},
                               {"declarations", host::declarations, true},
                               {"types", whole(host::types)}}) {
    SCOPED_TRACE(kernel.name);
    expect_as_on_the_host(kernel);
  }
}

}  // namespace
}  // namespace warplens::sim
