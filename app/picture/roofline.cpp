// The rungs of the ladder under the roofs of the GPU that they were measured on.
#include "app/readout/words/roofline.h"

#include "app/picture/pictures.h"

namespace warplens::picture {

scene::Scene roofline(const std::vector<app::RungTime>& times, const app::Motion* motion, double now,
                      const scene::Canvas& canvas) {
  const bool moves = motion != nullptr && motion->rung(now) < 1;
  return scene::roofline_scene(app::roofline_view(times, moves ? motion->rung_before : std::string(),
                                                  moves ? motion->rung(now) : 1.0f, *canvas.strings),
                               canvas);
}

}  // namespace warplens::picture
