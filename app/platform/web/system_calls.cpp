// Calls of a POSIX system that Emscripten's library declares and does not have. A page starts no program, and
// its files have no attributes.
#include <spawn.h>
#include <sys/random.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>

extern "C" {

ssize_t getrandom(void* buffer, size_t bytes, unsigned) {
  return getentropy(buffer, bytes) == 0 ? static_cast<ssize_t>(bytes) : -1;
}

int posix_spawnp(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*,
                 char* const[], char* const[]) {
  return ENOSYS;
}

ssize_t listxattr(const char*, char*, size_t) {
  errno = ENOTSUP;
  return -1;
}
ssize_t getxattr(const char*, const char*, void*, size_t) {
  errno = ENOTSUP;
  return -1;
}
int fsetxattr(int, const char*, const void*, size_t, int) {
  errno = ENOTSUP;
  return -1;
}

}  // extern "C"
