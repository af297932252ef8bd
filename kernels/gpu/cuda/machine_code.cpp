#include "kernels/gpu/cuda/machine_code.h"

#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "kernels/protocol/child_process.h"

namespace warplens::gpu {
namespace {

namespace fs = std::filesystem;
using measure::ChildProcess;
using measure::Clock;

constexpr std::size_t kMostText = 32u << 20;
constexpr auto kPatience = std::chrono::seconds(20);
constexpr std::array<const char*, 15> kMemoryOpcodes{"LD",    "ST",    "LDG",  "STG",    "LDS",
                                                     "STS",   "LDL",   "STL",  "RED",    "ATOM",
                                                     "ATOMG", "ATOMS", "LDSM", "LDGSTS", "REDG"};
constexpr std::array<const char*, 6> kWidths{".64", ".128", ".U8", ".S8", ".U16", ".S16"};

// "LDG.E.128.CONSTANT" -> "LDG.128"; empty: no memory instruction.
std::string memory_opcode(const std::string& word) {
  const std::string base = word.substr(0, word.find('.'));
  bool known = false;
  for (const char* opcode : kMemoryOpcodes) known |= base == opcode;
  if (!known) return {};
  std::string name = base;
  std::istringstream parts(word.substr(base.size()));
  for (std::string part; std::getline(parts, part, '.');)
    for (const char* width : kWidths)
      if ("." + part == width) name += width;
  return name;
}

// The opcode behind "/*0070*/" and a predicate, or nothing.
std::string opcode_of(const std::string& line) {
  std::istringstream words(line);
  std::string word;
  words >> word;
  if (word.rfind("/*", 0) != 0 || word.size() < 6 ||
      word.find_first_not_of("0123456789abcdef", 2) != word.size() - 2)
    return {};
  words >> word;
  if (!word.empty() && word.front() == '{') word.erase(0, 1);
  if (word.empty()) words >> word;
  if (!word.empty() && word.front() == '@') words >> word;
  while (!word.empty() && word.back() == ';') word.pop_back();
  return word;
}

// The function that a line opens: ".text.NAME:" of nvdisasm, "Function : NAME" of cuobjdump.
std::optional<std::string> function_of(const std::string& line) {
  const std::size_t text = line.find(".text."), named = line.find("Function : ");
  if (named != std::string::npos) return line.substr(named + 11);
  if (text == std::string::npos || line.empty() || line.back() != ':') return std::nullopt;
  return line.substr(text + 6, line.size() - text - 7);
}

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

class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& bytes) {
    std::error_code failed;
    std::string name = (fs::temp_directory_path(failed) / "warplens-XXXXXX").string();
    const int fd = failed ? -1 : mkstemp(name.data());
    if (fd < 0) return;
    close(fd);
    path_ = name;
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~TemporaryFile() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

std::map<std::string, int> count_memory_instructions(const std::string& disassembly,
                                                     const std::string& function) {
  std::map<std::string, int> counts;
  std::istringstream lines(disassembly);
  bool inside = function.empty();
  for (std::string line; std::getline(lines, line);) {
    if (const auto opened = function_of(line)) inside = function.empty() || *opened == function;
    const std::string opcode = inside ? memory_opcode(opcode_of(line)) : std::string();
    if (!opcode.empty()) ++counts[opcode];
  }
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
  const TemporaryFile file(cubin);
  const std::string text = nvdisasm.empty() ? run_tool({cuobjdump, "-sass", file.path()})
                                            : run_tool({nvdisasm, "-c", file.path()});
  MachineCode code{count_memory_instructions(text, function), {}};
  if (code.instructions.empty())
    code.reason =
        (nvdisasm.empty() ? cuobjdump : nvdisasm).string() + " found no memory instruction of this kernel";
  return code;
}

}  // namespace warplens::gpu
