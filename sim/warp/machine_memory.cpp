#include "sim/warp/machine_memory.h"

#include <algorithm>
#include <cstring>

#include "sim/warp/machine_types.h"

namespace warplens::warp {

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

std::string byte_rest(std::uint64_t rest) {
  return rest == 0 ? "" : " + " + std::to_string(rest) + " bytes";
}

}  // namespace

const Region* Bound::region_of(Address address) const {
  const std::uint64_t window = address / kBufferSpacing;
  if (window == 0 || window > regions.size()) return nullptr;
  const Region& region = regions[window - 1];
  return address >= region.begin && address < region.end ? &region : nullptr;
}

Window window_of(Address address) {
  constexpr Address kHalf = kBufferSpacing / 2;
  const auto near = [&](Address base) {
    return address + kHalf >= base && address + kHalf < base + kBufferSpacing;
  };
  if (near(kLocalWindow)) return Window::Local;
  if (near(kSharedWindow)) return Window::Shared;
  return Window::Other;
}

std::string Bound::name_of_address(std::size_t parameter, Address address) const {
  const Region& region = regions[parameter];
  const auto bytes = static_cast<std::uint64_t>(region.element_bytes);
  std::string index;
  if (address >= region.begin) {
    const std::uint64_t distance = address - region.begin;
    index = std::to_string(distance / bytes) + "]" + byte_rest(distance % bytes);
  } else {
    const std::uint64_t before = region.begin - address, elements = (before + bytes - 1) / bytes;
    index = "-" + std::to_string(elements) + "]" + byte_rest(elements * bytes - before);
  }
  return program->parameters[parameter].name + "[" + index;
}

std::byte* GlobalMemory::find(Address address, bool writing) {
  const std::uint64_t number = address / kPageBytes;
  const Region& region = *bound_->region_of(address);
  Recent& recent = recent_[number % recent_.size()];
  auto page = pages_.find(number);
  if (page == pages_.end()) {
    if (!writing && region.fill == Fill::Zero) {
      recent = {number, zero_page, false};
      return zero_page + address % kPageBytes;
    }
    if (!take_page(*held_)) return nullptr;
    page = pages_.emplace(number, std::make_shared<Page>()).first;
    fill_bytes(region.fill, region.type, region.elements, number * kPageBytes - region.begin,
               page->second->bytes, kPageBytes);
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
    else if (region.fill != Fill::Zero) {
      fill_bytes(region.fill, region.type, region.elements, at,
                 reinterpret_cast<std::byte*>(bytes.data() + at), count);
    }
  }
  return bytes;
}

}  // namespace warplens::warp
