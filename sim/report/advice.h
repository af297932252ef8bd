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
//   Misaligned     misaligned      neighbours are dense, but begin `offset` bytes into a    offset, sectors, ideal
//                                  sector: begin rows at multiples of 32 bytes
//   ShortRuns      short_runs      only `run` neighbouring threads stay together, the next    run, bytes, sectors, ideal
//                                  ones are elsewhere: make the block wider in x
//   Scattered      scattered       no common distance: the addresses follow from data or    bytes, sectors, ideal
//                                  from an irregular index; sort, or go through shared memory
//   BankStride     bank_stride     neighbours are `words` words apart, and `banks` banks   words, banks, wavefronts,
//                                  serve the worst request (32: neighbours differ, but rows ideal, pad (0: no pad up
//                                  of the warp meet): pad each row by `pad` words, or swizzle. to 32 words helps)
//                                  The pad is found by trying: the least one with
//                                  which the worst accesses of the array need fewest
//                                  wavefronts
//   BankScattered  bank_scattered  lanes meet in a bank without a common distance           wavefronts, ideal
//   SameAddress    same_address    `lanes` lanes of an atomic want the same address and     lanes, sectors or
//                                  take turns: combine them in the warp, or in shared memory wavefronts
//   IdleLanes      idle_lanes      `lanes` of 32 lanes take part on average: fold the        lanes
//                                  active threads into whole warps, or make the block a multiple
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
};

std::string_view id_of(AdviceRule rule);      // "bank_stride"
std::span<const AdviceRule> all_advice_rules();

struct AdviceFigure {
  std::string_view name;  // "step"; of static storage
  double value = 0;
};

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
};

// Worst first: by wasted bytes, then by place in the text. At most one advice a line and rule. A pad is looked for
// once for each array and row: O(lines + pads * lines of the array). Throws Stopped.
std::vector<Advice> advise(const Report& report, Budget& budget = Budget::endless());

// "32", "12.5": at most one digit after the point. What a figure is shown as.
std::string figure_text(double value);

// One sentence in English, without place: "neighbouring threads are 8,192 bytes apart ...".
std::string advice_text(const Report& report, const Advice& advice);

}  // namespace warplens::report
