// One instance a letter: as many pixels as it has on the sheet, each of them once.
layout(location = 0) in vec4 place;  // left, top, width, height in pixels, from the picture's origin
layout(location = 1) in vec2 corner; // of the letter, on the sheet
layout(location = 2) in vec4 tint;   // sRGB, not premultiplied

uniform vec4 view;

out vec2 texel;
flat out vec4 ink;

void main() {
  vec2 at = vec2(gl_VertexID & 1, gl_VertexID >> 1) * place.zw;
  texel = corner + at;
  ink = tint;
  vec2 pixel = (view.xy + place.xy + at) / view.zw;
  gl_Position = vec4(pixel.x * 2.0 - 1.0, pixel.y * 2.0 - 1.0, 0.0, 1.0);
}
