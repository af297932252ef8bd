#include "app/panels/widgets/redraw.h"

#include <algorithm>

namespace warplens::panels {
namespace {

using gl::hash_of;
using gl::mix;
using gl::PixelRect;

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
