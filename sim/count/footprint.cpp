#include "sim/count/footprint.h"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

#include "sim/count/grid/stretches.h"
#include "sim/launch/run.h"

namespace warplens::sim {

ByteSet::Words& ByteSet::mixed(std::size_t chunk, HeldMemory& held) {
  std::uint32_t& known = chunks_[chunk];
  if (known < kMixed) {
    held.need(sizeof(Words), Stage::Counting);
    words_.emplace_back().fill(known == kFull ? ~std::uint64_t{0} : 0);
    known = kMixed + static_cast<std::uint32_t>(words_.size() - 1);
  }
  return words_[known - kMixed];
}

std::uint64_t ByteSet::word(std::size_t chunk, std::size_t i) const {
  const std::uint32_t known = chunk < chunks_.size() ? chunks_[chunk] : kEmpty;
  return known == kEmpty ? 0 : known == kFull ? ~std::uint64_t{0} : words_[known - kMixed][i];
}

void ByteSet::add(std::uint64_t begin, std::uint64_t end, HeldMemory& held) {
  if (begin >= end) return;
  const std::uint64_t chunks = (end - 1) / kBits + 1;
  if (chunks > chunks_.size()) {
    if (chunks > chunks_.capacity()) {
      const std::uint64_t more = std::max<std::uint64_t>(chunks - chunks_.capacity(), chunks_.capacity());
      held.need(more * sizeof(chunks_[0]), Stage::Counting);
      chunks_.reserve(chunks_.capacity() + more);
    }
    chunks_.resize(chunks, kEmpty);
  }
  while (begin < end) {
    const std::uint64_t chunk = begin / kBits, first = begin % kBits;
    const std::uint64_t last = std::min(end - chunk * kBits, kBits) - 1;
    begin = (chunk + 1) * kBits;
    if (chunks_[chunk] == kFull) continue;
    if (first == 0 && last == kBits - 1) {
      chunks_[chunk] = kFull;  // the bits that it had, if any, are left behind
      continue;
    }
    Words& words = mixed(chunk, held);
    const std::uint64_t from = ~std::uint64_t{0} << first % 64, to = ~std::uint64_t{0} >> (63 - last % 64);
    if (first / 64 == last / 64) {
      words[first / 64] |= from & to;
      continue;
    }
    words[first / 64] |= from;
    std::fill(words.begin() + static_cast<std::ptrdiff_t>(first / 64) + 1,
              words.begin() + static_cast<std::ptrdiff_t>(last / 64), ~std::uint64_t{0});
    words[last / 64] |= to;
  }
}

void ByteSet::add(const ByteSet& more, HeldMemory& held) {
  if (more.chunks_.size() > chunks_.size()) {
    held.need((more.chunks_.size() - chunks_.size()) * sizeof(chunks_[0]), Stage::Counting);
    chunks_.resize(more.chunks_.size(), kEmpty);
  }
  for (std::size_t chunk = 0; chunk < more.chunks_.size(); ++chunk) {
    const std::uint32_t known = more.chunks_[chunk];
    if (known == kEmpty || chunks_[chunk] == kFull) continue;
    if (known == kFull) {
      chunks_[chunk] = kFull;
      continue;
    }
    Words& words = mixed(chunk, held);
    for (std::size_t i = 0; i < words.size(); ++i) words[i] |= more.words_[known - kMixed][i];
  }
}

std::uint64_t ByteSet::count_units(int bytes) const {
  std::uint64_t count = 0;
  for (const std::uint32_t chunk : chunks_) {
    if (chunk == kFull) count += kBits / static_cast<std::uint64_t>(bytes);
    if (chunk < kMixed) continue;
    for (const std::uint64_t word : words_[chunk - kMixed]) {
      if (bytes == 1) {
        count += static_cast<std::uint64_t>(std::popcount(word));
        continue;
      }
      for (int at = 0; at < 64; at += bytes)
        count += (word >> at & (~std::uint64_t{0} >> (64 - bytes))) != 0 ? 1 : 0;
    }
  }
  return count;
}

bool operator==(const ByteSet& a, const ByteSet& b) {
  for (std::size_t chunk = 0; chunk < std::max(a.chunks_.size(), b.chunks_.size()); ++chunk) {
    const bool same =
        chunk < a.chunks_.size() && chunk < b.chunks_.size() && a.chunks_[chunk] == b.chunks_[chunk];
    if (same && a.chunks_[chunk] < ByteSet::kMixed) continue;
    for (std::size_t i = 0; i < std::tuple_size_v<ByteSet::Words>; ++i)
      if (a.word(chunk, i) != b.word(chunk, i)) return false;
  }
  return true;
}

Footprint grid_footprint(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                         const Limits& limits, const GridPart& part) {
  Footprint footprint;
  std::vector<std::size_t> buffer_of;  // by parameter
  for (const KernelParameter& parameter : program.parameters) {
    buffer_of.push_back(footprint.buffers.size());
    if (parameter.is_pointer) footprint.buffers.push_back({parameter.name, {}, {}});
  }
  const auto is_store = [](const GlobalAccess& access) {
    return std::uint32_t{!memory::only_reads(access.step->op)};
  };
  run_within(limits, Stage::Counting, footprint.error, [&](Budget& budget) {
    HeldMemory held(budget);
    const auto mark = [&](std::size_t parameter, std::uint32_t stored, std::uint64_t begin,
                          std::uint64_t end) {
      BufferFootprint& buffer = footprint.buffers[buffer_of[parameter]];
      (stored != 0 ? buffer.stored : buffer.loaded).add(begin, end, held);
    };
    footprint.error = take_stretches(program, launch, gpu, limits, part, budget, is_store, mark);
  });
  return footprint;
}

namespace {

constexpr std::uint64_t kSector = memory::GpuModel::sector_bytes;

// Sectors of a buffer, numbered from its start, by the index of its parameter.
using OfBuffers = std::map<std::size_t, ByteSet>;

// Mostly the next stretch is of the same site and buffer as the one before.
struct Marked {
  std::size_t parameter = 0;
  std::uint32_t site = 0;
  ByteSet* set = nullptr;
};

std::uint64_t sectors_in(const OfBuffers& sectors) {
  std::uint64_t sum = 0;
  for (const auto& [parameter, set] : sectors) sum += set.count();
  return sum;
}

void add_up(const Program& program, const std::vector<OfBuffers>& sites, HeldMemory& held,
            DistinctSectors& out) {
  std::array<OfBuffers, memory::kOps> ops;
  for (std::size_t site = 0; site < sites.size(); ++site) {
    out.by_site.push_back(sectors_in(sites[site]));
    OfBuffers& op = ops[static_cast<std::size_t>(program.sites[site].op)];
    for (const auto& [parameter, set] : sites[site]) op[parameter].add(set, held);
  }
  for (std::size_t op = 0; op < ops.size(); ++op) out.by_op[op] = sectors_in(ops[op]);
}

}  // namespace

DistinctSectors distinct_sectors(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                                 const Limits& limits) {
  DistinctSectors out;
  std::vector<OfBuffers> sites(program.sites.size());
  const auto site_of = [](const GlobalAccess& access) {
    return static_cast<std::uint32_t>(access.step->site);
  };
  run_within(limits, Stage::Counting, out.error, [&](Budget& budget) {
    HeldMemory held(budget);
    Marked last;
    const auto mark = [&](std::size_t parameter, std::uint32_t site, std::uint64_t begin, std::uint64_t end) {
      if (site >= sites.size()) return;  // of no site: constants, which are no requests to global memory
      if (last.set == nullptr || last.parameter != parameter || last.site != site)
        last = {parameter, site, &sites[site][parameter]};
      last.set->add(begin / kSector, (end - 1) / kSector + 1, held);
    };
    out.error = take_stretches(program, launch, gpu, limits, {}, budget, site_of, mark);
    add_up(program, sites, held, out);
  });
  return out;
}

}  // namespace warplens::sim
