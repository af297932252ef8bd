#include "app/gl/offscreen.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/gl/framebuffer.h"
#include "app/gl/scene_renderer.h"
#include "app/platform/window.h"
#include "sim/scenario/scenario.h"

namespace warplens::gl {
namespace {

// The framebuffer that is bound stays so: in a browser it is the frame's, which goes on between two layers.
class Bound {
 public:
  Bound() { glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &before_); }
  ~Bound() { glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(before_)); }
  Bound(const Bound&) = delete;
  Bound& operator=(const Bound&) = delete;

 private:
  GLint before_ = 0;
};

}  // namespace

struct Offscreen::Device {
  std::unique_ptr<platform::HeadlessContext> context;
  SceneRenderer renderer;
  Letters letters;

  bool open(Context of, std::string* error) {
    if (of == Context::Own && !(context = platform::HeadlessContext::create(error))) return false;
    const auto shaders = scenario::data_folder("shaders");
    const bool loaded = glad_glGetString != nullptr;  // by a window, whose functions these are too
    return (loaded || load_functions(context->function_of, error)) && renderer.create(shaders, error) &&
           renderer.create_letters(shaders, error);
  }
};

Offscreen::Offscreen(Context context) : context_(context) {}
Offscreen::~Offscreen() = default;

scene::Image Offscreen::draw(const scene::Scene& scene, float scale, scene::Color ground, Message* error,
                             Budget& budget) {
  const auto painted = paint(scene, scale, ground, error, budget);
  if (!painted) return {};
  const Bound before;
  return painted->read();
}

std::unique_ptr<Framebuffer> Offscreen::paint(const scene::Scene& scene, float scale, scene::Color ground,
                                              Message* error, Budget& budget) {
  constexpr float kMostSide = 16384, kMostPixels = 64e6f;
  const float width = std::ceil(scene.width * scale), height = std::ceil(scene.height * scale);
  if (!(width >= 1) || !(height >= 1) || width > kMostSide || height > kMostSide ||
      width * height > kMostPixels) {
    *error = Message("the picture's size is out of range: at most 16384 pixels a side and 64 million in all");
    return nullptr;
  }
  std::string words;
  if (!device_) {
    auto device = std::make_unique<Device>();
    if (!device->open(context_, &words)) {
      *error = Message("a PNG is drawn by OpenGL: {}; an SVG needs none", words);
      return nullptr;
    }
    device_ = std::move(device);
  }
  SceneRenderer& renderer = device_->renderer;
  Letters& letters = device_->letters;
  const bool unlabelled =
      std::ranges::all_of(scene.layers, [](const scene::Layer& layer) { return layer.labels.empty(); });
  if (!unlabelled && !letters.any()) {
    *error = Message("no font was found for the picture's text: install fonts-dejavu-core, or write an .svg");
    return nullptr;
  }
  std::unique_ptr<Framebuffer> framebuffer;
  {
    const Bound before;
    framebuffer = Framebuffer::create(static_cast<int>(width), static_cast<int>(height), &words);
    if (!framebuffer) {
      *error = Message::verbatim(words);
      return nullptr;
    }
    glDisable(GL_SCISSOR_TEST);
    glClearColor(ground.r, ground.g, ground.b, 1);
    glClear(GL_COLOR_BUFFER_BIT);
  }
  const Placement at{
      .scale = scale, .framebuffer_width = framebuffer->width(), .framebuffer_height = framebuffer->height()};
  const auto draw_letters = [&] {
    renderer.draw(letters, at);
    letters.clear();
  };
  for (const scene::Layer& layer : scene.layers) {
    budget.check(Stage::Drawing);
    const Bound before;
    framebuffer->bind();
    renderer.begin(at);
    renderer.draw(layer, at);
    for (const scene::Label& label : layer.labels) letters.add(label, scale, draw_letters);
    draw_letters();
  }
  budget.check(Stage::Drawing);
  return framebuffer;
}

}  // namespace warplens::gl
