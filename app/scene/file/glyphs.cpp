#include "app/scene/file/glyphs.h"

#include <algorithm>
#include <cmath>

#include "app/scene/text.h"
#include "sim/text/fonts_folder.h"
#include "sim/text/read_file.h"

#define STB_TRUETYPE_IMPLEMENTATION
#define STBTT_STATIC
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_truetype.h>
#pragma GCC diagnostic pop

namespace warplens::scene {
namespace {

// In order of preference; those of the machine that lack a letter pass it on.
std::vector<std::string> files_for(const Label& label) {
  static const std::string fonts = text::fonts_folder();
  const std::string inter = fonts + "opentype/inter/Inter-";
  const std::string mono = fonts + "truetype/jetbrains-mono/JetBrainsMono-",
                    dejavu = fonts + "truetype/dejavu/DejaVuSans";
  std::vector<std::string> files;
  if (label.font == Font::Code) {
    files = {mono + (label.bold ? "Bold.ttf" : "Regular.ttf"),
             dejavu + (label.bold ? "Mono-Bold.ttf" : "Mono.ttf")};
  } else {
    files = {inter + (label.bold ? "SemiBold.otf" : "Regular.otf"),
             dejavu + (label.bold ? "-Bold.ttf" : ".ttf")};
  }
  files.push_back(fonts + "truetype/wqy/wqy-microhei.ttc");
  files.push_back(dejavu + ".ttf");
  return files;
}

}  // namespace

struct Glyphs::Face {
  std::vector<unsigned char> bytes;
  stbtt_fontinfo info{};
};

Glyphs::Glyphs() = default;
Glyphs::~Glyphs() = default;

const Glyphs::Face* Glyphs::open(const std::string& file) {
  for (const auto& [name, face] : faces_)
    if (name == file) return face.get();
  auto face = std::make_unique<Face>();
  std::string bytes;
  Message error;
  if (text::read_file(file, text::kMostFontBytes, &bytes, &error))
    face->bytes.assign(bytes.begin(), bytes.end());
  const int offset = face->bytes.size() > 12 ? stbtt_GetFontOffsetForIndex(face->bytes.data(), 0) : -1;
  if (offset < 0 || stbtt_InitFont(&face->info, face->bytes.data(), offset) == 0) face.reset();
  return faces_.emplace_back(file, std::move(face)).second.get();
}

bool Glyphs::any() const {
  Glyphs probe;
  const std::vector<std::string> files = files_for(Label{});
  return std::any_of(files.begin(), files.end(),
                     [&](const std::string& file) { return probe.open(file) != nullptr; });
}

const Glyphs::Face* Glyphs::face_for(const Label& label, int code, int* glyph) {
  const Face* last = nullptr;
  for (const std::string& file : files_for(label)) {
    const Face* face = open(file);
    if (face == nullptr) continue;
    last = face;
    *glyph = stbtt_FindGlyphIndex(&face->info, code);
    if (*glyph != 0) return face;
  }
  *glyph = 0;  // the last font's sign for a missing letter
  return last;
}

void Glyphs::draw(const Label& label, float scale, Pixels* pixels) {
  struct Placed {
    const Face* face;
    int glyph;
    float advance;
  };
  std::vector<Placed> placed;
  const float size = label.size * scale;
  float width = 0;
  for (std::size_t at = 0; at < label.text.size();) {
    Placed one{};
    one.face = face_for(label, static_cast<int>(next_code_point(label.text, &at)), &one.glyph);
    if (one.face == nullptr) return;
    int advance = 0, bearing = 0;
    stbtt_GetGlyphHMetrics(&one.face->info, one.glyph, &advance, &bearing);
    one.advance = static_cast<float>(advance) * stbtt_ScaleForMappingEmToPixels(&one.face->info, size);
    width += one.advance;
    placed.push_back(one);
  }
  const float left = label.align == Align::Left ? 0 : label.align == Align::Center ? 0.5f * width : width;
  float x = label.at.x * scale - left;
  const float baseline = std::round((label.at.y + 0.364f * label.size) * scale);
  std::vector<unsigned char> bitmap;
  for (const Placed& one : placed) {
    const float em = stbtt_ScaleForMappingEmToPixels(&one.face->info, size), whole = std::floor(x);
    int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    stbtt_GetGlyphBitmapBoxSubpixel(&one.face->info, one.glyph, em, em, x - whole, 0, &x0, &y0, &x1, &y1);
    const int columns = x1 - x0, rows = y1 - y0;
    if (columns > 0 && rows > 0 && columns < 4096 && rows < 4096) {
      bitmap.assign(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows), 0);
      stbtt_MakeGlyphBitmapSubpixel(&one.face->info, bitmap.data(), columns, rows, columns, em, em, x - whole,
                                    0, one.glyph);
      for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
          const unsigned char coverage =
              bitmap[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                     static_cast<std::size_t>(column)];
          pixels->blend(static_cast<int>(whole) + x0 + column, static_cast<int>(baseline) + y0 + row,
                        label.color, static_cast<float>(coverage) / 255);
        }
      }
    }
    x += one.advance;
  }
}

}  // namespace warplens::scene
