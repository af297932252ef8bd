// A file is more than the kernel that is chosen: the headers that it includes, and what the kernel does
// without.
#include <gmock/gmock.h>

#include "sim/lower/lower.h"

namespace warplens::sim {
namespace lower_needed_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Compiled {
  bool runs = false;
  std::vector<std::string> errors, warnings;
};

Compiled compiled(CompileRequest request) {
  const CompileResult result = compile(request);
  Compiled made{result.program.has_value(), {}, {}};
  for (const cuda::Diagnostic& d : result.diagnostics) {
    const std::string text = std::to_string(d.range.begin.line) + ": " + d.message.english() +
                             (d.remedy.empty() ? "" : " (" + d.remedy.english() + ")");
    (d.severity == cuda::Severity::Error ? made.errors : made.warnings).push_back(text);
  }
  return made;
}

Compiled compiled(const std::string& text, const std::string& kernel, cuda::HeaderSet headers = {}) {
  CompileRequest request;
  request.text = text;
  request.kernel = kernel;
  request.headers = std::move(headers);
  return compiled(std::move(request));
}

// Each includes the others by its name in quotes.
cuda::HeaderSet headers_of(const std::vector<std::pair<std::string, std::string>>& texts) {
  auto headers = std::make_shared<cuda::Headers>();
  for (const auto& [name, text] : texts) {
    for (int from = cuda::kOwnText; from < static_cast<int>(texts.size()); ++from)
      headers->found[{from, "\"" + name + "\""}] = static_cast<int>(headers->files.size());
    headers->files.push_back({name, text});
  }
  return headers;
}

const std::string kGood = "__global__ void good(float* a) { a[threadIdx.x] = 1.0f; }\n";

TEST(Needed, AnotherFunctionRefusesNoKernel) {
  for (const std::string other : {
           "__global__ void bad(float* a) { asm goto(\"nop;\"); }\n",
           "__device__ float bad(int i) { return tex1Dfetch(t, i); }\n",
           "__device__ void bad() { auto f = [](int x) { return x; }; }\n",
           "__device__ float bad(cudaTextureObject_t t) { return 1.0f; }\n",
           "__global__ void bad(wmma::fragment<int> f) {}\n",
           "struct Bad { virtual void f(); };\n__global__ void bad(Bad* b) { b->f(); }\n",
       }) {
    for (const std::string& text : {other + kGood, kGood + other}) {
      const Compiled made = compiled(text, "good");
      EXPECT_TRUE(made.runs) << text;
      EXPECT_THAT(made.errors, IsEmpty()) << text;
    }
    EXPECT_FALSE(compiled(other + kGood, "bad").runs) << other;
  }
}

TEST(Needed, WhatIsLeftOutIsSaidAndWhatIsCalledIsAnError) {
  const std::string text = "__device__ int bad() {\n  goto x;\n  x: return 1;\n}\n" + kGood +
                           "__global__ void uses(int* a) { a[0] = bad(); }\n";
  EXPECT_THAT(compiled(text, "good").warnings,
              ElementsAre("2: 'bad', which 'good' does not need, is left out: goto is not supported in a "
                          "kernel (use a loop, if, break or continue)"));
  EXPECT_THAT(compiled(text, "uses").errors, ElementsAre(HasSubstr("2: goto is not supported in a kernel")));
  // Of several the one that is meant.
  const std::string overloaded =
      "__device__ int f(int x) { goto x; x: return x; }\n"
      "__device__ int f(float x) { return 2; }\n"
      "__global__ void a(int* out) { out[0] = f(1.0f); }\n"
      "__global__ void b(int* out) { out[0] = f(1); }\n";
  EXPECT_TRUE(compiled(overloaded, "a").runs);
  EXPECT_FALSE(compiled(overloaded, "b").runs);
}

TEST(Needed, AMistakeOutsideOfFunctionsRefusesEveryKernel) {
  EXPECT_FALSE(compiled("#error no\n" + kGood, "good").runs);
  EXPECT_FALSE(compiled("__device__ int x = ;\n__global__ void k(int* a) { a[0] = x; }\n", "k").runs);
}

TEST(Kernels, AreChosenByAnyNameThatTellsThemApart) {
  const std::string text =
      "namespace a { namespace b { __global__ void k(float* p) { p[0] = 1; } } }\n"
      "namespace c { __global__ void k(float* p) { p[0] = 2; } }\n"
      "__global__ void init(float* p, int n) { p[n] = 0; }\n"
      "__global__ void init(int* p) { p[0] = 0; }\n"
      "template <int N, typename T> __global__ void t(T* p) { p[N] = 0; }\n";
  for (const char* good : {"a::b::k", "b::k", "c::k", "::c::k", "init(float*, int)", "init(int *)",
                           "t<3, float>", "t<3,int>(T*)"}) {
    EXPECT_TRUE(compiled(text, good).runs) << good << testing::PrintToString(compiled(text, good).errors);
  }
  EXPECT_THAT(
      compiled(text, "init").errors,
      ElementsAre("4: the file has 2 kernels 'init': init(float*, int), init(int*) (choose one of these)"));
  EXPECT_THAT(compiled(text, "k").errors, ElementsAre(HasSubstr("a::b::k, c::k")));
  EXPECT_TRUE(
      compiled(text + "__global__ void k(int* p) { p[0] = 3; }\n", "k").runs);  // that of no namespace
  EXPECT_THAT(compiled(text, "init(char*)").errors, ElementsAre(HasSubstr("no kernel 'init(char*)'")));
  std::vector<std::string> names;
  for (const KernelSignature& kernel : list_kernels(text).kernels) names.push_back(kernel.name);
  EXPECT_THAT(names, ElementsAre("a::b::k", "c::k", "init(float*, int)", "init(int*)", "t"));
}

TEST(Includes, BringWhatTheyDeclare) {
  const auto headers = headers_of({
      {"common.h",
       "#ifndef COMMON_H\n#define COMMON_H\n#include \"math.cuh\"\n#define TILE 16\n"
       "inline int host(int x) { return x; }\n#endif\n"},
      {"math.cuh",
       "#pragma once\n__device__ inline float square(float x) {\n  return x * x;\n}\n"
       "struct Params { int n; };\n"},
  });
  const std::string text =
      "#include \"common.h\"\n#include \"math.cuh\"\n#include \"common.h\"\n"
      "__global__ void k(float* a, Params p) {\n"
      "  if (threadIdx.x < p.n) a[threadIdx.x * TILE] = square(a[threadIdx.x]);\n}\n"
      "#if __has_include(\"common.h\") && !__has_include(\"none.h\") && \\\n"
      "  __has_include(<cuda_fp16.h>) && !__has_include(<nccl.h>)\n"
      "__global__ void seen(int* a) { a[0] = __LINE__; }\n#endif\n";
  EXPECT_THAT(compiled(text, "k", headers).errors, IsEmpty());
  EXPECT_TRUE(compiled(text, "seen", headers).runs);
  EXPECT_THAT(compiled(text, "k").errors.front(),
              HasSubstr("\"common.h\", \"math.cuh\" may declare Params, and are not here"));
}

// Accesses of a header have the place of its #include and the text that they have there.
TEST(Includes, HaveThePlaceOfTheLineThatBringsThem) {
  const auto headers =
      headers_of({{"kernel.cuh",
                   "\n\n__global__ void k(float* a) {\n  a[threadIdx.x] = 2.0f;\n  int unused = oops;\n}\n"},
                  {"good.cuh", "#include \"deep.cuh\"\n"},
                  {"deep.cuh", "__global__ void k(float* a) {\n  a[2 * threadIdx.x] = 2.0f;\n}\n"}});
  EXPECT_THAT(compiled("// one\n#include \"kernel.cuh\"\n", "k", headers).errors,
              ElementsAre(HasSubstr("2: kernel.cuh, line 5: 'oops' is not declared here")));
  CompileRequest request;
  request.text = "// one\n// two\n#include \"good.cuh\"\n";
  request.headers = headers;
  const CompileResult result = compile(request);
  ASSERT_TRUE(result.program);
  ASSERT_EQ(result.program->sites.size(), 1u);
  EXPECT_EQ(result.program->sites[0].range.begin.line, 3);
  EXPECT_EQ(result.program->sites[0].text, "a[2 * threadIdx.x]");
}

TEST(Includes, MistakesInThemAreSaidWithTheirPlace) {
  const auto headers = headers_of({{"open.h", "int x;\n#if 1\n"}, {"self.h", "#include \"self.h\"\n"}});
  EXPECT_THAT(compiled("#include \"open.h\"\n" + kGood, "good", headers).errors,
              ElementsAre(HasSubstr("1: open.h, line 2: this conditional has no #endif")));
  EXPECT_THAT(compiled("#include \"self.h\"\n" + kGood, "good", headers).errors,
              ElementsAre(HasSubstr("nested too deeply here, or stands in a circle")));
  EXPECT_FALSE(compiled("#endif\n#include \"open.h\"\n#endif\n" + kGood, "good", headers).runs);
}

TEST(Declarations, OfTheFileItself) {
  EXPECT_TRUE(compiled("extern __shared__ float s[];\n__device__ void put(float v) { s[threadIdx.x] = v; }\n"
                       "__global__ void k(float* a) { put(a[0]); __syncthreads(); a[1] = s[3]; }\n",
                       "k")
                  .runs);
  EXPECT_TRUE(compiled("__global__ void k(int* a) { extern __device__ int f(int); a[0] = 1; }\n", "k").runs);
}

}  // namespace lower_needed_test
}  // namespace warplens::sim
