// Every optimised measurement that an H100's pack has of the gallery, held against the PTX that comes with
// the program (assets/compiled): requests and sectors of global memory as the PTX has them, wavefronts of
// shared memory as ptxas leaves them.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/measure/toolkit.h"
#include "sim/report/report.h"
#include "sim/scenario/launch_document.h"
#include "sim/scenario/target.h"
#include "tests/kernels/gallery.h"

namespace warplens::test {
namespace {

using memory::Op;
using memory::Space;
using nlohmann::json;

report::Report report_of(const scenario::Setup& written, const std::string& ptx) {
  Budget budget;
  auto compiled = scenario::as_compiled(written, ptx, budget);
  if (!compiled) throw std::runtime_error(compiled.errors.front().english());
  const auto prepared = scenario::prepare(std::move(*compiled.value), *memory::find_gpu_model("sm_90"));
  if (!prepared) throw std::runtime_error(prepared.errors.front().english());
  const sim::Totals totals =
      sim::grid_totals(prepared.value->program, prepared.value->setup.launch, *prepared.value->gpu);
  if (totals.error) throw std::runtime_error(totals.error->message.english());
  report::Report report = report::make_report(*prepared.value, totals);
  if (const auto error = report::add_assembled(report, *prepared.value))
    throw std::runtime_error(error->message.english());
  return report;
}

report::Report shipped_report(const Case& one) {
  measure::CompileOrder order;
  order.written = setup(one);
  const auto shipped = measure::shipped_text(order);
  if (!shipped)
    throw std::runtime_error("assets/compiled does not have it: tools/gallery_ptx.py makes it anew");
  return report_of(order.written, shipped->ptx);
}

std::uint64_t counter(const json& counters, const std::string& name) {
  return static_cast<std::uint64_t>(counters.value(name, 0.0));
}

TEST(AsCompiled, TheGallerysCountsAreTheHardwares) {
  std::ifstream in(std::string(WARPLENS_SOURCE_DIR) + "/assets/recorded/h100-gallery.json");
  const json pack = json::parse(in);
  int launches = 0;
  for (const json& measured : pack["measurements"]) {
    const bool is_optimised = measured["subject"]["mode"] == "as_optimised" ||
                              measured.value("as_written", "").starts_with("nothing to do");
    if (!is_optimised || !measured.contains("scenario") || !measured.contains("counters")) continue;
    const json& counters = measured["counters"]["values"];
    Case one{measured["scenario"]["name"], measured["scenario"]["parameters"]};
    SCOPED_TRACE(measured["scenario"].dump());
    const report::Report report = shipped_report(one);
    ++launches;
    for (const auto& [op, word] :
         {std::pair(Op::Load, "ld"), {Op::Store, "st"}, {Op::Atomic, "atom"}, {Op::Reduction, "red"}}) {
      const std::string end = std::string("_pipe_lsu_mem_global_op_") + word + ".sum";
      const sim::SiteTotals &found = report.group(Space::Global, op),
                            &copies = report.group(Space::Global, Op::Async);
      const bool is_load = op == Op::Load;  // with which the pipe counts copies past the registers
      EXPECT_EQ(counter(counters, "l1tex__t_requests" + end),
                found.requests + (is_load ? copies.requests : 0))
          << word;
      const std::uint64_t sectors = found.sectors + (is_load ? copies.load_sectors : 0);
      const bool is_model = op == Op::Atomic || op == Op::Reduction;  // at most one off each request
      EXPECT_NEAR(static_cast<double>(counter(counters, "l1tex__t_sectors" + end)),
                  static_cast<double>(sectors), is_model ? static_cast<double>(found.requests) : 0)
          << word;
    }
    const std::uint64_t wavefronts = counter(counters, "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum");
    std::uint64_t assembled = 0;
    for (const sim::SiteTotals& of_op : *report.assembled) assembled += of_op.wavefronts;
    EXPECT_TRUE(!report.uncounted.empty() || wavefronts == assembled) << wavefronts << ", " << assembled;
  }
  EXPECT_EQ(launches, 175);
}

// So that each can be seen both ways on a machine without a compiler.
TEST(AsCompiled, EveryScenarioComesCompiled) {
  for (const scenario::Scenario& scenario : gallery()) {
    measure::CompileOrder order;
    order.written = setup({scenario.name, {}});
    EXPECT_TRUE(measure::shipped_text(order)) << scenario.name;
  }
}

// NVRTC, in warplens-gpu, where there is no nvcc.
TEST(AsCompiled, NvrtcMakesTheAccessesThatNvccMakes) {
  const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  for (const char* name : {"transpose_shared", "sgemm_tiled", "reduce_sequential"}) {
    measure::CompileOrder order;
    order.written = setup({name, {}});
    order.tools.gpu = {(folder / "warplens-gpu").string()};
    const auto made = measure::compile_to_ptx(order);
    if (const auto* failure = std::get_if<measure::Failure>(&made)) {
      if (failure->kind == measure::FailureKind::NoCompiler) GTEST_SKIP() << "there is no NVRTC";
      FAIL() << failure->words().english();
    }
    const auto& text = std::get<measure::CompiledText>(made);
    EXPECT_TRUE(text.compiler.starts_with("NVRTC")) << text.compiler;
    const report::Report nvrtc = report_of(order.written, text.ptx), nvcc = shipped_report({name, {}});
    EXPECT_EQ(nvrtc.global, nvcc.global) << name;
    EXPECT_EQ(nvrtc.shared, nvcc.shared) << name;
  }
}

}  // namespace
}  // namespace warplens::test
