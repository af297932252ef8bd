// Documents, names and programs of strangers: nothing of them reaches a terminal as an order, a spreadsheet
// as a formula or an XML file as nonsense.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "sim/text/scan.h"
#include "sim/text/shown.h"
#include "tests/cli/run_cli.h"
#include "tests/scenario/folder.h"

namespace warplens::cli_test::strangers_test {

using ::testing::HasSubstr;
using ::testing::Not;

// A window's title, colours, a bell, a step back, controls of 8 bits, another direction, what is no character
// and what is no UTF-8.
const std::string kHostile =
    "x\x1b]0;pwned\x07\x1b[31m\b\r\x7f\xc2\x9b"
    "2J\xe2\x80\xae\xe2\x81\xa6\xef\xbf\xbe\xf3\xa0\x81\x81";
const std::string kBroken = kHostile +
                            "\x9b"
                            "1m\xff";

// Where the first byte or character stands that a terminal may obey; npos: nowhere.
std::size_t order_in(const std::string& said, bool csv) {
  for (std::size_t at = 0; at < said.size();) {
    const std::size_t begin = at;
    const char32_t code = text::next_code_point(said, &at);
    const bool broken = code == text::kReplacement && at == begin + 1;
    const bool row_end = csv && code == '\r' && at < said.size() && said[at] == '\n';
    if (broken || (text::is_control(code) && code != '\n' && code != '\t' && !row_end)) return begin;
  }
  return std::string::npos;
}

std::string in_json(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', true);
}

class Strangers : public ::testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) {
    return folder_.write(name, text).string();
  }
  // A scenario of a small kernel, with fields of one's own before the others.
  std::string scenario(const std::string& name, const std::string& title, const std::string& more = "") {
    file("own.cu", "__global__ void own(float* out, int n) { if (threadIdx.x < n) out[threadIdx.x] = 1; }\n");
    return file(
        name + ".scenario.json",
        "{\"schema\": \"warplens.scenario/1\", \"name\": \"own\", \"source\": \"own.cu\", \"title\": " +
            in_json(title) +
            ", \"teaches\": \"\", \"grid\": [\"1\"], \"block\": [\"32\"], \"scalars\": {\"n\": \"n\"}" +
            more + ", \"parameters\": [{\"name\": \"n\", \"label\": " + in_json(title) +
            ", \"default\": 32, \"minimum\": 1, \"maximum\": 32}]}");
  }
  // A program that is found in place of warplens-gpu and says these lines, each when it is spoken to.
  std::string gpu(const std::vector<std::string>& lines) {
    std::string script = "#!/bin/sh\n";
    for (const std::string& line : lines) script += "read asked\ncat <<'END'\n" + line + "\nEND\n";
    const std::string path = file("gpu.sh", script + "exit 3\n");
    ::chmod(path.c_str(), 0700);
    return path;
  }
  void expect_clean(const std::vector<std::string>& arguments, const How& how = {}) {
    const Ran ran = run_cli(arguments, how);
    const bool csv = std::find(arguments.begin(), arguments.end(), "--csv") != arguments.end();
    const std::string words = ::testing::PrintToString(arguments);
    EXPECT_LT(ran.code, 5) << words << ran.err;
    EXPECT_GE(ran.code, 0) << words << ran.err;
    EXPECT_TRUE(ran.code == 0 || !ran.err.empty()) << words;
    EXPECT_EQ(order_in(ran.out, csv), std::string::npos) << words << text::shown_in_line(ran.out);
    EXPECT_EQ(order_in(ran.err, false), std::string::npos) << words << text::shown_in_line(ran.err);
  }
  std::string hostile_kernel() {
    return file("kernel" + kHostile + ".cu", "__global__ void k(float* out) {\n  out[threadIdx.x /* " +
                                                 kBroken + " */] = 1;\n  out[1.5];\n}\n");
  }
  std::string kernel() {
    return file("k.cu",
                "__global__ void k(float* out) {\n  out[threadIdx.x * 8 /* " + kBroken + " */] = 1;\n}\n");
  }

  scenario::Folder folder_;
};

TEST_F(Strangers, NothingSteersTheTerminal) {
  const std::string k = kernel(), s = scenario("hostile", kHostile);
  std::vector<std::vector<std::string>> runs = {
      {"report", k, "--block", "32"},
      {"report", k, "--block", "32", "--csv"},
      {"report", k, "--block", "32", "--json"},
      {"report", k, "--block", "32", "--check"},
      {"report", hostile_kernel(), "--block", "32"},
      {"trace", k, "--block", "32"},
      {"compare", k, "--block", "32", k, "--block", "64"},
      {"compare", "--csv", k, "--block", "32", k, "--block", "64"},
      {"compare", "--json", k, "--block", "32", k, "--block", "64"},
      {"measure", k, "--block", "32", "--request"},
      {"render", k, "--block", "32", "-o", (folder_.path() / (kBroken + ".svg")).string()},
      {"render", k, "--block", "32", "-o", (folder_.path() / (kBroken + "/no.svg")).string()},
      {"render", k, "--block", "32", "-o", kBroken},
      {"validate", s},
      {"report", s},
      {"report", s, "--set", kBroken + "=1"},
      {"report", file("broken.scenario.json", "{\"schema\": " + in_json(kHostile) + "}")},
      {"validate", file("schema.json", "{\"schema\": " + in_json(kHostile) + "}")},
      {"validate", file("bytes.json", kBroken)},
      {"check", "copy", "--against",
       file("m.json",
            "{\"schema\": " + in_json("warplens.measurement/1") + ", \"when\": " + in_json(kHostile) + "}")}};
  for (const char* option : {"--gpu", "--kernel", "--grid", "--block", "--shared", "--template", "--define",
                             "--set", "--seconds", "--steps", "--threads"})
    runs.push_back({"report", k, option, kBroken});
  for (const char* command :
       {"report", "trace", "compare", "check", "render", "measure", "list", "layout", "validate", "doctor"}) {
    runs.push_back({command, kBroken});
    runs.push_back({command, "--" + kBroken});
    runs.push_back({command, "warplens:" + kBroken + "?" + kBroken + "#" + kBroken, "-o", "/dev/null/x.svg"});
  }
  runs.push_back({kBroken});
  for (const auto& run : runs) expect_clean(run);
}

TEST_F(Strangers, NorDoesAnotherProgram) {
  const std::string name = in_json(kHostile);
  const std::string hello =
      "{\"schema\": \"warplens.gpu/1\", \"reply\": \"hello\", \"id\": 1, \"version\": " + name +
      ", \"gpu\": {\"name\": " + name + ", \"compute_capability\": \"9.0\", \"driver\": " + name +
      ", \"cuda\": " + name + ", \"nvrtc\": " + name + "}}";
  const std::string error =
      "{\"schema\": \"warplens.gpu/1\", \"reply\": \"error\", \"id\": 1, \"error\": {\"kind\": \"kernel\", "
      "\"message\": " +
      name + "}}";
  const std::string k = kernel();
  for (const auto& lines : {std::vector{hello, error}, {hello, kBroken}, {kBroken}, {error}}) {
    const How how{.environment = {{"WARPLENS_GPU", gpu(lines)}}};
    expect_clean({"doctor", "--seconds", "5"}, how);
    expect_clean({"doctor", "--json", "--seconds", "5"}, how);
    expect_clean({"measure", k, "--block", "32"}, how);
    expect_clean({"measure", k, "--block", "32", "-o", (folder_.path() / "m.json").string()}, how);
  }
}

TEST_F(Strangers, JsonStaysSoundAndSaysTheSame) {
  std::string text = "out[threadIdx.x * 8 /* " + kHostile + " */]";
  std::erase(text, '\r');  // white space, of which a text has one blank
  const std::string k = file("k.cu", "__global__ void k(float* out) { " + text + " = 1; }\n");
  const Ran ran = run_cli({"report", k, "--block", "32", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.json()["lines"][0]["text"], text);
}

TEST_F(Strangers, NoCellIsAFormula) {
  scenario("formula", "=HYPERLINK(\"http://a\";\"b\")");
  std::filesystem::create_directories(folder_.path() / "kernels");
  std::filesystem::rename(folder_.path() / "own.cu", folder_.path() / "kernels/own.cu");
  std::filesystem::rename(folder_.path() / "formula.scenario.json",
                          folder_.path() / "kernels/formula.scenario.json");
  const Ran ran =
      run_cli({"list", "scenarios", "--csv"}, {.environment = {{"WARPLENS_DATA", folder_.path().string()}}});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("\"'=HYPERLINK(\"\"http://a\"\";\"\"b\"\")\""));
}

TEST_F(Strangers, SvgIsXmlWhateverTheTextIs) {
  for (const char* view : {"access", "slide", "source"}) {
    const std::string svg = (folder_.path() / (std::string(view) + ".svg")).string();
    const Ran ran = run_cli({"render", kernel(), "--block", "32", "--view", view, "-o", svg});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const std::string command = "xmllint --noout --nonet '" + svg + "' 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << view << ": " << folder_.read(svg).substr(0, 500);
    const std::string text = folder_.read(svg);
    EXPECT_EQ(order_in(text, false), std::string::npos) << text.substr(order_in(text, false), 80);
  }
}

struct Refused {
  std::vector<std::string> arguments;
  std::string words;
};

TEST_F(Strangers, NumbersAndNamesThatAreNotThereAreRefused) {
  const std::string svg = (folder_.path() / "a.svg").string();
  const auto render = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"render", "transpose_shared", "-o", svg});
    return more;
  };
  const auto report = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"report", "transpose_shared"});
    return more;
  };
  const std::vector<Refused> refused = {
      {render({"--step", "99"}), "accesses, from 0"},
      {render({"--step", "-1"}), "--step"},
      {render({"--step", "1e1"}), "--step: a whole number is needed"},
      {render({"--step", "99999999999999999999"}), "--step: must be from 0"},
      {render({"--warp", "9999"}), "--warp 9999: the block has"},
      {render({"--blocks", "99999,99999"}), "--blocks 99999,99999: the grid has"},
      {{"render", "warplens:transpose_shared#wavefront=9999", "--view", "slide", "-o", svg}, "wavefront"},
      {{"render", "warplens:transpose_shared#wavefront=9999", "-o", svg}, "#wavefront=9999: the access has"},
      {{"render", "warplens:transpose_shared#access=99", "-o", svg}, "accesses, from 0"},
      {{"render", "warplens:transpose_shared#warp=9999", "-o", svg}, "#warp 9999: the block has"},
      {{"report", "warplens:transpose_shared#warp=9999"}, "#warp 9999: the block has"},
      {{"report", "warplens:transpose_shared#block=9999,9"}, "#block 9999,9,0: the grid has"},
      {{"trace", "warplens:transpose_shared#warp=9999"}, "#warp 9999: the block has"},
      {{"trace", "transpose_shared", "--warp", "31"}, "--warp 31: the block has"},
      {{"trace", "transpose_shared", "--blocks", "5000,0"}, "--blocks 5000,0: the grid has"},
      {{"trace", "transpose_shared", "--warp", "0x20"}, "--warp 32: the block has"},
      {{"trace", "transpose_shared", "--events", "-1"}, "--events: must be 0 or more"},
      {{"report", "warplens:transpose_shared?pad=1&pad=2"}, "pad=2: is given twice"},
      {report({"--set", "pad=1", "--set", "pad=2"}), "--set pad=2: pad is given twice"},
      {report({"--set", "pad=99999999999999999999"}), "too large"},
      {report({"--set", "pad=nan"}), "integer"},
      {report({"--set", "pad=-1"}), "range"},
      {report({"--set", "pad"}), "NAME=VALUE"},
      {report({"--block", "32,16", "--set", "block_x=16"}), "block_x is given by --block too"},
      {report({"--steps", "-1"}), "--steps: must be 1 or more"},
      {report({"--steps", "010x"}), "--steps: a whole number is needed"},
      {report({"--threads", "1.5"}), "--threads: a whole number is needed"},
      {report({"--threads", "4097"}), "--threads: must be from 0 to 4096"},
      {report({"--seconds", "inf"}), "--seconds: must be a number from 0.001"},
      {report({"--seconds", "1e999"}), "--seconds"},
      {report({"--seconds", "1 s"}), "--seconds"},
      {report({"--grid", "0x"}), "--grid 0x"},
      {report({"--grid", "0x100000000"}), "too large"},
      {report({"--shared", "1e3"}), "--shared: a whole number is needed"},
      {report({"--set", "pad=+-1"}), "pad=+-1"},
      {{"doctor", "--seconds", "nan"}, "--seconds"},
      {{"measure", "copy", "--deadline", "nan"}, "--deadline"},
      {{"measure", "copy", "--wait", "nan"}, "--wait"},
      {{"measure", "copy", "--samples", "010k"}, "--samples"},
      {{"measure", "copy", "--mode", "fast"}, "--mode"},
      {{"list", "lessons", "--lang", "fr"}, "--lang"},
      {{"compare", "--set", "pad=0", "transpose_shared", "transpose_shared", "--set", "pad=1"},
       "given twice"},
      {{"check", "transpose_shared", "--set", "pad=1", "--set", "pad=2", "--against",
        WARPLENS_SOURCE_DIR "/assets/lessons/10-padding.lesson.json"},
       "given twice"}};
  for (const Refused& one : refused) {
    const Ran ran = run_cli(one.arguments);
    EXPECT_EQ(ran.code, 2) << ::testing::PrintToString(one.arguments) << ran.out << ran.err;
    EXPECT_EQ(ran.out, "") << ::testing::PrintToString(one.arguments);
    EXPECT_THAT(ran.err, HasSubstr(one.words)) << ::testing::PrintToString(one.arguments);
  }
  EXPECT_FALSE(std::filesystem::exists(svg));
}

// 0x10 is 16 wherever a number stands, and never 0 by 10.
TEST_F(Strangers, HexadecimalIsTheSameEverywhere) {
  const std::string k = kernel();
  const auto blocks = [&](const std::string& grid) {
    const Ran ran = run_cli({"report", k, "--grid", grid, "--block", "0x20", "--steps", "0xffff", "--json"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran.json()["blocks"]["total"];
  };
  EXPECT_EQ(blocks("0x10"), 16);
  EXPECT_EQ(blocks("0x10x2"), 32);
  EXPECT_EQ(blocks("2x0x10,3"), 96);
  EXPECT_EQ(run_cli({"trace", "warplens:transpose_shared?pad=0x1#block=0x1,0x2"}).code, 0);
}

}  // namespace warplens::cli_test::strangers_test
