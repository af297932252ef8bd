// count_kernels --write KERNELS SEED: random kernels from SEED on, a line of JSON each.
// count_kernels FILE: those of FILE in three ways, with all their counts in words. Where it was compiled for
// another machine it prints the same of the same file (tests/wasm/run): a seed alone names another kernel
// there, as compilers draw in another order.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/differential/trial.h"

namespace warplens::differential {
namespace {

using nlohmann::json;

json extents(sim::Dim3 d) {
  return {d.x, d.y, d.z};
}
sim::Dim3 extents(const json& j) {
  return {j.at(0).get<std::uint32_t>(), j.at(1).get<std::uint32_t>(), j.at(2).get<std::uint32_t>()};
}

json argument(const sim::Argument& argument) {
  if (const auto* number = std::get_if<std::int64_t>(&argument)) return *number;
  if (const auto* number = std::get_if<double>(&argument)) return *number;
  const auto& buffer = std::get<sim::Buffer>(argument);
  return {{"elements", buffer.elements}, {"fill", static_cast<int>(buffer.fill)}};
}
sim::Argument argument(const json& j) {
  if (j.is_number_integer()) return j.get<std::int64_t>();
  if (j.is_number()) return j.get<double>();
  return sim::Buffer{j.at("elements").get<std::uint64_t>(), static_cast<sim::Fill>(j.at("fill").get<int>())};
}

std::string line_of(const RandomKernel& kernel) {
  json j{{"seed", kernel.seed},
         {"text", kernel.text()},
         {"template", kernel.template_arguments},
         {"grid", extents(kernel.launch.grid)},
         {"block", extents(kernel.launch.block)},
         {"shared", kernel.launch.shared_bytes}};
  for (const auto& [name, value] : kernel.launch.arguments) j["arguments"][name] = argument(value);
  return j.dump();
}

RandomKernel kernel_of(const std::string& line) {
  const json j = json::parse(line);
  RandomKernel kernel;
  kernel.seed = j.at("seed");
  kernel.file = node(Kind::Fixed, j.at("text").get<std::string>());
  kernel.template_arguments = j.at("template").get<std::vector<std::string>>();
  kernel.launch.grid = extents(j.at("grid"));
  kernel.launch.block = extents(j.at("block"));
  kernel.launch.shared_bytes = j.at("shared");
  for (const auto& [name, value] : j.at("arguments").items()) kernel.launch.arguments[name] = argument(value);
  return kernel;
}

void print_counts(const RandomKernel& kernel) {
  const Trial trial = try_kernel(kernel);
  std::printf("seed %llu: %s\n%s%s", static_cast<unsigned long long>(kernel.seed),
              describe(trial.compiled ? trial.launch : kernel.launch).c_str(), trial.diagnostics.c_str(),
              trial.compiled ? "" : "does not compile\n");
  if (!trial.compiled) return;
  std::printf("outcome %d, error %d, %llu of %llu blocks\n%s%s", static_cast<int>(trial.ways.outcome),
              static_cast<int>(trial.ways.error), static_cast<unsigned long long>(trial.ways.simulated),
              static_cast<unsigned long long>(trial.ways.blocks), trial.ways.difference.c_str(),
              trial.ways.counts.c_str());
}

}  // namespace
}  // namespace warplens::differential

int main(int argc, char** argv) {
  using namespace warplens::differential;
  if (argc == 4 && std::string(argv[1]) == "--write") {
    const std::uint64_t kernels = std::strtoull(argv[2], nullptr, 10);
    const std::uint64_t seed = std::strtoull(argv[3], nullptr, 10);
    for (std::uint64_t i = 0; i < kernels; ++i) std::puts(line_of(random_kernel(seed + i)).c_str());
    return 0;
  }
  std::ifstream file(argc == 2 ? argv[1] : "");
  if (!file) {
    std::fputs("count_kernels --write KERNELS SEED > FILE; count_kernels FILE\n", stderr);
    return 2;
  }
  for (std::string line; std::getline(file, line);) print_counts(kernel_of(line));
}
