#include "sim/scenario/text_file.h"

#include <algorithm>
#include <cctype>
#include <numeric>

#include "sim/text/read_file.h"

namespace warplens::scenario {

namespace {

// Letters' case aside, the fewest single-letter edits from one to the other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({substituted, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

Outcome<std::string> read_text(const std::filesystem::path& file, std::size_t limit) {
  std::string text, error;
  if (!text::read_file(file, limit, &text, &error)) return {{}, {std::move(error)}};
  return {std::move(text), {}};
}

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  if (name.size() > 200) return {};
  std::string nearest;
  std::size_t least = std::max<std::size_t>(2, name.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < least) least = distance, nearest = candidate;
  }
  if (!nearest.empty()) return nearest;
  // "transpose" for "transpose_shared": a beginning serves too.
  const auto begins = std::find_if(candidates.begin(), candidates.end(), [&](const std::string& candidate) {
    return name.size() >= 3 && candidate.starts_with(name);
  });
  return begins == candidates.end() ? std::string() : *begins;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string nearest = nearest_name(name, candidates);
  return nearest.empty() ? std::string() : "; did you mean \"" + nearest + "\"?";
}

}  // namespace warplens::scenario
