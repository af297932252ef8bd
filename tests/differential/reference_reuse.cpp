#include "tests/differential/reference_reuse.h"

#include <algorithm>
#include <map>
#include <string>

#include "tests/differential/reference_totals.h"

namespace warplens::differential {

namespace {

using sim::Program;
using sim::Trace;

bool is_global(const Trace& trace, std::size_t event) {
  return trace.events[event].space == memory::Space::Global;
}

std::set<std::uint64_t> bytes_of(const Program& program, const Trace& trace, std::size_t event) {
  const memory::WarpAccess access = trace.access(program, event);
  std::set<std::uint64_t> bytes;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    if ((access.active >> lane & 1) == 0) continue;
    for (int i = 0; i < access.bytes; ++i)
      bytes.insert(access.addresses[lane] + static_cast<std::uint64_t>(i));
  }
  return bytes;
}

Sectors sectors_of(const Program& program, const Trace& trace, std::size_t event) {
  Sectors sectors;
  for (const std::uint64_t byte : bytes_of(program, trace, event)) sectors.insert(byte / 32);
  return sectors;
}

}  // namespace

GridReuse grid_reuse(const Program& program, const sim::Launch& launch, const memory::GpuModel& gpu,
                     const sim::Limits& limits) {
  GridReuse out;
  std::vector<Sectors> sites(program.sites.size());
  std::array<Sectors, memory::kOps> ops;
  sim::trace_blocks(program, launch, gpu, blocks_of(launch.grid), limits, [&](const Trace& trace) {
    out.error = trace.error;
    if (out.error) return;
    for (std::size_t i = 0; i < trace.events.size(); ++i) {
      if (!is_global(trace, i)) continue;
      const std::uint32_t site = trace.events[i].site;
      const Sectors its = sectors_of(program, trace, i);
      sites[site].insert(its.begin(), its.end());
      ops[static_cast<std::size_t>(program.sites[site].op)].insert(its.begin(), its.end());
    }
  });
  if (out.error) return out;
  for (const Sectors& site : sites) out.by_site.push_back(site.size());
  for (std::size_t op = 0; op < ops.size(); ++op) out.by_op[op] = ops[op].size();
  return out;
}

std::vector<std::string> origins(const Program& program, const Trace& trace) {
  std::vector<std::string> all;
  std::map<std::uint64_t, std::vector<int>> touched_by;
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    std::string words;
    if (is_global(trace, i)) {
      const int warp = trace.events[i].warp;
      for (const std::uint64_t sector : sectors_of(program, trace, i)) {
        std::vector<int>& before = touched_by[sector];
        const bool mine = std::count(before.begin(), before.end(), warp) > 0;
        words += mine ? 'w' : before.empty() ? 'f' : 'b';
        before.push_back(warp);
      }
    }
    all.push_back(words);
  }
  return all;
}

sim::SectorSharing sharing(const Program& program, const Trace& trace, std::size_t event) {
  sim::SectorSharing out;
  if (!is_global(trace, event)) return out;
  const sim::TraceEvent& own = trace.events[event];
  const Sectors sectors = sectors_of(program, trace, event);
  std::set<std::uint64_t> of_warp, of_block;
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    const sim::TraceEvent& other = trace.events[i];
    if (!is_global(trace, i) || program.sites[other.site].op != program.sites[own.site].op) continue;
    bool any = false;
    for (const std::uint64_t byte : bytes_of(program, trace, i)) {
      if (!sectors.contains(byte / 32)) continue;
      any = true;
      of_block.insert(byte);
      if (other.warp == own.warp) of_warp.insert(byte);
    }
    if (other.warp != own.warp || !any) continue;
    if (std::count(out.sites.begin(), out.sites.end(), other.site) == 0) out.sites.push_back(other.site);
  }
  out.sectors = static_cast<int>(sectors.size());
  out.own_bytes = static_cast<int>(bytes_of(program, trace, event).size());
  out.warp_bytes = static_cast<int>(of_warp.size());
  out.block_bytes = static_cast<int>(of_block.size());
  return out;
}

}  // namespace warplens::differential
