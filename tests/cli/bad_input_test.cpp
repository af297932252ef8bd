// Whatever is given, the program ends with the contract's exit code and says what, where and what to do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/run_cli.h"
#include "tests/scenario/folder.h"

namespace warplens::cli_test {
namespace {

using ::testing::HasSubstr;

// Exit 2, nothing on standard output, and each of the words on standard error.
void expect_refused(const std::vector<std::string>& arguments, const std::vector<std::string>& words,
                    int code = 2) {
  const Ran ran = run_cli(arguments);
  EXPECT_EQ(ran.code, code) << ::testing::PrintToString(arguments) << "\n" << ran.err;
  EXPECT_EQ(ran.out, "");
  for (const std::string& word : words) EXPECT_THAT(ran.err, HasSubstr(word));
}

class BadInput : public ::testing::Test {
 protected:
  std::vector<std::string> kernel(const std::string& text, std::vector<std::string> more = {}) {
    std::vector<std::string> words = {"report", folder_.write("bad.cu", text).string(), "--block", "32"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  std::string json(const std::string& text) { return folder_.write("bad.scenario.json", text).string(); }

  scenario::Folder folder_;
};

// An option that would change nothing is no option of this command.
TEST_F(BadInput, AnOptionThatWouldChangeNothing) {
  expect_refused({"report", "copy", "--arch", "sm_90"}, {"--compiled"});
  expect_refused({"report", "copy", "--cold"}, {"--why"});
  expect_refused({"report", "copy", "--registers", "40"}, {"--why"});
  expect_refused({"report", "copy", "--why", "--cold", "--warm"}, {"--cold", "--warm"});
  expect_refused({"report", "copy", "--why", "--registers", "0"}, {"--registers", "255"});
}

// A pipe that nobody writes to is never waited for, whatever is to be read of it.
TEST_F(BadInput, PipesAndDevicesAreNotWaitedFor) {
  const std::string pipe = (folder_.path() / "pipe").string();
  const auto named = [&](const std::string& ending) {
    EXPECT_EQ(::mkfifo((pipe + ending).c_str(), 0600), 0);
    return pipe + ending;
  };
  const std::string text = named(".cu"), json = named(".json"), scenario = named(".scenario.json"),
                    bytes = named(".bin");
  const std::string good =
      folder_.write("good.cu", "__global__ void k(float* out) { out[threadIdx.x] = 1; }").string();
  const std::vector<std::string> launch = {"report", good, "--block", "32", "--grid", "1"};
  const auto with = [&](const std::string& option, const std::string& value) {
    std::vector<std::string> all = launch;
    all.insert(all.end(), {option, value});
    return all;
  };
  expect_refused({"report", text}, {text, "is a pipe", "- reads standard input"});
  expect_refused({"validate", json}, {"is a pipe"});
  expect_refused({"validate", scenario}, {"is a pipe"});
  expect_refused({"report", scenario}, {"is a pipe"});
  expect_refused({"trace", text, "--block", "32"}, {"is a pipe"});
  expect_refused({"compare", "copy", scenario}, {"is a pipe"});
  expect_refused({"render", scenario, "-o", "a.svg"}, {"is a pipe"});
  expect_refused({"measure", text, "--request"}, {"is a pipe"});
  expect_refused({"check", "transpose_shared", "--against", json}, {"is a pipe"});
  expect_refused(with("--set", "out=@32:file(" + bytes + ")"), {"is a pipe"});
  expect_refused(with("--set", "out=@32:file(/dev/zero)"), {"/dev/zero", "is a device"});
  expect_refused({"report", "/dev/zero"}, {"is a device"});
  // A document names what is beside it: neither a pipe nor "-" makes the program wait.
  for (const auto& [source, words] : {std::pair{"pipe.cu", "is a pipe"}, {"-", "link.scenario.json:2"}}) {
    folder_.write(
        "link.scenario.json", std::string(R"({"schema": "warplens.scenario/1", "name": "link", "title": "t",
    "source": ")") + source + R"(", "grid": [1], "block": [32]})");
    expect_refused({"report", (folder_.path() / "link.scenario.json").string()}, {"source", words});
  }
}

TEST_F(BadInput, NullPointersAreNamed) {
  const std::string text =
      "__global__ void k(const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x + 7]; }";
  expect_refused(kernel(text, {"--set", "in=null", "--set", "out=@32"}),
                 {"bad.cu:1:", "load through in, which is a null pointer"});
  expect_refused(kernel(text, {"--set", "in=@64", "--set", "out=null"}),
                 {"store through out, which is a null pointer"});
  expect_refused(kernel("__global__ void k(int* n) { atomicAdd(n, 1); }", {"--set", "n=null"}),
                 {"through n, which is a null pointer"});
}

// Where no file can lie the option is wrong; nothing is simulated before that is known.
TEST_F(BadInput, PlacesForOutput) {
  const std::string absent = (folder_.path() / "absent" / "x").string(), folder = folder_.path().string();
  const std::string under_a_file = folder_.write("file", "").string() + "/x";
  const std::string loop = (folder_.path() / "loop.svg").string();
  std::filesystem::create_symlink("loop.svg", loop);
  std::filesystem::create_directory(folder_.path() / "folder.svg");
  for (const std::string& place : {absent + ".svg", under_a_file + ".svg", loop, folder + "/folder.svg",
                                   folder + "/" + std::string(300, 'a') + ".svg"}) {
    expect_refused({"render", "copy", "-o", place}, {place});
    expect_refused({"render", "copy", "--view", "slide", "-o", place}, {place});
  }
  expect_refused({"render", "copy", "--view", "phases", "-o", folder + "/x.svg"}, {"corner turn"});
  expect_refused({"render", "copy", "--view", "matrix", "--array", "foo", "-o", folder + "/x.svg"},
                 {"--array", "'foo'"});
  expect_refused({"render", "copy", "--view", "steps", "-o", absent}, {absent});
  expect_refused({"measure", "copy", "-o", absent}, {absent, "its folder is not there"});
  const std::string endless(5000, 'a');
  expect_refused({"grade", "strides", "--against", endless}, {endless});
}

TEST_F(BadInput, Commands) {
  expect_refused({}, {"subcommand"});
  expect_refused({"reprot", "x"}, {"warplens-cli", "'reprot' is not a subcommand"});
  expect_refused({"report"}, {"TARGET"});
  expect_refused({"report", "transpose_shared", "--unknown"}, {"--unknown"});
  expect_refused({"report", "transpose_shared", "--json", "--csv"}, {"--csv"});
  expect_refused({"report", "transpose_shared", "--gpu", "sm_91"}, {"sm_91", "did you mean \"sm_90\"?"});
}

TEST_F(BadInput, KernelTextIsShownWithACaret) {
  expect_refused(kernel("__global__ void k(float* a) {\n  a[0] = b;\n}\n"),
                 {"bad.cu:2:10", "a[0] = b;", "^"});
  expect_refused(kernel("__global__ void k(float* a) {\n  a[0] = ;\n}\n"), {"bad.cu:2:", "^"});
  expect_refused(kernel("int main() {}"), {"kernel"});
  expect_refused(kernel("__global__ void a() {} __global__ void b() {}"), {"a", "b"});
  expect_refused(kernel(""), {"kernel"});
  expect_refused(kernel(std::string("\xff\xfe_\0_\0", 6)), {"UTF-16", "save it as UTF-8"});
  expect_refused({"report", "absent.cu", "--block", "32"}, {"absent.cu"});
  expect_refused({"report", folder_.path().string() + "/", "--block", "32"}, {"folder"});
}

TEST_F(BadInput, EndlessLoopsEnd) {
  // Nothing changes from turn to turn: known at once, whatever the limits are.
  expect_refused(kernel("__global__ void k(volatile float* a) {\n  while (true) a[0] = 1;\n}\n"),
                 {"bad.cu:2:", "never ends"});
  const std::string text =
      "__global__ void k(volatile float* a) {\n  for (long long i = 0; i >= 0; ++i) a[i & 31] = 1;\n}\n";
  expect_refused(kernel(text, {"--steps", "100000"}), {"bad.cu:", "--steps"}, 4);
  expect_refused(kernel(text, {"--seconds", "0.2"}), {"0.2 seconds"}, 4);
  const Ran traced =
      run_cli({"trace", folder_.write("loop.cu", text).string(), "--block", "32", "--steps", "100000"});
  EXPECT_EQ(traced.code, 4) << traced.err;
  EXPECT_EQ(traced.out, "");
}

TEST_F(BadInput, JsonIsPlaced) {
  expect_refused({"report", json("{\"schema\": \"warplens.scenario/1\",\n \"name\": \"x\"")},
                 {"bad.scenario.json:2:"});
  expect_refused({"report", json("{\n\"schema\": \"warplens.scenario/1\",\n\"name\": 5}")},
                 {"bad.scenario.json:3: name"});
  expect_refused({"report", json(std::string((1 << 20) + 1, ' '))}, {"larger than 1048576 bytes"});
  expect_refused({"validate", json("{\"schema\": \"warplens.cat/1\"}")}, {"warplens.cat/1"});
  expect_refused({"validate", json("\xff\xfe")}, {"bad.scenario.json:1:"});
  expect_refused({"validate", "absent.json"}, {"absent.json"});
  expect_refused({"check", "transpose_shared", "--against", json("{\"schema\": \"warplens.measurement/1\"}")},
                 {"bad.scenario.json"});
}

// A reader that has seen enough ("| head") is no failure, and a full disk is one.
TEST_F(BadInput, AReaderThatGoesAway) {
  const Ran ran = run_cli({"trace", "transpose_shared", "--block", "32,32"}, {.stop_reading_after = 10});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.err, "");
  const std::string told = (folder_.path() / "told").string();
  for (const std::string what : {"--help >/dev/full", "--version >/dev/full", "report --help >/dev/full",
                                 "--version >&-", "list scenarios >/dev/full"}) {
    const int ended = std::system((WARPLENS_BIN_DIR "/warplens-cli " + what + " 2>'" + told + "'").c_str());
    EXPECT_EQ(WEXITSTATUS(ended), 3) << what;
    EXPECT_THAT(folder_.read("told"), HasSubstr("cannot be written")) << what;
  }
}

}  // namespace
}  // namespace warplens::cli_test
