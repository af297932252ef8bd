// The scenes of one frame: drawn by the instanced renderer where they stand in ImGui's list, their labels over them.
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

  // Adds the scene to the current window's draw list, its top left corner at `at`. The scene stays until the next
  // begin_frame(), since ImGui draws later. Labels are the caller's.
  const scene::Scene& place(scene::Scene scene, ImVec2 at);

 private:
  struct Item {
    scene::Scene scene;
    gl::Placement placement;
    gl::SceneRenderer* renderer = nullptr;
  };
  static void draw(const ImDrawList* list, const ImDrawCmd* command);

  gl::SceneRenderer* renderer_;
  int width_ = 0, height_ = 0;
  std::deque<Item> items_;
};

}  // namespace warplens::panels
