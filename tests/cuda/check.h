// What the tests of the front-end share.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "sim/cuda/parse/parse.h"
#include "tests/cuda/dump.h"

namespace warplens::cuda {

inline std::string rendered(const std::vector<Diagnostic>& diagnostics, std::string_view text) {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics) out += render(diagnostic, text, "k.cu");
  return out;
}

// The tree of a text without a mistake.
inline std::string tree(std::string_view text, const Defines& defines = {}) {
  ParseResult result = parse(text, defines);
  EXPECT_EQ(rendered(result.diagnostics, text), "") << text;
  return dump(result.unit);
}

// The statements of a kernel, as in "x = 1;".
inline std::string body(std::string_view statements, std::string_view before = "") {
  std::string text = std::string(before) + "__global__ void k(float* a, float* b, int n, int m) {\n" +
                     std::string(statements) + "}";
  ParseResult result = parse(text);
  EXPECT_EQ(rendered(result.diagnostics, text), "") << text;
  if (result.unit.functions.empty()) return "";
  std::string out = dump(*result.unit.functions.back().body);
  return out.size() < 4 ? "" : out.substr(2, out.size() - 4);
}

inline std::string expression(std::string_view text) {
  ParsedExpression result = parse_expression(text);
  EXPECT_EQ(rendered(result.diagnostics, text), "") << text;
  return result.expr ? dump(*result.expr) : "";
}

// "2:7 message" of every diagnostic, one a line.
inline std::string messages(std::string_view text, const Defines& defines = {}) {
  std::string out;
  for (const Diagnostic& d : parse(text, defines).diagnostics) {
    const SourcePlace& place = d.range.begin;
    out += (out.empty() ? "" : "\n") + std::to_string(place.line) + ":" + std::to_string(place.column) + " " +
           d.message.english();
  }
  return out;
}

inline std::string read_text(const std::string& name) {
  std::ifstream file(std::string(WARPLENS_SOURCE_DIR) + "/tests/cuda/texts/" + name, std::ios::binary);
  EXPECT_TRUE(file) << name;
  std::stringstream content;
  content << file.rdbuf();
  return content.str();
}

}  // namespace warplens::cuda
