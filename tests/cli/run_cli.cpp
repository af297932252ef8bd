#include "tests/cli/run_cli.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>

namespace warplens::cli_test {

namespace {

struct Pipe {
  int ends[2] = {-1, -1};
  Pipe() {
    if (::pipe2(ends, O_CLOEXEC) != 0) std::abort();
  }
  ~Pipe() { close_read(), close_write(); }
  void close_read() { close_end(0); }
  void close_write() { close_end(1); }
  void close_end(int end) {
    if (ends[end] >= 0) ::close(ends[end]);
    ends[end] = -1;
  }
};

[[noreturn]] void become(const std::vector<std::string>& arguments, const How& how, Pipe& in, Pipe& out,
                         Pipe& err) {
  ::dup2(in.ends[0], 0);
  ::dup2(out.ends[1], 1);
  ::dup2(err.ends[1], 2);
  std::signal(SIGPIPE, SIG_DFL);
  for (const auto& [name, value] : how.environment) ::setenv(name.c_str(), value.c_str(), 1);
  const char* other = std::getenv("WARPLENS_TESTED_CLI");  // of tests/mutation, with a fault
  const std::string program = other != nullptr ? other : WARPLENS_BIN_DIR "/warplens-cli";
  std::vector<char*> words = {const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  ::execv(program.c_str(), words.data());
  ::_exit(127);
}

// Feeds and drains until both outputs are closed, or so long has passed that it hangs on any machine.
bool converse(const How& how, Pipe& in, Pipe& out, Pipe& err, Ran& ran) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(10);
  std::size_t fed = 0;
  char chunk[65536];
  while (out.ends[0] >= 0 || err.ends[0] >= 0) {
    if (fed == how.input.size()) in.close_write();
    pollfd watched[] = {{out.ends[0], POLLIN, 0}, {err.ends[0], POLLIN, 0}, {in.ends[1], POLLOUT, 0}};
    if (::poll(watched, 3, 1000) < 0 || std::chrono::steady_clock::now() > deadline) return false;
    if ((watched[2].revents & POLLOUT) != 0) {
      const ssize_t n =
          ::write(in.ends[1], how.input.data() + fed, std::min<std::size_t>(4096, how.input.size() - fed));
      if (n > 0) fed += static_cast<std::size_t>(n);
    }
    if ((watched[2].revents & POLLERR) != 0) fed = how.input.size();
    for (int i = 0; i < 2; ++i) {
      if ((watched[i].revents & (POLLIN | POLLHUP)) == 0) continue;
      Pipe& pipe = i == 0 ? out : err;
      const ssize_t n = ::read(pipe.ends[0], chunk, sizeof chunk);
      if (n > 0) (i == 0 ? ran.out : ran.err).append(chunk, static_cast<std::size_t>(n));
      if (n <= 0 || (i == 0 && ran.out.size() > how.stop_reading_after)) pipe.close_read();
    }
  }
  return true;
}

}  // namespace

Ran run_cli(const std::vector<std::string>& arguments, const How& how) {
  std::signal(SIGPIPE, SIG_IGN);
  Pipe in, out, err;
  const pid_t child = ::fork();
  if (child == 0) become(arguments, how, in, out, err);
  in.close_read(), out.close_write(), err.close_write();
  Ran ran;
  if (!converse(how, in, out, err, ran)) ::kill(child, SIGKILL);
  int status = 0;
  if (::waitpid(child, &status, 0) != child) return ran;
  if (WIFEXITED(status)) ran.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL) ran.code = 1000 + WTERMSIG(status);
  return ran;
}

}  // namespace warplens::cli_test
