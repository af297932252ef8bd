// Namespace scope: files, structs with functions of both sides, and host code that is passed over.
#include "tests/cuda/check.h"

namespace warplens::cuda {
namespace {

TEST(Structs, MethodsForTheDeviceAreParsedThoseOfTheHostNamed) {
  ParseResult result = parse(
      "struct P { float x; __device__ P(float v) : x{v} {} __device__ float norm() const { return x; } "
      "P operator+(const P& o) const; ~P() {} int y; };");
  EXPECT_TRUE(result.diagnostics.empty());
  ASSERT_EQ(result.unit.structs.size(), 1u);
  EXPECT_FALSE(result.unit.structs[0].has_constructors);  // of the host alone
  EXPECT_EQ(result.unit.structs[0].methods, (std::vector<std::string>{"operator"}));
}

TEST(Files, LineEndsAndByteOrderMarksDoNotMatter) {
  const std::string text =
      "#define TWO \\\n 2 // two\n#if TWO == 2\n__global__ void k(int* p) {\n  p[0] = ;\n}\n#endif\n";
  std::string dos = "\xEF\xBB\xBF";
  for (char c : text) dos += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(messages(text), "5:10 expected an expression, not ';'");
  EXPECT_EQ(messages(dos), messages(text));
}

TEST(Files, IncludesOfTheirOwnAreNamed) {
  ParseResult result =
      parse("#include <cuda.h>\n#include \"helper.cuh\"\n#if 0\n#include \"no.h\"\n#endif\n");
  EXPECT_EQ(result.unit.ignored_includes, (std::vector<std::string>{"helper.cuh"}));
}

// Of a text without a mistake.
std::string kernels_of(std::string_view text) {
  const ParseResult result = parse(text);
  EXPECT_EQ(rendered(result.diagnostics, text), "") << text;
  std::string names;
  for (const Function& f : result.unit.functions) names += (names.empty() ? "" : " ") + f.name;
  return names;
}

TEST(HostCode, IsSkippedWhateverItHolds) {
  EXPECT_EQ(
      kernels_of("#include <vector>\n"
                 "class Timer : public Base { public: Timer() : a{1}, b{2} {} virtual ~Timer(); "
                 "std::vector<int> v; };\n"
                 "template <typename... Args> void log(Args&&... args) { (std::cout << ... << args); }\n"
                 "std::vector<float> data = {1, 2}; int counter; auto f = [](int x) { return x < 3; };\n"
                 "static std::map<std::string, int> table = {{\"a\", 1}};\n"
                 "int helper(int a = 3) try { goto x; x: asm(\"nop\"); } catch (...) { throw; }\n"
                 "Timer::Timer() : a(1) { new int; } template class Foo<int>; template <> struct H<int> {};\n"
                 "__global__ void k() {}\n"
                 "int main() { if (a < b) { printf(\"{\"); } return '}'; }"),
      "k");
}

TEST(HostCode, AMistakeInItDisturbsNoKernel) {
  EXPECT_EQ(kernels_of("int main() { if (x) { foo(;\n"
                       "template <int A> __global__ void k() { }\n"
                       "void g() { char* s = \"abc; }\n"
                       "void h() { } } } )\n"
                       "extern \"C\" __global__ void k2() { }\n"
                       "int z = 3 + ;"),
            "k k2");
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
  EXPECT_FALSE(result.unit.host.functions.empty());
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
