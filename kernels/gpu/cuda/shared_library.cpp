#include "kernels/gpu/cuda/shared_library.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace warplens::gpu {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> toolkit_roots() {
  std::vector<std::string> roots;
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* value = std::getenv(name); value != nullptr && *value != '\0') roots.push_back(value);
  roots.push_back("/usr/local/cuda");
  std::vector<std::string> versions;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/usr/local", ignored))
    if (entry.path().filename().string().rfind("cuda-", 0) == 0) versions.push_back(entry.path());
  std::sort(versions.rbegin(), versions.rend());  // newest first
  roots.insert(roots.end(), versions.begin(), versions.end());
  return roots;
}

void append_split(std::vector<std::string>& list, const std::string& joined) {
  for (std::size_t begin = 0; begin <= joined.size();) {
    const std::size_t end = std::min(joined.find(':', begin), joined.size());
    if (end > begin) list.push_back(joined.substr(begin, end - begin));
    begin = end + 1;
  }
}

std::string path_of(void* handle) {
  link_map* map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr || map->l_name == nullptr) return {};
  return map->l_name;
}

}  // namespace

SharedLibrary SharedLibrary::open(const std::vector<std::string>& names,
                                  const std::vector<std::string>& folders) {
  SharedLibrary library;
  std::vector<std::string> candidates = names;
  std::error_code ignored;
  for (const std::string& folder : folders)
    for (const std::string& name : names)
      if (fs::exists(fs::path(folder) / name, ignored)) candidates.push_back(fs::path(folder) / name);
  for (const std::string& candidate : candidates) {
    library.handle_ = dlopen(candidate.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (library.handle_ != nullptr) {
      library.path_ = path_of(library.handle_);
      return library;
    }
  }
  return library;
}

void* SharedLibrary::symbol(const char* name) const {
  return handle_ != nullptr ? dlsym(handle_, name) : nullptr;
}

std::vector<std::string> cuda_library_folders() {
  std::vector<std::string> folders;
  for (const std::string& root : toolkit_roots())
    for (const char* sub : {"/lib64", "/lib", "/targets/x86_64-linux/lib", "/extras/CUPTI/lib64"})
      folders.push_back(root + sub);
  append_split(folders, WARPLENS_CUDA_LIBRARIES);
  return folders;
}

std::vector<std::string> cuda_include_folders(const std::string& near) {
  std::vector<std::string> candidates, found;
  if (!near.empty()) candidates.push_back(fs::path(near).parent_path().parent_path() / "include");
  for (const std::string& root : toolkit_roots()) candidates.push_back(root + "/include");
  append_split(candidates, WARPLENS_CUDA_INCLUDE);
  std::error_code ignored;
  for (const std::string& folder : candidates) {
    if (!fs::exists(fs::path(folder) / "cuda_fp16.h", ignored)) continue;
    found.push_back(folder);
    if (fs::exists(fs::path(folder) / "cccl", ignored)) found.push_back(folder + "/cccl");
    break;  // headers of two versions must not mix
  }
  return found;
}

}  // namespace warplens::gpu
