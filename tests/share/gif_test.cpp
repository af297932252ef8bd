// An animation as readers of GIF see it: giflib's own.

#include <gif_lib.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "app/scene/file/files.h"
#include "tests/scenario/folder.h"

namespace warplens::scene {
namespace {

namespace fs = std::filesystem;

constexpr int kWidth = 64, kHeight = 48;

struct Played {
  std::vector<Image> pictures;  // as shown, each over the one before
  std::vector<int> hundredths;
  std::vector<int> pixels;  // that each has of its own
};

void draw(const SavedImage& saved, const ColorMapObject& colors, Image* screen) {
  const GifImageDesc& at = saved.ImageDesc;
  for (int i = 0; i < at.Width * at.Height; ++i) {
    const GifColorType& color = colors.Colors[saved.RasterBits[i]];
    const int pixel = (at.Top + i / at.Width) * screen->width + at.Left + i % at.Width;
    std::uint8_t* to = &screen->rgba[4 * static_cast<std::size_t>(pixel)];
    to[0] = color.Red, to[1] = color.Green, to[2] = color.Blue, to[3] = 255;
  }
}

Played play(const std::string& bytes, const fs::path& file) {
  std::ofstream(file, std::ios::binary) << bytes;
  Played out;
  GifFileType* gif = DGifOpenFileName(file.c_str(), nullptr);
  if (gif == nullptr || DGifSlurp(gif) != GIF_OK) return out;
  Image screen{gif->SWidth, gif->SHeight, std::vector<std::uint8_t>(4u * kWidth * kHeight)};
  for (int i = 0; i < gif->ImageCount; ++i) {
    GraphicsControlBlock control{};
    DGifSavedExtensionToGCB(gif, i, &control);
    const SavedImage& saved = gif->SavedImages[i];
    draw(saved, *gif->SColorMap, &screen);
    out.pictures.push_back(screen);
    out.hundredths.push_back(control.DelayTime);
    out.pixels.push_back(saved.ImageDesc.Width * saved.ImageDesc.Height);
  }
  DGifCloseFile(gif, nullptr);
  return out;
}

void fill(Image* image, int left, int top, int width, int height, std::uint32_t rgb) {
  for (int y = top; y < top + height; ++y) {
    for (int x = left; x < left + width; ++x) {
      std::uint8_t* to = &image->rgba[4 * static_cast<std::size_t>(y * image->width + x)];
      to[0] = static_cast<std::uint8_t>(rgb >> 16), to[1] = static_cast<std::uint8_t>(rgb >> 8);
      to[2] = static_cast<std::uint8_t>(rgb), to[3] = 255;
    }
  }
}

class Gif : public ::testing::Test {
 protected:
  Played played(const std::vector<Image>& pictures, double seconds) {
    std::vector<GifFrame> frames;
    for (const Image& picture : pictures) {
      Message error;
      frames.push_back({folder_ / (std::to_string(frames.size()) + ".png"), seconds});
      EXPECT_TRUE(write_png(frames.back().png, picture, &error)) << error;
    }
    std::string bytes;
    EXPECT_EQ(gif_bytes(frames, &bytes), Message());
    EXPECT_THAT(bytes, ::testing::StartsWith("GIF89a"));
    EXPECT_THAT(bytes, ::testing::HasSubstr("NETSCAPE2.0"));
    return play(bytes, folder_ / "film.gif");
  }
  static Image ground(std::uint32_t rgb) {
    Image image{kWidth, kHeight, std::vector<std::uint8_t>(4u * kWidth * kHeight)};
    fill(&image, 0, 0, kWidth, kHeight, rgb);
    return image;
  }
  const scenario::Folder own_;
  const fs::path folder_ = own_.path();
};

TEST_F(Gif, WithFewColorsEveryPictureIsExact) {
  std::vector<Image> pictures;
  for (int i = 0; i < 3; ++i) {
    pictures.push_back(ground(0x11141a));
    fill(&pictures.back(), 10 * i, 5, 8, 8, 0xd94f3d);
    fill(&pictures.back(), 40, 10 * i, 7, 7, 0x161a22);  // close to the ground, and not it
  }
  const Played film = played(pictures, 0.3);
  ASSERT_EQ(film.pictures.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(film.pictures[i].rgba, pictures[i].rgba) << i;
  EXPECT_THAT(film.hundredths, ::testing::Each(30));
  EXPECT_EQ(film.pixels[0], kWidth * kHeight);
  EXPECT_LT(film.pixels[1], kWidth * kHeight / 2) << "only what differs";
}

TEST_F(Gif, APictureThatStaysIsOnePixel) {
  const Played film = played({ground(0xffffff), ground(0xffffff)}, 1.5);
  EXPECT_THAT(film.pixels, ::testing::ElementsAre(kWidth * kHeight, 1));
  EXPECT_THAT(film.hundredths, ::testing::Each(150));
}

// Thousands of shades between two colours leave a hue that is on screen once what it is.
TEST_F(Gif, ASmallSpotKeepsItsColor) {
  Image picture = ground(0);
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x)
      fill(&picture, x, y, 1, 1, static_cast<std::uint32_t>(x * 4 << 16 | x * 4 << 8 | (x * 4 + y / 12)));
  }
  fill(&picture, 20, 20, 1, 1, 0x1d9a4e);
  const Played film = played({picture}, 1);
  ASSERT_EQ(film.pictures.size(), 1u);
  const std::uint8_t* spot = &film.pictures[0].rgba[4 * (20 * kWidth + 20)];
  EXPECT_EQ(spot[0] << 16 | spot[1] << 8 | spot[2], 0x1d9a4e);
}

TEST_F(Gif, AFileThatIsNoPictureIsTold) {
  own_.write("no.png", "no");
  std::string bytes;
  EXPECT_NE(gif_bytes({{folder_ / "no.png", 1}}, &bytes), Message());
}

}  // namespace
}  // namespace warplens::scene
