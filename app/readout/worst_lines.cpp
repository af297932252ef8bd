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
                     advice.figures, advice.excess, advice.wasted_bytes, line.space == memory::Space::Shared,
                     report::is_atomic(line), advice.distance()});
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

double figure(const WorstLine& line, std::string_view name) {
  const auto at = std::ranges::find_if(line.figures, [&](const auto& f) { return f.name == name; });
  return at == line.figures.end() ? 0 : at->value;
}

// What the rule's words depend on beyond its figures: "advice.stride" -> "advice.stride.mostly".
std::string key_of(const WorstLine& line, const std::string& prefix) {
  const std::string rule = line.advice.substr(std::string_view("advice.").size());
  const std::string key = prefix + rule;
  if (rule == "struct_field" && figure(line, "taken") >= figure(line, "step")) return key + ".all";
  if (rule == "short_runs" && figure(line, "step") == 0) return key + ".same";
  if (rule == "scattered" && line.atomic) return key + ".atomic";
  if (rule == "bank_stride" && figure(line, "banks") >= 32) return key + ".meet";
  if (line.distance == report::Distance::Mostly) return key + ".mostly";
  if (line.distance == report::Distance::Changing) return key + ".changing";
  return key;
}

std::string remedy_key(const WorstLine& line) {
  const double pad = figure(line, "pad"), less = figure(line, "less");
  const double together = figure(line, "swizzle");
  const auto of_one = [](double words) { return words == 1 ? ".one" : ""; };
  const std::string divided = together > 1 ? ".divided" : "";
  if (figure(line, "rows") == 0)
    return pad == 0 ? "advice.remedy.neighbours" : std::string("advice.remedy.gaps") + of_one(pad);
  if (less != 0)
    return together == 0 ? std::string("advice.remedy.less") + of_one(less)
                         : "advice.remedy.less_and_swizzle" + divided + of_one(less);
  if (pad == 0) return together != 0 ? "advice.remedy.swizzle" + divided : "advice.remedy.neither";
  if (together == 0) return std::string("advice.remedy.pad") + of_one(pad);
  return "advice.remedy.pad_or_swizzle" + divided + of_one(pad);
}

std::string with_figures(const WorstLine& line, std::string key, const language::Strings& strings) {
  measure::Remark remark;
  remark.key = std::move(key);
  for (const report::AdviceFigure& figure : line.figures)
    remark.values.emplace(figure.name, report::figure_text(figure.value));
  if (line.advice == "advice.bank_stride")
    remark.values.emplace("remedy",
                          strings(remedy_key(line), {{"pad", report::figure_text(figure(line, "pad"))},
                                                     {"less", report::figure_text(figure(line, "less"))},
                                                     {"row", report::figure_text(figure(line, "row"))},
                                                     {"n", report::figure_text(figure(line, "swizzle"))}}));
  return measure::in_words(remark, [&](std::string_view k) { return strings(k); });
}

// Shared memory loses wavefronts, an atomic passes: nothing more is moved.
std::string loss_key(const WorstLine& line, const std::string& key) {
  if (line.shared) return key + ".shared";
  return line.atomic ? key + ".atomic" : key;
}
std::string amount_text(const WorstLine& line) {
  return line.shared || line.atomic ? grouped(static_cast<long long>(line.excess)) : volume(line.lost_bytes);
}

}  // namespace

std::string advice_text(const WorstLine& line, const language::Strings& strings) {
  return with_figures(line, key_of(line, "advice."), strings);
}

std::string loss_text(const WorstLine& line, const language::Strings& strings) {
  return strings(loss_key(line, "grid.lines.lost"), {{"amount", amount_text(line)}});
}

std::string diagnosis_text(const WorstLine& line, const language::Strings& strings) {
  const std::string why = with_figures(line, key_of(line, "diagnosis."), strings);
  const std::string number = std::to_string(line.line);
  if (line.excess == 0) return strings("diagnosis.place", {{"line", number}, {"why", why}});
  return strings(loss_key(line, "diagnosis.loss"),
                 {{"line", number}, {"amount", amount_text(line)}, {"why", why}});
}

std::string diagnosis_in_brief(const WorstLine& line, const language::Strings& strings) {
  std::string words = diagnosis_text(line, strings);
  for (const auto& [open, close] : {std::pair{" (", ")"}, std::pair{"（", "）"}}) {
    const std::size_t begin = words.rfind(open), end = words.rfind(close);
    if (begin != std::string::npos && end != std::string::npos && begin < end)
      words.erase(begin, end + std::string_view(close).size() - begin);
  }
  return words;
}

const std::vector<WorstLine>& WorstLines::of(const Simulation& simulation) {
  if (totals_ != simulation.totals) {
    totals_ = simulation.totals;
    lines_ = worst_lines(simulation);
  }
  return lines_;
}

}  // namespace warplens::app
