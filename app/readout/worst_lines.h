// The lines of a kernel that lose most over the whole grid, with what to try, in words of the languages.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/language/strings.h"
#include "app/simulate/simulation.h"
#include "sim/report/advice.h"

namespace warplens::app {

struct WorstLine {
  int line = 1;        // of the text
  std::string text;    // the access: "tile[c][r]"
  std::string advice;  // a key: "advice.bank_stride", its figures below
  std::vector<report::AdviceFigure> figures;
  std::uint64_t excess = 0;      // sectors beyond the ideal, of shared memory wavefronts
  std::uint64_t lost_bytes = 0;  // of both in one unit, to compare them
  bool shared = false;
  bool atomic = false;
  report::Distance distance = report::Distance::One;  // between neighbours, as far as the advice names one
};

// Worst first; empty where nothing is lost, or where there are no totals yet.
std::vector<WorstLine> worst_lines(const Simulation& simulation);
// Some access takes more sectors or wavefronts than it has to, worth a line in the list or not.
bool loses_anything(const sim::Totals& totals);
std::string advice_text(const WorstLine& line, const language::Strings& strings);
// What is lost: "469.8 MB not used"; of shared memory, which moves nothing more but takes longer, "7,864,320
// extra wavefronts"; of atomics in global memory "510,517 extra passes".
std::string loss_text(const WorstLine& line, const language::Strings& strings);
// The same in one breath, with the loss and the place: "Largest loss, line 14: 1.0 GB requested and not used,
// neighbours are 16 words apart ...".
std::string diagnosis_text(const WorstLine& line, const language::Strings& strings);

// Without the figures of a request, which stand in brackets at its end: those of the access on screen are in
// its table.
std::string diagnosis_in_brief(const WorstLine& line, const language::Strings& strings);

// Keeps the list of the totals that it was made from: making it copies the program.
class WorstLines {
 public:
  const std::vector<WorstLine>& of(const Simulation& simulation);

 private:
  std::shared_ptr<const sim::Totals> totals_;
  std::vector<WorstLine> lines_;
};

}  // namespace warplens::app
