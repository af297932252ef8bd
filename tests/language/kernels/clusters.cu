// Clusters of blocks that reach into each other's shared memory: a histogram over all blocks of a cluster, a halo
// from the neighbour's tile, a sum by rank 0, and the same exchange in inline PTX.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

constexpr int kBinsOfBlock = 32;

__global__ void __cluster_dims__(4, 1, 1) cluster_histogram(const int* in, int* bins, int n) {
  __shared__ int counts[kBinsOfBlock];
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x < kBinsOfBlock) counts[threadIdx.x] = 0;
  cluster.sync();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int bin = in[i] & (kBinsOfBlock * 4 - 1);
    int* of_block = cluster.map_shared_rank(counts, bin / kBinsOfBlock);
    atomicAdd(of_block + bin % kBinsOfBlock, 1);
  }
  cluster.sync();
  if (threadIdx.x < kBinsOfBlock)
    atomicAdd(&bins[cluster.block_rank() * kBinsOfBlock + threadIdx.x], counts[threadIdx.x]);
}

__global__ void __cluster_dims__(2, 2, 1) cluster_ranks(int* out) {
  cg::cluster_group cluster = cg::this_cluster();
  __shared__ int mine;
  mine = 100 * blockIdx.y + blockIdx.x;
  cluster.sync();
  unsigned int next = (cluster.block_rank() + 1) % cluster.num_blocks();
  int* of_next = cluster.map_shared_rank(&mine, next);
  int block = blockIdx.y * gridDim.x + blockIdx.x;
  dim3 at = cluster.block_index(), extent = cluster.dim_blocks();
  if (threadIdx.x == 0) {
    out[4 * block] = *of_next;
    out[4 * block + 1] = cluster.query_shared_rank(of_next);
    out[4 * block + 2] = at.x + 10 * at.y + 100 * extent.x + 1000 * extent.y;
    out[4 * block + 3] = cluster.thread_rank() + cluster.num_threads();
  }
  cluster.sync();
}

__global__ void __cluster_dims__(2) cluster_sum(const float* in, float* out) {
  extern __shared__ float tile[];
  auto cluster = cg::this_cluster();
  tile[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  cluster.barrier_arrive();
  cluster.barrier_wait();
  if (cluster.block_rank() == 0) {
    const float* other = cluster.map_shared_rank(tile, 1);
    out[blockIdx.x / 2 * blockDim.x + threadIdx.x] = tile[threadIdx.x] + other[threadIdx.x];
  }
  cluster.sync();
}

__device__ unsigned int shared_address(const void* pointer) {
  return static_cast<unsigned int>(__cvta_generic_to_shared(pointer));
}

__global__ void __cluster_dims__(2, 1, 1) cluster_ptx(const int* in, int* out) {
  __shared__ int box[32];
  unsigned int rank, blocks;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(blocks));
  unsigned int there;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
               : "=r"(there)
               : "r"(shared_address(box + threadIdx.x)), "r"(blocks - 1 - rank));
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;");
  int value = in[blockIdx.x * 32 + threadIdx.x];
  asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(there), "r"(value));
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;");
  int seen;
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(seen) : "r"(there));
  out[blockIdx.x * 32 + threadIdx.x] = 1000 * box[threadIdx.x] + seen;
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;");
}

void run(const int* in, int* bins, const float* values, float* sums, int n) {
  cluster_histogram<<<8, 64>>>(in, bins, n);
  cluster_ranks<<<dim3(4, 2), 32>>>(bins);
  cluster_sum<<<8, 32, 32 * sizeof(float)>>>(values, sums);
  cluster_ptx<<<4, 32>>>(in, bins);
}
