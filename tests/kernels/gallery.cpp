#include "tests/kernels/gallery.h"

#include <filesystem>
#include <stdexcept>

#include "sim/memory/gpu_model.h"

namespace warplens::test {
namespace {

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

void add(Counts& sum, const sim::SiteTotals& site) {
  sum.requests += site.requests;
  sum.bytes += site.bytes;
  sum.sectors += site.sectors;
  sum.lines += site.lines;
  sum.wavefronts += site.wavefronts;
  sum.bank_conflicts += site.bank_conflicts;
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Case& c) {
  out << c.scenario;
  for (const auto& [name, value] : c.values) out << " " << name << "=" << value;
  return out;
}

const std::vector<scenario::Scenario>& gallery() {
  static const std::vector<scenario::Scenario> all = [] {
    auto loaded = scenario::load_scenarios(std::filesystem::path(WARPLENS_SOURCE_DIR) / "kernels");
    if (!loaded || !loaded.errors.empty()) throw std::runtime_error(joined(english(loaded.errors)));
    return *loaded.value;
  }();
  return all;
}

const scenario::Scenario& find_scenario(const std::string& name) {
  for (const scenario::Scenario& s : gallery()) {
    if (s.name == name) return s;
  }
  throw std::runtime_error("no scenario " + name);
}

scenario::Setup setup(const Case& c) {
  auto made = scenario::make_setup(find_scenario(c.scenario), c.values);
  if (!made) throw std::runtime_error(joined(english(made.errors)));
  return *made.value;
}

sim::Program compile(const scenario::Setup& setup) {
  sim::CompileResult result = sim::compile(setup.compile);
  std::string errors;
  for (const cuda::Diagnostic& d : result.diagnostics)
    errors += cuda::render(d, setup.compile.text, setup.source_name);
  if (!result.program) throw std::runtime_error(errors);
  return *result.program;
}

KernelCounts sum_sites(const sim::Program& program, const sim::Totals& totals) {
  KernelCounts sum;
  for (std::size_t i = 0; i < program.sites.size(); ++i) {
    const memory::Op op = program.sites[i].op;  // what is copied past the registers is read, and written
    add(memory::only_reads(op) ? sum.global_load : sum.global_store, totals.global_sites[i]);
    add(op == memory::Op::Load ? sum.shared_load : sum.shared_store, totals.shared_sites[i]);
  }
  return sum;
}

KernelCounts simulated_counts(const Case& c) {
  scenario::Setup s = setup(c);
  sim::Program program = compile(s);
  sim::Totals totals = sim::grid_totals(program, s.launch, memory::default_gpu_model());
  if (totals.error) throw std::runtime_error(totals.error->message);
  return sum_sites(program, totals);
}

std::vector<std::string> all_names() try {
  std::vector<std::string> names;
  for (const scenario::Scenario& s : gallery()) names.push_back(s.name);
  return names;
} catch (const std::runtime_error&) {
  return {"unreadable"};
}

Case small_case(const std::string& name) {
  scenario::ParameterValues v = scenario::defaults(find_scenario(name));
  for (auto [size, value] : {std::pair{"n", 333},
                             {"m", 45},
                             {"k", 50},
                             {"nrows", 37},
                             {"ncols", 70},
                             {"nbins", 7},
                             {"heads", 3},
                             {"positions", 5},
                             {"mean", 9},
                             {"length", 1}}) {
    if (v.contains(size)) v[size] = value;
  }
  if (v.contains("m") && v.contains("n")) v["n"] = 61;
  if (v.contains("heads") && v.contains("n")) v["n"] = 45;  // every query with every key
  if (scenario::make_setup(find_scenario(name), v)) return {name, v};
  for (auto [size, multiple] : {std::pair{"n", 4}, {"k", 8}, {"nrows", 4}, {"ncols", 4}}) {
    if (v.contains(size)) v[size] = (v[size] + multiple - 1) / multiple * multiple;
  }
  if (scenario::make_setup(find_scenario(name), v)) return {name, v};
  for (auto [size, tiles] : {std::pair{"m", 256}, {"n", 256}, {"k", 192}})
    v[size] = tiles;  // without an edge
  return {name, v};
}

namespace {

std::vector<std::int64_t> sweep_of(const scenario::ScenarioParameter& p) {
  if (!p.choices.empty()) return p.choices;
  std::vector<std::int64_t> values{p.minimum, p.minimum + 1, 3, p.fallback};
  if (p.maximum <= 1024) values.push_back(p.maximum);
  return values;
}

bool launches(const Case& c) {
  auto made = scenario::make_setup(find_scenario(c.scenario), c.values);
  if (!made) return false;
  return sim::check_launch(compile(*made.value), made.value->launch, memory::default_gpu_model()).empty();
}

}  // namespace

std::vector<Case> parameter_sweep(const std::string& name) {
  const Case base = small_case(name);
  std::vector<Case> cases{base};
  for (const scenario::ScenarioParameter& p : find_scenario(name).parameters) {
    for (std::int64_t value : sweep_of(p)) {
      Case c = base;
      c.values[p.name] = value;
      if (p.name == "block_x" && c.values.contains("block_y") && value > 64) c.values["block_y"] = 1;
      if (p.name == "block_y" && c.values.contains("block_x") && value > 32) c.values["block_x"] = 1;
      if (c.values != base.values && launches(c)) cases.push_back(c);
    }
  }
  return cases;
}

}  // namespace warplens::test
