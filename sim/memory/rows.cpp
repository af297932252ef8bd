#include "sim/memory/rows.h"

#include <algorithm>
#include <bit>

#include "sim/memory/banks.h"

namespace warplens::memory {

namespace {

constexpr Address kWord = GpuModel::bank_bytes;

}  // namespace

WarpAccess with_longer_rows(WarpAccess access, const Rows& rows, int words) {
  const Address more = static_cast<Address>(words) * kWord;  // wraps, as the sum does
  for (Address& address : access.addresses) {
    if (address >= rows.begin) address += (address - rows.begin) / rows.bytes * more;
  }
  return access;
}

WarpAccess with_swizzled_rows(WarpAccess access, const Rows& rows, int rows_together) {
  const Address unit = static_cast<Address>(rows.unit_words) * kWord;
  const Address columns = std::bit_floor(std::max<Address>(1, rows.bytes / unit));
  for (Address& address : access.addresses) {
    if (address < rows.begin) continue;
    const Address row = (address - rows.begin) / rows.bytes, at = (address - rows.begin) % rows.bytes;
    const Address column = at / unit ^ (row / static_cast<Address>(rows_together) % 32 % columns);
    address = rows.begin + (row * columns + column) * unit + at % unit;
  }
  return access;
}

bool padding_cannot_help(const WarpAccess& access, const Rows& rows) {
  for (int words = 0; words < GpuModel::shared_banks; words += rows.unit_words) {
    const WavefrontCount count = count_wavefronts(with_longer_rows(access, rows, words));
    if (count.wavefronts <= count.least) return false;
  }
  return true;
}

}  // namespace warplens::memory
