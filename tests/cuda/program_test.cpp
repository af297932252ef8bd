// Whole files as courses and public collections have them: parsed without a word, and with the right tree.

#include "sim/lower/builtins/colour.h"
#include "tests/cuda/check.h"

namespace warplens::cuda {
namespace {

// The names of a file that must parse without a diagnostic.
struct Outline {
  std::vector<std::string> functions;
};

Outline outline(const std::string& name) {
  std::string text = read_text(name);
  ParseResult result = parse(text);
  EXPECT_EQ(rendered(result.diagnostics, text), "");
  Outline out;
  for (const Function& f : result.unit.functions)
    if (f.range.begin.offset < result.unit.library) out.functions.push_back(f.name);
  return out;
}

bool has_line(const std::string& text, const std::string& line) {
  std::stringstream lines(text);
  for (std::string each; std::getline(lines, each);) {
    if (each == line) return true;
  }
  return false;
}

TEST(Programs, Transpose) {
  Outline out = outline("transpose.cu");
  EXPECT_EQ(out.functions, (std::vector<std::string>{"copy_row", "transpose_tiled", "transpose_dynamic"}));
  EXPECT_TRUE(has_line(
      tree(read_text("transpose.cu")),
      "kernel copy_row(float* out, const float* in, const int nrows, const int ncols) { unsigned int "
      "ix = ((blockDim.x * blockIdx.x) + threadIdx.x); unsigned int iy = ((blockDim.y * blockIdx.y) + "
      "threadIdx.y); if (((ix < ncols) && (iy < nrows))) (out[((iy * ncols) + ix)] = in[((iy * ncols) "
      "+ ix)]); }"));
}

TEST(Programs, VectorisedSgemm) {
  Outline out = outline("sgemm_vectorised.cu");
  EXPECT_EQ(out.functions, (std::vector<std::string>{"loadFromGmem", "processFromSmem", "sgemmWarptiling"}));
  std::string text = tree(read_text("sgemm_vectorised.cu"));
  for (const char* piece :
       {"const float4 tmp = reinterpret_cast<const float4*>((&A[(((innerRowA + offset) * K) + (innerColA * "
        "4))]))[0];",
        "float& threadResults[(WMITER * TM)][(WNITER * TN)]",
        "loadFromGmem<BM, BN, BK, ((NUM_THREADS * 4) / BK), (NUM_THREADS / (BN / 4))>(N, K, A, B, As, "
        "(&Bs[0][0][0]), ",
        "__shared__ align(16) float Bs[2][BK][BN];", "kernel bounds(NUM_THREADS, 1) sgemmWarptiling(",
        "(c_cast<int4*>(A)[threadIdx.x] = (*(c_cast<const int4*>(B) + threadIdx.x)));"}) {
    EXPECT_NE(text.find(piece), std::string::npos) << piece;
  }
}

TEST(Programs, Reduction) {
  Outline out = outline("reduction.cu");
  EXPECT_EQ(out.functions, (std::vector<std::string>{"block_sum", "reduce5", "warp_vote", "never_called"}));
  std::string text = tree(read_text("reduction.cu"));
  for (const char* piece :
       {"extern __shared__ T sdata[];", "thread_block_tile<32> tile32 = tiled_partition<32>(cta);",
        "(sdata[tid] = (mySum = (mySum + sdata[(tid + s)])));",
        "((c_cast<unsigned long long>(__popc(ballot)) << 32) | (any + all))"}) {
    EXPECT_NE(text.find(piece), std::string::npos) << piece;
  }
}

TEST(Programs, HistogramStencilScan) {
  Outline out = outline("histogram_stencil.cu");
  EXPECT_EQ(out.functions,
            (std::vector<std::string>{"histogram_shared", "stencil_1d", "scan_block", "particles"}));
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
