#include "app/panels/stage.h"

namespace warplens::panels {

void Stage::begin_frame(int width, int height) {
  width_ = width;
  height_ = height;
  items_.clear();
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

void Stage::draw(const ImDrawList*, const ImDrawCmd* command) {
  const Item& item = *static_cast<const Item*>(command->UserCallbackData);
  if (item.renderer != nullptr) item.renderer->draw(item.scene, item.placement);
}

}  // namespace warplens::panels
