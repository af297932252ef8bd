// The headers that a kernel's text includes, read beforehand: nothing here opens a file.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/message.h"

namespace warplens::cuda {

inline constexpr int kOwnText = -1;   // the kernel's own text, where the number of a header is asked for
inline constexpr int kNoHeader = -2;  // none of them

struct Headers {
  struct File {
    std::string name;  // for messages: "include/common.h"
    std::string text;
  };
  std::vector<File> files;
  // Who includes (a number of `files`, or kOwnText), as written with its quotes or angle brackets -> which.
  std::map<std::pair<int, std::string>, int> found;
  // The file that is read first, and brings the kernel's own text where it includes it: kernels that stand in
  // a file of their own often need what main.cu declares before it includes them. kNoHeader: the kernel's
  // own.
  int around = kNoHeader;
  std::vector<int> first;                 // read before all else: what a library's header declares
  std::set<std::string> refused;          // as written: there, but outside of what may be read
  std::map<std::string, Message> unread;  // as written: may be read, and cannot; why, beginning with its name
  // Names in `files` of those that neither lie in the folders given nor beside: found in the file's project.
  std::set<std::string> of_project;
};
using HeaderSet = std::shared_ptr<const Headers>;  // null: none

// Whether <name> is a header of C, C++ or the CUDA Toolkit, which no project brings along. A project's own
// header can be written in the same way, as <helper_math.h>, and a compiler then finds it by its -I.
bool is_of_toolchain(std::string_view name);

inline bool same(const HeaderSet& a, const HeaderSet& b) {
  if (a == b) return true;
  if (!a || !b || a->found != b->found || a->around != b->around || a->files.size() != b->files.size())
    return false;
  for (std::size_t i = 0; i < a->files.size(); ++i) {
    if (a->files[i].name != b->files[i].name || a->files[i].text != b->files[i].text) return false;
  }
  return true;
}

}  // namespace warplens::cuda
