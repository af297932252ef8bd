#include "app/state/fingerprint.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstdint>

#include "kernels/protocol/sha256.h"
#include "sim/file/whole_file.h"
#include "sim/scenario/text_file.h"

namespace warplens::session {
namespace {

constexpr std::int64_t kMostRead = std::int64_t{16} << 20;

}  // namespace

std::string fingerprint_of(std::string_view content) {
  return measure::sha256(content);
}

std::string fingerprint(const std::filesystem::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0)
    return errno == ENOENT || errno == ENOTDIR ? kNoFile : "out of reach";
  if (S_ISREG(status.st_mode) && status.st_size <= kMostRead) {
    const auto content = scenario::read_text(file, static_cast<std::size_t>(kMostRead));
    if (content) return fingerprint_of(*content.value);
  }
  return "size " + std::to_string(status.st_size) + " date " + std::to_string(status.st_mtim.tv_sec) + "." +
         std::to_string(status.st_mtim.tv_nsec) + " number " + std::to_string(status.st_ino);
}

}  // namespace warplens::session
