#include "app/cli/command.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace warplens::cli {

namespace {

std::string joined(const std::vector<std::string>& messages) {
  std::string text;
  for (const std::string& message : messages) text += (text.empty() ? "" : "\n") + message;
  return text;
}

}  // namespace

CommandFailure::CommandFailure(ExitCode code, const std::vector<std::string>& messages)
    : CommandFailure(code, joined(messages)) {}

void print(std::string_view data) {
  if (std::fwrite(data.data(), 1, data.size(), stdout) == data.size() && std::fflush(stdout) == 0) return;
  if (errno == EPIPE) std::_Exit(kDone);
  throw CommandFailure(kMachineCannot,
                       std::string("standard output cannot be written: ") + std::strerror(errno));
}

void print_json(const nlohmann::ordered_json& json) {
  print(json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

void warn(std::string_view message) {
  std::fprintf(stderr, "warplens-cli: %.*s\n", static_cast<int>(message.size()), message.data());
}

void FormatOptions::add_to(CLI::App& command, bool with_csv) {
  CLI::Option* as_json = command.add_flag("--json", json, "Write JSON");
  if (with_csv) command.add_flag("--csv", csv, "Write comma-separated values")->excludes(as_json);
}

}  // namespace warplens::cli
