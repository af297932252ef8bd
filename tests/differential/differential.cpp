// differential [KERNELS] [SEED]: random kernels from SEED on, in three ways, on all cores. Prints what was
// tried, each kernel that shows a fault, and again the smallest of them. Exit 1: there is a fault.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "tests/differential/coverage.h"
#include "tests/differential/trial.h"

namespace warplens::differential {
namespace {

constexpr std::size_t kMostFaults = 5;  // then the run ends

// A kernel that crashes the simulator is named too.
thread_local std::uint64_t seed_now = 0;
extern "C" void name_seed(int signal) {
  std::fprintf(stderr, "crashed with signal %d: tests/differential/run 1 %llu\n", signal,
               static_cast<unsigned long long>(seed_now));
  std::_Exit(1);
}

std::string in_words(const RandomKernel& kernel, const Trial& trial) {
  std::string text = kernel.text() + "// " + describe(trial.compiled ? trial.launch : kernel.launch) + "\n";
  for (const std::string& argument : kernel.template_arguments)
    text += "// template argument " + argument + "\n";
  return text + (trial.compiled ? trial.ways.difference : trial.diagnostics);
}

class Run {
 public:
  Run(std::uint64_t kernels, std::uint64_t seed) : kernels_(kernels), seed_(seed) {}

  bool run() {
    const auto began = std::chrono::steady_clock::now();
    std::vector<std::thread> team;
    for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i)
      team.emplace_back([this] { work(); });
    for (std::thread& one : team) one.join();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    std::printf("%sseeds %llu to %llu, %.1f s\n", coverage_.table().c_str(),
                static_cast<unsigned long long>(seed_),
                static_cast<unsigned long long>(seed_ + coverage_.kernels - 1), seconds);
    if (!smallest_.empty()) std::printf("\nthe smallest kernel that shows a fault:\n%s", smallest_.c_str());
    return smallest_.empty();
  }

 private:
  void work() {
    Coverage tried;
    while (faults_ < kMostFaults) {
      const std::uint64_t number = next_.fetch_add(1);
      if (number >= kernels_) break;
      seed_now = seed_ + number;
      const RandomKernel kernel = random_kernel(seed_now);
      const Trial trial = try_kernel(kernel);
      tried.add(kernel, trial);
      if (trial.is_fault()) note_fault(kernel, trial);
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    coverage_.add(tried);
  }

  void note_fault(const RandomKernel& kernel, const Trial& trial) {
    ++faults_;
    const std::string text =
        in_words(kernel, trial) + "again: tests/differential/run 1 " + std::to_string(kernel.seed) + "\n";
    const std::lock_guard<std::mutex> lock(mutex_);
    std::printf("---- seed %llu\n%s\n", static_cast<unsigned long long>(kernel.seed), text.c_str());
    std::fflush(stdout);
    if (smallest_.empty() || text.size() < smallest_.size()) smallest_ = text;
  }

  const std::uint64_t kernels_, seed_;
  std::atomic<std::uint64_t> next_{0};
  std::atomic<std::size_t> faults_{0};
  std::mutex mutex_;
  Coverage coverage_;
  std::string smallest_;
};

}  // namespace
}  // namespace warplens::differential

int main(int argc, char** argv) {
  for (const int crash : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS})
    std::signal(crash, warplens::differential::name_seed);
  const auto number = [&](int at, std::uint64_t fallback) {
    return argc > at ? std::strtoull(argv[at], nullptr, 10) : fallback;
  };
  return warplens::differential::Run(number(1, 1000), number(2, 1)).run() ? 0 : 1;
}
