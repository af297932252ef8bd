#include "sim/cuda/library/library.h"

namespace warplens::cuda {

// Copies in bulk of libcu++: <cuda/barrier> with cuda::device and its experimental functions, and cuda::ptx,
// each as the inline PTX that it stands for (CUDA C++ Programming Guide, "Asynchronous Data Copies using the
// Tensor Memory Accelerator"; libcu++, "PTX instructions"). Tags of spaces, scopes and orders are numbers
// here. Left out: multicast, copies between the blocks of a cluster, boxes of more than three dimensions.
const LibraryText kBulkCopies = {"cuda/barrier",
                                 {"cuda::device", "cde::", "barrier_arrive_tx"},
                                 "void cp_async_bulk_tensor_2d_global_to_shared(",
                                 R"(
namespace cuda { namespace device {
__device__ inline uint64_t* barrier_native_handle(cuda::barrier<cuda::thread_scope_block>& bar) {
  return reinterpret_cast<uint64_t*>(&bar);
}
__device__ inline unsigned int barrier_address(cuda::barrier<cuda::thread_scope_block>& bar) {
  return (unsigned int)__cvta_generic_to_shared(&bar);
}
__device__ inline void barrier_expect_tx(cuda::barrier<cuda::thread_scope_block>& bar, unsigned int bytes) {
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(barrier_address(bar)), "r"(bytes) : "memory");
}
__device__ inline unsigned int barrier_arrive_tx(cuda::barrier<cuda::thread_scope_block>& bar, unsigned int count,
                                                 unsigned int bytes) {
  unsigned long long state = 0;
  barrier_expect_tx(bar, bytes);
  asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1], %2;" : "=l"(state) : "r"(barrier_address(bar)), "r"(count) : "memory");
  return (unsigned int)state;
}
namespace experimental {
__device__ inline void cp_async_bulk_global_to_shared(void* to, const void* from, unsigned int bytes,
                                                      cuda::barrier<cuda::thread_scope_block>& bar) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
               ::"r"((unsigned int)__cvta_generic_to_shared(to)), "l"(from), "r"(bytes), "r"(barrier_address(bar)) : "memory");
}
__device__ inline void cp_async_bulk_shared_to_global(void* to, const void* from, unsigned int bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"
               ::"l"(to), "r"((unsigned int)__cvta_generic_to_shared(from)), "r"(bytes) : "memory");
}
__device__ inline void cp_async_bulk_tensor_1d_global_to_shared(void* to, const CUtensorMap* map, int c0,
                                                                  cuda::barrier<cuda::thread_scope_block>& bar) {
  asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3}], [%2];"
               ::"r"((unsigned int)__cvta_generic_to_shared(to)), "l"(map), "r"(barrier_address(bar)), "r"(c0) : "memory");
}
__device__ inline void cp_async_bulk_tensor_1d_shared_to_global(const CUtensorMap* map, int c0, const void* from) {
  asm volatile("cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [%0, {%2}], [%1];"
               ::"l"(map), "r"((unsigned int)__cvta_generic_to_shared(from)), "r"(c0) : "memory");
}
__device__ inline void cp_async_bulk_tensor_2d_global_to_shared(void* to, const CUtensorMap* map, int c0, int c1,
                                                                  cuda::barrier<cuda::thread_scope_block>& bar) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"
               ::"r"((unsigned int)__cvta_generic_to_shared(to)), "l"(map), "r"(barrier_address(bar)), "r"(c0), "r"(c1) : "memory");
}
__device__ inline void cp_async_bulk_tensor_2d_shared_to_global(const CUtensorMap* map, int c0, int c1, const void* from) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];"
               ::"l"(map), "r"((unsigned int)__cvta_generic_to_shared(from)), "r"(c0), "r"(c1) : "memory");
}
__device__ inline void cp_async_bulk_tensor_3d_global_to_shared(void* to, const CUtensorMap* map, int c0, int c1, int c2,
                                                                  cuda::barrier<cuda::thread_scope_block>& bar) {
  asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5}], [%2];"
               ::"r"((unsigned int)__cvta_generic_to_shared(to)), "l"(map), "r"(barrier_address(bar)), "r"(c0), "r"(c1), "r"(c2) : "memory");
}
__device__ inline void cp_async_bulk_tensor_3d_shared_to_global(const CUtensorMap* map, int c0, int c1, int c2, const void* from) {
  asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group [%0, {%2, %3, %4}], [%1];"
               ::"l"(map), "r"((unsigned int)__cvta_generic_to_shared(from)), "r"(c0), "r"(c1), "r"(c2) : "memory");
}
__device__ inline void fence_proxy_async_shared_cta() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__device__ inline void fence_proxy_async_global_to_shared() { asm volatile("fence.proxy.async;" ::: "memory"); }
} } }
)"};
// Bulk copies and tensor copies both use these.
const LibraryText kBulkGroups = {"cuda/barrier",
                                 {"cp_async_bulk_commit_group", "cp_async_bulk_wait_group", "n32_t"},
                                 "void cp_async_bulk_commit_group(",
                                 R"(
template <int N>
struct n32_t { int unused; };
__device__ inline void cp_async_bulk_commit_group() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
template <int N>
__device__ inline void cp_async_bulk_wait_group() { asm volatile("cp.async.bulk.wait_group 0;" ::: "memory"); }
template <int N>
__device__ inline void cp_async_bulk_wait_group_read() { asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory"); }
template <int N>
__device__ inline void cp_async_bulk_wait_group(n32_t<N>) { asm volatile("cp.async.bulk.wait_group 0;" ::: "memory"); }
template <int N>
__device__ inline void cp_async_bulk_wait_group_read(n32_t<N>) { asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory"); }
)"};
const LibraryText kPtxFunctions = {
    "cuda/ptx", {"cuda::ptx", "cuda/ptx", ""}, "bool mbarrier_try_wait_parity(uint64_t", R"(
namespace cuda { namespace ptx {
enum { space_global = 0, space_shared = 1, space_cluster = 2 };
enum { sem_acquire = 0, sem_release = 1, sem_relaxed = 2 };
enum { scope_cta = 0, scope_cluster = 1, scope_gpu = 2, scope_sys = 3 };
__device__ inline void mbarrier_init(uint64_t* bar, unsigned int count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"((unsigned int)__cvta_generic_to_shared(bar)), "r"(count) : "memory");
}
__device__ inline uint64_t mbarrier_arrive(uint64_t* bar) {
  uint64_t state = 0;
  asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"((unsigned int)__cvta_generic_to_shared(bar)) : "memory");
  return state;
}
__device__ inline uint64_t mbarrier_arrive(int, int, int, uint64_t* bar) { return mbarrier_arrive(bar); }
__device__ inline uint64_t mbarrier_arrive(int, int, int, uint64_t* bar, unsigned int count) {
  uint64_t state = 0;
  asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1], %2;" : "=l"(state)
               : "r"((unsigned int)__cvta_generic_to_shared(bar)), "r"(count) : "memory");
  return state;
}
__device__ inline void mbarrier_expect_tx(int, int, int, uint64_t* bar, unsigned int bytes) {
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;"
               ::"r"((unsigned int)__cvta_generic_to_shared(bar)), "r"(bytes) : "memory");
}
__device__ inline uint64_t mbarrier_arrive_expect_tx(int, int, int, uint64_t* bar, unsigned int bytes) {
  uint64_t state = 0;
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 %0, [%1], %2;" : "=l"(state)
               : "r"((unsigned int)__cvta_generic_to_shared(bar)), "r"(bytes) : "memory");
  return state;
}
__device__ inline bool mbarrier_try_wait(uint64_t* bar, uint64_t state) {
  unsigned int done = 0;
  asm volatile("{ .reg .pred p; mbarrier.try_wait.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }" : "=r"(done)
               : "r"((unsigned int)__cvta_generic_to_shared(bar)), "l"(state) : "memory");
  return done;
}
__device__ inline bool mbarrier_try_wait_parity(uint64_t* bar, unsigned int parity) {
  unsigned int done = 0;
  asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }" : "=r"(done)
               : "r"((unsigned int)__cvta_generic_to_shared(bar)), "r"(parity) : "memory");
  return done;
}
__device__ inline bool mbarrier_test_wait(uint64_t* bar, uint64_t state) {
  unsigned int done = 0;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }" : "=r"(done)
               : "r"((unsigned int)__cvta_generic_to_shared(bar)), "l"(state) : "memory");
  return done;
}
__device__ inline bool mbarrier_test_wait_parity(uint64_t* bar, unsigned int parity) {
  unsigned int done = 0;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }" : "=r"(done)
               : "r"((unsigned int)__cvta_generic_to_shared(bar)), "r"(parity) : "memory");
  return done;
}
__device__ inline void fence_proxy_async() { asm volatile("fence.proxy.async;" ::: "memory"); }
__device__ inline void fence_proxy_async(int) { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__device__ inline void fence_mbarrier_init(int, int) { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
__device__ inline void cp_async_bulk(int, int, void* to, const void* from, unsigned int bytes, uint64_t* bar) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
               ::"r"((unsigned int)__cvta_generic_to_shared(to)), "l"(from), "r"(bytes),
                 "r"((unsigned int)__cvta_generic_to_shared(bar)) : "memory");
}
__device__ inline void cp_async_bulk(int, int, void* to, const void* from, unsigned int bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"
               ::"l"(to), "r"((unsigned int)__cvta_generic_to_shared(from)), "r"(bytes) : "memory");
}
__device__ inline void cp_async_bulk_tensor(int, int, void* to, const CUtensorMap* map, const int (&at)[1], uint64_t* bar) {
  asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3}], [%2];"
               ::"r"((unsigned int)__cvta_generic_to_shared(to)), "l"(map), "r"((unsigned int)__cvta_generic_to_shared(bar)), "r"(at[0]) : "memory");
}
__device__ inline void cp_async_bulk_tensor(int, int, const CUtensorMap* map, const int (&at)[1], const void* from) {
  asm volatile("cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [%0, {%2}], [%1];"
               ::"l"(map), "r"((unsigned int)__cvta_generic_to_shared(from)), "r"(at[0]) : "memory");
}
__device__ inline void cp_async_bulk_tensor(int, int, void* to, const CUtensorMap* map, const int (&at)[2], uint64_t* bar) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"
               ::"r"((unsigned int)__cvta_generic_to_shared(to)), "l"(map), "r"((unsigned int)__cvta_generic_to_shared(bar)), "r"(at[0]), "r"(at[1]) : "memory");
}
__device__ inline void cp_async_bulk_tensor(int, int, const CUtensorMap* map, const int (&at)[2], const void* from) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];"
               ::"l"(map), "r"((unsigned int)__cvta_generic_to_shared(from)), "r"(at[0]), "r"(at[1]) : "memory");
}
__device__ inline void cp_async_bulk_tensor(int, int, void* to, const CUtensorMap* map, const int (&at)[3], uint64_t* bar) {
  asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5}], [%2];"
               ::"r"((unsigned int)__cvta_generic_to_shared(to)), "l"(map), "r"((unsigned int)__cvta_generic_to_shared(bar)), "r"(at[0]), "r"(at[1]), "r"(at[2]) : "memory");
}
__device__ inline void cp_async_bulk_tensor(int, int, const CUtensorMap* map, const int (&at)[3], const void* from) {
  asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group [%0, {%2, %3, %4}], [%1];"
               ::"l"(map), "r"((unsigned int)__cvta_generic_to_shared(from)), "r"(at[0]), "r"(at[1]), "r"(at[2]) : "memory");
}
} }
)"};

}  // namespace warplens::cuda
