#include "kernels/gpu/cuda/machine_code.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "kernels/protocol/child_process.h"
#include "kernels/protocol/compiler.h"
#include "sim/file/temporary.h"
#include "sim/file/whole_file.h"

namespace warplens::gpu {
namespace {

namespace fs = std::filesystem;
using measure::ChildProcess;
using measure::Clock;

constexpr std::size_t kMostText = 32u << 20;
constexpr auto kPatience = std::chrono::seconds(20);

fs::path find_tool(const std::string& name) {
  std::vector<std::string> folders;
  if (const char* path = std::getenv("PATH")) {
    std::istringstream list(path);
    for (std::string folder; std::getline(list, folder, ':');) folders.push_back(folder);
  }
  for (const std::string& library : cuda_library_folders())
    folders.push_back(fs::path(library).parent_path() / "bin");
  for (const std::string& folder : folders) {
    const fs::path file = fs::path(folder) / name;
    std::error_code ignored;
    if (!folder.empty() && fs::is_regular_file(file, ignored) && access(file.c_str(), X_OK) == 0) return file;
  }
  return {};
}

struct Linker {
  CUresult (*create)(unsigned, CUjit_option*, void**, CUlinkState*) = nullptr;
  CUresult (*add)(CUlinkState, CUjitInputType, void*, std::size_t, const char*, unsigned, CUjit_option*,
                  void**) = nullptr;
  CUresult (*complete)(CUlinkState, void**, std::size_t*) = nullptr;
  CUresult (*destroy)(CUlinkState) = nullptr;
};

// The machine code that the driver makes of PTX; empty where it cannot.
std::string assemble(const Driver& driver, const std::string& ptx) {
  Linker linker;
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(driver.library.symbol(name));
    return function != nullptr;
  };
  if (!find(linker.create, "cuLinkCreate_v2") || !find(linker.add, "cuLinkAddData_v2") ||
      !find(linker.complete, "cuLinkComplete") || !find(linker.destroy, "cuLinkDestroy"))
    return {};
  CUlinkState state = nullptr;
  if (linker.create(0, nullptr, nullptr, &state) != CUDA_SUCCESS) return {};
  void* cubin = nullptr;
  std::size_t size = 0;
  std::string image;
  if (linker.add(state, CU_JIT_INPUT_PTX, const_cast<char*>(ptx.c_str()), ptx.size() + 1, "kernel.ptx", 0,
                 nullptr, nullptr) == CUDA_SUCCESS &&
      linker.complete(state, &cubin, &size) == CUDA_SUCCESS)
    image.assign(static_cast<const char*>(cubin), size);
  linker.destroy(state);
  return image;
}

// What the tool prints; empty where it fails.
std::string run_tool(const std::vector<std::string>& words) {
  std::string text;
  Message error;
  auto child = ChildProcess::start(words, error);
  if (!child) return {};
  const auto deadline = Clock::now() + kPatience;
  while (text.size() < kMostText) {
    const auto received = child->read_line(deadline, nullptr, kMostText);
    if (received.event != ChildProcess::Event::Line) break;
    text += received.line + "\n";
  }
  return text;
}

}  // namespace

std::map<std::string, int> count_memory_instructions(const std::string& disassembly,
                                                     const std::string& function) {
  std::map<std::string, int> counts;
  measure::each_memory_instruction(disassembly, {}, [&](const measure::MemoryInstruction& one) {
    if (function.empty() || one.function == function) ++counts[one.opcode];
  });
  return counts;
}

MachineCode read_machine_code(const Driver& driver, const std::string& image, const std::string& function) {
  const fs::path nvdisasm = find_tool("nvdisasm"), cuobjdump = find_tool("cuobjdump");
  if (nvdisasm.empty() && cuobjdump.empty())
    return {{}, "neither nvdisasm nor cuobjdump (CUDA Toolkit) is at hand"};
  const bool is_cubin = image.rfind(
                            "\x7f"
                            "ELF",
                            0) == 0;
  const std::string cubin = is_cubin ? image : assemble(driver, image);
  if (cubin.empty()) return {{}, "the driver does not give the machine code that it made of the PTX"};
  std::error_code failed;
  const file::DraftFolder folder(fs::temp_directory_path(failed) / "warplens-machine-code");
  const fs::path kept = folder.path() / "kernel.cubin";
  if (!folder.trouble().empty() || !file::write_whole(kept, cubin, {.durable = false}))
    return {{}, "the machine code cannot be written into a temporary folder"};
  const std::string text =
      nvdisasm.empty() ? run_tool({cuobjdump, "-sass", kept}) : run_tool({nvdisasm, "-c", kept});
  MachineCode code{count_memory_instructions(text, function), {}};
  if (code.instructions.empty())
    code.reason =
        (nvdisasm.empty() ? cuobjdump : nvdisasm).string() + " found no memory instruction of this kernel";
  return code;
}

}  // namespace warplens::gpu
