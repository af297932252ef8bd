#include "sim/cuda/library/library.h"

namespace warplens::cuda {

// What tex1D(), tex2D() and tex3D() make of a texture's elements, as the CUDA C++ Programming Guide has it
// ("Texture Fetching"): a nearest point is that of the floor of the coordinate, a linear one weighs with
// fractions of eight bits. How the GPU rounds those fractions and adds up is not documented: here to the
// nearest, and in float. What the host says are the numbers of CUDA's enumerations: of filters 1 is linear;
// addresses wrap (0), are clamped (1), mirrored (2), or lead to a border of zeros (3).
const LibraryText kTextures = {"texture_fetch_functions.h", {"tex1D", "tex2D", "tex3D"}, "", R"(
struct __Sampler { int w, h, d, address, normalized; };
// A coordinate in texels. A normalized one is brought to 0 to 1 first, where the texture repeats.
__device__ inline float __in_texels(float x, int extent, const __Sampler& s) {
  const float below = floorf(x), fraction = x - below;
  const float mirrored = ((int)below & 1) != 0 ? 1.0f - fraction : fraction;
  const float repeated = s.address == 0 ? fraction : s.address == 2 ? mirrored : x;
  return s.normalized != 0 ? repeated * (float)extent : x;
}
// A texel's number in its dimension: outside of the texture that of the edge, or of the other side.
__device__ inline int __addressed(int i, int extent, const __Sampler& s) {
  const int rest = i % max(extent, 1);
  return s.address == 0 && s.normalized != 0 ? rest + (rest < 0 ? extent : 0) : max(0, min(i, extent - 1));
}
template <typename T, typename Texture>
__device__ inline T __nearest(Texture texture, T zero, int i, int j, int k, const __Sampler& s) {
  const bool is_inside = i >= 0 && i < s.w && j >= 0 && j < s.h && k >= 0 && k < s.d;
  const int row = __addressed(k, s.d, s) * s.h + __addressed(j, s.h, s);
  T v = zero;
  if (s.address != 3 || is_inside) v = tex1Dfetch<T>(texture, row * s.w + __addressed(i, s.w, s));
  return v;
}
__device__ inline float __in_steps(float x) { return floorf((x - floorf(x)) * 256.0f + 0.5f) * (1.0f / 256.0f); }
template <typename T>
__device__ inline T __plus(T sum, float, T) { return sum; }
__device__ inline float __plus(float sum, float w, float v) { return sum + w * v; }
__device__ inline float1 __plus(float1 sum, float w, float1 v) { return make_float1(sum.x + w * v.x); }
__device__ inline float2 __plus(float2 sum, float w, float2 v) { return make_float2(sum.x + w * v.x, sum.y + w * v.y); }
__device__ inline float4 __plus(float4 sum, float w, float4 v) {
  return make_float4(sum.x + w * v.x, sum.y + w * v.y, sum.z + w * v.z, sum.w + w * v.w);
}
// The weighted sum of the two, four or eight texels around.
template <typename T, typename Texture>
__device__ inline T __linear(Texture texture, T zero, float x, float y, float z, int corners, const __Sampler& s) {
  const float u = x - 0.5f, v = y - 0.5f, w = z - 0.5f;
  const float a = __in_steps(u), b = __in_steps(v), c = __in_steps(w);
  T sum = zero;
  for (int i = 0; i < corners; ++i) {
    const int right = i & 1, down = i >> 1 & 1, behind = i >> 2;
    const float weight = (right ? a : 1.0f - a) * (down ? b : 1.0f - b) * (behind ? c : 1.0f - c);
    const T texel = __nearest(texture, zero, (int)floorf(u) + right, (int)floorf(v) + down, (int)floorf(w) + behind, s);
    sum = __plus(sum, weight, texel);
  }
  return sum;
}
// i, j, k: the texel that an unnormalized coordinate lies in. Integers are not weighed: such a texture cannot be
// bound on a GPU either.
template <typename T, typename Texture>
__device__ inline T __sample(Texture texture, T zero, float x, float y, float z, int i, int j, int k, int w, int h, int d,
                             int corners, bool weighs, int filter, int address, int normalized) {
  const __Sampler s = {w, h, d, address, normalized};
  T v = zero;
  if ((filter | normalized) == 0) {
    v = __nearest(texture, zero, i, j, k, s);
  } else {
    const float u = __in_texels(x, w, s), t = __in_texels(y, h, s), r = __in_texels(z, d, s);
    if (!weighs) assert(filter == 0);
    if (filter == 0) v = __nearest(texture, zero, (int)floorf(u), (int)floorf(t), (int)floorf(r), s);
    else if (weighs) v = __linear(texture, zero, u, t, r, corners, s);
  }
  return v;
}
)"};

}  // namespace warplens::cuda
