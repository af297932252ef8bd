// ldmatrix: each lane gives the address of a row of 16 bytes. Eight
// rows are a matrix of 8 x 8 halves; the warp gets four, two halves of
// each a lane. The eight rows of a matrix want 32 banks:
//
//     rows  64 bytes apart   4-way      80 bytes apart   no conflict
//     rows 128 bytes apart   8-way     144 bytes apart   no conflict
//
// or in rows of 32, 64, 128 bytes the swizzle that TMA fills them with
// (BITS 1, 2, 3): chunk c of 16 bytes at c XOR a part of the row.
#include <cstdint>

template <int COLUMNS, int PAD, int BITS>
__device__ int f(int row, int column) {
  int i = row * (COLUMNS + PAD) + column;
  return i ^ ((i >> 6 & ((1 << BITS) - 1)) << 3);
}

template <int COLUMNS, int PAD, int BITS, bool TRANSPOSED>
__global__ void layout_ldmatrix(uint16_t* out, const uint16_t* in) {
  __shared__ __align__(1024) uint16_t tile[16][COLUMNS + PAD];
  uint16_t* halves = &tile[0][0];
  for (int i = threadIdx.x; i < 16 * COLUMNS; i += blockDim.x)
    halves[f<COLUMNS, PAD, BITS>(i / COLUMNS, i % COLUMNS)] = in[i];
  __syncthreads();
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  int row = lane % 16, column = warp * 16 + lane / 16 * 8;
  uint32_t at = static_cast<uint32_t>(__cvta_generic_to_shared(
      &halves[f<COLUMNS, PAD, BITS>(row, column)]));
  uint4 r;
  if (TRANSPOSED)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 "
                 "{%0, %1, %2, %3}, [%4];"
                 : "=r"(r.x), "=r"(r.y), "=r"(r.z), "=r"(r.w)
                 : "r"(at));
  else
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 "
                 "{%0, %1, %2, %3}, [%4];"
                 : "=r"(r.x), "=r"(r.y), "=r"(r.z), "=r"(r.w)
                 : "r"(at));
  reinterpret_cast<uint4*>(out)[threadIdx.x] = r;
}
