#include "app/panels/code_text.h"

#include <algorithm>

#include "app/panels/legible.h"

namespace warplens::panels {
namespace {

std::vector<CodeLine> lines_of(const std::string& text) {
  std::vector<CodeLine> lines;
  int begin = 0;
  const int size = static_cast<int>(text.size());
  for (int i = 0; i <= size; ++i) {
    if (i < size && text[static_cast<std::size_t>(i)] != '\n') continue;
    const bool carriage = i > begin && text[static_cast<std::size_t>(i) - 1] == '\r';
    lines.push_back({begin, carriage ? i - 1 : i, 0, 0});
    begin = i + 1;
  }
  return lines;
}

std::string_view part(const CodeText& code, int begin, int end) {
  return std::string_view(code.text).substr(static_cast<std::size_t>(begin),
                                            static_cast<std::size_t>(end - begin));
}

bool is_comment(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  return first == std::string_view::npos || line.substr(first).starts_with("//");
}

bool continues(char c) {
  return (static_cast<unsigned char>(c) & 0xc0u) == 0x80u;
}
int columns_taken(char c, int column) {
  if (c == '\t') return 4 - column % 4;
  return static_cast<unsigned char>(c) >= 0xe2 ? 2 : 1;
}

}  // namespace

const CodeText& code_text(const std::string& text) {
  static CodeText code;
  if (code.text == text && !code.lines.empty()) return code;
  code.text = text;
  code.lines = lines_of(text);
  code.tokens = cuda::colour_tokens(text);
  code.widest = code.widest_comment = 0;
  std::size_t token = 0;
  for (CodeLine& line : code.lines) {
    while (token < code.tokens.size() && code.tokens[token].end <= line.begin) ++token;
    line.first_token = token;
    const std::string_view chars = part(code, line.begin, line.end);
    line.columns = column_of(chars, static_cast<int>(chars.size()));
    int& widest = is_comment(chars) ? code.widest_comment : code.widest;
    widest = std::max(widest, line.columns);
  }
  return code;
}

int column_of(std::string_view line, int offset_in_line) {
  int column = 0;
  const auto end = std::min(line.size(), static_cast<std::size_t>(std::max(offset_in_line, 0)));
  for (std::size_t i = 0; i < end; ++i) {
    if (!continues(line[i])) column += columns_taken(line[i], column);
  }
  return column;
}

int offset_at(std::string_view line, int column) {
  int at = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (continues(line[i])) continue;
    const int taken = columns_taken(line[i], at);
    if (column < at + (taken + 1) / 2) return static_cast<int>(i);
    at += taken;
  }
  return static_cast<int>(line.size());
}

Color token_color(const scene::Palette& p, cuda::TokenClass token_class) {
  // Quiet: the costs are what shall be seen.
  const auto tint = [&](const Color& hue, float amount) { return scene::mix(p.text, hue, amount); };
  switch (token_class) {
    case cuda::TokenClass::Keyword:
      return tint(p.accent, 0.75f);
    case cuda::TokenClass::Type:
      return tint(p.ideal, p.dark ? 0.65f : 0.8f);
    case cuda::TokenClass::Builtin:
      return tint(p.lanes[p.dark ? 29 : 26], 0.8f);
    case cuda::TokenClass::Number:
    case cuda::TokenClass::String:
      return p.dark ? tint(p.lanes[20], 0.6f) : tint(p.costly, 0.6f);
    case cuda::TokenClass::Comment:
      return p.faint;
    case cuda::TokenClass::Preprocessor:
      return tint(p.lanes[p.dark ? 29 : 26], 0.6f);
    case cuda::TokenClass::Punctuation:
      return p.secondary;
    case cuda::TokenClass::Plain:
      break;
  }
  return p.text;
}

void draw_code_line(const View& view, const CodeText& code, const CodeLine& line, ImVec2 at, float size,
                    float advance, const Color* ground) {
  const std::string_view chars = part(code, line.begin, line.end);
  int drawn = line.begin;
  const auto run = [&](int end, Color color) {
    end = std::min(end, line.end);
    if (ground != nullptr) color = legible(color, *ground, view.palette);
    // Columns keep their places: a run is cut where a tab or a wide character would shift what follows.
    while (drawn < end) {
      int stop = drawn;
      while (stop < end && static_cast<unsigned char>(code.text[static_cast<std::size_t>(stop)]) < 0x80 &&
             code.text[static_cast<std::size_t>(stop)] != '\t') {
        ++stop;
      }
      if (stop == drawn) {
        ++stop;
        while (stop < end && continues(code.text[static_cast<std::size_t>(stop)])) ++stop;
      }
      const std::string_view piece = part(code, drawn, stop);
      const bool wide = static_cast<unsigned char>(piece.front()) >= 0xe2;
      const float x = at.x + advance * static_cast<float>(column_of(chars, drawn - line.begin));
      if (piece != "\t")
        draw_text(view, {x, at.y}, piece, {size, color, Align::Left, wide ? Face::Words : Face::Code});
      drawn = stop;
    }
  };
  for (std::size_t t = line.first_token; t < code.tokens.size() && code.tokens[t].begin < line.end; ++t) {
    run(code.tokens[t].begin, token_color(view.palette, cuda::TokenClass::Plain));
    run(code.tokens[t].end, token_color(view.palette, code.tokens[t].token_class));
  }
  run(line.end, token_color(view.palette, cuda::TokenClass::Plain));
}

}  // namespace warplens::panels
