// The kernel's text with what its lines cost the warp in the margin, the access looked at marked. Long lines
// are broken as in the window.
#include <algorithm>
#include <optional>

#include "app/readout/code_rows.h"
#include "app/simulate/pricing.h"
#include "app/views/drawing.h"
#include "app/views/inputs.h"
#include "app/views/views.h"

namespace warplens::views {
namespace {

using app::CodeRow;
using app::CodeText;

constexpr float kLeft = 40;                    // where the text begins, behind its line's number
constexpr float kLargest = 17, kLeast = 13;    // units of type; the least is read from a seat at the back
constexpr float kLargestBroken = 15;           // a text that has to be broken does not grow before
constexpr float kMostForCosts = 0.45f;         // of a row
constexpr float kRow = 1.5f, kAdvance = 0.6f;  // of the type's size: a row, a column of the code's face

// A row's tokens as labels in a monospaced face.
void write_row(Pen* pen, const CodeText& code, const CodeRow& row, Point at, float size, float advance) {
  const auto run = [&](int begin, int end, cuda::TokenClass token) {
    begin = std::max(begin, row.begin), end = std::min(end, row.end);
    if (begin >= end) return;
    std::string text(app::part(code, begin, end));
    const std::size_t ink = text.find_first_not_of(" \t");
    if (ink == std::string::npos) return;
    const int column = app::column_in_row(code, row, begin + static_cast<int>(ink));
    text = text.substr(ink);
    std::ranges::replace(text, '\t', ' ');
    while (text.back() == ' ') text.pop_back();
    pen->label(2, {at.x + advance * static_cast<float>(column), at.y}, text,
               {size, app::token_color(pen->palette(), token), Align::Left, Font::Code});
  };
  int from = row.begin;
  const app::CodeLine& line = code.lines[static_cast<std::size_t>(row.line)];
  for (std::size_t i = line.first_token; i < code.tokens.size(); ++i) {
    const cuda::ColouredToken& token = code.tokens[i];
    const int begin = static_cast<int>(token.begin), end = static_cast<int>(token.end);
    if (begin >= row.end) break;
    run(from, begin, cuda::TokenClass::Plain);
    run(std::max(from, begin), end, token.token_class);
    from = std::max(from, end);
  }
  run(from, row.end, cuda::TokenClass::Plain);
}

// Costs are measured in columns.
app::MarginWriter writer_of(const Pen& pen) {
  return {pen.palette(), pen.strings(), [](const std::string& words) {
            return static_cast<float>(app::column_of(words, static_cast<int>(words.size())));
          }};
}

// The text as it is laid out: how large, in which rows, with which costs.
struct Sheet {
  float size = kLeast, advance = 1;
  std::vector<CodeRow> rows;
  std::vector<app::MarginLine> costs;
};

Sheet sheet_of(const Pen& pen, const CodeText& code, const std::vector<app::MarginLine>& lines, float size,
               bool* unbroken) {
  const app::MarginWriter writer = writer_of(pen);
  Sheet sheet;
  sheet.size = size;
  sheet.advance = kAdvance * size;
  app::RowRequest request;
  request.columns = std::max(static_cast<int>((pen.width() - kLeft) / sheet.advance), 8);
  sheet.costs = writer.fitting(lines, kMostForCosts * static_cast<float>(request.columns));
  std::erase_if(sheet.costs, [&](const app::MarginLine& line) {
    return line.sites.empty() || line.line > static_cast<int>(code.lines.size());
  });
  for (const app::MarginLine& cost : sheet.costs) {
    const float columns = writer.text(cost, cost.has_units).width;
    request.reserved.push_back({cost.line - 1, static_cast<int>(columns) + 1});
  }
  *unbroken = app::fits_unbroken(code, request);
  sheet.rows = app::code_rows(code, request);
  return sheet;
}

// As large as all of it has room, whole lines before large type: where some must be broken, the fewest.
Sheet best_sheet(const Pen& pen, const CodeText& code, const std::vector<app::MarginLine>& lines) {
  std::optional<Sheet> broken;
  for (float size = kLargest; size >= kLeast; --size) {
    bool unbroken = false;
    Sheet sheet = sheet_of(pen, code, lines, size, &unbroken);
    if (static_cast<float>(sheet.rows.size()) * kRow * size > pen.height() && size > kLeast) continue;
    if (unbroken) return sheet;
    if (size <= kLargestBroken && (!broken || sheet.rows.size() < broken->rows.size()))
      broken = std::move(sheet);
  }
  return *std::move(broken);
}

// Beside the code that ends at the column `code_end`.
void draw_cost(Pen* pen, const app::MarginLine& line, const Sheet& sheet, int code_end, float right,
               float y) {
  const float room = (right - kLeft) / sheet.advance - static_cast<float>(code_end) - 1;
  const app::CostText text = writer_of(*pen).beside(line, room);
  float x = right;
  for (std::size_t i = text.parts.size(); i-- > 0;) {
    const auto& [words, color] = text.parts[i];
    const std::size_t ink = words.find_first_not_of(' '), end = words.find_last_not_of(' ') + 1;
    const float behind = static_cast<float>(words.size() - end);  // spaces
    pen->label(2, {x - sheet.advance * behind, y}, words.substr(ink, end - ink),
               {sheet.size, color, Align::Right, Font::Code, true});
    x -= sheet.advance * writer_of(*pen).width_of(words);
  }
}

// The rows to show: all, or those around the access looked at.
std::pair<std::size_t, std::size_t> window_of(int line, const std::vector<CodeRow>& rows, std::size_t room) {
  if (rows.size() <= room) return {0, rows.size()};
  const int now = line < 0 ? 0 : app::first_row_of(rows, line);
  const auto half = static_cast<int>(room / 2), last = static_cast<int>(rows.size() - room);
  const auto first = static_cast<std::size_t>(std::clamp(now - half, 0, last));
  return {first, first + room};
}

// A text, or a part of it, as it is drawn.
struct Shown {
  std::string text;
  int first = 1;  // the number of its first line
  int now = 0;    // that of the line looked at; 0: none
  std::vector<app::MarginLine> costs;
  bool is_ptx = false;
};

Scene drawn(Pen& pen, Shown shown) {
  const Palette& p = pen.palette();
  const float width = pen.width(), height = pen.height();
  while (shown.text.ends_with('\n')) shown.text.pop_back();
  CodeText code = app::read_code_text(shown.text);
  if (shown.is_ptx) {  // whose words are not C++'s
    std::erase_if(code.tokens,
                  [](const auto& token) { return token.token_class != cuda::TokenClass::Comment; });
    for (app::CodeLine& line : code.lines) line.first_token = 0;
  }
  const Sheet sheet = best_sheet(pen, code, shown.costs);
  const float size = sheet.size, row_height = kRow * size;
  const auto [first, last] = window_of(shown.now - shown.first, sheet.rows,
                                       static_cast<std::size_t>(std::max(height / row_height, 1.0f)));
  for (std::size_t i = first; i < last; ++i) {
    const CodeRow& row = sheet.rows[i];
    const float y = row_height * (static_cast<float>(i - first) + 0.5f);
    const bool here = shown.now == row.line + shown.first;
    if (here)
      pen.cell(0, {0, y - 0.5f * row_height, width, row_height}, mix(p.panel, p.accent, 0.05f)).radius = 3;
    write_row(&pen, code, row, {kLeft, y}, size, sheet.advance);
    if (row.part > 0) continue;
    pen.label(2, {28, y}, std::to_string(row.line + shown.first),
              {size, here ? p.text : p.faint, Align::Right, Font::Code, here});
    for (const app::MarginLine& cost : sheet.costs) {
      if (cost.line != row.line + shown.first) continue;
      draw_cost(&pen, cost, sheet, app::column_in_row(code, row, row.end), width - 4, y);
    }
  }
  return pen.finish();
}

}  // namespace

Scene source(const Inputs& in, const Canvas& canvas) {
  const app::Simulation& s = *in.simulation;
  Pen pen(canvas);
  pen.scene().title = s.compiled->setup.source_name;
  if (s.lines != nullptr) pen.scene().answer = pen.text("source.cost");
  if (pen.too_small()) return pen.finish();
  return drawn(pen,
               {s.compiled->setup.compile.shown(), 1, s.now ? s.now->site->range.begin.line : 0,
                s.lines == nullptr ? std::vector<app::MarginLine>() : app::margin_of_requests(*s.lines)});
}

// The PTX of what stands beside it in the source's own lines: a part of it around the instruction looked at.
namespace {

constexpr std::ptrdiff_t kAround = 120;  // lines before it, and behind

bool has_ptx(const app::Simulation& s) {
  return s.compiled != nullptr && !s.compiled->setup.compile.source.empty();
}

Scene draw_ptx(const Inputs& in, const Canvas& canvas) {
  const app::Simulation& s = *in.simulation;
  Pen pen(canvas);
  pen.scene().title = pen.text("ptx.title");
  if (!has_ptx(s)) return nothing_of(canvas, "ptx.title", pen.text("ptx.none"));
  if (pen.too_small()) return pen.finish();
  const std::string_view text = s.compiled->setup.compile.text;
  const bool is_known = s.now && s.now->site->instruction >= 0;
  const std::size_t at =
      is_known ? std::min(static_cast<std::size_t>(s.now->site->instruction), text.size()) : 0;
  const auto lines_in = [](std::string_view of) { return static_cast<int>(std::ranges::count(of, '\n')); };
  const int now = 1 + lines_in(text.substr(0, at));
  std::size_t begin = at, end = at;
  for (std::ptrdiff_t lines = 0; begin > 0 && lines <= kAround; --begin) lines += text[begin - 1] == '\n';
  if (begin > 0) begin = text.find('\n', begin) + 1;
  for (std::ptrdiff_t lines = 0; end < text.size() && lines < kAround; ++end) lines += text[end] == '\n';
  const std::string_view part = text.substr(begin, end - begin);
  return drawn(pen,
               {std::string(part), now - lines_in(part.substr(0, at - begin)), is_known ? now : 0, {}, true});
}

constexpr app::Command kPtxCommands[] = {
    {"ptx", app::Focus::Window, "Ctrl Shift J", "help.ptx", app::toggles<ViewId::Ptx>},
};

}  // namespace

const Row& ptx() {
  static const Row kRow{.id = ViewId::Ptx,
                        .file = "ptx",
                        .where = Tab::WhereThereIsOne,
                        .is_there = [](const app::State&, const app::Simulation& s) { return has_ptx(s); },
                        .tells = {.tells_answers = false},
                        .draw = draw_ptx,
                        .commands = kPtxCommands};
  return kRow;
}

}  // namespace warplens::views
