in float across;
flat in float half_width;
flat in vec4 arc_color;

uniform vec2 extra;

out vec4 color;  // premultiplied

void main() {
  float coverage = clamp(half_width + 0.5 - abs(across), 0.0, 1.0) * arc_color.a * extra.y;
  color = vec4(arc_color.rgb * coverage, coverage);
}
