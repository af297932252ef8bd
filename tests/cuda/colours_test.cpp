// The colours of a text.

#include "sim/lower/builtins/colour.h"
#include "tests/cuda/check.h"

namespace warplens::cuda {
namespace {

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
            "number:1.5f builtin:__syncthreads comment:// end");
  EXPECT_EQ(coloured("#include <cuda.h>\n# define N 3 /* c */\nreturn \"s\";"),
            "pre:# pre:include string:< string:cuda string:. string:h string:> pre:# pre:define plain:N "
            "number:3 comment:/* c */ keyword:return string:\"s\"");
}

TEST(Colours, OfBrokenText) {
  EXPECT_EQ(coloured("int x = \"open\n/* no end"), "type:int plain:x string:\"open comment:/* no end");
}

}  // namespace
}  // namespace warplens::cuda
