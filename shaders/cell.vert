// One instance a cell: a rounded rectangle with a border and a diagonal hatch. The quad is a pixel larger than the
// cell on every side, so that the soft edge has room.
layout(location = 0) in vec4 rect;     // x, y, width, height in scene units
layout(location = 1) in vec4 fill;     // sRGB, not premultiplied
layout(location = 2) in vec4 border;
layout(location = 3) in vec4 hatch_color;
layout(location = 4) in vec3 params;   // radius, border width, hatch distance, in scene units
layout(location = 5) in vec4 part;     // of the quad that is drawn: left, top, right, bottom, -1 to 1

uniform vec4 view;   // origin x, y and size of the framebuffer, in its pixels, y from the top
uniform vec2 extra;  // pixels a scene unit, opacity

out vec2 at;          // pixels from the cell's centre
out vec2 scene_at;    // pixels from the scene's origin, so that hatches of neighbouring cells meet
flat out vec2 half_size;
flat out vec4 fill_color;
flat out vec4 border_color;
flat out vec4 stroke_color;
flat out vec3 shape;  // radius, border width, hatch distance, in pixels

void main() {
  vec2 corner = vec2((gl_VertexID & 1) == 0 ? part.x : part.z, (gl_VertexID >> 1) == 0 ? part.y : part.w);
  half_size = 0.5 * rect.zw * extra.x;
  vec2 centre = (rect.xy + 0.5 * rect.zw) * extra.x;
  at = corner * (half_size + 1.0);
  scene_at = centre + at;
  fill_color = fill;
  border_color = border;
  stroke_color = hatch_color;
  shape = params * extra.x;
  vec2 pixel = (view.xy + scene_at) / view.zw;
  gl_Position = vec4(pixel.x * 2.0 - 1.0, pixel.y * 2.0 - 1.0, 0.0, 1.0);
}
