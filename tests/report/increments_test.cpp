// Shared atomics as text, held against the counters of an NVIDIA H200: tests/data/h200_increments.json.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "sim/count/totals.h"
#include "sim/lower/lower.h"
#include "sim/memory/banks.h"
#include "sim/trace/trace.h"
#include "tests/sim/program_of.h"

namespace warplens::sim {
namespace {

Program compiled(const std::string& form) {
  CompileRequest request;
  request.text =
      "__global__ void k(int* result, int a, int b, int c, int d, int one) {\n"
      "  __shared__ unsigned s[4096];\n"
      "  int t = threadIdx.x, out = 0;\n"
      "  unsigned* p = &s[t % a * b + t / c * d];\n  " +
      form + "\n  result[t] = out;\n}\n";
  return program_of(request);
}

const AccessSite& atomic_of(const Program& program) {
  for (const AccessSite& site : program.sites)
    if (site.op == memory::Op::Atomic) return site;
  ADD_FAILURE() << "no atomic";
  return program.sites.front();
}

TEST(Increments, TakeTheWavefrontsThatTheHardwareCounts) {
  std::ifstream file(WARPLENS_SOURCE_DIR "/tests/data/h200_increments.json");
  int compared = 0, increments = 0;
  const auto document = nlohmann::json::parse(file);
  for (const auto& record : document.at("records")) {
    const Program program = compiled(record.at("form"));
    Launch launch{.grid = {}, .block = {32}, .arguments = {{"result", Buffer{32}}, {"one", std::int64_t{1}}}};
    for (const char* name : {"a", "b", "c", "d"})
      launch.arguments[name] = record.at(name).get<std::int64_t>();
    const Totals totals = grid_totals(program, launch, memory::default_gpu_model());
    ASSERT_FALSE(totals.error) << totals.error->message;
    const auto& site = atomic_of(program);
    const auto index = static_cast<std::size_t>(&site - program.sites.data());
    EXPECT_EQ(totals.shared_sites[index].wavefronts, record.at("wavefronts").get<std::uint64_t>()) << record;
    const Trace trace = trace_block(program, launch, memory::default_gpu_model(), {0, 0, 0});
    for (std::size_t e = 0; e < trace.events.size(); ++e) {
      if (trace.events[e].site != index) continue;
      const auto plan = memory::plan_banks(trace.access(program, e));
      EXPECT_EQ(plan.wavefronts, record.at("wavefronts").get<int>()) << record;
    }
    ++compared;
    increments += site.increments ? 1 : 0;
  }
  EXPECT_EQ(compared, 42);
  EXPECT_EQ(increments, 14);  // atomicAdd(p, 1) and atomicInc(p, 0xffffffff), seven patterns each
}

TEST(Increments, AreWhatTheCompilerCanSeeToBeOne) {
  EXPECT_TRUE(atomic_of(compiled("const int two = 2; atomicAdd(p, two - 1);")).increments);
  EXPECT_TRUE(atomic_of(compiled("atomicAdd((int*)p, 1);")).increments);
  EXPECT_TRUE(atomic_of(compiled("(void)atomicAdd(p, 1);")).increments);
  EXPECT_FALSE(atomic_of(compiled("out = atomicAdd(p, 1);")).increments);
  EXPECT_FALSE(atomic_of(compiled("atomicAdd((float*)p, 1.0f);")).increments);
  EXPECT_FALSE(atomic_of(compiled("atomicAdd((unsigned long long*)s, 1ull);")).increments);
  EXPECT_FALSE(atomic_of(compiled("atomicInc(p, 7);")).increments);
  EXPECT_FALSE(atomic_of(compiled("atomicMax(p, 1);")).increments);
}

TEST(Increments, OtherAtomicsAreDoneByTheUnitOrSwapOrAreALoop) {
  using memory::AtomicWay;
  const auto way = [](const char* form) { return atomic_of(compiled(form)).way; };
  EXPECT_EQ(way("out = atomicAdd(p, t);"), AtomicWay::Native);
  EXPECT_EQ(way("atomicExch((float*)p, 2.0f);"), AtomicWay::Native);
  EXPECT_EQ(way("out = (int)atomicExch((unsigned long long*)s + t, 2ull);"), AtomicWay::Native);
  EXPECT_EQ(way("atomicCAS(p, 0u, t);"), AtomicWay::Swap);
  EXPECT_EQ(way("atomicCAS((unsigned long long*)s + t, 0ull, 1ull);"), AtomicWay::Swap);
  EXPECT_EQ(way("atomicAdd((float*)p, 1.0f);"), AtomicWay::Loop);
  EXPECT_EQ(way("atomicAdd((double*)s + t, 1.0);"), AtomicWay::Loop);
  EXPECT_EQ(way("atomicMax((unsigned long long*)s + t, 1ull);"), AtomicWay::Loop);
}

}  // namespace
}  // namespace warplens::sim
