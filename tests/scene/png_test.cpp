// What is packed is what another program unpacks.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <random>

#include "app/scene/file/files.h"

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#include <stb/stb_image.h>

namespace warplens::scene {
namespace {

Image image_of(int width, int height, auto&& value) {
  Image image{width, height, {}};
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (int channel = 0; channel < 4; ++channel)
        image.rgba.push_back(static_cast<std::uint8_t>(value(x, y, channel)));
    }
  }
  return image;
}

void expect_same(const Image& image, const char* what) {
  const auto bytes = png_bytes(image);
  int width = 0, height = 0, channels = 0;
  const std::unique_ptr<stbi_uc, decltype(&stbi_image_free)> read(
      stbi_load_from_memory(bytes.data(), static_cast<int>(bytes.size()), &width, &height, &channels, 4),
      stbi_image_free);
  ASSERT_NE(read, nullptr) << what << ": " << stbi_failure_reason();
  ASSERT_EQ(width, image.width) << what;
  ASSERT_EQ(height, image.height) << what;
  EXPECT_EQ(channels, 4) << what;
  EXPECT_TRUE(std::equal(image.rgba.begin(), image.rgba.end(), read.get())) << what;
}

TEST(Png, IsReadAsItWasWritten) {
  std::mt19937 random(12);
  expect_same(image_of(1, 1, [](int, int, int) { return 7; }), "one pixel");
  expect_same(image_of(300, 200, [](int, int, int) { return 0; }), "nothing");
  expect_same(image_of(257, 131, [&](int, int, int) { return random(); }), "noise");
  expect_same(image_of(640, 480, [](int x, int y, int channel) { return x * (channel + 1) + y; }), "slopes");
  // Parts come back from every distance that the format has a code for, and beyond.
  expect_same(
      image_of(97, 400, [&](int x, int y, int c) { return y % 23 == 0 ? random() : (x * y + c) % 251; }),
      "repeats");
}

TEST(Png, WhatIsEvenPacksWell) {
  const Image image = image_of(1000, 1000, [](int x, int, int) { return x < 500 ? 30 : 200; });
  EXPECT_LT(png_bytes(image).size(), image.rgba.size() / 100);
}

TEST(Png, GoesByItsBudget) {
  const std::atomic<bool> cancel{true};
  Budget cancelled({.cancel = &cancel});
  EXPECT_THROW(png_bytes(image_of(500, 500, [](int, int, int) { return 1; }), cancelled), Stopped);
}

}  // namespace
}  // namespace warplens::scene
