// PNG files: written whole or not at all. Where the budget ends, packing throws Stopped.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "sim/base/budget.h"

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

}  // namespace warplens::scene
