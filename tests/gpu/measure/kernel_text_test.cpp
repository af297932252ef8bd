// Changes to a kernel's text for the GPU: volatile tiles, host code out of the way.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/protocol/as_written.h"

namespace warplens::measure {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(MakeSharedVolatile, MarksTilesOfNumbersThatAreIndexedInFull) {
  const auto changed = make_shared_volatile(
      "__global__ void k(float* a) {\n  __shared__ float tile[32][33];\n  tile[1][2] = a[0];\n  a[1] = "
      "tile[2][1] + 1;\n}");
  EXPECT_EQ(changed.text,
            "__global__ void k(float* a) {\n  __shared__ volatile float tile[32][33];\n  tile[1][2] = "
            "a[0];\n  a[1] = tile[2][1] + 1;\n}");
  EXPECT_THAT(changed.made_volatile, ElementsAre("tile"));
  EXPECT_THAT(changed.left, IsEmpty());
}

TEST(MakeSharedVolatile, TakesSeveralNamesScalarsAndDynamicArrays) {
  const auto changed = make_shared_volatile(
      "{ __shared__ int a[4], b[2][2], sum; extern __shared__ unsigned int d[]; a[0] = b[1][0] + d[3]; sum = "
      "a[1]; }");
  EXPECT_THAT(changed.made_volatile, ElementsAre("a", "b", "sum", "d"));
  EXPECT_THAT(changed.text, testing::HasSubstr("__shared__ volatile int a[4], b[2][2], sum;"));
  EXPECT_THAT(changed.text, testing::HasSubstr("extern __shared__ volatile unsigned int d[];"));
}

// What is left: a volatile array would not compile in these uses.
struct Left {
  const char* what;
  const char* text;
};
class LeavesAlone : public testing::TestWithParam<Left> {};
TEST_P(LeavesAlone, TheText) {
  const std::string text = GetParam().text;
  const auto changed = make_shared_volatile(text);
  EXPECT_EQ(changed.text, text) << GetParam().what;
  EXPECT_FALSE(changed.left.empty()) << GetParam().what;
}
INSTANTIATE_TEST_SUITE_P(
    MakeSharedVolatile, LeavesAlone,
    testing::Values(Left{"an atomic's address", "{ __shared__ int h[8]; atomicAdd(&h[i], 1); }"},
                    Left{"a row passed on", "{ __shared__ float t[8][8]; f(t[1]); }"},
                    Left{"a pointer to it", "{ __shared__ float t[8]; float* p = t; }"},
                    Left{"a cast of it", "{ __shared__ float t[8]; *(float4*)t = v; }"},
                    Left{"vectors", "{ __shared__ float4 t[8]; v = t[1]; }"},
                    Left{"half precision", "{ __shared__ __half t[8]; v = t[1]; }"},
                    Left{"a template's type", "{ __shared__ Tile<4> t[8]; v = t[1]; }"},
                    Left{"a member of an element", "{ __shared__ P t[8]; v = t[1].x; }"},
                    Left{"a shared pointer", "{ __shared__ float* p; p = a; }"},
                    Left{"one bad name among two", "{ __shared__ int a[2], b[2]; a[0] = 1; f(b); }"}));

TEST(MakeSharedVolatile, BinaryAndIsNoAddress) {
  EXPECT_THAT(make_shared_volatile("{ __shared__ int a[4]; x = y & a[1]; z = (m) & a[2]; }").made_volatile,
              ElementsAre("a"));
}

TEST(MakeSharedVolatile, LooksNoFurtherThanTheBlock) {
  EXPECT_THAT(
      make_shared_volatile("{ __shared__ int t[4]; t[0] = 1; } void f(int* t) { g(t); }").made_volatile,
      ElementsAre("t"));
}

TEST(MakeSharedVolatile, PassesOverCommentsAndLiterals) {
  const auto changed = make_shared_volatile(
      "// __shared__ float x[2];\n/* __shared__ */ const char* s = \"__shared__ float y[2];\";");
  EXPECT_THAT(changed.made_volatile, IsEmpty());
  EXPECT_EQ(changed.text,
            "// __shared__ float x[2];\n/* __shared__ */ const char* s = \"__shared__ float y[2];\";");
}

TEST(MakeSharedVolatile, KnowsWhenThereIsNothingOrAlreadyDone) {
  EXPECT_FALSE(make_shared_volatile("__global__ void k() {}").has_shared);
  const auto done = make_shared_volatile("{ volatile __shared__ int a[4]; f(a); }");
  EXPECT_THAT(done.made_volatile, ElementsAre("a"));
  EXPECT_EQ(done.text, "{ volatile __shared__ int a[4]; f(a); }");
  EXPECT_FALSE(make_shared_volatile("#define TILE __shared__ float t[4]\n{ TILE; t[0] = 1; }").left.empty());
}

TEST(MakeSharedVolatile, EndsOnAnyText) {
  for (const char* text : {"__shared__", "__shared__ float", "__shared__ float a[", "__shared__ float a[1",
                           "/*", "\"", "R\"(", "#", "__shared__ (", "__shared__ float a[1]; a[", "'"})
    EXPECT_GE(make_shared_volatile(text).text.size(), std::string(text).size()) << text;
}

TEST(Ptx, EveryPlainSharedAccessBecomesVolatile) {
  EXPECT_EQ(
      make_shared_accesses_volatile("\tld.shared.f32 \t%f1, [%r1];\n\t@%p1 st.shared.v4.f32 [%r2], {%f1};\n"),
      "\tld.volatile.shared.f32 \t%f1, [%r1];\n\t@%p1 st.volatile.shared.v4.f32 [%r2], {%f1};\n");
  EXPECT_EQ(make_shared_accesses_volatile("ld.shared.u32 a;ld.shared.u32 b;"),
            "ld.volatile.shared.u32 a;ld.volatile.shared.u32 b;");
  const std::string other =
      "\tld.volatile.shared.f32 %f1;\n\tld.global.f32 %f2;\n\tatom.shared.add.u32 %r1;\n\t.file "
      "\"old.shared\"\n";
  EXPECT_EQ(make_shared_accesses_volatile(other), other);
}

TEST(BlankHostCode, KeepsDeviceCodeWhereItIs) {
  const std::string text =
      "#include <vector>\n"
      "constexpr int N = 4;\n"
      "struct Pair { int a, b; };\n"
      "__device__ int twice(int x) { return 2 * x; }\n"
      "static void check(cudaError_t e) { if (e) { exit(1); } }\n"
      "template <int B> __global__ void k(int* a) { a[0] = twice(B); }\n"
      "std::vector<int> host;\n"
      "int main() {\n  k<1><<<1, 2>>>(nullptr);\n}\n";
  const std::string blanked = blank_host_code(text);
  EXPECT_EQ(std::count(blanked.begin(), blanked.end(), '\n'), std::count(text.begin(), text.end(), '\n'));
  EXPECT_EQ(blanked.size(), text.size());
  for (const char* kept : {"#include <vector>", "constexpr int N = 4;", "struct Pair { int a, b; };",
                           "__device__ int twice(int x) { return 2 * x; }",
                           "template <int B> __global__ void k(int* a) { a[0] = twice(B); }"})
    EXPECT_EQ(blanked.find(kept), text.find(kept)) << kept;
  for (const char* gone : {"check", "host", "main", "<<<"})
    EXPECT_EQ(blanked.find(gone), std::string::npos) << gone;
}

TEST(BlankHostCode, LooksIntoNamespaces) {
  const std::string blanked = blank_host_code(
      "namespace a { void host() { f(); } __global__ void k() {} } extern \"C\" { int h() { return 1; } }");
  EXPECT_THAT(blanked, testing::HasSubstr("__global__ void k() {}"));
  EXPECT_EQ(blanked.find("host"), std::string::npos);
  EXPECT_EQ(blanked.find("return"), std::string::npos);
}

TEST(BlankHostCode, LeavesAKernelFileAlone) {
  const std::string text =
      "// main() { }\ntemplate <int B>\n__global__ void k(float* a) { if (a) { a[0] = 1; } }\n";
  EXPECT_EQ(blank_host_code(text), text);
}

TEST(IncludedFiles, AreListedInOrder) {
  EXPECT_THAT(
      included_files("#include <a.h>\n  #  include \"b/c.h\"\n// #include <no.h>\n#define X include <y>\n"),
      ElementsAre("a.h", "b/c.h"));
}

}  // namespace
}  // namespace warplens::measure
