#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "sim/scenario/text_file.h"
#include "sim/text/scan.h"

namespace warplens::scenario {
namespace {

bool is_cuda(std::string_view text) {
  return text.find("__global__") != std::string_view::npos ||
         text.find("__device__") != std::string_view::npos;
}

// Each is compiled by itself: where a kernel's head is there already, in a namespace of its own.
void add_part(const std::string& part, std::string* all) {
  bool is_again = false;
  for (std::size_t at = 0; (at = part.find("__global__", at)) != std::string::npos; ++at)
    is_again |= all->find(part.substr(at, part.find('(', at) - at + 1)) != std::string::npos;
  int number = 2;
  while (all->find("part_" + std::to_string(number) + " {") != std::string::npos) ++number;
  *all += is_again ? "namespace part_" + std::to_string(number) + " {" + part + "}" : part;
}

// The strings of a Python text that are CUDA C++; of all else the ends of lines.
class PythonStrings {
 public:
  explicit PythonStrings(std::string_view text) : text_(text) {}

  std::string take() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == '"' || c == '\'') {
        string();
      } else {
        if (c == '\n') out_ += c;
        ++at_;
      }
    }
    return is_cuda(out_) ? std::move(out_) : std::string();
  }

 private:
  // The letters in front say how it is written: r"…" has no escapes, f"…" doubles its braces.
  bool has_prefix(char letter) const {
    for (std::size_t i = at_; i > 0 && text::is_letter(text_[i - 1]) && at_ - i < 2; --i)
      if ((text_[i - 1] | 0x20) == letter) return true;
    return false;
  }

  void string() {
    const bool is_raw = has_prefix('r'), is_formatted = has_prefix('f');
    const char quote = text_[at_];
    const bool is_long = text_.substr(at_, 3) == std::string(3, quote);
    const std::string end(is_long ? 3 : 1, quote);
    const std::size_t begin = at_;
    std::string inside;
    for (at_ += end.size(); at_ < text_.size() && text_.substr(at_, end.size()) != end; ++at_) {
      const char c = text_[at_];
      if (c == '\n' && !is_long) break;  // it does not end: no string
      const bool is_doubled =
          is_formatted && (c == '{' || c == '}') && text_.substr(at_ + 1, 1) == std::string(1, c);
      if (c == '\\' && at_ + 1 < text_.size()) {
        ++at_;
        inside += is_raw ? std::string{c, text_[at_]} : unescaped(text_[at_]);
      } else {
        inside += c;
        at_ += is_doubled;
      }
    }
    at_ = std::min(at_ + end.size(), text_.size());
    if (is_cuda(inside))
      add_part(inside, &out_);
    else
      out_.append(
          static_cast<std::size_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(begin),
                                              text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n')),
          '\n');
  }

  static std::string unescaped(char c) {
    constexpr std::array<std::pair<char, char>, 6> kEscapes{
        {{'n', '\n'}, {'t', '\t'}, {'r', '\r'}, {'\\', '\\'}, {'"', '"'}, {'\'', '\''}}};
    for (const auto& [letter, meant] : kEscapes)
      if (c == letter) return std::string(1, meant);
    return {'\\', c};  // also at the end of a line, where C++ joins lines too
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string out_;
};

// A cell that is CUDA C++ as a whole, by the magic in its first line; of a file that is written twice the
// later one.
bool is_kernel_cell(const std::string& first_line) {
  if (first_line.starts_with("%%cu") || first_line.starts_with("%%nvcc")) return true;
  const std::size_t name = first_line.find_last_of(" \t");
  return first_line.starts_with("%%writefile") && name != std::string::npos &&
         is_kernel_text(first_line.substr(name + 1));
}

std::string of_notebook(const std::string& text) {
  const auto notebook = nlohmann::json::parse(text, nullptr, false);
  if (!notebook.is_object() || !notebook.contains("cells") || !notebook["cells"].is_array()) return {};
  std::vector<std::pair<std::string, std::string>> parts;  // by the cell's first line
  for (const auto& cell : notebook["cells"]) {
    if (!cell.is_object() || !cell.contains("cell_type") || cell["cell_type"] != "code" ||
        !cell.contains("source"))
      continue;
    std::string source;
    for (const auto& line :
         cell["source"].is_array() ? cell["source"] : nlohmann::json::array({cell["source"]}))
      if (line.is_string()) source += line.get<std::string>();
    std::string first = source.substr(0, source.find('\n'));
    while (!first.empty() && text::is_space(first.back())) first.pop_back();
    if (first.starts_with("%%file")) first.insert(2, "write");
    const bool is_whole = is_kernel_cell(first);
    if (!is_whole) first.clear();
    std::string part =
        is_whole ? source.substr(std::min(source.find('\n'), source.size())) : PythonStrings(source).take();
    if (!is_cuda(part)) continue;
    if (first.starts_with("%%writefile"))
      std::erase_if(parts, [&](const auto& other) { return other.first == first; });
    parts.emplace_back(std::move(first), std::move(part));
  }
  std::string out;
  for (const auto& [unused, part] : parts) add_part(part + "\n", &out);
  return out;
}

bool ends_in(const std::filesystem::path& file, std::initializer_list<std::string_view> endings) {
  const std::string own = file.extension().string();
  return std::ranges::find(endings, own) != endings.end();
}

}  // namespace

bool is_kernel_text(const std::filesystem::path& file) {
  return ends_in(file, {".cu", ".cuh", ".cpp", ".cc", ".cxx", ".h", ".hpp", ".ptx"});
}

bool holds_kernel_text(const std::filesystem::path& file) {
  return ends_in(file, {".py", ".ipynb"});
}

Outcome<std::string> kernel_text(std::string text, const std::filesystem::path& file) {
  if (!holds_kernel_text(file)) return text;
  const bool is_notebook = file.extension() == ".ipynb";
  std::string out = is_notebook ? of_notebook(text) : PythonStrings(text).take();
  if (!out.empty()) return out;
  return is_notebook
             ? Message(
                   "{}: none of its cells is CUDA C++ (%%writefile NAME.cu, %%cuda) or has it in a string",
                   file.filename().string())
             : Message("{}: none of its strings is CUDA C++ with __global__ or __device__ in it",
                       file.filename().string());
}

}  // namespace warplens::scenario
