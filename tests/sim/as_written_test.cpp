// As written: each access that the text makes, of the width that its type has (docs/language.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/lower/lower.h"

namespace warplens::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// "load x[i] 4", in the order of the text; `i` is the thread.
std::vector<std::string> accesses(const std::string& body) {
  const CompileResult result = compile(
      {.text =
           "struct P { float x, y, m; };\n"
           "struct __align__(8) Pair { float a, b; };\n"
           "struct __align__(16) Three { float a, b, c; };\n"
           "struct Two { float2 a, b; };\n"
           "template <class T, int N> struct alignas(N * sizeof(T)) Vec { T v[N]; };\n"
           "struct alignas(16) Pairs { float2 a, b; };\n"
           "struct alignas(16) Five { short a[5]; };\n"
           "__device__ const int table[4] = {1, 2, 3, 4};\n"
           "__device__ int take(int* p, int v) { if (v > 9) return v; return atomicSub(p, v); }\n"
           "__device__ float twice(const float& r) { return r + r; }\n"
           "__device__ float once(float r) { return r + r; }\n"
           "__device__ void add(float* r, float v) { *r += v; }\n"
           "__global__ void k(float* x, volatile float* v, const float4* q, const P* p, const Pair* pair,\n"
           "                  const Three* three, const Two* two, int* n) {\n"
           "  const int i = threadIdx.x;\n" +
           body + "\n}\n"});
  EXPECT_TRUE(result.program) << body << ": " << result.diagnostics.front().message.english();
  std::vector<std::string> found;
  if (!result.program) return found;
  constexpr const char* kOps[] = {"load", "store", "atomic", "reduction", "async"};
  for (const Instr& instr : result.program->code) {
    if (instr.site < 0) continue;
    const AccessSite& site = result.program->sites[static_cast<std::size_t>(instr.site)];
    found.push_back(std::string(kOps[static_cast<int>(site.op)]) + " " + site.text + " " +
                    std::to_string(site.bytes));
  }
  return found;
}

TEST(AsWritten, IsAsWideAsItsType) {
  EXPECT_THAT(accesses("float4 a = q[i];"), ElementsAre("load q[i] 16"));
  EXPECT_THAT(accesses("float a = q[i].x + q[i].y;"), ElementsAre("load q[i].x 4", "load q[i].y 4"));
  EXPECT_THAT(accesses("Pair a = pair[i];"), ElementsAre("load pair[i] 8"));
  EXPECT_THAT(accesses("P a = p[i];"), ElementsAre("load p[i].x 4", "load p[i].y 4", "load p[i].m 4"));
  EXPECT_THAT(accesses("Three a = three[i];"),
              ElementsAre("load three[i].a 4", "load three[i].b 4", "load three[i].c 4"));
  EXPECT_THAT(accesses("Two a = two[i];"), ElementsAre("load two[i].a 8", "load two[i].b 8"));
}

TEST(AsWritten, HasThePlaceThatTheTextNames) {
  EXPECT_THAT(accesses("x[ i\n  + 1 ] = 1;"), ElementsAre("store x[ i + 1 ] 4"));
  EXPECT_THAT(accesses("__shared__ float s[64]; reinterpret_cast<float4*>(s)[i] = *(float4*)&x[4 * i];"),
              ElementsAre("load *(float4*)&x[4 * i] 16", "store reinterpret_cast<float4*>(s)[i] 16"));
  EXPECT_THAT(accesses("add(x + i, p[i].y);"), ElementsAre("load p[i].y 4", "load *r 4", "store *r 4"));
}

TEST(AsWritten, CountsWhatNothingNeedsAndWhatIsKnown) {
  EXPECT_THAT(accesses("float a = x[i];"), ElementsAre("load x[i] 4"));
  EXPECT_THAT(accesses("x[i] = x[i] * x[i];"), ElementsAre("load x[i] 4", "load x[i] 4", "store x[i] 4"));
  EXPECT_THAT(accesses("x[i] = 1; x[i] = 2;"), ElementsAre("store x[i] 4", "store x[i] 4"));
  EXPECT_THAT(accesses("x[i] += 1; v[i] += 1;"),
              ElementsAre("load x[i] 4", "store x[i] 4", "load v[i] 4", "store v[i] 4"));
  EXPECT_THAT(accesses("float a = __ldg(x + i) + __ldg(x + i);"),
              ElementsAre("load *(x + i) 4", "load *(x + i) 4"));
}

TEST(AsWritten, CountsWhatALaunchIsGiven) {
  EXPECT_THAT(
      accesses(
          "dim3 block(n[i]);\n"
          "k<<<n[i + 1], block, 0, cudaStreamFireAndForget>>>(x + n[i + 2], v, q, p, pair, three, two, n);\n"
          "x[i] = 1;"),
      ElementsAre("load n[i] 4", "load n[i + 1] 4", "load n[i + 2] 4", "store x[i] 4"));
}

TEST(AsWritten, ReadsWhereItIsEvaluated) {
  EXPECT_THAT(accesses("float a[2] = {x[i], x[i + 1]};"), ElementsAre("load x[i] 4", "load x[i + 1] 4"));
  EXPECT_THAT(accesses("float a = once(x[i]);"), ElementsAre("load x[i] 4"));
  EXPECT_THAT(accesses("const float& r = x[i]; float a = r + r;"), ElementsAre("load r 4", "load r 4"));
  EXPECT_THAT(accesses("float a = twice(x[i]);"), ElementsAre("load r 4", "load r 4"));
  EXPECT_THAT(accesses("printf(\"%f\", x[i]);"), ElementsAre("load x[i] 4"));
  EXPECT_THAT(accesses("int a = atomicAdd(n, 1); atomicAdd(n, 1);"),
              ElementsAre("atomic *n 4", "reduction *n 4"));
}

TEST(AsWritten, MovesEqualNumbersThatAreAlignedAsOnePiece) {
  const auto copied = [](const std::string& type) {
    return accesses("const " + type + " a = *(const " + type + "*)(x + 4 * i); *(" + type + "*)n = a;")
        .size();
  };
  for (const char* type : {"Vec<float, 4>", "Vec<float, 2>", "Vec<short, 4>", "Vec<double, 2>",
                           "Vec<__half, 8>", "Vec<unsigned char, 16>", "Pairs"})
    EXPECT_EQ(copied(type), 2) << type;
  EXPECT_EQ(copied("Vec<double, 4>"), 8);  // more than the widest access
  EXPECT_EQ(copied("Five"), 10);
}

TEST(AsWritten, ReducesWhereTheOldValueIsDiscarded) {
  const auto found = ElementsAre("reduction *n 4");
  EXPECT_THAT(accesses("(void)atomicAdd(n, i);"), found);
  EXPECT_THAT(accesses("static_cast<void>(atomicAdd(n, i));"), found);
  EXPECT_THAT(accesses("n + 1, atomicAdd(n, i);"), found);
  EXPECT_THAT(accesses("int j = (atomicAdd(n, i), i);"), found);
  EXPECT_THAT(accesses("auto f = [&](int v) { return atomicAdd(n, v); }; f(i);"), found);
  EXPECT_THAT(accesses("i > 3 ? atomicAdd(n, i) : atomicMax(n, 7);"),
              ElementsAre("reduction *n 4", "reduction *n 4"));
  EXPECT_THAT(accesses("take(n, i);"), ElementsAre("reduction *p 4"));
  EXPECT_THAT(accesses("x[i] = take(n, i);"), ElementsAre("atomic *p 4", "store x[i] 4"));
  EXPECT_THAT(accesses("atomicExch(n, i);"), ElementsAre("atomic *n 4"));
}

TEST(AsWritten, ReadsATableOfTheFileWhereItsIndexIsNotKnown) {
  const auto found = ElementsAre("load t[i & 3] 4", "store x[i] 4");
  EXPECT_THAT(accesses("static const float t[4] = {1, 2, 3, 4}; x[i] = t[i & 3] + t[2];"), found);
  EXPECT_THAT(accesses("static constexpr int t[] = {1, 2, 3, 4}; x[i] = t[i & 3];"), found);
  EXPECT_THAT(accesses("static __device__ const int t[4] = {1, 2, 3, 4}; x[i] = t[i & 3];"), found);
  EXPECT_THAT(accesses("static const char t[] = \"abc\"; x[i] = t[i & 3];"),
              ElementsAre("load t[i & 3] 1", "store x[i] 4"));
  EXPECT_THAT(
      accesses("float s = table[1]; for (int j = 0; j < 4; ++j) s += table[j]; x[i] = s + table[*n];"),
      ElementsAre("load *n 4", "load table[*n] 4", "store x[i] 4"));
  EXPECT_THAT(accesses("const int t[4] = {1, 2, 3, 4}; x[i] = t[i & 3];"), ElementsAre("store x[i] 4"));
}

TEST(AsWritten, DoesNotReadWhatIsNotEvaluated) {
  EXPECT_THAT(accesses("int a = sizeof(x[i]); decltype(x[i] + 1) b = 0;"), IsEmpty());
  EXPECT_THAT(accesses("if constexpr (sizeof(x[i]) == 8) x[i] = 1;"), IsEmpty());
  EXPECT_THAT(accesses("x[i]; (void)x[i]; float* p2 = &x[i];"), IsEmpty());
}

}  // namespace
}  // namespace warplens::sim
