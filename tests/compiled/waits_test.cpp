// Where lanes wait for each other: 24 kernels counted on an H200 (data/README.md).
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/compiled/report_of.h"
#include "tests/scenario/folder.h"

namespace warplens {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

const fs::path kCounted = fs::path(WARPLENS_SOURCE_DIR) / "tests/compiled/data";

report::Report counted(const std::string& kernel, const std::string& data) {
  const scenario::Folder folder;
  fs::copy_file(kCounted / "waits.ptx", folder.path() / "waits.ptx");
  std::vector<int> values(64);
  for (int i = 0; i < 64; ++i) values[static_cast<std::size_t>(i)] = data == "ramp" ? i : i % 32;
  const std::string type = kernel == "red_f" ? "f32" : kernel == "red_u64" ? "u64" : "i32";
  const json document{{"schema", "warplens.launch/1"},
                      {"code", "waits.ptx"},
                      {"kernel", kernel},
                      {"grid", {1}},
                      {"block", {32}},
                      {"arguments",
                       {{{"buffer", type}, {"elements", 512}},
                        {{"buffer", "i32"}, {"elements", 64}, {"contents", {{"values", values}}}},
                        {{"i32", 40}}}}};
  return report_of(folder.write("waits.launch.json", document.dump()));
}

TEST(Waits, LanesComeTogetherWhereTheHardwareLetsThem) {
  std::ifstream in(kCounted / "waits.json");
  const json rows = json::parse(in);
  // What is known not to be met: counted here, counted there.
  const std::map<std::string, std::map<std::string, std::pair<int, int>>> known{
      {"early", {{"st requests", {3, 43}}, {"st sectors", {8, 44}}}}};
  const std::map<memory::Op, std::string> names{{memory::Op::Load, "ld"},
                                                {memory::Op::Store, "st"},
                                                {memory::Op::Atomic, "atom"},
                                                {memory::Op::Reduction, "red"}};
  ASSERT_EQ(rows.size(), 24u);
  for (const auto& [kernel, row] : rows.items()) {
    std::map<std::string, int> sums;
    for (const report::ReportLine& line : counted(kernel, row["data"]).lines) {
      const auto requests = static_cast<int>(line.totals.requests);
      if (line.space == memory::Space::Shared) {
        if (line.op == memory::Op::Store) sums["shared stores"] += requests;
        continue;
      }
      sums[names.at(line.op) + " requests"] += requests;
      sums[names.at(line.op) + " sectors"] += static_cast<int>(line.totals.sectors);
    }
    for (const auto& [what, value] : row.items()) {
      if (what == "data") continue;
      const auto of_kernel = known.find(kernel);
      const bool differs = of_kernel != known.end() && of_kernel->second.contains(what);
      const auto [here, there] =
          differs ? of_kernel->second.at(what) : std::pair(value.get<int>(), value.get<int>());
      EXPECT_EQ(value.get<int>(), there) << kernel << " " << what;
      EXPECT_EQ(sums[what], here) << kernel << " " << what;
    }
  }
}

}  // namespace
}  // namespace warplens
