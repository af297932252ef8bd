// A load that only a branch needs is made in it, by the lanes that take it; one that is needed elsewhere, or
// that a store may change, stays where it is.

// Half of the lanes store, and half of them load.
__global__ void guarded(float* out, const float* q, int n) {
  int i = threadIdx.x;
  float v = q[i];
  if (i < n) out[i] = v;
}
__global__ void left_early(float* out, const float4* q, int n) {
  int i = threadIdx.x;
  float4 v = q[i];
  if (i >= n) return;
  out[i] = v.x + v.y + v.z + v.w;
}
// Both conditions are tested at once.
__global__ void guarded_twice(float* out, const float* q, int n) {
  int i = threadIdx.x;
  float v = q[i];
  if (i < n) {
    if (i > 7) out[i] = v;
  }
}
__global__ void past_a_store(float* __restrict__ out, const float* __restrict__ q, int n) {
  int i = threadIdx.x;
  float v = q[i];
  out[i + 32] = 1;
  if (i < n) out[i] = v;
}

// All lanes load: for a condition, for both sides, for what is computed twice from it, for a choice between
// two values, in front of a loop, and where the store may be to q.
__global__ void stays(float* out, const float* q, int n) {
  int i = threadIdx.x;
  float for_condition = q[i], for_both = q[i + 32], for_two = q[i + 64], for_choice = q[i + 96],
        for_loop = q[i + 128], before_store = q[i + 160];
  float chosen = 1;
  if (i < n) {
    if (for_condition > 2) out[i] = 1;
  }
  if (i < n)
    out[i + 32] = for_both;
  else
    out[i + 32] = for_both + 1;
  float square = for_two * for_two;
  if (i < n) out[i + 64] = square + for_two;
  if (i < n) chosen = for_choice * 2;
  out[i + 96] = chosen;
  if (i < n)
    for (int k = 0; k < n; ++k) out[i + 128 + 32 * k] = for_loop;
  out[i + 640] = 4;
  if (i < n) out[i + 672] = before_store;
}

// ---- host
int main() {
  guarded<<<1, 32>>>(out, q, 16);
  left_early<<<1, 32>>>(out, quads, 16);
  guarded_twice<<<1, 32>>>(out, q, 16);
  past_a_store<<<1, 32>>>(out, q, 16);
  stays<<<1, 32>>>(out, q, 16);
}
