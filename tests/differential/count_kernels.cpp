// count_kernels KERNELS SEED: random kernels from SEED on in three ways, with all their counts in words.
// Compiled for another machine it prints the same (tests/wasm/run).
#include <cstdio>
#include <cstdlib>

#include "tests/differential/trial.h"

int main(int argc, char** argv) {
  using namespace warplens::differential;
  if (argc != 3) {
    std::fputs("count_kernels KERNELS SEED\n", stderr);
    return 2;
  }
  const std::uint64_t kernels = std::strtoull(argv[1], nullptr, 10),
                      first = std::strtoull(argv[2], nullptr, 10);
  for (std::uint64_t seed = first; seed < first + kernels; ++seed) {
    const RandomKernel kernel = random_kernel(seed);
    const Trial trial = try_kernel(kernel);
    std::printf("seed %llu: %s\n%s%s", static_cast<unsigned long long>(seed),
                describe(trial.compiled ? trial.launch : kernel.launch).c_str(), kernel.text().c_str(),
                trial.compiled ? "" : "does not compile\n");
    if (!trial.compiled) continue;
    std::printf("outcome %d, error %d, %llu of %llu blocks\n%s%s", static_cast<int>(trial.ways.outcome),
                static_cast<int>(trial.ways.error), static_cast<unsigned long long>(trial.ways.simulated),
                static_cast<unsigned long long>(trial.ways.blocks), trial.ways.difference.c_str(),
                trial.ways.counts.c_str());
  }
  return 0;
}
