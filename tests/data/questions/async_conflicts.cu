// cp.async of BYTES a lane, past L1 (.cg) or through it (.ca), where a lane's place in the source and in shared memory follows a pattern.
enum Pattern { kStraight, kSourceRows, kTargetRows, kTargetSwizzled, kSourcePermuted, kTargetShifted, kEvenOdd, kBothRows };

template <int BYTES> __device__ int source_of(int pattern, int lane) {
  if (pattern == kSourceRows || pattern == kBothRows) return lane / 2 * 2048 + lane % 2 * BYTES;
  if (pattern == kSourcePermuted) return (lane ^ 5) * BYTES;
  if (pattern == kEvenOdd) return (lane % 16 * 2 + lane / 16) * BYTES;
  return lane * BYTES;
}
template <int BYTES> __device__ int target_of(int pattern, int lane) {
  if (pattern == kTargetRows || pattern == kBothRows) return lane * 128;
  if (pattern == kTargetSwizzled) return (lane ^ lane / 8) * BYTES;
  if (pattern == kTargetShifted) return lane * BYTES + BYTES;
  return lane * BYTES;
}

// Each warp copies TIMES times to a part of the tile of its own; from the second time on its source may lie in L1.
template <int BYTES, int PAST_L1, int PATTERN, int TIMES> __global__ void copy(const char *in, int *out) {
  extern __shared__ __align__(128) char tile[];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned target = __cvta_generic_to_shared(tile + warp * 4096 + target_of<BYTES>(PATTERN, lane));
  const char *source = in + (blockIdx.x * (blockDim.x / 32) + warp) * 32768 + source_of<BYTES>(PATTERN, lane);
  for (int time = 0; time < TIMES; time++) {
    if (PAST_L1) asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(target), "l"(source) : "memory");
    else asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(target), "l"(source), "n"(BYTES) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
  }
}
// The same by a load and a store.
template <int PATTERN> __global__ void load_and_store(const char *in, int *out) {
  extern __shared__ __align__(128) char tile[];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int4 *target = (int4 *)(tile + warp * 4096 + target_of<16>(PATTERN, lane));
  *target = *(const int4 *)(in + (blockIdx.x * (blockDim.x / 32) + warp) * 32768 + source_of<16>(PATTERN, lane));
  __syncwarp();
  if (target->x == 12345) out[lane] = 1;
}
template <int BYTES, int PAST_L1, int PATTERN> void once(const char *in, int *out) {
  copy<BYTES, PAST_L1, PATTERN, 1><<<1, 32, 4096 + 16>>>(in, out);
}
template <int PATTERN> void each(const char *in, int *out) {
  once<4, 0, PATTERN>(in, out);
  once<8, 0, PATTERN>(in, out);
  once<16, 0, PATTERN>(in, out);
  once<16, 1, PATTERN>(in, out);
  load_and_store<PATTERN><<<1, 32, 4096 + 16>>>(in, out);
}
// Many warps and blocks: what arbitration adds.
template <int PATTERN> void many(const char *in, int *out) {
  copy<4, 0, PATTERN, 16><<<264, 256, 32768 + 16>>>(in, out);
  copy<16, 0, PATTERN, 16><<<264, 256, 32768 + 16>>>(in, out);
  copy<16, 1, PATTERN, 16><<<264, 256, 32768 + 16>>>(in, out);
  copy<16, 0, PATTERN, 1><<<264, 256, 32768 + 16>>>(in, out);
  copy<16, 1, PATTERN, 1><<<264, 256, 32768 + 16>>>(in, out);
  load_and_store<PATTERN><<<264, 256, 32768 + 16>>>(in, out);
}
int main() {
  char *in;
  int *out;
  cudaMalloc(&in, 264 * 8 * 32768 + 65536);
  cudaMalloc(&out, 1 << 16);
  each<kStraight>(in, out);
  each<kSourceRows>(in, out);
  each<kTargetRows>(in, out);
  each<kTargetSwizzled>(in, out);
  each<kSourcePermuted>(in, out);
  each<kTargetShifted>(in, out);
  each<kEvenOdd>(in, out);
  each<kBothRows>(in, out);
  copy<16, 0, kStraight, 16><<<1, 32, 4112>>>(in, out);
  copy<16, 1, kStraight, 16><<<1, 32, 4112>>>(in, out);
  copy<4, 0, kStraight, 16><<<1, 32, 4112>>>(in, out);
  copy<16, 0, kTargetRows, 16><<<1, 32, 4112>>>(in, out);
  copy<16, 1, kTargetRows, 16><<<1, 32, 4112>>>(in, out);
  copy<16, 0, kStraight, 16><<<1, 256, 32784>>>(in, out);
  copy<16, 1, kStraight, 16><<<1, 256, 32784>>>(in, out);
  many<kStraight>(in, out);
  many<kTargetRows>(in, out);
  many<kTargetSwizzled>(in, out);
  return cudaDeviceSynchronize();
}
