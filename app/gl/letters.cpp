#include <algorithm>
#include <cmath>

#include "app/gl/scene_renderer.h"
#include "sim/text/read_file.h"
#include "sim/text/scan.h"

#define STB_TRUETYPE_IMPLEMENTATION
#define STBTT_STATIC
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_truetype.h>
#pragma GCC diagnostic pop

namespace warplens::gl {
namespace {

// In order of preference; those of the machine that lack a letter pass it on.
std::vector<std::string> files_for(const scene::Label& label) {
  static const std::string fonts = text::fonts_folder();
  const std::string inter = fonts + "opentype/inter/Inter-";
  const std::string mono = fonts + "truetype/jetbrains-mono/JetBrainsMono-",
                    dejavu = fonts + "truetype/dejavu/DejaVuSans";
  const bool code = label.font == scene::Font::Code;
  return {code ? mono + (label.bold ? "Bold.ttf" : "Regular.ttf")
               : inter + (label.bold ? "SemiBold.otf" : "Regular.otf"),
          dejavu + (code ? "Mono" : "") + (!label.bold ? ".ttf" : "-Bold.ttf"),
          fonts + "truetype/wqy/wqy-microhei.ttc", dejavu + ".ttf"};
}

}  // namespace

struct Letters::Face {
  std::vector<unsigned char> bytes;
  stbtt_fontinfo info{};
};

Letters::Letters() = default;
Letters::~Letters() = default;

const Letters::Face* Letters::open(const std::string& file) {
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

bool Letters::any() {
  return std::ranges::any_of(files_for({}),
                             [this](const std::string& file) { return open(file) != nullptr; });
}

const Letters::Face* Letters::face_for(const scene::Label& label, int code, int* glyph) {
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

bool Letters::make_room(int columns, int rows) {
  if (x_ + columns > kColumns) x_ = 0, y_ = this->rows();
  if (y_ + rows > kMostRows) return false;
  const std::size_t needed = static_cast<std::size_t>(y_ + rows) * kColumns;
  if (sheet_.size() < needed) sheet_.resize(needed);
  return true;
}

void Letters::clear() {
  quads_.clear();
  sheet_.clear();
  x_ = y_ = 0;
}

void Letters::add(const scene::Label& label, float scale, const std::function<void()>& full) {
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
    one.face = face_for(label, static_cast<int>(text::next_code_point(label.text, &at)), &one.glyph);
    if (one.face == nullptr) return;
    int advance = 0, bearing = 0;
    stbtt_GetGlyphHMetrics(&one.face->info, one.glyph, &advance, &bearing);
    one.advance = static_cast<float>(advance) * stbtt_ScaleForMappingEmToPixels(&one.face->info, size);
    width += one.advance;
    placed.push_back(one);
  }
  using scene::Align;
  const float left = label.align == Align::Left ? 0 : label.align == Align::Center ? 0.5f * width : width;
  float x = label.at.x * scale - left;
  const float baseline = std::round((label.at.y + 0.364f * label.size) * scale);
  const scene::Color& ink = label.color;
  for (const Placed& one : placed) {
    const float em = stbtt_ScaleForMappingEmToPixels(&one.face->info, size), whole = std::floor(x);
    int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    stbtt_GetGlyphBitmapBoxSubpixel(&one.face->info, one.glyph, em, em, x - whole, 0, &x0, &y0, &x1, &y1);
    const int columns = x1 - x0, rows = y1 - y0;
    if (columns > 0 && rows > 0 && columns <= kColumns && rows <= kMostRows) {
      if (!make_room(columns, rows)) full(), make_room(columns, rows);
      stbtt_MakeGlyphBitmapSubpixel(&one.face->info, &sheet_[static_cast<std::size_t>(y_ * kColumns + x_)],
                                    columns, rows, kColumns, em, em, x - whole, 0, one.glyph);
      quads_.insert(quads_.end(),
                    {whole + static_cast<float>(x0), baseline + static_cast<float>(y0),
                     static_cast<float>(columns), static_cast<float>(rows), static_cast<float>(x_),
                     static_cast<float>(y_), ink.r, ink.g, ink.b, ink.a});
      x_ += columns;
    }
    x += one.advance;
  }
}

}  // namespace warplens::gl
