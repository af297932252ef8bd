#include "sim/machine/memory.h"

#include <algorithm>
#include <cstring>

#include "sim/scalar/types.h"

namespace warplens::sim {

namespace {

// Read where nothing was written yet; never written.
alignas(16) std::byte zero_page[GlobalMemory::kPageBytes];

// False where there is no memory left; throws Stopped where something else has ended the run.
bool take_page(HeldMemory& held) {
  if (held.take(GlobalMemory::kPageBytes)) return true;
  const Budget& budget = held.budget();
  if (budget.stopped() != StopReason::MemoryLimit) throw budget.why(Stage::Running);
  return false;
}

}  // namespace

std::byte* GlobalMemory::find(Address address, bool writing) {
  const std::uint64_t number = address / kPageBytes;
  const Region& region = *bound_->region_of(address);
  Recent& recent = recent_[number % recent_.size()];
  auto page = pages_.find(number);
  if (page == pages_.end()) {
    if (!writing && region.holds_zeros()) {
      recent = {number, zero_page, false};
      return zero_page + address % kPageBytes;
    }
    if (!take_page(*held_)) return nullptr;
    page = pages_.emplace(number, std::make_shared<Page>()).first;
    region.fill_bytes(number * kPageBytes - region.begin, page->second->bytes, kPageBytes);
  } else if (writing && page->second.use_count() > 1) {
    if (!take_page(*held_)) return nullptr;
    page->second = std::make_shared<Page>(*page->second);
    ++copied_;
  }
  recent = {number, page->second->bytes, page->second.use_count() == 1};
  return recent.bytes + address % kPageBytes;
}

GlobalMemory GlobalMemory::checkpoint() {
  recent_.fill({});
  return *this;
}

void GlobalMemory::add_pages(std::unordered_set<const void*>& pages) const {
  for (const auto& [number, page] : pages_) pages.insert(page.get());
}

std::vector<std::uint8_t> GlobalMemory::contents(const Region& region) {
  std::vector<std::uint8_t> bytes(region.end - region.begin);
  for (std::uint64_t at = 0; at < bytes.size(); at += kPageBytes) {
    const std::uint64_t count = std::min<std::uint64_t>(kPageBytes, bytes.size() - at);
    const auto page = pages_.find((region.begin + at) / kPageBytes);
    if (page != pages_.end())
      std::memcpy(bytes.data() + at, page->second->bytes, count);
    else if (!region.holds_zeros())
      region.fill_bytes(at, reinterpret_cast<std::byte*>(bytes.data() + at), count);
  }
  return bytes;
}

}  // namespace warplens::sim
