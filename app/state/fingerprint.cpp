#include "app/state/fingerprint.h"

#include <cstdint>
#include <filesystem>

#include "kernels/protocol/sha256.h"
#include "sim/file/whole_file.h"
#include "sim/scenario/text_file.h"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;
constexpr std::uintmax_t kMostRead = std::uintmax_t{16} << 20;

}  // namespace

std::string fingerprint_of(std::string_view content) {
  return measure::sha256(content);
}

std::string fingerprint(const fs::path& file) {
  std::error_code failed;
  const fs::file_status status = fs::status(file, failed);
  if (status.type() == fs::file_type::not_found) return kNoFile;
  if (failed) return "out of reach";
  const std::uintmax_t size = fs::file_size(file, failed);
  if (!failed && size <= kMostRead) {
    const auto content = scenario::read_text(file, kMostRead);
    if (content) return fingerprint_of(*content.value);
  }
  const auto date = fs::last_write_time(file, failed).time_since_epoch().count();
  return "size " + std::to_string(size) + " date " + std::to_string(static_cast<long long>(date));
}

}  // namespace warplens::app
