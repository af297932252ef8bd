// 267 small kernels whose accesses nvcc changes (members that are joined, loads that are repeated, not read
// or only printed), as its PTX has them, beside what an H100 counted (data/accesses).
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/compiled/report_of.h"
#include "tests/scenario/folder.h"

namespace warplens {
namespace {

using memory::Op;
using memory::Space;
using nlohmann::json;
namespace fs = std::filesystem;

const fs::path kAccesses = fs::path(WARPLENS_SOURCE_DIR) / "tests/compiled/data/accesses";
const fs::path kAssembled = kAccesses.parent_path() / "assembled";

// What ptxas 13.0, which makes machine code of the PTX, does otherwise.
// Of four words that are loaded together two are used that make no aligned pair: two loads of a word.
const std::set<std::string> kTakenApart = {"f4Yz",  "f4Xz",  "f4Xw",       "cast4",      "AXz",
                                           "ldMXz", "ldMXw", "ldFloat4Xz", "ldFloat4Xw", "cpMXz",
                                           "cpMYz", "cpMXw", "cpMYw"};
// A load that only a shuffle, a vote or a barrier keeps from being a repetition.
const std::set<std::string> kLeftOut = {"ldgTwo",  "ldcgTwo", "ldgBarrier", "shfl",  "voteBallot",
                                        "voteAny", "active",  "match",      "redux", "shuffledStore"};
// printf() stores its arguments in a buffer, which is counted too.
const std::set<std::string> kPrinting = {
    "only_printed",      "check_all", "print_then_add", "print_total",       "otherwise",       "text_chosen",
    "printed_in_branch", "member",    "printed_twice",  "of_two_conditions", "printed_and_kept"};

class Launches : scenario::Folder {
 public:
  explicit Launches(const fs::path& data) {
    for (const auto& file : fs::directory_iterator(data))
      if (file.path().extension() == ".ptx") fs::copy_file(file.path(), path() / file.path().filename());
    std::ofstream out(path() / "contents.bin", std::ios::binary);
    for (std::int32_t i = 0; i < kElements; ++i) {
      const std::int32_t value = i % 61 + 1;
      out.write(reinterpret_cast<const char*>(&value), sizeof value);
    }
  }

  // As tests/gpu/record_accesses.py launches it.
  report::Report report(const json& row) const {
    json document{{"schema", "warplens.launch/1"},
                  {"code", row["file"].get<std::string>() + ".ptx"},
                  {"kernel", row["kernel"]},
                  {"grid", {4, 1, 1}},
                  {"block", row.value("block", json{32, 1, 1})},
                  {"shared_bytes", row.value("shared_bytes", 0)}};
    document["arguments"] = json::array();
    for (const char letter : row["arguments"].get<std::string>()) {
      const json buffer{{"buffer", "i32"}, {"elements", kElements}, {"contents", {{"file", "contents.bin"}}}};
      document["arguments"].push_back(letter == 'b'   ? buffer
                                      : letter == 'z' ? json{{"null", true}}
                                      : letter == 'i' ? json{{"i32", 16}}
                                      : letter == 'f' ? json{{"f32", 16}}
                                                      : json{{"f64", 16}});
    }
    return report_of(write("one.launch.json", document.dump()));
  }

 private:
  static constexpr std::int32_t kElements = 65536;
};

// "_Z4f4YzPfPK6float4": f4Yz
std::string plain(const std::string& mangled) {
  std::size_t digits = 0;
  const auto length = std::stoul(mangled.substr(2), &digits);
  return mangled.substr(2 + digits, length);
}

TEST(Accesses, AreTheHardwaresButForWhatTheAssemblerDoes) {
  std::ifstream in(kAccesses / "counts.json");
  const json rows = json::parse(in);
  ASSERT_EQ(rows.size(), 267u);
  const Launches folder(kAccesses);
  std::size_t apart = 0, left_out = 0, printing = 0;
  for (const json& row : rows) {
    const std::string name = plain(row["kernel"]);
    SCOPED_TRACE(row["file"].get<std::string>() + " " + name);
    const report::Report report = folder.report(row);
    for (const auto& [op, word] : {std::pair(Op::Load, "load"),
                                   {Op::Store, "store"},
                                   {Op::Atomic, "atomic"},
                                   {Op::Reduction, "reduction"}}) {
      const sim::SiteTotals& found = report.group(Space::Global, op);
      const auto counted = row.value(word, std::array<std::uint64_t, 2>{});
      const bool is_load = op == Op::Load;
      if (kPrinting.contains(name)) {
        EXPECT_GE(counted[0], found.requests) << word;
        printing += is_load ? 1 : 0;
      } else if (is_load && kTakenApart.contains(name)) {
        EXPECT_EQ(counted[0], 2 * found.requests);
        ++apart;
      } else if (is_load && kLeftOut.contains(name)) {
        EXPECT_LT(counted[0], found.requests);
        ++left_out;
      } else {
        EXPECT_EQ(counted[0], found.requests) << word;
        // Of a reduction into one place ptxas leaves one lane.
        if (op == Op::Load || op == Op::Store) {
          EXPECT_EQ(counted[1], found.sectors) << word;
        }
      }
    }
  }
  EXPECT_EQ(apart, kTakenApart.size());
  EXPECT_EQ(left_out, kLeftOut.size());
  EXPECT_EQ(printing, kPrinting.size());
}

// Accesses of shared memory that ptxas joins, drops or leaves as they are (data/assembled: products of tiles,
// sums of neighbours, stores of neighbours, CUB, Triton), as an H100 counted them.
TEST(Assembled, AccessesAreTheHardwares) {
  // Of a short branch ptxas makes the loads in front of it; a loop it unrolls further than the PTX does.
  const std::set<std::string> others = {"half_in_branch", "tile32_half"};
  std::ifstream in(kAssembled / "counts.json");
  const json rows = json::parse(in);
  ASSERT_EQ(rows.size(), 116u);
  const Launches folder(kAssembled);
  int joined = 0;
  for (const json& row : rows) {
    const std::string name = row["kernel"];
    SCOPED_TRACE(row["file"].get<std::string>() + " " + name);
    const report::Report report = folder.report(row);
    ASSERT_TRUE(report.assembled);
    std::uint64_t wavefronts = 0, requests = 0, written = 0;
    for (const Op op : memory::kAllOps) {
      const sim::SiteTotals& found = (*report.assembled)[static_cast<std::size_t>(op)];
      wavefronts += found.wavefronts;
      requests += found.requests;
      written += report.shared[static_cast<std::size_t>(op)].requests;
    }
    const sim::SiteTotals& loads = (*report.assembled)[static_cast<std::size_t>(Op::Load)];
    const bool is_equal = wavefronts == row["shared_wavefronts"];
    EXPECT_EQ(is_equal, !others.contains(name)) << wavefronts;
    // The counter has instructions whose lanes are all switched off too, which are no requests.
    EXPECT_TRUE(!is_equal || loads.requests <= row.value("shared_loads", 0u));
    joined += is_equal && requests != written ? 1 : 0;
  }
  EXPECT_EQ(joined, 40 + 39);
}

}  // namespace
}  // namespace warplens
