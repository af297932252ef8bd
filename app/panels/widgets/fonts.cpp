#include "app/panels/widgets/fonts.h"

// Dear ImGui's own copy, which is its library's and not to be linked to.
#define STB_TRUETYPE_IMPLEMENTATION
#define STBTT_STATIC
#include <imstb_truetype.h>

#include <algorithm>
#include <cmath>

#include "app/scene/scene.h"
#include "sim/text/read_file.h"
#include "sim/text/scan.h"

namespace warplens::panels {
namespace {

// In design units; the screen's scale multiplies them.
std::vector<float> sizes_of(Face face) {
  switch (face) {
    case Face::Words:
      return {11, 12, 13, 14, 15, 17, 20};
    case Face::WordsBold:
      return {11, 12, 13, 14, 15, 17, 19, 32, 46};
    case Face::Code:
      return {9, 10, 11, 12, 13, 14, 15};
    default:
      return {9, 10, 11, 12, 13, 14};
  }
}

std::string existing(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    std::error_code error;
    if (std::filesystem::is_regular_file(file, error)) return file;
  }
  return {};
}

// Words and figures as they stand on screen.
constexpr std::string_view kSample =
    "Shared memory load sectors, 16-way bank conflict: 2,097,152 of 4096 wavefronts";

constexpr float kDisplaySize = 25;  // em, of the design: from here on a size of figures is the nearest

// As ImGui takes them: first, last, first, last, 0.
std::vector<ImWchar> ranges_of(const std::bitset<0x10000>& characters) {
  std::vector<ImWchar> ranges{0x20, 0x7e};  // ASCII
  for (std::size_t c = 0x80; c < characters.size(); ++c) {
    if (!characters[c]) continue;
    const auto glyph = static_cast<ImWchar>(c);
    if (!ranges.empty() && ranges.back() + 1 == glyph) {
      ranges.back() = glyph;
    } else {
      ranges.insert(ranges.end(), {glyph, glyph});
    }
  }
  ranges.push_back(0);
  return ranges;
}

bool has_chinese(const std::bitset<0x10000>& characters) {
  return (characters >> 0x2e80).any();
}

}  // namespace

Fonts::Metrics Fonts::read_metrics(const std::string& file) {
  Metrics metrics;
  std::string bytes;
  Message error;
  text::read_file(file, text::kMostFontBytes, &bytes, &error);  // empty: a font without metrics
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  const int begin = bytes.empty() ? -1 : stbtt_GetFontOffsetForIndex(data, 0);
  stbtt_fontinfo font{};
  if (begin < 0 || stbtt_InitFont(&font, data, begin) == 0) return metrics;
  const float em = stbtt_ScaleForMappingEmToPixels(&font, 1);
  int ascent = 0, descent = 0, line_gap = 0, left = 0, foot = 0, right = 0, top = 0;
  stbtt_GetFontVMetrics(&font, &ascent, &descent, &line_gap);
  if (ascent <= 0) return metrics;
  metrics.ascent = em * static_cast<float>(ascent);
  metrics.line = em * static_cast<float>(ascent - descent);
  if (stbtt_GetCodepointBox(&font, 'H', &left, &foot, &right, &top) != 0 && top > 0)
    metrics.capitals = em * static_cast<float>(top);
  for (const char c : kSample) {
    int advance = 0, bearing = 0;
    stbtt_GetCodepointHMetrics(&font, c, &advance, &bearing);
    metrics.sample += em * static_cast<float>(advance);
  }
  return metrics;
}

bool Fonts::prepare(ImGuiHost& host, float scale) {
  if (scale == scale_ && words_.loaded == words_.all && figures_.loaded == figures_.all) return false;
  scale_ = scale;
  for (Characters* each : {&words_, &figures_}) {
    each->ranges = ranges_of(each->all);
    each->loaded = each->all;
  }
  host.rebuild_fonts([this](FontLoader& loader) {
    for (const Face face : {Face::Words, Face::WordsBold, Face::Code, Face::CodeBold}) {
      load_face(loader, face, sizes_of(face));
    }
  });
  return true;
}

void Fonts::load_face(FontLoader& loader, Face face, const std::vector<float>& sizes) {
  Loaded& loaded = faces_[static_cast<std::size_t>(face)];
  if (loaded.file.empty()) {
    loaded.file = existing(platform::font_files(face));
    if (!loaded.file.empty()) loaded.metrics = read_metrics(loaded.file);
    // Pictures are laid out for the first choice. One that runs wider is set smaller, so that no label grows
    // into the next.
    const bool code = face == Face::Code || face == Face::CodeBold, bold = face == Face::WordsBold;
    const float meant =
        scene::text_width(kSample, 1, code ? scene::Font::Code : scene::Font::Words, bold && !code);
    if (loaded.metrics.sample > 1.02f * meant) loaded.fit = meant / loaded.metrics.sample;
  }
  if (chinese_.empty() && has_chinese(words_.all)) {
    chinese_ = existing(platform::font_files(Face::Chinese));
    if (!chinese_.empty()) chinese_metrics_ = read_metrics(chinese_);
  }
  loaded.sizes.clear();
  float previous = 0;
  for (const float size : sizes) {
    const float em = std::round(size * scale_ * 2) / 2;
    if (em <= previous) continue;
    previous = em;
    const Characters& characters = size >= kDisplaySize && !fonts_are_dynamic() ? figures_ : words_;
    const ImWchar* ranges = characters.ranges.data();
    ImFont* font = loaded.file.empty()
                       ? nullptr
                       : loader.add(loaded.file, em * loaded.fit * loaded.metrics.line, ranges, false);
    if (font == nullptr) {
      loaded.sizes.emplace_back(em, loader.add_built_in(em));
      continue;
    }
    loaded.sizes.emplace_back(em, font);
    // Chinese at the same em, a little smaller, as it stands in the line.
    const bool words = face == Face::Words || face == Face::WordsBold;
    if (words && !chinese_.empty() && has_chinese(characters.all)) {
      loader.add(chinese_, std::round(em * chinese_metrics_.line), ranges, true);
    }
    if (fonts_are_dynamic()) break;
  }
}

SizedFont Fonts::nearest(Face face, float pixels) const {
  const Loaded& loaded = faces_[static_cast<std::size_t>(face)];
  if (loaded.sizes.empty()) return {};
  const float line = loaded.fit * loaded.metrics.line;
  if (fonts_are_dynamic()) return {loaded.sizes.front().second, pixels * line, pixels};
  const auto nearest = std::min_element(loaded.sizes.begin(), loaded.sizes.end(), [&](auto& a, auto& b) {
    return std::abs(a.first - pixels) < std::abs(b.first - pixels);
  });
  // Close to a size its letters are sharp; between two they are as large as the text was measured.
  const float em = std::abs(nearest->first - pixels) <= 0.08f * pixels ? nearest->first : pixels;
  return {nearest->second, em * line, em};
}

SizedFont Fonts::pick(Face face, float pixels, std::string_view text) const {
  note(text, &words_);
  if (pixels >= kDisplaySize * scale_) note(text, &figures_);
  return nearest(face, pixels);
}

float Fonts::top_from_middle(Face face, float pixels) const {
  const Loaded& loaded = faces_[static_cast<std::size_t>(face)];
  const float em = loaded.fit * nearest(face, pixels).em;
  return (0.5f * loaded.metrics.capitals - loaded.metrics.ascent) * em;
}

float Fonts::width(Face face, float pixels, std::string_view text) const {
  return text_width(pick(face, pixels, text), text.data(), text.data() + text.size());
}

void Fonts::note(std::string_view text, Characters* characters) {
  for (std::size_t at = 0; at < text.size();) {
    if (static_cast<unsigned char>(text[at]) < 0x80)
      ++at;
    else if (const char32_t c = text::next_code_point(text, &at); c < characters->all.size())
      characters->all.set(c);
  }
}

}  // namespace warplens::panels
