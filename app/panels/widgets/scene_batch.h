// The scenes of one frame: drawn by the instanced renderer where they stand in ImGui's list, their labels
// over them; and the large grounds under everything.
#pragma once

#include <deque>
#include <string>

#include "app/gl/damage.h"
#include "app/gl/scene_renderer.h"
#include "app/panels/widgets/imgui_shim.h"
#include "app/scene/scene.h"

namespace warplens::panels {

class SceneBatch {
 public:
  explicit SceneBatch(gl::SceneRenderer* renderer) : renderer_(renderer) {}
  void begin_frame(int width, int height);

  // Fills a rectangle of the window with an opaque colour by clearing it, which software rendering does many
  // times faster than drawing it. For the large grounds.
  void clear(const scene::Rect& rect, const scene::Color& color);

  // Adds the scene to the current window's draw list, its top left corner at `at`. The scene stays until the
  // next begin_frame(), since ImGui draws later. Labels are the caller's.
  const scene::Scene& place(scene::Scene scene, ImVec2 at);

  // Whether the command is one of this stage's, whose drawing is then added to the damage.
  bool describe(const ImDrawCmd& command, gl::Damage* damage) const;
  // What is drawn from now on is drawn in these parts of the window only.
  void restrict_to(std::vector<gl::PixelRect> parts) { parts_ = std::move(parts); }

 private:
  struct Item {
    scene::Scene scene;
    gl::Placement placement;
    gl::PixelRect clip;
    const SceneBatch* stage = nullptr;
  };
  struct Ground {
    gl::PixelRect rect;
    scene::Color color;
    const SceneBatch* stage = nullptr;
  };
  static void draw(const ImDrawList* list, const ImDrawCmd* command);
  static void draw_ground(const ImDrawList* list, const ImDrawCmd* command);
  static void describe(const Item& item, gl::Damage* damage);

  gl::SceneRenderer* renderer_;
  int width_ = 0, height_ = 0;
  std::deque<Item> items_;
  std::deque<Ground> grounds_;
  std::vector<gl::PixelRect> parts_;
};

}  // namespace warplens::panels
