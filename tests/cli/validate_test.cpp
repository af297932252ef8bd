// `validate` runs what it calls sound, and tells by its field what is wrong with a document of the right
// schema.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/run_cli.h"
#include "tests/scenario/folder.h"

namespace warplens::cli_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

const std::string kSource = WARPLENS_SOURCE_DIR;

json read_json(const std::string& file) {
  return json::parse(scenario::Folder().read(kSource + file));
}

// One field changed, and what is said of it; a null value takes the field away.
struct Lie {
  std::string at;  // JSON pointer
  json value;
  std::string words;
};

class ValidateDocuments : public ::testing::Test {
 protected:
  Ran validate(const std::string& name, const std::string& text, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"validate", folder_.write(name, text).string()};
    words.insert(words.end(), more.begin(), more.end());
    return run_cli(words);
  }
  void expect_told(const std::string& name, const std::string& text, const std::string& words) {
    const Ran ran = validate(name, text);
    EXPECT_EQ(ran.code, 2) << words << "\n" << ran.out << ran.err;
    EXPECT_THAT(ran.err, HasSubstr(words));
  }
  void expect_sound(const std::string& name, const std::string& text) {
    const Ran ran = validate(name, text);
    EXPECT_EQ(ran.code, 0) << name << "\n" << ran.err;
  }
  void expect_lies_found(const std::string& name, const json& sound, const std::vector<Lie>& lies) {
    expect_sound(name, sound.dump());
    for (const Lie& lie : lies) {
      json document = sound;
      const json::json_pointer at(lie.at);
      if (lie.value.is_null())
        document[at.parent_pointer()].erase(at.back());
      else
        document[at] = lie.value;
      SCOPED_TRACE(lie.at);
      expect_told(name, document.dump(), lie.words);
    }
  }
  scenario::Folder folder_;
};

TEST_F(ValidateDocuments, OfAKernelItSaysWhatChecksOne) {
  expect_told("k.cu", "__global__ void k(int* out) { out[threadIdx.x] = 5; }", "k.cu --check");
}

// The rule for the output is no more sound than the kernels that a GPU's process would make of it.
TEST_F(ValidateDocuments, ChecksAreThoseThatCanBeMade) {
  folder_.write("sum.cu",
                "__device__ float half_of(float x) { return x / 2; }\n"
                "__global__ void sum(const float* in, float* out, int n) {\n"
                "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                "  if (i < n) out[i] = half_of(in[i]);\n}\n");
  const json scenario = {
      {"schema", "warplens.scenario/1"},
      {"name", "sum"},
      {"title", "Halves"},
      {"parameters", {{{"name", "size"}, {"default", 64}, {"minimum", 1}, {"maximum", 1024}}}},
      {"grid", {"(size + 31) / 32"}},
      {"block", {"32"}},
      {"scalars", {{"n", "size"}}},
      {"buffers", {{"in", {{"elements", "size"}, {"fill", "iota"}}}, {"out", {{"elements", "size"}}}}},
      {"check",
       {{"buffer", "out"},
        {"elements", "size"},
        {"expected", "half_of(in[i]) + 0 * whole[0] + n - size"},
        {"before", {{{"name", "whole"}, {"elements", "1"}, {"terms", "n"}, {"sum", "in[j]"}}}}}}};
  expect_lies_found("sum.scenario.json", scenario,
                    {{"/check/expected", "quarter_of(in[i])", "check.expected: "},
                     {"/check/expected", "in[i] / parts", "parts"},
                     {"/check/expected", "in[j]", "j"},
                     {"/check/expected", "later[i]", "later"},
                     {"/check/before/0/sum", "nowhere[j]", "check.before.whole: "},
                     {"/check/before/0/terms", "count", "count"},
                     {"/check/elements", "1000000000000000000", "values at most"},
                     {"/check/elements", "1 << 30", "the buffer \"out\" has 64"},
                     {"/check/elements", "size + 1", "the buffer \"out\" has 64"},
                     {"/check/counted", "1000000000000000000", "values at most"},
                     {"/check/before/0/elements", "1000000000000000000", "values at most"},
                     {"/buffers/in/elements", "null", "no GPU can run it"},
                     {"/buffers/out", nullptr, "no GPU can run it"}});
}

// What a document that is handed around names lies beside it: a link out of its folder prints no line of what
// it leads to.
TEST_F(ValidateDocuments, SourcesThatLeadElsewhereAreNotRead) {
  const scenario::Folder elsewhere;
  const auto secret = elsewhere.write("secret.txt", "a line that nobody else reads\n");
  const json document = {
      {"schema", "warplens.scenario/1"}, {"name", "own"}, {"title", "t"}, {"grid", {1}}, {"block", {32}}};
  const std::string own = folder_.write("own.scenario.json", document.dump()).string();
  const auto place = folder_.path() / "own.cu";
  for (const auto& target : {secret, elsewhere.path() / "later", std::filesystem::path("/etc/hostname")}) {
    std::filesystem::remove(place);
    std::filesystem::create_symlink(target, place);
    for (const char* command : {"validate", "report", "trace"}) {
      const Ran ran = run_cli({command, own});
      EXPECT_EQ(ran.code, 2);
      EXPECT_THAT(ran.out + ran.err, ::testing::Not(HasSubstr("a line that nobody")));
      if (std::filesystem::exists(target)) {
        EXPECT_THAT(ran.err, HasSubstr("must name a file beside this one"));
      }
    }
  }
  std::filesystem::remove(place);
  std::filesystem::create_directory_symlink(elsewhere.path(), folder_.path() / "sub");
  json inside = document;
  inside["source"] = "sub/secret.txt";
  expect_told("own.scenario.json", inside.dump(), "must name a file beside this one");
  // A link that stays within the folder is as good as the file.
  folder_.write("kernels/real.cu", "__global__ void k(int* out) { out[threadIdx.x] = 1; }\n");
  std::filesystem::create_symlink("kernels/real.cu", place);
  expect_sound("own.scenario.json", document.dump());
  // Nor is a scenario that an exercise's name leads to.
  folder_.write("ask.exercise.json", R"({"schema": "warplens.exercise/1", "name": "ask"})");
  std::filesystem::create_symlink(secret, folder_.path() / "ask.scenario.json");
  const Ran ran = run_cli({"validate", (folder_.path() / "ask.exercise.json").string()});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, ::testing::Not(HasSubstr("secret.txt:1")));
}

TEST_F(ValidateDocuments, ScenariosAreCompiledWithAllTheirChoices) {
  folder_.write("own.cu",
                "template <int N>\n__global__ void own(float* out) {\n  __shared__ float t[64 / N];\n"
                "  t[threadIdx.x % 4] = 1;\n  out[threadIdx.x] = t[threadIdx.x % 4];\n}\n");
  json scenario = {
      {"schema", "warplens.scenario/1"},
      {"name", "own"},
      {"title", "own"},
      {"teaches", ""},
      {"grid", {1}},
      {"block", {32}},
      {"template", {"n"}},
      {"parameters", {{{"name", "n"}, {"label", "n"}, {"default", 2}, {"minimum", 1}, {"maximum", 4}}}}};
  expect_lies_found("own.scenario.json", scenario,
                    {{"/parameters/0/minimum", 0, "with n = 0"},
                     {"/parameters/0/choices", json::array(), "choices: is empty"},
                     {"/grid/0", "n / 0", "grid[0]"},
                     {"/block/0", 2048, "2048"},
                     {"/requires", {{{"rule", "nosuch > 1"}, {"words", "x"}}}, "requires[0].rule"},
                     {"/source", "/etc/passwd", "source"},
                     {"/template/0", "n * 100", "own.cu:3:"}});
}

TEST_F(ValidateDocuments, LessonsAreLookedUpAndDecided) {
  const json lesson = read_json("/assets/lessons/10-padding.lesson.json");
  expect_lies_found(
      "own.lesson.json", lesson,
      {{"/steps/0/show/scenario", "nosuch", "steps[0].show"},
       {"/challenge/solution", {{"pad", 0}}, "challenge.solution"},
       {"/challenge/goals/0/rule", "nosuch == 1", "goals[0].rule"},
       {"/steps/0/predict",
        {{"question", "q"}, {"hint", "h"}, {"why", "w"}, {"ask", "requests"}, {"choices", json::array()}},
        "choices: is empty"}});
}

TEST_F(ValidateDocuments, WhatIsOnlyWrittenIsNoSchemaThatIsRead) {
  expect_told("r.json", R"({"schema": "warplens.report/1"})",
              "is not a schema of Warplens that can be checked");
  expect_told("r.json", R"("schema": "warplens.report/1"})", "not sound JSON");
}

}  // namespace
}  // namespace warplens::cli_test
