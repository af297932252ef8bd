// PNG files: written whole or not at all. Where the budget ends, packing throws Stopped.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "app/scene/scene.h"
#include "sim/base/budget.h"
#include "sim/base/message.h"

namespace warplens::scene {

// RGBA, 8 bits a channel, sRGB, rows from the top, not premultiplied.
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;  // 4 * width * height
};

// The file's bytes; empty: the image is empty or incomplete.
std::vector<std::uint8_t> png_bytes(const Image& image, Budget& budget = Budget::endless());

// Writes beside `file` first and then renames, so that no reader sees half a picture. On failure `error` says
// in words what went wrong and the old file, if any, is still there.
bool write_png(const std::filesystem::path& file, const Image& image, Message* error,
               Budget& budget = Budget::endless());

// As write_png() wrote it; false: `error` says in words what is wrong.
bool read_png(const std::filesystem::path& file, Image* image, Message* error);

// A scene as a picture file that stands by itself: text in, text out.
//
// Opens in browsers, LibreOffice, Inkscape and librsvg: hatches are patterns, fonts are named with
// fall-backs, and nothing outside the file is referred to. The same scene gives the same bytes.

// Throws Stopped where the budget ends.
std::string write_svg(const Scene& scene, Budget& budget = Budget::endless());

// An animated GIF: one palette for all its pictures, so that a colour means the same throughout.

struct GifFrame {
  std::filesystem::path png;  // all of one size
  double seconds = 1;
};

// What went wrong in words; empty: nothing. It plays again and again. Throws Stopped where the budget ends.
Message gif_bytes(const std::vector<GifFrame>& frames, std::string* bytes,
                  Budget& budget = Budget::endless());

}  // namespace warplens::scene
