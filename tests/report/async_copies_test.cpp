// Asynchronous copies of whole kernels: their groups, lines, traces, and what Nsight Compute counts of the
// same launches on an NVIDIA H100 (tests/report/kernels/async_copies.cu; CUDA 13.0, ncu 2025.3.1).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "sim/report/advice.h"
#include "sim/report/counters.h"
#include "sim/report/report.h"
#include "tests/sim/program_of.h"

namespace warplens::report::async_copies {
namespace {

using memory::Op;
using memory::Space;
using nlohmann::ordered_json;
using ::testing::HasSubstr;

std::string kernels() {
  std::ifstream file(WARPLENS_SOURCE_DIR "/tests/report/kernels/async_copies.cu");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

struct CountedLaunch {
  const char* kernel;
  sim::Dim3 grid, block;
  std::map<std::string, std::int64_t> numbers;
  // ncu: l1tex__t_requests and l1tex__t_sectors_pipe_lsu_mem_global_op_ld;
  // smsp__sass_inst_executed_op_ldgsts, smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts,
  // smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.
  std::uint64_t load_requests, load_sectors, copies, sectors, wavefronts;
};

const CountedLaunch kCountedLaunches[] = {
    {"by_async", {1, 1, 1}, {32, 1, 1}, {}, 1, 16, 1, 32, 32},
    {"edge_tile", {3, 3, 1}, {32, 8, 1}, {{"rows", 70}, {"columns", 83}}, 210, 910, 358, 910, 358},
    {"swizzled_rows", {3, 1, 1}, {256, 1, 1}, {{"rows", 150}}, 38, 600, 48, 600, 192},
    {"columns", {1, 1, 1}, {32, 8, 1}, {{"n", 1000}}, 32, 120, 32, 120, 904},
    {"by_pipeline", {5, 1, 1}, {256, 1, 1}, {{"n", 1100}}, 35, 275, 35, 275, 69},
    {"by_group", {4, 1, 1}, {256, 1, 1}, {}, 32, 512, 32, 512, 128},
    {"ignored", {1, 1, 1}, {256, 1, 1}, {{"n", 40}}, 8, 170, 8, 170, 90},
    {"tail", {1, 1, 1}, {256, 1, 1}, {{"bytes", 3001}}, 6, 94, 8, 94, 32},
    {"beyond", {2, 1, 1}, {256, 1, 1}, {{"n", 300}}, 10, 38, 17, 38, 17},
};

void PrintTo(const CountedLaunch& counted, std::ostream* out) {
  *out << counted.kernel;
}

scenario::Prepared prepared(const CountedLaunch& counted) {
  static const std::string text = kernels();
  scenario::Prepared prepared;
  sim::CompileResult compiled = sim::compile({.text = text, .kernel = counted.kernel});
  for (const cuda::Diagnostic& d : compiled.diagnostics)
    EXPECT_NE(d.severity, cuda::Severity::Error) << render(d, text, "async_copies.cu");
  if (!compiled.program) return prepared;
  prepared.program = *compiled.program;
  prepared.gpu = &memory::default_gpu_model();
  prepared.setup.launch.grid = counted.grid;
  prepared.setup.launch.block = counted.block;
  for (const auto& [name, number] : counted.numbers) prepared.setup.launch.arguments[name] = number;
  return prepared;
}

Report report_of(const scenario::Prepared& prepared, bool brute_force) {
  const sim::TotalsOptions options{.brute_force = brute_force, .threads = 0, .limits = {}};
  const sim::Totals totals = grid_totals(prepared.program, prepared.setup.launch, *prepared.gpu, options);
  EXPECT_FALSE(totals.error) << totals.error->message;
  return make_report(prepared, totals);
}

class AsyncCopies : public ::testing::TestWithParam<CountedLaunch> {};

TEST_P(AsyncCopies, AreCountedAsAnH100Counts) {
  const CountedLaunch& counted = GetParam();
  const scenario::Prepared launch = prepared(counted);
  for (const bool brute_force : {false, true}) {
    const Report report = report_of(launch, brute_force);
    const auto counter = [&](const char* name) { return predict_counter(report, name)->value; };
    EXPECT_EQ(counter("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"), counted.load_requests);
    EXPECT_EQ(counter("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"), counted.load_sectors);
    EXPECT_EQ(counter("smsp__sass_inst_executed_op_ldgsts.sum"), counted.copies);
    EXPECT_EQ(counter("smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts.sum"), counted.sectors);
    EXPECT_EQ(counter("smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum"),
              counted.wavefronts);
    // A predicate of which some lanes are left out: another register of the assembler's would be counted
    // otherwise.
    EXPECT_EQ(report.group(Space::Shared, Op::Async).uncertain,
              std::string(counted.kernel) == "swizzled_rows" ? 11u : 0u);
    EXPECT_EQ(report.group(Space::Global, Op::Load).requests, 0u);
    EXPECT_EQ(report.group(Space::Shared, Op::Store).requests, 0u);
  }
}

TEST(AsyncReport, TheHalvesOfACopyAreSideBySideInATrace) {
  const scenario::Prepared launch = prepared(kCountedLaunches[0]);
  const sim::Trace trace = sim::trace_block(launch.program, launch.setup.launch, *launch.gpu, {0, 0, 0});
  ASSERT_FALSE(trace.error);
  int copies = 0;
  for (std::size_t event = 0; event < trace.events.size(); ++event) {
    const memory::WarpAccess access = trace.access(launch.program, event);
    if (access.op != Op::Async || access.space != Space::Global) continue;
    const ordered_json line = ordered_json::parse(trace_line(launch, trace, event));
    EXPECT_EQ(line["op"], "async");
    EXPECT_EQ(line["other_half"], event + 1);
    ++copies;
  }
  EXPECT_EQ(copies, 1);
}
INSTANTIATE_TEST_SUITE_P(, AsyncCopies, ::testing::ValuesIn(kCountedLaunches),
                         [](const auto& param) { return std::string(param.param.kernel); });

std::string text_of(const char* body, sim::Dim3 block = {32, 1, 1}) {
  const std::string text =
      "__global__ void k(const float4* in, float4* out, int n) {\n"
      "  __shared__ float4 tile[64];\n  unsigned to = (unsigned)__cvta_generic_to_shared(tile);\n"
      "  int t = threadIdx.x;\n" +
      std::string(body) + "\n  out[t] = tile[t];\n}\n";
  scenario::Prepared p;
  p.program = sim::program_of(text);
  p.gpu = &memory::default_gpu_model();
  p.setup.launch.block = block;
  p.setup.launch.arguments["n"] = std::int64_t{7};
  const Report report = report_of(p, false);
  return report_json(report)["totals"]["shared"]["async"].dump() + report_text(report);
}

// A size that is none or all, by a choice, is one instruction, which is certain where all lanes agree; any
// other number another, which is not certain.
TEST(AsyncReport, WhatIsNotCertainIsSaid) {
  const std::string chosen = text_of(
      R"(  int size = t < n ? 16 : 0;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" :: "r"(to + 16 * t), "l"(in + t), "r"(size));)");
  EXPECT_THAT(chosen, HasSubstr("\"wavefronts\":4,"));
  EXPECT_THAT(chosen, HasSubstr("\"exact\":false"));  // some lanes read, others do not
  EXPECT_THAT(chosen, HasSubstr("about"));
  const std::string any = text_of(
      R"(  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" :: "r"(to + 16 * t), "l"(in + t), "r"(t % 16 + 1));)");
  EXPECT_THAT(any, HasSubstr("\"wavefronts\":8,"));
  EXPECT_THAT(any, HasSubstr("\"exact\":false"));
  EXPECT_THAT(any, HasSubstr("about"));
  const std::string branched = text_of(
      R"(  int size = 0;
  if (t < n) size = 16;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" :: "r"(to + 16 * t), "l"(in + t), "r"(size));)");
  EXPECT_THAT(branched, HasSubstr("\"wavefronts\":4,"));
}

// From shared memory there is no asynchronous copy: the functions make loads and stores.
TEST(AsyncReport, FromSharedMemoryItIsALoadAndAStore) {
  const std::string report = text_of(
      R"(  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  tile[t] = in[t];
  pipe.producer_acquire();
  cuda::memcpy_async(&tile[32 + t], &tile[t], cuda::aligned_size_t<16>(16), pipe);
  pipe.producer_commit();
  cuda::pipeline_consumer_wait_prior<0>(pipe);)");
  EXPECT_THAT(report, HasSubstr("\"requests\":0,"));
}

}  // namespace
}  // namespace warplens::report::async_copies
