#include "app/panels/source/page.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>

#include "app/jobs/memo.h"
#include "app/panels/widgets/text_input.h"
#include "app/panels/widgets/ui.h"
#include "app/readout/question.h"
#include "app/simulate/pricing.h"
#include "sim/base/numbers.h"
#include "sim/report/output/table.h"
#include "sim/report/report.h"

namespace warplens::panels {
namespace {

using app::column_of;
using app::part;

// Where a run of letters ends that stand in columns by themselves: before a tab or a wide character. At least
// one character long.
int run_end(const CodeText& code, int begin, int end) {
  const auto plain = [&](int at) {
    const char c = code.text[static_cast<std::size_t>(at)];
    return static_cast<unsigned char>(c) < 0x80 && c != '\t';
  };
  int stop = begin;
  while (stop < end && plain(stop)) ++stop;
  if (stop > begin) return stop;
  ++stop;
  while (stop < end && app::columns_taken(code.text[static_cast<std::size_t>(stop)], 0) == 0) ++stop;
  return stop;
}

// Draws one row of code, the left end of its first column and its vertical middle at `at`; `advance`: a
// column's width. `ground`: a tinted one, on which colours keep their contrast.
void draw_code_row(const View& view, const CodeText& code, const CodeRow& row, ImVec2 at, float size,
                   float advance, const Color* ground) {
  int drawn = row.begin, column = row.from_column;
  // Spaces at a row's end are not seen: a row that is broken there may reach beyond its panel with them.
  int visible_end = row.end;
  while (visible_end > row.begin && part(code, visible_end - 1, visible_end) == " ") --visible_end;
  const auto run = [&](int end, Color color) {
    end = std::min(end, visible_end);
    if (ground != nullptr) color = legible(color, *ground, view.palette);
    // Columns keep their places: a run is cut where a tab or a wide character would shift what follows.
    while (drawn < end) {
      const int stop = run_end(code, drawn, end);
      const std::string_view piece = part(code, drawn, stop);
      const bool wide = static_cast<unsigned char>(piece.front()) >= 0xe2;
      const float x = at.x + advance * static_cast<float>(column - row.from_column + row.indent);
      if (piece.find_first_not_of(" \t") != std::string_view::npos)
        draw_text(view, {x, at.y}, piece, {size, color, Align::Left, wide ? Face::Words : Face::Code});
      column = column_of(piece, stop - drawn, column);
      drawn = stop;
    }
  };
  // A bar in the place of the words.
  const auto skip = [&](int end) {
    end = std::min(end, visible_end);
    const std::string_view words = part(code, drawn, end);
    const int from = column, to = column_of(words, end - drawn, column);
    const float x = at.x + advance * static_cast<float>(from - row.from_column + row.indent);
    fill({x, at.y - view.px(3), advance * static_cast<float>(to - from), view.px(6)},
         scene::with_alpha(app::token_color(view.palette, cuda::TokenClass::Comment), 0.25f), view.px(3));
    drawn = end, column = to;
  };
  const bool hides = app::hides_comments(view.state);
  const auto first = std::upper_bound(code.tokens.begin(), code.tokens.end(), row.begin,
                                      [](int o, const cuda::ColouredToken& token) { return o < token.end; });
  for (auto t = first; t != code.tokens.end() && t->begin < row.end; ++t) {
    run(t->begin, app::token_color(view.palette, cuda::TokenClass::Plain));
    if (hides && t->token_class == cuda::TokenClass::Comment)
      skip(t->end);
    else
      run(t->end, app::token_color(view.palette, t->token_class));
  }
  run(row.end, app::token_color(view.palette, cuda::TokenClass::Plain));
}

std::vector<app::LineTotals> totals_of(const View& view) {
  if (view.sim.empty() || !view.sim.totals || view.sim.totals->error) return {};
  return app::line_totals(view.sim.program(), *view.sim.totals);
}

constexpr Type kCostType{13, {}, Align::Left, Face::CodeBold};

app::MarginWriter writer_of(const View& view) {
  return {view.palette, view.strings,
          [&view](const std::string& words) { return text_width(view, words, kCostType); }};
}

// Whether there is a margin: not where the picture is not that of the text.
bool shows_margin(const View& view) {
  return view.sim.fresh && !view.state.editing && view.sim.lines != nullptr;
}

// By line, ascending; empty where none is shown.
std::vector<MarginLine> margin_lines(const View& view) {
  if (!shows_margin(view)) return {};
  std::vector<MarginLine> lines = app::margin_of_requests(*view.sim.lines);
  if (view.comparison == nullptr || !view.comparison->compiled_a) return lines;
  // Beside what the compiler left of a line; where that is nothing, beside the text.
  const bool is_compiled = *view.comparison->compiled_a == view.is_a;
  const std::vector<MarginLine> left =
      is_compiled || view.other == nullptr ? std::vector<MarginLine>() : margin_lines(*view.other);
  for (MarginLine& line : lines) {
    const auto became = view.comparison->became.find(line.line);
    if (became == view.comparison->became.end()) continue;
    if (margin_of(left, line.line) == nullptr)
      line.became = view.strings(std::string("compare.became.") + report::name_of(became->second));
  }
  return lines;
}

// "32 sectors", "32 + 4 sectors"; only the figures where the code, which ends at `code_end`, comes close.
void draw_margin(const View& view, const MarginLine& line, const Rect& row, float code_end,
                 const Color& ground) {
  const scene::Palette& p = view.palette;
  const float end = right(row) - view.px(4), free = end - code_end - view.px(10);
  const app::CostText text = writer_of(view).beside(line, free - view.px(4));
  if (text.width > free) return;  // the code goes before it, and the tooltip has it
  float x = end - view.px(4) - text.width;
  for (const auto& [words, color] : text.parts)
    x += draw_text(view, {x, middle(row)}, words,
                   {13, legible(color, ground, p), Align::Left, Face::CodeBold});
}

using app::Problem;

// What of a range of the text stands in a row, as its left and right end; `empty`: a range without length is
// drawn as well.
struct Span {
  float from = 0, to = 0;
};
std::optional<Span> span_in(const SourcePage& page, const CodeRow& row, int begin, int end, bool empty) {
  const int from = std::max(begin, row.begin), to = std::min(end, row.end);
  const bool last = row.end == page.code.lines[static_cast<std::size_t>(row.line)].end;
  const bool here = from < to || (empty && from == to && begin == end && (begin < row.end || last));
  if (!here) return std::nullopt;
  return Span{page.x_of(row, from), page.x_of(row, to)};
}

void draw_message(const View& view, const SourcePage& page, const CodeRow& row, const Rect& rect) {
  const SourceNote& note = page.notes[static_cast<std::size_t>(row.note)];
  const Color ink = severity_color(view, *note.problem);
  fill(rect, scene::with_alpha(ink, 0.14f));
  draw_text(view, {page.area.x + view.px(8), middle(rect)}, note.lines[static_cast<std::size_t>(row.part)],
            {13, legible(ink, scene::mix(view.palette.panel, ink, 0.14f), view.palette)});
}

void draw_problem_marks(const View& view, const SourcePage& page, const CodeRow& row, const Rect& rect) {
  for (const SourceNote& note : page.notes) {
    const auto& range = *note.problem->range;
    if (range.begin.line != row.line + 1) continue;
    const int begin = page.offset_of(range.begin.line, range.begin.column);
    const bool one_line = range.end.line == row.line + 1;
    const int line_end = page.code.lines[static_cast<std::size_t>(row.line)].end;
    const int end = one_line ? page.offset_of(range.end.line, range.end.column) : line_end;
    if (const auto span = span_in(page, row, begin, std::max(begin, end), true))
      draw_wave(view, span->from, span->to, bottom(rect) - 1, severity_color(view, *note.problem));
  }
}

void draw_selection(const View& view, const SourcePage& page, const CodeRow& row, const Rect& rect) {
  const app::Caret& caret = view.state.caret;
  const int line_end = page.code.lines[static_cast<std::size_t>(row.line)].end;
  const int from = std::min(caret.offset, caret.anchor), to = std::max(caret.offset, caret.anchor);
  if (from < to && from <= row.end && to >= row.begin && (from < row.end || row.end == line_end)) {
    const float a = page.x_of(row, std::max(from, row.begin));
    const bool onwards = to > row.end && row.end == line_end;  // the line's end is selected too
    const float b = page.x_of(row, std::min(to, row.end)) + (onwards ? 0.5f * page.advance : 0);
    fill({a, rect.y, b - a, rect.height}, scene::with_alpha(view.palette.accent, 0.30f));
  }
  if (caret.offset >= row.begin &&
      (caret.offset < row.end || (caret.offset == row.end && row.end == line_end))) {
    const float x = std::round(page.x_of(row, caret.offset)) - 1;
    fill({x, rect.y + 1, std::max(2.0f, view.px(2)), rect.height - 2}, view.palette.accent);
    set_text_caret({x, rect.y}, rect.height);
  }
}

bool selected(const View& view, const CodeRow& row) {
  const app::Caret& caret = view.state.caret;
  return view.state.editing && std::min(caret.offset, caret.anchor) < row.end &&
         std::max(caret.offset, caret.anchor) > row.begin;
}

// A│B: the other text has no such line.
bool differs(const View& view, int line) {
  if (view.comparison == nullptr) return false;
  const std::vector<bool>& lines = view.is_a ? view.comparison->lines.a : view.comparison->lines.b;
  return line < static_cast<int>(lines.size()) && lines[static_cast<std::size_t>(line)];
}

// Left of the text: the line's number, or that the line above goes on.
void draw_gutter(const View& view, const SourcePage& page, const CodeRow& row, const Rect& rect,
                 const Color& ground, bool current) {
  const scene::Palette& p = view.palette;
  if (row.part == 0) {
    if (differs(view, row.line))
      fill({rect.x + view.px(3), rect.y, view.px(4), rect.height}, legible(p.accent, ground, p));
    draw_text(view, {page.text_x() - page.advance, middle(rect)}, std::to_string(row.line + 1),
              {13, current ? p.text : legible(p.faint, ground, p), Align::Right, Face::Code});
    return;
  }
  const float x = std::round(page.text_x() + page.advance * (static_cast<float>(row.indent) - 1.4f)) + 0.5f;
  const float y = std::round(middle(rect)) + 0.5f;
  const ImVec2 hook[] = {{x, rect.y + 0.18f * rect.height}, {x, y}, {x + 0.9f * page.advance, y}};
  add_polyline(ImGui::GetWindowDrawList(), hook, 3, color_of(scene::with_alpha(p.faint, 0.7f)),
               std::max(1.0f, view.px(1)));
}

// The access itself.
void underline(const View& view, const SourcePage& page, const CodeRow& row, const Rect& rect,
               const cuda::SourceRange& range) {
  const int begin = page.offset_of(range.begin.line, range.begin.column);
  const auto span = span_in(page, row, begin, page.offset_of(range.end.line, range.end.column), false);
  if (span)
    fill({span->from, bottom(rect) - view.px(2.5f), span->to - span->from, view.px(2)}, view.palette.accent);
}

// While requests are counted out: one of the lines that they are from, so far.
bool is_counted(const View& view, int line) {
  if (view.counting.what != scene::Count::Requests || view.is_a) return false;
  const auto lines = app::lines_of_requests(view.sim);
  const auto so_far = std::min<std::ptrdiff_t>(view.counting.n, std::ssize(lines));
  return std::any_of(lines.begin(), lines.begin() + so_far,
                     [&](const auto& one) { return one.first == line + 1; });
}

// "^ 12:5 what is wrong — what to do", in rows as wide as the pane.
std::vector<SourceNote> notes_of(const View& view, const Rect& area) {
  std::vector<SourceNote> notes;
  for (const app::Problem& problem : view.sim.problems) {
    if (!problem.range) continue;
    SourceNote note{&problem, {}, {}, {}};
    note.words = "^ " + std::to_string(problem.range->begin.line) + ":" +
                 std::to_string(problem.range->begin.column) + " " +
                 view.strings(problem.message, problem.remedy);
    note.lines = wrapped(view, note.words, area.width - view.px(16), {13});
    notes.push_back(std::move(note));
  }
  return notes;
}

constexpr float kMostOfRow = 0.4f;    // for the costs of a line's accesses
constexpr std::size_t kMostRows = 3;  // of messages a line, where two texts share the window

// Beside another text a pane is low: of the messages of a line only the first rows, then how many more.
void keep_few(const View& view, std::vector<SourceNote>* notes) {
  std::map<int, std::vector<SourceNote*>> by_line;
  for (SourceNote& note : *notes) by_line[note.problem->range->begin.line].push_back(&note);
  for (auto& [line, of_line] : by_line) {
    std::size_t rows = 0;
    std::string whole;
    for (const SourceNote* note : of_line) {
      rows += note->lines.size();
      whole += (whole.empty() ? "" : "\n") + note->words;
    }
    if (rows <= kMostRows) continue;
    std::size_t left = of_line.size() > 1 ? kMostRows - 1 : kMostRows, hidden = 0;
    SourceNote* last = nullptr;
    for (SourceNote* note : of_line) {
      note->whole = whole;
      if (left == 0) ++hidden, note->lines.clear();
      if (left == 0) continue;
      last = note;
      if (note->lines.size() > left) note->lines.resize(left), note->lines.back() += " …";
      left -= note->lines.size();
    }
    if (hidden > 0) last->lines.push_back(view.strings("source.more", {{"n", std::to_string(hidden)}}));
  }
}

// Made anew where something that it follows from has changed, not in every frame: a long text has a hundred
// thousand costs. One for each half of the window.
std::shared_ptr<const MarginPage> margin_page(const View& view, float width) {
  struct Of {
    std::shared_ptr<const void> costs;  // kept alive: others must not come to their place
    bool is_a, shown;
    float width, scale;
    std::string language;
    std::map<int, report::Became> became;
    bool operator==(const Of&) const = default;
  };
  static jobs::Newest<Of, MarginPage> kept(2);
  const Of of{view.sim.lines,
              view.is_a,
              shows_margin(view),
              width,
              view.scale,
              view.state.language,
              view.comparison != nullptr ? view.comparison->became : std::map<int, report::Became>()};
  return kept.get(of, [&] {
    auto page = std::make_shared<MarginPage>(
        MarginPage{writer_of(view).fitting(margin_lines(view), kMostOfRow * width), {}});
    for (const MarginLine& cost : page->costs) page->widths.push_back(margin_width(view, cost));
    return page;
  });
}

float gutter_of(const View& view, const CodeText& code, float advance) {
  const auto digits = std::max<std::size_t>(std::to_string(code.lines.size()).size(), 2);
  return (static_cast<float>(digits) + (view.comparison != nullptr ? 2.8f : 1.6f)) * advance;
}

app::RowRequest request_of(const View& view, const SourcePage& page) {
  app::RowRequest request;
  const float room = page.area.width - page.gutter;
  const auto columns = [&](float width) { return static_cast<int>(width / page.advance); };
  request.columns = std::max(columns(room - view.px(6)), 8);
  const MarginPage& margin = *page.margin;
  for (std::size_t i = 0; i < margin.costs.size(); ++i) {
    const int beside = columns(room - margin.widths[i]);
    request.reserved.push_back({margin.costs[i].line - 1, std::max(request.columns - beside, 0)});
  }
  std::ranges::sort(request.reserved, {}, &app::RowRequest::Reserve::line);
  for (const SourceNote& note : page.notes)
    request.notes.push_back({note.problem->range->begin.line - 1, static_cast<int>(note.lines.size())});
  request.empty_end = view.state.editing;
  return request;
}

}  // namespace

std::shared_ptr<const CodeText> code_text(const std::string& text) {
  static jobs::Newest<std::string, CodeText> kept(2);
  return kept.get(text, [&] { return std::make_shared<const CodeText>(app::read_code_text(text)); });
}

const MarginLine* margin_of(const std::vector<MarginLine>& lines, int line) {
  const auto found = std::ranges::lower_bound(lines, line, {}, &MarginLine::line);
  return found == lines.end() || found->line != line ? nullptr : &*found;
}

float margin_width(const View& view, const MarginLine& line) {
  // Never less than two digits: the code does not move where one warp pays 8 and the next 32.
  const float least = text_width(view, "32", kCostType);
  return std::max(writer_of(view).text(line, line.has_units).width, least) + view.px(18);
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
  for (const auto& lines : {report::texture_lines(program), report::joinable_lines(program),
                            report::local_memory_lines(program)}) {
    for (const report::LineNotes& notes : lines) {
      if (notes.line != line) continue;
      for (const Message& words : notes.words) tip += (tip.empty() ? "" : "\n") + view.strings(words);
    }
  }
  return tip;
}

Color severity_color(const View& view, const Problem& problem) {
  return problem.severity == cuda::Severity::Error ? view.palette.costly : view.palette.secondary;
}

void draw_source_row(const View& view, const SourcePage& page, const CodeRow& row, const Rect& rect) {
  if (row.note >= 0) return draw_message(view, page, row, rect);
  const scene::Palette& p = view.palette;
  for (const SourceNote& note : page.notes) {
    if (note.problem->range->begin.line == row.line + 1)
      fill({rect.x, rect.y, view.px(4), rect.height}, severity_color(view, *note.problem));
  }
  const app::PricedAccess* now =
      view.sim.fresh && view.sim.now && !view.state.editing ? &*view.sim.now : nullptr;
  const bool current = now != nullptr && now->site->range.begin.line == row.line + 1;
  Color ground = current ? scene::mix(p.panel, p.accent, 0.18f) : p.panel;
  if (current) {
    fill(rect, ground);
    fill({rect.x, rect.y, view.px(3), rect.height}, p.accent);
  }
  const bool marked = differs(view, row.line) || is_counted(view, row.line);
  if (marked) {
    fill(rect, scene::with_alpha(p.accent, 0.10f));
    ground = scene::mix(ground, p.accent, 0.10f);
  }
  draw_gutter(view, page, row, rect, ground, current);
  if (view.state.editing) draw_selection(view, page, row, rect);
  const bool tinted = current || marked;
  const Color under_selection = scene::mix(ground, p.accent, 0.30f);
  draw_code_row(view, page.code, row, {page.text_x(), middle(rect)}, page.size, page.advance,
                selected(view, row) ? &under_selection
                : tinted            ? &ground
                                    : nullptr);
  if (now != nullptr) underline(view, page, row, rect, now->site->range);
  draw_problem_marks(view, page, row, rect);
  const MarginLine* cost = row.part == 0 ? margin_of(page.margin->costs, row.line + 1) : nullptr;
  if (cost != nullptr) draw_margin(view, *cost, rect, page.x_of(row, row.end), ground);
}

// Type is 14 where every line then fits, and else 13, the least; what does not fit in that is broken.
// Presenting, 18 and kStageType: 30 pixels at 1080p.
constexpr float kStageType = 16.5f;

SourcePage lay_out_source(const View& view, const CodeText& code, const Rect& area) {
  SourcePage page{code, nullptr, margin_page(view, area.width), notes_of(view, area), 14, 8, 20, 0, area};
  if (view.comparison != nullptr) keep_few(view, &page.notes);
  app::RowRequest request;
  const bool stage = view.state.present;
  const bool low = area.height < view.px(8 * kStageType);
  for (const float size : {!stage ? 14.0f : low ? kStageType : 18.0f, stage ? kStageType : 13.0f}) {
    page.size = size;
    page.advance = view.fonts.width(Face::Code, view.px(size), "0000000000") / 10;
    page.gutter = gutter_of(view, code, page.advance);
    request = request_of(view, page);
    if (app::fits_unbroken(code, request)) break;
  }
  page.row = std::round(view.px(page.size) * (stage ? 1.42f : 1.45f));
  static jobs::Newest<std::pair<std::string, app::RowRequest>, std::vector<CodeRow>> kept(2);
  page.rows = kept.get({code.text, request}, [&] {
    return std::make_shared<const std::vector<CodeRow>>(app::code_rows(code, request));
  });
  return page;
}

float SourcePage::x_of(const CodeRow& r, int offset) const {
  return text_x() + advance * static_cast<float>(app::column_in_row(code, r, offset));
}

const CodeRow& SourcePage::row_under(float origin_y, float y) const {
  const auto at = static_cast<int>((y - origin_y) / row);
  return (*rows)[static_cast<std::size_t>(std::clamp(at, 0, static_cast<int>(rows->size()) - 1))];
}

int SourcePage::offset_under(float origin_y, ImVec2 mouse) const {
  const int column = static_cast<int>(std::floor((mouse.x - text_x()) / advance + 0.5f));
  return app::offset_in_row(code, row_under(origin_y, mouse.y), std::max(column, 0));
}

int SourcePage::offset_of(int line, int column) const {
  const auto last = static_cast<int>(code.lines.size());
  const app::CodeLine& l = code.lines[static_cast<std::size_t>(std::clamp(line, 1, last) - 1)];
  return std::clamp(l.begin + column - 1, l.begin, l.end);
}

}  // namespace warplens::panels
