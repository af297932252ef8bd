// What only CUDA has: shuffles, votes, groups, halves, dynamic shared memory. Values that can be worked out
// by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "tests/sim/program_of.h"

namespace warplens::sim {
namespace lower_cuda_test {

struct Run {
  Dim3 grid{1, 1, 1}, block{32, 1, 1};
  std::uint64_t shared_bytes = 0;
};

// Compiles and runs `text`, whose kernel has one parameter T* out, and compares out[i] with expected(i). The
// defines are names that the texts of libraries have, too.
template <class T>
void expect(const std::string& text, std::uint64_t elements, const Run& run,
            const std::function<T(unsigned)>& expected) {
  CompileRequest request;
  request.text = text;
  request.defines = {{"G", "7"}, {"F", "float"}, {"Parent", "int"}, {"S", "7"}};
  const CompileResult compiled = compile(request);
  for (const cuda::Diagnostic& d : compiled.diagnostics) ADD_FAILURE() << cuda::render(d, text, "kernel.cu");
  ASSERT_TRUE(compiled.program);
  Launch launch{.grid = run.grid,
                .block = run.block,
                .shared_bytes = run.shared_bytes,
                .arguments = {{"out", Buffer{elements, Fill::Zero}}}};
  const std::vector<T> out = values_of<T>(*compiled.program, launch);
  ASSERT_EQ(out.size(), elements);
  for (unsigned i = 0; i < elements; ++i) ASSERT_EQ(out[i], expected(i)) << "out[" << i << "]";
}

TEST(LowerCuda, HalvesHaveFunctionsOfTheirOwnAlsoInPairs) {
  expect<float>(
      "#include <cuda_fp16.h>\n__global__ void k(float* out) {\n"
      "  const float x = threadIdx.x == 0 ? 1.0f : 4.0f;\n"
      "  const __half2 e = h2exp(__floats2half2_rn(0.0f, x - 1.0f)), r = h2rcp(__floats2half2_rn(x, 2.0f));\n"
      "  out[threadIdx.x] = __low2float(e) + __low2float(r) + __high2float(r) +\n"
      "                     __half2float(hrcp(__float2half(x)));\n}\n",
      2, {.block = {2, 1, 1}}, [](unsigned i) { return i == 0 ? 3.5f : 2.0f; });
}

TEST(LowerCuda, AThreadsPlaceInItsBlockIsADim3) {
  expect<int>(
      "#include <cooperative_groups.h>\n__global__ void k(int* out) {\n"
      "  auto block = cooperative_groups::this_thread_block();\n"
      "  const dim3 t = block.thread_index(), b = block.group_index();\n"
      "  out[b.x * 4 + t.y * 2 + t.x] = t.y * 10 + t.x + b.x * 100;\n}\n",
      8, {.grid = {2, 1, 1}, .block = {2, 2, 1}},
      [](unsigned i) { return int(i / 4 * 100 + i / 2 % 2 * 10 + i % 2); });
}

TEST(LowerCuda, ATypeOfANamespaceBesideAVariableOfItsName) {
  expect<float>(
      "#include <mma.h>\nusing namespace nvcuda;\n__global__ void k(float* out) {\n"
      "  wmma::fragment<wmma::accumulator, 16, 16, 16, float> accumulator;\n"
      "  wmma::fill_fragment(accumulator, 3.0f);\n"
      "  wmma::store_matrix_sync(out, accumulator, 16, wmma::mem_row_major);\n}\n",
      256, {}, [](unsigned) { return 3.0f; });
}

TEST(LowerCuda, Shuffles) {
  expect<int>(
      "__global__ void k(int* out) { int i = threadIdx.x; int v = i * 10; unsigned m = 0xffffffff;"
      "out[i] = __shfl_sync(m, v, 3); out[32 + i] = __shfl_up_sync(m, v, 2); out[64 + i] = "
      "__shfl_down_sync(m, v, 5);"
      "out[96 + i] = __shfl_xor_sync(m, v, 1); out[128 + i] = __shfl_sync(m, v, 1, 8);"
      "out[160 + i] = __shfl_down_sync(m, i * 1.5f, 1, 16) * 2; }",
      192, {}, [](unsigned at) {
        const int i = static_cast<int>(at % 32);
        const int all[] = {30,           (i < 2 ? i : i - 2) * 10, (i + 5 > 31 ? i : i + 5) * 10,
                           (i ^ 1) * 10, (i / 8 * 8 + 1) * 10,     (i % 16 == 15 ? i : i + 1) * 3};
        return all[at / 32];
      });
}

TEST(LowerCuda, CooperativeGroups) {
  const std::string text =
      "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
      "template <int N> __device__ int sum(cg::thread_block_tile<N> g, int v) { "
      "  for (int d = g.size() / 2; d > 0; d >>= 1) v += g.shfl_xor(v, d); return v; }\n"
      "__global__ void k(int* out) { cg::thread_block block = cg::this_thread_block(); "
      "  auto tile = cg::tiled_partition<8>(block); __shared__ int s[64]; "
      "  s[block.thread_rank()] = sum(tile, threadIdx.x); block.sync(); cg::sync(block); "
      "  int r = block.thread_rank(); out[r * 4] = s[63 - r]; out[r * 4 + 1] = tile.meta_group_rank() * 100 "
      "+ tile.thread_rank(); "
      "  out[r * 4 + 2] = tile.ballot(r % 2); out[r * 4 + 3] = tile.any(r == 9) + 2 * tile.all(r < 16) + "
      "block.size(); }";
  expect<int>(text, 256, {{1}, {16, 4}, 0}, [](unsigned at) {
    const int r = static_cast<int>(at / 4);
    const auto tile_sum = [](int rank) {  // threadIdx.x of eight ranks in a row: 0..7 or 8..15
      return rank / 8 % 2 == 0 ? 28 : 92;
    };
    const int all[] = {tile_sum(63 - r), r / 8 * 100 + r % 8, 0xaa, (r / 8 == 1) + 2 * (r < 16) + 64};
    return all[at % 4];
  });
}

TEST(LowerCuda, GridsNumberTheirThreads) {
  expect<int>(
      "__global__ void k(int* out) { namespace cg = cooperative_groups; cg::grid_group g = cg::this_grid(); "
      "auto warp = cg::tiled_partition<32>(cg::this_thread_block()); "
      "for (auto i = g.thread_rank(); i < 256; i += g.size()) out[i] = i * 2 + cg::reduce(warp, 1, "
      "cg::plus<int>()); }",
      256, {{2, 1, 1}, {32, 2, 1}, 0}, [](unsigned i) { return static_cast<int>(i * 2 + 32); });
}

TEST(LowerCuda, GridsNumberTheirBlocks) {
  expect<int>(
      "__global__ void k(int* out) { auto g = cooperative_groups::this_grid(); dim3 all = g.dim_blocks(); "
      "int i = g.thread_rank(); out[i] = 10000 * g.num_blocks() + 1000 * g.block_rank() + 100 * all.y + "
      "10 * g.group_dim().x + g.block_index().y; }",
      6 * 32, {{2, 3, 1}, {32, 1, 1}, 0}, [](unsigned i) {
        const unsigned block = i / 32;
        return static_cast<int>(60000 + 1000 * block + 300 + 20 + block / 2);
      });
}

TEST(LowerCuda, Bfloats) {
  expect<float>(
      "typedef __nv_bfloat16 B; __global__ void k(float* out) { int i = threadIdx.x; "
      "B a = __float2bfloat16(0.1f), b = i; nv_bfloat16 half_way = a; "
      "out[i * 4] = __bfloat162float(half_way * b); out[i * 4 + 1] = __hadd(b, (B)256.0f); "
      "__nv_bfloat162 p = __floats2bfloat162_rn(i, 0.5f); p = __hfma2(p, p, p); "
      "out[i * 4 + 2] = __low2float(p) + __bfloat162float(__high2bfloat16(p)); "
      "out[i * 4 + 3] = __hmax(a, b) + hsqrt(__float2bfloat16(2.0f)); }",
      32, {{1}, {8}, 0}, [](unsigned at) {
        const float i = static_cast<float>(at / 4);
        // 0.1 is 0.10009765625 here; its multiples by 0..7 rounded to 8 bits of mantissa.
        static constexpr float kTenths[] = {0.0f,         0.10009765625f, 0.2001953125f, 0.30078125f,
                                            0.400390625f, 0.5f,           0.6015625f,    0.69921875f};
        static constexpr float kSums[] = {256, 256, 258, 260, 260, 260, 262, 264};
        // Above 256 the step is 2; ties go to even. The root is 1.4140625, its sums of 8 bits of mantissa
        // again.
        static constexpr float kRoots[] = {1.515625f, 2.40625f, 3.40625f, 4.40625f,
                                           5.40625f,  6.40625f, 7.40625f, 8.4375f};
        const float all[] = {kTenths[at / 4], kSums[at / 4], i * i + i + 0.75f, kRoots[at / 4]};
        return all[at % 4];
      });
}

TEST(LowerCuda, AtomicsGiveTheOldValue) {
  expect<unsigned>(
      "__global__ void k(unsigned* out) { unsigned t = threadIdx.x; "
      "atomicAdd(&out[0], t); atomicMax(out + 1, t * 7 % 32); atomicOr(&out[2], 1u << t); atomicXor(&out[3], "
      "t); "
      "atomicInc(&out[4], 9u); unsigned old = atomicAdd(&out[5], 2u); out[8 + old / 2] = 1; "
      "atomicCAS(&out[6], 0u, t + 50); atomicExch(&out[7], 77u); }",
      40, {}, [](unsigned i) -> unsigned {
        constexpr unsigned kHead[] = {496, 31, 0xffffffffu, 0, 2, 64, 50, 77};
        return i < 8 ? kHead[i] : 1;
      });
}

// What the kernel's arguments choose is the specialisation's body, of others the template's.
TEST(LowerCuda, SpecialisationsOfAKernel) {
  const std::string text =
      "template <typename T, int N> __global__ void k(int* out) { out[threadIdx.x] = N; }\n"
      "template <> __global__ void k<float, 4>(int* out) { out[threadIdx.x] = 100 + blockDim.x; }\n"
      "template <typename T> __global__ void by_type(T* out) { out[threadIdx.x] = 1; }\n"
      "template <> __global__ void by_type(double* out) { out[threadIdx.x] = 2; }\n";
  const auto first = [&](const std::string& kernel, std::vector<std::string> arguments) {
    const CompileResult compiled = compile({.text = text, .kernel = kernel, .template_arguments = arguments});
    for (const cuda::Diagnostic& d : compiled.diagnostics) ADD_FAILURE() << cuda::render(d, text, "k.cu");
    if (!compiled.program) return -1.0;
    Launch launch{.grid = {}, .block = {32}, .arguments = {{"out", Buffer{32, Fill::Zero}}}};
    const bool real = kernel == "by_type" && arguments[0] == "double";
    return real ? values_of<double>(*compiled.program, launch).at(0)
                : values_of<int>(*compiled.program, launch).at(0);
  };
  EXPECT_EQ(first("k", {"float", "4"}), 132);
  EXPECT_EQ(first("k", {"float", "8"}), 8);
  EXPECT_EQ(first("k", {"double", "4"}), 4);
  EXPECT_EQ(first("by_type", {"double"}), 2);
  EXPECT_EQ(first("by_type", {"int"}), 1);
  EXPECT_EQ(list_kernels(text).kernels.size(), 2u);
}

TEST(LowerCuda, TheLanesOfAWarpThatNoHeaderDeclares) {
  const auto told = [](const std::string& text) {
    const CompileResult compiled = compile({.text = text});
    std::string messages = compiled.program ? "compiles: " : "";
    for (const cuda::Diagnostic& d : compiled.diagnostics) messages += d.message.english() + ";";
    return messages;
  };
  EXPECT_EQ(
      told("__global__ void k(int* x) { __shared__ int s[WARP_SIZE]; x[0] = s[threadIdx.x % WARP_SIZE]; }"),
      "compiles: 'WARP_SIZE' is declared in no file that is here: taken for 32;");
  EXPECT_EQ(told("#define WARP_SIZE 16\n__global__ void k(int* x) { x[0] = WARP_SIZE; }"), "compiles: ");
  EXPECT_EQ(told("__global__ void k(int* x) { x[WARP_SIZE] = TILE; }").find("compiles"), std::string::npos);
}

TEST(LowerCuda, ConstantsAndTypesOfHeadersThatAreNotRead) {
  expect<int>(
      "__device__ int cells(cudaExtent e) { return static_cast<int>(e.width * e.height * e.depth); }"
      "__global__ void k(int* out) { cudaExtent e{4, 3, 2}; cudaPos p{1, 0, 0};"
      "out[threadIdx.x] = cells(e) + static_cast<int>(p.x) + (INT64_C(1) << 40 >> 38) + (UINT32_C(1) << 31 > "
      "0); }",
      32, {}, [](unsigned) { return 24 + 1 + 4 + 1; });
}

}  // namespace lower_cuda_test
}  // namespace warplens::sim
