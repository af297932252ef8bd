// The kernel's text with what its lines cost the warp: number and bar in the margin, the access looked at
// marked.
#include <algorithm>
#include <cmath>

#include "app/scene/pen.h"
#include "app/share/pictures.h"
#include "sim/cuda/parse.h"

namespace warplens::share {
namespace {

constexpr float kLeft = 40, kMargin = 76;  // of the line's number, and of its cost

struct Line {
  std::size_t begin = 0, end = 0;  // of the text
};

std::vector<Line> lines_of(const std::string& text) {
  std::vector<Line> lines;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back({begin, end});
    begin = end + 1;
  }
  while (lines.size() > 1 && lines.back().begin == lines.back().end) lines.pop_back();
  return lines;
}

scene::Color ink_of(const scene::Palette& p, cuda::TokenClass token) {
  switch (token) {
    case cuda::TokenClass::Keyword:
      return scene::mix(p.text, p.accent, 0.75f);
    case cuda::TokenClass::Type:
      return scene::mix(p.text, p.ideal, 0.7f);
    case cuda::TokenClass::Comment:
      return p.faint;
    case cuda::TokenClass::Punctuation:
      return p.secondary;
    default:
      return p.text;
  }
}

// The line's tokens as labels in a monospaced face, as far as `columns` reach.
void write_line(scene::Pen* pen, const std::string& text, const Line& line,
                const std::vector<cuda::ColouredToken>& tokens, scene::Point at, float size, float advance,
                int columns) {
  const scene::Palette& p = pen->palette();
  std::vector<cuda::TokenClass> classes(line.end - line.begin, cuda::TokenClass::Plain);
  for (const cuda::ColouredToken& token : tokens) {
    const auto begin = std::max(static_cast<std::size_t>(token.begin), line.begin);
    const auto end = std::min(static_cast<std::size_t>(token.end), line.end);
    for (std::size_t i = begin; i < end; ++i) classes[i - line.begin] = token.token_class;
  }
  int column = 0, started = 0;
  std::string run;
  cuda::TokenClass run_class = cuda::TokenClass::Plain;
  const auto flush = [&] {
    if (run.find_first_not_of(' ') != std::string::npos)
      pen->label(2, {at.x + advance * static_cast<float>(started), at.y}, run,
                 {size, ink_of(p, run_class), scene::Align::Left, scene::Font::Code});
    run.clear();
  };
  for (std::size_t i = line.begin; i < line.end; ++i) {
    const char c = text[i];
    if ((static_cast<unsigned char>(c) & 0xc0u) == 0x80u) {  // the rest of a character
      run += c;
      continue;
    }
    if (column >= columns) {
      run += "…";
      break;
    }
    if (run.empty() || classes[i - line.begin] != run_class) {
      flush();
      started = column;
      run_class = classes[i - line.begin];
    }
    const int wide = c == '\t' ? 4 - column % 4 : 1;
    run += c == '\t' ? std::string(static_cast<std::size_t>(wide), ' ') : std::string(1, c);
    column += wide;
  }
  flush();
}

struct Cost {
  int most = 0, ideal = 0;
};

// The costliest access of the line, a request.
std::vector<Cost> costs_of(const session::Simulation& s, std::size_t lines) {
  std::vector<Cost> costs(lines + 1);
  for (const session::LineCost& line : s.lines) {
    if (line.line < 1 || line.line > static_cast<int>(lines)) continue;
    Cost& cost = costs[static_cast<std::size_t>(line.line)];
    for (const session::SiteCost& site : line.sites) {
      if (site.requests > 0 && site.most > cost.most) cost = {site.most, site.ideal};
    }
  }
  return costs;
}

// As large as the longest line and the number of lines allow; never too small to read from a seat at the
// back.
float size_for(const std::vector<Line>& lines, float width, float height) {
  std::size_t longest = 40;
  for (const Line& line : lines) longest = std::max(longest, line.end - line.begin);
  const float by_width = width / (0.61f * static_cast<float>(longest + 1));
  const float by_height = height / (1.5f * static_cast<float>(lines.size()));
  return std::clamp(std::min(by_width, by_height), 11.0f, 17.0f);
}

// The lines to show: around the access looked at, from the kernel's beginning where all of it has room.
std::pair<int, int> window_of(const session::Simulation& s, int lines, int room) {
  if (lines <= room) return {1, lines};
  const int now = s.now ? s.now->site->range.begin.line : 1;
  int first = std::clamp(now - room / 2, 1, lines - room + 1);
  // A file's opening comment is worth less than the end of the kernel.
  return {first, first + room - 1};
}

}  // namespace

scene::Scene source_picture(const Subject& subject, float width, float height) {
  const session::Simulation& s = *subject.simulation;
  const scene::Palette& p = *subject.palette;
  scene::Canvas canvas;
  canvas.width = width;
  canvas.height = height;
  canvas.palette = subject.palette;
  canvas.strings = &subject.strings;
  scene::Pen pen(canvas);
  pen.scene().title = s.compiled->setup.source_name;
  const bool quiet = subject.hidden.costs || subject.hidden.rest;
  if (!quiet) pen.scene().answer = subject.strings("source.cost");
  if (pen.too_small()) return pen.finish();
  const std::string& text = s.compiled->setup.compile.text;
  const std::vector<Line> lines = lines_of(text);
  const auto tokens = cuda::colour_tokens(text);
  const std::vector<Cost> costs = quiet ? std::vector<Cost>(lines.size() + 1) : costs_of(s, lines.size());
  const float size = size_for(lines, width - kLeft - kMargin, height), row = 1.5f * size;
  const auto [first, last] =
      window_of(s, static_cast<int>(lines.size()), std::max(static_cast<int>(height / row), 1));
  const scene::Type code{size, p.text, scene::Align::Left, scene::Font::Code};
  const float advance = pen.width_of("0000000000", code) / 10, left = kLeft, margin = kMargin;
  const int columns = std::max(static_cast<int>((width - left - margin) / advance) - 1, 4);
  int most = 1;
  for (const Cost& cost : costs) most = std::max(most, cost.most);
  for (int number = first; number <= last; ++number) {
    const auto index = static_cast<std::size_t>(number);
    const float y = row * (static_cast<float>(number - first) + 0.5f);
    const bool here = s.now && s.now->site->range.begin.line == number;
    if (here) pen.cell(0, {0, y - 0.5f * row, width, row}, scene::mix(p.panel, p.accent, 0.08f)).radius = 3;
    pen.label(2, {28, y}, std::to_string(number),
              {size, here ? p.text : p.faint, scene::Align::Right, scene::Font::Code, here});
    write_line(&pen, text, lines[index - 1], tokens, {left, y}, size, advance, columns);
    const Cost& cost = costs[index];
    if (cost.most == 0) continue;
    // Height by the square root: 32 beside 4 shall not hide the 4.
    const bool costly = cost.most > cost.ideal;
    const float bar = 40 * std::sqrt(static_cast<float>(cost.most) / static_cast<float>(most));
    scene::Cell& drawn =
        pen.cell(1, {width - 40, y - 4, std::max(bar, 3.0f), 8}, costly ? p.costly : p.ideal);
    drawn.radius = 2;
    if (costly) drawn.hatch = 5, drawn.hatch_color = p.panel;  // beside the colour
    pen.label(2, {width - 46, y}, std::to_string(cost.most),
              {size + 1, costly ? p.costly : p.ideal, scene::Align::Right, scene::Font::Code, true});
  }
  return pen.finish();
}

}  // namespace warplens::share
