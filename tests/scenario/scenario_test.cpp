#include "sim/scenario/scenario.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <nlohmann/json.hpp>

#include "tests/scenario/folder.h"

namespace warplens::scenario {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

const char* kKernel = "template <int B, typename T> __global__ void scale(T* a, int n, float f) {}\n";

json sound() {
  return json::parse(R"({
    "schema": "warplens.scenario/1", "name": "scale", "title": {"en": "Scale", "zh-CN": "缩放"},
    "ladder": "l", "rung": 2, "rung_label": "two",
    "parameters": [
      {"name": "n", "default": 1000, "minimum": 1, "maximum": 4096},
      {"name": "block_x", "label": "block x", "key": "x", "default": 32, "choices": [32, 64]},
      {"name": "element", "default": 4, "choices": [4, 16], "texts": ["float", "float4"]}],
    "template": ["block_x", "element"], "defines": {"N": "n", "T": "element", "U": "unsigned int", "ONE": 1},
    "grid": ["(n + block_x - 1) / block_x"], "block": ["block_x", 1, 1], "shared": "4 * block_x",
    "scalars": {"n": "n", "f": 1.5},
    "buffers": {"a": {"elements": "n", "fill": "iota"}},
    "check": {"buffer": "a", "elements": "n", "expected": "i", "tolerance": 1e-6},
    "bytes": "2 * n * element", "something": {"of": "another version"}
  })");
}

Outcome<Scenario> load(const Folder& folder, const json& document) {
  folder.write("scale.cu", kKernel);
  return load_scenario(folder.write("scale.scenario.json", document.dump(2)));
}

TEST(Scenario, EveryFieldIsRead) {
  const Folder folder;
  const auto outcome = load(folder, sound());
  ASSERT_TRUE(outcome) << ::testing::PrintToString(outcome.errors);
  const Scenario& s = *outcome.value;
  EXPECT_EQ(s.name, "scale");
  EXPECT_EQ(in_language(s.title, "zh-CN"), "缩放");
  EXPECT_EQ(in_language(s.title, "fr"), "Scale");
  EXPECT_EQ(s.text, kKernel);
  EXPECT_EQ(s.source.filename(), "scale.cu");
  EXPECT_EQ(s.ladder, "l");
  EXPECT_EQ(s.rung, 2);
  EXPECT_EQ(in_language(s.rung_label, "en"), "two");
  ASSERT_EQ(s.parameters.size(), 3u);
  EXPECT_EQ(in_language(s.parameters[0].label, "en"), "n");
  EXPECT_EQ(s.parameters[1].key, "x");
  EXPECT_EQ(s.parameters[1].minimum, 32);
  EXPECT_EQ(s.parameters[1].maximum, 64);
  EXPECT_THAT(s.parameters[2].texts, ElementsAre("float", "float4"));
  EXPECT_EQ(s.buffer_rules.at("a").fill, sim::Fill::Iota);
  ASSERT_TRUE(s.check);
  EXPECT_EQ(s.check->tolerance, 1e-6);
}

TEST(Scenario, RulesBecomeALaunch) {
  const Folder folder;
  const auto scenario = load(folder, sound());
  ASSERT_TRUE(scenario);
  const auto setup = make_setup(*scenario.value, {{"block_x", 64}, {"element", 16}});
  ASSERT_TRUE(setup) << ::testing::PrintToString(setup.errors);
  EXPECT_THAT(setup.value->compile.template_arguments, ElementsAre("64", "float4"));
  EXPECT_THAT(setup.value->compile.defines,
              UnorderedElementsAre(std::pair("N", "1000"), std::pair("T", "float4"),
                                   std::pair("U", "unsigned int"), std::pair("ONE", "1")));
  EXPECT_EQ(setup.value->launch.grid, (sim::Dim3{16, 1, 1}));  // 1000 / 64 rounded up
  EXPECT_EQ(setup.value->launch.block, (sim::Dim3{64, 1, 1}));
  EXPECT_EQ(setup.value->launch.shared_bytes, 256u);
  EXPECT_EQ(std::get<std::int64_t>(setup.value->launch.arguments.at("n")), 1000);
  EXPECT_EQ(std::get<double>(setup.value->launch.arguments.at("f")), 1.5);
  EXPECT_EQ(std::get<sim::Buffer>(setup.value->launch.arguments.at("a")),
            (sim::Buffer{1000, sim::Fill::Iota}));
  EXPECT_EQ(setup.value->check->elements, "1000");
  EXPECT_EQ(setup.value->useful_bytes, 32000u);
  EXPECT_EQ(setup.value->values.at("n"), 1000);
}

TEST(Scenario, WrongValuesAreNamed) {
  const Folder folder;
  const auto scenario = load(folder, sound());
  ASSERT_TRUE(scenario);
  EXPECT_THAT(make_setup(*scenario.value, {{"elemnt", 4}}).errors,
              ElementsAre(HasSubstr("did you mean \"element\"?")));
  EXPECT_THAT(make_setup(*scenario.value, {{"n", 0}}).errors,
              ElementsAre(HasSubstr("outside its range, 1 to 4096")));
  EXPECT_THAT(make_setup(*scenario.value, {{"n", 4097}}).errors, ElementsAre(HasSubstr("outside its range")));
  EXPECT_THAT(make_setup(*scenario.value, {{"block_x", 48}}).errors,
              ElementsAre(HasSubstr("none of its choices: 32, 64")));
}

TEST(Scenario, RulesThatFailNameTheirField) {
  const std::pair<const char*, json> rules[] = {{"grid", json::array({"n / (block_x - 32)"})},
                                                {"grid", json::array({"-n"})},
                                                {"block", json::array({"unknown"})},
                                                {"shared", "4 *"},
                                                {"bytes", "-1"},
                                                {"template", json::array({"block_x +"})},
                                                {"grid", json::array({"n << 40"})}};
  for (const auto& [field, rule] : rules) {
    const Folder folder;
    json document = sound();
    document[field] = rule;
    const auto scenario = load(folder, document);
    ASSERT_TRUE(scenario) << field;
    const auto setup = make_setup(*scenario.value, {});
    EXPECT_FALSE(setup) << field << " " << rule;
    ASSERT_FALSE(setup.errors.empty());
    EXPECT_THAT(setup.errors[0], HasSubstr(field)) << rule;
  }
}

TEST(Scenario, RequirementsRefuseValuesInTheirWords) {
  const Folder folder;
  json document = sound();
  document["requires"] =
      json::array({{{"rule", "n % 4 == 0"},
                    {"words", {{"en", "n must be a multiple of 4"}, {"zh-CN", "n 必须是 4 的倍数"}}}},
                   {{"rule", "n >= block_x"}}});
  const auto scenario = load(folder, document);
  ASSERT_TRUE(scenario) << ::testing::PrintToString(scenario.errors);
  EXPECT_TRUE(make_setup(*scenario.value, {{"n", 64}}));
  EXPECT_THAT(make_setup(*scenario.value, {{"n", 66}}).errors,
              ElementsAre("scale: n must be a multiple of 4 (n % 4 == 0)"));
  EXPECT_THAT(make_setup(*scenario.value, {{"n", 8}}).errors, ElementsAre(HasSubstr("n >= block_x")));
  document["requires"][0]["rule"] = "n % (block_x - 32) == 0";
  const auto broken = load(folder, document);
  ASSERT_TRUE(broken);
  EXPECT_THAT(make_setup(*broken.value, {}).errors, ElementsAre(HasSubstr("requires[0].rule")));
}

TEST(Scenario, ABufferHasARange) {
  const Folder folder;
  json document = sound();
  document["buffers"]["a"] = {{"elements", "n"}, {"fill", "ascending"}, {"range", {0, "2 * n"}}};
  const auto scenario = load(folder, document);
  ASSERT_TRUE(scenario) << ::testing::PrintToString(scenario.errors);
  const auto buffer = [&](std::int64_t n) {
    return std::get<sim::Buffer>(make_setup(*scenario.value, {{"n", n}}).value->launch.arguments.at("a"));
  };
  EXPECT_EQ(buffer(100).range, (sim::FillRange{0, 200}));
  EXPECT_EQ(buffer(7).range, (sim::FillRange{0, 14}));
  document["buffers"]["a"]["range"] = {1};
  EXPECT_THAT(load(folder, document).errors, ElementsAre(HasSubstr("two are needed")));
  document["buffers"]["a"]["range"] = {"n", 5};
  const auto falls = load(folder, document);
  EXPECT_THAT(make_setup(*falls.value, {}).errors, ElementsAre(HasSubstr("buffers.a.range")));
  document["buffers"]["a"]["fill"] = "iota";  // which takes none
  EXPECT_FALSE(
      std::get<sim::Buffer>(make_setup(*load(folder, document).value, {}).value->launch.arguments.at("a"))
          .range);
}

TEST(Scenario, ACheckHasStepsBefore) {
  const Folder folder;
  json document = sound();
  document["check"]["margin"] = 1e-3;
  document["check"]["before"] =
      json::array({{{"name", "most"}, {"elements", "n / 2"}, {"terms", "i + 1"}, {"largest", "a[j]"}},
                   {{"name", "total"}, {"elements", 3}, {"terms", 7}, {"sum", "a[j] - most[i]"}}});
  const auto scenario = load(folder, document);
  ASSERT_TRUE(scenario) << ::testing::PrintToString(scenario.errors);
  const OutputCheck check = *make_setup(*scenario.value, {}).value->check;
  EXPECT_EQ(check.margin, 1e-3);
  ASSERT_EQ(check.before.size(), 2u);
  EXPECT_EQ(check.before[0], (CheckStep{"most", "500", "i + 1", "a[j]", true}));
  EXPECT_EQ(check.before[1], (CheckStep{"total", "3", "7", "a[j] - most[i]", false}));
  document["check"]["before"][1].erase("sum");
  EXPECT_THAT(load(folder, document).errors, ElementsAre(HasSubstr("sum")));
}

TEST(Scenario, ARuleInAMessageStaysInItsLine) {
  const Folder folder;
  json document = sound();
  document["requires"] = json::array({{{"rule", "n\n > 5000"}, {"words", "too few"}}, {{"rule", "n %\n 0"}}});
  const auto scenario = load(folder, document);
  ASSERT_TRUE(scenario) << ::testing::PrintToString(scenario.errors);
  const auto errors = make_setup(*scenario.value, {}).errors;
  EXPECT_EQ(errors.size(), 2u);
  for (const std::string& error : errors) EXPECT_EQ(error.find('\n'), std::string::npos) << error;
}

TEST(Scenario, ReadingAndWorkingOutGoByTheBudget) {
  const Folder folder;
  const auto scenario = load(folder, sound());
  ASSERT_TRUE(scenario);
  const std::atomic<bool> cancel{true};
  Budget cancelled({.cancel = &cancel});
  EXPECT_THROW(make_setup(*scenario.value, {}, &cancelled), Stopped);
  EXPECT_THROW(load_scenario(scenario.value->file, &cancelled), Stopped);
  EXPECT_THROW(load_scenarios(folder.path(), &cancelled), Stopped);
}

TEST(Scenario, OperationsAndReferenceReachTheSetup) {
  const Folder folder;
  json document = sound();
  EXPECT_EQ(load(folder, document).value->reference, Reference::Copy);
  document["operations"] = "2 * n";
  for (const auto& [name, reference] : {std::pair{"copy", Reference::Copy},
                                        {"cublas_hgemm", Reference::CublasHgemm},
                                        {"cublas_sgemm", Reference::CublasSgemm},
                                        {"cublas_dgemm", Reference::CublasDgemm}}) {
    document["reference"] = name;
    const auto setup = make_setup(*load(folder, document).value, {});
    ASSERT_TRUE(setup);
    EXPECT_EQ(setup.value->reference, reference) << name;
    EXPECT_EQ(setup.value->operations, 2000u);
  }
}

// One thing wrong at a time: each is refused, with its field.
TEST(Scenario, WrongFieldsAreNamed) {
  const std::pair<const char*, json> wrongs[] = {{"/schema", "warplens.scenario/2"},
                                                 {"/schema", "warplens.lesson/1"},
                                                 {"/name", "not a name"},
                                                 {"/name", 7},
                                                 {"/title", json::array()},
                                                 {"/title", json{{"fr", "x"}}},
                                                 {"/source", "../x.cu"},
                                                 {"/source", "/etc/passwd"},
                                                 {"/source", "absent.cu"},
                                                 {"/rung", -1},
                                                 {"/reference", "cublas"},
                                                 {"/requires", "n > 1"},
                                                 {"/requires", json::array({"n > 1"})},
                                                 {"/requires", json::array({json{{"words", "n"}}})},
                                                 {"/rung", "one"},
                                                 {"/parameters", 1},
                                                 {"/parameters/0", "n"},
                                                 {"/parameters/0/name", "1x"},
                                                 {"/parameters/0/default", 0.5},
                                                 {"/parameters/0/default", 5000},
                                                 {"/parameters/0/minimum", 5000},
                                                 {"/parameters/0/step", 0},
                                                 {"/parameters/0/key", "xy"},
                                                 {"/parameters/1/name", "n"},
                                                 {"/parameters/1/choices", json::array({64, 32})},
                                                 {"/parameters/1/default", 33},
                                                 {"/parameters/2/texts", json::array({"float"})},
                                                 {"/grid", json::array()},
                                                 {"/grid", json::array({1, 2, 3, 4})},
                                                 {"/grid", "n"},
                                                 {"/block", json::array({1.5})},
                                                 {"/defines", json{{"1N", 1}}},
                                                 {"/scalars", json{{"n", nullptr}}},
                                                 {"/buffers", json{{"a", 5}}},
                                                 {"/buffers/a/fill", "ones"},
                                                 {"/check", 1},
                                                 {"/check/expected", 1},
                                                 {"/check/tolerance", "0"},
                                                 {"/check/tolerance", -1},
                                                 {"/shared", json::object()},
                                                 {"/bytes", ""}};
  for (const auto& [pointer, value] : wrongs) {
    const Folder folder;
    json document = sound();
    document[json::json_pointer(pointer)] = value;
    const auto outcome = load(folder, document);
    EXPECT_FALSE(outcome) << pointer << " = " << value;
    ASSERT_FALSE(outcome.errors.empty()) << pointer;
    EXPECT_THAT(outcome.errors[0], HasSubstr("scale.scenario.json:")) << pointer;
    const std::string top = std::string(pointer).substr(1, std::string(pointer).find('/', 1) - 1);
    EXPECT_THAT(outcome.errors[0], HasSubstr(top)) << pointer;
  }
  for (const char* needed : {"schema", "name", "title", "grid", "block"}) {
    const Folder folder;
    json document = sound();
    document.erase(needed);
    EXPECT_THAT(load(folder, document).errors, ElementsAre(HasSubstr(std::string(needed) + ": is missing")))
        << needed;
  }
}

TEST(Scenario, AFolderIsReadByLadderAndRungBesideItsBrokenFiles) {
  const Folder folder;
  for (const auto& [name, ladder, rung] :
       {std::tuple("c", "", 0), {"b", "z", 1}, {"d", "z", 0}, {"a", "y", 5}}) {
    json document = sound();
    document["name"] = name;
    document["ladder"] = ladder;
    document["rung"] = rung;
    document["source"] = "scale.cu";
    folder.write("scale.cu", kKernel);
    folder.write(std::string(name) + ".scenario.json", document.dump());
  }
  folder.write("broken.scenario.json", "{");
  folder.write("other.json", "{");
  const auto outcome = load_scenarios(folder.path());
  ASSERT_TRUE(outcome);
  std::vector<std::string> names;
  for (const Scenario& s : *outcome.value) names.push_back(s.name);
  EXPECT_THAT(names, ElementsAre("a", "d", "b", "c"));
  EXPECT_THAT(outcome.errors, ElementsAre(HasSubstr("broken.scenario.json:1")));
  EXPECT_FALSE(load_scenarios(folder.path() / "absent"));
}

}  // namespace
}  // namespace warplens::scenario
