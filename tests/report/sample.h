// A report made by hand: two global sites, a shared one, and a generic one that went both ways.
#pragma once

#include "sim/report/report.h"

namespace warplens::report {

inline sim::AccessSite site_at(int line, int column, std::string text, sim::SiteSpace space, memory::Op op) {
  sim::AccessSite site;
  site.range.begin = {0, line, column};
  site.text = std::move(text);
  site.space = space;
  site.op = op;
  return site;
}

inline sim::SiteTotals global_totals(std::uint64_t requests, std::uint64_t sectors) {
  sim::SiteTotals t;
  t.requests = requests;
  t.active_lanes = 32 * requests;
  t.bytes = 128 * requests;
  t.sectors = sectors;
  t.ideal_sectors = 4 * requests;
  t.lines = requests;
  t.used_bytes = t.bytes;
  t.tag_wavefronts = 2 * requests;
  t.data_wavefronts = 3 * requests;
  return t;
}

inline sim::SiteTotals shared_totals(std::uint64_t requests, std::uint64_t wavefronts) {
  sim::SiteTotals t;
  t.requests = requests;
  t.active_lanes = 32 * requests;
  t.bytes = 128 * requests;
  t.wavefronts = wavefronts;
  t.ideal_wavefronts = requests;
  t.bank_conflicts = wavefronts - requests;
  return t;
}

inline scenario::Prepared sample_prepared() {
  scenario::Prepared prepared;
  prepared.setup.name = "sample";
  prepared.setup.source_name = "sample.cu";
  prepared.setup.compile.template_arguments = {"32", "float4"};
  prepared.setup.compile.defines = {{"PAD", "1"}};
  prepared.setup.values = {{"pad", 1}};
  prepared.setup.launch.grid = {64, 2, 1};
  prepared.setup.launch.block = {32, 16, 1};
  prepared.setup.launch.arguments = {{"n", std::int64_t{2048}},
                                     {"f", 1.5},
                                     {"in", sim::Buffer{4096, sim::Fill::Iota}},
                                     {"out", sim::Buffer{}}};
  prepared.program.kernel = "kernel";
  prepared.program.sites = {site_at(9, 3, "out[i]", sim::SiteSpace::Global, memory::Op::Store),
                            site_at(7, 5, "in[i, \"x\"]", sim::SiteSpace::Global, memory::Op::Load),
                            site_at(8, 5, "tile[r][c]", sim::SiteSpace::Shared, memory::Op::Load),
                            site_at(10, 1, "*p", sim::SiteSpace::Generic, memory::Op::Reduction),
                            site_at(11, 1, "never", sim::SiteSpace::Shared, memory::Op::Store)};
  prepared.gpu = &memory::default_gpu_model();
  return prepared;
}

inline sim::Totals sample_totals() {
  sim::Totals totals;
  totals.global_sites = {global_totals(100, 3200), global_totals(100, 400), {}, global_totals(5, 20), {}};
  totals.shared_sites = {{}, {}, shared_totals(100, 1600), shared_totals(7, 14), {}};
  totals.barriers = 32;
  totals.blocks_total = 128;
  totals.blocks_simulated = 1;
  totals.seconds = 0.25;
  return totals;
}

inline Report sample_report() {
  return make_report(sample_prepared(), sample_totals());
}

}  // namespace warplens::report
