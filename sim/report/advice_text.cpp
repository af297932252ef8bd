// Advice in English.
#include <cmath>

#include "sim/report/advice.h"
#include "sim/report/report.h"
#include "sim/report/table.h"

namespace warplens::report {

namespace {

// What each rule says; {name} stands for a figure.
const char* sentence(AdviceRule rule) {
  switch (rule) {
    case AdviceRule::Stride:
      return "neighbouring threads are {step} bytes apart and use {bytes} of them ({sectors} sectors a "
             "request, "
             "{ideal} would do): let threadIdx.x run along the dimension that lies densely in memory";
    case AdviceRule::StructField:
      return "each thread takes {bytes} bytes of an element of {step} ({sectors} sectors a request, {ideal} "
             "would "
             "do): keep each field in an array of its own, or load whole elements";
    case AdviceRule::Narrow:
      return "each thread takes {step} neighbouring bytes, {bytes} at a time ({sectors} sectors a request, "
             "{ideal} "
             "would do): take them in one access of {step} bytes, as float2 or float4 does";
    case AdviceRule::Misaligned:
      return "rows begin {offset} bytes into a sector ({sectors} sectors a request, {ideal} would do): begin "
             "them "
             "at multiples of 32 bytes, for example with a padded pitch";
    case AdviceRule::ShortRuns:
      return "only {run} neighbouring threads stay together, the next are elsewhere ({sectors} sectors a "
             "request, "
             "{ideal} would do): make the block wider in x";
    case AdviceRule::Scattered:
      return "neighbouring threads have no common distance ({sectors} sectors a request, {ideal} would do): "
             "order "
             "the indices, or go through shared memory";
    case AdviceRule::BankStride:
      return "neighbouring threads are {words} words apart, so {banks} of 32 banks serve them ({wavefronts} "
             "wavefronts a request, {ideal} would do): ";
    case AdviceRule::BankScattered:
      return "lanes meet in the same banks without a common distance ({wavefronts} wavefronts a request, "
             "{ideal} "
             "would do): let neighbouring threads take neighbouring words";
    case AdviceRule::SameAddress:
      return "{lanes} lanes of a request want the same address and take turns: combine them within the warp, "
             "or "
             "count in shared memory first";
    case AdviceRule::IdleLanes:
      return "{lanes} of 32 lanes take part: pack the active threads into whole warps";
  }
  return "";
}

// Neighbours may take all banks, and the rows of a block that is narrower than a warp still meet in them.
std::string bank_sentence(const Advice& advice) {
  if (advice.figure("banks") < 32) return sentence(AdviceRule::BankStride);
  return "neighbouring threads take different banks, but the rows of the warp meet in them ({wavefronts} "
         "wavefronts a request, {ideal} would do): ";
}

std::string bank_remedy(const Advice& advice) {
  const double pad = advice.figure("pad");
  if (pad == 0) return "swizzle the column with the row; padding does not help";
  return "pad each row by " + figure_text(pad) + (pad == 1 ? " word" : " words") +
         ", or swizzle the column with the row";
}

}  // namespace

std::string figure_text(double value) {
  const double rounded = std::round(value * 10) / 10;
  const auto whole = static_cast<std::int64_t>(std::abs(rounded));
  std::string text = (rounded < 0 ? "-" : "") + grouped(static_cast<std::uint64_t>(whole));
  const auto tenth = static_cast<int>(std::lround((std::abs(rounded) - static_cast<double>(whole)) * 10));
  if (tenth != 0) text += "." + std::to_string(tenth);
  return text;
}

std::string advice_text(const Report&, const Advice& advice) {
  std::string text = advice.rule == AdviceRule::BankStride ? bank_sentence(advice) : sentence(advice.rule);
  for (std::size_t open = text.find('{'); open != std::string::npos; open = text.find('{', open)) {
    const std::size_t close = text.find('}', open);
    const std::string value = figure_text(advice.figure(text.substr(open + 1, close - open - 1)));
    text.replace(open, close - open + 1, value);
    open += value.size();
  }
  if (advice.rule == AdviceRule::BankStride) text += bank_remedy(advice);
  return text;
}

}  // namespace warplens::report
