// What a random kernel can be made of: the parts of the language and of launches that a run must have tried.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>

namespace warplens::differential {

// Listed once: enumerators, and their names where a run says what it has tried. Of statements, expressions,
// memory and launches, in this order.
#define WARPLENS_FEATURES                                                                                    \
  If, Else, For, While, DoWhile, NestedLoop, Break, Continue, Return, SwitchUniform, SwitchDivergent,        \
      SwitchFallsThrough, SwitchDefault, Barrier, BarrierInLoop, BlockVote, Assert, Ternary, Vote, Shuffle,  \
      CooperativeGroup, DeviceFunction, SeveralReturns, MemberFunction, FunctionTemplate, KernelTemplate,    \
      Reference, Macro, NarrowVariable, LongVariable, RealVariable, BoolVariable, Division, VariableDivisor, \
      BitIntrinsic, Maths, OneByte, TwoBytes, FourBytes, EightBytes, SixteenBytes, Half, Float, Double,      \
      Vector, Struct, WholeStruct, StructParameter, LocalArray, SharedArray, SharedMatrix, Padding,          \
      ExternShared, Constant, DeviceVariable, LongIndex, UnsignedIndex, NegativeIndex, PointerWalk,          \
      GenericPointer, PointerChoice, RowPointer, StoredPointer, LocalPointer, Reinterpret, Gather,           \
      LoadedSteers, LocalSteers, SharedSteers, WrittenIsRead, OwnElement, GlobalAtomic, SharedAtomic,        \
      CompareAndSwap, WideAtomic, RealAtomic, ManyPatterns, CacheOperator, Texture, MatrixLoad, MatrixStore, \
      MatrixProduct, AsyncCopy, OldValueSteers, GlobalOldValueSteers, Block2D, Block3D, Grid2D, Grid3D,      \
      PartialWarp, NegativeScalar, BufferEnd, FillIota, FillRandom

enum class Feature : std::uint8_t { WARPLENS_FEATURES, Count };

inline constexpr std::size_t kFeatures = static_cast<std::size_t>(Feature::Count);
using Features = std::bitset<kFeatures>;

inline Features set_of(std::initializer_list<Feature> features) {
  Features set;
  for (const Feature f : features) set.set(static_cast<std::size_t>(f));
  return set;
}
std::string name_of(Feature feature);  // "switch falls through"

}  // namespace warplens::differential
