// `warplens-cli check` against a recorded pack, and `measure` in both modes.
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

TEST_F(Packs, BothModesAreMeasured) {
  const Ran ran = run("measure transpose_shared --mode both -o " + in("both.json"),
                      "WARPLENS_GPU='" WARPLENS_BIN_DIR "/stand-in-gpu good'");
  EXPECT_EQ(ran.code, 0) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("as_written: 3.00 us cold"));
  EXPECT_THAT(ran.output, HasSubstr("as_optimised: 3.00 us cold"));
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

}  // namespace
}  // namespace warplens::measure
