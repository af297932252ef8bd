// The gallery's files: complete in every language, plain CUDA, legible, with buffers not one element too
// long.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "app/language/strings.h"
#include "sim/memory/gpu_model.h"
#include "tests/kernels/gallery.h"

namespace warplens::test {
namespace {

using testing::HasSubstr;
using testing::Not;

void expect_every_language(const scenario::LocalText& text, const std::string& where) {
  for (const std::string& known : language::languages()) {
    auto found = text.find(known);
    ASSERT_NE(found, text.end()) << where << ": no " << known;
    EXPECT_FALSE(found->second.empty()) << where << ": " << known << " is empty";
  }
}

TEST(Scenarios, SpeakEveryLanguage) {
  for (const scenario::Scenario& s : gallery()) {
    expect_every_language(s.title, s.name + ": title");
    expect_every_language(s.teaches, s.name + ": teaches");
    if (!s.ladder.empty()) expect_every_language(s.rung_label, s.name + ": rung_label");
    for (const scenario::ScenarioParameter& p : s.parameters)
      expect_every_language(p.label, s.name + ": " + p.name);
  }
}

TEST(Scenarios, HaveOneKeyAParameterAndOnePlaceALadder) {
  std::map<std::string, std::set<int>> rungs;
  for (const scenario::Scenario& s : gallery()) {
    std::set<std::string> keys;
    for (const scenario::ScenarioParameter& p : s.parameters) {
      EXPECT_FALSE(p.key.empty()) << s.name << ": " << p.name;
      EXPECT_TRUE(keys.insert(p.key).second) << s.name << ": key " << p.key << " twice";
    }
    if (s.ladder.empty()) continue;
    EXPECT_TRUE(rungs[s.ladder].insert(s.rung).second) << s.name << ": rung taken";
  }
  for (const auto& [ladder, taken] : rungs)
    EXPECT_EQ(*taken.rbegin() + 1, static_cast<int>(taken.size())) << ladder << " has a gap";
}

TEST(Scenarios, ShowPlainCuda) {
  for (const scenario::Scenario& s : gallery()) {
    EXPECT_THAT(s.text, Not(HasSubstr("arplens"))) << s.name;
    EXPECT_TRUE(s.text.starts_with("//")) << s.name << ": what it shows comes first";
    std::size_t longest = 0, lines = 0, begin = 0;
    for (std::size_t end; (end = s.text.find('\n', begin)) != std::string::npos; begin = end + 1, ++lines)
      longest = std::max(longest, end - begin);
    EXPECT_LE(longest, 72u) << s.name;
    // What the copy engine and wgmma are told has no shorter words than PTX.
    EXPECT_LE(lines, s.name == "hgemm_tma" ? 150u : 80u) << s.name;
  }
}

TEST(Scenarios, SayHowTheOutputIsCheckedAndWhatIsMoved) {
  for (const scenario::Scenario& s : gallery()) {
    scenario::Setup made = setup({s.name, {}});
    ASSERT_TRUE(made.check) << s.name;
    EXPECT_GT(made.useful_bytes, 0u) << s.name;
    EXPECT_TRUE(made.launch.arguments.contains(made.check->buffer)) << s.name;
  }
}

// Every buffer is needed whole: one element less, and an access is out of range. One element more would hide
// that.
void expect_exact_buffers(const Case& c) {
  scenario::Setup made = setup(c);
  const sim::Program program = compile(made);
  EXPECT_FALSE(sim::grid_totals(program, made.launch, memory::default_gpu_model()).error) << c;
  for (auto& [name, argument] : made.launch.arguments) {
    auto* buffer = std::get_if<sim::Buffer>(&argument);
    if (buffer == nullptr) continue;
    ASSERT_GT(buffer->elements, 0u) << c << ": " << name << " has no end";
    --buffer->elements;
    const sim::Totals totals = sim::grid_totals(program, made.launch, memory::default_gpu_model());
    ++buffer->elements;
    // Of a star the corners are read by nobody, and the last element of `in` is one.
    if (c.scenario == "stencil_2d_global" && name == "in") continue;
    ASSERT_TRUE(totals.error) << c << ": " << name << " is longer than needed";
    // A tensor map says how much it describes: the launch is refused before a lane comes to its end.
    const bool map = std::ranges::any_of(program.tensor_maps, [&](const sim::TensorMapUse& use) {
      return program.parameters[use.parameter].name == name;
    });
    EXPECT_EQ(totals.error->kind, map ? sim::RunError::Kind::BadLaunch : sim::RunError::Kind::OutOfRange)
        << totals.error->message;
    EXPECT_GT(totals.error->range.begin.line, 0);
  }
}

TEST(Scenarios, BufferSizesAreExact) {
  for (const std::string& name : all_names()) expect_exact_buffers(small_case(name));
  expect_exact_buffers({"copy_offset", {{"n", 1000}, {"offset", 3}}});
  expect_exact_buffers({"copy_stride", {{"n", 1000}, {"stride", 7}}});
  expect_exact_buffers(
      {"index_expression", {{"length", 1}, {"stride", 3}, {"offset", 2}, {"size", 2}, {"base", 5}}});
}

// What the app puts in its place is one line.
TEST(Scenarios, HaveAnIndexThatCanBeReplaced) {
  std::string text = find_scenario("index_expression").text;
  const std::string define = "#define INDEX (base + (i * stride + offset) * size)\n";
  const std::size_t at = text.find(define);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, define.size(), "#define INDEX ((threadIdx.x ^ 5) * 16 + blockIdx.x)\n");
  auto made = scenario::make_setup(find_scenario("index_expression"), {{"n", 32}}, text);
  ASSERT_TRUE(made);
  sim::Program program = compile(*made.value);
  sim::Totals totals = sim::grid_totals(program, made.value->launch, memory::default_gpu_model());
  ASSERT_FALSE(totals.error) << totals.error->message;
  EXPECT_EQ(sum_sites(program, totals).global_load.sectors, 32u);
}

}  // namespace
}  // namespace warplens::test
