// Documents survive the way out and back; what is wrong in one is named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "app/measure/gpu_client.h"
#include "app/measure/pack.h"
#include "kernels/protocol/protocol.h"
#include "kernels/protocol/subject.h"
#include "sim/file/whole_file.h"
#include "sim/lower/lower.h"
#include "sim/scenario/target.h"
#include "sim/scenario/text_file.h"
#include "tests/scenario/folder.h"

namespace warplens::measure {
namespace document_test {

using testing::HasSubstr;
namespace fs = std::filesystem;

TEST(Sha256, AgreesWithTheStandardsExamples) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// What is read of a document, and the first thing that is wrong with it.
template <typename Read>
auto read_with(Read read, const nlohmann::json& written, Message& error) {
  auto document = scenario::JsonDocument::parse(written.dump(), "document");
  auto made = read(document.root());
  if (!document.ok()) error = document.errors().front();
  return made;
}
MeasureRequest read_request(const nlohmann::json& written, Message& error) {
  return read_with(scenario::read_as<MeasureRequest>, written, error);
}

Subject subject() {
  Subject s;
  s.source_name = "copy.cu";
  s.text = "template <int N> __global__ void copy(float* out, const float* in, int n, float f) {}";
  s.kernel = "copy";
  s.template_arguments = {"32"};
  s.defines = {{"PAD", "1"}};
  s.grid = {128, 2, 1};
  s.block = {32, 8, 1};
  s.shared_bytes = 1024;
  s.arguments = {{"out", sim::ScalarType::F32, BufferArgument{4096, 16, sim::Fill::Zero, false}},
                 {"in", sim::ScalarType::F32, BufferArgument{4096, 16, sim::Fill::Random, true}},
                 {"n", sim::ScalarType::I32, std::int64_t{4096}},
                 {"f", sim::ScalarType::F32, 0.5}};
  return s;
}

MeasureRequest request_of(const Subject& subject) {
  MeasureRequest request;
  request.id = 7;
  request.subject = subject;
  return request;
}

Measurement measurement() {
  Measurement m;
  m.subject = subject();
  m.key = key_of(m.subject);
  m.scenario = "copy";
  m.parameters = {{"n", 4096}};
  m.device.name = "NVIDIA H200";
  m.device.compute_major = 9;
  m.device.driver = "580.159.03";
  m.device.cuda = "13.0";
  m.device.l2_bytes = 62914560;
  m.when = "2025-11-03T10:15:00Z";
  m.as_written = "nothing to do: the text has no shared memory";
  m.useful_bytes = 131072;
  m.cold = summarise({5e-6, 4e-6, 6e-6, 4.5e-6, 5.5e-6});
  m.warm = summarise({2e-6});
  m.reference_what = "cudaMemcpy device to device";
  m.reference_bytes = 131072;
  m.reference_cold = summarise({4e-6});
  m.reference_warm = summarise({1.5e-6});
  m.clocks = {1755, 1980, true, "power limit"};
  m.check = {CheckState::Wrong, "expected values computed on the host", "out", 17, "1", "2", 3, 4096};
  m.counters.values = {{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 4096}};
  m.registers = 16;
  return m;
}

TEST(Samples, MedianMinimumAndSpreadAreThoseOfTheSortedTimes) {
  const Samples s = summarise({5, 1, 2, 3, 4});  // quartiles 2 and 4, median 3
  EXPECT_DOUBLE_EQ(s.median, 3);
  EXPECT_DOUBLE_EQ(s.minimum, 1);
  EXPECT_DOUBLE_EQ(s.spread, 2.0 / 3);
  EXPECT_EQ(s.seconds.front(), 5);  // the order of taking them stays
  EXPECT_DOUBLE_EQ(summarise({1, 2}).median, 1.5);
  EXPECT_EQ(summarise({}).median, 0);
}

TEST(Measurement, ComesBackAsItWas) {
  const Measurement before = measurement();
  Message error;
  const auto document = to_json(before);
  const Measurement after = read_with(measurement_from_json, document, error);
  EXPECT_EQ(error, "");
  EXPECT_EQ(to_json(after), document);
  EXPECT_EQ(after.key, before.key);  // though its text stayed behind
  EXPECT_EQ(after.check.element, 17u);
  EXPECT_EQ(document.at("check").at("checked"), false);
  EXPECT_EQ(document.at("schema"), "warplens.measurement/1");
}

// Two events with nothing between them read 1 us: what the launch took is less by that, once and for all.
TEST(Measurement, TimesAreLessByWhatTheEventsReadForNothing) {
  Measurement m = measurement();
  m.event_pair = 1e-6;
  m.cold.complete = false;
  auto as_read = to_json(m);
  as_read.erase("subtracted");
  subtract_event_pair(m);
  subtract_event_pair(m);
  EXPECT_DOUBLE_EQ(m.cold.median, 4e-6);
  EXPECT_DOUBLE_EQ(m.cold.minimum, 3e-6);
  EXPECT_FALSE(m.cold.complete);
  EXPECT_DOUBLE_EQ(m.warm.median, 1e-6);
  EXPECT_DOUBLE_EQ(m.reference_cold.median, 3e-6);
  EXPECT_DOUBLE_EQ(m.reference_warm.median, 0.5e-6);
  EXPECT_DOUBLE_EQ(m.subtracted, 1e-6);
  Message error;
  for (const auto& document : {as_read, to_json(m)}) {  // an older document, and one of ours
    const Measurement again = read_with(measurement_from_json, document, error);
    EXPECT_EQ(error, "");
    EXPECT_DOUBLE_EQ(again.cold.median, 4e-6);
    EXPECT_DOUBLE_EQ(again.reference_cold.median, 3e-6);
    EXPECT_DOUBLE_EQ(again.subtracted, 1e-6);
  }
}

TEST(Measurement, ATimeIsNeverNegative) {
  Measurement m = measurement();
  m.event_pair = 4.2e-6;
  subtract_event_pair(m);
  EXPECT_EQ(m.cold.minimum, 0);
  EXPECT_EQ(m.warm.median, 0);
}

TEST(Measurement, ReportsBandwidthFromUsefulBytes) {
  const Measurement m = measurement();
  EXPECT_NEAR(m.gb_per_second(m.cold), 131072 / 5e-6 * 1e-9, 1e-9);
  EXPECT_NEAR(m.share_of_reference(), 0.8, 1e-12);  // 5 us against the copy's 4 us
}

TEST(Request, ComesBackAsItWas) {
  MeasureRequest before = request_of(subject());
  before.scenario = "copy";
  before.parameters = {{"n", 4096}};
  before.check = scenario::OutputCheck{"out", "4096", "in[i]", 1e-6, "4096", 1e-3};
  before.check->before = {{"most", "8", "i + 1", "in[j]", true}, {"total", "8", "3", "in[j] - most[i]"}};
  std::get<BufferArgument>(before.subject.arguments[1].value).range = sim::FillRange{-3, 0.5};
  before.useful_bytes = 131072;
  before.cold_samples = 50;
  before.deadline_seconds = 12;
  Message error;
  const auto document = scenario::json_of(before);
  const MeasureRequest after = read_request(document, error);
  EXPECT_EQ(error, "");
  EXPECT_EQ(scenario::json_of(after), document);
  EXPECT_EQ(after.check->before, before.check->before);
  EXPECT_EQ(after.check->margin, 1e-3);
  EXPECT_EQ(std::get<BufferArgument>(after.subject.arguments[1].value).range, (sim::FillRange{-3, 0.5}));
}

// A buffer that the kernel gets as a tensor map, of each number of dimensions.
TEST(Request, HoldsTensorMaps) {
  const sim::TensorMapShape line{1, {4096, 1, 1}, {64, 1, 1}, 0, 0, 0},
      rows{2, {512, 8, 1}, {64, 8, 1}, 2048, 0, 128}, slices{3, {64, 8, 8}, {16, 2, 4}, 256, 2048, 32};
  for (const sim::TensorMapShape& shape : {line, rows, slices}) {
    MeasureRequest before = request_of(subject());
    std::get<BufferArgument>(before.subject.arguments[1].value).tensor = shape;
    Message error;
    auto document = scenario::json_of(before);
    const MeasureRequest after = read_request(document, error);
    EXPECT_EQ(error, "");
    EXPECT_EQ(std::get<BufferArgument>(after.subject.arguments[1].value).tensor, shape);
    document["subject"]["arguments"][1]["tensor"]["box"].push_back(1);
    read_request(document, error);
    EXPECT_THAT(error, HasSubstr("arguments[1].tensor.size: must be one to three integers"));
  }
}

// A map is measured as what the host's call makes of it: sizes in elements, the innermost first, pitches in
// bytes. Its parts are arguments only of the simulation.
TEST(Request, OfAKernelWithTensorMapsHasTheirShapes) {
  const auto scenarios = scenario::load_scenarios(WARPLENS_SOURCE_DIR "/kernels");
  const auto of = std::ranges::find(*scenarios.value, "hgemm_tma", &scenario::Scenario::name);
  ASSERT_NE(of, scenarios.value->end());
  auto setup = scenario::make_setup(*of, {{"m", 256}, {"n", 512}, {"k", 320}});
  ASSERT_TRUE(setup) << setup.errors.front();
  const auto prepared = scenario::prepare(*setup.value, memory::default_gpu_model());
  ASSERT_TRUE(prepared);
  const auto request = make_request(prepared.value->setup, prepared.value->program, CompileMode::AsWritten);
  ASSERT_TRUE(request) << request.errors.front();
  std::map<std::string, sim::TensorMapShape> maps;
  for (const KernelArgument& argument : request.value->subject.arguments) {
    if (argument.is_part()) continue;
    const auto* buffer = std::get_if<BufferArgument>(&argument.value);
    if (buffer != nullptr && buffer->tensor) maps[argument.name] = *buffer->tensor;
  }
  ASSERT_EQ(maps.size(), 2u);
  EXPECT_EQ(maps.begin()->second, (sim::TensorMapShape{2, {320, 256, 1}, {64, 128, 1}, 640, 640 * 256, 128}));
  EXPECT_EQ(maps.rbegin()->second.size, (std::array<std::int64_t, 3>{512, 320, 1}));
  EXPECT_EQ(maps.rbegin()->second.pitch, 1024);
}

TEST(Request, OfAPointerToATensorMapIsRefusedInWords) {
  scenario::Setup setup;
  setup.compile.text =
      *scenario::read_text(WARPLENS_SOURCE_DIR "/tests/language/kernels/tensor_maps.cu").value;
  setup.compile.kernel = "read_slices";
  setup.launch.block = {32, 1, 1};
  const sim::CompileResult compiled = sim::compile(setup.compile);
  ASSERT_TRUE(compiled.program);
  const auto request = make_request(setup, *compiled.program, CompileMode::AsWritten);
  ASSERT_FALSE(request);
  EXPECT_THAT(request.errors.front(), HasSubstr("'map' points to a tensor map"));
}

TEST(Request, NamesTheFieldThatIsWrong) {
  const MeasureRequest good = request_of(subject());
  const auto wrong = [&](const char* pointer, const nlohmann::json& value) {
    auto document = scenario::json_of(good);
    document[nlohmann::json::json_pointer(pointer)] = value;
    Message error;
    read_request(document, error);
    return error;
  };
  EXPECT_EQ(wrong("/id", 1), "");
  EXPECT_THAT(wrong("/id", -1), HasSubstr("id: must be from 1 to"));
  EXPECT_THAT(wrong("/deadline_seconds", 0), HasSubstr("deadline_seconds"));
  EXPECT_THAT(wrong("/deadline_seconds", "soon"), HasSubstr("deadline_seconds: must be a number"));
  EXPECT_THAT(wrong("/subject/mode", "fast"), HasSubstr("subject.mode: must be as_written or as_optimised"));
  EXPECT_THAT(wrong("/subject/block", {32, 0}), HasSubstr("subject.block"));
  EXPECT_THAT(wrong("/subject/block", {1e300}), HasSubstr("subject.block"));
  EXPECT_THAT(wrong("/subject/arguments/0/type", "quaternion"),
              HasSubstr("arguments[0].type: is not a scalar type"));
  EXPECT_THAT(wrong("/subject/arguments/0/elements", 1e30), HasSubstr("arguments[0].elements"));
  EXPECT_THAT(wrong("/subject/arguments/1/element_bytes", 6), HasSubstr("multiple"));
  EXPECT_THAT(wrong("/subject/arguments/2", 5), HasSubstr("arguments[2]: must be an object"));
  EXPECT_THAT(wrong("/subject/text", ""), HasSubstr("text"));
  EXPECT_THAT(wrong("/subject/arguments/0/range", {2, 1}), HasSubstr("arguments[0].range"));
  EXPECT_THAT(wrong("/samples", {{"cold", 1e9}}), HasSubstr("samples.cold"));
}

TEST(Key, ChangesWithEverythingThatIsMeasured) {
  const MeasurementKey key = key_of(subject());
  std::vector<Subject> changed(11, subject());
  changed[0].text += " ";
  changed[1].kernel = "other";
  changed[2].template_arguments = {"16"};
  changed[3].defines = {{"PAD", "2"}};
  changed[4].grid.y = 3;
  changed[5].block = {8, 32, 1};
  changed[6].shared_bytes = 0;
  changed[7].mode = CompileMode::AsOptimised;
  changed[8].arguments[2].value = std::int64_t{4095};
  std::get<BufferArgument>(changed[9].arguments[1].value).fill = sim::Fill::Iota;
  std::get<BufferArgument>(changed[10].arguments[1].value).range = sim::FillRange{0, 1};
  for (std::size_t i = 0; i < changed.size(); ++i) EXPECT_NE(key_of(changed[i]), key) << i;
  Subject same = subject();
  same.source_name = "renamed.cu";
  same.arguments[2].value = 4096.0;  // the same number
  EXPECT_EQ(key_of(same), key);
}

scenario::Setup setup_of(const Subject& s, const sim::Buffer& in) {
  scenario::Setup setup;
  setup.compile = {s.text, s.kernel, s.template_arguments, s.defines};
  setup.launch = {s.grid, s.block, s.shared_bytes, {}};
  setup.launch.arguments = {
      {"out", sim::Buffer{4096, sim::Fill::Zero}}, {"in", in}, {"n", std::int64_t{4096}}, {"f", 0.5}};
  return setup;
}

// What buffers hold goes along with a request; a recorded measurement keeps its hash.
TEST(Data, GoesToTheGpuAndIsInTheKey) {
  Subject s = subject();
  auto& in = std::get<BufferArgument>(s.arguments[1].value);
  in.fill = sim::Fill::Zero;
  const MeasurementKey zeros = key_of(s);
  in.data = std::make_shared<const std::string>(std::string("\0\x7f\xff\n", 4));
  in.data_hash = hash_data(in.data);
  EXPECT_NE(key_of(s), zeros);
  EXPECT_FALSE(in.is_zero());
  Message error;
  const nlohmann::json sent = scenario::json_of(request_of(s));
  EXPECT_EQ(sent["subject"]["arguments"][1]["data"], "007fff0a");
  const Subject there = read_request(sent, error).subject;
  EXPECT_TRUE(error.empty()) << error.english();
  EXPECT_EQ(*std::get<BufferArgument>(there.arguments[1].value).data, *in.data);
  EXPECT_EQ(key_of(there), key_of(s));
  Measurement recorded = measurement();
  recorded.subject = s;
  const nlohmann::json kept = to_json(recorded);
  EXPECT_FALSE(kept["subject"]["arguments"][1].contains("data"));
  EXPECT_EQ(read_with(measurement_from_json, kept, error).key, key_of(s));
  EXPECT_TRUE(error.empty()) << error.english();
  for (const char* wrong : {"0", "0g", "AB"}) {
    nlohmann::json bad = sent;
    bad["subject"]["arguments"][1]["data"] = wrong;
    error = {};
    read_request(bad, error);
    EXPECT_THAT(error.english(), HasSubstr("data: must be hexadecimal digits")) << wrong;
  }
  EXPECT_EQ(key_of(setup_of(s, in.as_filled()), CompileMode::AsWritten), key_of(s));
}

TEST(Key, OfASetupIsThatOfItsRequest) {
  const Subject s = subject();
  scenario::Setup setup = setup_of(s, sim::Buffer{4096, sim::Fill::Random});
  EXPECT_EQ(key_of(setup, CompileMode::AsWritten), key_of(s));
  EXPECT_EQ(key_of(setup, CompileMode::AsOptimised), key_of(s)) << "without shared memory there is one mode";
  setup.compile.text += " // edited";
  EXPECT_NE(key_of(setup, CompileMode::AsWritten), key_of(s));
}

TEST(Line, IsRefusedBeforeItCanHurt) {
  const auto refused = [](const std::string& line) {
    Message error;
    EXPECT_FALSE(reply_from_line(line, error));
    return error.english();
  };
  EXPECT_THAT(refused(std::string(100000, '[')), HasSubstr("nested deeper"));
  EXPECT_THAT(refused(std::string(kLongestLine + 1, ' ')), HasSubstr("larger than 67108864"));
  EXPECT_THAT(refused("{\"a\":\n 1,}"), HasSubstr("reply:2:"));
}

class PackFile : public testing::Test {
 protected:
  const scenario::Folder folder;
  const fs::path file = folder.path() / "pack.json";
  Pack pack() {
    Pack p;
    p.title = "copy";
    p.device = measurement().device;
    p.measurements = {measurement(), measurement()};
    p.measurements[1].subject.block = {64, 4, 1};
    p.measurements[1].key = key_of(p.measurements[1].subject);
    p.index();
    return p;
  }
};

TEST_F(PackFile, FindsExactlyWhatWasMeasured) {
  ASSERT_TRUE(file::write_whole(file, pack_text(pack())));
  const auto loaded = load_pack(file);
  ASSERT_TRUE(loaded.value) << loaded.errors.front();
  ASSERT_EQ(loaded.value->measurements.size(), 2u);
  const Measurement* found = loaded.value->find(key_of(subject()));
  ASSERT_NE(found, nullptr);
  EXPECT_TRUE(found->recorded);
  EXPECT_EQ(found->device.name, "NVIDIA H200");
  EXPECT_NEAR(found->cold.median, 5e-6, 1e-12);
  EXPECT_EQ(loaded.value->provenance(), "NVIDIA H200, driver 580.159.03, CUDA 13.0, 2025-11-03");
  Subject edited = subject();
  edited.text += "//";
  EXPECT_EQ(loaded.value->find(key_of(edited)), nullptr);
}

TEST_F(PackFile, DoesNotBelieveAKeyInTheFile) {
  std::string text = pack_text(pack());
  const std::string key = key_of(subject()).digest;
  for (std::size_t at; (at = text.find(key)) != std::string::npos;) text.replace(at, 4, "0000");
  folder.write("pack.json", text);
  EXPECT_NE(load_pack(file).value->find(key_of(subject())), nullptr);
}

TEST_F(PackFile, NamesWhatIsWrongInIt) {
  const std::string good = pack_text(pack());
  const auto problem = [&](const std::string& text) {
    folder.write("pack.json", text);
    const auto loaded = load_pack(file);
    EXPECT_FALSE(loaded.value);
    return loaded.errors.empty() ? std::string() : loaded.errors.front();
  };
  EXPECT_THAT(problem(good.substr(0, good.size() / 2)), HasSubstr("not sound JSON"));
  EXPECT_THAT(problem("{}"), HasSubstr("schema: is missing"));
  std::string wrong = good;
  wrong.replace(wrong.find("samples_ns\":["), 13, "samples_ns\":[\"x\",");
  EXPECT_THAT(problem(wrong), HasSubstr("measurements[0]"));
  EXPECT_THAT(problem(wrong), HasSubstr("pack.json"));
  EXPECT_FALSE(load_pack(folder.path() / "absent.json").value);
}

TEST_F(PackFile, AFolderGivesTheGoodOnesBesideTheErrors) {
  Pack good = pack();
  for (Measurement& m : good.measurements) m.check.state = CheckState::Right;
  ASSERT_TRUE(file::write_whole(file, pack_text(good)));
  folder.write("bad.json", "{");
  const auto packs = load_packs(folder.path());
  EXPECT_EQ(packs.value->size(), 1u);
  EXPECT_EQ(packs.errors.size(), 1u);
  EXPECT_TRUE(load_packs(folder.path() / "absent").value->empty());
}

// What is shown beside a kernel is a time of the right result.
TEST(ShownPacks, LeaveWrongResultsOut) {
  const scenario::Folder folder;
  Pack pack = *load_pack(WARPLENS_SOURCE_DIR "/assets/recorded/h200-transpose.json").value;
  pack.measurements.resize(3);
  pack.measurements[1].check.state = CheckState::Wrong;
  folder.write("pack.json", pack_text(pack));
  const auto packs = load_packs(folder.path());
  ASSERT_EQ(packs.value->size(), 1u);
  EXPECT_EQ(packs.value->front().measurements.size(), 2u);
  EXPECT_EQ(packs.value->front().find(pack.measurements[1].key), nullptr);
  ASSERT_EQ(packs.errors.size(), 1u);
  EXPECT_THAT(packs.errors[0], HasSubstr("1 measurements are left out, because their output was wrong"));
}

TEST(Samples, DriftIsThatOfTheThirds) {
  EXPECT_EQ(drift(summarise({1, 1, 1, 5, 5, 5, 1, 1})), 0);  // too few
  EXPECT_DOUBLE_EQ(drift(summarise({1, 1, 1, 9, 9, 9, 1.5, 1.5, 1.5})), 0.5);
}

TEST(Measurement, ComparesAProductByItsTime) {
  Measurement m;
  m.operations = 3000;
  m.cold = summarise({4e-6});
  m.reference = scenario::Reference::CublasSgemm;
  m.reference_cold = summarise({1e-6});
  EXPECT_DOUBLE_EQ(m.share_of_reference(), 0.25);
  EXPECT_DOUBLE_EQ(m.gflop_per_second(m.cold), 0.75);
  m.useful_bytes = 0;
  m.counted_bytes = 8000;
  EXPECT_DOUBLE_EQ(m.gb_per_second(m.cold), 2);
}

}  // namespace document_test
}  // namespace warplens::measure
