// A library opened while the program runs. It is never closed: CUDA's libraries do not take that well.
#pragma once

#include <string>
#include <vector>

namespace warplens::gpu {

class SharedLibrary {
 public:
  // Tries the names in order: plain ones as the loader finds them, then in the folders where CUDA is usually
  // put.
  static SharedLibrary open(const std::vector<std::string>& names, const std::vector<std::string>& folders);

  explicit operator bool() const { return handle_ != nullptr; }
  void* symbol(const char* name) const;  // nullptr: it has none of that name
  template <class Function>
  bool look_up(const char* name, Function& function) const {
    function = reinterpret_cast<Function>(symbol(name));
    return function != nullptr;
  }
  const std::string& path() const {
    return path_;
  }  // of the file that was loaded, where that can be found out

 private:
  void* handle_ = nullptr;
  std::string path_;
};

// Folders in which a CUDA Toolkit keeps its libraries: CUDA_HOME, CUDA_PATH, the one this was built with,
// /usr/local/cuda*.
std::vector<std::string> cuda_library_folders();
// The same for headers; `near` is a library of the toolkit that is in use, whose own headers come first.
std::vector<std::string> cuda_include_folders(const std::string& near);

}  // namespace warplens::gpu
