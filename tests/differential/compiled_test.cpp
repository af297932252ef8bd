// Random kernels by both doors: as the text has them, and as nvcc compiles them for a debugger. There each
// access of the text is one of the PTX, and what is counted is the same.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <iostream>
#include <map>
#include <regex>
#include <sstream>

#include "kernels/protocol/as_written.h"
#include "sim/count/totals.h"
#include "sim/lower/lower.h"
#include "sim/scenario/launch_document.h"
#include "tests/differential/random_kernel.h"
#include "tests/scenario/folder.h"

namespace warplens::differential {
namespace {

// Requests and sectors, or wavefronts, of each space and operation; without optimising, an atomic gives its
// result whether it is read or not.
std::string words_of(const sim::Program& program, const sim::Totals& totals) {
  constexpr const char* kNames[] = {"load", "store", "atomic", "atomic", "async"};
  std::map<std::string, std::array<std::uint64_t, 2>> groups;
  for (std::size_t site = 0; site < program.sites.size(); ++site) {
    const std::string operation = kNames[static_cast<std::size_t>(program.sites[site].op)];
    for (const bool is_global : {true, false}) {
      const sim::SiteTotals& found = (is_global ? totals.global_sites : totals.shared_sites)[site];
      if (found.requests == 0) continue;
      auto& [requests, cost] = groups[(is_global ? "global " : "shared ") + operation];
      requests += found.requests;
      cost += is_global ? found.sectors : found.wavefronts;
    }
  }
  std::ostringstream out;
  for (const auto& [name, counts] : groups) out << name << " " << counts[0] << " " << counts[1] << "; ";
  return out.str();
}

const std::string kNvcc = "PATH=\"$PATH:/usr/local/cuda/bin\" nvcc ";

// Empty: nvcc does not compile it.
std::string unoptimised_ptx(const std::string& text, const scenario::Folder& folder) {
  const std::string file = folder.write("k.cu", text).string();
  const std::string command =
      kNvcc + "-ptx -G -std=c++17 -arch=sm_90 -o " + file + ".ptx " + file + " >" + file + ".said 2>&1";
  return std::system(command.c_str()) == 0 ? folder.read("k.cu.ptx") : std::string();
}

TEST(Compiled, RandomKernelsCountTheSameByBothDoors) {
  if (std::system((kNvcc + "--version >/dev/null 2>&1").c_str()) != 0) GTEST_SKIP() << "there is no nvcc";
  const char* many = std::getenv("WARPLENS_COMPILED_KERNELS");
  const std::uint64_t kernels = many != nullptr ? std::strtoull(many, nullptr, 10) : 12;
  const char* from = std::getenv("WARPLENS_COMPILED_FROM");
  const std::uint64_t first = from != nullptr ? std::strtoull(from, nullptr, 10) : 1;
  const scenario::Folder folder;
  std::uint64_t compared = 0, refused = 0;
  const memory::GpuModel& gpu = *memory::find_gpu_model("sm_90");
  for (std::uint64_t seed = first; compared < kernels && seed < first + 200 * kernels; ++seed) {
    const RandomKernel kernel = random_kernel(seed);
    scenario::Setup written;
    // Without optimising, nvcc copies vectors member by member, a struct with gaps word by word, and reads
    // constants through generic pointers. Pointers in an array lie in local memory, where PTX does not say
    // that they are any.
    static const std::regex kOtherwise(
        "__constant__|(char|short|int|long|float|double)[1-4]\\b|Record w|= make_record_of|\\* p[0-9]+\\[");
    if (std::regex_search(kernel.text(), kOtherwise)) continue;
    // Volatile: what is multiplied by a constant zero, say, is not loaded otherwise, nor what is in a
    // variable that nothing reads.
    static const std::regex kLocal(
        "\\b(((un)?signed )?(char|short|int)|long long|auto|float|double|bool) [bclrv][0-9]+ =");
    const std::string text = std::regex_replace(kernel.text(), kLocal, "volatile $&");
    written.compile.text = measure::make_shared_volatile(text).text;
    written.compile.kernel = "k";
    written.compile.template_arguments = kernel.template_arguments;
    written.launch = kernel.launch;
    written.source_name = "k.cu";
    const sim::CompileResult known = sim::compile(written.compile);
    if (!known.program) continue;
    const sim::Totals as_written = sim::grid_totals(*known.program, written.launch, gpu);
    if (as_written.error) continue;
    const std::string ptx = unoptimised_ptx(scenario::text_to_compile(written), folder);
    if (ptx.empty()) {
      ++refused;
      continue;
    }
    Budget budget;
    const auto compiled = scenario::as_compiled(written, ptx, budget);
    const sim::CompileResult made = compiled ? sim::compile(compiled.value->compile) : sim::CompileResult{};
    if (!made.program) {
      std::cout
          << "seed " << seed << ": "
          << (made.diagnostics.empty() ? compiled.errors.front() : made.diagnostics.front().message).english()
          << "\n";
      ++refused;
      continue;
    }
    const sim::Totals as_compiled = sim::grid_totals(*made.program, compiled.value->launch, gpu);
    ++compared;
    EXPECT_FALSE(as_compiled.error) << "seed " << seed << ": " << as_compiled.error->message.english();
    EXPECT_EQ(words_of(*known.program, as_written), words_of(*made.program, as_compiled)) << "seed " << seed;
  }
  EXPECT_EQ(compared, kernels) << refused << " were refused";
}

}  // namespace
}  // namespace warplens::differential
