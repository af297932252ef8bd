// `warplens-cli check` over whole packs, `measure` in both modes and under a stand-in for compute-sanitizer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <stdexcept>

#include "app/measure/make_request.h"
#include "app/measure/pack.h"
#include "kernels/protocol/subject.h"
#include "sim/lower/lower.h"
#include "sim/scenario/target.h"

namespace warplens::measure {
namespace check_packs_test {

using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

constexpr const char* kRecordedFolder = WARPLENS_SOURCE_DIR "/assets/recorded";
constexpr const char* kRecorded = WARPLENS_SOURCE_DIR "/assets/recorded/h200-transpose.json";
constexpr const char* kGallery = WARPLENS_SOURCE_DIR "/assets/recorded/h200-gallery.json";
constexpr const char* kExactWavefronts = "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum";
constexpr const char* kReductionSectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum";

struct Ran {
  int code = -1;
  std::string output;  // both streams
};

std::string line_with(const std::string& text, const std::string& words) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.find(words) != std::string::npos) return line;
  return "no line with" + words;
}

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
      if (m.scenario == "transpose_shared" && m.subject.mode == CompileMode::AsWritten &&
          few.measurements.size() < 12)
        few.measurements.push_back(m);
    return few;
  }
  // The first measurement of a recorded pack that is as the test wants it.
  static Pack first_of(const char* file, const std::function<bool(const Measurement&)>& wanted) {
    Pack all = *load_pack(file).value, one;
    one.device = all.device;
    one.title = "one";
    const auto found = std::find_if(all.measurements.begin(), all.measurements.end(), wanted);
    if (found == all.measurements.end()) throw std::runtime_error("no such measurement");
    one.measurements.push_back(*found);
    return one;
  }
  // Whose kernel reduces into global memory.
  static Pack with_reductions() {
    return first_of(kGallery,
                    [](const Measurement& m) { return m.counters.values.at(kReductionSectors) > 0; });
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

// All packs of the repository, a table for each GPU, no measurement left out: as the page of docs says.
TEST_F(Packs, EveryRecordedCountIsEqualOrExplained) {
  struct OfOneGpu {
    std::set<std::string> measured;
    std::string files;
  };
  std::map<std::string, OfOneGpu> gpus;
  for (const auto& entry : fs::directory_iterator(kRecordedFolder)) {
    const auto pack = load_pack(entry.path());
    ASSERT_TRUE(pack) << entry.path();
    OfOneGpu& gpu = gpus[pack.value->device.name];
    gpu.files += " " + entry.path().string();
    for (const Measurement& m : pack.value->measurements) gpu.measured.insert(m.key.digest);
  }
  ASSERT_GE(gpus["NVIDIA H200"].measured.size(), 1457u);
  ASSERT_GE(gpus["NVIDIA H100 80GB HBM3"].measured.size(), 271u);
  for (const auto& [name, gpu] : gpus) {
    SCOPED_TRACE(name);
    const Ran ran = run("check --correlate" + gpu.files + " --page " + in("page.md") + " --svg " +
                        in("plot.svg") + " --data " + in("data.json"));
    EXPECT_EQ(ran.code, 0) << ran.output;
    EXPECT_THAT(ran.output, HasSubstr(" 0 unexplained"));
    EXPECT_THAT(ran.output, Not(HasSubstr("left out")));
    const std::string told = line_with(ran.output, " measurements, ");
    EXPECT_THAT(told, HasSubstr(std::to_string(gpu.measured.size()) + " measurements"));
    const bool main_page = name == "NVIDIA H200";
    std::ifstream docs(std::string(WARPLENS_SOURCE_DIR "/docs/correlation") +
                       (main_page ? ".md" : "-h100.md"));
    const std::string written{std::istreambuf_iterator<char>(docs), {}};
    EXPECT_THAT(written, HasSubstr(told)) << "the page is to be made anew";
    const std::string page = read("page.md"), of_issued = "## Accesses as compilers issue them";
    const std::size_t section = page.find(of_issued), end = page.find("## Kernel by kernel");
    ASSERT_LT(section, end);
    EXPECT_THAT(written, HasSubstr(page.substr(section, end - section))) << "the page is to be made anew";
    EXPECT_THAT(page, HasSubstr("](plot.svg)"));
    EXPECT_THAT(page, HasSubstr(main_page ? "### transpose_shared" : "### hgemm_tma"));
    EXPECT_THAT(read("plot.svg"), HasSubstr("shared wavefronts"));
    const auto data = nlohmann::json::parse(read("data.json"));
    EXPECT_EQ(data.at("schema"), "warplens.correlation/1");
    ASSERT_EQ(data.at("rows").size(), gpu.measured.size());
    for (const auto& row : data.at("rows")) EXPECT_GE(row.at("counts").size(), 2u) << row;
  }
}

// A kernel outside of the gallery, of which compilers make one load where the text has four: eight warps of
// 16 sectors and a store of four.
TEST_F(Packs, WhatCompilersMakeOfTheTextIsWhatIsCounted) {
  std::ofstream(folder / "weigh.cu") << R"(__global__ void weigh(const float4* quads, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = quads[i].x + quads[i].y + quads[i].z + quads[i].w;
}
)";
  scenario::Target target;
  target.what = in("weigh.cu");
  target.grid = "4", target.block = "64";
  target.sets = {"quads=@256", "out=@256"};
  const auto setup = scenario::resolve(target);
  ASSERT_TRUE(setup);
  const sim::CompileResult compiled = sim::compile(setup.value->compile);
  ASSERT_TRUE(compiled.program);
  const auto request = make_request(*setup.value, *compiled.program, CompileMode::AsWritten);
  ASSERT_TRUE(request);
  Measurement m = some().measurements[0];
  m.scenario.clear(), m.parameters.clear();
  m.subject = request.value->subject;
  m.key = key_of(m.subject);
  m.counters.values = {{"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 8},
                       {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 8 * 16},
                       {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", 8},
                       {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 8 * 4}};
  Pack pack = some();
  pack.measurements = {m};
  const std::string told = "check --correlate " + write("p.json", pack) + " --page " + in("page.md") +
                           " --data " + in("data.json");
  EXPECT_EQ(run(told).code, 2) << "nothing says where its text is";
  const Ran ran = run(told + " --sources " + folder.string());
  EXPECT_EQ(ran.code, 0) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("4 counts: 4 equal"));
  EXPECT_THAT(read("page.md"), HasSubstr("### weigh.cu weigh\n"));
  EXPECT_THAT(read("page.md"), HasSubstr("| members of one object are one access | 1 | 4 | 4 | 2 |\n"));
  EXPECT_THAT(read("page.md"), HasSubstr("| they make each access of the text | 0 | 0 | 0 | 0 |\n"));
  const auto row = nlohmann::json::parse(read("data.json")).at("rows").at(0);
  EXPECT_EQ(row.at("made"), nlohmann::json({"joined"}));
  EXPECT_EQ(row.at("counts").at(1).at("literal"), 4 * 8 * 16);
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

// Exact wavefronts have to be equal as written.
TEST_F(Packs, ExactWavefrontsMustBeEqualAsWritten) {
  for (const double change : {-1, 1}) {
    Pack pack = some();
    pack.measurements[0].counters.values[kExactWavefronts] += change;
    const Ran wrong = run("check --correlate " + write("p.json", pack));
    EXPECT_EQ(wrong.code, 1) << wrong.output;
    EXPECT_THAT(wrong.output, HasSubstr("shared wavefronts: predicted"));
  }
}

// Optimised, a compiler merges accesses and drops some: never does it execute more than written, nor none.
TEST_F(Packs, OptimisedWavefrontsMayBeFewerAlone) {
  const auto outcome = [&](const std::function<double(double)>& change) {
    Pack pack = first_of(kRecorded, [](const Measurement& m) {
      return m.subject.mode == CompileMode::AsOptimised && m.scenario == "transpose_shared";
    });
    double& wavefronts = pack.measurements[0].counters.values[kExactWavefronts];
    wavefronts = change(wavefronts);
    return run("check --correlate " + write("p.json", pack));
  };
  EXPECT_EQ(outcome([](double w) { return w; }).code, 0);
  const Ran fewer = outcome([](double w) { return w - 1; });
  EXPECT_EQ(fewer.code, 0) << fewer.output;
  EXPECT_THAT(fewer.output, HasSubstr("1 different with a known cause"));
  const Ran more = outcome([](double w) { return w + 1; });
  EXPECT_EQ(more.code, 1) << more.output;
  EXPECT_THAT(more.output, HasSubstr("more than written"));
  const Ran none = outcome([](double) { return 0; });
  EXPECT_EQ(none.code, 1) << none.output;
  EXPECT_THAT(none.output, HasSubstr("none at all"));
}

// The pipe's own counters stand in where a pack lacks the exact ones: more than predicted by half at most.
TEST_F(Packs, ArbitrationIsBounded) {
  const auto outcome = [&](double factor) {
    Pack pack = some();
    auto& values = pack.measurements[0].counters.values;
    const double exact = values.at(kExactWavefronts);
    values.erase(kExactWavefronts);
    for (const char* op : {"ld", "st", "atom"})
      values["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_" + std::string(op) + ".sum"] = 0;
    values["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"] = std::floor(exact * factor);
    return run("check --correlate " + write("p.json", pack)).code;
  };
  EXPECT_EQ(outcome(1), 0);
  EXPECT_EQ(outcome(1.5), 0);
  EXPECT_EQ(outcome(1.6), 1);
  EXPECT_EQ(outcome(0.9), 1);
}

// Sectors of global atomics and reductions are a model: one off each request is explained, one more is not.
TEST_F(Packs, AtomicSectorsAreOneOffARequestAtMost) {
  const auto outcome = [&](double times, double more) {
    Pack pack = with_reductions();
    auto& values = pack.measurements[0].counters.values;
    values[kReductionSectors] += times * values.at("l1tex__t_requests_pipe_lsu_mem_global_op_red.sum") + more;
    return run("check --correlate " + write("p.json", pack));
  };
  EXPECT_EQ(outcome(0, 0).code, 0);
  const Ran within = outcome(1, 0);
  EXPECT_EQ(within.code, 0) << within.output;
  EXPECT_THAT(within.output, HasSubstr("1 different with a known cause"));
  for (const double sign : {-1, 1}) {
    const Ran beyond = outcome(sign, sign);
    EXPECT_EQ(beyond.code, 1) << beyond.output;
    EXPECT_THAT(beyond.output, HasSubstr("more than one sector a request"));
  }
}

// The same bounds hold where one measurement is checked.
TEST_F(Packs, OneMeasurementIsHeldAgainstTheSameBounds) {
  const auto outcome = [&](double times, double more) {
    Pack pack = with_reductions();
    Measurement& m = pack.measurements[0];
    m.counters.values[kReductionSectors] +=
        times * m.counters.values.at("l1tex__t_requests_pipe_lsu_mem_global_op_red.sum") + more;
    std::string words = "check " + m.scenario + " --against " + write("p.json", pack);
    for (const auto& [name, value] : m.parameters) words += " --set " + name + "=" + std::to_string(value);
    return run(words).code;
  };
  EXPECT_EQ(outcome(0, 0), 0);
  EXPECT_EQ(outcome(-1, 0), 0);
  EXPECT_EQ(outcome(1, 1), 1);
}

TEST_F(Packs, LeavesOutWhatHasNoneOfTheCounters) {
  Pack pack = some();
  pack.measurements[0].counters.values = {{"dram__bytes_read.sum", 1}};
  const Ran ran = run("check --correlate " + write("p.json", pack) + " --page " + in("page.md"));
  EXPECT_THAT(ran.output, HasSubstr("11 measurements, "));
  EXPECT_THAT(ran.output, HasSubstr("1 measurements left out"));
  EXPECT_THAT(read("page.md"), HasSubstr("none of the counters that are predicted"));
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

}  // namespace check_packs_test
}  // namespace warplens::measure
