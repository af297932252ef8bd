// Kernels as ncu names them: "void ns::k<(int)32, float>(float *, int)", "k", "_Z1kPfi".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warplens::profile {

struct KernelName {
  std::string name;                             // "k", or "ns::k"
  std::vector<std::string> template_arguments;  // "32", "float"; empty where none are written
};
KernelName read_kernel_name(std::string_view printed);

// Whether it can be the kernel that a person or a scenario calls `wanted`: namespaces may be left out.
bool names_kernel(const KernelName& printed, std::string_view wanted);

}  // namespace warplens::profile
