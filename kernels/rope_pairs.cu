// Rotary position embedding: each pair of elements of a head is turned
// by an angle of its position. Here the elements of a pair lie side by
// side, and are read one by one: each request takes every second
// element, and fetches all of them.
//
//     x   a0 b0 a1 b1 a2 b2 a3 b3 ...
//         ^     ^     ^     ^          one request
__global__ void rope_pairs(float* out, const float* in,
                           const float* cosines, const float* sines,
                           int heads) {
  int pair = threadIdx.x, pairs = blockDim.x;
  int head = blockIdx.x * blockDim.y + threadIdx.y;
  int position = blockIdx.y;
  if (head >= heads)
    return;
  const float* x = in + (position * heads + head) * 2 * pairs;
  float* y = out + (position * heads + head) * 2 * pairs;
  float c = cosines[position * pairs + pair];
  float s = sines[position * pairs + pair];
  float a = x[2 * pair], b = x[2 * pair + 1];
  y[2 * pair] = a * c - b * s;
  y[2 * pair + 1] = a * s + b * c;
}
