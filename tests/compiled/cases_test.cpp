// 43 launches of PTX by nvcc and Triton, counted on an H100 (data/README.md): each as a launch document,
// whose report must have the counters' values.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "sim/report/counters.h"
#include "sim/report/report.h"
#include "sim/scalar/bits.h"
#include "sim/scenario/launch_document.h"
#include "sim/scenario/target.h"
#include "tests/compiled/report_of.h"
#include "tests/scenario/folder.h"

namespace warplens {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

const fs::path kData = fs::path(WARPLENS_SOURCE_DIR) / "tests/compiled/data";

json cases() {
  std::ifstream in(kData / "cases.json");
  return json::parse(in);
}

// What the cases call a fill: element i.
double element(const std::string& fill, std::uint64_t i) {
  if (fill == "zero") return 0;
  if (fill == "ramp") return static_cast<double>(i % 97);
  const std::string most = fill.substr(3);
  return static_cast<double>((7919 * i + 13) % (most.empty() ? 10007 : std::stoull(most)));
}

// A case as a launch document in a folder of its own, with the PTX beside it.
class Document {
 public:
  explicit Document(const json& one) {
    const std::string code = one["file"];
    fs::copy_file(kData / code, folder_ / code);
    json document{{"schema", "warplens.launch/1"}, {"code", code},          {"kernel", one["entry"]},
                  {"grid", one["grid"]},           {"block", one["block"]}, {"shared_bytes", one["shared"]}};
    document["arguments"] = json::array();
    for (const json& argument : one["args"]) document["arguments"].push_back(as_argument(argument));
    std::ofstream(file()) << document;
  }
  fs::path file() const { return folder_ / "case.launch.json"; }

 private:
  json as_argument(const json& argument) {
    const std::string type = argument[0];
    if (type == "n32") return {{"i32", argument[1]}};
    if (type == "r32") return {{"f32", argument[1]}};
    const std::string fill = argument[2];
    json made{{"buffer", type}, {"elements", argument[1]}};
    if (fill == "zero") return made;
    const auto count = argument[1].get<std::uint64_t>();
    if (type == "f16") {  // whole numbers that a half holds, as a file of its bytes
      json values = json::array();
      for (std::uint64_t i = 0; i < count; ++i) values.push_back(element(fill, i));
      made["contents"] = {{"values", values}};
      return made;
    }
    const std::string name = "contents" + std::to_string(files_++) + ".bin";
    std::ofstream out(folder_ / name, std::ios::binary);
    for (std::uint64_t i = 0; i < count; ++i) {
      const double value = element(fill, i);
      const auto write = [&](auto typed) { out.write(reinterpret_cast<const char*>(&typed), sizeof typed); };
      if (type == "f32")
        write(static_cast<float>(value));
      else if (type == "f64")
        write(value);
      else if (type == "i32")
        write(static_cast<std::int32_t>(value));
      else
        write(static_cast<std::uint8_t>(value));
    }
    made["contents"] = {{"file", name}};
    return made;
  }

  const scenario::Folder own_;
  const fs::path folder_ = own_.path();
  int files_ = 0;
};

class Cases : public testing::TestWithParam<std::size_t> {};

TEST_P(Cases, GlobalAndSharedCountsAreTheHardwares) {
  const json one = cases().at(GetParam());
  SCOPED_TRACE(one["id"].get<std::string>());
  const Document document(one);
  const report::Report report = report_of(document.file());
  if (testing::Test::HasFailure()) return;
  constexpr const char* kGlobal[] = {
      "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",  "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
      "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
      "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",   "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"};
  for (const char* mode : {"optimised", "volatile"}) {
    for (const char* name : kGlobal) {
      const auto predicted = report::predict_counter(report, name);
      ASSERT_TRUE(predicted) << name;
      EXPECT_EQ(predicted->value, one[mode][name].get<double>()) << mode << " " << name;
    }
  }
  // What wgmma reads of shared memory is no access of the pipe's here: the report says that it is not priced.
  if (std::ifstream ptx(kData / one["file"].get<std::string>());
      std::string(std::istreambuf_iterator<char>(ptx), {}).find("wgmma") != std::string::npos)
    return;
  const auto wavefronts = report::predict_counter(report, "memory_l1_wavefronts_shared");
  ASSERT_TRUE(wavefronts);
  if (!wavefronts->certain)
    return;  // copies whose predicate the counters may misread: sim/memory/async_copy.h
  EXPECT_EQ(wavefronts->value, one["volatile"]["memory_l1_wavefronts_shared"].get<double>());
  // Of volatile loads the assembler joins none.
  ASSERT_TRUE(report.assembled);
  double joined = 0;
  for (const memory::Op op : {memory::Op::Load, memory::Op::Store})
    joined += static_cast<double>(report.group(memory::Space::Shared, op).wavefronts) -
              static_cast<double>((*report.assembled)[static_cast<std::size_t>(op)].wavefronts);
  EXPECT_EQ(wavefronts->value - joined, one["optimised"]["memory_l1_wavefronts_shared"].get<double>());
}

// The value at an element of a buffer as it lies in memory.
double value_at(const std::vector<std::uint8_t>& bytes, const std::string& type, std::uint64_t index) {
  const auto read = [&](auto typed) {
    std::memcpy(&typed, bytes.data() + index * sizeof typed, sizeof typed);
    return typed;
  };
  if (type == "f32") return read(float{});
  if (type == "f64") return read(double{});
  if (type == "i32") return read(std::int32_t{});
  if (type == "u8") return read(std::uint8_t{});
  return sim::number_of(sim::ScalarType::F16,
                        sim::register_bits(sim::ScalarType::F16, read(std::uint16_t{})));
}

TEST_P(Cases, ValuesAreTheHardwares) {
  const json one = cases().at(GetParam());
  SCOPED_TRACE(one["id"].get<std::string>());
  const Document document(one);
  auto setup = scenario::load_launch(document.file());
  ASSERT_TRUE(setup);
  const auto prepared = scenario::prepare(std::move(*setup.value), *memory::find_gpu_model("sm_90"));
  ASSERT_TRUE(prepared);
  const sim::GridValues values =
      sim::run_grid(prepared.value->program, prepared.value->setup.launch, *prepared.value->gpu);
  ASSERT_FALSE(values.error) << values.error->message.english();
  std::ifstream in(kData / "outputs.json");
  const json outputs = json::parse(in)[one["id"].get<std::string>()];
  ASSERT_TRUE(outputs.is_object());  // empty: what the kernel wrote was there before
  for (const auto& [number, output] : outputs.items()) {
    const auto parameter = std::stoul(number);
    const std::string type = one["args"][parameter][0];
    for (const json& sample : output["samples"]) {
      const double expected =
          sample[1].is_string() ? std::stod(sample[1].get<std::string>()) : sample[1].get<double>();
      const double value = value_at(values.buffers.at(parameter), type, sample[0]);
      const bool is_float = type[0] == 'f';
      const double most = is_float ? std::max(1e-3 * std::abs(expected), 1e-6) : 0;
      if (!std::isfinite(expected)) {
        ASSERT_EQ(value, expected) << "buffer " << number << ", element " << sample[0];
        continue;
      }
      ASSERT_NEAR(value, expected, most) << "buffer " << number << ", element " << sample[0];
    }
  }
}

// gemm_tiled's loop is unrolled to 64 loads of one statement: one row, with their sum.
TEST(CompiledReport, OneStatementHasOneRow) {
  const json all = cases();
  const auto gemm =
      std::find_if(all.begin(), all.end(), [](const json& one) { return one["id"] == "cuda_gemm_tiled"; });
  ASSERT_NE(gemm, all.end());
  const Document document(*gemm);
  fs::copy_file(kData / "cuda_kernels.cu", document.file().parent_path() / "cuda_kernels.cu");
  const report::Report report = report_of(document.file());
  const std::string text = report::report_text(report);
  EXPECT_GT(report.lines.size(), 64u) << "documents have each";
  EXPECT_THAT(text, testing::HasSubstr(" ×64  "));
  EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 40);
}

std::string name_of_case(const testing::TestParamInfo<std::size_t>& info) {
  static const json all = cases();
  return all[info.param]["id"];
}
INSTANTIATE_TEST_SUITE_P(H100, Cases, testing::Range<std::size_t>(0, 43), name_of_case);

}  // namespace
}  // namespace warplens
