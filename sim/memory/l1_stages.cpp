#include "sim/memory/l1_stages.h"

#include <algorithm>
#include <bit>

#include "sim/memory/banks.h"
#include "sim/memory/gpu_model.h"
#include "sim/memory/line_use.h"

namespace warplens::memory {

namespace {

constexpr int kLineShift = std::countr_zero(static_cast<unsigned>(GpuModel::line_bytes));
constexpr int kWordShift = std::countr_zero(static_cast<unsigned>(GpuModel::bank_bytes));
constexpr int kLineWords = GpuModel::line_bytes / GpuModel::bank_bytes;

constexpr std::size_t kBytes = 256;
using FlipsOfByte = std::array<std::uint8_t, kBytes>;

// How each value of a byte of a line's number flips the bank.
constexpr std::array<FlipsOfByte, sizeof(std::uint64_t)> flips_of_bytes() {
  constexpr int kTurn = static_cast<int>(kTagBankFlips.size()) - kTagBankRepeats;
  std::array<FlipsOfByte, sizeof(std::uint64_t)> flips{};
  for (int bit = 0; bit < 64; ++bit) {
    const int as = bit < kTagBankRepeats ? bit : kTagBankRepeats + (bit - kTagBankRepeats) % kTurn;
    for (std::size_t value = 0; value < kBytes; ++value) {
      if ((value >> bit % 8 & 1) != 0) flips[bit / 8][value] ^= kTagBankFlips[as];
    }
  }
  return flips;
}
constexpr auto kFlips = flips_of_bytes();

// What of an access counts: its distinct lines, in the order in which lanes ask for them, and of each the
// words that each part of the warp asks for. A line has as many words as there are banks: word i of any line
// is in bank i. Of a lane's two or four words the first stands for all: they are aligned, and meet others in
// all their banks or none.
struct Asked {
  explicit Asked(const WarpAccess& access) : parts(std::max(1, access.bytes / GpuModel::bank_bytes)) {
    const int part_shift = std::countr_zero(static_cast<unsigned>(kWarpLanes / parts));
    each_lane(access.active, [&](int lane) {
      const int before = lines.size();
      const Address address = access.addresses[lane];
      const int line = lines.insert(address >> kLineShift);
      if (lines.size() != before) words[line] = {};
      words[line][lane >> part_shift] |= std::uint32_t{1} << (address >> kWordShift) % kLineWords;
    });
  }
  std::uint64_t lowest() const {
    std::uint64_t line = lines.key(0);
    for (int i = 1; i < lines.size(); ++i) line = std::min(line, lines.key(i));
    return line;
  }

  static constexpr int kMostParts = 4;
  int parts;  // of the warp, that the data stage serves one after another
  LaneSet<kWarpLanes> lines;
  std::array<std::array<std::uint32_t, kMostParts>, kWarpLanes> words;  // bit i: word i; by the line's slot
};

// How many lines have a word in each bank, for all banks at once: bit i of plane p is bit p of bank i's
// number.
class WordsInBanks {
 public:
  void clear() { planes_ = {}; }
  void add(std::uint32_t words) {
    for (std::uint32_t& plane : planes_) {
      const std::uint32_t carry = plane & words;
      plane ^= words;
      words = carry;
      if (words == 0) return;
    }
  }
  int most() const {
    int most = 0;
    std::uint32_t banks = ~std::uint32_t{0};  // that have the most so far
    for (std::size_t p = planes_.size(); p-- > 0;) {
      if ((banks & planes_[p]) == 0) continue;
      banks &= planes_[p];
      most |= 1 << p;
    }
    return most;
  }

 private:
  std::array<std::uint32_t, std::bit_width(static_cast<unsigned>(kWarpLanes))> planes_;
};
static_assert(kLineWords == GpuModel::shared_banks);

// Tag wavefronts whose data a store moves at once: the first `together`, and then `after` at a time.
struct StoreBatches {
  int together, after;
};
constexpr StoreBatches store_batches(int bytes) {
  if (bytes < GpuModel::bank_bytes) return {4, 1};
  return {8, bytes == GpuModel::bank_bytes ? 8 : 1};
}

int batch_of(const WarpAccess& access, int tag_wavefront) {
  if (access.op == Op::Load) return tag_wavefront;
  const StoreBatches batches = store_batches(access.bytes);
  if (tag_wavefront < batches.together) return 0;
  return 1 + (tag_wavefront - batches.together) / batches.after;
}

// The access moved up by `lines` lines.
StageCost stages_at(const WarpAccess& access, const Asked& asked, std::uint64_t lines) {
  std::array<int, kTagBanks> in_bank{};
  std::array<std::uint8_t, kWarpLanes> batch;
  for (int i = 0; i < asked.lines.size(); ++i)
    batch[i] = static_cast<std::uint8_t>(batch_of(access, in_bank[tag_bank(asked.lines.key(i) + lines)]++));
  StageCost cost;
  cost.tag_wavefronts = *std::ranges::max_element(in_bank);
  const int batches = batch_of(access, cost.tag_wavefronts - 1) + 1;
  std::array<std::array<WordsInBanks, Asked::kMostParts>, kWarpLanes> in_banks;
  for (int i = 0; i < batches; ++i)
    for (int part = 0; part < asked.parts; ++part) in_banks[i][part].clear();
  for (int i = 0; i < asked.lines.size(); ++i)
    for (int part = 0; part < asked.parts; ++part) in_banks[batch[i]][part].add(asked.words[i][part]);
  for (int i = 0; i < batches; ++i)
    for (int part = 0; part < asked.parts; ++part) cost.data_wavefronts += in_banks[i][part].most();
  return cost;
}

bool has_stages(const WarpAccess& access) {
  return access.space == Space::Global && access.active != 0 && !access.texture &&
         (access.op == Op::Load || access.op == Op::Store);
}

Address lowest_address(const WarpAccess& access) {
  Address lowest = ~Address{0};
  each_lane(access.active, [&](int lane) { lowest = std::min(lowest, access.addresses[lane]); });
  return lowest;
}

// Rows that begin at a multiple of their distance, a power of two of lines: side by side they are as many as
// a power of two, in one dimension or several (their numbers then have every combination of some bits, once),
// or the first of so many. And what is in a row begins where a line does.
bool keeps_its_place(const WarpAccess& access, const Asked& of) {
  const std::uint64_t lowest = of.lowest();
  std::uint64_t bits = 0, last = 0;
  for (int i = 0; i < of.lines.size(); ++i) {
    bits |= of.lines.key(i) - lowest;
    last = std::max(last, of.lines.key(i) - lowest);
  }
  const auto rows = static_cast<std::uint64_t>(of.lines.size());
  const int shift = std::countr_zero(bits);
  const bool all = rows == std::uint64_t{1} << std::popcount(bits);
  if (!all && (shift == 0 || last >> shift != rows - 1)) return false;
  WarpAccess from_line = access;
  const Address first = lowest_address(access);
  for (Address& address : from_line.addresses) address -= first;
  return Asked(from_line).lines.size() == of.lines.size();
}

// Whether neighbouring lanes mostly keep their distance: rows of at least four lanes, whatever lies between.
bool lies_regularly(const WarpAccess& access) {
  constexpr int kMostChanges = kWarpLanes / 2;
  Address before = 0, step = 0;
  int seen = 0, changes = 0;
  for (LaneMask rest = access.active; rest != 0; rest &= rest - 1) {
    const Address at = access.addresses[std::countr_zero(rest)];
    if (seen++ > 1 && at - before != step && ++changes > kMostChanges) return false;
    step = at - before;
    before = at;
  }
  return true;
}

// The line at which the lowest one lies: every place within 16 lines once, and beyond them others for every
// way to begin within a line. From the last of the 16 one comes into the next 16, no further: of 16 places
// that is enough.
std::uint64_t placement(int i, Address first) {
  constexpr std::uint64_t kFarPlaces = 1 << 12;  // line numbers up to 2 ** 16
  const auto number = static_cast<std::uint64_t>(i);
  const std::uint64_t way = number + kPlacements * (first % (Address{1} << kLineShift));
  const std::uint64_t far = (way * 0x9e3779b97f4a7c15u >> 40) % kFarPlaces;
  return number + kPlacements * (i == kPlacements - 1 ? far & ~std::uint64_t{1} : far);
}

}  // namespace

int tag_bank(std::uint64_t line) {
  int bank = kFlips[0][line % kBytes] ^ kFlips[1][line / kBytes % kBytes];
  line /= kBytes * kBytes;
  for (std::size_t byte = 2; line != 0; ++byte, line /= kBytes) bank ^= kFlips[byte][line % kBytes];
  return bank;
}

StageCost l1_stages(const WarpAccess& access) {
  return has_stages(access) ? stages_at(access, Asked(access), 0) : StageCost{};
}

StageCost l1_stages_of_placements(const WarpAccess& access) {
  if (!has_stages(access)) return {};
  const Asked of(access);
  const std::uint64_t lowest = of.lowest();
  if (of.lines.size() == 1 || !lies_regularly(access) || keeps_its_place(access, of)) {
    const StageCost cost = stages_at(access, of, 0 - lowest);
    return {cost.tag_wavefronts * kPlacements, cost.data_wavefronts * kPlacements};
  }
  const Address first = lowest_address(access);
  StageCost sum;
  for (int i = 0; i < kPlacements; ++i) {
    const StageCost cost = stages_at(access, of, placement(i, first) - lowest);
    sum.tag_wavefronts += cost.tag_wavefronts;
    sum.data_wavefronts += cost.data_wavefronts;
  }
  return sum;
}

}  // namespace warplens::memory
