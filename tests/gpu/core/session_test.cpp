// warplens-gpu from request to reply with a stand-in for the driver: the whole way but for the GPU. Needs
// NVRTC.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/gpu/cuda/nvrtc.h"
#include "tests/gpu/measure/stand_in.h"

namespace warplens::measure {
namespace {

using sim::ScalarType;
using testing::HasSubstr;

MeasureRequest copy(const std::string& kernel = "copy") {
  return copy_of(64, kernel);
}

class Session : public testing::Test {
 protected:
  void SetUp() override {
    static Message reason;
    static gpu::Nvrtc nvrtc;
    static const bool loaded = nvrtc.load(0, reason);
    ASSERT_TRUE(loaded) << reason;
  }
  static std::unique_ptr<GpuClient> start(const std::string& how, const std::string& more = "A=1") {
    const std::string folder = std::string(WARPLENS_BIN_DIR) + (how == "old" ? "/stand-in-old" : "/stand-in");
    ClientOptions options;
    options.hello_seconds = kPatience;  // a busy machine may be slow
    return std::make_unique<GpuClient>(
        std::vector<std::string>{"env", "LD_LIBRARY_PATH=" + folder, "STAND_IN_DRIVER=" + how, more,
                                 WARPLENS_BIN_DIR "/warplens-gpu"},
        options);
  }
  static Failure failure(const std::string& how, const MeasureRequest& request) {
    return failure_of(measure_once(*start(how), request));
  }
  // What must succeed.
  static Measurement measured(const MeasureRequest& request, const std::string& more = "A=1") {
    auto result = measure_once(*start("good", more), request);
    const auto* failed = std::get_if<Failure>(&result);
    EXPECT_EQ(failed, nullptr) << failed->words();
    return failed == nullptr ? std::get<Measurement>(std::move(result)) : Measurement{};
  }
};

TEST_F(Session, MeasuresFromRequestToDocument) {
  const Measurement m = measured(copy());
  EXPECT_EQ(m.check.state, CheckState::Right) << m.check.how;
  EXPECT_EQ(m.cold.seconds.size(), 5u);
  EXPECT_EQ(m.warm.seconds.size(), 5u);
  EXPECT_EQ(m.reference_cold.seconds.size(), 5u);
  EXPECT_EQ(m.reference_bytes, 512u);
  EXPECT_EQ(m.device.name, "Stand-in GPU");
  EXPECT_EQ(m.key, key_of(copy().subject));
  EXPECT_FALSE(m.counters.reason.empty());  // no GPU, no counters: said, and no error
}

// The map is made of the buffer for each launch, and the text compiles without the toolkit's headers.
TEST_F(Session, HandsTensorMapsOverByValue) {
  MeasureRequest r = copy("idle");
  r.subject.text =
      "#include <cuda.h>\n__global__ void idle(const __grid_constant__ CUtensorMap in, int* out) {}\n";
  BufferArgument map{64, 4, sim::Fill::Iota, true};
  map.tensor = sim::TensorMapShape{2, {8, 8, 1}, {8, 2, 1}, 32, 0, 0};
  r.subject.arguments = {{"in", ScalarType::F32, map},
                         {"in.width", ScalarType::I64, std::int64_t{8}},
                         {"out", ScalarType::I32, BufferArgument{64, 4, sim::Fill::Zero, false}}};
  r.check.reset();
  measured(r);
  std::get<BufferArgument>(r.subject.arguments[0].value).tensor->pitch = 36;
  EXPECT_THAT(failure("good", r).words(), HasSubstr("making a tensor map"));
}

TEST_F(Session, ShowsAWrongOutputAsWrong) {
  const OutputResult check = measured(copy("idle")).check;  // the stand-in does nothing for it
  EXPECT_EQ(check.state, CheckState::Wrong);
  EXPECT_EQ(check.element, 1u);  // in[0] is 0, as out was
  EXPECT_EQ(check.expected, "1");
  EXPECT_EQ(check.got, "0");
  EXPECT_EQ(check.differing, 63u);
}

TEST_F(Session, TellsADriverWithoutGpuFromNoDriver) {
  const ClientStatus status = start("no-device")->wait_for_status(300);
  EXPECT_EQ(status.state, ClientState::NoGpu);
  EXPECT_THAT(status.failure.message, HasSubstr("driver is installed, but it finds no GPU"));
}

TEST_F(Session, SaysThatTheDriverIsTooOld) {
  const ClientStatus status = start("old")->wait_for_status(300);
  EXPECT_EQ(status.state, ClientState::NoGpu);
  EXPECT_THAT(status.failure.message, HasSubstr("driver is too old"));
}

TEST_F(Session, SaysThatThereIsNoCompiler) {
  const auto client = start("good", "WARPLENS_NVRTC=/nonexistent/libnvrtc.so");
  EXPECT_EQ(client->wait_for_status(300).state, ClientState::Ready);
  const Failure failure = failure_of(measure_once(*client, copy()));
  EXPECT_EQ(failure.kind, FailureKind::NoCompiler);
  EXPECT_THAT(failure.remedy, HasSubstr("CUDA Toolkit"));
}

TEST_F(Session, GivesTheCompilersLine) {
  MeasureRequest r = copy();
  r.subject.text = "__global__ void copy(float* out, const float* in, int n) {\n  out[0] = oops;\n}\n";
  const Failure f = failure("good", r);
  EXPECT_EQ(f.kind, FailureKind::Compile);
  ASSERT_EQ(f.diagnostics.size(), 1u);
  EXPECT_EQ(f.diagnostics[0].line, 2);
  EXPECT_THAT(f.diagnostics[0].message, HasSubstr("\"oops\" is undefined"));
}

TEST_F(Session, RefusesLaunchesThatTheGpuCannotTake) {
  MeasureRequest r = copy();
  r.subject.block = {2048, 1, 1};
  EXPECT_THAT(failure("good", r).message, HasSubstr("2048 threads"));
  r = copy();
  r.subject.shared_bytes = 1 << 20;
  EXPECT_THAT(failure("good", r).message, HasSubstr("1048576 bytes of shared memory"));
  r = copy();
  r.subject.grid.y = 65536;
  EXPECT_THAT(failure("good", r).message, HasSubstr("too long"));
  EXPECT_EQ(failure("refuses", copy()).kind, FailureKind::Launch);
}

TEST_F(Session, SaysWhatWouldFit) {
  MeasureRequest r = copy();
  r.subject.arguments[0].value =
      BufferArgument{std::uint64_t{1} << 26, 4, sim::Fill::Zero, false};  // 256 MiB
  const Failure f = failure("small", r);
  EXPECT_EQ(f.kind, FailureKind::OutOfMemory);
  EXPECT_THAT(f.message, HasSubstr("256.0 MiB"));
  EXPECT_THAT(f.remedy, HasSubstr("out 16"));  // (160 - 64 - 32 MiB) / 256 MiB of 67108864
}

TEST_F(Session, StartsAgainAfterAStickyError) {
  const auto client = start("sticky");
  for (int round = 0; round < 2; ++round) {
    const Failure f = failure_of(measure_once(*client, copy()));
    EXPECT_EQ(f.kind, FailureKind::Kernel);
    EXPECT_TRUE(f.restart);
    EXPECT_THAT(f.message, HasSubstr("CUDA_ERROR_ILLEGAL_ADDRESS"));
    EXPECT_THAT(f.remedy, HasSubstr("outside its buffers"));
  }
}

TEST_F(Session, EndsAnEndlessKernelAtItsDeadline) {
  MeasureRequest r = copy();
  r.deadline_seconds = 1;
  const Failure f = failure("endless", r);
  EXPECT_EQ(f.kind, FailureKind::Deadline);
  EXPECT_THAT(f.remedy, HasSubstr("endless loop"));
}

TEST_F(Session, CancelsAnEndlessKernel) {
  const auto client = start("endless");
  client->wait_for_status(300);
  const auto ticket = client->submit(copy());
  bool running = false;  // after "fill" the kernel is launched
  for (int i = 0; i < 300 && !running; ++i)
    for (const ClientEvent& event : client->wait(0.1))
      if (const auto* p = std::get_if<Progress>(&event.what)) running |= p->stage == "fill";
  client->cancel(ticket);
  for (int i = 0; i < 100; ++i)
    for (const ClientEvent& event : client->wait(0.1))
      if (const auto* f = std::get_if<Failure>(&event.what)) {
        EXPECT_EQ(f->kind, FailureKind::Cancelled);
        return;
      }
  FAIL() << "the cancel was never answered";
}

TEST_F(Session, SaysThatTheDriverIsOlderThanTheToolkit) {
  const Failure f = failure("old-ptx", copy());
  EXPECT_EQ(f.kind, FailureKind::Compile);
  EXPECT_THAT(f.remedy, HasSubstr("newer than the driver: install a newer driver or an older toolkit"));
}

TEST_F(Session, SurvivesMemoryThatIsTakenMeanwhile) {
  const Failure f = failure("full", copy());
  EXPECT_EQ(f.kind, FailureKind::OutOfMemory);
  EXPECT_THAT(f.message, HasSubstr("allocating a buffer"));
}

MeasureRequest product() {
  MeasureRequest r = copy();
  r.operations = 2 * 2 * 3 * 5;
  r.reference_kind = scenario::Reference::CublasSgemm;
  r.product = {2, 3, 5};
  return r;
}
const std::string kCublas = "WARPLENS_CUBLAS=" WARPLENS_BIN_DIR "/stand-in/stand-in-cublas.so";

TEST_F(Session, HoldsAProductAgainstCublas) {
  for (const auto& [kind, what] :
       {std::pair{scenario::Reference::CublasHgemm, "cublasGemmEx (FP16, sums in FP32)"},
        {scenario::Reference::CublasSgemm, "cublasSgemm (FP32, no TF32)"},
        {scenario::Reference::CublasDgemm, "cublasDgemm (FP64)"}}) {
    MeasureRequest r = product();
    r.reference_kind = kind;
    const Measurement m = measured(r, kCublas);
    EXPECT_EQ(m.reference, kind);
    EXPECT_EQ(m.reference_what, what);
    EXPECT_EQ(m.reference_cold.seconds.size(), 5u);
    EXPECT_DOUBLE_EQ(m.share_of_reference(), m.reference_cold.median / m.cold.median);
    EXPECT_DOUBLE_EQ(m.gflop_per_second(m.cold), 60 / m.cold.median * 1e-9);
  }
}

TEST_F(Session, MeasuresWithoutCublas) {
  const Measurement m = measured(product(), "WARPLENS_CUBLAS=/nonexistent/libcublas.so");
  EXPECT_EQ(m.cold.seconds.size(), 5u);
  EXPECT_THAT(m.reference_reason, HasSubstr("cuBLAS was not found"));
  EXPECT_EQ(m.share_of_reference(), 0);
}

TEST_F(Session, RecordsClocks) {
  const Measurement m = measured(copy());
  const ClockRecord& clocks = m.clocks;
  EXPECT_FALSE(clocks.throttled);
  EXPECT_EQ(clocks.sm_mhz_least, 1980);
  EXPECT_EQ(clocks.sm_mhz_most, 1980);
  EXPECT_EQ(m.device.driver, "1.2.3");
}

TEST_F(Session, DetectsThatTheGpuIsSlowedDown) {
  for (const auto& [told, reason] : {std::pair{"throttled", "power limit"}, {"falling", "the clock fell"}}) {
    MeasureRequest r = copy();
    r.cold_samples = 40;
    const ClockRecord clocks = measured(r, std::string("STAND_IN_NVML=") + told).clocks;
    EXPECT_TRUE(clocks.throttled) << told;
    EXPECT_THAT(clocks.throttle_reasons, HasSubstr(reason));
  }
}

TEST_F(Session, RefusesAnArgumentThatDoesNotFitItsType) {
  MeasureRequest r = copy();
  r.subject.arguments[2].value = std::int64_t{1} << 40;
  const Failure f = failure("good", r);
  EXPECT_EQ(f.kind, FailureKind::BadRequest);
  EXPECT_THAT(f.message, HasSubstr("'n'"));
}

}  // namespace
}  // namespace warplens::measure
