#include <png.h>

#include <csetjmp>
#include <new>
#include <string_view>

#include "app/scene/file/files.h"
#include "sim/file/whole_file.h"

namespace warplens::scene {
namespace {

using Bytes = std::vector<std::uint8_t>;

// Large even areas pack nearly as well at this level as at the highest, in a third of the time.
constexpr int kPackingLevel = 3;

// libpng leaves a call that fails by longjmp, which passes over no destructor: only C frames and write() lie
// in between, which has no objects of its own.
class Writer {
 public:
  explicit Writer(Bytes* out) : out_(out) {
    png_ = png_create_write_struct(PNG_LIBPNG_VER_STRING, this, &fail, &warn);
    info_ = png_ != nullptr ? png_create_info_struct(png_) : nullptr;
    if (info_ == nullptr) ok_ = false;
  }
  ~Writer() { png_destroy_write_struct(&png_, &info_); }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  void write(const Image& image, Budget& budget) {
    if (!ok_ || setjmp(png_jmpbuf(png_)) != 0) return;
    png_set_write_fn(png_, this, &put, nullptr);
    png_set_compression_level(png_, kPackingLevel);
    png_set_filter(png_, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB | PNG_FILTER_UP);
    png_set_IHDR(png_, info_, static_cast<png_uint_32>(image.width), static_cast<png_uint_32>(image.height),
                 8, PNG_COLOR_TYPE_RGBA, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png_, info_);
    const std::size_t row = 4 * static_cast<std::size_t>(image.width);
    for (std::size_t at = 0; at < image.rgba.size(); at += row) {
      budget.check(Stage::Drawing);
      png_write_row(png_, &image.rgba[at]);
    }
    png_write_end(png_, nullptr);
  }
  bool ok() const { return ok_; }

 private:
  [[noreturn]] static void fail(png_structp png, png_const_charp) {
    static_cast<Writer*>(png_get_error_ptr(png))->ok_ = false;
    png_longjmp(png, 1);
  }
  static void warn(png_structp, png_const_charp) {}
  static void put(png_structp png, png_bytep bytes, std::size_t count) {
    try {
      Bytes& out = *static_cast<Writer*>(png_get_io_ptr(png))->out_;
      out.insert(out.end(), bytes, bytes + count);
      return;
    } catch (const std::bad_alloc&) {
    }
    png_error(png, "out of memory");
  }

  Bytes* out_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  bool ok_ = true;
};

}  // namespace

Bytes png_bytes(const Image& image, Budget& budget) {
  if (image.width < 1 || image.height < 1 ||
      image.rgba.size() != 4 * static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height))
    return {};
  Bytes out;
  Writer writer(&out);
  writer.write(image, budget);
  if (!writer.ok()) throw std::bad_alloc();  // nothing else can fail
  return out;
}

bool write_png(const std::filesystem::path& path, const Image& image, Message* error, Budget& budget) {
  const Bytes bytes = png_bytes(image, budget);
  if (bytes.empty()) {
    *error = Message("{}: the picture is empty or incomplete", path.string());
    return false;
  }
  const std::string_view content(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const file::Written written = file::write_whole(path, content, {.to_pipes = true});
  if (!written) *error = written.words;
  return static_cast<bool>(written);
}

bool read_png(const std::filesystem::path& path, Image* image, Message* error) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  bool read = png_image_begin_read_from_file(&png, path.c_str()) != 0;
  if (read) {
    png.format = PNG_FORMAT_RGBA;
    image->width = static_cast<int>(png.width), image->height = static_cast<int>(png.height);
    image->rgba.resize(PNG_IMAGE_SIZE(png));
    read = png_image_finish_read(&png, nullptr, image->rgba.data(), 0, nullptr) != 0;
  }
  if (!read) *error = Message("{}: {}", path.string(), static_cast<const char*>(png.message));
  png_image_free(&png);
  return read;
}

}  // namespace warplens::scene
