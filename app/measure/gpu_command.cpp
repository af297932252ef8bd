#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "app/measure/gpu_client.h"

namespace warplens::measure {
namespace {

namespace fs = std::filesystem;
constexpr const char* kProgram = "warplens-gpu";

bool can_run(const fs::path& file) {
  std::error_code ignored;
  return fs::is_regular_file(file, ignored) && access(file.c_str(), X_OK) == 0;
}

std::string on_path() {
  const char* path = std::getenv("PATH");
  if (path == nullptr) return {};
  const std::string folders = path;
  for (std::size_t begin = 0; begin <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', begin), folders.size());
    const fs::path file = fs::path(folders.substr(begin, end - begin)) / kProgram;
    if (end > begin && can_run(file)) return file;
    begin = end + 1;
  }
  return {};
}

std::string beside_this_program() {
  std::error_code failed;
  const fs::path self = fs::read_symlink("/proc/self/exe", failed);
  if (failed) return {};
  const fs::path file = self.parent_path() / kProgram;
  return can_run(file) ? file.string() : std::string();
}

}  // namespace

std::vector<std::string> gpu_command(const std::string& via, std::string& error) {
  const char* named = std::getenv("WARPLENS_GPU");
  if (!via.empty()) {
    auto words = split_words(via, error);
    if (!words) return {};
    if (words->empty()) {
      error = "--via names no launcher; give one such as \"ssh host\"";
      return {};
    }
    // The launcher may name the program itself, with its path on the other machine.
    if (words->back().find(kProgram) == std::string::npos) words->push_back(kProgram);
    return *words;
  }
  if (named != nullptr && *named != '\0') {
    auto words = split_words(named, error);
    return words ? *words : std::vector<std::string>{};
  }
  for (const std::string& file : {beside_this_program(), on_path()})
    if (!file.empty()) return {file};
  error =
      "warplens-gpu is not here: it is built where the CUDA Toolkit (12.0 or newer) is found. Install the "
      "toolkit and build "
      "again, name the program with WARPLENS_GPU=path, or use a machine that has it: --via \"ssh host\".";
  return {};
}

}  // namespace warplens::measure
