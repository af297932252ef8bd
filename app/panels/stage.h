// The scenes of one frame: drawn by the instanced renderer where they stand in ImGui's list, their labels
// over them.
#pragma once

#include <deque>
#include <string>

#include "app/gl/scene_renderer.h"
#include "app/panels/imgui_shim.h"
#include "app/scene/scene.h"

namespace warplens::panels {

class Stage {
 public:
  explicit Stage(gl::SceneRenderer* renderer) : renderer_(renderer) {}
  void begin_frame(int width, int height);

  // Fills a rectangle of the window with an opaque colour by clearing it, which software rendering does many
  // times faster than drawing it. For the large grounds.
  void clear(const scene::Rect& rect, const scene::Color& color);

  // Adds the scene to the current window's draw list, its top left corner at `at`. The scene stays until the
  // next begin_frame(), since ImGui draws later. Labels are the caller's.
  const scene::Scene& place(scene::Scene scene, ImVec2 at);

 private:
  struct Item {
    scene::Scene scene;
    gl::Placement placement;
    gl::SceneRenderer* renderer = nullptr;
  };
  struct Ground {
    int x = 0, y = 0, width = 0, height = 0;  // as OpenGL counts: y from below
    scene::Color color;
  };
  static void draw(const ImDrawList* list, const ImDrawCmd* command);
  static void draw_ground(const ImDrawList* list, const ImDrawCmd* command);

  gl::SceneRenderer* renderer_;
  int width_ = 0, height_ = 0;
  std::deque<Item> items_;
  std::deque<Ground> grounds_;
};

}  // namespace warplens::panels
