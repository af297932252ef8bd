// Why a launch takes as long as it does, as the picture's data: what is modelled has its "≈", what is
// measured says so.
#pragma once

#include <string>
#include <vector>

#include "app/explain/why.h"
#include "app/language/strings.h"
#include "app/scene/plot/why.h"
#include "sim/report/why.h"

// The figures that the words about least times are full of.

namespace warplens::app {

std::string why_times(double times);   // "8", "2.5", "1.25"
std::string why_count(double count);   // "59.4 M": three figures, of what is too long to be read
std::string why_bytes(double bytes);   // "1.08 MB"
std::string why_time(double seconds);  // "13.2 µs"; of next to nothing "< 0.01 µs"

// Why a launch takes as long as it does, in sentences. Least times are told as such, never as a prediction.

// The first says what holds the launch back; the others what became of conflicts, of sectors asked for in
// vain, and of atomics. Never empty.
std::vector<std::string> why_sentences(const report::Why& why, const language::Strings& strings);

// Whether no resource is busy for long enough to be what the launch waits for.
bool is_latency(const report::Why& why);

// "the bound: DRAM", "latency"; empty: it is not known.
std::string why_answer(const report::Why& why, const language::Strings& strings);

// "DRAM", "shared memory"
std::string resource_words(report::Resource resource, const language::Strings& strings);

// What the panel is of. What is pointed to outlives the call.
struct WhyOf {
  const explain::Demand* demand = nullptr;       // null: it is still being modelled
  bool stale = false;                            // it is of other settings than those on screen
  double progress = 0;                           // of the model that is awaited
  const measure::Measurement* launch = nullptr;  // the time that is shown; null: there is none
  const measure::PeakRecord* peaks = nullptr;    // of the GPU that is simulated; null: not measured
  std::string gpu{};                             // that is simulated: "sm_90"
};

// `beside`: the other pane's of A│B, whose bars have the same axis; null: one is alone.
scene::WhyView why_view(const WhyOf& of, const WhyOf* beside, const language::Strings& strings);

}  // namespace warplens::app
