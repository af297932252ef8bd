// The correlation as a page and as a plot.
#include <algorithm>
#include <cmath>
#include <set>

#include "app/cli/check/correlation.h"
#include "app/cli/check/counter_check.h"
#include "app/cli/check/issued_section.h"
#include "sim/report/output/table.h"

namespace warplens::cli {

namespace {

using measure::CompileMode;

struct Tally {
  std::size_t rows = 0, points = 0, equal = 0, explained = 0, unexplained = 0;
};

Tally tally(const Correlation& correlation) {
  Tally sum;
  for (const CorrelationRow& row : correlation.rows) {
    ++sum.rows;
    for (const Point& point : row.points) {
      ++sum.points;
      ++(point.is_equal() ? sum.equal : point.explained ? sum.explained : sum.unexplained);
    }
  }
  return sum;
}

// "32,768" where both are equal, "32,768 / **33,000**" where not, bold unless it is explained; "-" where it
// is not counted.
std::string cell(const CorrelationRow& row, const std::string& what) {
  for (const Point& point : row.points) {
    if (point.what != what) continue;
    const std::string predicted = count_text(point.predicted), measured = count_text(point.measured);
    if (point.is_equal()) return predicted;
    return predicted + " / " + (point.explained ? measured : "**" + measured + "**");
  }
  return "-";
}

std::string causes(const CorrelationRow& row) {
  std::string words;
  for (const Point& point : row.points)
    if (!point.is_equal() && words.find(point.cause) == std::string::npos)
      words += (words.empty() ? "" : "; ") + point.cause;
  return words.empty() ? "equal" : words;
}

std::string pipe_cell(const CorrelationRow& row) {
  return row.pipe_wavefronts > 0 ? count_text(row.pipe_wavefronts) : "-";
}

using RowRange =
    std::pair<std::vector<CorrelationRow>::const_iterator, std::vector<CorrelationRow>::const_iterator>;

// One kernel: what it is, and all its rows in a table that opens on a click.
std::string section(const RowRange& range) {
  std::set<std::string> names;  // of the counts that this kernel has
  std::size_t equal = 0;
  for (auto row = range.first; row != range.second; ++row) {
    for (const Point& point : row->points) names.insert(point.what);
    equal += causes(*row) == "equal" ? 1 : 0;
  }
  const auto count = static_cast<std::size_t>(range.second - range.first);
  std::string text = "### " + range.first->kernel + "\n\n<details><summary>" + std::to_string(count) +
                     " measurements, " + std::to_string(equal) +
                     " equal in every count</summary>\n\n| parameters | mode |";
  std::string line = "|---|---|";
  for (const std::string& name : names) {
    text += " " + name + " |";
    line += "--:|";
  }
  text += " pipe | difference |\n" + line + "--:|---|\n";
  for (auto row = range.first; row != range.second; ++row) {
    const bool written = row->measurement->subject.mode == CompileMode::AsWritten;
    text += "| " + row->parameters + " | " + (written ? "written" : "optimised") + " |";
    for (const std::string& name : names) text += " " + cell(*row, name) + " |";
    text += " " + pipe_cell(*row) + " | " + causes(*row) + " |\n";
  }
  return text + "\n</details>\n\n";
}

struct Plot {
  static constexpr double kLeft = 74, kTop = 24, kSide = 520;
  double least = 0, most = 1;  // decades
  double along(double value) const {
    return kSide * (std::log10(std::max(1.0, value)) - least) / (most - least);
  }
  double x(double value) const { return kLeft + along(value); }
  double y(double value) const { return kTop + kSide - along(value); }
};

std::string axis(const Plot& plot) {
  std::string text;
  for (int decade = static_cast<int>(plot.least); decade <= static_cast<int>(plot.most); ++decade) {
    const double value = std::pow(10.0, decade);
    const std::string x = report::fixed(plot.x(value), 1), y = report::fixed(plot.y(value), 1);
    const std::string right = report::fixed(Plot::kLeft + Plot::kSide, 0);
    const std::string bottom = report::fixed(Plot::kTop + Plot::kSide, 0);
    text += "<path class=\"grid\" d=\"M" + x + " " + report::fixed(Plot::kTop, 0) + "V" + bottom + "M" +
            report::fixed(Plot::kLeft, 0) + " " + y + "H" + right + "\"/>\n";
    const std::string label = "10<tspan dy=\"-5\" font-size=\"9\">" + std::to_string(decade) + "</tspan>";
    text += "<text x=\"" + x + "\" y=\"" + report::fixed(Plot::kTop + Plot::kSide + 20, 0) +
            "\" text-anchor=\"middle\">" + label + "</text>\n";
    text += "<text x=\"" + report::fixed(Plot::kLeft - 8, 0) + "\" y=\"" +
            report::fixed(plot.y(value) + 4, 1) + "\" text-anchor=\"end\">" + label + "</text>\n";
  }
  return text;
}

struct Series {
  Quantity quantity;
  bool pipe;  // with arbitration: need not lie on the diagonal
  const char* css;
  const char* label;
  double radius;
};
// Rings around each other, since most points share their place on the diagonal.
constexpr Series kSeries[] = {{Quantity::Requests, false, "requests", "global requests", 6},
                              {Quantity::Sectors, false, "sectors", "global sectors", 4},
                              {Quantity::Wavefronts, false, "wavefronts", "shared wavefronts", 2},
                              {Quantity::Wavefronts, true, "pipe", "shared wavefronts with arbitration", 2}};

std::string circle(const Series& series, double x, double y) {
  return "<circle class=\"" + std::string(series.css) + "\" cx=\"" + report::fixed(x, 1) + "\" cy=\"" +
         report::fixed(y, 1) + "\" r=\"" + report::fixed(series.radius, 0) + "\"/>";
}

// A point that stands where another of its kind stands already is drawn once.
std::set<std::string> points(const Correlation& correlation, const Plot& plot, const Series& series) {
  std::set<std::string> drawn;
  for (const CorrelationRow& row : correlation.rows)
    for (const Point& point : row.points)
      if (point.quantity == series.quantity && series.pipe == point.what.ends_with("(pipe)"))
        drawn.insert(circle(series, plot.x(point.predicted), plot.y(point.measured)));
  return drawn;
}

std::string legend_line(const Series& series, double y) {
  return circle(series, Plot::kLeft + 18, y - 4) + "<text x=\"" + report::fixed(Plot::kLeft + 32, 0) +
         "\" y=\"" + report::fixed(y, 0) + "\">" + series.label + "</text>\n";
}

}  // namespace

std::string correlation_summary(const Correlation& correlation) {
  const Tally sum = tally(correlation);
  std::string text = std::to_string(sum.rows) + " measurements, " + std::to_string(sum.points) +
                     " counts: " + std::to_string(sum.equal) + " equal, " + std::to_string(sum.explained) +
                     " different with a known cause, " + std::to_string(sum.unexplained) + " unexplained";
  if (!correlation.left_out.empty())
    text += "; " + std::to_string(correlation.left_out.size()) + " measurements left out";
  return text;
}

std::string correlation_page(const Correlation& correlation, const std::string& picture) {
  const measure::Pack& pack = *correlation.pack;
  std::string text = "# Prediction against hardware counters\n\n" + pack.provenance() + ". " +
                     correlation_summary(correlation) + ".\n\n";
  text += "Made by `warplens-cli check --correlate " + correlation.files +
          "`: each recorded measurement is simulated again and its counts are put beside the counters.\n\n";
  if (!picture.empty())
    text += "![Predicted across, measured up; equal counts lie on the diagonal](" + picture + ")\n\n";
  text +=
      "- One number: prediction and counter are equal. Two: predicted / measured; bold where that is not "
      "explained.\n"
      "- *requests*, *sectors*: global memory, `l1tex__t_{requests,sectors}_pipe_lsu_mem_global_op_*`.\n"
      "- *shared wavefronts*: loads, stores and atomics together, exact, from instrumented machine code\n"
      "  (`smsp__sass_l1tex_*pipe_lsu_wavefronts_mem_shared*`), where the pack has it.\n"
      "- *pipe*: the same by `l1tex__data_pipe_lsu_wavefronts_mem_shared_op_*`, which also counts "
      "arbitration with\n"
      "  other traffic and therefore reads higher, a little differently in each run.\n"
      "- *written*: every shared access of the text is executed. *optimised*: the compiler may merge and "
      "drop them,\n"
      "  so that shared counts may be lower, and never higher; global counts have to be equal.\n"
      "- Sectors of global atomics and reductions are a model: explained is at most one off each "
      "request.\n\n";
  text += issued_section(correlation) + "## Kernel by kernel\n\n";
  for (auto begin = correlation.rows.begin(); begin != correlation.rows.end();) {
    const auto end = std::find_if(begin, correlation.rows.end(),
                                  [&](const CorrelationRow& row) { return row.kernel != begin->kernel; });
    text += section({begin, end});
    begin = end;
  }
  if (!correlation.left_out.empty()) text += "## Left out\n\n";
  for (const std::string& words : correlation.left_out)
    text += "- " + words.substr(0, words.find('\n')) + "\n";
  return text;
}

std::string correlation_svg(const Correlation& correlation) {
  Plot plot;
  double fewest = 1e300;
  for (const CorrelationRow& row : correlation.rows)
    for (const Point& point : row.points) {
      const double low = std::min(point.predicted, point.measured),
                   high = std::max(point.predicted, point.measured);
      fewest = std::min(fewest, std::max(1.0, low));
      plot.most = std::max(plot.most, std::ceil(std::log10(std::max(1.0, high))));
    }
  plot.least = std::min(plot.most - 1, std::floor(std::log10(fewest)));
  const double width = Plot::kLeft + Plot::kSide + 26, height = Plot::kTop + Plot::kSide + 60;
  std::string text =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + report::fixed(width, 0) + " " +
      report::fixed(height, 0) +
      "\" font-family=\"Inter, DejaVu Sans, sans-serif\" font-size=\"13\" fill=\"#1d2430\">\n"
      "<style>.grid{stroke:#dfe3ea;fill:none}.requests{fill:none;stroke:#2f6fde}.sectors{fill:none;"
      "stroke:#d9822b}.wavefronts{fill:#1f9d6b}.pipe{fill:#8b95a5}</style>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
  text += axis(plot);
  const double begin = std::pow(10.0, plot.least), end = std::pow(10.0, plot.most);
  text += "<path d=\"M" + report::fixed(plot.x(begin), 1) + " " + report::fixed(plot.y(begin), 1) + "L" +
          report::fixed(plot.x(end), 1) + " " + report::fixed(plot.y(end), 1) + "\" stroke=\"#8b95a5\"/>\n";
  double line = Plot::kTop + 22;
  for (const Series& series : kSeries) {
    const std::set<std::string> drawn = points(correlation, plot, series);
    for (const std::string& one : drawn) text += one + "\n";
    if (drawn.empty()) continue;
    text += legend_line(series, line);
    line += 20;
  }
  text += "<text x=\"" + report::fixed(Plot::kLeft + Plot::kSide / 2, 0) + "\" y=\"" +
          report::fixed(height - 12, 0) + "\" text-anchor=\"middle\">predicted</text>\n";
  text += "<text transform=\"translate(20 " + report::fixed(Plot::kTop + Plot::kSide / 2, 0) +
          ") rotate(-90)\" text-anchor=\"middle\">measured on an " + correlation.pack->device.name +
          "</text>\n";
  return text + "</svg>\n";
}

}  // namespace warplens::cli
