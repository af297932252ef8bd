#include "kernels/protocol/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <thread>
#include <utility>

extern char** environ;

namespace warplens::measure {
namespace {

constexpr std::size_t kKeptWords = 8192;
constexpr auto kForThoseLeftBehind = std::chrono::milliseconds(200);

struct Pipe {
  Descriptor read, write;
};

bool open_pipe(Pipe& pipe) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  pipe.read = Descriptor(ends[0]);
  pipe.write = Descriptor(ends[1]);
  return true;
}

void make_non_blocking(int fd) {
  fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

int milliseconds_until(Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<long long>(left, 0, 1'000'000));
}

// Writing to a child that has gone must be an error, not the end of the app. The signal is held back in this
// thread for the time of one write and taken away again, so the app's own settings stay as they are.
class NoPipeSignal {
 public:
  NoPipeSignal() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~NoPipeSignal() {
    const timespec none{};
    while (sigtimedwait(&pipe_, nullptr, &none) == -1 && errno == EINTR) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t pipe_, before_;
};

// What the pipe holds, up to so much, put behind `text`; a pipe that is over is closed.
void take(Descriptor& pipe, std::string& text) {
  std::array<char, 65536> bytes;
  const ssize_t got = read(pipe.get(), bytes.data(), bytes.size());
  if (got > 0) text.append(bytes.data(), static_cast<std::size_t>(got));
  if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) pipe = Descriptor();
}

class SpawnSettings {
 public:
  SpawnSettings(int in, int out, int err) {
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in, 0);
    posix_spawn_file_actions_adddup2(&actions, out, 1);
    posix_spawn_file_actions_adddup2(&actions, err, 2);
    posix_spawnattr_init(&attributes);
    // A group of its own, so that a launcher's children can be ended with it; default signals.
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

}  // namespace

WakePipe::WakePipe() {
  Pipe pipe;
  if (!open_pipe(pipe)) return;
  make_non_blocking(pipe.read.get());
  make_non_blocking(pipe.write.get());
  read_ = std::move(pipe.read);
  write_ = std::move(pipe.write);
}
void WakePipe::wake() const {
  const char one = 1;
  [[maybe_unused]] const auto written = write(write_.get(), &one, 1);  // full: it is awake already
}
void WakePipe::clear() const {
  char bytes[64];
  while (read(read_.get(), bytes, sizeof bytes) > 0) {
  }
}

std::unique_ptr<ChildProcess> ChildProcess::start(const std::vector<std::string>& argv, Message& error) {
  Pipe in, out, err;
  if (argv.empty() || argv.front().empty()) {
    error = Message("no program was named");
    return nullptr;
  }
  if (!open_pipe(in) || !open_pipe(out) || !open_pipe(err)) {
    error = Message("no pipe could be opened: {}", system_words(errno));
    return nullptr;
  }
  std::vector<char*> words;
  for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);

  const SpawnSettings settings(in.read.get(), out.write.get(), err.write.get());
  pid_t pid = -1;
  const int failed =
      posix_spawnp(&pid, words[0], &settings.actions, &settings.attributes, words.data(), environ);
  if (failed != 0) {
    error = Message("{} could not be started: {}", argv.front(), system_words(failed));
    return nullptr;
  }
  for (const Descriptor* end : {&in.write, &out.read, &err.read}) make_non_blocking(end->get());
  return std::unique_ptr<ChildProcess>(
      new ChildProcess(pid, std::move(in.write), std::move(out.read), std::move(err.read)));
}

ChildProcess::~ChildProcess() {
  end(0.5);
}

void ChildProcess::take_output() {
  take(out_, pending_);
}

void ChildProcess::take_error() {
  take(err_, stderr_tail_);
  if (stderr_tail_.size() > kKeptWords) stderr_tail_.erase(0, stderr_tail_.size() - kKeptWords);
}

bool ChildProcess::pop_line(Received& received) {
  const std::size_t newline = pending_.find('\n', searched_);
  if (newline == std::string::npos) {
    searched_ = pending_.size();
    return false;
  }
  received.event = Event::Line;
  received.line = pending_.substr(0, newline);
  pending_.erase(0, newline + 1);
  searched_ = 0;
  if (!received.line.empty() && received.line.back() == '\r') received.line.pop_back();
  return true;
}

ChildProcess::Received ChildProcess::read_line(Clock::time_point deadline, const WakePipe* wake,
                                               std::size_t longest) {
  Received received;
  while (true) {
    if (pop_line(received)) return received;
    if (pending_.size() > longest) return {Event::TooLong, {}};
    if (out_.get() < 0) return {Event::Ended, {}};
    std::array<pollfd, 3> waiting{{{out_.get(), POLLIN, 0},
                                   {err_.get(), POLLIN, 0},  // a negative descriptor is passed over
                                   {wake != nullptr ? wake->read_end() : -1, POLLIN, 0}}};
    const int ready = poll(waiting.data(), waiting.size(), milliseconds_until(deadline));
    if (ready < 0 && errno != EINTR) return {Event::Ended, {}};
    if (ready > 0 && waiting[1].revents != 0) take_error();
    if (ready > 0 && waiting[0].revents != 0)
      take_output();
    else if (ready > 0 && waiting[2].revents != 0) {
      wake->clear();
      return {Event::Woken, {}};
    }
    if (ready == 0 && Clock::now() >= deadline) return {Event::Deadline, {}};
  }
}

bool ChildProcess::write_line(const std::string& line, Clock::time_point deadline) {
  const NoPipeSignal guard;
  const std::string bytes = line + "\n";
  std::size_t done = 0;
  while (done < bytes.size() && in_.get() >= 0) {
    const ssize_t wrote = write(in_.get(), bytes.data() + done, bytes.size() - done);
    if (wrote > 0) done += static_cast<std::size_t>(wrote);
    if (wrote > 0 || (wrote < 0 && errno == EINTR)) continue;
    if (errno != EAGAIN) return false;
    // Its own output is read meanwhile, so that two full pipes cannot wait for each other.
    std::array<pollfd, 3> waiting{
        {{in_.get(), POLLOUT, 0}, {out_.get(), POLLIN, 0}, {err_.get(), POLLIN, 0}}};
    const int ready = poll(waiting.data(), waiting.size(), milliseconds_until(deadline));
    if (ready == 0 && Clock::now() >= deadline) return false;
    if (ready > 0 && waiting[1].revents != 0) take_output();
    if (ready > 0 && waiting[2].revents != 0) take_error();
  }
  return done == bytes.size();
}

bool ChildProcess::running() {
  if (ended_) return false;
  siginfo_t how{};
  const int failed = waitid(P_PID, static_cast<id_t>(pid_), &how, WEXITED | WNOHANG | WNOWAIT);
  if (failed != 0 && errno == ECHILD) ended_ = reaped_ = true;
  if (failed != 0 || how.si_pid != pid_) return !ended_;
  ended_ = true;
  signalled_ = how.si_code != CLD_EXITED;
  status_ = how.si_status;
  return false;
}

void ChildProcess::send(int signal) {
  ended_by_us_ = ended_by_us_ || !ended_;
  kill(-pid_, signal);
}

bool ChildProcess::wait_until(Clock::time_point deadline) {
  while (running()) {
    if (Clock::now() >= deadline) return false;
    // Its pipes are emptied meanwhile: it may be writing its last words.
    if (out_.get() >= 0) take_output(), pending_.clear(), searched_ = 0;
    if (err_.get() >= 0) take_error();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

void ChildProcess::end(double patience_seconds) {
  const auto patience =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(patience_seconds));
  in_ = Descriptor();
  if (!reaped_) {
    if (!wait_until(Clock::now() + patience)) {
      send(SIGTERM);
      if (!wait_until(Clock::now() + patience)) send(SIGKILL);
    }
    while (running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));  // SIGKILL is never refused
    end_group();
  }
  if (err_.get() >= 0) take_error();
  out_ = Descriptor();
  err_ = Descriptor();
}

// The first signal is sent while the group's number is still held by the child that has not been reaped.
void ChildProcess::end_group() {
  send(SIGTERM);
  if (!reaped_)
    while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  reaped_ = true;
  const auto deadline = Clock::now() + kForThoseLeftBehind;
  while (kill(-pid_, 0) == 0 && Clock::now() < deadline)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  if (kill(-pid_, 0) == 0) kill(-pid_, SIGKILL);
}

Message ChildProcess::how_it_ended() {
  if (running()) return Message("is still running");
  if (signalled_ && ended_by_us_) return Message("did not end by itself and was ended");
  if (signalled_) return Message("was killed by signal {}", status_);
  return Message("ended with exit code {}", status_);
}

std::optional<std::vector<std::string>> split_words(const std::string& text, Message& error) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
      word += text[++i];
      in_word = true;
    } else if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
      in_word = true;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      if (in_word) words.push_back(std::exchange(word, {}));
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (quote != 0) {
    error = Message("a quote is not closed in: {}", text);
    return std::nullopt;
  }
  if (in_word) words.push_back(word);
  return words;
}

}  // namespace warplens::measure
