#include "app/panels/widgets/scene_batch.h"

#include <algorithm>

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

namespace {

ImVec4 floats(const PixelRect& r) {
  return {static_cast<float>(r.left), static_cast<float>(r.top), static_cast<float>(r.right),
          static_cast<float>(r.bottom)};
}

const ImDrawVert& vertex(const ImDrawList& list, const ImDrawCmd& command, unsigned index) {
  const auto at =
      static_cast<int>(command.VtxOffset + list.IdxBuffer[static_cast<int>(command.IdxOffset + index)]);
  return list.VtxBuffer[at];
}

}  // namespace

std::vector<PixelRect> Redraw::cut(ImDrawData* frame, SceneBatch* stage, const scene::Color& ground,
                                   int width, int height) {
  boxes_.clear();
  foreign_ = false;
  damage_.begin(width, height);
  const float under[] = {ground.r, ground.g, ground.b, 1};
  damage_.add({0, 0, width, height}, hash_of(under, sizeof under));
  for (int i = 0; i < frame->CmdListsCount; ++i) describe(*frame->CmdLists[i], *stage, height);
  if (foreign_) damage_.forget();
  std::vector<PixelRect> parts = damage_.finish();
  stage->restrict_to(parts);
  next_box_ = 0;
  frame->TotalIdxCount = 0;
  for (int i = 0; i < frame->CmdListsCount; ++i) {
    cut(frame->CmdLists[i], parts, height);
    frame->TotalIdxCount += frame->CmdLists[i]->IdxBuffer.Size;
  }
  return parts;
}

void Redraw::describe(const ImDrawList& list, const SceneBatch& stage, int height) {
  hashes_.resize(static_cast<std::size_t>(list.VtxBuffer.Size));
  for (int i = 0; i < list.VtxBuffer.Size; ++i) {
    hashes_[static_cast<std::size_t>(i)] = hash_of(&list.VtxBuffer[i], sizeof(ImDrawVert));
  }
  for (const ImDrawCmd& command : list.CmdBuffer) {
    if (command.UserCallback == nullptr) {
      describe(list, command, height);
    } else if (!stage.describe(command, &damage_)) {
      foreign_ = true;
    }
  }
}

void Redraw::describe(const ImDrawList& list, const ImDrawCmd& command, int height) {
  const PixelRect clip = clipped_pixels(command.ClipRect, height);
  const std::uint64_t with = mix(texture_of(command), hash_of(&clip, sizeof clip));
  for (unsigned i = 0; i + 2 < command.ElemCount; i += 3) {
    const ImDrawVert* corners[3];
    std::uint64_t what = with;
    for (unsigned k = 0; k < 3; ++k) {
      corners[k] = &vertex(list, command, i + k);
      what = mix(what, hashes_[static_cast<std::size_t>(corners[k] - list.VtxBuffer.Data)]);
    }
    const auto [left, right] = std::minmax({corners[0]->pos.x, corners[1]->pos.x, corners[2]->pos.x});
    const auto [top, bottom] = std::minmax({corners[0]->pos.y, corners[1]->pos.y, corners[2]->pos.y});
    boxes_.push_back({left, top, right, bottom});
    damage_.add(intersection(gl::pixels_around(left, top, right, bottom), clip), what);
  }
}

void Redraw::cut(ImDrawList* list, const std::vector<PixelRect>& parts, int height) {
  commands_.resize(0);
  indices_.resize(0);
  for (const ImDrawCmd& command : list->CmdBuffer) {
    if (command.UserCallback != nullptr) {
      if (!parts.empty()) commands_.push_back(command);
      continue;
    }
    cut(*list, command, boxes_.data() + next_box_, parts, height);
    next_box_ += command.ElemCount / 3;
  }
  list->CmdBuffer.swap(commands_);
  list->IdxBuffer.swap(indices_);
}

// The command once a part that it shows in, with the triangles that touch it.
void Redraw::cut(const ImDrawList& list, const ImDrawCmd& command, const Box* boxes,
                 const std::vector<PixelRect>& parts, int height) {
  const PixelRect clip = clipped_pixels(command.ClipRect, height);
  for (const PixelRect& part : parts) {
    const PixelRect room = intersection(clip, part);
    if (room.empty()) continue;
    const ImVec4 edges = floats(room);
    ImDrawCmd its = command;
    its.ClipRect = edges;
    its.IdxOffset = static_cast<unsigned>(indices_.Size);
    for (unsigned i = 0; i + 2 < command.ElemCount; i += 3) {
      const Box& box = boxes[i / 3];
      if (box.right < edges.x || box.left > edges.z || box.bottom < edges.y || box.top > edges.w) continue;
      for (unsigned k = 0; k < 3; ++k) {
        indices_.push_back(list.IdxBuffer[static_cast<int>(command.IdxOffset + i + k)]);
      }
    }
    its.ElemCount = static_cast<unsigned>(indices_.Size) - its.IdxOffset;
    if (its.ElemCount > 0) commands_.push_back(its);
  }
}

}  // namespace warplens::panels
