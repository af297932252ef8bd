#include "sim/text/nearest_name.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

namespace warplens::text {
namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  const auto same = [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
  };
  std::vector<std::size_t> before, above(b.size() + 1), row(b.size() + 1);
  std::iota(above.begin(), above.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      row[j + 1] = std::min({above[j] + (same(a[i], b[j]) ? 0 : 1), above[j + 1] + 1, row[j] + 1});
      const bool swapped = i > 0 && j > 0 && same(a[i], b[j - 1]) && same(a[i - 1], b[j]);
      if (swapped) row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
    }
    before = std::exchange(above, row);
  }
  return above.back();
}

std::size_t common_beginning(std::string_view a, std::string_view b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates,
                         std::size_t most) {
  std::string nearest;
  std::size_t least = most + 1;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > name.size() + least || name.size() > candidate.size() + least) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance > most || distance > least) continue;
    if (distance == least && common_beginning(name, candidate) <= common_beginning(name, nearest)) continue;
    least = distance, nearest = candidate;
  }
  return nearest;
}

}  // namespace warplens::text
