// What the lowering says about texts that are wrong: the message, the place and the remedy.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/lower/lower.h"

namespace warplens::sim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// "column: message (remedy)" of each error, columns in the one line of text.
std::vector<std::string> errors_in(const std::string& text,
                                   const std::vector<std::string>& template_arguments = {}) {
  CompileRequest request;
  request.text = text;
  request.template_arguments = template_arguments;
  const CompileResult result = compile(request);
  std::vector<std::string> errors;
  for (const cuda::Diagnostic& d : result.diagnostics) {
    if (d.severity != cuda::Severity::Error) continue;
    errors.push_back(std::to_string(d.range.begin.column) + ": " + d.message.english() +
                     (d.remedy.empty() ? "" : " (" + d.remedy.english() + ")"));
  }
  EXPECT_EQ(errors.empty(), result.program.has_value());
  return errors;
}

// The same, of a kernel's body; columns count from the body.
std::vector<std::string> errors_in_body(const std::string& body, const std::string& before = "") {
  const std::string head = before + "__global__ void k(int* out, const float* in, float x, int n) { ";
  std::vector<std::string> errors = errors_in(head + body + " }");
  for (std::string& error : errors) {
    const std::size_t colon = error.find(':');
    error = std::to_string(std::stol(error) - static_cast<long>(head.size())) + error.substr(colon);
  }
  return errors;
}

TEST(LowerDiagnostics, ASoundKernelHasNone) {
  EXPECT_THAT(errors_in_body("out[threadIdx.x] = n + x * in[3];"), IsEmpty());
}

TEST(LowerDiagnostics, UnknownNamesAreGuessed) {
  EXPECT_THAT(errors_in_body("out[0] = thredIdx.x;"),
              ElementsAre("10: 'thredIdx' is not declared here (did you mean 'threadIdx'?)"));
  EXPECT_THAT(errors_in_body("int count = 0; out[0] = cuont;"),
              ElementsAre("25: 'cuont' is not declared here (did you mean 'count'?)"));
  EXPECT_THAT(errors_in_body("__syncthread();"),
              ElementsAre("1: function '__syncthread' is not declared here (did you mean '__syncthreads'?)"));
  EXPECT_THAT(errors_in_body("flaot y = 1;"), ElementsAre(HasSubstr("flaot")));
  EXPECT_THAT(errors_in_body("float4 v; v.q = 1;"),
              ElementsAre("13: 'float4' has no member 'q' (it has 'x', 'y', 'z', 'w')"));
  EXPECT_THAT(errors_in_body("{ int a = 1; } out[0] = a;"), ElementsAre("25: 'a' is not declared here"));
}

TEST(LowerDiagnostics, Calls) {
  const std::string f = "__device__ int f(int a, int b) { return a + b; } ";
  EXPECT_THAT(errors_in_body("out[0] = f(1);", f), ElementsAre("10: 'f' takes 2 arguments, 1 is given"));
  EXPECT_THAT(errors_in_body("out[0] = f(1, in);", f),
              ElementsAre("15: 'const float*' cannot be passed to parameter 'b' of 'f', which is 'int'"));
  EXPECT_THAT(errors_in_body("out[0] = sqrtf(1, 2);"),
              ElementsAre("10: 'sqrtf' takes 1 argument, 2 are given"));
  EXPECT_THAT(errors_in_body("n(3);"), ElementsAre("1: 'n' is not a function"));
  EXPECT_THAT(
      errors_in_body("g(3);", "__device__ void g(int& r) { r = 1; } "),
      ElementsAre("3: 'int' cannot be passed to parameter 'r' of 'g', which is 'int&' (pass a variable)"));
  EXPECT_THAT(
      errors_in_body("g(1.5f);", "__device__ void g(int a) {} __device__ void g(unsigned a) {} "),
      ElementsAre(
          "1: which 'g' is meant? 2 fit equally well (convert the arguments to the parameters' types)"));
  EXPECT_THAT(errors_in_body("out[0] = helper(3);", "int helper(int a) { return a; } "),
              ElementsAre("10: 'helper' is a host function: a kernel cannot call it (mark it __device__)"));
}

TEST(LowerDiagnostics, RecursionIsRefusedOnce) {
  EXPECT_THAT(
      errors_in("__device__ int f(int n) { return n < 2 ? n : f(n - 1); } "
                "__global__ void k(int* out, int n) { out[0] = f(n); }"),
      ElementsAre(
          "46: 'f' calls itself: recursion is not supported (write a loop, or a template that ends with "
          "if constexpr)"));
  EXPECT_THAT(
      errors_in(
          "__device__ int g(int n); __device__ int f(int n) { return g(n); } "
          "__device__ int g(int n) { return f(n); } __global__ void k(int* out, int n) { out[0] = f(n); }"),
      ElementsAre(HasSubstr("calls itself")));
  // Ends by itself only in a constant's world.
  EXPECT_THAT(errors_in("template <int N> __device__ int f() { return f<N + 1>(); } "
                        "__global__ void k(int* out) { out[0] = f<0>(); }"),
              ElementsAre(HasSubstr("calls are nested too deeply")));
}

TEST(LowerDiagnostics, Types) {
  EXPECT_THAT(errors_in_body("out[x] = 1;"),
              ElementsAre("1: an index must be an integer, not 'float' (convert it with int(...))"));
  EXPECT_THAT(errors_in_body("int y = out;"), ElementsAre("9: cannot convert 'int*' to 'int'"));
  EXPECT_THAT(errors_in_body("const float* p = out;"),
              ElementsAre("18: cannot convert 'int*' to 'const float*' (use reinterpret_cast)"));
  EXPECT_THAT(
      errors_in_body("float* p = in;"),
      ElementsAre("12: cannot convert 'const float*' to 'float*' (declare the pointer const as well)"));
  EXPECT_THAT(errors_in_body("out[0] = x % 2;"),
              ElementsAre("10: '%' needs integers, not 'float' and 'int' (use fmodf(a, b))"));
  EXPECT_THAT(errors_in_body("out[0] = *n;"), ElementsAre("10: '*' needs a pointer, not 'int'"));
  EXPECT_THAT(errors_in_body("out = out + out;"), ElementsAre("7: '+' cannot combine 'int*' and 'int*'"));
  EXPECT_THAT(
      errors_in_body("float4 a, b; a = a + b;"),
      ElementsAre(
          "20: there is no operator '+' for 'float4' and 'float4' (CUDA defines none for vector types "
          "and structs: write it for each member, or define operator+)"));
  EXPECT_THAT(
      errors_in_body("n[out[0]] = 2; x[0] = 1;"),
      ElementsAre(HasSubstr("neither an array nor a pointer"), HasSubstr("'float' is neither an array")));
}

TEST(LowerDiagnostics, WhatCannotChange) {
  EXPECT_THAT(
      errors_in_body("in[0] = 1;"),
      ElementsAre("1: 'in[0]' is const and cannot be changed (remove the const, or use another variable)"));
  EXPECT_THAT(errors_in_body("const int c = 3; c++;"), ElementsAre(HasSubstr("18: 'c' is const")));
  EXPECT_THAT(errors_in_body("3 = n;"),
              ElementsAre("1: '3' is a value, not a variable: it cannot be changed"));
  EXPECT_THAT(errors_in_body("threadIdx.x = 3;"), ElementsAre(HasSubstr("1: 'threadIdx.x' is const")));
  EXPECT_THAT(errors_in_body("int a[3], b[3]; a = b;"),
              ElementsAre(HasSubstr("17: 'a' is an array and cannot be assigned")));
}

TEST(LowerDiagnostics, Declarations) {
  EXPECT_THAT(errors_in_body("float t[n];"),
              ElementsAre("9: an array's extent must be known when compiling (use "
                          "constants and template parameters)"));
  EXPECT_THAT(errors_in_body("int a = 1; int a = 2;"),
              ElementsAre("16: 'a' is already declared in this block, in line 1"));
  EXPECT_THAT(errors_in_body("int a = a;"), ElementsAre("9: 'a' is used in its own initial value"));
  EXPECT_THAT(errors_in_body("__shared__ int s = 3;"),
              ElementsAre(HasSubstr("cannot have an initial value")));
  EXPECT_THAT(errors_in_body("__shared__ int s[];"),
              ElementsAre(HasSubstr("shared array 's' has no extent")));
  EXPECT_THAT(errors_in_body("int c[2] = {1, 2, 3};"), ElementsAre("19: too many values for 'int[2]'"));
  EXPECT_THAT(errors_in_body("static int s = n;"),
              ElementsAre(HasSubstr("must be known when compiling")));
  EXPECT_THAT(errors_in_body("int big[1000000];"), ElementsAre(HasSubstr("524288 bytes of local memory")));
}

TEST(LowerDiagnostics, Statements) {
  EXPECT_THAT(errors_in_body("break;"), ElementsAre("1: 'break' stands outside of a loop or switch"));
  EXPECT_THAT(errors_in_body("switch (n) { case 1: continue; }"),
              ElementsAre("22: 'continue' stands outside of a loop"));
  EXPECT_THAT(errors_in_body("return 3;"),
              ElementsAre("8: a kernel returns nothing (write the result to memory)"));
  EXPECT_THAT(errors_in_body("switch (n) { case 1: case 1: ; }"),
              ElementsAre("22: this case stands twice in the switch"));
  EXPECT_THAT(errors_in_body("switch (x) { case 1: ; }"),
              ElementsAre("9: 'switch' needs an integer, not 'float'"));
  EXPECT_THAT(errors_in_body("switch (n) { case 2: case n: ; }"),
              ElementsAre(HasSubstr("a case must be known when")));
}

TEST(LowerDiagnostics, DeadCodeIsCheckedAllTheSame) {
  EXPECT_THAT(errors_in_body("if (false) out[0] = nothing; return; out[1] = void_too;"),
              ElementsAre(HasSubstr("'nothing'"), HasSubstr("'void_too'")));
  EXPECT_THAT(errors_in_body("if constexpr (sizeof(int) == 8) out[0] = nothing;"), IsEmpty());
}

TEST(LowerDiagnostics, AMistakeInAFunctionIsToldOnce) {
  EXPECT_THAT(errors_in_body("f(1); f(2); f(3);", "__device__ int f(int a) { return b; } "),
              ElementsAre(HasSubstr("'b' is not declared here")));
}

TEST(LowerDiagnostics, KernelsAndTheirParameters) {
  EXPECT_THAT(
      errors_in("struct S { int* a[140]; }; __global__ void k(S s) { }"),
      ElementsAre(
          "46: parameter 's' has type 'S': kernels take numbers, pointers and small structs here (pass its "
          "members one by one)"));
  EXPECT_THAT(errors_in("template <int N> __global__ void k(int* out) { out[0] = N; }"),
              ElementsAre(HasSubstr("template argument 'N' is missing")));
  const std::string kernel = "template <int N, typename T> __global__ void k(T* out) { out[0] = N; }";
  EXPECT_THAT(errors_in(kernel, {"3", "float"}), IsEmpty());
  EXPECT_THAT(errors_in(kernel, {"3", "flot"}),
              ElementsAre("46: unknown type 'flot' (did you mean 'float'?)"));
  EXPECT_THAT(errors_in(kernel, {"n", "float"}), ElementsAre("46: 'n' is not declared here"));
  EXPECT_THAT(errors_in(kernel, {"3", "int", "4"}),
              ElementsAre("46: 'k' takes 2 template arguments, 3 are given"));
  EXPECT_THAT(errors_in("__global__ void a() {} __global__ void b() {}"),
              ElementsAre("40: the file has 2 kernels: a, b (choose one by its name)"));
  EXPECT_THAT(errors_in("int x;"), ElementsAre(HasSubstr("the file has no kernel")));
}

TEST(LowerDiagnostics, HostMemoryIsNotThere) {
  EXPECT_THAT(errors_in("__device__ int c, d = c; __global__ void k(int* out) { out[0] = d; }"),
              ElementsAre("23: the initial value of a variable of the file must be known when compiling (use "
                          "constants and template parameters)"));
  EXPECT_THAT(
      errors_in("int n = 3; __global__ void k(int* out) { out[0] = n; }"),
      ElementsAre(
          "51: 'n' exists on the host only (make it constexpr or __device__, or pass it to the kernel as "
          "a parameter)"));
}

TEST(LowerDiagnostics, ConstantDivisionByZeroAndIndicesOutsideAreWarnings) {
  CompileRequest request;
  request.text = "__global__ void k(int* out) { int a[3] = {0}; out[0] = a[3] + out[1] / 0; }";
  const CompileResult result = compile(request);
  ASSERT_EQ(result.diagnostics.size(), 2u);
  EXPECT_EQ(result.diagnostics[0].message, "index 3 is outside of the array, which has 3 elements");
  EXPECT_EQ(result.diagnostics[1].message, "division by zero");
  EXPECT_EQ(result.diagnostics[1].severity, cuda::Severity::Warning);
  EXPECT_TRUE(result.program);
}

TEST(LowerDiagnostics, HugeTextsEndInWords) {
  std::string calls = "__device__ int f0(int a) { return a * a + 1; } ";
  for (int i = 1; i <= 20; ++i) {  // 2^20 copies of f0
    const std::string below = "f" + std::to_string(i - 1);
    calls += "__device__ int f" + std::to_string(i) + "(int a) { return " + below + "(a) + " + below +
             "(a + 1); } ";
  }
  const auto errors = errors_in(calls + "__global__ void k(int* out, int n) { out[0] = f20(n); }");
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_THAT(errors[0], HasSubstr("the kernel becomes too large"));
}

}  // namespace
}  // namespace warplens::sim
