// warplens-gpu on a real GPU, through the client. Skipped where there is none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/gpu/measure/stand_in.h"

namespace warplens::measure {
namespace {

using sim::ScalarType;
using testing::HasSubstr;

class OnGpu : public testing::Test {
 protected:
  static std::unique_ptr<GpuClient>& client() {
    static std::unique_ptr<GpuClient> shared;
    return shared;
  }
  static void SetUpTestSuite() {
    client() = std::make_unique<GpuClient>(std::vector<std::string>{WARPLENS_BIN_DIR "/warplens-gpu"},
                                           ClientOptions{});
  }
  static void TearDownTestSuite() { client().reset(); }
  void SetUp() override {
    const ClientStatus status = client()->wait_for_status(300);
    if (status.state != ClientState::Ready) GTEST_SKIP() << "no GPU: " << status.failure.message;
  }
  static Measurement measured(const MeasureRequest& request) {
    auto result = measure_once(*client(), request);
    const auto* failure = std::get_if<Failure>(&result);
    EXPECT_EQ(failure, nullptr) << (failure != nullptr ? failure->words().english() : "");
    return failure == nullptr ? std::get<Measurement>(std::move(result)) : Measurement{};
  }
  static Failure refused(const MeasureRequest& request) {
    return failure_of(measure_once(*client(), request));
  }
};

MeasureRequest copy(std::uint64_t n = 1 << 20) {
  MeasureRequest r = copy_of(n);
  r.cold_samples = r.warm_samples = 50;
  r.deadline_seconds = 60;
  return r;
}

MeasureRequest with_text(const std::string& text, const std::string& kernel) {
  MeasureRequest r = copy(1024);
  r.subject.text = text;
  r.subject.kernel = kernel;
  r.subject.grid = {1, 1, 1};
  r.subject.block = {32, 1, 1};
  r.subject.arguments = {{"a", ScalarType::I32, BufferArgument{1024, 4, sim::Fill::Zero, false}}};
  r.check.reset();
  r.useful_bytes = 0;
  return r;
}

TEST_F(OnGpu, TimesChecksAndComparesACopy) {
  const Measurement m = measured(copy());
  EXPECT_EQ(m.cold.seconds.size(), 50u);
  EXPECT_EQ(m.warm.seconds.size(), 50u);
  EXPECT_EQ(m.reference_cold.seconds.size(), 50u);
  EXPECT_GT(m.cold.median, 0);
  EXPECT_EQ(m.check.state, CheckState::Right) << m.check.how;
  EXPECT_EQ(m.check.compared, 1u << 20);
  EXPECT_EQ(m.key, key_of(copy().subject));
  EXPECT_FALSE(m.device.name.empty());
  EXPECT_GT(m.event_floor, 0);
}

TEST_F(OnGpu, ChecksEveryFillAndType) {
  for (const auto& [type, bytes, name] : {std::tuple{ScalarType::U8, 1, "unsigned char"},
                                          {ScalarType::U16, 2, "unsigned short"},
                                          {ScalarType::I32, 4, "int"},
                                          {ScalarType::F64, 8, "double"},
                                          {ScalarType::F32, 16, "float4"}})
    for (const sim::Fill fill : {sim::Fill::Iota, sim::Fill::Random}) {
      MeasureRequest r = copy(5000);
      r.subject.text =
          "template <typename T> __global__ void copy(T* out, const T* in, int n) { int i = blockIdx.x * "
          "blockDim.x + threadIdx.x; if (i < n) out[i] = in[i]; }";
      r.subject.template_arguments = {name};
      r.subject.arguments[0] = {"out", type, BufferArgument{5000, bytes, sim::Fill::Zero, false}};
      r.subject.arguments[1] = {"in", type, BufferArgument{5000, bytes, fill, true}};
      r.cold_samples = r.warm_samples = 0;
      EXPECT_EQ(measured(r).check.state, CheckState::Right) << name;
    }
}

TEST_F(OnGpu, RefillsWhatTheKernelChanges) {
  MeasureRequest r = with_text("__global__ void k(int* a) { a[threadIdx.x] += 1; }", "k");
  EXPECT_EQ(measured(r).check.state, CheckState::Right);  // by simulation, from zeros
  EXPECT_EQ(measured(r).check.state, CheckState::Right);  // and again
}

TEST_F(OnGpu, RunsBothModes) {
  MeasureRequest r = with_text(
      "__global__ void k(int* a) { __shared__ int t[32]; t[threadIdx.x] = threadIdx.x; __syncthreads(); "
      "a[threadIdx.x] = t[0] + t[1] + t[2] + t[3] + t[31 - threadIdx.x]; }",
      "k");
  EXPECT_EQ(measured(r).as_written, "volatile declarations: t");
  r.subject.mode = CompileMode::AsOptimised;
  EXPECT_EQ(measured(r).check.state, CheckState::Right);
  r.subject.mode = CompileMode::AsWritten;
  r.subject.text =
      "__global__ void k(int* a) { __shared__ int t[32]; t[threadIdx.x] = 0; __syncthreads(); "
      "atomicAdd(&t[threadIdx.x % 4], 1); __syncthreads(); a[threadIdx.x] = t[threadIdx.x]; }";
  const Measurement m = measured(r);
  EXPECT_EQ(m.as_written, "volatile accesses in PTX");
  EXPECT_EQ(m.check.state, CheckState::Right) << m.check.how;
}

TEST_F(OnGpu, TakesDynamicSharedMemoryBeyond48KiB) {
  MeasureRequest r = with_text(
      "__global__ void k(int* a) { extern __shared__ int t[]; t[threadIdx.x + 15000] = 7; __syncthreads(); "
      "a[threadIdx.x] = t[15031 - threadIdx.x]; }",
      "k");
  r.subject.shared_bytes = 64 << 10;
  EXPECT_EQ(measured(r).check.state, CheckState::Right);
}

TEST_F(OnGpu, SurvivesAnAccessOutOfBounds) {
  const Failure f =
      refused(with_text("__global__ void k(int* a) { a[(1ll << 40) + threadIdx.x] = 1; }", "k"));
  EXPECT_EQ(f.kind, FailureKind::Kernel);
  EXPECT_TRUE(f.restart);
  EXPECT_THAT(f.remedy, HasSubstr("outside its buffers"));
  EXPECT_EQ(measured(copy()).check.state, CheckState::Right);  // by a new child
}

TEST_F(OnGpu, SurvivesAnEndlessKernel) {
  MeasureRequest r = with_text("__global__ void k(int* a) { while (((volatile int*)a)[0] == 0) {} }", "k");
  r.deadline_seconds = 2;
  EXPECT_EQ(refused(r).kind, FailureKind::Deadline);
  EXPECT_EQ(measured(copy()).check.state, CheckState::Right);
}

TEST_F(OnGpu, PrintfDoesNotGetBetweenTheLines) {
  MeasureRequest r = with_text(
      "__global__ void k(int* a) { printf(\"{\\\"reply\\\": \\\"nonsense\\\"}\\n\"); a[threadIdx.x] = 1; }",
      "k");
  r.cold_samples = r.warm_samples = 1;
  measured(r);
}

// Where counters can be read they are the rule's: a float copy takes 4 sectors a request.
TEST_F(OnGpu, CountersAreThePredictions) {
  const Measurement m = measured(copy());
  if (m.counters.values.empty()) GTEST_SKIP() << "no counters: " << m.counters.reason;
  const double warps = (1 << 20) / 32;
  EXPECT_EQ(m.counters.values.at("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"), warps);
  EXPECT_EQ(m.counters.values.at("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"), 4 * warps);
  EXPECT_EQ(m.counters.values.at("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"), 4 * warps);
}

// 32 lanes down a column of a 32 x 32 tile: one bank, 32 wavefronts a load; the store is free of conflicts.
// 64 blocks of one warp. The pipe's own counter may read higher, the exact one may not.
MeasureRequest column_reader() {
  MeasureRequest r = with_text(
      "__global__ void k(int* a) { __shared__ int t[32][32]; for (int i = 0; i < 32; ++i) t[i][threadIdx.x] "
      "= i + "
      "threadIdx.x; __syncwarp(); a[blockIdx.x * 32 + threadIdx.x] = t[threadIdx.x][blockIdx.x % 32]; }",
      "k");
  r.subject.arguments = {{"a", ScalarType::I32, BufferArgument{2048, 4, sim::Fill::Zero, false}}};
  r.subject.grid = {64, 1, 1};
  r.cold_samples = r.warm_samples = 3;
  return r;
}

TEST_F(OnGpu, CountsExactSharedWavefronts) {
  const Measurement m = measured(column_reader());
  if (m.counters.values.empty()) GTEST_SKIP() << "no counters: " << m.counters.reason;
  ASSERT_EQ(m.counters.exact_reason, "");
  const auto value = [&](const std::string& name) {
    const auto found = m.counters.values.find(name);
    return found == m.counters.values.end() ? -1 : found->second;
  };
  const double all = value("smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum");
  const double loads = value("smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum");
  EXPECT_TRUE(all >= 0 || loads >= 0) << "this GPU has neither of the metrics";
  EXPECT_TRUE(all < 0 || all == 64 * (32 + 32)) << all;
  EXPECT_TRUE(loads < 0 || loads == 64 * 32) << loads;
}

// A whole product, held against cuBLAS on the same one.
TEST_F(OnGpu, HoldsAProductAgainstCublas) {
  MeasureRequest r = copy();
  r.operations = 2ull * 1024 * 1024 * 1024;
  r.reference_kind = scenario::Reference::CublasSgemm;
  r.product = {1024, 1024, 1024};
  const Measurement m = measured(r);
  if (m.reference_what.empty()) GTEST_SKIP() << m.reference_reason;
  EXPECT_EQ(m.reference_cold.seconds.size(), 50u);
  // FP32 without TF32: no GPU of today does more than 150 TFLOP/s of it, and none as few as 1.
  const double tflops = static_cast<double>(r.operations) / m.reference_cold.median * 1e-12;
  EXPECT_GT(tflops, 1);
  EXPECT_LT(tflops, 150);
  r.reference_kind = scenario::Reference::CublasDgemm;
  EXPECT_EQ(measured(r).reference_what, "cublasDgemm (FP64)");
}

TEST_F(OnGpu, RecordsClocks) {
  const Measurement reading = measured(copy(1 << 22));
  EXPECT_GT(reading.event_floor, reading.event_pair);
  if (reading.clocks.sm_mhz_most == 0) GTEST_SKIP() << "no NVML here";
  EXPECT_GE(reading.clocks.sm_mhz_most, reading.clocks.sm_mhz_least);
}

}  // namespace
}  // namespace warplens::measure
