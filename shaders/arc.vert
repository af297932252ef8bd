// One instance an arc: a ribbon along a cubic that leaves and arrives vertically, of at most 32 segments. The further it
// goes sideways the more it takes to look round; the rest of the strip has no area, which costs nothing.
layout(location = 0) in vec4 ends;    // from x, y, to x, y in scene units
layout(location = 1) in vec4 tint;    // sRGB, not premultiplied
layout(location = 2) in vec2 params;  // width in scene units, part drawn 0 to 1

uniform vec4 view;
uniform vec2 extra;

out float across;  // pixels from the middle line
flat out float half_width;
flat out vec4 arc_color;

void main() {
  float segments = clamp(ceil(sqrt(12.0 * abs(ends.z - ends.x) * extra.x)), 1.0, 32.0);
  float t = params.y * min(float(gl_VertexID >> 1) / segments, 1.0);
  float side = float(gl_VertexID & 1) * 2.0 - 1.0;
  vec2 a = ends.xy * extra.x, d = ends.zw * extra.x;
  float bend = 0.5 * (d.y - a.y);
  vec2 b = vec2(a.x, a.y + bend), c = vec2(d.x, d.y - bend);
  float u = 1.0 - t;
  vec2 point = u * u * u * a + 3.0 * u * u * t * b + 3.0 * u * t * t * c + t * t * t * d;
  vec2 along = u * u * (b - a) + 2.0 * u * t * (c - b) + t * t * (d - c);
  along = dot(along, along) > 1e-6 ? normalize(along) : (dot(d - a, d - a) > 1e-6 ? normalize(d - a) : vec2(0.0, 1.0));
  half_width = 0.5 * params.x * extra.x;
  across = side * (half_width + 1.0);
  point += vec2(-along.y, along.x) * across;
  arc_color = tint;
  vec2 pixel = (view.xy + point) / view.zw;
  gl_Position = vec4(pixel.x * 2.0 - 1.0, pixel.y * 2.0 - 1.0, 0.0, 1.0);
}
