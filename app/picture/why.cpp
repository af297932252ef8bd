// The least time that each resource needs for the launch.
#include "app/picture/pictures.h"

namespace warplens::picture {

scene::Scene why(const app::WhyOf& of, const app::WhyOf* beside, const scene::Canvas& canvas) {
  return scene::why_scene(app::why_view(of, beside, *canvas.strings), canvas);
}

}  // namespace warplens::picture
