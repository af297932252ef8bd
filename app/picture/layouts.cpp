// Where the elements of a tile lie, and who holds the matrices of an mma.sync.
#include "app/derive/tile_layout.h"
#include "app/picture/pictures.h"
#include "app/scene/layout/fragment_scene.h"
#include "app/scene/layout/tile_scene.h"

namespace warplens::picture {

namespace {

scene::Scene without(const scene::Canvas& canvas, const char* title, const std::string& why) {
  scene::Scene scene;
  scene.width = canvas.width, scene.height = canvas.height;
  scene.title = (*canvas.strings)(title);
  scene.nothing = why;
  return scene;
}

}  // namespace

scene::Scene layout(const Inputs& in, const scene::Canvas& canvas) {
  const language::Strings& strings = *canvas.strings;
  const app::Simulation& s = *in.simulation;
  const app::FoundTile found = app::tile_layout(s);
  if (found.tile == nullptr)
    return without(canvas, "layout.title", strings("layout.none") + "\n" + strings(app::key_of(found.why)));
  scene::TileView view = app::tile_view(*found.tile, s);
  if (in.motion != nullptr && view.now) view.progress = in.motion->wavefront(in.now);
  if (in.whole) view.now = false;
  return scene::tile_scene(view, canvas);
}

scene::Scene fragments(const Inputs& in, const scene::Canvas& canvas) {
  const app::Simulation& s = *in.simulation;
  const auto shapes = s.compiled == nullptr ? std::vector<layout::MmaShape>()
                                            : layout::mma_shapes_in(s.compiled->setup.compile.text);
  if (shapes.empty()) return without(canvas, "fragments.title", (*canvas.strings)("fragments.none"));
  return scene::fragment_scene({shapes.front()}, canvas);
}

}  // namespace warplens::picture
