#include "app/measure/gpu_client.h"
#include "app/platform/system.h"

namespace warplens::measure {
namespace {

constexpr const char* kProgram = "warplens-gpu";

}  // namespace

std::vector<std::string> gpu_command(const std::string& via, Message& error) {
  if (!via.empty()) {
    auto words = split_words(via, error);
    if (!words) return {};
    if (words->empty()) {
      error = Message("--via names no launcher; give one such as \"ssh host\"");
      return {};
    }
    // The launcher may name the program itself, with its path on the other machine.
    if (words->back().find(kProgram) == std::string::npos) words->push_back(kProgram);
    return *words;
  }
  if (const std::string named = platform::variable("WARPLENS_GPU"); !named.empty()) {
    auto words = split_words(named, error);
    return words ? *words : std::vector<std::string>{};
  }
  // That beside this program is of the same version.
  const std::filesystem::path file = platform::find_program(kProgram, {platform::program_folder()});
  if (!file.empty()) return {file.string()};
  error = Message(
      "warplens-gpu is not here: it is built where the CUDA Toolkit (12.0 or newer) is found. Install the "
      "toolkit "
      "and build again, name the program with WARPLENS_GPU=path, or use a machine that has it: --via \"ssh "
      "host\".");
  return {};
}

}  // namespace warplens::measure
