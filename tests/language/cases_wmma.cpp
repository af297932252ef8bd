// nvcuda::wmma: what comes out, and the requests that nvcc's machine code makes.
#include "tests/language/language_case.h"

namespace warplens::language {
namespace {

constexpr int kDepth = 16;

float single(const half* at) {
  return __half2float(*at);
}
float single(const float* at) {
  return *at;
}
void put(half* at, float value) {
  *at = __float2half(value);
}
void put(float* at, float value) {
  *at = value;
}

struct Shape {
  int m, n;
  bool a_rows, b_rows, c_rows;
  int lda, ldb, ldc;
};
int place(int row, int column, bool rows, int length) {
  return rows ? row * length + column : column * length + row;
}
// Twice c += a b, each time rounded to what c holds.
template <class T>
void multiply_twice(const Shape& s, const half* a, const half* b, T* c) {
  for (int row = 0; row < s.m; ++row) {
    for (int column = 0; column < s.n; ++column) {
      T* sum = c + place(row, column, s.c_rows, s.ldc);
      for (int time = 0; time < 2; ++time) {
        float total = single(sum);
        for (int i = 0; i < kDepth; ++i)
          total += single(a + place(row, i, s.a_rows, s.lda)) * single(b + place(i, column, s.b_rows, s.ldb));
        put(sum, total);
      }
    }
  }
}
template <class T>
Case case_of(std::string kernel, const Shape& shape, std::vector<Total> totals) {
  return {.launch = {"wmma_tiles.cu", std::move(kernel)},
          .arguments = {buffer("a", 1024, R), buffer("b", 1024, R), buffer("c", 1024, R)},
          .host = HOST(),
          .after = [shape](HostBuffers& h) { multiply_twice<T>(shape, h["a"], h["b"], h["c"]); },
          .totals = std::move(totals)};
}

// 64 requests fill the tiles. From global memory come 4 bytes a lane for every matrix of 8 x 8; the result is
// loaded and stored in pairs of floats or halves where a lane's two lie side by side.
const Register rows(case_of<float>("square_rows", {16, 16, true, true, true, 24, 24, 20},
                                   {{"global load requests", 64 + 4 + 4 + 4},
                                    {"global store requests", 4},
                                    {"shared load requests", 2},
                                    {"shared load wavefronts", 8}}));
// Rows of 32 bytes: those of a matrix meet in pairs.
const Register columns(case_of<float>("square_columns", {16, 16, false, false, false, 24, 16, 20},
                                      {{"global load requests", 64 + 4 + 4 + 8},
                                       {"global store requests", 8},
                                       {"shared load wavefronts", 4 + 8}}));
const Register halves(case_of<half>("square_halves", {16, 16, false, true, true, 16, 24, 24},
                                    {{"global load requests", 64 + 4 + 4 + 4},
                                     {"global store requests", 4}}));
const Register half_columns(case_of<half>("square_half_columns", {16, 16, true, false, false, 16, 24, 24},
                                          {{"global store requests", 4}}));
const Register tall(case_of<float>("tall", {32, 8, true, true, true, 24, 8, 12},
                                   {{"shared load requests", 3}, {"global store requests", 4}}));
const Register tall_columns(case_of<float>("tall_columns", {32, 8, false, false, false, 40, 24, 36},
                                           {{"global store requests", 8}}));
const Register flat(case_of<float>("flat", {8, 32, true, true, true, 24, 40, 36},
                                   {{"shared load requests", 3}, {"global store requests", 8}}));
const Register flat_columns(case_of<half>("flat_columns", {8, 32, false, false, false, 16, 24, 16},
                                          {{"global store requests", 4}}));

const Register simple(
    {.launch = {"wmma_tiles.cu", "wmma_simple", {1, 2}, {64}},
     .arguments = {buffer("a", 32 * 32, R), buffer("b", 32 * 32, R), buffer("c", 32 * 32, R), number("m", 32),
                   number("n", 32), number("k", 32), real("alpha", 0.5), real("beta", 2)},
     .host = HOST(),
     .after =
         [](HostBuffers& h) {
           const half *a = h["a"], *b = h["b"];
           float* c = h["c"];
           for (int row = 0; row < 32; ++row) {
             for (int column = 0; column < 32; ++column) {
               float sum = 0;
               for (int i = 0; i < 32; ++i) sum += single(a + row * 32 + i) * single(b + column * 32 + i);
               c[row * 32 + column] = 0.5f * sum + 2.0f * c[row * 32 + column];
             }
           }
         },
     .totals = {{"global load requests", 4 * (2 * 8 + 4)}, {"global store requests", 4 * 4}}});

// Of the pointer only the values of a variable are known: counted on an H100 as one LDSM.x4 of 4 wavefronts.
Case by_pointer(std::string kernel, std::vector<NamedArgument> arguments, std::vector<Total> totals) {
  return {.launch = {"wmma_pointers.cu", std::move(kernel), {1}, {32}, 1024},
          .arguments = std::move(arguments),
          .host = HOST(),
          .totals = std::move(totals)};
}
const Register row_at_run_time(by_pointer("row_at_run_time", {buffer("in", 512, R), buffer("out", 32)},
                                          {{"shared load requests", 1}, {"shared load wavefronts", 4}}));
const Register moves_on(by_pointer("moves_on", {buffer("in", 512, R), buffer("out", 32), number("n", 7)},
                                   {{"shared load requests", 3}}));
const Register either(by_pointer("either", {buffer("in", 512, R), buffer("out", 32), number("n", 7)},
                                 {{"shared load requests", 4}}));

}  // namespace
}  // namespace warplens::language
