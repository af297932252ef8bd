#include "app/scene/png.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

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

bool write_all(int file, const std::vector<std::uint8_t>& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t written = ::write(file, bytes.data() + done, bytes.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    done += static_cast<std::size_t>(written);
  }
  return ::fsync(file) == 0;
}

bool write_file(const std::filesystem::path& file, const std::vector<std::uint8_t>& bytes,
                std::string* error) {
  const std::filesystem::path partial = file.string() + ".part" + std::to_string(::getpid());
  const int handle = ::open(partial.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  bool written = handle >= 0 && write_all(handle, bytes);
  int reason = written ? 0 : errno;
  if (handle >= 0 && ::close(handle) != 0 && written) {
    written = false;
    reason = errno;
  }
  if (written && ::rename(partial.c_str(), file.c_str()) != 0) {
    written = false;
    reason = errno;
  }
  if (written) return true;
  if (handle >= 0) ::unlink(partial.c_str());
  *error = file.string() + ": cannot be written: " + std::strerror(reason);
  return false;
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

bool write_png(const std::filesystem::path& file, const Image& image, std::string* error) {
  const auto expected = 4 * static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height);
  if (image.width < 1 || image.height < 1 || image.rgba.size() != expected) {
    *error = file.string() + ": the picture is empty or incomplete";
    return false;
  }
  std::vector<std::uint8_t> bytes;
  if (!stbi_write_png_to_func(append, &bytes, image.width, image.height, 4, image.rgba.data(),
                              4 * image.width)) {
    *error = file.string() + ": the picture could not be packed as PNG (out of memory?)";
    return false;
  }
  return write_file(file, bytes, error);
}

}  // namespace warplens::scene
