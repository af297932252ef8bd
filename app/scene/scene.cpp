#include "app/scene/scene.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <utility>

#include "app/language/strings.h"
#include "sim/text/scan.h"

namespace warplens::scene {
namespace {

// Advance widths of Inter, in thousandths of the type size, from space to tilde.
constexpr std::array<std::uint16_t, 95> kRegular = {
    281, 278, 403, 631, 638, 813, 639, 222, 362, 362, 500, 659, 280, 460, 276, 357, 625, 464, 605,
    636, 642, 608, 624, 571, 616, 624, 276, 280, 659, 659, 659, 507, 936, 676, 651, 727, 719, 598,
    587, 743, 740, 264, 543, 652, 563, 889, 753, 761, 635, 761, 639, 638, 642, 741, 676, 949, 642,
    665, 625, 362, 357, 362, 469, 452, 497, 564, 621, 558, 621, 582, 361, 609, 591, 237, 237, 544,
    237, 869, 585, 597, 609, 609, 372, 523, 364, 581, 557, 813, 540, 557, 541, 362, 327, 362, 659};
constexpr std::array<std::uint16_t, 95> kBold = {
    248, 325, 396, 650, 655, 859, 674, 213, 409, 409, 565, 680, 303, 469,  298, 390, 688, 489,  630,
    659, 678, 648, 660, 595, 661, 660, 298, 303, 680, 680, 680, 563, 1031, 748, 661, 752, 727,  613,
    587, 761, 746, 281, 570, 690, 567, 915, 741, 782, 648, 783, 656, 655,  668, 734, 748, 1036, 714,
    724, 667, 409, 390, 409, 488, 477, 497, 580, 635, 587, 635, 598, 386,  633, 624, 272, 272,  582,
    272, 912, 622, 614, 632, 632, 409, 562, 388, 622, 586, 850, 574, 586,  572, 409, 393, 409,  680};

float advance(char32_t code, Font font, bool bold) {
  const bool wide = code >= 0x2e80 && !(code >= 0xfff0);  // CJK and full-width forms
  if (wide) return 1.0f;
  if (font == Font::Code) return 0.6f;
  if (code >= 32 && code < 127) return 0.001f * static_cast<float>((bold ? kBold : kRegular)[code - 32]);
  constexpr std::pair<char32_t, float> kSigns[] = {{U'·', 0.3f},  {U'’', 0.23f}, {U'–', 0.5f}, {U'…', 0.83f},
                                                   {U'←', 0.96f}, {U'→', 0.96f}, {U'✓', 0.89f}};
  const auto sign = std::ranges::find(kSigns, code, &std::pair<char32_t, float>::first);
  return sign != std::end(kSigns) ? sign->second : 0.7f;  // other signs and accented letters
}

}  // namespace

float text_width(std::string_view text, float size, Font font, bool bold) {
  float width = 0;
  text = language::readable(text);
  for (std::size_t at = 0; at < text.size();) width += advance(text::next_code_point(text, &at), font, bold);
  return width * size;
}

std::string shortened(std::string_view text, float width, float size, Font font, bool bold) {
  return language::shortened(text, width, [&](auto part) { return text_width(part, size, font, bold); });
}

std::string title_within(const Scene& scene, float width, float size) {
  const TitleParts& parts = scene.title_parts;
  const bool whole = parts.text.empty() || text_width(scene.title, size, Font::Words, true) <= width;
  const std::string brief = parts.lead + " " + parts.text;
  return shortened(whole ? scene.title : brief, width, size, Font::Words, true);
}

std::vector<std::string> wrapped(std::string_view text, float width, float size, int most, Font font,
                                 bool bold) {
  std::vector<std::string> lines =
      language::wrapped(text, width, most, [&](auto part) { return text_width(part, size, font, bold); });
  if (!lines.empty()) lines.back() = shortened(lines.back(), width, size, font, bold);
  return lines;
}

std::string whole_clauses(const std::string& text, const std::function<bool(const std::string&)>& fits) {
  constexpr std::array<std::string_view, 4> kWide{"；", "：", "，", "—"};
  std::vector<std::size_t> ends;
  int depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::string_view rest = std::string_view(text).substr(at);
    const bool opens = rest.starts_with('(') || rest.starts_with("（"),
               closes = rest.starts_with(')') || rest.starts_with("）");
    const bool narrow =
        rest.size() > 1 && rest[1] == ' ' && (rest[0] == ';' || rest[0] == ':' || rest[0] == ',');
    const bool wide =
        std::ranges::any_of(kWide, [&](std::string_view sign) { return rest.starts_with(sign); });
    if (depth == 0 && (opens || narrow || wide)) ends.push_back(at);
    depth += opens ? 1 : closes ? -1 : 0;
  }
  ends.push_back(text.size());
  for (std::size_t i = ends.size(); i-- > 0;) {
    std::string beginning = text.substr(0, ends[i]);
    while (!beginning.empty() && beginning.back() == ' ') beginning.pop_back();
    if (!beginning.empty() && fits(beginning)) return beginning;
  }
  return {};
}

Rect bounds(const Label& label) {
  const float width = text_width(label.text, label.size, label.font, label.bold);
  const float left = label.align == Align::Left ? 0 : label.align == Align::Center ? 0.5f * width : width;
  return {label.at.x - left, label.at.y - 0.52f * label.size, width, 1.04f * label.size};
}

}  // namespace warplens::scene
