// A whole file, parsed without a word and with the right tree; and its colours.

#include "sim/lower/builtins/colour.h"
#include "tests/cuda/check.h"

namespace warplens::cuda {
namespace {

TEST(Programs, HistogramStencilScan) {
  std::string text = tree(read_text("histogram_stencil.cu"));
  for (const char* piece :
       {"struct Pair_ align(8) { int key; float value; }\n", "using Pair = Pair_;\n",
        "switch (mode) { case Clamp: case Mirror: { (q.mass = 0); break; } case Wrap: ",
        "if ((axis == Axis::Y)) (pairs[i].key = i); else ((pairs + i)->value = sqrtf(q.mass));",
        "(m = (k ? (old , 2) : (*cp))) , (m |= (((~k) & (!m)) ^ (1000 >> 2)))",
        "unsigned long a2 = 511ul; short a3 = 1; unsigned char a4 = char 65; int a5 = (-1);"}) {
    EXPECT_NE(text.find(piece), std::string::npos) << piece;
  }
}

// ---- colours ----

std::string coloured(std::string_view text) {
  static const char* const kNames[] = {"plain",  "keyword", "type", "builtin", "number",
                                       "string", "comment", "pre",  "punct"};
  std::string out;
  for (const ColouredToken& token : colour_tokens(text)) {
    if (token.token_class == TokenClass::Punctuation) continue;
    out += (out.empty() ? "" : " ") + std::string(kNames[static_cast<int>(token.token_class)]) + ":" +
           std::string(text.substr(token.begin, token.end - token.begin));
  }
  return out;
}

TEST(Colours, OfEveryClass) {
  EXPECT_EQ(coloured("__global__ void k(float4* p) { p[threadIdx.x] = 1.5f; __syncthreads(); } // end"),
            "keyword:__global__ type:void plain:k type:float4 plain:p plain:p builtin:threadIdx plain:x "
            "number:1.5f "
            "builtin:__syncthreads comment:// end");
  EXPECT_EQ(
      coloured("#include <cuda.h>\n# define N 3 /* c */\nreturn \"s\";"),
      "pre:# pre:include string:< string:cuda string:. string:h string:> pre:# pre:define plain:N number:3 "
      "comment:/* c */ keyword:return string:\"s\"");
}

TEST(Colours, OfBrokenText) {
  EXPECT_EQ(coloured("int x = \"open\n/* no end"), "type:int plain:x string:\"open comment:/* no end");
}

}  // namespace
}  // namespace warplens::cuda
