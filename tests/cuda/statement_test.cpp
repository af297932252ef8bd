// Statements and local declarations.
#include "tests/cuda/check.h"

namespace warplens::cuda {
namespace {

TEST(Statements, OfAllKinds) {
  EXPECT_EQ(body("if (n) m = 1; else if (m) { n = 2; } else ;"),
            "if (n) (m = 1); else if (m) { (n = 2); } else ;");
  EXPECT_EQ(body("if constexpr (4 > 3) return;"), "if constexpr ((4 > 3)) return;");
  EXPECT_EQ(body("for (int i = 0, j = 1; i < n; ++i, j *= 2) continue;"),
            "for (int i = 0, int j = 1; (i < n); ((++i) , (j *= 2))) continue;");
  EXPECT_EQ(body("for (;;) break;"), "for (; ; ) break;");
  EXPECT_EQ(body("for (n = 0; ; n++) { }"), "for ((n = 0); ; (n++)) { }");
  EXPECT_EQ(body("while (n > 0) n >>= 1;"), "while ((n > 0)) (n >>= 1);");
  EXPECT_EQ(body("do { n--; } while (n); ;"), "do { (n--); } while (n); ;");
  EXPECT_EQ(body("#pragma unroll 4\nfor (;;) break;\n"), "for (; ; ) break;");
  EXPECT_EQ(body("[[maybe_unused]] int x; if (n) [[likely]] n = 1;"), "int x; if (n) (n = 1);");
}

TEST(Statements, SwitchKeepsItsLabelsInPlace) {
  EXPECT_EQ(body("switch (n) { case 1: case 1 + 1: m = 1; break; default: { m = 2; } case 7: }"),
            "switch (n) { case 1: case (1 + 1): (m = 1); break; default: { (m = 2); } case 7: }");
}

TEST(Statements, AConditionMayDeclare) {
  EXPECT_EQ(body("if (int x = n) m = x;"), "{ int x = n; if (x) (m = x); }");
  EXPECT_EQ(body("if (int x = n; x > 3) m = x; else m = 0;"),
            "{ int x = n; if ((x > 3)) (m = x); else (m = 0); }");
  EXPECT_EQ(body("switch (int x = n) { case 1: ; }"), "{ int x = n; switch (x) { case 1: ; } }");
}

TEST(Declarations, Scalars) {
  EXPECT_EQ(body("int x = 1, *p = &x, **q{&p}, y(2);"),
            "int x = 1, int* p = (&x), int** q = {(&p)}, int y = int(2);");
  EXPECT_EQ(body("const unsigned x = 1u; unsigned int const y = x;"),
            "const unsigned int x = 1u; const unsigned int y = x;");
  EXPECT_EQ(body("auto x = n; auto* p = &x; const auto& r = x;"),
            "auto x = n; auto* p = (&x); const auto& r = x;");
  EXPECT_EQ(body("constexpr int K = 3; static const int L = K;"),
            "constexpr const int K = 3; static const int L = K;");
  EXPECT_EQ(body("float* __restrict__ const p = a; volatile float* v = a;"),
            "float* p = a; volatile float* v = a;");
}

TEST(Declarations, IntegerTypesInAnyOrder) {
  EXPECT_EQ(
      body("long unsigned int long a1; short int unsigned a2; signed a3; long long a4; char unsigned a5;"),
      "unsigned long long a1; unsigned short a2; int a3; long long a4; unsigned char a5;");
  EXPECT_EQ(body("signed char a1; long double a2; int const long a3 = 0; unsigned a4;"),
            "signed char a1; double a2; const long a3 = 0; unsigned int a4;");
}

TEST(Declarations, VectorsAndStructs) {
  EXPECT_EQ(
      body("float4 v = {1, 2, 3, 4}, w{0}, z(1, 2, 3, 4); dim3 d(1, 2); Foo f; Foo* g = (Foo*)a;"),
      "float4 v = {1, 2, 3, 4}, float4 w = {0}, float4 z = float4{1, 2, 3, 4}; dim3 d = dim3{1, 2}; Foo f; "
      "Foo* g = c_cast<Foo*>(a);");
  EXPECT_EQ(body("uint32_t x; size_t y; half h; __half2 g;"), "uint32_t x; size_t y; __half h; __half2 g;");
}

TEST(Declarations, Arrays) {
  EXPECT_EQ(body("float t[4][2] = {{0.0f}, {1, 2,}}; int k[] = {1, 2}; float z[3] = {};"),
            "float t[4][2] = {{0.0f}, {1, 2}}; int k[] = {1, 2}; float z[3] = {};");
  EXPECT_EQ(body("__shared__ float tile[32][32 + 1], u; extern __shared__ float s[];"),
            "__shared__ float tile[32][(32 + 1)], float u; extern __shared__ float s[];");
  EXPECT_EQ(
      body("__shared__ __align__(16) float t[4]; alignas(8) int q[2]; extern __shared__ "
           "__align__(sizeof(int)) "
           "unsigned char raw[]; float __shared__ late[2];"),
      "__shared__ align(16) float t[4]; align(8) int q[2]; extern __shared__ unsigned char raw[]; __shared__ "
      "float late[2];");
  EXPECT_EQ(body("float (&r)[4] = t;"), "float& r[4] = t;");
}

TEST(Declarations, AreToldFromExpressions) {
  EXPECT_EQ(body("Unknown x; Unknown* y; Unknown& z = x; n * m; n & m; Ns::Type t; n < m;"),
            "Unknown x; Unknown* y; Unknown& z = x; (n * m); (n & m); Ns::Type t; (n < m);");
  EXPECT_EQ(body("float(n); float4{1, 2}; dim3(1);"), "float(n); float4{1, 2}; dim3(1);");
}

TEST(Declarations, LocalTypes) {
  EXPECT_EQ(body("using T = float; typedef unsigned int U; T x = T(1); U y = (U)x;"),
            "using T = float; using U = unsigned int; T x = T(1); U y = c_cast<U>(x);");
  EXPECT_EQ(tree("__global__ void k() { struct P { int a, b[2]; } p = {1}; p.a = 2; }"),
            "struct P { int a; int b[2]; }\nkernel k() { P p = {1}; (p.a = 2); }\n");
}

TEST(CooperativeGroups, HoweverTheyAreImported) {
  const char* alias = "namespace cg = cooperative_groups;\n";
  std::string expected =
      "thread_block t = this_thread_block(); t.sync(); sync(t); auto w = tiled_partition<32>(t); "
      "thread_block_tile<32> v = w;";
  EXPECT_EQ(body("cg::thread_block t = cg::this_thread_block(); t.sync(); cg::sync(t); auto w = "
                 "cg::tiled_partition<32>(t); cg::thread_block_tile<32> v = w;",
                 alias),
            expected);
  EXPECT_EQ(body("thread_block t = this_thread_block(); t.sync(); sync(t); auto w = tiled_partition<32>(t); "
                 "thread_block_tile<32> v = w;",
                 "using namespace cooperative_groups;\n"),
            expected);
  EXPECT_EQ(body("namespace g = cooperative_groups; g::thread_block t = g::this_thread_block();"),
            "; thread_block t = this_thread_block();");
}

}  // namespace
}  // namespace warplens::cuda
