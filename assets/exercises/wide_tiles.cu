// Shared memory by float2 and float4: a wide access is served in parts. Claim ways and wavefronts of each.
__global__ void wide_tiles(float* out) {
  __shared__ float2 pairs[64];
  __shared__ float4 quads[64];
  int t = threadIdx.x;
  pairs[t] = make_float2(t, t);                 // ?-way, ? wavefronts
  quads[t] = make_float4(t, t, t, t);           // ?-way, ? wavefronts
  pairs[t + 32] = make_float2(t, t);
  quads[t + 32] = make_float4(t, t, t, t);
  __syncthreads();
  float2 a = pairs[2 * t % 64];  // ?-way, ? wavefronts
  float4 b = quads[2 * t % 64];  // ?-way, ? wavefronts
  out[t] = a.x + a.y + b.x + b.w;
}
