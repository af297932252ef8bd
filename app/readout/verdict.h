// The answer to "what does this access cost, and why": one figure, a few words, and what leads to it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/language/strings.h"
#include "app/simulate/simulation.h"
#include "app/state/catalog.h"
#include "app/state/state.h"

namespace warplens::app {

// Idle: the access costs what it must, and lanes do nothing meanwhile. Green is what has nothing left to
// gain.
enum class Verdict : std::uint8_t { Ideal, Idle, Costly, Hidden };
scene::Color verdict_color(const scene::Palette& palette, Verdict verdict);

struct FormulaStep {
  std::string label, value;
  std::string tooltip{};  // the counter's name in Nsight Compute, where it has one
};
struct CostSummary {
  Verdict verdict = Verdict::Ideal;
  std::string figure;  // "16-way", "32"; "?" where the cost is hidden, and no words
  std::string words;   // "bank conflict", "sectors, 4 would do"
  std::vector<FormulaStep> steps;
};
CostSummary judge(const PricedAccess& moment, const language::Strings& strings);
// Of the access looked at. Where the run failed, that is the headline, whatever this access costs.
CostSummary judge(const Simulation& s, const language::Strings& strings);
// What Nsight Compute counts the sectors or wavefronts with.
std::string counter_of(const PricedAccess& moment);

// What the indices of the statement looked at are, as the text `source` defines them: "c = i % BY", "r = i /
// BY", then what those are made of: "i = threadIdx.y * BX + threadIdx.x". What changes from round to round
// has its value, where the lanes at work share one, or else `lane`'s: "s = 4".
std::vector<std::string> index_definitions(const Simulation& simulation, const std::string& source,
                                           int lane = -1);

// "1, 0", with the third one "1, 0, 2".
std::string dim_text(const sim::Dim3& of, bool third, const char* between = ", ");

// How its ladder calls it, or else its title.
const std::string& rung_name(const scenario::Scenario& scenario, std::string_view language);

// "load", "store" ... in the language.
std::string op_text(memory::Op op, const language::Strings& strings);

// A key: "expression.wrong" where the text is not an expression; where it is one, what the first error of the
// simulation is, "expression.fails" where that has no word of its own. Empty: all is well.
std::string_view index_trouble(bool is_expression, const Simulation& simulation);

// "÷16", "12 % fewer": how `after` stands to `before`, with the unit's name. Empty: they are the same.
std::string change_words(double before, double after, const std::string& unit,
                         const language::Strings& strings);

std::string fix_text(const Fix& fix, const Catalog& catalog,
                     const language::Strings& strings);  // "padding 1"
// "16.5 times fewer wavefronts in all": of all accesses, not of the one that is looked at.
std::string fix_gain(const Fix& fix, const language::Strings& strings);

}  // namespace warplens::app
