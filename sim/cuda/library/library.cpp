#include "sim/cuda/library/library.h"

#include <algorithm>

namespace warplens::cuda {
namespace {

// Also where the word stands in a comment: a text more to be read does no harm.
bool stands_in(std::string_view word, std::string_view text, const HeaderSet& headers) {
  if (word.empty()) return false;
  if (text.find(word) != std::string_view::npos) return true;
  return headers && std::any_of(headers->files.begin(), headers->files.end(), [&](const Headers::File& file) {
           return file.text.find(word) != std::string::npos;
         });
}

}  // namespace

HeaderSet with_library(std::string_view text, const HeaderSet& headers) {
  std::shared_ptr<Headers> with;
  for (const LibraryText* library : {&kTypeConstants,    &kComplexNumbers,
                                     &kFourier,          &kComplexTemplate,
                                     &kRandomNumbers,    &kCub,
                                     &kBitIntrinsics,    &kDoubleHalves,
                                     &kDotProducts,      &kSimd,
                                     &kEightBits,        &kTextures,
                                     &kGroups,           &kGridGroups,
                                     &kThreadScopes,     &kBarriers,
                                     &kBulkInstructions, &kBulkGroups,
                                     &kBulkCopies,       &kPtxFunctions,
                                     &kExtents,          &kSpan,
                                     &kMdspan,           &kAtomicRef,
                                     &kCudaMath}) {
    const bool is_used = std::any_of(library->words.begin(), library->words.end(),
                                     [&](std::string_view word) { return stands_in(word, text, headers); });
    if (!is_used || stands_in(library->own, text, headers)) continue;
    if (!with) with = headers ? std::make_shared<Headers>(*headers) : std::make_shared<Headers>();
    with->first.push_back(static_cast<int>(with->files.size()));
    with->files.push_back({std::string(library->name), std::string(library->text)});
  }
  return with ? with : headers;
}

}  // namespace warplens::cuda
