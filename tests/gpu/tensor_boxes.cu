// One tensor copy a launch: a box of up to three dimensions between global and shared memory, as a tensor map
// describes it. tests/gpu/tensor_boxes.py gives the boxes.
//
// Reads lines of numbers from standard input:
//   kind (0: to shared, 1: to global, 2: a bulk copy to shared, 3: a bulk copy to global), element bytes, rank,
//   3 dimensions, 2 strides in bytes, 3 sides of the box, swizzle (0 .. 3), 3 coordinates
// (of a bulk copy: the first dimension is its bytes, the first coordinate where it begins in global memory). With
// the argument "dump" it prints what shared memory, or the buffer, holds afterwards; without it nothing is written
// but what is copied.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

constexpr int kShared = 32 << 10, kBuffer = 128 << 10;

struct Copy {
  int kind, bytes, rank, dims[3], strides[2], box[3], swizzle, at[3];
};

__device__ uint32_t shared_address(const void* p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }

__device__ void wait(uint32_t barrier) {
  asm volatile(
      "{\n.reg .pred p;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n@p bra done;\nbra again;\n"
      "done:\n}" ::"r"(barrier) : "memory");
}

template <int kRank>
__device__ void load(uint32_t to, const CUtensorMap* map, const Copy& c, uint32_t barrier) {
  if constexpr (kRank == 1)
    asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2}], [%3];"
                 ::"r"(to), "l"(map), "r"(c.at[0]), "r"(barrier) : "memory");
  else if constexpr (kRank == 2)
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                 ::"r"(to), "l"(map), "r"(c.at[0]), "r"(c.at[1]), "r"(barrier) : "memory");
  else
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], [%5];"
                 ::"r"(to), "l"(map), "r"(c.at[0]), "r"(c.at[1]), "r"(c.at[2]), "r"(barrier) : "memory");
}
template <int kRank>
__device__ void store(uint32_t from, const CUtensorMap* map, const Copy& c) {
  if constexpr (kRank == 1)
    asm volatile("cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%0, {%1}], [%2];" ::"l"(map), "r"(c.at[0]), "r"(from) : "memory");
  else if constexpr (kRank == 2)
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];"
                 ::"l"(map), "r"(c.at[0]), "r"(c.at[1]), "r"(from) : "memory");
  else
    asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%0, {%1, %2, %3}], [%4];"
                 ::"l"(map), "r"(c.at[0]), "r"(c.at[1]), "r"(c.at[2]), "r"(from) : "memory");
}

template <int kKind, int kRank, bool kDump>
__global__ void copy(const __grid_constant__ CUtensorMap map, Copy c, uint32_t bytes, char* buffer, uint32_t* out, int offset) {
  extern __shared__ __align__(1024) char tile[];
  __shared__ __align__(8) uint64_t barrier;
  auto* words = reinterpret_cast<uint32_t*>(tile);
  if (kDump)
    for (int i = threadIdx.x; i < kShared / 4; i += 32) words[i] = (2 * i + 1) << 16 | 2 * i;
  const uint32_t to = shared_address(tile) + offset, on = shared_address(&barrier);
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(on) : "memory");
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncwarp();
  if (threadIdx.x == 0) {
    if (kKind % 2 == 0) {
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(on), "r"(bytes) : "memory");
      if constexpr (kKind == 0) load<kRank>(to, &map, c, on);
      else
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                     ::"r"(to), "l"(buffer + c.at[0]), "r"(bytes), "r"(on) : "memory");
    } else {
      if constexpr (kKind == 1) store<kRank>(to, &map, c);
      else
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(buffer + c.at[0]), "r"(to), "r"(bytes) : "memory");
      asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
    }
  }
  __syncwarp();
  if (kKind % 2 == 0) wait(on);
  __syncwarp();
  if (kDump)
    for (int i = threadIdx.x; i < kShared / 4; i += 32) out[i] = words[i];
}

using Encode = CUresult (*)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*, const cuuint64_t*,
                            const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave, CUtensorMapSwizzle,
                            CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

int offset = 0;  // of the box in shared memory, in bytes

template <int kKind, int kRank>
void launch(bool dump, const CUtensorMap& map, const Copy& c, uint32_t bytes, char* buffer, uint32_t* out) {
  if (dump) copy<kKind, kRank, true><<<1, 32, kShared>>>(map, c, bytes, buffer, out, offset);
  else copy<kKind, kRank, false><<<1, 32, kShared>>>(map, c, bytes, buffer, out, offset);
}

int main(int argc, char** argv) {
  const bool dump = argc > 1 && !std::strcmp(argv[1], "dump");
  if (argc > 2) offset = std::atoi(argv[2]);
  char* buffer = nullptr;
  uint32_t* out = nullptr;
  if (cudaMalloc(&buffer, kBuffer) || cudaMalloc(&out, kShared)) return 1;
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found;
  if (cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &found) || !entry) return 2;
  const auto encode = reinterpret_cast<Encode>(entry);
  std::vector<uint16_t> first(kBuffer / 2);
  for (size_t i = 0; i < first.size(); ++i) first[i] = static_cast<uint16_t>(i);
  Copy c;
  for (int n = 0;; ++n) {
    int* fields[] = {&c.kind, &c.bytes, &c.rank, c.dims, c.dims + 1, c.dims + 2, c.strides, c.strides + 1, c.box,
                     c.box + 1, c.box + 2, &c.swizzle, c.at, c.at + 1, c.at + 2};
    for (int* field : fields)
      if (std::scanf("%d", field) != 1) return 0;
    CUtensorMap map{};
    uint32_t bytes = c.dims[0];
    if (c.kind < 2) {
      cuuint64_t dims[3], strides[3];
      cuuint32_t box[3], steps[3] = {1, 1, 1};
      bytes = c.bytes;
      for (int d = 0; d < c.rank; ++d) dims[d] = c.dims[d], box[d] = c.box[d], bytes *= c.box[d];
      for (int d = 0; d < 2; ++d) strides[d] = c.strides[d];
      const auto type = c.bytes == 1   ? CU_TENSOR_MAP_DATA_TYPE_UINT8
                        : c.bytes == 2 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT16
                        : c.bytes == 4 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT32
                                       : CU_TENSOR_MAP_DATA_TYPE_FLOAT64;
      const CUresult result = encode(&map, type, c.rank, buffer, dims, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                                     static_cast<CUtensorMapSwizzle>(c.swizzle), CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                     CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
      if (result != CUDA_SUCCESS) {
        std::printf("%d refused %d\n", n, static_cast<int>(result));
        continue;
      }
    }
    if (dump && (cudaMemcpy(buffer, first.data(), kBuffer, cudaMemcpyHostToDevice))) return 3;
    if (c.kind == 0) c.rank == 1 ? launch<0, 1>(dump, map, c, bytes, buffer, out) : c.rank == 2 ? launch<0, 2>(dump, map, c, bytes, buffer, out) : launch<0, 3>(dump, map, c, bytes, buffer, out);
    if (c.kind == 1) c.rank == 1 ? launch<1, 1>(dump, map, c, bytes, buffer, out) : c.rank == 2 ? launch<1, 2>(dump, map, c, bytes, buffer, out) : launch<1, 3>(dump, map, c, bytes, buffer, out);
    if (c.kind == 2) launch<2, 1>(dump, map, c, bytes, buffer, out);
    if (c.kind == 3) launch<3, 1>(dump, map, c, bytes, buffer, out);
    if (const auto error = cudaDeviceSynchronize()) {
      std::printf("%d failed %s\n", n, cudaGetErrorString(error));
      return 4;
    }
    if (!dump) continue;
    std::vector<uint32_t> words((c.kind % 2 == 0 ? kShared : kBuffer) / 4);
    if (cudaMemcpy(words.data(), c.kind % 2 == 0 ? static_cast<void*>(out) : buffer, 4 * words.size(), cudaMemcpyDeviceToHost)) return 5;
    // What differs from the first filling: index and word.
    std::printf("%d words", n);
    for (size_t i = 0; i < words.size(); ++i)
      if (words[i] != static_cast<uint32_t>((2 * i + 1) << 16 | (2 * i & 0xffff))) std::printf(" %zx:%x", i, words[i]);
    std::printf("\n");
  }
}
