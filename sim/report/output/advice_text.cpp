// Advice in English.
#include <cmath>

#include "sim/base/numbers.h"
#include "sim/report/advice.h"
#include "sim/report/output/table.h"
#include "sim/report/report.h"

namespace warplens::report {

namespace {

// What each rule says; {name} stands for a figure.
const char* sentence(AdviceRule rule) {
  constexpr const char* kSentences[] = {
      "neighbouring threads are {step} bytes apart and use {bytes} of them ({sectors} sectors a "
      "request, ideal {ideal}): let threadIdx.x run along the dimension that lies densely in memory",
      "each thread takes {bytes} bytes of an element of {step} ({sectors} sectors a request, ideal "
      "{ideal}): keep each field in an array of its own, or load whole elements",
      "each thread takes {step} neighbouring bytes, {bytes} at a time ({sectors} sectors a request, "
      "ideal {ideal}): take them in one access of {step} bytes, as float2 or float4 does",
      "each request begins {offset} bytes into a sector ({sectors} sectors a request, ideal {ideal}): "
      "begin at a multiple of 32 bytes",
      "only {run} neighbouring threads {stay}, the next are elsewhere ({sectors} sectors a request, "
      "ideal {ideal}): ",
      "neighbouring threads have no common distance ({sectors} sectors a request, ideal {ideal}): "
      "order the indices, or go through shared memory",
      "neighbouring threads are {words} words apart, in {banks} of 32 banks ({wavefronts} wavefronts "
      "a request, ideal {ideal}): ",
      "lanes meet in the same banks without a common distance ({wavefronts} wavefronts a request, "
      "ideal {ideal}): let neighbouring threads take neighbouring words",
      "{lanes} lanes of a request want the same address and take turns: combine them within the warp, "
      "or count in shared memory first",
      "lanes at work: {lanes} of 32; pack the active threads into whole warps",
      "what neighbouring threads read and what they write lie in different orders, so that few bytes "
      "of a copy past the registers move at once: copy neighbouring pieces to neighbouring places",
  };
  return kSentences[static_cast<std::size_t>(rule)];
}

std::string with_distance(const Advice& advice, std::string text) {
  constexpr std::string_view kAre = "neighbouring threads are ";
  if (advice.distance() == Distance::Mostly && text.starts_with(kAre)) text.insert(kAre.size(), "mostly ");
  return text;
}

std::string stride_sentence(const Advice& advice) {
  if (advice.distance() != Distance::Changing) return with_distance(advice, sentence(AdviceRule::Stride));
  return "neighbouring threads lie at changing distances and use {bytes} bytes each ({sectors} sectors a "
         "request, ideal {ideal}): let threadIdx.x run along the dimension that lies densely in memory";
}

// A global atomic passes through a sector once for each lane that shares an address in it.
std::string scattered_sentence(const ReportLine& line) {
  if (!is_atomic(line)) return sentence(AdviceRule::Scattered);
  return "the lanes of a request go to different sectors in no order ({sectors} passes a request, ideal "
         "{ideal}): order the indices, or count in shared memory first";
}

// Neighbours share an address where a block is narrower than a warp: a row of threads reads one element.
std::string runs_sentence(const Advice& advice) {
  std::string text = sentence(AdviceRule::ShortRuns);
  const std::string_view stay = "{stay}";
  text.replace(text.find(stay), stay.size(),
               advice.figure("step") != 0 ? "stay together" : "share an address");
  return text + (advice.figure("block_x") < 32
                     ? "make the block wider in x"
                     : "let all threads of a warp take neighbouring elements, or go through shared memory");
}

// Neighbours may take all banks, and the rows of a block that is narrower than a warp still meet in them.
std::string bank_sentence(const Advice& advice) {
  if (advice.figure("banks") >= 32)
    return "neighbouring threads take different banks, but the rows of the warp meet in them ({wavefronts} "
           "wavefronts a request, ideal {ideal}): ";
  std::string text =
      advice.distance() != Distance::Changing
          ? with_distance(advice, sentence(AdviceRule::BankStride))
          : "in the worst request neighbouring threads are {words} words apart, in {banks} of "
            "32 banks: {worst} wavefronts ({wavefronts} a request on average, ideal {ideal}): ";
  const double together = advice.figure("lanes");
  return text.insert(text.find("in {banks}"), together == 16  ? "each half-warp "
                                              : together == 8 ? "each quarter-warp "
                                                              : "");
}

std::string bank_remedy(const Advice& advice) {
  const double pad = advice.figure("pad");
  const double together = advice.figure("swizzle"), less = advice.figure("less");
  const auto words = [](double n) { return figure_text(n) + (n == 1 ? " word" : " words"); };
  const std::string neighbours = "let neighbouring threads take neighbouring words";
  const std::string swizzle =
      "swizzle the column with the row" + (together > 1 ? "'s number / " + figure_text(together) : "");
  if (advice.figure("rows") == 0) {
    if (pad == 0) return neighbours;
    return "leave " + words(pad) + " free after every {row}, or " + neighbours;
  }
  if (less != 0)
    return "take the padding of " + words(less) + " a row away" + (together != 0 ? ", and " + swizzle : "");
  if (pad == 0 && together != 0) return swizzle + "; padding does not help";
  if (pad == 0) return "neither padding nor a swizzle parts them; " + neighbours;
  return "pad each row by " + figure_text(pad) + (pad == 1 ? " more word" : " more words") +
         (together != 0 ? ", or " + swizzle : "");
}

std::string sentence_of(const Report& report, const Advice& advice) {
  switch (advice.rule) {
    case AdviceRule::BankStride:
      return bank_sentence(advice) + bank_remedy(advice);
    case AdviceRule::Stride:
      return stride_sentence(advice);
    case AdviceRule::Misaligned:
      if (advice.figure("offset") != 0) break;
      return "some requests begin inside a sector ({sectors} sectors a request, ideal {ideal}): begin rows "
             "at "
             "multiples of 32 bytes, for example with a padded pitch";
    case AdviceRule::ShortRuns:
      return runs_sentence(advice);
    case AdviceRule::SameAddress:
      if (advice.figure("elements") == 0) break;
      return "{atomics} atomics go to an array of {elements} elements and wait for each other there: combine "
             "them within the warp, or count in shared memory first";
    case AdviceRule::Scattered:
      return scattered_sentence(report.lines[advice.line]);
    default:
      break;
  }
  return sentence(advice.rule);
}

}  // namespace

std::string figure_text(double value) {
  return grouped_text(without_zeros(fixed(std::round(value * 10) / 10 + 0.0, 1)));
}

std::string advice_text(const Report& report, const Advice& advice) {
  std::string text = sentence_of(report, advice);
  for (std::size_t open = text.find('{'); open != std::string::npos; open = text.find('{', open)) {
    const std::size_t close = text.find('}', open);
    const std::string value = figure_text(advice.figure(text.substr(open + 1, close - open - 1)));
    text.replace(open, close - open + 1, value);
    open += value.size();
  }
  return text;
}

}  // namespace warplens::report
