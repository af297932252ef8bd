// `warplens-cli check` against a recorded pack, `measure` in both modes and under a stand-in for
// compute-sanitizer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <stdexcept>

#include "app/measure/pack.h"
#include "tests/gpu/measure/stand_in.h"
#include "tests/scenario/folder.h"

namespace warplens::measure {
namespace {

using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

constexpr const char* kGallery = WARPLENS_SOURCE_DIR "/assets/recorded/h200-gallery.json";
constexpr const char* kReductionSectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum";

class Packs : public testing::Test {
 protected:
  const scenario::Folder folder;
  Ran run(const std::string& words, const std::string& environment = "") {
    return run_line(environment + " " WARPLENS_BIN_DIR "/warplens-cli " + words);
  }
  std::string in(const std::string& name) const { return (folder.path() / name).string(); }
  // The first recorded measurement whose kernel reduces into global memory.
  static Pack with_reductions() {
    Pack pack = *load_pack(kGallery).value;
    std::erase_if(pack.measurements,
                  [](const Measurement& m) { return m.counters.values.at(kReductionSectors) == 0; });
    if (pack.measurements.empty()) throw std::runtime_error("no such measurement");
    pack.measurements.resize(1);
    return pack;
  }
  std::string write(const std::string& name, Pack& pack) {
    pack.index();
    return folder.write(name, pack_text(pack)).string();
  }
  fs::path script(const std::string& name, const std::string& text) {
    fs::permissions(folder.write(name, text), fs::perms::owner_all);
    return folder.path() / name;
  }
};

// Sectors of global atomics and reductions are a model: one off each request is explained, one more is not.
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
  EXPECT_EQ(outcome(-1, -1), 1);
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
    folder.write("k.cu", "__global__ void k(float* a, int n) {\n  a[threadIdx.x + n] = 1;\n}\n");
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
