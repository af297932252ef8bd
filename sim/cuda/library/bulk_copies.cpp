#include "sim/cuda/library/library.h"

namespace warplens::cuda {

// Copies in bulk of libcu++: <cuda/barrier> with cuda::device and its experimental functions, and cuda::ptx,
// each as the inline PTX that it stands for (CUDA C++ Programming Guide, "Asynchronous Data Copies using the
// Tensor Memory Accelerator"; libcu++, "PTX instructions"). Tags of spaces, scopes and orders are numbers
// here. Left out: multicast, copies between the blocks of a cluster, boxes of more than three dimensions.
const LibraryText kBulkInstructions = {"cuda/barrier",
                                       {"cuda::device", "cde::", "barrier_arrive_tx", "cuda::ptx", "cuda/ptx"},
                                       "",
                                       R"(
#define __SHARED(p) "r"((unsigned int)__cvta_generic_to_shared(p))
#define __BULK_IN(to, from, bytes, bar) \
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" \
               ::__SHARED(to), "l"(from), "r"(bytes), __SHARED(bar) : "memory")
#define __BULK_OUT(to, from, bytes) \
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), __SHARED(from), "r"(bytes) : "memory")
#define __BOX_IN(dimensions, at, to, map, bar, ...) \
  asm volatile("cp.async.bulk.tensor." dimensions ".shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {" at "}], [%2];" \
               ::__SHARED(to), "l"(map), __SHARED(bar), __VA_ARGS__ : "memory")
#define __BOX_OUT(dimensions, at, map, from, ...) \
  asm volatile("cp.async.bulk.tensor." dimensions ".global.shared::cta.tile.bulk_group [%0, {" at "}], [%1];" \
               ::"l"(map), __SHARED(from), __VA_ARGS__ : "memory")
)"};
const LibraryText kBulkCopies = {"cuda/barrier",
                                 {"cuda::device", "cde::", "barrier_arrive_tx"},
                                 "void cp_async_bulk_tensor_2d_global_to_shared(",
                                 R"(
namespace cuda { namespace device {
using block_barrier = cuda::barrier<cuda::thread_scope_block>;
__device__ inline uint64_t* barrier_native_handle(block_barrier& bar) { return reinterpret_cast<uint64_t*>(&bar); }
__device__ inline void barrier_expect_tx(block_barrier& bar, unsigned int bytes) {
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::__SHARED(&bar), "r"(bytes) : "memory");
}
__device__ inline uint64_t barrier_arrive_tx(block_barrier& bar, unsigned int count, unsigned int bytes) {
  barrier_expect_tx(bar, bytes);
  return bar.arrive(count);
}
namespace experimental {
__device__ inline void cp_async_bulk_global_to_shared(void* to, const void* from, unsigned int bytes, block_barrier& bar) {
  __BULK_IN(to, from, bytes, &bar);
}
__device__ inline void cp_async_bulk_shared_to_global(void* to, const void* from, unsigned int bytes) {
  __BULK_OUT(to, from, bytes);
}
__device__ inline void cp_async_bulk_tensor_1d_global_to_shared(void* to, const CUtensorMap* map, int c0, block_barrier& bar) {
  __BOX_IN("1d", "%3", to, map, &bar, "r"(c0));
}
__device__ inline void cp_async_bulk_tensor_1d_shared_to_global(const CUtensorMap* map, int c0, const void* from) {
  __BOX_OUT("1d", "%2", map, from, "r"(c0));
}
__device__ inline void cp_async_bulk_tensor_2d_global_to_shared(void* to, const CUtensorMap* map, int c0, int c1, block_barrier& bar) {
  __BOX_IN("2d", "%3, %4", to, map, &bar, "r"(c0), "r"(c1));
}
__device__ inline void cp_async_bulk_tensor_2d_shared_to_global(const CUtensorMap* map, int c0, int c1, const void* from) {
  __BOX_OUT("2d", "%2, %3", map, from, "r"(c0), "r"(c1));
}
__device__ inline void cp_async_bulk_tensor_3d_global_to_shared(void* to, const CUtensorMap* map, int c0, int c1, int c2, block_barrier& bar) {
  __BOX_IN("3d", "%3, %4, %5", to, map, &bar, "r"(c0), "r"(c1), "r"(c2));
}
__device__ inline void cp_async_bulk_tensor_3d_shared_to_global(const CUtensorMap* map, int c0, int c1, int c2, const void* from) {
  __BOX_OUT("3d", "%2, %3, %4", map, from, "r"(c0), "r"(c1), "r"(c2));
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
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::__SHARED(bar), "r"(count) : "memory");
}
__device__ inline uint64_t mbarrier_arrive(int, int, int, uint64_t* bar, unsigned int count) {
  uint64_t state = 0;
  asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1], %2;" : "=l"(state) : __SHARED(bar), "r"(count) : "memory");
  return state;
}
__device__ inline uint64_t mbarrier_arrive(int, int, int, uint64_t* bar) { return mbarrier_arrive(0, 0, 0, bar, 1); }
__device__ inline uint64_t mbarrier_arrive(uint64_t* bar) { return mbarrier_arrive(0, 0, 0, bar, 1); }
__device__ inline void mbarrier_expect_tx(int, int, int, uint64_t* bar, unsigned int bytes) {
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::__SHARED(bar), "r"(bytes) : "memory");
}
__device__ inline uint64_t mbarrier_arrive_expect_tx(int, int, int, uint64_t* bar, unsigned int bytes) {
  mbarrier_expect_tx(0, 0, 0, bar, bytes);
  return mbarrier_arrive(bar);
}
#define WAIT(name, instruction, T, constraint) \
  __device__ inline bool name(uint64_t* bar, T phase) { \
    unsigned int done = 0; \
    asm volatile("{ .reg .pred p; mbarrier." instruction ".shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }" \
                 : "=r"(done) : __SHARED(bar), constraint(phase) : "memory"); \
    return done; \
  }
WAIT(mbarrier_try_wait, "try_wait", uint64_t, "l")
WAIT(mbarrier_try_wait_parity, "try_wait.parity", unsigned int, "r")
WAIT(mbarrier_test_wait, "test_wait", uint64_t, "l")
WAIT(mbarrier_test_wait_parity, "test_wait.parity", unsigned int, "r")
#undef WAIT
__device__ inline void fence_proxy_async() { asm volatile("fence.proxy.async;" ::: "memory"); }
__device__ inline void fence_proxy_async(int) { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__device__ inline void fence_mbarrier_init(int, int) { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
__device__ inline void cp_async_bulk(int, int, void* to, const void* from, unsigned int bytes, uint64_t* bar) {
  __BULK_IN(to, from, bytes, bar);
}
__device__ inline void cp_async_bulk(int, int, void* to, const void* from, unsigned int bytes) { __BULK_OUT(to, from, bytes); }
#define BOX(n, dimensions, in, out, ...) \
  __device__ inline void cp_async_bulk_tensor(int, int, void* to, const CUtensorMap* map, const int (&at)[n], uint64_t* bar) { \
    __BOX_IN(dimensions, in, to, map, bar, __VA_ARGS__); \
  } \
  __device__ inline void cp_async_bulk_tensor(int, int, const CUtensorMap* map, const int (&at)[n], const void* from) { \
    __BOX_OUT(dimensions, out, map, from, __VA_ARGS__); \
  }
BOX(1, "1d", "%3", "%2", "r"(at[0]))
BOX(2, "2d", "%3, %4", "%2, %3", "r"(at[0]), "r"(at[1]))
BOX(3, "3d", "%3, %4, %5", "%2, %3, %4", "r"(at[0]), "r"(at[1]), "r"(at[2]))
#undef BOX
} }
)"};

}  // namespace warplens::cuda
