#include "app/panels/source/margin.h"

#include <algorithm>

#include "app/panels/widgets/ui.h"
#include "app/simulate/pricing.h"
#include "sim/base/numbers.h"
#include "sim/report/issued.h"
#include "sim/report/output/table.h"

namespace warplens::panels {
namespace {

// What the cost of a request is drawn against: one sector or wavefront a lane.
constexpr float kMostOfRequest = memory::kWarpLanes;

std::string range_text(int least, int most) {
  return least == most ? std::to_string(most) : std::to_string(least) + "–" + std::to_string(most);
}

std::vector<MarginLine> of_requests(const View& view) {
  std::vector<MarginLine> lines;
  if (view.sim.lines == nullptr) return lines;
  for (const app::LineCost& cost : *view.sim.lines) {
    MarginLine line{cost.line, {}, 0};
    for (const app::SiteCost& site : cost.sites) {
      const bool reached = site.requests > 0;
      line.sites.push_back({site.space, reached ? range_text(site.least, site.most) : "–", reached,
                            reached && site.most == 1, site.most > site.ideal,
                            static_cast<std::uint64_t>(std::max(site.least, 0)),
                            static_cast<std::uint64_t>(std::max(site.most, 0))});
      line.share = std::max(line.share, static_cast<float>(site.most) / kMostOfRequest);
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<app::LineTotals> totals_of(const View& view) {
  if (view.sim.empty() || !view.sim.totals || view.sim.totals->error) return {};
  return app::line_totals(view.sim.program(), *view.sim.totals);
}

std::vector<MarginLine> of_grid(const View& view) {
  std::vector<MarginLine> lines;
  const std::vector<app::LineTotals> totals = totals_of(view);
  std::uint64_t most = 1;
  for (const app::LineTotals& line : totals) most = std::max(most, line.bytes);
  for (const app::LineTotals& sums : totals) {
    MarginLine line{
        sums.line, {}, static_cast<float>(static_cast<double>(sums.bytes) / static_cast<double>(most))};
    for (const app::SiteSum& site : sums.sites) {
      const bool reached = site.totals.requests > 0;
      line.sites.push_back({site.space, reached ? short_count(site.units()) : "–", reached, site.units() == 1,
                            site.units() > site.ideal(), site.units(), site.units()});
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

// A cost as words from left to right: figures in the colour of their verdict, then what they count.
struct CostText {
  std::vector<std::pair<std::string, Color>> parts;
  float width = 0;
};

CostText cost_text(const View& view, const MarginLine& line, bool with_unit) {
  const scene::Palette& p = view.palette;
  const bool one_space =
      std::ranges::all_of(line.sites, [&](auto& s) { return s.space == line.sites.front().space; });
  CostText text;
  if (line.written > 0) {
    const std::string made = std::to_string(line.written) + "→" + std::to_string(line.issued);
    text.parts.emplace_back(made + (line.sites.empty() ? "" : " "), p.secondary);
  }
  if (line.summed > 0) {
    const std::string n = std::to_string(line.summed);
    text.parts.emplace_back(with_unit ? view.strings("source.accesses", {{"n", n}}) + " " : std::string("Σ "),
                            p.secondary);
  }
  for (std::size_t i = 0; i < line.sites.size(); ++i) {
    const MarginSite& site = line.sites[i];
    if (i > 0) text.parts.emplace_back(with_unit ? " + " : "+", p.faint);
    std::string words = site.figure;
    if (with_unit && (i + 1 == line.sites.size() || !one_space)) {
      const char* key = site.space == memory::Space::Shared ? "source.wavefront" : "source.sector";
      words += " " + view.strings(site.one ? std::string(key) + ".one" : key);
    }
    text.parts.emplace_back(words, !site.reached ? p.faint : site.costly ? p.costly : p.ideal);
  }
  for (const auto& [words, color] : text.parts)
    text.width += text_width(view, words, {13, color, Align::Left, Face::CodeBold});
  return text;
}

// A bar of as many parts as there are accesses, each as long as it costs and in the colour of its verdict.
// Below the words: behind them a short one would look like one more letter.
void draw_shares(const View& view, const MarginLine& line, const Rect& bar) {
  std::uint64_t all = 0;
  for (const MarginSite& site : line.sites) all += site.reached ? site.most : 0;
  float x = bar.x;
  for (const MarginSite& site : line.sites) {
    if (!site.reached || site.most == 0) continue;
    const float part =
        bar.width * static_cast<float>(static_cast<double>(site.most) / static_cast<double>(all));
    fill({x, bar.y, part, bar.height},
         scene::with_alpha(site.costly ? view.palette.costly : view.palette.ideal, 0.7f), view.px(1));
    x += part;
  }
}

// Where compilers make fewer accesses than the text has: how many of how many. A line of which nothing is
// left has no cost of its own.
void add_issued(const View& view, std::vector<MarginLine>* lines) {
  for (const app::FewerAccesses& made : app::fewer_accesses(view.sim.program())) {
    auto at = std::ranges::lower_bound(*lines, made.line, {}, &MarginLine::line);
    if (at == lines->end() || at->line != made.line) at = lines->insert(at, MarginLine{made.line, {}, 0});
    at->written = made.written, at->issued = made.issued;
  }
}

}  // namespace

bool shows_margin(const View& view) {
  return view.sim.fresh && !view.state.editing && view.sim.lines != nullptr;
}

std::vector<MarginLine> margin_lines(const View& view) {
  if (!shows_margin(view)) return {};
  std::vector<MarginLine> lines = view.state.grid_margin ? of_grid(view) : of_requests(view);
  add_issued(view, &lines);
  return lines;
}

MarginLine fitting(const View& view, MarginLine line, float room) {
  if (line.sites.size() < 2 || cost_text(view, line, false).width <= room) return line;
  std::vector<MarginSite> sums;
  for (const MarginSite& site : line.sites) {
    auto sum = std::ranges::find(sums, site.space, &MarginSite::space);
    if (sum == sums.end()) sum = sums.insert(sums.end(), {site.space, {}, false, false, false, 0, 0});
    if (!site.reached) continue;
    sum->reached = true;
    sum->costly = sum->costly || site.costly;
    sum->least += site.least, sum->most += site.most;
  }
  for (MarginSite& sum : sums) {
    sum.one = sum.most == 1;
    sum.figure = !sum.reached            ? "–"
                 : sum.least == sum.most ? short_count(sum.most)
                                         : short_count(sum.least) + "–" + short_count(sum.most);
  }
  line.summed = static_cast<int>(line.sites.size());
  line.sites = std::move(sums);
  return line;
}

const MarginLine* margin_of(const std::vector<MarginLine>& lines, int line) {
  const auto found = std::ranges::lower_bound(lines, line, {}, &MarginLine::line);
  return found == lines.end() || found->line != line ? nullptr : &*found;
}

float margin_width(const View& view, const MarginLine& line) {
  // Never less than two digits: the code does not move where one warp pays 8 and the next 32.
  const float least = text_width(view, "32", {13, {}, Align::Left, Face::CodeBold});
  // A sum says of how many accesses it is: such a line is broken anyway.
  return std::max(cost_text(view, line, line.summed > 0).width, least) + view.px(18);
}

void draw_margin(const View& view, const MarginLine& line, const Rect& row, float room, float code_end,
                 const Color& ground) {
  const scene::Palette& p = view.palette;
  const float end = right(row) - view.px(4), free = end - code_end - view.px(10);
  CostText text = cost_text(view, line, true);
  if (text.width + view.px(4) > free) text = cost_text(view, line, false);
  const float length = std::min(room * std::min(1.0f, line.share), std::max(free, view.px(8)));
  if (!line.sites.empty())
    draw_shares(view, line, {end - length, bottom(row) - view.px(2.5f), length, view.px(2)});
  float x = end - view.px(4) - text.width;
  for (const auto& [words, color] : text.parts)
    x += draw_text(view, {x, middle(row)}, words,
                   {13, legible(color, ground, p), Align::Left, Face::CodeBold});
}

std::string margin_tip(const View& view, int line) {
  std::string tip;
  for (const app::LineTotals& sums : totals_of(view)) {
    if (sums.line != line) continue;
    for (const app::SiteSum& site : sums.sites) {
      if (site.totals.requests == 0) continue;
      const bool shared = site.space == memory::Space::Shared;
      const std::string lanes = fixed(site.active_lanes(), 1);
      const sim::AccessSite& access = view.sim.program().sites[static_cast<std::size_t>(site.site)];
      tip += (tip.empty() ? "" : "\n") + view.strings(shared ? "source.grid.shared" : "source.grid.global",
                                                      {{"access", access.text},
                                                       {"requests", grouped(site.totals.requests)},
                                                       {"units", grouped(site.units())},
                                                       {"ideal", grouped(site.ideal())},
                                                       {"percent", percent(site.efficiency())},
                                                       {"lanes", lanes},
                                                       {"conflicts", grouped(site.totals.bank_conflicts)}});
    }
  }
  const sim::Program& program = view.sim.program();
  for (const auto& lines : {report::issued_lines(program), report::texture_lines(program),
                            report::joinable_lines(program), report::local_memory_lines(program)}) {
    for (const report::IssuedLine& issued : lines) {
      if (issued.line != line) continue;
      for (const Message& words : issued.words) tip += (tip.empty() ? "" : "\n") + view.strings(words);
    }
  }
  return tip;
}

}  // namespace warplens::panels
