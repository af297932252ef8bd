#include "sim/scenario/headers.h"

#include <algorithm>

#include "sim/text/read_file.h"

namespace warplens::scenario {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostHeaders = 256, kMostBytes = std::size_t{3} << 20;
constexpr std::size_t kMostName = 512;
constexpr std::size_t kMostIncludes = 4096;  // looked at, of all files together

// The names behind #include as written, quotes and brackets included, wherever one stands in the text.
std::vector<std::string> names_in(std::string_view text) {
  std::vector<std::string> names;
  const auto skip = [&](std::size_t at) {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
    return at;
  };
  for (std::size_t hash = text.find('#'); hash != std::string_view::npos; hash = text.find('#', hash + 1)) {
    std::size_t at = skip(hash + 1);
    // Also what a macro includes has its name somewhere: #define CONFIG "config.h"
    const bool defines = text.substr(at).starts_with("define");
    if (!defines && !text.substr(at).starts_with("include")) continue;
    const std::size_t end = std::min(text.find('\n', at), text.size());
    at = defines ? std::min(text.find('"', at), end) : skip(at + 7);
    if (at >= end || (text[at] != '"' && text[at] != '<')) continue;
    const std::size_t close = text.find(text[at] == '"' ? '"' : '>', at + 1);
    if (close >= end || close - at > kMostName || close == at + 1) continue;
    names.emplace_back(text.substr(at, close + 1 - at));
  }
  return names;
}

class Gatherer {
 public:
  Gatherer(const fs::path& file, const std::vector<fs::path>& folders) {
    const bool has_place = !file.empty() && file != "-";
    if (has_place) beside_ = file.has_parent_path() ? file.parent_path() : fs::path(".");
    if (has_place) add_root(beside_);
    for (const fs::path& folder : folders) {
      add_root(folder);
      folders_.push_back(folder);
    }
  }

  cuda::HeaderSet gather(std::string_view text) {
    if (roots_.empty()) return nullptr;
    include_all(text, beside_, cuda::kOwnText);
    for (std::size_t i = 0; i < headers_.files.size(); ++i) {
      const std::string header = headers_.files[i].text;  // the list may move while it is read
      include_all(header, places_[i].parent_path(), static_cast<int>(i));
    }
    if (headers_.files.empty() && headers_.refused.empty()) return nullptr;
    return std::make_shared<const cuda::Headers>(std::move(headers_));
  }

 private:
  void add_root(const fs::path& folder) {
    std::error_code failed;
    const fs::path real = fs::canonical(folder, failed);
    if (!failed && fs::is_directory(real, failed)) roots_.push_back(real);
  }

  void include_all(std::string_view text, const fs::path& beside, int from) {
    for (const std::string& written : names_in(text)) {
      if (++looked_at_ > kMostIncludes) return;
      if (headers_.found.contains({from, written})) continue;
      const int header = find(written, beside);
      if (header != cuda::kOwnText) headers_.found[{from, written}] = header;
    }
  }

  // The header's number, or kOwnText.
  int find(const std::string& written, const fs::path& beside) {
    const fs::path name = written.substr(1, written.size() - 2);
    std::vector<fs::path> places;
    if (written[0] == '"' && !beside.empty()) places.push_back(beside / name);
    for (const fs::path& folder : folders_) places.push_back(folder / name);
    for (const fs::path& place : places) {
      std::error_code failed;
      const fs::path real = fs::canonical(place, failed);
      if (failed || !fs::is_regular_file(real, failed)) continue;
      if (!is_inside(real)) {
        headers_.refused.insert(written);
        continue;
      }
      const int header = read(real, place);
      if (header == cuda::kOwnText) continue;
      headers_.refused.erase(written);
      return header;
    }
    return cuda::kOwnText;
  }

  bool is_inside(const fs::path& real) const {
    return std::any_of(roots_.begin(), roots_.end(), [&](const fs::path& root) {
      return std::mismatch(root.begin(), root.end(), real.begin(), real.end()).first == root.end();
    });
  }

  int read(const fs::path& real, const fs::path& place) {
    const auto known = std::find(places_.begin(), places_.end(), real);
    if (known != places_.end()) return static_cast<int>(known - places_.begin());
    std::string text;
    Message error;
    if (places_.size() >= kMostHeaders || bytes_ >= kMostBytes) return cuda::kOwnText;
    if (!text::read_file(real, kMostBytes - bytes_, &text, &error)) return cuda::kOwnText;
    if (text.find('\0') != std::string::npos) return cuda::kOwnText;
    bytes_ += text.size();
    places_.push_back(real);
    headers_.files.push_back(
        {place.lexically_proximate(beside_.empty() ? fs::path(".") : beside_).string(), std::move(text)});
    return static_cast<int>(places_.size()) - 1;
  }

  fs::path beside_;
  std::vector<fs::path> folders_, roots_;
  std::vector<fs::path> places_;  // of headers_.files, without links
  std::size_t bytes_ = 0, looked_at_ = 0;
  cuda::Headers headers_;
};

}  // namespace

cuda::HeaderSet gather_headers(std::string_view text, const fs::path& file,
                               const std::vector<fs::path>& folders) {
  if (text.find("include") == std::string_view::npos) return nullptr;
  return Gatherer(file, folders).gather(text);
}

std::vector<Message> check_folders(const std::vector<fs::path>& folders) {
  std::vector<Message> errors;
  for (const fs::path& folder : folders) {
    std::error_code failed;
    if (!fs::is_directory(folder, failed)) errors.push_back(Message("-I {}: is no folder", folder.string()));
  }
  return errors;
}

}  // namespace warplens::scenario
