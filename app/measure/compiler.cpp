#include "app/measure/compiler.h"

#include "app/measure/gpu_client.h"
#include "app/platform/system.h"
#include "kernels/protocol/child_process.h"
#include "sim/scenario/as_compiled.h"

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

}  // namespace

fs::path find_in_toolkit(const std::string& name, const std::vector<fs::path>& more) {
  std::vector<fs::path> toolkit;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const std::string root = platform::variable(variable); !root.empty())
      toolkit.push_back(root + "/bin");
  toolkit.push_back("/usr/local/cuda/bin");
  toolkit.insert(toolkit.end(), more.begin(), more.end());
  return platform::find_program(name, {}, toolkit);
}

scenario::Outcome<scenario::Setup> compiled_setup(CompileOrder order, Budget& budget, Failure* failure) {
  Message ignored;
  order.tools = {nvcc_command(), gpu_command("", ignored), platform::cache_folder(),
                 !platform::has_threads()};
  auto made = compile_to_ptx(order);
  if (auto* failed = std::get_if<Failure>(&made)) {
    *failure = std::move(*failed);
    return {};
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
