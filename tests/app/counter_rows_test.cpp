// Predicted beside measured: which counters a row joins, and the cause of a difference.

#include <gtest/gtest.h>

#include "app/views/counts.h"
#include "sim/report/report.h"
#include "tests/app/gallery.h"

namespace warplens::app::counter_rows_test {

using namespace views;

using measure::CompileMode;

struct Kernel {
  sim::Program program;
  sim::Totals totals;
  language::Strings strings = strings_of("en");

  void add(memory::Op op, sim::SiteTotals global, sim::SiteTotals shared) {
    sim::AccessSite site;
    site.op = op;
    program.sites.push_back(site);
    totals.global_sites.push_back(global);
    totals.shared_sites.push_back(shared);
  }
};

sim::SiteTotals global_counts(std::uint64_t requests, std::uint64_t sectors, std::uint64_t ideal) {
  sim::SiteTotals t;
  t.requests = requests, t.sectors = sectors, t.ideal_sectors = ideal;
  return t;
}

sim::SiteTotals shared_counts(std::uint64_t requests, std::uint64_t wavefronts, std::uint64_t conflicts) {
  sim::SiteTotals t;
  t.requests = requests, t.wavefronts = wavefronts, t.ideal_wavefronts = requests;
  t.bank_conflicts = conflicts;
  return t;
}

measure::Measurement measured(const std::map<std::string, double>& values,
                              CompileMode mode = CompileMode::AsWritten) {
  measure::Measurement m;
  m.subject.mode = mode;
  m.counters.values = values;
  return m;
}

const CounterRow* find(const std::vector<CounterRow>& rows, const std::string& label) {
  for (const CounterRow& row : rows) {
    if (row.label == label) return &row;
  }
  return nullptr;
}

// Shared turns are lost to others, never won; exact counters have no excuse as written.
TEST(Cause, FollowsFromWhatIsCountedAndTheMode) {
  using enum Counted;
  for (const CompileMode mode : {CompileMode::AsWritten, CompileMode::AsOptimised}) {
    for (const Counted what : {Requests, Sectors, Wavefronts, Conflicts})
      EXPECT_EQ(cause_of(what, 7, 7, mode), Cause::None);
    EXPECT_EQ(cause_of(Behind, std::nullopt, 5, mode), Cause::Caching);
  }
  for (const Counted what : {Wavefronts, Conflicts}) {
    EXPECT_EQ(cause_of(what, 100, 103, CompileMode::AsWritten), Cause::Arbitration);
    EXPECT_EQ(cause_of(what, 100, 97, CompileMode::AsWritten), Cause::Unexplained);
  }
  for (const Counted what : {Requests, Sectors, Instructions}) {
    EXPECT_EQ(cause_of(what, 100, 103, CompileMode::AsWritten), Cause::Unexplained);
    EXPECT_EQ(cause_of(what, 100, 50, CompileMode::AsOptimised), Cause::Compiler);
  }
}

TEST(CounterRows, JoinConflictsOfLoadsStoresAndAtomics) {
  Kernel k;
  k.add(memory::Op::Load, {}, shared_counts(10, 160, 150));
  k.add(memory::Op::Store, {}, shared_counts(10, 20, 10));
  k.add(memory::Op::Reduction, {}, shared_counts(2, 6, 4));
  auto m = measured({{"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", 151},
                     {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", 12},
                     {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum", 4}});
  const auto rows = counter_rows(k.program, k.totals, &m, k.strings);
  const CounterRow* row = find(rows, "bank conflicts");
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->predicted, 164u);
  EXPECT_EQ(row->measured, 167.0);
  EXPECT_EQ(row->cause, Cause::Arbitration);
  EXPECT_NE(row->counter.find("op_ld.sum + "), std::string::npos) << row->counter;
}

// The counters of stores do not see what a cp.async writes; only the wavefronts of all accesses together do.
TEST(CounterRows, WhatIsCopiedPastRegistersIsNoStore) {
  Kernel k;
  k.add(memory::Op::Load, {}, shared_counts(100, 105, 5));
  k.add(memory::Op::Store, {}, shared_counts(100, 800, 700));
  k.program.sites.back().op = memory::Op::Async;
  auto m = measured({{"smsp__sass_inst_executed_op_shared_ld.sum", 100},
                     {"smsp__sass_inst_executed_op_shared_st.sum", 0},
                     {"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum", 905},
                     {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 105},
                     {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", 0},
                     {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", 5},
                     {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", 0}});
  const auto rows = counter_rows(k.program, k.totals, &m, k.strings);
  for (const CounterRow& row : rows) EXPECT_EQ(row.cause, Cause::None) << row.label;
  EXPECT_EQ(find(rows, "store wavefronts"), nullptr);
  const CounterRow* copies = find(rows, "copy wavefronts");
  ASSERT_NE(copies, nullptr);
  EXPECT_EQ(copies->predicted, 800u);
  EXPECT_EQ(copies->measured, std::nullopt);
  EXPECT_TRUE(copies->counter.empty());
  EXPECT_EQ(find(rows, "bank conflicts")->predicted, 5u);
  EXPECT_EQ(find(rows, "copy bank conflicts")->predicted, 700u);
  ASSERT_NE(find(rows, "wavefronts"), nullptr);
  EXPECT_EQ(find(rows, "wavefronts")->predicted, 905u);
}

TEST(CounterRows, MatrixLoadsAreNoInstructionsOfTheCounterOfLoads) {
  Kernel k;
  k.add(memory::Op::Load, {}, shared_counts(100, 105, 5));
  k.add(memory::Op::Load, {}, shared_counts(40, 160, 0));
  k.program.sites.back().form = sim::AccessForm::Matrix;
  const auto rows = counter_rows(k.program, k.totals, nullptr, k.strings);
  ASSERT_NE(find(rows, "shared load instructions"), nullptr);
  EXPECT_EQ(find(rows, "shared load instructions")->predicted, 100u);
  EXPECT_EQ(find(rows, "load wavefronts")->predicted, 265u);
}

// wgmma reads its matrices by itself: more wavefronts than those of accesses have a cause, fewer have none.
TEST(CounterRows, WhatWgmmaReadsIsACause) {
  Kernel k;
  k.add(memory::Op::Load, {}, shared_counts(100, 105, 5));
  EXPECT_EQ(uncounted_text(report::uncounted_forms(k.program), k.strings), "");
  sim::Instr reads{.op = sim::Opcode::Load, .form = sim::AccessForm::Warpgroup};
  k.program.code.push_back(reads);
  measure::Measurement m;
  m.subject.mode = CompileMode::AsWritten;
  for (const auto& [measured, cause] :
       {std::pair{105, Cause::None}, {745, Cause::Warpgroup}, {104, Cause::Unexplained}}) {
    m.counters.values = {{"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum", measured}};
    const auto rows = counter_rows(k.program, k.totals, &m, k.strings, report::uncounted_forms(k.program));
    ASSERT_NE(find(rows, "wavefronts"), nullptr);
    EXPECT_EQ(find(rows, "wavefronts")->cause, cause) << measured;
  }
  EXPECT_EQ(uncounted_text(report::uncounted_forms(k.program), k.strings), "not counted: what wgmma reads");
  Kernel none;  // that reads by wgmma alone: nothing is predicted, not 0
  none.program.code.push_back(reads);
  const auto alone =
      counter_rows(none.program, none.totals, &m, none.strings, report::uncounted_forms(none.program));
  ASSERT_NE(find(alone, "wavefronts"), nullptr);
  EXPECT_EQ(find(alone, "wavefronts")->predicted, std::nullopt);
  EXPECT_EQ(find(alone, "wavefronts")->cause, Cause::Warpgroup);
  reads.form = sim::AccessForm::Bulk;
  k.program.code.push_back(reads);
  EXPECT_EQ(uncounted_text(report::uncounted_forms(k.program), k.strings),
            "not counted: bulk copies (TMA), what wgmma reads");
}

// Instrumented machine code has no excuse: no arbitration, and no instruction issued twice.
TEST(CounterRows, TakeTheExactCountersWhereThereAreSome) {
  Kernel k;
  k.add(memory::Op::Load, {}, shared_counts(100, 1600, 1500));
  k.add(memory::Op::Store, {}, shared_counts(100, 100, 0));
  auto m = measured({{"smsp__inst_executed_op_shared_ld.sum", 110},
                     {"smsp__inst_executed_op_shared_ld_pred_on_any.sum", 102},
                     {"smsp__sass_inst_executed_op_shared_ld.sum", 100},
                     {"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum", 1700},
                     {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 1650}});
  auto rows = counter_rows(k.program, k.totals, &m, k.strings);
  EXPECT_EQ(rows[0].measured, 100.0);
  EXPECT_EQ(rows[0].cause, Cause::None);
  const CounterRow* exact = find(rows, "wavefronts");
  ASSERT_NE(exact, nullptr);
  EXPECT_EQ(exact->predicted, 1700u);
  EXPECT_EQ(exact->measured, 1700.0);
  EXPECT_EQ(find(main_rows(rows), "shared load instructions"), nullptr);
  EXPECT_NE(find(main_rows(rows), "wavefronts"), nullptr);
  m.counters.values["smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum"] = 1701;
  rows = counter_rows(k.program, k.totals, &m, k.strings);
  EXPECT_EQ(find(rows, "wavefronts")->cause, Cause::Unexplained);
  m.counters.values.erase("smsp__sass_inst_executed_op_shared_ld.sum");
  EXPECT_EQ(counter_rows(k.program, k.totals, &m, k.strings)[0].measured, 102.0);
}

// As optimised, more wavefronts for the very instructions that are written are no work of the compiler.
TEST(CounterRows, TellTheCompilerFromArbitration) {
  Kernel k;
  k.add(memory::Op::Load, {}, shared_counts(100, 100, 0));
  auto m = measured({{"smsp__inst_executed_op_shared_ld.sum", 100},
                     {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 103}},
                    CompileMode::AsOptimised);
  EXPECT_EQ(counter_rows(k.program, k.totals, &m, k.strings)[1].cause, Cause::Arbitration);
  EXPECT_EQ(note_key(counter_rows(k.program, k.totals, &m, k.strings)), "grid.note.arbitration");
  m.counters.values["smsp__inst_executed_op_shared_ld.sum"] = 50;
  const auto rows = counter_rows(k.program, k.totals, &m, k.strings);
  EXPECT_EQ(rows[0].cause, Cause::Compiler);
  EXPECT_EQ(rows[1].cause, Cause::Compiler);
}

// Each access of the text is predicted: what the GPU was asked less for is no riddle; more is one.
TEST(CounterRows, TellWhatCompilersLeaveOutOfTheText) {
  Kernel k;
  k.add(memory::Op::Load, global_counts(100, 400, 400), {});
  auto m = measured({{"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 25},
                     {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 401}});
  const auto rows = counter_rows(k.program, k.totals, &m, k.strings);
  EXPECT_EQ(rows[0].cause, Cause::LeftOut);
  EXPECT_EQ(rows[1].cause, Cause::Unexplained);
  EXPECT_EQ(note_key(rows), "grid.note.left_out");
  m.counters.values["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"] = 100;
  EXPECT_EQ(counter_rows(k.program, k.totals, &m, k.strings)[1].cause, Cause::LeftOut);
  m.counters.values["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"] = 100;
  EXPECT_EQ(counter_rows(k.program, k.totals, &m, k.strings)[1].cause, Cause::Unexplained)
      << "as many requests: no accesses were left out";
  EXPECT_NE(cause_text(Cause::LeftOut, k.strings).find("the compiler makes fewer"), std::string::npos);
}

TEST(CounterRows, HaveEverythingThatWasPredictedOrMeasured) {
  Kernel k;
  k.add(memory::Op::Load, global_counts(100, 400, 400), {});
  auto m = measured({{"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 100},
                     {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 300},
                     {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 0},
                     {"lts__t_sectors.sum", 512},
                     {"dram__bytes_read.sum", 4096}});
  const auto rows = counter_rows(k.program, k.totals, &m, k.strings);
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].label, "load requests");
  EXPECT_EQ(rows[0].cause, Cause::None);
  EXPECT_EQ(rows[1].label, "load sectors");
  EXPECT_EQ(rows[1].ideal, 400u);
  EXPECT_EQ(rows[1].cause, Cause::Unexplained);
  EXPECT_FALSE(rows[2].predicted);
  EXPECT_EQ(rows[2].measured, 512.0);
  EXPECT_EQ(main_rows(rows).size(), 1u);
}

TEST(CounterRows, NeedNoMeasurement) {
  Kernel k;
  k.add(memory::Op::Store, global_counts(1, 2, 2), shared_counts(3, 3, 0));
  const auto rows = counter_rows(k.program, k.totals, nullptr, k.strings);
  ASSERT_EQ(rows.size(), 4u);  // requests, sectors, shared instructions, shared wavefronts; no conflict
  for (const CounterRow& row : rows) EXPECT_FALSE(row.measured) << row.label;
}

}  // namespace warplens::app::counter_rows_test
