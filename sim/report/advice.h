// What to try on the accesses that cost most: rules over a report's lines, each explained by its figures.
//
//   for (const Advice& a : advise(report))
//     std::puts(advice_text(report, a).c_str());
//   // line 12, out[x * n + y]: neighbouring threads are 8192 bytes apart and use 4 of them ...
//
// A rule speaks only where something is lost: sectors beyond the ideal, wavefronts beyond the ideal, passes of
// atomics that wait for each other, or lanes that stay idle. It never predicts a time.
//
//   rule           id              says                                                    figures
//   Stride         stride          the addresses of neighbouring threads lie `step` bytes   step, bytes, sectors, ideal
//                                  apart, though each uses `bytes` of them: let threadIdx.x
//                                  run along the dimension that lies densely in memory
//   StructField    struct_field    `step` is the size of the array's elements: each thread  step, bytes, taken, sectors,
//                                  takes one field of a struct; an array a field, or the   ideal
//                                  whole struct at once. All accesses together take `taken`
//                                  bytes of an element: `step` of them use all of each
//                                  sector in the end, which caches may keep until then
//   Narrow         narrow          each thread takes `step` neighbouring bytes, `bytes` at  step, bytes, sectors, ideal
//                                  a time: one access of `step` bytes (float2, float4)
//   Misaligned     misaligned      neighbours are dense, but requests begin `offset` bytes  offset, sectors, ideal
//                                  into a sector (0: only some of them begin inside one)
//                                  and reach one more: begin at multiples of 32 bytes
//   ShortRuns      short_runs      only `run` neighbouring threads stay together (step 0: at run, bytes, step, block_x,
//                                  one address), the next ones are elsewhere: make the     sectors, ideal
//                                  block wider in x, or, where it is as wide as a warp, let
//                                  all of a warp take neighbours
//   Scattered      scattered       no common distance: the addresses follow from data or    bytes, sectors, ideal
//                                  from an irregular index; sort, or go through shared memory
//   BankStride     bank_stride     neighbours are `words` words apart, the `lanes` that     words, lanes, banks,
//                                  are served together (32, 16, 8) in `banks` banks, and   worst, wavefronts, ideal,
//                                  take `worst` wavefronts: all of one request,            rows, pad, swizzle, less,
//                                  the worst where distances change (32: neighbours differ, row
//                                  but rows of the warp meet): pad each row by `pad` words,
//                                  or swizzle the column with the row's number / `swizzle`.
//                                  All are found by trying: the least pad with which the
//                                  worst accesses of the array need fewest wavefronts; 0:
//                                  none (up to 32 words, up to row / 8) helps. `less`: words
//                                  of padding that are in the way, and to be taken away
//                                  first; then `pad` is 0. An array of one dimension (rows
//                                  0) gets `pad` words after every `row`
//   BankScattered  bank_scattered  lanes meet in a bank without a common distance           wavefronts, ideal
//   SameAddress    same_address    `lanes` lanes of an atomic want the same address and     lanes, atomics, elements,
//                                  take turns, which costs more than that others go         sectors or wavefronts
//                                  elsewhere; or all `atomics` of the grid crowd so few
//                                  `elements` of an array that they wait for each other:
//                                  combine them in the warp, or in shared memory
//   CopyOrder      copy_order      an asynchronous copy loses by its pair of addresses,    sectors or wavefronts, ideal
//                                  though a store to where it writes (or a load from where
//                                  it reads) would not: copy in one order on both sides
//   IdleLanes      idle_lanes      `lanes` of 32 lanes take part on average: fold the        lanes
//                                  active threads into whole warps, or make the block a multiple
//
// Stride and BankStride have `alike` too: how many in a hundred of the distances between neighbours are that
// one. The text names it only where most are.
//
// sectors, ideal and wavefronts are means a request; step may be negative. Figures are numbers, so that an
// app can say them in any language: `advice.ID` with {figure} for each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/budget.h"

namespace warplens::report {

struct Report;

enum class AdviceRule : std::uint8_t {
  Stride, StructField, Narrow, Misaligned, ShortRuns, Scattered, BankStride, BankScattered, SameAddress, IdleLanes,
  CopyOrder,
};

std::string_view id_of(AdviceRule rule);      // "bank_stride"
std::span<const AdviceRule> all_advice_rules();

struct AdviceFigure {
  std::string_view name;  // "step"; of static storage
  double value = 0;
  friend bool operator==(const AdviceFigure&, const AdviceFigure&) = default;
};

// Whether `step` (or `words`) is the distance of all neighbours, of three quarters at least, or of too few to
// be named.
enum class Distance : std::uint8_t { One, Mostly, Changing };

struct Advice {
  AdviceRule rule = AdviceRule::Stride;
  std::size_t line = 0;  // index into Report::lines
  std::vector<AdviceFigure> figures;
  // Over the grid: sectors beyond the ideal, of shared memory wavefronts; 0 for IdleLanes.
  std::uint64_t excess = 0;
  // Bytes that could have been moved in the place of what is lost: 32 for each sector beyond the ideal, 128
  // for each wavefront beyond the ideal; 0 for IdleLanes. One unit for both memories, to rank by.
  std::uint64_t wasted_bytes = 0;

  double figure(std::string_view name) const;  // 0: there is none
  Distance distance() const;                   // of Stride and BankStride; otherwise One
};

// Worst first: by wasted bytes, then by place in the text. At most one advice a line and rule. A pad is looked for
// once for each array and row: O(lines + pads * lines of the array). Throws Stopped.
std::vector<Advice> advise(const Report& report, Budget& budget = Budget::endless());

// Of a line of the text: accesses that are told the same, as the load and the store of `a[i] += b`, are one advice
// with what they lose together.
struct LineAdvice {
  Advice advice;     // of the first access
  std::string text;  // the accesses as they stand there: "sums[at], sums[at + s]"
};
std::vector<LineAdvice> advise_lines(const Report& report, Budget& budget = Budget::endless());

// "32", "12.5": at most one digit after the point. What a figure is shown as.
std::string figure_text(double value);

// One sentence in English, without place: "neighbouring threads are 8,192 bytes apart ...".
std::string advice_text(const Report& report, const Advice& advice);

}  // namespace warplens::report
