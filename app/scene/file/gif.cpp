
#include <gif_lib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <unordered_map>
#include <utility>

#include "app/scene/file/files.h"

namespace warplens::scene {
namespace {

constexpr std::size_t kColors = 256;
// Flat grounds and letters come first, as they are; then every hue that is on screen at all, however small;
// what is left goes to the shades between.
constexpr std::size_t kByArea = 96;
constexpr int kApart = 16;  // of 255, for a colour to be another one

using Rgb = std::uint32_t;  // 0xRRGGBB

Rgb color_at(const Image& image, std::size_t pixel) {
  const std::uint8_t* p = &image.rgba[4 * pixel];
  return static_cast<Rgb>(p[0] << 16 | p[1] << 8 | p[2]);
}

int distance(Rgb a, Rgb b) {
  int sum = 0;
  for (const int shift : {16, 8, 0}) {
    const int d = static_cast<int>(a >> shift & 255) - static_cast<int>(b >> shift & 255);
    sum += d * d;
  }
  return sum;
}

std::vector<Rgb> palette_of(const std::unordered_map<Rgb, std::uint64_t>& area) {
  std::vector<std::pair<std::uint64_t, Rgb>> by_area;
  for (const auto& [color, pixels] : area) by_area.emplace_back(pixels, color);
  std::ranges::sort(by_area, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::vector<Rgb> palette, rest;
  for (const auto& [pixels, color] : by_area) {
    const bool other = std::ranges::none_of(
        palette, [c = color](Rgb chosen) { return distance(c, chosen) < kApart * kApart; });
    if (palette.size() < kColors && (palette.size() < kByArea || other))
      palette.push_back(color);
    else
      rest.push_back(color);
  }
  for (std::size_t i = 0; i < rest.size() && palette.size() < kColors; ++i) palette.push_back(rest[i]);
  return palette;
}

class Indices {
 public:
  explicit Indices(std::vector<Rgb> palette) : palette_(std::move(palette)) {}
  const std::vector<Rgb>& palette() const { return palette_; }

  std::vector<GifPixelType> of(const Image& image) {
    std::vector<GifPixelType> out(image.rgba.size() / 4);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = of(color_at(image, i));
    return out;
  }

 private:
  GifPixelType of(Rgb color) {
    const auto [known, is_new] = known_.try_emplace(color, GifPixelType{0});
    if (is_new) {
      const auto nearest = std::ranges::min_element(
          palette_, [color](Rgb a, Rgb b) { return distance(color, a) < distance(color, b); });
      known->second = static_cast<GifPixelType>(nearest - palette_.begin());
    }
    return known->second;
  }

  std::vector<Rgb> palette_;
  std::unordered_map<Rgb, GifPixelType> known_;
};

struct Part {
  int left = 0, top = 0, width = 1, height = 1;
};

// Around the pixels that differ; one pixel where none does.
Part difference(const std::vector<GifPixelType>& before, const std::vector<GifPixelType>& now, int width) {
  int left = std::numeric_limits<int>::max(), top = left, right = -1, bottom = -1;
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (before[i] == now[i]) continue;
    const auto x = static_cast<int>(i) % width, y = static_cast<int>(i) / width;
    left = std::min(left, x), right = std::max(right, x);
    top = std::min(top, y), bottom = y;
  }
  if (right < 0) return {};
  return {left, top, right - left + 1, bottom - top + 1};
}

int append(GifFileType* gif, const GifByteType* bytes, int count) {
  static_cast<std::string*>(gif->UserData)
      ->append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(count));
  return count;
}

struct Closes {
  void operator()(GifFileType* gif) const { EGifCloseFile(gif, nullptr); }
};

// giflib's calls, each of which may fail.
class GifWriter {
 public:
  GifWriter(std::string* bytes, const Image& size, const std::vector<Rgb>& palette)
      : gif_(EGifOpen(bytes, append, nullptr)), width_(size.width) {
    if (!gif_) return;
    EGifSetGifVersion(gif_.get(), true);
    std::array<GifColorType, kColors> colors{};
    for (std::size_t i = 0; i < palette.size(); ++i)
      colors[i] = {static_cast<GifByteType>(palette[i] >> 16), static_cast<GifByteType>(palette[i] >> 8),
                   static_cast<GifByteType>(palette[i])};
    ColorMapObject* map = GifMakeMapObject(kColors, colors.data());
    good_ = map != nullptr && EGifPutScreenDesc(gif_.get(), size.width, size.height, 8, 0, map) == GIF_OK;
    GifFreeMapObject(map);
    play_again();
  }

  void add(const std::vector<GifPixelType>& pixels, const Part& part, double seconds) {
    GraphicsControlBlock control{DISPOSE_DO_NOT, false, static_cast<int>(std::lround(100 * seconds)),
                                 NO_TRANSPARENT_COLOR};
    std::array<GifByteType, 4> bytes{};
    EGifGCBToExtension(&control, bytes.data());
    good_ =
        good_ && EGifPutExtension(gif_.get(), GRAPHICS_EXT_FUNC_CODE, 4, bytes.data()) == GIF_OK &&
        EGifPutImageDesc(gif_.get(), part.left, part.top, part.width, part.height, false, nullptr) == GIF_OK;
    for (int y = part.top; good_ && y < part.top + part.height; ++y) {
      const std::size_t from = static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                               static_cast<std::size_t>(part.left);
      row_.assign(pixels.begin() + static_cast<std::ptrdiff_t>(from),
                  pixels.begin() + static_cast<std::ptrdiff_t>(from) + part.width);
      good_ = EGifPutLine(gif_.get(), row_.data(), part.width) == GIF_OK;
    }
  }

  bool end() { return good_ && EGifCloseFile(gif_.release(), nullptr) == GIF_OK; }

 private:
  void play_again() {
    constexpr unsigned char kName[] = {'N', 'E', 'T', 'S', 'C', 'A', 'P', 'E', '2', '.', '0'};
    constexpr unsigned char kForEver[] = {1, 0, 0};
    good_ = good_ && EGifPutExtensionLeader(gif_.get(), APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
            EGifPutExtensionBlock(gif_.get(), sizeof kName, kName) == GIF_OK &&
            EGifPutExtensionBlock(gif_.get(), sizeof kForEver, kForEver) == GIF_OK &&
            EGifPutExtensionTrailer(gif_.get()) == GIF_OK;
  }

  std::unique_ptr<GifFileType, Closes> gif_;
  int width_;
  bool good_ = false;
  std::vector<GifPixelType> row_;
};

}  // namespace

Message gif_bytes(const std::vector<GifFrame>& frames, std::string* bytes, Budget& budget) {
  // Twice through the files: memory holds two pictures, however many there are.
  std::unordered_map<Rgb, std::uint64_t> area;
  Image image;
  Message trouble;
  for (const GifFrame& frame : frames) {
    budget.check(Stage::Drawing);
    if (!read_png(frame.png, &image, &trouble)) return trouble;
    for (std::size_t i = 0; i < image.rgba.size() / 4; ++i) ++area[color_at(image, i)];
  }
  Indices indices(palette_of(area));
  GifWriter writer(bytes, image, indices.palette());
  std::vector<GifPixelType> before;
  for (const GifFrame& frame : frames) {
    budget.check(Stage::Drawing);
    if (!read_png(frame.png, &image, &trouble)) return trouble;
    std::vector<GifPixelType> now = indices.of(image);
    const Part whole{0, 0, image.width, image.height};
    if (!before.empty() && before.size() != now.size()) return Message("the pictures differ in size");
    writer.add(now, before.empty() ? whole : difference(before, now, image.width), frame.seconds);
    before = std::move(now);
  }
  if (!writer.end()) return Message("the GIF could not be packed");
  return {};
}

}  // namespace warplens::scene
