// Kernel text through NVRTC, for compute capability 9.0; no GPU is needed for that.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/gpu/cuda/compile_kernel.h"
#include "kernels/protocol/as_written.h"
#include "sim/scenario/scenario.h"

namespace warplens::gpu {
namespace {

using measure::CompileMode;
using measure::FailureError;
using measure::Subject;
using testing::HasSubstr;

class Compile : public testing::Test {
 protected:
  static Nvrtc& nvrtc() {
    static Nvrtc library;
    return library;
  }
  void SetUp() override {
    static Message reason;
    static const bool loaded = nvrtc().load(0, reason);
    ASSERT_TRUE(loaded) << reason;
  }
  static Subject subject(const std::string& text, const std::string& kernel,
                         CompileMode mode = CompileMode::AsWritten) {
    Subject s;
    s.source_name = "test.cu";
    s.text = text;
    s.kernel = kernel;
    s.mode = mode;
    return s;
  }
  static KernelImage compile(const Subject& s) { return compile_kernel(nvrtc(), s, 9, 0); }
  static measure::Failure failure(const Subject& s) {
    try {
      compile(s);
    } catch (const FailureError& error) {
      return error.failure;
    }
    return {measure::FailureKind::Internal, Message::verbatim("it compiled"), {}, {}, false};
  }
};

TEST_F(Compile, InstantiatesATemplate) {
  Subject s = subject("template <int N, typename T> __global__ void k(T* a) { a[threadIdx.x] = N; }", "k");
  s.template_arguments = {"32", "float4*"};
  s.template_arguments[1] = "unsigned short";
  const KernelImage image = compile(s);
  EXPECT_FALSE(image.image.empty());
  EXPECT_THAT(image.lowered_name, HasSubstr("k"));
  EXPECT_THAT(image.as_written, HasSubstr("nothing to do"));
}

TEST_F(Compile, FindsAKernelInItsNamespace) {
  const std::string text =
      "namespace a::b {\n"
      "struct Two { static constexpr int kStep = 2; };\n"
      "template <typename T> __global__ void k(int* a) { a[threadIdx.x * T::kStep] = 1; }\n"
      "}\n"
      "void k() {}\n";
  for (const char* name : {"k<Two>", "b::k<Two>", "a::b::k<a::b::Two>"})
    EXPECT_THAT(compile(subject(text, name)).lowered_name, HasSubstr("1a1b1k")) << name;
}

TEST_F(Compile, TakesDefines) {
  Subject s = subject("__global__ void k(int* a) { a[0] = PAD; }", "k");
  EXPECT_EQ(failure(s).kind, measure::FailureKind::Compile);
  s.defines = {{"PAD", "2"}};
  EXPECT_NO_THROW(compile(s));
}

TEST_F(Compile, NamesTheLineAlsoWhereHostCodeWasBlanked) {
  const measure::Failure f = failure(subject(
      "#include <vector>\nint main() {\n  std::vector<int> v;\n}\n__global__ void k() { oops(); }\n", "k"));
  ASSERT_FALSE(f.diagnostics.empty());
  EXPECT_EQ(f.diagnostics[0].line, 5);
}

TEST_F(Compile, SaysThatThereIsNoSuchKernel) {
  const measure::Failure f = failure(subject("__global__ void k() {}", "other"));
  EXPECT_EQ(f.kind, measure::FailureKind::Compile);
  EXPECT_THAT(f.message, HasSubstr("no kernel other"));
}

TEST_F(Compile, PassesOverHostCode) {
  const std::string text = R"(
#include <cuda_runtime.h>
#include <cassert>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <vector>
#include "helper_cuda.h"
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) exit(1); } while (0)
using namespace std;
static const int kRows = 64;
class Timer { cudaEvent_t begin_; public: float stop() { return 0; } };
__global__ void k(uint32_t* a, int n) {
  assert(n > 0);
  if (threadIdx.x < n) a[threadIdx.x] = kRows;
  printf("%d\n", n);
}
int main(int argc, char** argv) {
  vector<uint32_t> host(64);
  uint32_t* a; CHECK(cudaMalloc(&a, 256));
  k<<<1, 64>>>(a, 64);
  std::cout << "done" << std::endl;
})";
  EXPECT_NO_THROW(compile(subject(text, "k")));
}

TEST_F(Compile, FindsTheToolkitsDeviceHeaders) {
  ASSERT_FALSE(nvrtc().include_folders().empty()) << "the toolkit's headers are not here";
  EXPECT_NO_THROW(compile(
      subject("#include <cuda_fp16.h>\n__global__ void k(__half* a) { a[0] = __hadd(a[1], a[2]); }", "k")));
  EXPECT_NO_THROW(compile(subject(
      "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
      "__global__ void k(int* a) { auto b = cg::this_thread_block(); b.sync(); a[b.thread_rank()] = 1; }",
      "k")));
}

// The tile's declaration where that compiles; the PTX where it does not.
TEST_F(Compile, ReachesAsWrittenByTheDeclaration) {
  const KernelImage image =
      compile(subject("__global__ void k(float* a) { __shared__ float t[64]; t[threadIdx.x] = a[0]; "
                      "__syncthreads(); a[threadIdx.x] = t[63 - threadIdx.x]; }",
                      "k"));
  EXPECT_EQ(image.as_written, "volatile declarations: t");
}
TEST_F(Compile, ReachesAsWrittenThroughPtxForAtomics) {
  const KernelImage image = compile(
      subject("__global__ void k(int* a) { __shared__ int h[64]; h[threadIdx.x] = 0; __syncthreads(); "
              "atomicAdd(&h[a[0]], 1); __syncthreads(); a[threadIdx.x] = h[threadIdx.x]; }",
              "k"));
  EXPECT_EQ(image.as_written, "volatile accesses in PTX");
  EXPECT_THAT(image.image, HasSubstr("ld.volatile.shared"));
  EXPECT_THAT(image.image, HasSubstr("st.volatile.shared"));
  EXPECT_EQ(image.image.find(" ld.shared"), std::string::npos);
}
TEST_F(Compile, FallsBackToPtxWhereTheDeclarationDoesNotCompile) {
  const KernelImage image =
      compile(subject("__global__ void k(float* a) { __shared__ float t[64]; t[0] = 1; float& r = "
                      "t[threadIdx.x]; r = a[0]; a[1] = r; }",
                      "k"));
  EXPECT_EQ(image.as_written, "volatile accesses in PTX");
}
TEST_F(Compile, AsOptimisedIsTheTextItself) {
  EXPECT_EQ(
      compile(
          subject(
              "__global__ void k(float* a) { __shared__ float t[64]; t[threadIdx.x] = a[0]; a[1] = t[3]; }",
              "k", CompileMode::AsOptimised))
          .as_written,
      "");
}

// Why the mode exists: of four neighbouring loads and a repeated one, all five are left.
TEST_F(Compile, AsWrittenKeepsEveryLoad) {
  const std::string text =
      "__global__ void k(float* a) { __shared__ float t[128]; t[threadIdx.x] = a[threadIdx.x]; "
      "__syncthreads(); "
      "float s = t[0] + t[1] + t[2] + t[3] + t[0]; a[threadIdx.x] = s; }";
  CompileInput input;
  input.text = measure::make_shared_volatile(text).text;
  input.file_name = "t.cu";
  input.name_expression = "k";
  input.headers = {{"warplens_prelude.h", ""}};
  const CompileOutput output = nvrtc().compile(input, 9, 0, true);
  ASSERT_TRUE(output.done) << output.log;
  int loads = 0;
  for (std::size_t at = 0; (at = output.image.find("ld.volatile.shared", at)) != std::string::npos; ++at)
    ++loads;
  EXPECT_EQ(loads, 5);
}

TEST_F(Compile, TakesEveryScenarioOfTheGallery) {
  const auto scenarios = scenario::load_scenarios(WARPLENS_SOURCE_DIR "/kernels");
  ASSERT_TRUE(scenarios.value);
  ASSERT_FALSE(scenarios.value->empty());
  for (const auto& scenario : *scenarios.value) {
    const auto setup = scenario::make_setup(scenario, scenario::defaults(scenario));
    ASSERT_TRUE(setup) << scenario.name << ": " << setup.errors.front();
    for (const CompileMode mode : {CompileMode::AsWritten, CompileMode::AsOptimised}) {
      Subject s = subject(setup.value->compile.text, setup.value->compile.kernel, mode);
      s.template_arguments = setup.value->compile.template_arguments;
      s.defines = setup.value->compile.defines;
      EXPECT_NO_THROW(compile(s)) << scenario.name;
    }
  }
}

TEST(ReadLog, TakesLinesAndWordsOfTheUsersFile) {
  const auto diagnostics = measure::read_log(
      "test.cu(12): error: identifier \"x\" is undefined\n  a[0] = x;\n         ^\n\ntest.cu(3): warning "
      "#177-D: variable \"y\" was "
      "declared but never referenced\n\n1 error detected in the compilation of \"test.cu\".\n",
      "test.cu");
  ASSERT_EQ(diagnostics.size(), 2u);
  EXPECT_EQ(diagnostics[0].line, 12);
  EXPECT_EQ(diagnostics[0].message, "identifier \"x\" is undefined");
  EXPECT_TRUE(diagnostics[0].is_error);
  EXPECT_EQ(diagnostics[1].line, 3);
  EXPECT_FALSE(diagnostics[1].is_error);
}

}  // namespace
}  // namespace warplens::gpu
