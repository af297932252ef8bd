// Text files of bounded size, and messages about what is wrong with them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/json_document.h"
#include "sim/scenario/scenario.h"

namespace warplens::scenario {

inline constexpr std::size_t kMaxTextBytes = std::size_t{1} << 20;  // of a scenario or a kernel

inline constexpr std::size_t kMostPtxBytes = std::size_t{16} << 20;

// The whole file, or why not: absent, a folder, not readable, or larger than `limit`. "-" is standard input.
std::size_t most_bytes_of(const std::filesystem::path& file);  // PTX is what a program wrote
Outcome<std::string> read_text(const std::filesystem::path& file, std::size_t limit = kMaxTextBytes);

// The document of that schema in a file, as `read` takes it from its root.
template <class T>
Outcome<T> load_document(const std::filesystem::path& file, std::string_view schema,
                         void (*read)(const JsonValue& root, T& document), Budget* budget) {
  JsonDocument document = JsonDocument::load(file, {.budget = budget});
  T out;
  out.file = file;
  if (document.ok() && document.has_schema(schema)) read(document.root(), out);
  if (!document.ok()) return document.errors();
  return out;
}

// What `load` makes of each file of the folder that ends so, in the order of their names.
template <class T>
Outcome<std::vector<T>> load_all(const std::filesystem::path& folder, std::string_view ending,
                                 Outcome<T> (*load)(const std::filesystem::path&, Budget*), Budget* budget) {
  std::error_code failed;
  std::vector<std::filesystem::path> files;
  for (std::filesystem::directory_iterator entry(folder, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    if (budget != nullptr) budget->check(Stage::Reading);
    if (entry->path().filename().string().ends_with(ending)) files.push_back(entry->path());
  }
  if (failed) return Message("{}: the folder cannot be read: {}", folder.string(), failed.message());
  std::ranges::sort(files);
  Outcome<std::vector<T>> outcome{std::vector<T>(), {}};
  for (const std::filesystem::path& file : files) {
    Outcome<T> loaded = load(file, budget);
    outcome.errors.insert(outcome.errors.end(), loaded.errors.begin(), loaded.errors.end());
    if (loaded) outcome.value->push_back(std::move(*loaded.value));
  }
  return outcome;
}

// The candidate that `name` was most likely meant to be; empty if none is close.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

// "; did you mean \"pad\"?", or empty if no candidate is close.
Message did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

// Texts in several languages, as people write them in JSON: "padding", or {"en": "padding", "zh-CN": "填充"}.

// English is required. An absent member gives {"en": fallback} without an error.
LocalText read_words(const JsonValue& object, std::string_view member, std::string fallback = {});
LocalText required_words(const JsonValue& object, std::string_view member);
LocalText words_in(const JsonValue& value, std::string fallback = {});

// CUDA C++ outside of .cu files: in strings of Python (load_inline, RawKernel, SourceModule) and in cells of
// notebooks (%%writefile scan.cu, %%cuda).

// .cu .cuh .cpp .cc .cxx .h .hpp .ptx: the text is read as it stands.
bool is_kernel_text(const std::filesystem::path& file);
// .py .ipynb: CUDA C++ is extracted from the file.
bool holds_kernel_text(const std::filesystem::path& file);

// The CUDA C++ in `text`, a file of that name: all of it, or the strings and cells that have kernels or
// device functions. In Python everything else is blanked line by line, so a line keeps its number; strings
// that escape line ends, and notebooks, have lines of their own. An error if there is no CUDA C++.
Outcome<std::string> kernel_text(std::string text, const std::filesystem::path& file);

}  // namespace warplens::scenario
