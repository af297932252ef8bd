#include "sim/cuda/library/library.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace warplens::cuda {
namespace {

// Each behind those that it uses.
constexpr const LibraryText* kAll[] = {
    &kTypeTraits,     &kNumericLimits, &kPairsOfHalves,   &kMathFunctions, &kTypeConstants,
    &kComplexNumbers, &kFourier,       &kRandomNumbers,   &kCub,           &kBitIntrinsics,
    &kDotProducts,    &kWarpFunctions, &kMatrixFragments, &kTextures,      &kGroups,
    &kGridGroups,     &kThreadScopes,  &kBarriers,        &kExtents,       &kSpan,
    &kMdspan,         &kAtomicRef,     &kCudaMath,        &kHip,           &kFp8};

bool stands_in(std::string_view word, std::string_view text) {
  return !word.empty() && text.find(word) != std::string_view::npos;
}

}  // namespace

// Also where the word stands in a comment: a text more to be read does no harm.
HeaderSet with_library(std::string_view text, const HeaderSet& headers) {
  std::vector<const LibraryText*> used;  // from the last on: what it is written with comes in too
  const auto is_in_files = [&](std::string_view word) {
    return stands_in(word, text) ||
           (headers && std::ranges::any_of(headers->files, [&](const Headers::File& file) {
              return stands_in(word, file.text);
            }));
  };
  const auto is_asked_for = [&](std::string_view word) {
    return is_in_files(word) ||
           std::ranges::any_of(used, [&](const LibraryText* other) { return stands_in(word, other->text); });
  };
  for (auto at = std::rbegin(kAll); at != std::rend(kAll); ++at)
    if (std::ranges::any_of((*at)->words, is_asked_for) && !is_in_files((*at)->own)) used.push_back(*at);
  if (used.empty()) return headers;
  const auto with = headers ? std::make_shared<Headers>(*headers) : std::make_shared<Headers>();
  for (auto at = used.rbegin(); at != used.rend(); ++at) {
    with->first.push_back(static_cast<int>(with->files.size()));
    with->files.push_back({std::string((*at)->name), std::string((*at)->text)});
  }
  return with;
}

}  // namespace warplens::cuda
