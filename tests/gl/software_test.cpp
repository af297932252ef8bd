// The shaders and the software rasteriser draw the same shapes.
#include <gtest/gtest.h>

#include <cstdlib>

#include "app/gl/framebuffer.h"
#include "app/gl/scene_renderer.h"
#include "app/platform/headless.h"
#include "app/scene/file/raster.h"
#include "cases.h"

namespace warplens::gl {
namespace {

class Software : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string error;
    context = platform::HeadlessContext::create(&error);
    ASSERT_NE(context, nullptr) << error;
    ASSERT_TRUE(load_functions(context->function_of, &error)) << error;
    ASSERT_TRUE(renderer.create(std::string(WARPLENS_SOURCE_DIR) + "/shaders", &error)) << error;
  }
  void TearDown() override { renderer.destroy(); }

  scene::Image draw(const scene::Scene& scene, float scale, int width, int height) {
    std::string error;
    const auto framebuffer = Framebuffer::create(width, height, &error);
    if (framebuffer == nullptr) return {};
    framebuffer->bind();
    glClearColor(ground.r, ground.g, ground.b, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    renderer.draw(scene, {.scale = scale, .framebuffer_width = width, .framebuffer_height = height});
    return framebuffer->read();
  }

  void expect_alike(scene::Scene scene, float scale) {
    for (scene::Layer& layer : scene.layers) layer.labels.clear();
    Message error;
    const scene::Image software = scene::rasterize(scene, scale, ground, &error);
    const scene::Image hardware = draw(scene, scale, software.width, software.height);
    ASSERT_EQ(hardware.rgba.size(), software.rgba.size());
    std::size_t far = 0;
    for (std::size_t i = 0; i < hardware.rgba.size(); ++i) {
      far += std::abs(hardware.rgba[i] - software.rgba[i]) > 12;
    }
    // Where arcs bend sharply a ribbon and a distance differ a little at the edge.
    EXPECT_LT(far, hardware.rgba.size() / 200) << far << " of " << hardware.rgba.size();
  }

  const scene::Color ground = scene::dark_palette().panel;
  std::unique_ptr<platform::HeadlessContext> context;
  SceneRenderer renderer;
};

TEST_F(Software, DrawsBanksAsTheShadersDo) {
  for (const auto& c : scene::cases::bank_cases()) {
    SCOPED_TRACE(c.name);
    expect_alike(scene::bank_scene(c.view(), scene::cases::canvas(572, 290)), 1);
  }
}

TEST_F(Software, DrawsGlobalMemoryAsTheShadersDo) {
  for (const auto& c : scene::cases::global_cases()) {
    SCOPED_TRACE(c.name);
    expect_alike(scene::global_scene(c.view, scene::cases::canvas(572, 200)), 1);
  }
}

TEST_F(Software, DrawsScaledBarsAsTheShadersDo) {
  expect_alike(scene::time_bars_scene(scene::cases::time_bars_case(), scene::cases::canvas(420, 220)), 1.5f);
}

TEST_F(Software, DrawsPicturesAsTheShadersDo) {
  auto image = std::make_shared<scene::Image>(scene::Image{40, 30, {}});
  for (int y = 0; y < image->height; ++y) {
    for (int x = 0; x < image->width; ++x) {
      for (const int value : {6 * x, 8 * y, x * y % 256, 255})
        image->rgba.push_back(static_cast<std::uint8_t>(value));
    }
  }
  scene::Scene scene;
  scene.width = 60, scene.height = 50;
  scene.layers.resize(1);
  scene.layers[0].pictures.push_back({{10, 10, 40, 30}, image});
  scene.layers[0].cells.push_back({{20, 20, 10, 10}, 3, scene::dark_palette().accent, {}, 0, 0, {}});
  expect_alike(scene, 1);
}

}  // namespace
}  // namespace warplens::gl
