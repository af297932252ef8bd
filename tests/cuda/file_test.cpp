// Namespace scope: functions, templates, structs, constants, and host code that is passed over.
#include "tests/cuda/check.h"

namespace warplens::cuda {
namespace {

TEST(Functions, SpecifiersInAnyOrder) {
  EXPECT_EQ(tree("extern \"C\" __global__ void __launch_bounds__(256, 2) k(int n) {}"),
            "kernel bounds(256, 2) k(int n) { }\n");
  EXPECT_EQ(tree("void __global__ k() {} static __device__ __forceinline__ int f(void) { return 1; }"),
            "kernel k() { }\ndevice int f() { return 1; }\n");
  EXPECT_EQ(tree("__host__ __device__ inline const float* f(); __device__ auto g() -> int { return {}; }"),
            "device const float* f();\ndevice int g() { return {}; }\n");
  EXPECT_EQ(tree("[[nodiscard]] __device__ __attribute__((always_inline)) int f() noexcept { return 1; }"),
            "device int f() { return 1; }\n");
  EXPECT_EQ(tree("__device__ float2 operator+(float2 a, const float2& b) { return a; }"),
            "device float2 operator+(float2 a, const float2& b) { return a; }\n");
}

TEST(Functions, Parameters) {
  EXPECT_EQ(
      tree("__global__ void k(const float* __restrict__ a, float b[], int c[][4], int (*d)[5], int (&e)[6], "
           "int = 3, const int* const p = nullptr) {}"),
      "kernel k(const float* a, float b[], int c[][4], int d[][5], int& e[6], int = 3, const int* p = "
      "nullptr) { "
      "}\n");
}

TEST(Functions, Templates) {
  EXPECT_EQ(
      tree(
          "template <int BX, const unsigned BY = (BX > 4), typename T = float, class U = Vec<T, 2>, bool B = "
          "true>\n__global__ void k(T* a, U u) { T x = T(BX); }"),
      "template <int BX, const unsigned int BY = (BX > 4), typename T = float, typename U = Vec<T, 2>, bool "
      "B = "
      "true> kernel k(T* a, U u) { T x = T(BX); }\n");
}

TEST(Functions, ExplicitInstantiationsAreSkipped) {
  EXPECT_EQ(tree("template <int N> __global__ void k(int* a) {}\ntemplate __global__ void k<4>(int* a);\n"
                 "template class Foo<int>;"),
            "template <int N> kernel k(int* a) { }\n");
}

TEST(Functions, AConstexprFunctionIsADeviceFunctionToo) {
  EXPECT_EQ(tree("constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }"),
            "device int ceil_div(int a, int b) { return (((a + b) - 1) / b); }\n");
}

TEST(Globals, ConstantsAndAliases) {
  EXPECT_EQ(
      tree("constexpr int N = 1 << 4; const int A = 2, B = A; __constant__ float c[4] = {1}; __device__ int "
           "d;\n"
           "using T = float; typedef unsigned long long int ull;"),
      "constexpr const int N = (1 << 4);\nconst int A = 2, const int B = A;\n__constant__ float c[4] = {1};\n"
      "__device__ int d;\nusing T = float;\nusing ull = unsigned long long;\n");
}

TEST(Globals, EnumeratorsAreConstants) {
  EXPECT_EQ(tree("enum Mode { A, B = 4, C }; enum class S : unsigned char { X };"),
            "using Mode = int;\nconstexpr const int A = 0, const int B = 4, const int C = (B + 1);\n"
            "using S = unsigned char;\nconstexpr const unsigned char S::X = 0;\n");
}

TEST(Structs, FieldsAndAlignment) {
  EXPECT_EQ(tree("struct __align__(16) P { float x, *y; int z[2][3]; };\ntypedef struct { int a; } Q;\n"
                 "struct alignas(8) R { Q q; } ; template <typename T, int N> struct V { T data[N]; };"),
            "struct P align(16) { float x; float* y; int z[2][3]; }\nstruct Q { int a; }\n"
            "struct R align(8) { Q q; }\ntemplate <typename T, int N> struct V { T data[N]; }\n");
}

TEST(Structs, MethodsForTheDeviceAreParsedThoseOfTheHostNamed) {
  ParseResult result = parse(
      "struct P { float x; __device__ P(float v) : x{v} {} __device__ float norm() const { return x; } "
      "P operator+(const P& o) const; ~P() {} int y; };");
  EXPECT_TRUE(result.diagnostics.empty());
  ASSERT_EQ(result.unit.structs.size(), 1u);
  EXPECT_FALSE(result.unit.structs[0].has_constructors);  // of the host alone
  EXPECT_EQ(result.unit.structs[0].methods, (std::vector<std::string>{"operator"}));
  EXPECT_EQ(dump(result.unit),
            "struct P { float x; int y; device void P(float v) : x(v) { } device float norm() const { return "
            "x; } }\n");
}

TEST(Structs, StaticConstantsAreGlobals) {
  EXPECT_EQ(tree("struct Config { static constexpr int BM = 4, BN = BM * 2; float tile[BN]; };\n"
                 "__global__ void k() { __shared__ float s[Config::BM]; int BM = 1; int x = BM; }"),
            "static constexpr const int Config::BM = 4, const int Config::BN = (Config::BM * 2);\n"
            "struct Config { float tile[Config::BN]; }\n"
            "kernel k() { __shared__ float s[Config::BM]; int BM = 1; int x = BM; }\n");
}

TEST(Files, LineEndsAndByteOrderMarksDoNotMatter) {
  std::string text = read_text("histogram_stencil.cu"), dos = "\xEF\xBB\xBF";
  for (char c : text) dos += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(tree(dos), tree(text));
}

TEST(Files, IncludesOfTheirOwnAreNamed) {
  ParseResult result =
      parse("#include <cuda.h>\n#include \"helper.cuh\"\n#if 0\n#include \"no.h\"\n#endif\n");
  EXPECT_EQ(result.unit.ignored_includes, (std::vector<std::string>{"helper.cuh"}));
}

TEST(Namespaces, AreFlattened) {
  EXPECT_EQ(tree("namespace a { namespace b::c { __device__ int f() { return 1; } } namespace {\n"
                 "__global__ void k() { a::b::c::f(); c::f(); } } }"),
            "device int f() { return 1; }\nkernel k() { f(); f(); }\n");
}

TEST(HostCode, IsSkippedWhateverItHolds) {
  EXPECT_EQ(tree("#include <vector>\n"
                 "class Timer : public Base { public: Timer() : a{1}, b{2} {} virtual ~Timer(); "
                 "std::vector<int> v; };\n"
                 "template <typename... Args> void log(Args&&... args) { (std::cout << ... << args); }\n"
                 "std::vector<float> data = {1, 2}; int counter; auto f = [](int x) { return x < 3; };\n"
                 "static std::map<std::string, int> table = {{\"a\", 1}};\n"
                 "int helper(int a = 3) try { goto x; x: asm(\"nop\"); } catch (...) { throw; }\n"
                 "Timer::Timer() : a(1) { new int; } template class Foo<int>; template <> struct H<int> {};\n"
                 "__global__ void k() {}\n"
                 "int main() { if (a < b) { printf(\"{\"); } return '}'; }"),
            "struct H { }\nkernel k() { }\n");
}

TEST(HostCode, AMistakeInItDisturbsNoKernel) {
  EXPECT_EQ(tree("int main() { if (x) { foo(;\n"
                 "template <int A> __global__ void k() { }\n"
                 "void g() { char* s = \"abc; }\n"
                 "void h() { } } } )\n"
                 "extern \"C\" __global__ void k2() { }\n"
                 "int z = 3 + ;"),
            "template <int A> kernel k() { }\nkernel k2() { }\n");
}

TEST(HostCode, ItsNamesAreKept) {
  ParseResult result = parse("int helper(int x) { return x; } float factor = 2; __global__ void k() {}");
  EXPECT_EQ(result.unit.host_names, (std::vector<std::string>{"helper", "factor"}));
}

TEST(HostCode, WhatAKernelNeedsOfItIsAnErrorThen) {
  std::string definition = "struct Odd { virtual int f(); };\n";
  EXPECT_EQ(messages(definition + "__global__ void k() {}"), "");
  EXPECT_EQ(messages(definition + "__global__ void k(Odd* p) {}"),
            "1:14 virtual functions and virtual bases are not supported");
}

TEST(HostCode, IsReadWhereThatIsAskedFor) {
  const std::string text =
      "template <int N, typename T> __global__ void t(int* a) {}\n"
      "#define CHECK(x) do { x; } while (0)\n"
      "struct Runner { int n = 3; virtual void go(int* a) { t<8, int><<<n, 32>>>(a); } ~Runner(); };\n"
      "int size = 1 << 4;\n"
      "void f(int* a) {\n"
      "  CHECK((ns::t<32, float><<<dim3(size / 32, 2),\n"
      "         size >> 2, 4 * sizeof(float), stream>>>(a, {1, 2})));\n"
      "  int* p = new int[size]; delete[] p;\n"
      "  try { g(); } catch (...) { return; }\n"
      "  for each (int x in list) set(x);\n"
      "}\n"
      "void Runner::end() { throw 1; }\n";
  EXPECT_TRUE(parse(text).unit.host.functions.empty());
  EXPECT_EQ(messages(text), "");
  const ParseResult result = parse(text, {}, Budget::endless(), {}, HostText::Read);
  EXPECT_EQ(rendered(result.diagnostics, text), "");
  const std::string tree = dump(result.unit);
  for (const char* piece :
       {"ns::t<32, float><<<dim3{(size / 32), 2}, (size >> 2), (4 * sizeof(float)), stream>>>(a, {1, 2})",
        "int* p = new<int>(size);", "delete(p);", "{ g(); }",
        "?((&each), (&x), (&in), (&list), (&set), (&x))", "host int size = (1 << 4);",
        "device void go(int* a) { t<8, int><<<n, 32>>>(a); }",
        "host device void Runner::end() { throw(1); }"})
    EXPECT_NE(tree.find(piece), std::string::npos) << piece << "\n" << tree;
}

TEST(Places, OfFunctionsAndNames) {
  ParseResult result = parse("\n// a comment\n  template <int A>\n  __global__ void kernel() {\n  }\n");
  ASSERT_EQ(result.unit.functions.size(), 1u);
  const Function& function = result.unit.functions[0];
  EXPECT_EQ(function.range.begin.line, 3);
  EXPECT_EQ(function.range.begin.column, 3);
  EXPECT_EQ(function.range.end.line, 5);
  EXPECT_EQ(function.range.end.column, 4);
  EXPECT_EQ(function.name_range.begin.line, 4);
  EXPECT_EQ(function.name_range.begin.column, 19);
  EXPECT_EQ(function.name_range.end.column, 25);
}

}  // namespace
}  // namespace warplens::cuda
