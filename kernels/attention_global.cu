// Attention of one head a grid row: every query is compared with all
// keys, and the values are added up with the softmax of that. A warp a
// query, 32 keys at a time, a lane a key: the lanes walk along the keys
// side by side, a key's length apart, 32 sectors a request.
template <int D>
__global__ void attention_global(float* out, const float* q,
                                 const float* k, const float* v,
                                 int n) {
  int lane = threadIdx.x, head = blockIdx.y * n * D;
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= n)
    return;
  const float* query = q + head + row * D;
  float most = -3e38f, sum = 0.0f, result[D / 32] = {};
  for (int first = 0; first < n; first += 32) {
    float score = -3e38f;
    if (first + lane < n) {
      const float* key = k + head + (first + lane) * D;
      score = 0.0f;
      for (int d = 0; d < D; ++d)
        score += query[d] * key[d];
      score *= 1.0f / sqrtf(D);
    }
    // The softmax so far is scaled down where a larger score comes.
    float larger = fmaxf(most, score);
    for (int by = 16; by > 0; by /= 2)
      larger = fmaxf(larger, __shfl_xor_sync(~0u, larger, by));
    float share = expf(score - larger), rest = expf(most - larger);
    most = larger;
    sum = sum * rest + share;
    for (int m = 0; m < D / 32; ++m)
      result[m] *= rest;
    // A lane a column of the values: neighbours read neighbours.
    for (int j = 0; j < min(32, n - first); ++j) {
      float of_key = __shfl_sync(~0u, share, j);
      const float* value = v + head + (first + j) * D;
      for (int m = 0; m < D / 32; ++m)
        result[m] += of_key * value[32 * m + lane];
    }
  }
  for (int by = 16; by > 0; by /= 2)
    sum += __shfl_xor_sync(~0u, sum, by);
  for (int m = 0; m < D / 32; ++m)
    out[head + row * D + 32 * m + lane] = result[m] / sum;
}
