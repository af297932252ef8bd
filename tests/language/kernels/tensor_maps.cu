// Boxes of a tensor, which a tensor map describes, between global and shared memory: of one, two and three
// dimensions, across its edges, swizzled, and added to what lies there.
#include <cuda.h>

#include <cstdint>

constexpr int COLUMNS = 32, ROWS = 8;

__device__ __forceinline__ uint32_t shared_address(const void* pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}
__device__ __forceinline__ void barrier_init(uint64_t* bar, int count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(bar)), "r"(count));
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
__device__ __forceinline__ void barrier_expect(uint64_t* bar, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(bar)), "r"(bytes));
}
__device__ __forceinline__ void barrier_wait(uint64_t* bar, int parity) {
  asm volatile(
      "{\n.reg .pred p;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@p bra done;\nbra again;\n"
      "done:\n}" ::"r"(shared_address(bar)),
      "r"(parity)
      : "memory");
}
__device__ __forceinline__ void load_2d(void* to, const CUtensorMap* map, uint64_t* bar, int x, int y) {
  uint64_t at = reinterpret_cast<uint64_t>(map);
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(
          shared_address(to)),
      "l"(at), "r"(shared_address(bar)), "r"(x), "r"(y)
      : "memory");
}

// The box of each block, as it lies in shared memory. Boxes reach beyond every edge of the tensor.
__global__ void read_boxes(const __grid_constant__ CUtensorMap map, int* out) {
  __shared__ alignas(1024) int tile[ROWS * COLUMNS];
  __shared__ alignas(8) uint64_t bar;
  if (threadIdx.x == 0) barrier_init(&bar, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    barrier_expect(&bar, sizeof tile);
    load_2d(tile, &map, &bar, static_cast<int>(blockIdx.x) * COLUMNS - 8, static_cast<int>(blockIdx.y) * ROWS - 2);
  }
  barrier_wait(&bar, 0);
  int block = blockIdx.y * gridDim.x + blockIdx.x;
  for (int i = threadIdx.x; i < ROWS * COLUMNS; i += blockDim.x) out[block * ROWS * COLUMNS + i] = tile[i];
}

// One thread expects all bytes; threads of another warp copy them, each a row.
__global__ void rows_of_many(const __grid_constant__ CUtensorMap map, int* out, int first) {
  __shared__ alignas(128) int tile[16][COLUMNS];
  __shared__ alignas(8) uint64_t bar;
  if (threadIdx.x == 0) barrier_init(&bar, 1);
  __syncthreads();
  if (threadIdx.x == 0) barrier_expect(&bar, sizeof tile);
  int row = static_cast<int>(threadIdx.x) - 32;
  if (row >= 0 && row < 16) load_2d(tile[row], &map, &bar, 0, first + row);
  barrier_wait(&bar, 0);
  for (int i = threadIdx.x; i < 16 * COLUMNS; i += blockDim.x) out[i] = tile[i / COLUMNS][i % COLUMNS];
}

__global__ void read_slices(const CUtensorMap* map, int* out, int x, int y, int z) {
  extern __shared__ __align__(128) int slices[];
  __shared__ alignas(8) uint64_t bar;
  if (threadIdx.x == 0) barrier_init(&bar, 1);
  __syncthreads();
  const int count = 2 * 3 * 8;
  if (threadIdx.x == 0) {
    barrier_expect(&bar, count * sizeof(int));
    asm volatile(
        "cp.async.bulk.tensor.3d.shared::cta.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint "
        "[%0], [%1, {%3, %4, %5}], [%2], %6;" ::"r"(shared_address(slices)),
        "l"(map), "r"(shared_address(&bar)), "r"(x), "r"(y), "r"(z), "l"(0x1000000000000000ull)
        : "memory");
  }
  barrier_wait(&bar, 0);
  for (int i = threadIdx.x; i < count; i += blockDim.x) out[i] = slices[i];
}

__global__ void read_line(const __grid_constant__ CUtensorMap map, int* out, int x) {
  __shared__ alignas(128) int line[64];
  __shared__ alignas(8) uint64_t bar;
  if (threadIdx.x == 0) {
    barrier_init(&bar, 1);
    barrier_expect(&bar, sizeof line);
    asm volatile(
        "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3}], [%2];" ::"r"(
            shared_address(line)),
        "l"(&map), "r"(shared_address(&bar)), "r"(x)
        : "memory");
  }
  __syncthreads();
  barrier_wait(&bar, 0);
  out[threadIdx.x] = line[threadIdx.x];
}

// The numbers of each block's box say where it reads: no two blocks do the same.
__global__ void gather_by_box(const __grid_constant__ CUtensorMap map, const int* table, int* out) {
  __shared__ alignas(128) int tile[ROWS * COLUMNS];
  __shared__ alignas(8) uint64_t bar;
  if (threadIdx.x == 0) barrier_init(&bar, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    barrier_expect(&bar, sizeof tile);
    load_2d(tile, &map, &bar, 0, static_cast<int>(blockIdx.x) * ROWS);
  }
  barrier_wait(&bar, 0);
  int i = blockIdx.x * ROWS * COLUMNS + threadIdx.x;
  out[i] = table[tile[threadIdx.x]];
}

// What lies beyond the tensor's edge is not stored. `adds`: to what is there.
__global__ void write_boxes(const __grid_constant__ CUtensorMap map, bool adds) {
  __shared__ alignas(1024) int tile[ROWS][COLUMNS];
  for (int i = threadIdx.x; i < ROWS * COLUMNS; i += blockDim.x)
    tile[i / COLUMNS][i % COLUMNS] = 1000 * (blockIdx.x + 1) + i;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    int x = static_cast<int>(blockIdx.x) * 24, y = 4;
    uint64_t at = reinterpret_cast<uint64_t>(&map);
    if (adds)
      asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(at),
                   "r"(shared_address(tile)), "r"(x), "r"(y)
                   : "memory");
    else
      asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(at),
                   "r"(shared_address(tile)), "r"(x), "r"(y)
                   : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
  }
}

CUtensorMap map_of(int* data, uint64_t width, uint64_t height, CUtensorMapSwizzle swizzle) {
  CUtensorMap map;
  uint64_t size[] = {width, height}, pitch[] = {width * sizeof(int)};
  uint32_t box[] = {COLUMNS, ROWS}, steps[] = {1, 1};
  cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, data, size, pitch, box, steps,
                         CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                         CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  return map;
}

void run(int* data, int* out, const CUtensorMap* slices) {
  read_boxes<<<dim3(2, 3), 64>>>(map_of(data, 40, 20, CU_TENSOR_MAP_SWIZZLE_128B), out);
  rows_of_many<<<1, 64>>>(map_of(data, 32, 40, CU_TENSOR_MAP_SWIZZLE_NONE), out, 3);
  gather_by_box<<<4, 256>>>(map_of(data, 32, 32, CU_TENSOR_MAP_SWIZZLE_NONE), data, out);
  read_slices<<<1, 32, 192>>>(slices, out, 4, 2, 1);
  read_line<<<1, 64>>>(map_of(data, 100, 1, CU_TENSOR_MAP_SWIZZLE_NONE), out, 60);
  write_boxes<<<2, 64>>>(map_of(data, 44, 10, CU_TENSOR_MAP_SWIZZLE_NONE), false);
}
