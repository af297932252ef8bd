// drop-link N PROGRAM...: a launcher whose link drops after N bytes of the program's answers.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>

int main(int count, char** words) {
  int ends[2];
  if (count < 3 || pipe(ends) != 0) return 2;
  long left = std::atol(words[1]);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    execv(words[2], words + 2);
    _exit(127);
  }
  close(ends[1]);
  alarm(1800);
  char bytes[4096];
  while (left > 0) {
    const ssize_t got =
        read(ends[0], bytes, std::min<std::size_t>(sizeof bytes, static_cast<std::size_t>(left)));
    if (got <= 0) break;
    left -= got;
    if (write(STDOUT_FILENO, bytes, static_cast<std::size_t>(got)) != got) break;
  }
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  return 255;
}
