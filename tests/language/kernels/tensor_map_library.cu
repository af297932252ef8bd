// A tensor copied box by box with the functions of libcu++, as NVIDIA's guide writes it: a barrier that is told how
// many bytes come, and a fence before the box goes back.
#include <cuda.h>
#include <cuda/barrier>

#include <utility>

using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace cde = cuda::device::experimental;

constexpr int SIDE = 16;

__global__ void scale_boxes(const __grid_constant__ CUtensorMap in, const __grid_constant__ CUtensorMap out, float by) {
  __shared__ alignas(128) float tile[SIDE][SIDE];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  int x = blockIdx.x * SIDE, y = blockIdx.y * SIDE;
  barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_tensor_2d_global_to_shared(&tile, &in, x, y, bar);
    token = cuda::device::barrier_arrive_tx(bar, 1, sizeof(tile));
  } else {
    token = bar.arrive();
  }
  bar.wait(std::move(token));
  for (int i = threadIdx.x; i < SIDE * SIDE; i += blockDim.x) tile[i / SIDE][i % SIDE] *= by;
  cde::fence_proxy_async_shared_cta();
  __syncthreads();
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_tensor_2d_shared_to_global(&out, x, y, &tile);
    cde::cp_async_bulk_commit_group();
    cde::cp_async_bulk_wait_group_read<0>();
    (&bar)->~barrier();
  }
}

// The same with cuda::ptx, of one row after another.
__global__ void copy_rows(const __grid_constant__ CUtensorMap in, float* out, int rows) {
  namespace ptx = cuda::ptx;
  __shared__ alignas(128) float line[SIDE * SIDE];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&bar, 1);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  for (int row = 0; row < rows; ++row) {
    if (threadIdx.x == 0) {
      int at[2] = {0, row * SIDE};
      ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, line, &in, at, &bar);
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, sizeof(line));
    }
    while (!ptx::mbarrier_try_wait_parity(&bar, row & 1)) {
    }
    for (int i = threadIdx.x; i < SIDE * SIDE; i += blockDim.x) out[row * SIDE * SIDE + i] = line[i];
    __syncthreads();
  }
}

void run(float* data, float* out, CUtensorMap a, CUtensorMap b) {
  uint64_t size[] = {64, 48}, pitch[] = {64 * sizeof(float)};
  uint32_t box[] = {SIDE, SIDE}, steps[] = {1, 1};
  cuTensorMapEncodeTiled(&a, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, data, size, pitch, box, steps,
                         CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                         CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  scale_boxes<<<dim3(4, 3), 64>>>(a, b, 2.0f);
  copy_rows<<<1, 64>>>(a, out, 3);
}
