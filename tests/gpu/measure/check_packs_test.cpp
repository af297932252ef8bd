// `warplens-cli check` over whole packs, `measure` in both modes and under a stand-in for compute-sanitizer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/measure/pack.h"

namespace warplens::measure {
namespace {

using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

constexpr const char* kRecorded = WARPLENS_SOURCE_DIR "/assets/recorded/h200-transpose.json";

struct Ran {
  int code = -1;
  std::string output;  // both streams
};

class Packs : public testing::Test {
 protected:
  fs::path folder = fs::temp_directory_path() / ("warplens-packs-" + std::to_string(getpid()));
  void SetUp() override { fs::create_directories(folder); }
  void TearDown() override { fs::remove_all(folder); }
  Ran run(const std::string& words, const std::string& environment = "") {
    const std::string line = environment + " " WARPLENS_BIN_DIR "/warplens-cli " + words + " 2>&1";
    Ran ran;
    FILE* pipe = popen(line.c_str(), "r");
    for (char text[4096]; std::fgets(text, sizeof text, pipe) != nullptr;) ran.output += text;
    const int status = pclose(pipe);
    ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
    return ran;
  }
  std::string in(const std::string& name) const { return (folder / name).string(); }
  std::string read(const std::string& name) const {
    std::ifstream file(folder / name);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }
  // A few measurements of the recorded pack, changed as the test wants.
  Pack some() {
    Pack all = *load_pack(kRecorded).value, few;
    few.device = all.device;
    few.title = "few";
    for (const Measurement& m : all.measurements)
      if (m.scenario == "transpose_shared" && few.measurements.size() < 12) few.measurements.push_back(m);
    return few;
  }
  std::string write(const std::string& name, Pack& pack) {
    pack.index();
    std::ofstream(folder / name) << pack_text(pack);
    return in(name);
  }
  fs::path script(const std::string& name, const std::string& text) {
    std::ofstream(folder / name) << text;
    fs::permissions(folder / name, fs::perms::owner_all);
    return folder / name;
  }
};

TEST_F(Packs, EveryRecordedCountIsEqualOrExplained) {
  const Ran ran = run(std::string("check --correlate ") + kRecorded + " --page " + in("page.md") + " --svg " +
                      in("plot.svg") + " --data " + in("data.json"));
  EXPECT_EQ(ran.code, 0) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr(" 0 unexplained"));
  EXPECT_THAT(read("page.md"), HasSubstr("](plot.svg)"));
  EXPECT_THAT(read("page.md"), HasSubstr("### transpose_shared"));
  EXPECT_THAT(read("plot.svg"), HasSubstr("shared wavefronts"));
  EXPECT_THAT(read("data.json"), HasSubstr("warplens.correlation/1"));
}

TEST_F(Packs, ACountThatDiffersIsNamedAndFails) {
  Pack pack = some();
  pack.measurements[0].counters.values["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"] += 1;
  const Ran ran = run("check --correlate " + write("p.json", pack) + " --page " + in("page.md"));
  EXPECT_EQ(ran.code, 1) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("1 unexplained"));
  EXPECT_THAT(ran.output, HasSubstr("load sectors: predicted"));
  EXPECT_THAT(read("page.md"), HasSubstr("not explained"));
}

// Exact wavefronts have to be equal as written; the pipe's own need not.
TEST_F(Packs, ExactWavefrontsMustBeEqualAsWritten) {
  Pack pack = some();
  const auto shared =
      std::find_if(pack.measurements.begin(), pack.measurements.end(), [](const Measurement& m) {
        return m.subject.mode == CompileMode::AsWritten && m.scenario == "transpose_shared";
      });
  ASSERT_NE(shared, pack.measurements.end());
  shared->counters.values["smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum"] = 1;
  const Ran wrong = run("check --correlate " + write("p.json", pack));
  EXPECT_EQ(wrong.code, 1);
  EXPECT_THAT(wrong.output, HasSubstr("shared wavefronts: predicted"));
}

// A measurement that two packs hold is one row; packs of two GPUs are not one table.
TEST_F(Packs, SeveralPacksAreOneTable) {
  Pack one = some(), two = some(), other = some();
  one.measurements.erase(one.measurements.begin());
  two.measurements.pop_back();
  other.device.driver = "1.0";
  const std::string files = write("one.json", one) + " " + write("two.json", two);
  const Ran ran = run("check --correlate " + files + " --page " + in("page.md"));
  EXPECT_EQ(ran.code, 0) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr(std::to_string(some().measurements.size()) + " measurements"));
  EXPECT_THAT(read("page.md"), HasSubstr("--correlate one.json two.json`"));
  const Ran mixed = run("check --correlate " + in("one.json") + " " + write("other.json", other));
  EXPECT_EQ(mixed.code, 2);
  EXPECT_THAT(mixed.output, HasSubstr("was measured on another GPU or driver"));
}

TEST_F(Packs, LeavesOutWhatWasMeasuredFromAnotherText) {
  Pack pack = some();
  pack.measurements[0].scenario = "no_such_scenario";
  const Ran ran = run("check --correlate " + write("p.json", pack) + " --page " + in("page.md"));
  EXPECT_THAT(ran.output, HasSubstr("1 measurements left out"));
  EXPECT_THAT(read("page.md"), HasSubstr("its scenario is not in the gallery"));
}

TEST_F(Packs, CompareByScenario) {
  Pack one = some(), two = some();
  for (Measurement& m : two.measurements) {
    for (double& s : m.cold.seconds) s *= 2;
    m.cold = summarise(m.cold.seconds);
  }
  two.measurements.pop_back();
  const Ran ran = run("check --packs " + write("one.json", one) + " " + write("two.json", two));
  EXPECT_EQ(ran.code, 0) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("12 measurements, 1 only here"));
  EXPECT_THAT(ran.output, HasSubstr("2.000  2.000  2.000"));
  EXPECT_EQ(run("check --packs " + in("one.json") + " " + in("nothing.json")).code, 2);
}

// A wrong result's time takes no part.
TEST_F(Packs, DoNotCompareWrongResults) {
  Pack one = some(), two = some();
  for (Measurement& m : two.measurements) m.check.state = CheckState::Wrong;
  EXPECT_THAT(run("check --packs " + write("one.json", one) + " " + write("two.json", two)).output,
              HasSubstr("they share no measurement"));
}

TEST_F(Packs, BothModesAreMeasuredAndTold) {
  const Ran ran = run("measure transpose_shared --mode both -o " + in("both.json"),
                      "WARPLENS_GPU='" WARPLENS_BIN_DIR "/stand-in-gpu good'");
  EXPECT_EQ(ran.code, 0) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("as_written: 3.00 us cold"));
  EXPECT_THAT(ran.output, HasSubstr("No counters in both modes"));
  const auto pack = load_pack(in("both.json"));
  ASSERT_TRUE(pack.value);
  EXPECT_EQ(pack.value->measurements.size(), 2u);
}

TEST_F(Packs, AWrongResultHasNoTime) {
  const Ran ran = run("measure transpose_shared -o " + in("wrong.json"),
                      "WARPLENS_GPU='" WARPLENS_BIN_DIR "/stand-in-gpu wrong'");
  EXPECT_EQ(ran.code, 1) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("out[17] is 2, expected 1 (3 of 4096 elements differ)"));
  EXPECT_THAT(ran.output, HasSubstr("no time is shown, because the output is wrong"));
  EXPECT_THAT(ran.output, Not(HasSubstr("us cold")));
}

// Writes a report where compute-sanitizer would, then lets the program run.
constexpr const char* kSanitizer =
    "#!/bin/sh\n"
    "while [ \"$1\" != --log-file ]; do shift; done\nfile=$2; shift 2\n"
    "cat > \"$file\" <<END\n"
    "========= COMPUTE-SANITIZER\n"
    "========= Invalid __global__ write of size 4 bytes\n"
    "=========     at k(float *, int)+0x90 in k.cu:2\n"
    "=========     by thread (31,0,0) in block (0,0,0)\n"
    "========= \n"
    "========= ERROR SUMMARY: 1 error\n"
    "END\n"
    "exec \"$@\"\n";

class Sanitize : public Packs {
 protected:
  Ran sanitize(const fs::path& sanitizer, const std::string& how) {
    std::ofstream(folder / "k.cu") << "__global__ void k(float* a, int n) {\n  a[threadIdx.x + n] = 1;\n}\n";
    return run("measure " + in("k.cu") + " --grid 1 --block 32 --set n=32 --set a=@32 --sanitize",
               "WARPLENS_SANITIZER=" + sanitizer.string() +
                   " WARPLENS_GPU='" WARPLENS_BIN_DIR "/stand-in-gpu " + how + "'");
  }
};

TEST_F(Sanitize, TellsTheFindingAtItsLine) {
  for (const std::string how : {"good", "sticky"}) {
    const Ran ran = sanitize(script("sanitizer", kSanitizer), how);
    EXPECT_EQ(ran.code, 1) << ran.output;
    EXPECT_THAT(ran.output,
                HasSubstr("k.cu:2: Invalid __global__ write of size 4 bytes, first by thread (31,0,0)"));
    EXPECT_THAT(ran.output, HasSubstr("    a[threadIdx.x + n] = 1;"));
  }
}

TEST_F(Sanitize, SaysThatNothingWasFound) {
  std::string quiet = kSanitizer;
  const std::size_t begin = quiet.find("========= Invalid"), end = quiet.find("========= ERROR");
  quiet.erase(begin, end - begin);
  quiet.replace(quiet.find("1 error"), 7, "0 errors");
  const Ran ran = sanitize(script("sanitizer", quiet), "good");
  EXPECT_EQ(ran.code, 0) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("found nothing"));
}

TEST_F(Sanitize, SaysThatItIsNotThere) {
  const Ran ran = sanitize("/nonexistent/compute-sanitizer", "good");
  EXPECT_EQ(ran.code, 3) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("/nonexistent/compute-sanitizer could not be started"));
}

}  // namespace
}  // namespace warplens::measure
