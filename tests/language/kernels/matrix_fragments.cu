// Which lane holds what after ldmatrix, and what stmatrix makes of it: one, two and four matrices, as they are and
// transposed.
#include <cstdint>

__device__ uint32_t shared_address(const void* p) {
  uint32_t address;
  asm("{ .reg .u64 wide; cvta.to.shared.u64 wide, %1; cvt.u32.u64 %0, wide; }" : "=r"(address) : "l"(p));
  return address;
}

// out[register][lane], registers of x1, x2, x4, then those of the transposed.
__global__ void load_fragments(const unsigned short* in, unsigned int* out) {
  __shared__ __align__(16) unsigned short rows[32][8];
  const int lane = threadIdx.x;
  for (int i = 0; i < 8; ++i) rows[lane][i] = in[lane * 8 + i];
  __syncthreads();
  const uint32_t own = shared_address(rows[lane]);
  uint32_t r[14];
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(own));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(r[1]), "=r"(r[2]) : "r"(own));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6])
               : "r"(own));
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(r[7]) : "r"(own));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
               : "=r"(r[8]), "=r"(r[9])
               : "r"(own));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared::cta.b16 {%0, %1, %2, %3}, [%4 + 0];"
               : "=r"(r[10]), "=r"(r[11]), "=r"(r[12]), "=r"(r[13])
               : "r"(own)
               : "memory");
  for (int i = 0; i < 14; ++i) out[i * 32 + lane] = r[i];
}

// Each lane's registers are its number and the register's; out has the matrices as they come to lie.
__global__ void store_fragments(unsigned short* out) {
  __shared__ __align__(16) unsigned short rows[4][32][8];
  const int lane = threadIdx.x;
  for (int i = 0; i < 32; ++i) (&rows[0][0][0])[lane * 32 + i] = 0;
  __syncthreads();
  uint32_t r[4];
  for (int i = 0; i < 4; ++i) r[i] = (i * 64 + lane * 2) | (i * 64 + lane * 2 + 1) << 16;
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(shared_address(rows[0][lane])),
               "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]));
  asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(
                   shared_address(rows[1][lane])),
               "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]));
  asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(shared_address(rows[2][lane])),
               "r"(r[1]));
  asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::"r"(shared_address(rows[3][lane])),
               "r"(r[2]), "r"(r[3]));
  __syncthreads();
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 8; ++j) out[(i * 32 + lane) * 8 + j] = rows[i][lane][j];
}

// ---- host
void run(const unsigned short* in, unsigned int* registers, unsigned short* out) {
  load_fragments<<<1, 32>>>(in, registers);
  store_fragments<<<1, 32>>>(out);
}
