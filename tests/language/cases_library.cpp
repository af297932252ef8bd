// CUDA's libraries as today's courses use them. The host has none of them: what must come out is worked out
// here.
#include <algorithm>

#include "tests/language/language_case.h"

namespace warplens::language {
namespace {

const Register split_sums({.launch = {"course_library.cu", "split_sums", {3}, {64}},
                           .arguments = {buffer("in.ptr", 192, R), number("in.count", 192),
                                         buffer("out.ptr", 150), number("out.count", 150)},
                           .host = HOST(),
                           .after =
                               [](HostBuffers& h) {
                                 const float* in = h["in.ptr"];
                                 float* out = h["out.ptr"];
                                 for (int i = 0; i < 150; ++i) {
                                   float left = 0, right = 0;
                                   for (int k = i / 64 * 64; k < i; ++k) left += in[k];
                                   for (int k = i + 1; k < (i / 64 + 1) * 64; ++k) right += in[k];
                                   out[i] = left - right + in[i / 64 * 64 + 63];
                                 }
                               },
                           .totals = {{"shared store requests", 6}},
                           .tolerance = 1e-5});

// Of 600 cells 416 turn once more than the others; each turn stores.
const Register heat({.launch = {"course_library.cu", "heat", {4}, {64}},
                     .arguments = {buffer("in.ptr", 600, R), number("in.ext.e0", 20), number("in.ext.e1", 30),
                                   number("in.ext.e2", 0), buffer("out", 600)},
                     .host = HOST(),
                     .after =
                         [](HostBuffers& h) {
                           const float* in = h["in.ptr"];
                           float* out = h["out"];
                           for (int i = 0; i < 600; ++i) {
                             const int row = i / 30, column = i % 30;
                             const bool is_edge = row == 0 || column == 0 || row == 19 || column == 29;
                             out[i] = is_edge ? in[i] : in[i - 1] + in[i + 1] + in[i - 30] + in[i + 30];
                           }
                         },
                     .totals = {{"global store requests", 19}},
                     .tolerance = 1e-5});

// A warp reads two rows of sixteen columns: a sector a column.
const Register by_columns({.launch = {"course_library.cu", "by_columns", {1}, {128}},
                           .arguments = {buffer("in", 128, I), buffer("out", 128)},
                           .host = HOST(),
                           .after =
                               [](HostBuffers& h) {
                                 const float* in = h["in"];
                                 float* out = h["out"];
                                 for (int i = 0; i < 128; ++i) out[i] = in[i % 16 * 8 + i / 16] + 8 + 64;
                               },
                           .totals = {{"global load requests", 4},
                                      {"global load sectors", 4 * 16},
                                      {"global store sectors", 4 * 4}}});

const Register wide_index({.launch = {"course_library.cu", "wide_index"},
                           .arguments = {buffer("in", 32, I), buffer("out", 32)},
                           .host = HOST(),
                           .after = [](HostBuffers& h) {
                             const float* in = h["in"];
                             float* out = h["out"];
                             for (int i = 0; i < 32; ++i) out[i] = in[i % 8 * 4 + i / 8] + in[0];
                           }});

// As nvcc makes them, which keeps the old value of each: atomics, not reductions.
const Register count_bins({.launch = {"course_library.cu", "count_bins", {3}, {64}},
                           .arguments = {buffer("values.ptr", 192, I), number("values.count", 192),
                                         buffer("bins.ptr", 8), number("bins.count", 8)},
                           .host = HOST(),
                           .after =
                               [](HostBuffers& h) {
                                 const int* values = h["values.ptr"];
                                 int* bins = h["bins.ptr"];
                                 for (int i = 0; i < 192; ++i) ++bins[values[i] % 8];
                               },
                           .totals = {{"shared atomic requests", 6},
                                      {"global atomic requests", 3},
                                      {"global reduction requests", 0}}});

const Register references({.launch = {"course_library.cu", "references", {1}, {64}},
                           .arguments = {buffer("word", 1), buffer("most", 1), buffer("sum", 1)},
                           .host = HOST(),
                           .after =
                               [](HostBuffers& h) {
                                 *static_cast<int*>(h["word"]) = 200 - (100 - 1);
                                 *static_cast<unsigned*>(h["most"]) = 21;
                                 *static_cast<float*>(h["sum"]) = 32;
                               },
                           .totals = {{"global atomic requests", 2 + 2 + 3},
                                      {"global load requests", 1},
                                      {"global store requests", 1}}});

const Register bindings({.launch = {"course_library.cu", "bindings", {1}, {96}},
                         .arguments = {buffer("pairs", 96, R), buffer("out", 96)},
                         .host = HOST(),
                         .after = [](HostBuffers& h) {
                           float* pairs = h["pairs"];
                           int* out = h["out"];
                           for (int i = 0; i < 96; ++i) {
                             float &low = pairs[2 * i], &high = pairs[2 * i + 1];
                             if (low > high) std::swap(low, high);
                             out[i] = i / 10 * 100 + (i % 10 == 0 ? 7 : 0) + (low + 1 > high) + 14 + i % 10;
                           }
                         }});

const Register reduced({.launch = {"course_library.cu", "reduced<int>", {2}, {64}, 256},
                        .arguments = {buffer("in", 128, I), buffer("out", 2)},
                        .host = HOST(),
                        .after =
                            [](HostBuffers& h) {
                              const int* in = h["in"];
                              int* out = h["out"];
                              for (int i = 0; i < 128; ++i) out[i / 64] += in[i] * (64 - i % 64);
                            },
                        .warnings = 2});

const Register histogram({.launch = {"course_library.cu", "histogram", {1}, {64}},
                          .arguments = {buffer("in", 128, I), buffer("bins", 8)},
                          .host = HOST(),
                          .after =
                              [](HostBuffers& h) {
                                const int* in = h["in"];
                                int* bins = h["bins"];
                                for (int i = 0; i < 64; ++i) ++bins[in[i] % 8], ++bins[in[i + 64] % 3];
                              },
                          .totals = {{"shared store requests", 1}, {"shared atomic requests", 4}}});

}  // namespace
}  // namespace warplens::language
