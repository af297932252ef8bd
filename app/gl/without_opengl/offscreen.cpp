// For builds without OpenGL: what needs it says so.
#include "app/gl/offscreen.h"

namespace warplens::gl {

struct Offscreen::Device {};
Offscreen::Offscreen(Context context) : context_(context) {}
Offscreen::~Offscreen() = default;

scene::Image Offscreen::draw(const scene::Scene&, float, scene::Color, Message* error, Budget&) {
  *error = Message("a PNG is drawn by OpenGL, which this build has not; an SVG needs none");
  return {};
}

}  // namespace warplens::gl
