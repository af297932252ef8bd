// Scenes as pixels without a window: for picture files. Drawn by OpenGL on a context of its own, in a browser
// on the page's; the context is made with the first picture, on the thread that draws and destroys.
#pragma once

#include <memory>

#include "app/scene/file/files.h"
#include "app/scene/scene.h"

namespace warplens::gl {

class Framebuffer;

class Offscreen {
 public:
  // Or on the context that is current, and has to be so again for every call and the end.
  enum class Context { Own, Current };
  explicit Offscreen(Context context = Context::Own);
  ~Offscreen();
  Offscreen(const Offscreen&) = delete;
  Offscreen& operator=(const Offscreen&) = delete;

  // `scale` pixels a scene unit; over `ground`. An empty picture: `error` says why (no OpenGL, too large, no
  // font found). A scene without labels needs no font. Throws Stopped where the budget ends.
  scene::Image draw(const scene::Scene& scene, float scale, scene::Color ground, Message* error,
                    Budget& budget = Budget::endless());
  // The same, left with the driver; null where that gives an empty picture.
  std::unique_ptr<Framebuffer> paint(const scene::Scene& scene, float scale, scene::Color ground,
                                     Message* error, Budget& budget = Budget::endless());

 private:
  struct Device;
  const Context context_;
  std::unique_ptr<Device> device_;
};

}  // namespace warplens::gl
