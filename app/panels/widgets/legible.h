// Text that keeps its contrast on a tinted ground.
#pragma once

#include "app/scene/palette.h"

namespace warplens::panels {

// `ink`, or as much nearer to the palette's text as a contrast of 4.5 on `ground` asks for.
inline scene::Color legible(scene::Color ink, scene::Color ground, const scene::Palette& palette) {
  for (float t = 0; t < 1; t += 0.1f) {
    const scene::Color mixed = scene::mix(ink, palette.text, t);
    if (scene::contrast(mixed, ground) >= 4.6f) return mixed;
  }
  return palette.text;
}

}  // namespace warplens::panels
