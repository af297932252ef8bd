#include "tests/fuzz/drive.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "sim/count/totals.h"
#include "sim/lower/builtins/colour.h"
#include "sim/lower/lower.h"
#include "sim/text/scan.h"
#include "sim/trace/trace.h"

namespace warplens::fuzz {

namespace {

using sim::CompileRequest;
using sim::CompileResult;

constexpr std::size_t kMostKernels = 4;  // of one text

// Ranges lie in the text, in order.
void check(const std::vector<cuda::Diagnostic>& diagnostics, std::string_view text) {
  for (const cuda::Diagnostic& d : diagnostics) {
    require(!d.message.empty(), "a diagnostic says something");
    require(d.range.begin.offset >= 0 && d.range.begin.offset <= d.range.end.offset,
            "a range begins before its end");
    require(d.range.begin.offset <= static_cast<int>(text.size()) + 1, "a range lies in the text");
    require(!cuda::render(d, text, "f.cu").empty(), "a diagnostic can be shown");
  }
}

// The editor's colours come one after another, and lie in the text.
void check_colours(std::string_view text) {
  int end = 0;
  for (const cuda::ColouredToken& token : cuda::colour_tokens(text)) {
    require(token.begin >= end && token.end > token.begin, "colours are in order");
    require(static_cast<std::size_t>(token.end) <= text.size(), "a colour lies in the text");
    end = token.end;
  }
}

// As the file's own launch says, `kernel<32, float><<<`, else small numbers and float.
std::vector<std::string> template_arguments(const sim::KernelSignature& kernel, std::string_view text) {
  for (std::size_t end = text.find("><<<"); end != std::string_view::npos; end = text.find("><<<", end + 1)) {
    const std::size_t begin = text.rfind(kernel.name + "<", end);
    const std::size_t first = begin + kernel.name.size() + 1;
    if (begin == std::string_view::npos || text.find(';', begin) < end) continue;
    return text::split_list(std::string(text.substr(first, end - first)));
  }
  std::vector<std::string> arguments;
  for (const std::string& parameter : kernel.template_parameters) {
    arguments.push_back(parameter.starts_with("typename") ? "float" : "8");
  }
  return arguments;
}

template <class Use>
Outcome each_program(std::string_view text, Use use) {
  Outcome outcome;
  const sim::KernelList list = sim::list_kernels(text);
  check(list.diagnostics, text);
  outcome.kernels = static_cast<int>(list.kernels.size());
  for (std::size_t i = 0; i < list.kernels.size() && i < kMostKernels; ++i) {
    CompileRequest request;
    request.text = std::string(text);
    request.kernel = list.kernels[i].name;
    request.template_arguments = template_arguments(list.kernels[i], text);
    const CompileResult compiled = sim::compile(request);
    check(compiled.diagnostics, text);
    outcome.diagnostics += static_cast<int>(compiled.diagnostics.size());
    require(compiled.program.has_value() != cuda::has_errors(compiled.diagnostics), "a program or an error");
    if (!compiled.program) continue;
    ++outcome.compiled;
    use(*compiled.program, outcome);
  }
  return outcome;
}

sim::Launch small_launch(const sim::Program& program) {
  sim::Launch launch;
  launch.grid = {2, 1, 1};
  launch.block = {program.max_threads_per_block > 0
                      ? static_cast<unsigned>(std::min(40, program.max_threads_per_block))
                      : 40u,
                  1, 1};
  launch.shared_bytes = 512;
  for (const sim::KernelParameter& p : program.parameters) {
    if (p.symbol_elements > 0) continue;
    if (p.is_pointer) {
      launch.arguments[p.name] = sim::Buffer{256, sim::Fill::Random};
    } else {
      launch.arguments[p.name] = std::int64_t{p.type == sim::ScalarType::Bool ? 1 : 16};
    }
  }
  return launch;
}

bool same_counts(const sim::Totals& x, const sim::Totals& y) {
  return x.global_sites == y.global_sites && x.shared_sites == y.shared_sites && x.barriers == y.barriers;
}

void run(const sim::Program& program, Outcome& outcome) {
  if (program.local_bytes > 65536 || program.static_shared_bytes > 65536) return;
  for (const sim::KernelParameter& p : program.parameters) {
    if (p.symbol_elements > 65536) return;
  }
  const sim::Launch launch = small_launch(program);
  const auto& gpu = memory::default_gpu_model();
  sim::TotalsOptions options;
  options.threads = 1;
  options.limits.instructions = 20'000;
  options.limits.trace_events = 5'000;
  options.limits.memory_bytes = 64 << 20;
  const sim::GridValues values = sim::run_grid(program, launch, gpu, options.limits);
  if (values.error) require(!values.error->message.empty(), "an error says something");
  const sim::Totals totals = sim::grid_totals(program, launch, gpu, options);
  options.brute_force = true;
  const sim::Totals brute = sim::grid_totals(program, launch, gpu, options);
  if (!totals.error && !brute.error)
    require(same_counts(totals, brute), "classes of blocks count as all blocks do");
  ++outcome.ran;
}

}  // namespace

void require(bool holds, const char* what) {
  if (!holds) throw std::runtime_error(std::string("does not hold: ") + what);
}

Outcome front_end(std::string_view text) {
  check_colours(text);
  return each_program(text, [](const sim::Program&, Outcome&) {});
}

Outcome front_end_and_machine(std::string_view text) {
  return each_program(text, run);
}

std::vector<std::string> texts_of(std::initializer_list<const char*> folders, const char* extension,
                                  std::uintmax_t most_bytes) {
  const std::filesystem::path root = WARPLENS_SOURCE_DIR;
  std::vector<std::filesystem::path> files;
  for (const char* folder : folders) {
    for (const auto& entry : std::filesystem::directory_iterator(root / folder)) {
      if (entry.path().extension() == extension && entry.file_size() <= most_bytes)
        files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> texts;
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    texts.push_back(text.str());
  }
  return texts;
}

std::vector<std::string> corpus() {
  return texts_of({"kernels", "tests/language/kernels"}, ".cu", 1 << 20);
}

std::vector<std::string> module_corpus() {
  return texts_of({"tests/compiled/data", "tests/compiled/data/assembled"}, ".ptx", 16 << 10);
}

}  // namespace warplens::fuzz
