// The table of CUDA's own functions: it is what docs/functions.md says, what is coloured and what is
// suggested.
#include <gmock/gmock.h>

#include <fstream>
#include <set>
#include <sstream>

#include "sim/cuda/text/names.h"
#include "sim/lower/builtins/colour.h"
#include "sim/lower/builtins/table.h"
#include "sim/lower/lower.h"

namespace warplens::sim::lower {
namespace builtin_table_test {

std::string row(const std::string& title, const std::set<std::string>& names) {
  std::string text = "| " + title + " |";
  for (const std::string& name : names) text += " `" + name + "`";
  return text + " |\n";
}

// Conversions are every pair of these words, with or without a rounding: as one name each.
std::string page() {
  std::map<std::string, std::set<std::string>> rows;
  for (const auto& [name, f] : builtins()) {
    if (f.group.empty()) continue;  // sim/cuda/library's own
    const bool converts = f.group == "Conversions";
    rows[std::string(f.group)].insert(converts ? "__" + name.substr(2, name.find('2') - 2) + "2…" : name);
  }
  for (const BuiltinVariable& variable : kBuiltinVariables) rows["Variables"].emplace(variable.name);
  for (const auto& [name, type] : cuda::builtin_types()) {
    const bool vector = type.kind == cuda::BuiltinType::Kind::Vector;
    rows[vector ? "Vector types" : "Types"].insert(name);
  }
  std::string text = "| | |\n|---|---|\n";
  for (const auto& [title, names] : rows) text += row(title, names);
  return text;
}

TEST(BuiltinTable, IsWhatTheDocumentationLists) {
  std::ifstream file(WARPLENS_SOURCE_DIR "/docs/functions.md");
  std::stringstream document;
  document << file.rdbuf();
  EXPECT_THAT(document.str(), testing::HasSubstr(page()))
      << "docs/functions.md, \"All names\", is to have this table";
}

TEST(BuiltinTable, IsColouredAndSuggested) {
  for (const char* name :
       {"sincosf", "copysignf", "exp10f", "isfinite", "__hadd2", "atomicAdd_block", "warpSize"}) {
    const auto tokens = cuda::colour_tokens(name);
    ASSERT_EQ(tokens.size(), 1u);
    EXPECT_EQ(tokens[0].token_class, cuda::TokenClass::Builtin) << name;
  }
  EXPECT_EQ(cuda::colour_tokens("__no_such_thing")[0].token_class, cuda::TokenClass::Plain);
  CompileRequest request;
  request.text = "__global__ void k(float* a) { a[0] = copysingf(a[1], a[2]); }";
  const CompileResult result = compile(request, nullptr);
  ASSERT_FALSE(result.diagnostics.empty());
  EXPECT_EQ(result.diagnostics[0].remedy, "did you mean 'copysignf'?");
}

}  // namespace builtin_table_test
}  // namespace warplens::sim::lower
