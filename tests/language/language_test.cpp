// Every case of cases_*.cpp: diagnostics, values, totals; and every kernel file has one.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <span>
#include <sstream>

#include "sim/count/compare_values.h"
#include "sim/scenario/target.h"
#include "tests/differential/three_ways.h"
#include "tests/language/language_case.h"

namespace warplens::language {

std::vector<Case>& cases() {
  static std::vector<Case> list;
  return list;
}

namespace {

const std::filesystem::path kFolder = std::filesystem::path(WARPLENS_SOURCE_DIR) / "tests/language/kernels";

std::string text_of(const std::string& file) {
  std::ifstream in(kFolder / file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

class Language : public testing::TestWithParam<std::size_t> {};

void fill(HostBuffers& buffers, const sim::Program& program, const sim::Launch& launch) {
  for (const sim::KernelParameter& p : program.parameters) {
    if (!p.is_pointer) continue;
    const auto given = launch.arguments.find(p.name);
    sim::Buffer buffer{static_cast<std::uint64_t>(p.symbol_elements), sim::Fill::Zero};
    if (given != launch.arguments.end()) buffer = std::get<sim::Buffer>(given->second);
    const std::uint64_t count = buffer.elements * static_cast<std::uint64_t>(p.element_bytes);
    std::vector<std::uint64_t>& words = buffers.bytes[p.name];
    words.assign(count / 8 + 4, 0);
    const auto size = static_cast<std::uint64_t>(sim::size_of(p.type));
    for (std::uint64_t i = 0; i < count / size; ++i) {
      const std::uint64_t bits = sim::fill_element(buffer.fill, p.type, i, buffer.elements);
      std::memcpy(reinterpret_cast<char*>(words.data()) + i * size, &bits, size);
    }
  }
}

// Bit by bit where the case grants no tolerance.
sim::ScalarType compared_as(const Case& c, sim::ScalarType type) {
  using sim::ScalarType;
  const bool near = c.more.tolerance > 0 && (type == ScalarType::F32 || type == ScalarType::F64);
  if (near) return type;
  const int size = sim::size_of(type);
  return size == 8   ? ScalarType::U64
         : size == 4 ? ScalarType::U32
         : size == 2 ? ScalarType::U16
                     : ScalarType::U8;
}

void compare(const Case& c, const sim::Program& program, const sim::GridValues& values,
             HostBuffers& buffers) {
  for (std::size_t i = 0; i < program.parameters.size(); ++i) {
    const sim::KernelParameter& p = program.parameters[i];
    if (p.name.starts_with('$')) continue;  // a string of the text, which has no name on the host
    const auto& simulated = values.buffers[i];
    const char* expected =
        p.is_pointer ? reinterpret_cast<const char*>(buffers.bytes.at(p.name).data()) : nullptr;
    const auto size = static_cast<std::size_t>(sim::size_of(p.type));
    const std::size_t count = simulated.size() / size;
    const auto wanted = std::as_bytes(std::span(expected, count * size));
    const sim::ValueDifference difference = sim::compare_values(
        wanted, std::as_bytes(std::span(simulated)), compared_as(c, p.type), 1, count, c.more.tolerance);
    ASSERT_EQ(difference.differing, 0u)
        << p.name << ": scalar " << difference.element << " differs (simulated " << difference.got
        << ", host " << difference.expected << ")";
  }
}

std::uint64_t total(const sim::Program& program, const sim::Totals& totals, const std::string& name) {
  if (name == "barriers") return totals.barriers;
  std::istringstream words(name);
  std::string space, op, field;
  words >> space >> op >> field;
  static constexpr const char* kOps[] = {"load", "store", "atomic", "reduction", "async"};
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < program.sites.size(); ++i) {
    const sim::SiteTotals& t = space == "global" ? totals.global_sites[i] : totals.shared_sites[i];
    if (kOps[static_cast<int>(program.sites[i].op)] != op) continue;
    sum += field == "requests"         ? t.requests
           : field == "sectors"        ? t.sectors
           : field == "wavefronts"     ? t.wavefronts
           : field == "bank_conflicts" ? t.bank_conflicts
                                       : t.bytes;
  }
  return sum;
}

sim::CompileRequest request_of(const Case& c) {
  sim::CompileRequest request;
  request.text = text_of(c.file);
  request.kernel = c.kernel;
  return request;
}

// The arguments in the order in which the case gives them.
decltype(HostBuffers::arguments) arguments_of(const Case& c) {
  decltype(HostBuffers::arguments) arguments;
  std::istringstream words(c.launch);
  for (std::string word; words >> word;) {
    const std::size_t is = word.find('=');
    if (is == std::string::npos) continue;
    const auto argument = scenario::parse_argument(word.substr(is + 1), word);
    EXPECT_TRUE(argument) << word;
    arguments.emplace_back(word.substr(0, is), *argument.value);
  }
  return arguments;
}

sim::Launch launch_of(const Case& c) {
  sim::Launch launch;
  std::istringstream words(c.launch);
  std::string grid, block, shared;
  words >> grid >> block >> shared;
  launch.grid = *scenario::parse_extents(grid, c.launch).value;
  launch.block = *scenario::parse_extents(block, c.launch).value;
  if (shared.starts_with('+')) launch.shared_bytes = std::stoull(shared);
  for (const auto& [name, value] : arguments_of(c)) launch.arguments[name] = value;
  return launch;
}

void compare_with_host(const Case& c, const sim::Program& program) {
  const sim::Launch launch = launch_of(c);
  HostBuffers buffers{arguments_of(c), {}};
  fill(buffers, program, launch);
  if (c.host.before) c.host.before(buffers);
  const auto& [grid, block] = std::pair(launch.grid, launch.block);
  if (c.host.thread)
    host::launch({grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, launch.shared_bytes,
                 [&] { c.host.thread(buffers); });
  if (c.host.after) c.host.after(buffers);
  const sim::GridValues values = sim::run_grid(program, launch, memory::default_gpu_model());
  ASSERT_FALSE(values.error) << values.error->message;
  compare(c, program, values, buffers);
}

TEST_P(Language, CountsTheSameInThreeWays) {
  const Case& c = cases()[GetParam()];
  const sim::CompileResult compiled = sim::compile(request_of(c));
  ASSERT_TRUE(compiled.program);
  const differential::ThreeWays ways =
      differential::count_three_ways(*compiled.program, launch_of(c), 200'000'000);
  EXPECT_TRUE(ways.outcome == differential::ThreeWays::Outcome::Equal) << ways.difference;
}

TEST_P(Language, RunsAsTheHostDoes) {
  const Case& c = cases()[GetParam()];
  const sim::CompileRequest request = request_of(c);
  const sim::CompileResult compiled = sim::compile(request);
  int warnings = 0;
  for (const cuda::Diagnostic& d : compiled.diagnostics) {
    const bool warns = d.severity == cuda::Severity::Warning && ++warnings <= c.more.warnings;
    if (!warns) ADD_FAILURE() << cuda::render(d, request.text, c.file);
  }
  EXPECT_EQ(warnings, c.more.warnings);
  ASSERT_TRUE(compiled.program);
  compare_with_host(c, *compiled.program);
  if (testing::Test::HasFatalFailure()) return;

  const sim::TotalsOptions options{.brute_force = false, .threads = 1, .limits = {}};
  const sim::Totals totals =
      sim::grid_totals(*compiled.program, launch_of(c), memory::default_gpu_model(), options);
  ASSERT_FALSE(totals.error) << totals.error->message;
  for (const Total& expected : c.more.totals) {
    EXPECT_EQ(total(*compiled.program, totals, expected.name), expected.value) << expected.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Language, testing::Range(std::size_t{0}, cases().size()),
                         [](const testing::TestParamInfo<std::size_t>& parameter) {
                           const Case& c = cases()[parameter.param];
                           std::string name = c.file.substr(0, c.file.find('.')) + "_" + c.kernel;
                           for (char& letter : name) letter = std::isalnum(letter) ? letter : '_';
                           return name + "_" + std::to_string(parameter.param);
                         });

// At run time, when all cases of all files are registered.
TEST(LanguageFiles, AllHaveACaseAndTheirKernelsAreListed) {
  std::set<std::string> tested;
  for (const Case& c : cases()) tested.insert(c.file);
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    ++files;
    const std::string name = entry.path().filename().string();
    EXPECT_TRUE(tested.contains(name)) << name;
    const sim::KernelList list = sim::list_kernels(text_of(name));
    EXPECT_TRUE(list.diagnostics.empty()) << name << ": " << list.diagnostics[0].message;
    EXPECT_FALSE(list.kernels.empty()) << name;
    EXPECT_NE(text_of(name).find("<<<"), std::string::npos) << name << " has no launch in its host code";
  }
  EXPECT_GE(files, 40u);
}

}  // namespace
}  // namespace warplens::language
