// Rotary position embedding, pairs side by side, each read as one
// float2: all bytes of a sector are used, and a pair is one request,
// not two. The layout stays; the accesses are wider.
//
//     x   a0 b0 a1 b1 a2 b2 a3 b3 ...
//         ^---- ^---- ^---- ^----      one request
__global__ void rope_float2(float* out, const float* in,
                            const float* cosines, const float* sines,
                            int heads) {
  int pair = threadIdx.x, pairs = blockDim.x;
  int head = blockIdx.x * blockDim.y + threadIdx.y;
  int position = blockIdx.y;
  if (head >= heads)
    return;
  int at = (position * heads + head) * pairs + pair;
  float c = cosines[position * pairs + pair];
  float s = sines[position * pairs + pair];
  float2 v = ((const float2*)in)[at];
  float a = v.x * c - v.y * s, b = v.x * s + v.y * c;
  ((float2*)out)[at] = make_float2(a, b);
}
