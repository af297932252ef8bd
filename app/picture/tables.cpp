// What is read in rows: the lanes of the access looked at, and the counts of A│B.
#include <algorithm>
#include <cmath>

#include "app/language/line_breaks.h"
#include "app/picture/pictures.h"
#include "app/readout/lane_table.h"
#include "app/scene/pen.h"
#include "sim/base/numbers.h"

namespace warplens::picture {
namespace {

using app::Change;
using app::TableRow;

constexpr int kVariables = 8;  // of the kernel, at most

// "37.8 M" for "37,814,272"; anything but a large count as it is.
std::string figure_text(const std::string& text, bool brief) {
  constexpr std::size_t kLong = 9;  // of a million
  std::string digits;
  for (const char c : text) {
    if (c >= '0' && c <= '9') digits += c;
    if ((c < '0' || c > '9') && c != ',') return text;
  }
  return brief && text.size() >= kLong ? short_count(std::stoull(digits.substr(0, 19))) : text;
}

constexpr scene::Type kFigure{13, {}, scene::Align::Right, scene::Font::Code};
constexpr scene::Type kGist{13, {}, scene::Align::Right, scene::Font::Code, true};

struct Columns {
  float a = 0, b = 0, difference = 0, factor = 0;  // right ends; no difference: it is left out
  bool brief = false;                              // large counts are rounded; tooltips have all digits
};

bool labels_fit(const scene::Pen& pen, const std::vector<TableRow>& rows, const Columns& columns) {
  return std::all_of(rows.begin(), rows.end(), [&](const TableRow& row) {
    if (row.heading) return true;
    const float figure = pen.width_of(figure_text(row.a, columns.brief), kFigure);
    return pen.width_of(row.label, {13}) <= columns.a - figure - pen.px(8);
  });
}

Columns columns_of(const scene::Pen& pen, const std::vector<TableRow>& rows, bool brief) {
  float b = 0, difference = pen.px(12), factor = 0;
  for (const TableRow& row : rows) {
    b = std::max(b, pen.width_of(figure_text(row.b, brief), kFigure));
    difference = std::max(difference, pen.width_of(row.difference, kGist));
    factor = std::max(factor, pen.width_of(row.factor, kGist));
  }
  const float gap = pen.px(12);
  Columns c;
  c.brief = brief;
  c.factor = pen.width();
  c.difference = c.factor - factor - gap;
  c.b = c.difference - difference - gap;
  c.a = c.b - b - gap;
  // Where that leaves no room for the labels, differences give way to factors, then digits to rounded
  // figures.
  if (!labels_fit(pen, rows, c)) {
    c.difference = 0;
    c.b = c.factor - factor - gap;
    c.a = c.b - b - gap;
  }
  return brief || labels_fit(pen, rows, c) ? c : columns_of(pen, rows, true);
}

void draw_row(scene::Pen* pen, const TableRow& line, const scene::Rect& row, const Columns& columns) {
  const scene::Palette& p = pen->palette();
  if (line.heading) {
    const float y = std::round(row.y + 0.58f * row.height);
    const scene::Type type{13, scene::mix(p.secondary, p.text, 0.55f), scene::Align::Left, scene::Font::Words,
                           true};
    pen->label_within(1, {row.x, y}, row.width, line.label, type);
    // Beside the words: below them, in a low window, it would cut their descenders.
    const float left = row.x + pen->width_of(line.label, type) + pen->px(8);
    if (left < row.x + row.width) pen->cell(0, {left, y, row.x + row.width - left, 1}, p.line).radius = 0;
    return;
  }
  const auto put = [&](float end, const std::string& text, scene::Type type, scene::Color color) {
    type.color = color;
    pen->label(1, {end, row.y + 0.5f * row.height}, text, type);
  };
  const scene::Color gist = change_color(p, line.change);
  const std::string a = figure_text(line.a, columns.brief);
  put(columns.a, a, kFigure, p.text);
  put(columns.b, figure_text(line.b, columns.brief), kFigure, p.text);
  if (columns.difference > 0) put(columns.difference, line.difference, kGist, gist);
  const bool equal = line.change == Change::None;
  put(columns.factor, columns.difference <= 0 && equal ? line.difference : line.factor, kGist, gist);
  pen->label_within(1, {row.x, row.y + 0.5f * row.height},
                    columns.a - pen->width_of(a, kFigure) - row.x - pen->px(8), line.label,
                    {13, p.secondary});
  const std::string tip = line.label + "\nA " + line.a + "\nB " + line.b + "\nB − A " + line.difference;
  pen->hot_spot({.rect = row, .tooltip = tip + " " + line.factor});
}

// What the whole comes to, above the rows that it comes from. Gives the height taken.
float draw_result(scene::Pen* pen, const std::string& words) {
  const scene::Type type{15, pen->palette().text, scene::Align::Left, scene::Font::Words, true};
  const float step = pen->px(21), top = pen->px(4);
  float y = top + 0.5f * step;
  std::string line;
  const auto put = [&] {
    pen->label_within(1, {0, y}, pen->width(), line, type);
    y += step;
    line.clear();
  };
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = language::piece_end(words, at);
    const std::string piece = words.substr(at, end - at);
    if (!line.empty() && pen->width_of(line + piece, type) > pen->width()) put();
    line += line.empty() ? piece.substr(std::min(piece.find_first_not_of(' '), piece.size())) : piece;
    at = end;
  }
  if (!line.empty()) put();
  return y - 0.5f * step + pen->px(6);
}

}  // namespace

scene::Color verdict_color(const scene::Palette& p, app::Verdict verdict) {
  return verdict == app::Verdict::Costly ? p.costly : verdict == app::Verdict::Ideal ? p.ideal : p.accent;
}

scene::Color change_color(const scene::Palette& p, Change change) {
  switch (change) {
    case Change::Better:
      return p.ideal;
    case Change::Worse:
      return p.costly;
    case Change::Other:
      return p.text;
    case Change::None:
      break;
  }
  return p.faint;
}

scene::Scene comparison(const std::vector<TableRow>& all_rows, bool counted, const scene::Canvas& canvas) {
  scene::Pen pen(canvas);
  const scene::Palette& p = pen.palette();
  pen.scene().title = "A│B";
  if (pen.too_small()) return pen.finish();
  std::vector<TableRow> all = all_rows;
  float result = 0;
  if (!all.empty() && all.front().result) {
    result = draw_result(&pen, all.front().label);
    all.erase(all.begin());
  }
  const float titles = pen.px(20), note = pen.px(20), room = pen.height() - result - titles - note;
  const auto most = static_cast<std::size_t>(std::max(room / pen.px(18.5f), 1.0f));
  const std::vector<TableRow> rows = app::fitting_rows(all, most);
  const float step = std::min(pen.px(27), room / static_cast<float>(std::max<std::size_t>(rows.size(), 1)));
  const Columns columns = columns_of(pen, rows, false);
  const scene::Type title{13, p.faint, scene::Align::Right, scene::Font::Words, true};
  pen.label(1, {columns.a, result + 0.5f * titles}, "A", title);
  pen.label(1, {columns.b, result + 0.5f * titles}, "B", title);
  const bool roomy = columns.difference - columns.b > pen.width_of("B − A", title) + pen.px(6);
  if (columns.difference > 0)
    pen.label(1, {columns.difference, result + 0.5f * titles}, roomy ? "B − A" : "Δ", title);
  for (std::size_t i = 0; i < rows.size(); ++i)
    draw_row(&pen, rows[i], {0, result + titles + step * static_cast<float>(i), pen.width(), step}, columns);
  pen.label_within(1, {0, pen.height() - 0.3f * note}, pen.width(),
                   pen.text(counted ? "compare.note" : "compare.counting"), {13, p.faint});
  return pen.finish();
}

scene::Scene lanes(const Inputs& in, const scene::Canvas& canvas) {
  const app::Simulation& s = *in.simulation;
  scene::Pen pen(canvas);
  const scene::Palette& p = pen.palette();
  const sim::Dim3& b = s.place.block;
  pen.scene().title =
      pen.text("lanes.title", {{"warp", std::to_string(s.place.warp)},
                               {"block", "(" + std::to_string(b.x) + ", " + std::to_string(b.y) + ")"}});
  if (pen.too_small()) return pen.finish();
  if (!s.now) {
    pen.scene().nothing = pen.text("lanes.no_access");
    return pen.finish();
  }
  const auto columns = app::lane_columns(s, *canvas.strings, kVariables);
  const float row = pen.height() / 33, size = std::min(13.0f, 0.8f * row);
  const float lead = 60, step = (pen.width() - lead) / static_cast<float>(columns.size());
  const auto end_of = [&](std::size_t i) { return lead + step * static_cast<float>(i + 1); };
  const scene::Type title{size, p.secondary, scene::Align::Right};
  pen.label(1, {lead, 0.5f * row}, pen.text("lanes.lane"), title);
  for (std::size_t i = 0; i < columns.size(); ++i)
    pen.label(1, {end_of(i), 0.5f * row}, columns[i].title, title);
  for (std::size_t lane = 0; lane < memory::kWarpLanes; ++lane) {
    const float y = row * (static_cast<float>(lane) + 1.5f);
    const bool active = (s.now->access.active >> lane & 1) != 0;
    if (lane % 2 == 1) pen.cell(0, {0, y - 0.5f * row, pen.width(), row}, p.cell).radius = 2;
    pen.cell(1, {4, y - 0.36f * row, 0.72f * row, 0.72f * row}, active ? p.lanes[lane] : p.line);
    const auto put = [&](float end, const std::string& text) {
      pen.label(1, {end, y}, text.empty() ? "–" : text,
                {size, active && !text.empty() ? p.text : p.faint, scene::Align::Right, scene::Font::Code});
    };
    put(lead, std::to_string(lane));
    for (std::size_t i = 0; i < columns.size(); ++i) put(end_of(i), columns[i].cells[lane]);
  }
  return pen.finish();
}

}  // namespace warplens::picture
