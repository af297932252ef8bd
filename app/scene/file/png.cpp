#include "app/scene/file/png.h"

#include <string_view>

#include "sim/file/whole_file.h"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#include <stb/stb_image_write.h>

namespace warplens::scene {
namespace {

void append(void* context, void* data, int size) {
  const auto* bytes = static_cast<const std::uint8_t*>(data);
  static_cast<std::vector<std::uint8_t>*>(context)->insert(
      static_cast<std::vector<std::uint8_t>*>(context)->end(), bytes, bytes + size);
}

}  // namespace

std::vector<std::uint8_t> png_bytes(const Image& image) {
  const auto expected = 4 * static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height);
  std::vector<std::uint8_t> bytes;
  if (image.width < 1 || image.height < 1 || image.rgba.size() != expected) return bytes;
  if (!stbi_write_png_to_func(append, &bytes, image.width, image.height, 4, image.rgba.data(),
                              4 * image.width))
    bytes.clear();
  return bytes;
}

bool write_png(const std::filesystem::path& path, const Image& image, std::string* error) {
  const auto expected = 4 * static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height);
  if (image.width < 1 || image.height < 1 || image.rgba.size() != expected) {
    *error = path.string() + ": the picture is empty or incomplete";
    return false;
  }
  std::vector<std::uint8_t> bytes;
  if (!stbi_write_png_to_func(append, &bytes, image.width, image.height, 4, image.rgba.data(),
                              4 * image.width)) {
    *error = path.string() + ": the picture could not be packed as PNG (out of memory?)";
    return false;
  }
  const std::string_view content(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const file::Written written = file::write_whole(path, content, {.to_pipes = true});
  if (!written) *error = written.words;
  return static_cast<bool>(written);
}

}  // namespace warplens::scene
