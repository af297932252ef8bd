// The instanced renderer, on software OpenGL: what it draws, that it draws the same twice, and what it says
// when it cannot.
#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "app/gl/framebuffer.h"
#include "app/gl/scene_renderer.h"
#include "app/platform/window.h"
#include "app/scene/file/files.h"
#include "cases.h"
#include "tests/scenario/folder.h"

namespace warplens::gl {
namespace {

using scene::Color;
using scene::Image;
using ::testing::HasSubstr;

const std::filesystem::path kShaders = std::filesystem::path(WARPLENS_SOURCE_DIR) / "shaders";

std::array<int, 3> pixel(const Image& image, int x, int y) {
  const std::size_t at =
      4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(x));
  return {image.rgba[at], image.rgba[at + 1], image.rgba[at + 2]};
}

std::array<int, 3> bytes(Color c) {
  return {static_cast<int>(std::lround(255 * c.r)), static_cast<int>(std::lround(255 * c.g)),
          static_cast<int>(std::lround(255 * c.b))};
}

constexpr Color kRed{1, 0, 0, 1}, kBlue{0, 0, 1, 1}, kWhite{1, 1, 1, 1};

class Renderer : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string error;
    context = platform::HeadlessContext::create(&error);
    ASSERT_NE(context, nullptr) << error;
    ASSERT_TRUE(load_functions(context->function_of, &error)) << error;
    ASSERT_TRUE(renderer.create(kShaders, &error)) << error;
  }
  void TearDown() override { renderer.destroy(); }

  Image draw(const scene::Scene& scene, Placement placement, int width = 64, int height = 64) {
    std::string error;
    const auto framebuffer = Framebuffer::create(width, height, &error);
    EXPECT_NE(framebuffer, nullptr) << error;
    framebuffer->bind();
    glClearColor(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    placement.framebuffer_width = width;
    placement.framebuffer_height = height;
    renderer.draw(scene, placement);
    EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
    return framebuffer->read();
  }

  static scene::Scene cell_scene(const scene::Cell& cell) {
    scene::Scene scene;
    scene.layers.resize(1);
    scene.layers[0].cells.push_back(cell);
    return scene;
  }

  std::unique_ptr<platform::HeadlessContext> context;
  SceneRenderer renderer;
};

TEST_F(Renderer, CopiesPicturesAsTheyAreAndInsideOfTheClip) {
  auto image = std::make_shared<Image>();
  image->width = image->height = 2;
  image->rgba = {255, 0, 0, 255, 0, 0, 255, 255, 255, 255, 255, 255, 255, 0, 0, 255};  // red blue, white red
  scene::Scene scene;
  scene.layers.resize(1);
  scene.layers[0].pictures.push_back({{4, 6, 2, 2}, image});
  for (int again = 0; again < 2; ++again) {
    const Image seen = draw(scene, {.x = 10, .y = 20});
    EXPECT_EQ(pixel(seen, 14, 26), bytes(kRed));
    EXPECT_EQ(pixel(seen, 15, 26), bytes(kBlue));
    EXPECT_EQ(pixel(seen, 14, 27), bytes(kWhite));
    EXPECT_EQ(pixel(seen, 13, 26), (std::array{0, 0, 0}));
    EXPECT_EQ(pixel(seen, 16, 27), (std::array{0, 0, 0}));
  }
  const Image cut = draw(scene, {.x = 10, .y = 20, .clip = {15, 0, 40, 40}});
  EXPECT_EQ(pixel(cut, 14, 26), (std::array{0, 0, 0}));
  EXPECT_EQ(pixel(cut, 15, 26), bytes(kBlue));
  scene.layers[0].pictures[0].image = nullptr;
  draw(scene, {});
}

TEST_F(Renderer, DrawsBordersInsideAndRoundsCorners) {
  const Image image = draw(cell_scene({{10, 10, 40, 40}, 12, kRed, kWhite, 3, 0, {}}), {});
  EXPECT_EQ(pixel(image, 10, 30), bytes(kWhite));
  EXPECT_EQ(pixel(image, 12, 30), bytes(kWhite));
  EXPECT_EQ(pixel(image, 13, 30), bytes(kRed));
  EXPECT_EQ(pixel(image, 11, 11), (std::array<int, 3>{0, 0, 0}));  // outside the round corner
}

// Sides alone give the pixels that the whole cell gives, at any size and corner.
TEST_F(Renderer, AFrameWithNothingInItIsTheSameFrame) {
  for (const float size : {3.0f, 9.5f, 14.0f, 30.0f, 50.25f}) {
    for (const float radius : {0.0f, 3.0f, 8.0f}) {
      scene::Cell cell{{5.5f, 6, size, 0.7f * size}, radius, {0, 0, 0, 0}, kWhite, 2, 0, {}};
      const Image sides = draw(cell_scene(cell), {.scale = 1.25f}, 96, 96);
      cell.fill = {0, 0, 0, 1e-6f};  // nothing that is seen, but not nothing
      const Image whole = draw(cell_scene(cell), {.scale = 1.25f}, 96, 96);
      int most = 0;  // one step of a channel may be rounded the other way
      for (std::size_t i = 0; i < sides.rgba.size(); ++i)
        most = std::max(most, std::abs(int{sides.rgba[i]} - int{whole.rgba[i]}));
      EXPECT_LE(most, 1) << size << ", " << radius;
      EXPECT_NE(sides.rgba, draw({}, {}, 96, 96).rgba);
    }
  }
}

TEST_F(Renderer, PicturesOfOneSizeReplaceEachOther) {
  for (int i = 0; i < 12; ++i) {
    auto image = std::make_shared<Image>();
    image->width = image->height = 1;
    image->rgba = {static_cast<std::uint8_t>(20 * i), 7, 9, 255};
    scene::Scene scene;
    scene.layers.resize(1);
    scene.layers[0].pictures.push_back({{4, 6, 1, 1}, image});
    EXPECT_EQ(pixel(draw(scene, {}), 4, 6), (std::array{20 * i, 7, 9}));
  }
}

TEST_F(Renderer, HatchesDiagonallyAcrossNeighbours) {
  scene::Cell cell{{0, 0, 64, 64}, 0, kBlue, {}, 0, 8, kWhite};
  const Image image = draw(cell_scene(cell), {});
  int white = 0;
  for (int x = 8; x < 56; ++x) {
    white += pixel(image, x, 30)[0] > 127;
    EXPECT_EQ(pixel(image, x, 30), pixel(image, x + 1, 29)) << "strokes lean like a slash";
  }
  EXPECT_GT(white, 6);  // a quarter of 48, spread by the angle
  EXPECT_LT(white, 20);
}

TEST_F(Renderer, BlendsTransparentFills) {
  scene::Scene scene = cell_scene({{0, 0, 64, 64}, 0, kBlue, {}, 0, 0, {}});
  scene.layers.resize(2);
  scene.layers[1].cells.push_back({{0, 0, 32, 64}, 0, {1, 0, 0, 0.5f}, {}, 0, 0, {}});
  const Image image = draw(scene, {});
  EXPECT_NEAR(pixel(image, 16, 30)[0], 128, 1);
  EXPECT_NEAR(pixel(image, 16, 30)[2], 127, 1);
  EXPECT_EQ(pixel(image, 40, 30), bytes(kBlue));
}

TEST_F(Renderer, DrawsArcsAsFarAsTheyHaveGrown) {
  scene::Scene scene;
  scene.layers.resize(1);
  scene.layers[0].arcs.push_back({{20.5f, 0}, {20.5f, 60}, kRed, 3, 0.5f});
  const Image image = draw(scene, {});
  EXPECT_EQ(pixel(image, 20, 10), bytes(kRed));
  EXPECT_EQ(pixel(image, 20, 28), bytes(kRed));
  EXPECT_EQ(pixel(image, 20, 35), (std::array<int, 3>{0, 0, 0}));
  EXPECT_EQ(pixel(image, 25, 10), (std::array<int, 3>{0, 0, 0}));
}

TEST_F(Renderer, PutsArcsBehindCells) {
  scene::Scene scene = cell_scene({{0, 20, 64, 10}, 0, kBlue, {}, 0, 0, {}});
  scene.layers[0].arcs.push_back({{20.5f, 0}, {20.5f, 60}, kRed, 5, 1});
  const Image image = draw(scene, {});
  EXPECT_EQ(pixel(image, 20, 25), bytes(kBlue));
  EXPECT_EQ(pixel(image, 20, 40), bytes(kRed));
}

TEST_F(Renderer, PlacesScalesAndClips) {
  const scene::Scene scene = cell_scene({{5, 5, 10, 10}, 0, kRed, {}, 0, 0, {}});
  const Image image = draw(scene, {.x = 20, .y = 10, .scale = 2, .clip = {0, 0, 64, 30}});
  EXPECT_EQ(pixel(image, 30, 20), bytes(kRed));  // 20 + 2 * 5, 10 + 2 * 5
  for (const auto& [x, y] : {std::pair{29, 20}, {30, 19}})
    EXPECT_EQ(pixel(image, x, y), (std::array{0, 0, 0}));
  EXPECT_EQ(pixel(image, 49, 29), bytes(kRed));
  EXPECT_EQ(pixel(image, 50, 29), (std::array<int, 3>{0, 0, 0}));
  EXPECT_EQ(pixel(image, 40, 31), (std::array<int, 3>{0, 0, 0}));  // below the clip
}

// Cells of a real scene show their fill in their middle where no later cell covers it.
TEST_F(Renderer, ShowsLaneColoursWhereTheSceneSaysSo) {
  const scene::BankView view = scene::cases::bank_cases()[2].view();
  const scene::Scene scene = scene::bank_scene(view, scene::cases::canvas(872, 500));
  const Image image = draw(scene, {}, 872, 500);
  int checked = 0;
  for (const scene::Cell& cell : scene.layers[1].cells) {
    if (cell.fill.a < 1 || cell.rect.width < 8) continue;
    const auto x = static_cast<int>(cell.rect.x + 0.5f * cell.rect.width),
               y = static_cast<int>(cell.rect.y + 0.5f * cell.rect.height);
    const std::array<int, 3> got = pixel(image, x, y), want = bytes(cell.fill);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(got[i], want[i], 1) << x << "," << y;
    ++checked;
  }
  EXPECT_EQ(checked, 32);
}

TEST_F(Renderer, SaysWhichShaderIsWrong) {
  const scenario::Folder own;
  const std::filesystem::path& folder = own.path();
  SceneRenderer other;
  std::string error;
  EXPECT_FALSE(other.create(folder, &error));
  EXPECT_THAT(error, HasSubstr("cell.vert: cannot be opened"));
  EXPECT_FALSE(other.created());
  std::filesystem::copy(kShaders / "cell.vert", folder / "cell.vert");
  own.write("cell.frag", "void main() { nonsense; }\n");
  EXPECT_FALSE(other.create(folder, &error));
  EXPECT_THAT(error, HasSubstr("cell.frag: does not compile"));
  EXPECT_THAT(error, HasSubstr("nonsense"));
}

// What a window of Mesa's holds: of another order of channels, copying takes seven times as long. (OpenGL 4.1
// tells the order; our loader knows 3.3.)
TEST_F(Renderer, PicturesAreKeptAsWindowsAre) {
  constexpr GLenum kOrderOfChannels = 0x8B9B;  // GL_IMPLEMENTATION_COLOR_READ_FORMAT
  std::string error;
  const auto framebuffer = Framebuffer::create(3, 2, &error);
  ASSERT_NE(framebuffer, nullptr) << error;
  framebuffer->bind();
  GLint order = 0;
  glGetIntegerv(kOrderOfChannels, &order);
  if (is_es())  // has no way to say it
    EXPECT_EQ(order, GL_RGBA);
  else if (description().find("llvmpipe") != std::string::npos)
    EXPECT_EQ(order, GL_BGRA);
  else  // other drivers choose the order
    EXPECT_TRUE(order == GL_BGRA || order == GL_RGBA) << description();
}

// Rows from the top and no channel for another, by way of a copy too.
TEST_F(Renderer, CopiesAsItIs) {
  std::string error;
  const auto from = Framebuffer::create(3, 2, &error), to = Framebuffer::create(3, 2, &error);
  ASSERT_TRUE(from && to) << error;
  from->bind();
  glClearColor(0, 0, 1, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  glEnable(GL_SCISSOR_TEST);
  glScissor(0, 0, 3, 1);  // the first row
  glClearColor(1, 0.2f, 0, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  to->bind();
  GLint target = 0;
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &target);
  from->copy_to(static_cast<GLuint>(target));
  const scene::Image image = to->read();
  ASSERT_EQ(image.rgba.size(), 24u);
  EXPECT_THAT(std::vector(image.rgba.begin(), image.rgba.begin() + 4),
              ::testing::ElementsAre(255, 51, 0, 255));
  EXPECT_THAT(std::vector(image.rgba.end() - 4, image.rgba.end()), ::testing::ElementsAre(0, 0, 255, 255));
}

TEST_F(Renderer, RefusesImpossibleSizes) {
  std::string error;
  EXPECT_EQ(Framebuffer::create(0, 10, &error), nullptr);
  EXPECT_THAT(error, HasSubstr("0 x 10"));
  EXPECT_EQ(Framebuffer::create(10, 1 << 28, &error), nullptr);
}

TEST(Headless, CanBeOpenedAgainAsEitherKind) {
  using platform::GlKind;
  for (const GlKind kind : {GlKind::Core33, GlKind::Es30, GlKind::Core33}) {
    std::string error;
    const auto context = platform::HeadlessContext::create(&error, kind);
    ASSERT_NE(context, nullptr) << error;
    ASSERT_TRUE(load_functions(context->function_of, &error)) << error;
    EXPECT_EQ(is_es(), kind == GlKind::Es30);
    EXPECT_EQ(description().starts_with("OpenGL ES 3."), kind == GlKind::Es30) << description();
    EXPECT_THAT(description(), HasSubstr(", "));  // version, renderer
  }
}

TEST(Headless, OldOpenGlIsRefusedInWords) {
  ::setenv("MESA_GL_VERSION_OVERRIDE", "2.1", 1);
  std::string error;
  const auto context = platform::HeadlessContext::create(&error, platform::GlKind::Core33);
  const bool loaded = context != nullptr && load_functions(context->function_of, &error);
  ::unsetenv("MESA_GL_VERSION_OVERRIDE");
  EXPECT_FALSE(loaded);
  EXPECT_THAT(error, HasSubstr("3.3"));
  EXPECT_THAT(error, HasSubstr("warplens-cli"));
}

TEST_F(Renderer, DrawsTheSamePictureTwice) {
  const scene::Scene scene =
      scene::global_scene(scene::cases::global_cases()[6].view, scene::cases::canvas(680, 230));
  EXPECT_EQ(draw(scene, {}, 680, 230).rgba, draw(scene, {}, 680, 230).rgba);
}

}  // namespace
}  // namespace warplens::gl
