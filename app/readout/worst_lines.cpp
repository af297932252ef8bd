#include "app/readout/worst_lines.h"

#include <algorithm>

#include "app/measure/remark.h"
#include "sim/report/report.h"

namespace warplens::app {

std::vector<WorstLine> worst_lines(const Simulation& simulation) {
  std::vector<WorstLine> lines;
  if (simulation.empty() || !simulation.totals || simulation.totals->error) return lines;
  const Compiled& compiled = *simulation.compiled;
  const report::Report report =
      report::make_report({compiled.setup, compiled.program, compiled.gpu, {}}, *simulation.totals);
  for (const report::Advice& advice : report::advise(report)) {
    if (advice.line >= report.lines.size()) continue;
    const report::ReportLine& line = report.lines[advice.line];
    lines.push_back({line.line, line.text, "advice." + std::string(report::id_of(advice.rule)),
                     advice.figures, advice.excess, advice.wasted_bytes,
                     line.space == memory::Space::Shared});
  }
  return lines;
}

bool loses_anything(const sim::Totals& totals) {
  const auto loses = [](const sim::SiteTotals& site) {
    return site.sectors > site.ideal_sectors || site.wavefronts > site.ideal_wavefronts;
  };
  return std::ranges::any_of(totals.global_sites, loses) || std::ranges::any_of(totals.shared_sites, loses);
}

namespace {

std::string with_figures(const WorstLine& line, std::string key, const language::Strings& strings) {
  measure::Remark remark;
  for (const report::AdviceFigure& figure : line.figures) {
    remark.values.emplace(figure.name, report::figure_text(figure.value));
    // Where no padding helps, there is none to name.
    if (figure.name == "pad" && figure.value == 0 && key.starts_with("advice.")) key += ".no_pad";
    if (figure.name == "taken" && figure.value >= line.figures.front().value) key += ".all";
  }
  remark.key = key;
  return measure::in_words(remark, [&](std::string_view k) { return strings(k); });
}

// Shared memory loses wavefronts: nothing more is moved.
std::string loss_key(const WorstLine& line, const std::string& key) {
  return line.shared ? key + ".shared" : key;
}
std::string amount_text(const WorstLine& line) {
  return line.shared ? language::grouped(static_cast<long long>(line.excess))
                     : language::volume(line.lost_bytes);
}

}  // namespace

std::string advice_text(const WorstLine& line, const language::Strings& strings) {
  return with_figures(line, line.advice, strings);
}

std::string loss_text(const WorstLine& line, const language::Strings& strings) {
  return strings(loss_key(line, "grid.lines.lost"), {{"amount", amount_text(line)}});
}

std::string diagnosis_text(const WorstLine& line, const language::Strings& strings) {
  const std::string why =
      with_figures(line, "diagnosis." + line.advice.substr(std::string_view("advice.").size()), strings);
  const std::string number = std::to_string(line.line);
  if (line.excess == 0) return strings("diagnosis.place", {{"line", number}, {"why", why}});
  return strings(loss_key(line, "diagnosis.loss"),
                 {{"line", number}, {"amount", amount_text(line)}, {"why", why}});
}

const std::vector<WorstLine>& WorstLines::of(const Simulation& simulation) {
  if (totals_ != simulation.totals) {
    totals_ = simulation.totals;
    lines_ = worst_lines(simulation);
  }
  return lines_;
}

}  // namespace warplens::app
