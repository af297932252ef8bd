#include "app/measure/toolkit.h"

#include <zlib.h>

#include <array>
#include <charconv>
#include <filesystem>
#include <memory>

#include "app/measure/gpu_client.h"
#include "app/platform/system.h"
#include "kernels/protocol/child_process.h"
#include "sim/scenario/launch_document.h"
#include "sim/scenario/text_file.h"

namespace warplens::measure {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> nvcc_command() {
  Message ignored;
  if (const std::string named = platform::variable("CUDACXX"); !named.empty()) {
    auto words = split_words(named, ignored);
    if (words && !words->empty()) return *words;
  }
  const fs::path found = find_in_toolkit("nvcc");
  return found.empty() ? std::vector<std::string>{} : std::vector<std::string>{found.string()};
}

// What a program could work out again; empty: there is none.
fs::path cache_folder() {
  const fs::path folder = platform::variable("XDG_CACHE_HOME"), home = platform::home_folder();
  if (folder.is_absolute()) return folder / "warplens";
  return home.is_absolute() ? home / ".cache/warplens" : fs::path();
}

}  // namespace

// A first line with the compiler, then of each text a line, its compile_key() and its bytes, and the text.
std::optional<CompiledText> shipped_text(const CompileOrder& order) {
  const fs::path path = scenario::data_folder("assets") / "compiled" / "gallery.gz";
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
  if (!file) return {};
  const auto line = [&] {
    std::array<char, 128> read{};
    const char* got = gzgets(file.get(), read.data(), static_cast<int>(read.size()));
    std::string text = got == nullptr ? "" : got;
    if (text.ends_with('\n')) text.pop_back();
    return text;
  };
  CompiledText found;
  found.compiler = line();
  const std::string key = compile_key(order);
  for (std::string head = line(); !head.empty(); head = line()) {
    const std::size_t space = head.find(' ');
    long bytes = 0;
    std::from_chars(head.data() + std::min(space + 1, head.size()), head.data() + head.size(), bytes);
    if (bytes <= 0 || bytes > static_cast<long>(scenario::kMostPtxBytes)) return {};
    if (head.substr(0, space) != key) {
      if (gzseek(file.get(), bytes, SEEK_CUR) < 0) return {};
      continue;
    }
    found.ptx.resize(static_cast<std::size_t>(bytes));
    const bool is_whole = gzread(file.get(), found.ptx.data(), static_cast<unsigned>(bytes)) == bytes;
    return is_whole ? std::optional(std::move(found)) : std::nullopt;
  }
  return {};
}

void read_machine_code(report::Report& report, const scenario::Setup& compiled, CompileOrder order) {
  order.tools.ptxas = find_in_toolkit("ptxas");
  order.tools.nvdisasm = find_in_toolkit("nvdisasm");
  const bool has_source = !compiled.compile.source.empty();
  const std::string& named = compiled.compile.kernel;
  const auto widths = machine_code_widths(order, compiled.compile.text, named.empty() ? report.kernel : named,
                                          has_source ? compiled.compile.source_name : "");
  if (widths) hold_against_machine_code(report, *widths);
}

fs::path find_in_toolkit(const std::string& name) {
  std::vector<fs::path> toolkit;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const std::string root = platform::variable(variable); !root.empty())
      toolkit.push_back(root + "/bin");
  toolkit.push_back("/usr/local/cuda/bin");
  return platform::find_program(name, {}, toolkit);
}

scenario::Outcome<scenario::Setup> compiled_setup(CompileOrder order, Budget& budget, Failure* failure) {
  Message ignored;
  order.tools.nvcc = nvcc_command();
  order.tools.gpu = gpu_command("", ignored);
  order.tools.cache = cache_folder();
  order.tools.is_browser = !platform::has_threads();
  auto made = compile_to_ptx(order);
  if (auto* failed = std::get_if<Failure>(&made)) {
    auto known = failed->kind == FailureKind::NoCompiler ? shipped_text(order) : std::nullopt;
    if (!known) {
      *failure = std::move(*failed);
      return {};
    }
    made = std::move(*known);
  }
  CompiledText& text = std::get<CompiledText>(made);
  auto setup = scenario::as_compiled(order.written, std::move(text.ptx), budget);
  if (!setup) {
    *failure = make_failure(FailureKind::Compile, setup.errors.front());
    return setup;
  }
  setup.value->compiler = text.compiler;
  setup.value->architecture = order.architecture;
  return setup;
}

}  // namespace warplens::measure
