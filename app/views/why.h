// The least time that each resource needs for a launch, a bar each on one linear axis, with the measured time
// as a line across. Bars tell where their count is from: exact ones are plain, modelled ones hatched,
// measured ones framed.
//
//   DRAM needs at least 13.2 of the 17.3 µs measured; the launch 9.92.
//                                            17.3 µs, recorded ↓
//   launch   █████████████                           |   9.92 µs  57 %
//   DRAM     █████████████████ the bound             |   13.2 µs  76 %
//            0        least time that each resource needs        17.3 µs
#pragma once

#include <string>
#include <vector>

#include "app/explain/explanation.h"
#include "app/language/strings.h"
#include "app/scene/views.h"
#include "sim/report/why.h"

namespace warplens::views {

struct WhyBar {
  std::string label;  // "DRAM"
  double seconds = 0;
  report::CountSource source = report::CountSource::Predicted;
  std::string mark;     // where it is the longest, or as long: "the bound"
  std::string amount;   // "13.2 µs"
  std::string share;    // "76 %" of the measured time; empty: none was measured
  std::string detail;   // "59.4 MB at 4.49 TB/s, measured"
  std::string tooltip;  // the same with all digits
};

struct WhyView {
  std::string title, answer;
  std::vector<std::string> sentences;
  std::vector<WhyBar> bars;
  double measured = 0;                      // seconds; 0: not measured
  std::vector<std::string> measured_words;  // at several lengths, the fullest first
  double most = 0;                          // the axis ends no earlier than here
  std::vector<std::string> facts;           // what the caches answer, and what can be in flight: a line each
  std::string working;                      // what is under way: then the rest is of before, and faint
};

scene::Scene why_scene(const WhyView& view, const scene::Canvas& canvas);

// Least times are told as such, never as a prediction. The first says what holds the launch back; the others
// what became of conflicts, of sectors asked for in vain, and of atomics. Never empty.
std::vector<std::string> why_sentences(const report::Why& why, const language::Strings& strings);

// "limited by DRAM", "latency"; empty: it is not known.
std::string why_answer(const report::Why& why, const language::Strings& strings);

// What the panel is of. What is pointed to outlives the call.
struct WhyOf {
  const explain::Demand* demand = nullptr;       // null: it is still being modelled
  bool stale = false;                            // it is of other settings than those on screen
  double progress = 0;                           // of the model that is awaited
  const measure::Measurement* launch = nullptr;  // the time that is shown; null: there is none
  const measure::PeakRecord* peaks = nullptr;    // of the GPU that is simulated; null: not measured
  std::string gpu{};                             // that is simulated: "sm_90"
};

WhyView why_view(const report::Why& why, const language::Strings& strings);
// `beside`: the other pane's of A│B, whose bars have the same axis; null: one is alone.
WhyView why_view(const WhyOf& of, const WhyOf* beside, const language::Strings& strings);

}  // namespace warplens::views
