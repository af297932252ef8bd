#include "app/panels/widgets/scene_batch.h"

namespace warplens::panels {
namespace {

using gl::hash_of;
using gl::mix;
using gl::PixelRect;

// The values of a shape as the renderer uses them, without the padding between them.
std::uint64_t hash_of_cell(const scene::Cell& c) {
  const float values[] = {c.rect.x,        c.rect.y,        c.rect.width,    c.rect.height,   c.radius,
                          c.fill.r,        c.fill.g,        c.fill.b,        c.fill.a,        c.border.r,
                          c.border.g,      c.border.b,      c.border.a,      c.border_width,  c.hatch,
                          c.hatch_color.r, c.hatch_color.g, c.hatch_color.b, c.hatch_color.a, 0};
  return hash_of(values, sizeof values);
}

std::uint64_t hash_of_arc(const scene::Arc& a) {
  const float values[] = {a.from.x,  a.from.y,  a.to.x,    a.to.y,  a.color.r,
                          a.color.g, a.color.b, a.color.a, a.width, a.drawn};
  return hash_of(values, sizeof values);
}

}  // namespace

void SceneBatch::begin_frame(int width, int height) {
  width_ = width;
  height_ = height;
  items_.clear();
  grounds_.clear();
  parts_ = {{0, 0, width, height}};
}

const scene::Scene& SceneBatch::place(scene::Scene scene, ImVec2 at) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  Item& item = items_.emplace_back();
  item.scene = std::move(scene);
  item.stage = this;
  item.placement.x = at.x;
  item.placement.y = at.y;
  item.placement.framebuffer_width = width_;
  item.placement.framebuffer_height = height_;
  const ImVec2 low = list->GetClipRectMin(), high = list->GetClipRectMax();
  item.clip = clipped_pixels({low.x, low.y, high.x, high.y}, height_);
  list->AddCallback(&SceneBatch::draw, &item);
  list->AddCallback(ImDrawCallback_ResetRenderState, nullptr);
  return item.scene;
}

void SceneBatch::clear(const scene::Rect& rect, const scene::Color& color) {
  Ground& ground = grounds_.emplace_back();
  const auto x = static_cast<int>(rect.x), y = static_cast<int>(rect.y);
  ground.rect = {x, y, x + static_cast<int>(rect.width), y + static_cast<int>(rect.height)};
  ground.color = color;
  ground.stage = this;
  if (!ground.rect.empty()) ImGui::GetWindowDrawList()->AddCallback(&SceneBatch::draw_ground, &ground);
}

void SceneBatch::draw_ground(const ImDrawList*, const ImDrawCmd* command) {
  // ImGui sets the scissor again before each of its own commands.
  const Ground& ground = *static_cast<const Ground*>(command->UserCallbackData);
  glEnable(GL_SCISSOR_TEST);
  glClearColor(ground.color.r, ground.color.g, ground.color.b, 1);
  for (const PixelRect& part : ground.stage->parts_) {
    const PixelRect r = intersection(ground.rect, part);
    if (r.empty()) continue;
    glScissor(r.left, r.top, r.right - r.left, r.bottom - r.top);
    glClear(GL_COLOR_BUFFER_BIT);
  }
}

void SceneBatch::draw(const ImDrawList*, const ImDrawCmd* command) {
  const Item& item = *static_cast<const Item*>(command->UserCallbackData);
  if (item.stage->renderer_ == nullptr) return;
  gl::Placement placement = item.placement;
  for (const PixelRect& part : item.stage->parts_) {
    const PixelRect r = intersection(item.clip, part);
    if (r.empty()) continue;
    placement.clip = {static_cast<float>(r.left), static_cast<float>(r.top),
                      static_cast<float>(r.right - r.left), static_cast<float>(r.bottom - r.top)};
    item.stage->renderer_->draw(item.scene, placement);
  }
}

bool SceneBatch::describe(const ImDrawCmd& command, gl::Damage* damage) const {
  if (command.UserCallback == ImDrawCallback_ResetRenderState) return true;
  if (command.UserCallback == &SceneBatch::draw) {
    describe(*static_cast<const Item*>(command.UserCallbackData), damage);
    return true;
  }
  if (command.UserCallback != &SceneBatch::draw_ground) return false;
  const Ground& ground = *static_cast<const Ground*>(command.UserCallbackData);
  const float color[] = {ground.color.r, ground.color.g, ground.color.b, 1};
  const PixelRect& r = ground.rect;
  damage->add(r, mix(hash_of(color, sizeof color), hash_of(&r, sizeof r)));
  return true;
}

void SceneBatch::describe(const Item& item, gl::Damage* damage) {
  const gl::Placement& at = item.placement;
  const float placed[] = {at.x, at.y, at.scale, at.opacity};
  const std::uint64_t where = mix(hash_of(placed, sizeof placed), hash_of(&item.clip, sizeof item.clip));
  for (const scene::Layer& layer : item.scene.layers) {
    for (const scene::Picture& picture : layer.pictures) {
      // The image is never changed: it is known by its place in memory, and held until it is no longer drawn.
      const auto image = reinterpret_cast<std::uintptr_t>(picture.image.get());
      const std::uint64_t what =
          mix(hash_of(&picture.rect, sizeof picture.rect), hash_of(&image, sizeof image));
      damage->add(intersection(bounds_of(picture, at), item.clip), mix(where, what));
    }
    for (const scene::Arc& arc : layer.arcs) {
      if (arc.drawn <= 0) continue;
      const std::uint64_t what = mix(where, hash_of_arc(arc));
      for (const PixelRect& piece : gl::pieces_of(arc, at)) damage->add(intersection(piece, item.clip), what);
    }
    for (const scene::Cell& cell : layer.cells) {
      damage->add(intersection(bounds_of(cell, at), item.clip), mix(where, hash_of_cell(cell)));
    }
  }
}

}  // namespace warplens::panels
