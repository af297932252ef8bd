#include "app/panels/widgets/fonts.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "app/scene/text.h"
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

// Big-endian figures of an OpenType file; 0 beyond its end.
struct Reader {
  std::vector<std::uint8_t> bytes;
  std::uint32_t u16(std::size_t at) const {
    return at + 2 <= bytes.size() ? static_cast<std::uint32_t>(bytes[at] << 8 | bytes[at + 1]) : 0;
  }
  std::uint32_t u32(std::size_t at) const { return u16(at) << 16 | u16(at + 2); }
  float i16(std::size_t at) const { return static_cast<float>(static_cast<std::int16_t>(u16(at))); }
  std::size_t table(const char* tag) const {
    const std::size_t base = u32(0) == 0x74746366 ? u32(12) : 0;  // "ttcf": the collection's first font
    for (std::size_t i = 0; i < u16(base + 4); ++i) {
      const std::size_t record = base + 12 + 16 * i;
      if (record + 16 <= bytes.size() &&
          std::equal(tag, tag + 4, bytes.begin() + static_cast<long>(record))) {
        return u32(record + 8);
      }
    }
    return bytes.size();
  }
  // The glyph of a character of the basic plane, by the font's table of segments; 0: it has none.
  std::uint32_t glyph(std::uint32_t code) const {
    const std::size_t cmap = table("cmap");
    for (std::size_t i = 0; i < u16(cmap + 2); ++i) {
      const std::size_t at = cmap + u32(cmap + 4 + 8 * i + 4);
      if (u16(at) != 4) continue;
      const std::size_t doubled = u16(at + 6), ends = at + 14, starts = ends + doubled + 2;
      for (std::size_t k = 0; k < doubled; k += 2) {
        if (u16(ends + k) < code) continue;
        const std::uint32_t start = u16(starts + k), offset = u16(starts + 2 * doubled + k);
        if (start > code) return 0;
        const std::uint32_t delta = u16(starts + doubled + k);
        if (offset == 0) return (code + delta) & 0xffff;
        const std::uint32_t found = u16(starts + 2 * doubled + k + offset + 2 * (code - start));
        return found == 0 ? 0 : (found + delta) & 0xffff;
      }
    }
    return 0;
  }
  // In em; 0: the file cannot be read so far.
  float width(std::string_view text) const {
    const float em = i16(table("head") + 18);
    const std::size_t hmtx = table("hmtx"), count = u16(table("hhea") + 34);
    if (em <= 0 || count == 0) return 0;
    float sum = 0;
    for (const char c : text) {
      const std::size_t metric = std::min<std::size_t>(glyph(static_cast<unsigned char>(c)), count - 1);
      sum += static_cast<float>(u16(hmtx + 4 * metric));
    }
    return sum / em;
  }
};

// Words and figures as they stand on screen.
constexpr std::string_view kSample =
    "Shared memory load sectors, 16-way bank conflict: 2,097,152 of 4096 wavefronts";

bool includes(const std::set<char32_t>& all, const std::set<char32_t>& some) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

// As ImGui takes them: first, last, first, last, 0.
std::vector<ImWchar> ranges_of(const std::set<char32_t>& characters) {
  std::vector<ImWchar> ranges;
  for (const char32_t c : characters) {
    if (c < 0x20 || c > 0xffff) continue;
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

bool has_chinese(const std::set<char32_t>& characters) {
  return !characters.empty() && *characters.rbegin() >= 0x2e80;
}

}  // namespace

Fonts::Metrics Fonts::read_metrics(const std::string& file) {
  Metrics metrics;
  std::string bytes;
  Message error;
  text::read_file(file, text::kMostFontBytes, &bytes, &error);  // empty: a font without metrics
  const Reader font{{bytes.begin(), bytes.end()}};
  const float em = font.i16(font.table("head") + 18);
  const std::size_t hhea = font.table("hhea"), os2 = font.table("OS/2");
  if (em <= 0 || font.i16(hhea + 4) <= 0) return metrics;
  metrics.ascent = font.i16(hhea + 4) / em;
  metrics.line = metrics.ascent - font.i16(hhea + 6) / em;
  if (font.u16(os2) >= 2 && font.i16(os2 + 88) > 0) metrics.capitals = font.i16(os2 + 88) / em;
  metrics.sample = font.width(kSample);
  return metrics;
}

bool Fonts::prepare(ImGuiHost& host, float scale, const Characters& characters) {
  if (scale == scale_ && includes(characters_.all, characters.all) &&
      includes(characters_.display, characters.display)) {
    return false;
  }
  scale_ = scale;
  characters_.all.insert(characters.all.begin(), characters.all.end());
  characters_.display.insert(characters.display.begin(), characters.display.end());
  for (char32_t c = 0x20; c < 0x7f; ++c) {
    characters_.all.insert(c);
    characters_.display.insert(c);
  }
  ranges_ = ranges_of(characters_.all);
  display_ranges_ = ranges_of(characters_.display);
  missing_.clear();
  host.rebuild_fonts([this](FontLoader& loader) {
    for (const Face face : {Face::Words, Face::WordsBold, Face::Code, Face::CodeBold}) {
      load_face(loader, face, sizes_of(face));
    }
  });
  return true;
}

void Fonts::load_face(FontLoader& loader, Face face, const std::vector<float>& sizes) {
  Loaded& loaded = faces_[static_cast<std::size_t>(face)];
  const std::vector<std::string> files = platform::font_files(face);
  if (loaded.file.empty()) {
    loaded.file = existing(files);
    if (!loaded.file.empty()) loaded.metrics = read_metrics(loaded.file);
    // Pictures are laid out for the first choice. One that runs wider is set smaller, so that no label grows
    // into the next.
    const bool code = face == Face::Code || face == Face::CodeBold, bold = face == Face::WordsBold;
    const float meant =
        scene::text_width(kSample, 1, code ? scene::Font::Code : scene::Font::Words, bold && !code);
    if (loaded.metrics.sample > 1.02f * meant) loaded.fit = meant / loaded.metrics.sample;
  }
  if (chinese_.empty() && has_chinese(characters_.all)) {
    chinese_ = existing(platform::font_files(Face::Chinese));
    if (!chinese_.empty()) chinese_metrics_ = read_metrics(chinese_);
  }
  if (loaded.file != files.front()) missing_.push_back(files.front());
  loaded.sizes.clear();
  float previous = 0;
  for (const float size : sizes) {
    const float em = std::round(size * scale_ * 2) / 2;
    if (em <= previous) continue;
    previous = em;
    const bool display = size >= kDisplaySize && !fonts_are_dynamic();
    const ImWchar* ranges = (display ? display_ranges_ : ranges_).data();
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
    if (words && !chinese_.empty() && has_chinese(display ? characters_.display : characters_.all)) {
      loader.add(chinese_, std::round(em * chinese_metrics_.line), ranges, true);
    }
    if (fonts_are_dynamic()) break;
  }
}

SizedFont Fonts::pick(Face face, float pixels) const {
  const Loaded& loaded = faces_[static_cast<std::size_t>(face)];
  if (loaded.sizes.empty()) return {};
  const float line = loaded.fit * loaded.metrics.line;
  if (fonts_are_dynamic()) return {loaded.sizes.front().second, pixels * line};
  const auto nearest = std::min_element(loaded.sizes.begin(), loaded.sizes.end(), [&](auto& a, auto& b) {
    return std::abs(a.first - pixels) < std::abs(b.first - pixels);
  });
  return {nearest->second, nearest->first * line};
}

float Fonts::top_from_middle(Face face, float pixels) const {
  const Loaded& loaded = faces_[static_cast<std::size_t>(face)];
  const float em = pick(face, pixels).size / loaded.metrics.line;
  return (0.5f * loaded.metrics.capitals - loaded.metrics.ascent) * em;
}

float Fonts::width(Face face, float pixels, std::string_view text) const {
  return text_width(pick(face, pixels), text.data(), text.data() + text.size());
}

void collect_characters(std::string_view text, std::set<char32_t>* out) {
  for (std::size_t at = 0; at < text.size();) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      ++at;
    } else {
      out->insert(text::next_code_point(text, &at));
    }
  }
}

}  // namespace warplens::panels
