// The programs that small kernels become: how short they are, and what is known about them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/lower/lower.h"
#include "tests/sim/program_of.h"

namespace warplens::sim {
namespace lower_program_test {

using testing::ElementsAre;

Program compiled(const std::string& text, const std::vector<std::string>& template_arguments = {}) {
  return program_of({.text = text, .template_arguments = template_arguments});
}

std::vector<std::string> sites_of(const Program& program) {
  static constexpr const char* kOps[] = {"load", "store", "atomic", "reduction"};
  static constexpr const char* kSpaces[] = {"global", "shared", "generic"};
  std::vector<std::string> sites;
  for (const AccessSite& site : program.sites) {
    sites.push_back(std::string(kSpaces[static_cast<int>(site.space)]) + " " +
                    kOps[static_cast<int>(site.op)] + " " + std::to_string(site.bytes) + " " + site.array +
                    ": " + site.text);
  }
  return sites;
}

int count_of(const Program& program, Opcode op) {
  return static_cast<int>(
      std::count_if(program.code.begin(), program.code.end(), [&](const Instr& i) { return i.op == op; }));
}

// ---- code ----

TEST(LowerProgram, MatrixMultiplyHasATightLoop) {
  const Program program = compiled(R"(
__global__ void mm(const float* A, const float* B, float* C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum;
  }
})");
  EXPECT_EQ(program.code.size(), 24u);
  const auto back = std::find_if(program.code.begin(), program.code.end(), [&](const Instr& i) {
    return i.op == Opcode::Branch && i.target < &i - program.code.data();
  });
  ASSERT_NE(back, program.code.end());
  // Two indices (row * K is known before the loop), two loads, product and sum with a rounding each, the
  // counter, and whether it goes on.
  EXPECT_EQ(back - program.code.begin() - back->target + 1, 9);
  for (const Variable& v : program.variables) {
    if (v.name == "k") {
      EXPECT_TRUE(is_uniform(v.reg)) << "one for the warp";
    }
  }
  EXPECT_THAT(sites_of(program),
              ElementsAre("global load 4 A: A[row * K + k]", "global load 4 B: B[k * N + col]",
                          "global store 4 C: C[row * N + col]"));
}

TEST(LowerProgram, UniformConditionsJumpAndVaryingOnesMask) {
  const Program uniform = compiled(
      "__global__ void k(int* out, int n) { for (int i = 0; i < n; ++i) { if (i == 3) continue; if (n == 7) "
      "break; out[i] = i; } }");
  EXPECT_EQ(uniform.frames, 0);
  EXPECT_EQ(count_of(uniform, Opcode::If) + count_of(uniform, Opcode::Test) + count_of(uniform, Opcode::Exit),
            0);

  const Program parting = compiled(
      "__global__ void k(int* out, int n) { int last = 0; for (int i = 0; i < n; ++i) { if (out[i + "
      "threadIdx.x] == 3) break; last = i; } out[threadIdx.x] = last; }");
  EXPECT_EQ(count_of(parting, Opcode::Exit), 1);
  EXPECT_EQ(count_of(parting, Opcode::Leave), 1);
  for (const Variable& v : parting.variables) {
    if (v.name == "i") {  // not read by a lane that has left the loop
      EXPECT_TRUE(is_uniform(v.reg));
    }
    if (v.name == "last") {  // those who left keep theirs
      EXPECT_FALSE(is_uniform(v.reg));
    }
  }
}

TEST(LowerProgram, AnArrayKeepsItsExtentsAsTheyAreWritten) {
  const Program program = compiled(
      "template <int BX, int PAD> __global__ void k(float* out) {\n"
      "  __shared__ float tile[BX / 2][BX + PAD];\n"
      "  tile[threadIdx.y][threadIdx.x] = 1; __syncthreads(); out[threadIdx.x] = tile[threadIdx.x][3]; }",
      {"32", "1"});
  ASSERT_EQ(program.shared_arrays.size(), 1u);
  EXPECT_THAT(program.shared_arrays[0].extents, ElementsAre(16, 33));
  EXPECT_THAT(program.shared_arrays[0].extent_texts, ElementsAre("BX / 2", "BX + PAD"));
}

// ---- accesses ----
TEST(LowerProgram, InliningTwiceMakesOneSite) {
  const Program program = compiled(
      "__device__ float at(const float* p, int i) { return p[i]; } "
      "__global__ void k(float* out, const float* a, const float* b) { out[0] = at(a, 1) + at(a, 2); out[1] "
      "= at(b, 3); }");
  EXPECT_THAT(sites_of(program), ElementsAre("global load 4 : p[i]", "global store 4 out: out[0]",
                                             "global store 4 out: out[1]"));
  EXPECT_EQ(count_of(program, Opcode::Load), 3);
}

TEST(LowerProgram, LocalArraysAreNoSites) {
  const Program program = compiled(
      "__global__ void k(int* out) { int a[6] = {1, 2}; int x = 3; int* p = &x; a[out[0] & 3] = *p; out[1] = "
      "a[2]; }");
  EXPECT_THAT(sites_of(program), ElementsAre("global load 4 out: out[0]", "global store 4 out: out[1]"));
  EXPECT_EQ(program.local_bytes, 28);
}

TEST(LowerProgram, APointerOfTwoSpacesIsGeneric) {
  const Program program = compiled(
      "__global__ void k(float* out) { __shared__ float s[32]; float* p = threadIdx.x < 8 ? s : out; "
      "p[threadIdx.x] = 1; }");
  EXPECT_THAT(sites_of(program), ElementsAre("generic store 4 : p[threadIdx.x]"));
}

// ---- what is known about the program ----

TEST(LowerProgram, VariablesAreVisibleInTheirBlocks) {
  const Program program = compiled(R"(
__device__ int half(int whole) { int part = whole / 2; return part * part; }
__global__ void k(int* out, int n) {
  float4 v = {1, 2, 3, 4};
  for (int i = 0; i < n; ++i) {
    int inner = i * n;
    out[inner] = half(inner) + v.y;
  }
  out[0] = 1;
})");
  std::vector<std::string> names;
  for (const Variable& v : program.variables) {
    names.push_back(v.type_text + " " + v.name + (v.depth ? " of a function" : ""));
    EXPECT_LT(v.first_instr, v.end_instr) << v.name;
    EXPECT_LE(v.end_instr, static_cast<int>(program.code.size()));
  }
  EXPECT_THAT(names, ElementsAre("int* out", "int n", "float v.x", "float v.y", "float v.z", "float v.w",
                                 "int i", "int inner", "int whole of a function", "int part of a function"));
  const int last_store = static_cast<int>(program.code.size()) - 2;
  ASSERT_EQ(program.code[last_store].op, Opcode::Store);
  for (const Variable& v : program.variables) {
    const bool is_seen = v.first_instr <= last_store && last_store < v.end_instr;
    EXPECT_EQ(is_seen, v.name == "out" || v.name == "n" || v.name.starts_with("v.")) << v.name;
  }
}

}  // namespace lower_program_test
}  // namespace warplens::sim
