in vec2 texel;
flat in vec4 ink;

uniform sampler2D sheet;
uniform vec2 extra;

out vec4 color;  // premultiplied

void main() {
  float coverage = texelFetch(sheet, ivec2(texel), 0).r * ink.a * extra.y;
  color = vec4(ink.rgb * coverage, coverage);
}
