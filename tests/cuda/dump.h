// The syntax tree as text: C++ again, with every parenthesis written.
//
//   kernel k(float* a, int n) { if ((threadIdx.x < n)) ((a[threadIdx.x]) = 1f); }
#pragma once

#include <string>

#include "sim/cuda/parse/syntax.h"

namespace warplens::cuda {

std::string dump(const TranslationUnit& unit);  // one declaration a line
std::string dump(const Function& function);
std::string dump(const Stmt& stmt);
std::string dump(const Expr& expr);
std::string dump(const TypeName& type);

}  // namespace warplens::cuda
