// Rotary position embedding with the pairs laid out as two halves: the
// first elements of all pairs, then the second ones. Neighbouring lanes
// read neighbouring elements.
//
//     x   a0 a1 a2 a3 ... b0 b1 b2 b3 ...
//         ^  ^  ^  ^                    one request
__global__ void rope_halves(float* out, const float* in,
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
  float a = x[pair], b = x[pair + pairs];
  y[pair] = a * c - b * s;
  y[pair + pairs] = a * s + b * c;
}
