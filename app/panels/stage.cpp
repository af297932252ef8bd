#include "app/panels/stage.h"

namespace warplens::panels {

void Stage::begin_frame(int width, int height) {
  width_ = width;
  height_ = height;
  items_.clear();
  grounds_.clear();
}

const scene::Scene& Stage::place(scene::Scene scene, ImVec2 at) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 clip_min = list->GetClipRectMin(), clip_max = list->GetClipRectMax();
  Item& item = items_.emplace_back();
  item.scene = std::move(scene);
  item.renderer = renderer_;
  item.placement.x = at.x;
  item.placement.y = at.y;
  item.placement.framebuffer_width = width_;
  item.placement.framebuffer_height = height_;
  item.placement.clip = {clip_min.x, clip_min.y, clip_max.x - clip_min.x, clip_max.y - clip_min.y};
  list->AddCallback(&Stage::draw, &item);
  return item.scene;
}

void Stage::clear(const scene::Rect& rect, const scene::Color& color) {
  Ground& ground = grounds_.emplace_back();
  ground.x = static_cast<int>(rect.x);
  ground.width = static_cast<int>(rect.width);
  ground.height = static_cast<int>(rect.height);
  ground.y = height_ - static_cast<int>(rect.y) - ground.height;
  ground.color = color;
  if (ground.width > 0 && ground.height > 0)
    ImGui::GetWindowDrawList()->AddCallback(&Stage::draw_ground, &ground);
}

void Stage::draw_ground(const ImDrawList*, const ImDrawCmd* command) {
  // ImGui sets the scissor again before each of its own commands.
  const Ground& g = *static_cast<const Ground*>(command->UserCallbackData);
  glEnable(GL_SCISSOR_TEST);
  glScissor(g.x, g.y, g.width, g.height);
  glClearColor(g.color.r, g.color.g, g.color.b, 1);
  glClear(GL_COLOR_BUFFER_BIT);
}

void Stage::draw(const ImDrawList*, const ImDrawCmd* command) {
  const Item& item = *static_cast<const Item*>(command->UserCallbackData);
  if (item.renderer != nullptr) item.renderer->draw(item.scene, item.placement);
}

}  // namespace warplens::panels
