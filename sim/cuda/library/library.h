// Device libraries that published kernels use, as CUDA text: what a file that names them is read with.
//
// Only what decides a kernel's accesses is as the library has it: who reads and writes which word of shared
// memory, what shuffles move. Each text says what it leaves out.
#pragma once

#include <array>
#include <string_view>

#include "sim/cuda/text/headers.h"

namespace warplens::cuda {

struct LibraryText {
  std::string_view name;                   // for messages
  std::array<std::string_view, 14> words;  // one of them is in a file that uses the library
  std::string_view own;                    // in a file that brings it itself
  std::string_view text;
};
extern const LibraryText kCub, kComplexNumbers, kFourier, kTypeConstants, kRandomNumbers, kBitIntrinsics,
    kMathFunctions, kPairsOfHalves, kTypeTraits, kNumericLimits, kDotProducts, kWarpFunctions,
    kMatrixFragments, kExtents, kSpan, kMdspan, kAtomicRef, kCudaMath, kThreadScopes, kBarriers, kGroups,
    kGridGroups, kTextures, kHip, kFp8;

// `headers`, and behind them the texts that the file or a header of it needs (Headers::first).
HeaderSet with_library(std::string_view text, const HeaderSet& headers);

}  // namespace warplens::cuda
