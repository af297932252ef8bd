// Flash attention, forward: tiles of 32 keys and values go through
// shared memory, and every warp of the block, a query each, uses them.
// The scores are never stored. A lane takes a key, so the warp reads a
// column of the tile: without padding all of it lies in one bank.
template <int D, int QUERIES, int PAD>
__global__ void flash_attention(float* out, const float* q,
                                const float* k, const float* v,
                                int n) {
  __shared__ float queries[QUERIES][D];
  __shared__ float keys[32][D + PAD], values[32][D];
  int lane = threadIdx.x, warp = threadIdx.y;
  int row = blockIdx.x * QUERIES + warp, head = blockIdx.y * n * D;
  for (int d = lane; d < D; d += 32)
    queries[warp][d] = row < n ? q[head + row * D + d] : 0.0f;
  float most = -3e38f, sum = 0.0f, result[D / 32] = {};
  for (int first = 0; first < n; first += 32) {
    for (int j = warp; j < 32; j += QUERIES) {
      bool is_key = first + j < n;
      int at = head + (first + j) * D;
      for (int d = lane; d < D; d += 32) {
        keys[j][d] = is_key ? k[at + d] : 0.0f;
        values[j][d] = is_key ? v[at + d] : 0.0f;
      }
    }
    __syncthreads();
    float score = 0.0f;
    for (int d = 0; d < D; ++d)
      score += queries[warp][d] * keys[lane][d];
    score = first + lane < n ? score * (1.0f / sqrtf(D)) : -3e38f;
    // The softmax so far is scaled down where a larger score comes.
    float larger = fmaxf(most, score);
    for (int by = 16; by > 0; by /= 2)
      larger = fmaxf(larger, __shfl_xor_sync(~0u, larger, by));
    float share = expf(score - larger), rest = expf(most - larger);
    most = larger;
    sum = sum * rest + share;
    for (int m = 0; m < D / 32; ++m)
      result[m] *= rest;
    for (int j = 0; j < 32; ++j) {
      float of_key = __shfl_sync(~0u, share, j);
      for (int m = 0; m < D / 32; ++m)
        result[m] += of_key * values[j][32 * m + lane];
    }
    __syncthreads();  // before the next tile is written over this one
  }
  for (int by = 16; by > 0; by /= 2)
    sum += __shfl_xor_sync(~0u, sum, by);
  if (row < n)
    for (int m = 0; m < D / 32; ++m)
      out[head + row * D + 32 * m + lane] = result[m] / sum;
}
