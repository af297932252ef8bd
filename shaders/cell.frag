in vec2 at;
in vec2 scene_at;
flat in vec2 half_size;
flat in vec4 fill_color;
flat in vec4 border_color;
flat in vec4 stroke_color;
flat in vec3 shape;

uniform vec2 extra;

out vec4 color;  // premultiplied

// Distance to the rounded rectangle's edge: negative inside.
float distance_to_edge(vec2 point, vec2 half_extent, float radius) {
  vec2 q = abs(point) - half_extent + radius;
  return length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - radius;
}

vec4 premultiplied(vec4 c) { return vec4(c.rgb * c.a, c.a); }

void main() {
  float radius = min(shape.x, min(half_size.x, half_size.y));
  float edge = distance_to_edge(at, half_size, radius);
  float outer = clamp(0.5 - edge, 0.0, 1.0);
  float inner = shape.y > 0.0 ? clamp(0.5 - edge - shape.y, 0.0, 1.0) : outer;

  vec4 inside = premultiplied(fill_color);
  if (shape.z > 0.0) {  // strokes like "/", a quarter of their distance wide
    float across = (scene_at.x + scene_at.y) * 0.70710678;
    float from_stroke = abs(mod(across, shape.z) - 0.5 * shape.z);
    float stroke = clamp(0.125 * shape.z + 0.5 - from_stroke, 0.0, 1.0);
    vec4 over = premultiplied(stroke_color) * stroke;
    inside = over + inside * (1.0 - over.a);
  }
  color = (inside * inner + premultiplied(border_color) * (outer - inner)) * extra.y;
}
