// A scene as pixels, without OpenGL: for pictures made where there is no graphics driver. The same shapes as
// the shaders draw, and letters from the fonts of the machine.
#pragma once

#include <string>

#include "app/scene/file/png.h"
#include "app/scene/scene.h"

namespace warplens::scene {

// `scale` pixels a scene unit; over `ground`. An empty picture: `error` says why (too large, no font found).
// A scene without labels needs no font. Throws Stopped where the budget ends.
Image rasterize(const Scene& scene, float scale, Color ground, Message* error,
                Budget& budget = Budget::endless());

}  // namespace warplens::scene
