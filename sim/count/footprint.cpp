#include "sim/count/footprint.h"

#include <algorithm>
#include <bit>

#include "sim/launch/run_within.h"

namespace warplens::sim {

void ByteSet::add(std::uint64_t begin, std::uint64_t end, HeldMemory& held) {
  if (begin >= end) return;
  const std::uint64_t first = begin / 64, last = (end - 1) / 64;
  if (last >= words_.size()) {
    if (last >= words_.capacity()) {
      const std::uint64_t more = std::max<std::uint64_t>(last + 1 - words_.capacity(), words_.capacity());
      held.need(more * sizeof(std::uint64_t), Stage::Counting);
      words_.reserve(words_.capacity() + more);
    }
    words_.resize(last + 1);
  }
  const std::uint64_t from = ~std::uint64_t{0} << begin % 64, to = ~std::uint64_t{0} >> (63 - (end - 1) % 64);
  if (first == last) {
    words_[first] |= from & to;
    return;
  }
  words_[first] |= from;
  std::fill(words_.begin() + static_cast<std::ptrdiff_t>(first) + 1,
            words_.begin() + static_cast<std::ptrdiff_t>(last), ~std::uint64_t{0});
  words_[last] |= to;
}

void ByteSet::add(const ByteSet& more, HeldMemory& held) {
  if (more.words_.size() > words_.size()) {
    held.need((more.words_.size() - words_.size()) * sizeof(std::uint64_t), Stage::Counting);
    words_.resize(more.words_.size());
  }
  for (std::size_t i = 0; i < more.words_.size(); ++i) words_[i] |= more.words_[i];
}

std::uint64_t ByteSet::count_units(int bytes) const {
  std::uint64_t count = 0;
  for (const std::uint64_t word : words_)
    for (int at = 0; at < 64; at += bytes)
      count += (word >> at & (~std::uint64_t{0} >> (64 - bytes))) != 0 ? 1 : 0;
  return count;
}

std::uint64_t ByteSet::count() const {
  std::uint64_t count = 0;
  for (const std::uint64_t word : words_) count += static_cast<std::uint64_t>(std::popcount(word));
  return count;
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

}  // namespace warplens::sim
