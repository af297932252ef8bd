#include "app/simulate/line_totals.h"

#include <algorithm>
#include <array>
#include <map>

#include "sim/report/issued.h"

namespace warplens::app {

std::uint64_t SiteSum::units() const {
  return space == memory::Space::Global ? totals.sectors : totals.wavefronts;
}

std::uint64_t SiteSum::ideal() const {
  return space == memory::Space::Global ? totals.ideal_sectors : totals.ideal_wavefronts;
}

std::uint64_t SiteSum::bytes() const {
  return units() * (space == memory::Space::Global ? memory::kSectorBytes : memory::kLineBytes);
}

double SiteSum::active_lanes() const {
  return totals.requests == 0
             ? 0
             : static_cast<double>(totals.active_lanes) / static_cast<double>(totals.requests);
}

double SiteSum::efficiency() const {
  return units() == 0 ? 1 : static_cast<double>(ideal()) / static_cast<double>(units());
}

std::vector<LineTotals> line_totals(const sim::Program& program, const sim::Totals& totals) {
  std::map<int, LineTotals> by_line;
  const auto add = [&](std::size_t site, memory::Space space, const sim::SiteTotals& sum) {
    const int line = program.sites[site].range.begin.line;
    by_line[line].sites.push_back({static_cast<int>(site), space, sum});
  };
  for (std::size_t i = 0; i < program.sites.size(); ++i) {
    const bool global = i < totals.global_sites.size() && totals.global_sites[i].requests > 0;
    const bool shared = i < totals.shared_sites.size() && totals.shared_sites[i].requests > 0;
    if (global) add(i, memory::Space::Global, totals.global_sites[i]);
    if (shared) add(i, memory::Space::Shared, totals.shared_sites[i]);
    const bool is_shared = program.sites[i].space == sim::SiteSpace::Shared;
    if (!global && !shared) add(i, is_shared ? memory::Space::Shared : memory::Space::Global, {});
  }
  std::vector<LineTotals> lines;
  for (auto& [line, sums] : by_line) {
    sums.line = line;
    std::ranges::stable_sort(sums.sites, {}, [&](const SiteSum& s) {
      return program.sites[static_cast<std::size_t>(s.site)].range.begin.offset;
    });
    for (const SiteSum& site : sums.sites) sums.bytes += site.bytes();
    lines.push_back(std::move(sums));
  }
  return lines;
}

std::vector<FewerAccesses> fewer_accesses(const sim::Program& program) {
  std::vector<FewerAccesses> fewer;
  for (const report::IssuedLine& line : report::issued_lines(program))
    if (line.issued < line.written) fewer.push_back({line.line, line.written, line.issued});
  return fewer;
}

}  // namespace warplens::app
