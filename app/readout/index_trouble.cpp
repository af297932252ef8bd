#include "app/readout/index_trouble.h"

#include <algorithm>

namespace warplens::app {

std::string_view index_trouble(bool is_expression, const Simulation& simulation) {
  if (!is_expression) return "expression.wrong";
  const auto error = std::ranges::find(simulation.problems, cuda::Severity::Error, &Problem::severity);
  if (error == simulation.problems.end()) return {};
  if (error->kind == sim::RunError::Kind::OutOfRange) return "expression.out_of_range";
  if (error->kind == sim::RunError::Kind::DivisionByZero) return "expression.division";
  return "expression.fails";
}

}  // namespace warplens::app
