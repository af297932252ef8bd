// A kernel's name, as people, compilers and PTX write it, and where it stands in its file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/cuda/parse/parse.h"

namespace warplens::sim {

// "void ns::k<32, float>(int*)", taken apart; a part that is not there is empty. "ns" is the scope, in which
// namespaces without a name are left out; the signature is "(int*)".
struct KernelName {
  std::string scope, name, signature;
  std::vector<std::string> arguments;  // of the template, as they are written

  std::string qualified() const { return scope.empty() ? name : scope + "::" + name; }
  std::string with_arguments() const;  // "ns::k<32, float>"
};
KernelName read_kernel_name(std::string_view text);
// How each of a file's kernels is called there: by as little as no other has.
std::vector<std::string> told_apart(const std::vector<KernelName>& kernels);

// A template argument without what compilers add, (int)32u; and whether two are the same, as true and 1.
std::string plain_argument(std::string_view text);
bool is_same_argument(const std::string& one, const std::string& other);

// Whether the kernel is what is wanted: by any part of its name, or exactly. An instance of a template has
// arguments, of which the first may be all that is said.
bool is_meant(const KernelName& has, const KernelName& wanted, bool exactly);
// Which of the kernels are: the one that is so exactly, or else all that are by a part; all, where none is
// named.
std::vector<std::size_t> meant(const std::vector<KernelName>& kernels, const KernelName& wanted);

// The kernel that "k<32>", "b::k<32>" or "::a::b::k<32>" means: the namespaces that it stands in, "a::b", as
// far as they have names and the text can be read, and "k<32>". A compiler knows it by both only.
struct KernelPlace {
  std::string scope, name;
};
KernelPlace place_of_kernel(std::string_view text, const std::string& kernel,
                            const cuda::Defines& defines = {}, const cuda::HeaderSet& headers = {});

}  // namespace warplens::sim
