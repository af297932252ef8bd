#include "app/panels/source/code_text.h"

#include <algorithm>
#include <array>
#include <optional>

#include "app/panels/widgets/ui.h"

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

}  // namespace

const CodeText& code_text(const std::string& text) {
  static std::array<CodeText, 2> kept;
  static std::size_t last = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i].text == text && !kept[i].lines.empty()) return kept[last = i];
  }
  last = 1 - last;
  return kept[last] = app::read_code_text(text);
}

const std::vector<CodeRow>& kept_rows(const CodeText& code, const app::RowRequest& request) {
  struct Kept {
    std::string text;
    app::RowRequest request;
    std::vector<CodeRow> rows;
  };
  static std::array<Kept, 2> kept;
  static std::size_t last = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i].request == request && kept[i].text == code.text && !kept[i].rows.empty())
      return kept[last = i].rows;
  }
  last = 1 - last;
  kept[last] = {code.text, request, app::code_rows(code, request)};
  return kept[last].rows;
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
  const auto first = std::upper_bound(code.tokens.begin(), code.tokens.end(), row.begin,
                                      [](int o, const cuda::ColouredToken& token) { return o < token.end; });
  for (auto t = first; t != code.tokens.end() && t->begin < row.end; ++t) {
    run(t->begin, token_color(view.palette, cuda::TokenClass::Plain));
    run(t->end, token_color(view.palette, t->token_class));
  }
  run(row.end, token_color(view.palette, cuda::TokenClass::Plain));
}

}  // namespace warplens::panels
