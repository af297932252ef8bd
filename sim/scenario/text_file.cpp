#include "sim/scenario/text_file.h"

#include <algorithm>

#include "sim/text/nearest_name.h"
#include "sim/text/read_file.h"

namespace warplens::scenario {

std::size_t most_bytes_of(const std::filesystem::path& file) {
  return file.extension() == ".ptx" ? kMostPtxBytes : kMaxTextBytes;
}

Outcome<std::string> read_text(const std::filesystem::path& file, std::size_t limit) {
  std::string text;
  Message error;
  if (!text::read_file(file, limit, &text, &error)) return {{}, {std::move(error)}};
  return {std::move(text), {}};
}

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  if (name.size() > 200) return {};
  const std::string nearest = text::nearest_name(name, candidates, std::max<std::size_t>(2, name.size() / 3));
  if (!nearest.empty()) return nearest;
  // "transpose" for "transpose_shared": a beginning serves too.
  const auto begins = std::ranges::find_if(candidates, [&](const std::string& candidate) {
    return name.size() >= 3 && candidate.starts_with(name);
  });
  return begins == candidates.end() ? std::string() : *begins;
}

Message did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string nearest = nearest_name(name, candidates);
  return nearest.empty() ? Message() : Message("; did you mean \"{}\"?", nearest);
}

}  // namespace warplens::scenario
