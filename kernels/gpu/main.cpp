// warplens-gpu: runs CUDA kernels for Warplens. It reads requests from standard input and answers on standard
// output, one JSON document a line (warplens.gpu/1, docs/measurement.md). A bad kernel can end this program,
// never the app.
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include "kernels/gpu/request_queue.h"
#include "kernels/gpu/session.h"
#include "sim/text/shown.h"

namespace {

using warplens::gpu::RequestQueue;

constexpr const char* kHelp =
    "warplens-gpu runs CUDA kernels for Warplens; warplens and warplens-cli start it by themselves.\n"
    "It reads requests from standard input and answers on standard output, one JSON document a line.\n"
    "  --batch     finish all requests after the end of the input (otherwise its end stops the program)\n"
    "  --version   say the version and end\n"
    "  --help      say this and end\n";

// Replies go to the standard output as it was at the start; what kernels and libraries print goes to standard
// error, so that it cannot get between the lines.
int take_over_standard_output() {
  const int replies = dup(STDOUT_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  return replies;
}

// False: nothing listens any more.
bool write_line(int fd, const std::string& line) {
  const std::string bytes = line + "\n";
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t wrote = write(fd, bytes.data() + done, bytes.size() - done);
    if (wrote < 0 && errno != EINTR) return false;
    if (wrote > 0) done += static_cast<std::size_t>(wrote);
  }
  return true;
}

[[noreturn]] void serve(bool batch) {
  signal(SIGPIPE, SIG_IGN);
  const int replies = take_over_standard_output();
  auto& queue = *new RequestQueue(STDIN_FILENO, batch);  // its reader may wait in read(2) to the very end
  const auto send = [&](const warplens::measure::Reply& reply) {
    const auto text =
        warplens::measure::to_json(reply).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
    if (!write_line(replies, text)) _exit(0);
  };
  {
    warplens::gpu::Session session(send, queue.cancelled());
    while (const auto line = queue.next())
      if (!session.answer(*line)) _exit(75);  // a lost GPU state cannot be cleaned up, only left behind
  }
  _exit(0);
}

}  // namespace

int main(int count, char** words) {
  bool batch = false;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--batch") {
      batch = true;
    } else if (word == "--version") {
      warplens::text::print(stdout, WARPLENS_VERSION "\n");
      return 0;
    } else {
      warplens::text::print(word == "--help" ? stdout : stderr, kHelp);
      return word == "--help" ? 0 : 2;
    }
  }
  serve(batch);
}
