// The matrix map and the phases of a corner turn: what a block or the grid does, beside the access looked at.
#include "app/derive/corner_turn.h"
#include "app/picture/pictures.h"

namespace warplens::picture {
namespace {

using app::MapScope;

std::string index_text(const sim::Dim3& block) {
  return std::to_string(block.x) + "," + std::to_string(block.y) +
         (block.z > 0 ? "," + std::to_string(block.z) : "");
}

// "block 0,3: 4,096 sector visits · 1,024 sectors"; while they are counted, how far it is.
std::string counted_text(const Inputs& in, const language::Strings& strings) {
  const app::MapOnScreen& map = *in.map;
  if (!map.fresh) {
    return strings("map.counting", {{"percent", std::to_string(static_cast<int>(100 * map.progress))}});
  }
  if (!map.heat) return {};
  const app::Simulation& s = *in.simulation;
  std::string who = strings("map.who.grid");
  if (map.scope == MapScope::Block) who = strings("map.who.block", {{"block", index_text(s.place.block)}});
  if (map.scope == MapScope::Warp) who = strings("map.who.warp", {{"n", std::to_string(s.place.warp)}});
  std::string text =
      strings("map.counted", {{"who", who},
                              {"total", grouped(static_cast<long long>(map.heat->total()))},
                              {"sectors", grouped(static_cast<long long>(map.heat->touched()))}});
  if (map.scope != MapScope::Grid && s.cut_short()) text += " · " + strings("map.cut");
  return text;
}

std::string why_no_map(const Inputs& in, const language::Strings& strings) {
  const app::MapOnScreen& map = *in.map;
  if (!map.error.empty()) return strings(map.error);
  if (map.too_large) return strings("map.too_large");
  if (map.parameter < 0) return strings("map.none");
  return map.heat ? std::string() : counted_text(in, strings);
}

}  // namespace

bool map_has_access(const app::Simulation& s, const app::MapOnScreen& map) {
  return s.global && map.parameter >= 0 && s.global->buffer_base == map.base;
}

scene::Scene matrix_map(const Inputs& in, const scene::Canvas& canvas) {
  const language::Strings& strings = *canvas.strings;
  const app::MapOnScreen& map = *in.map;
  scene::Scene scene;
  scene.nothing = why_no_map(in, strings);
  if (scene.nothing.empty()) {
    scene::MatrixMapView view;
    view.heat = map.heat;
    view.position = app::position_of(map, in.map_view);
    view.base = map.base;
    view.block = map.block;
    view.frame_block = map.scope == MapScope::Grid;
    view.access_is_here = map_has_access(*in.simulation, map);
    if (view.access_is_here) view.access = in.simulation->global->access;
    view.counted = in.map_view.held ? strings("map.held") : counted_text(in, strings);
    scene = scene::matrix_map_scene(view, canvas);
  }
  scene.width = canvas.width, scene.height = canvas.height;
  scene.title = strings("map.title") + (map.buffer.empty() ? "" : " · " + map.buffer);
  return scene;
}

scene::Scene phases(const Inputs& in, const scene::Canvas& canvas) {
  const language::Strings& strings = *canvas.strings;
  const app::Simulation& s = *in.simulation;
  const app::FollowedTurn followed = app::followed_turn(s);
  if (followed.turn == nullptr || s.place.event < 0) {
    scene::Scene scene;
    scene.width = canvas.width, scene.height = canvas.height;
    scene.title = strings("phases.title");
    scene.nothing =
        strings("phases.none") + "\n" + strings(app::key_of(followed.why), {{"array", followed.array}});
    return scene;
  }
  const float progress = in.motion != nullptr ? in.motion->access(in.now) : 1;
  return scene::corner_turn_scene(app::turn_view(*followed.turn, s, progress, in.stills), canvas);
}

}  // namespace warplens::picture
