// What published kernels are full of beside the arithmetic: functions as arguments, overloads beside CUDA's
// own, limits, hyperbolic functions, declarations in their older forms.
#include <limits>

#include "tests/language/language_case.h"

namespace overloads_beside_builtins {
using ::fmaxf, ::make_float3, ::max;  // CUDA's lie in the same namespace as the kernel
}
#include "block_votes.cu.h"
#include "constant_pointers.cu.h"
#include "declarations.cu.h"
#include "function_arguments.cu.h"
#include "hyperbolic.cu.h"
#include "initial_values.cu.h"
#include "lambdas.cu.h"
#include "overloads_beside_builtins.cu.h"

namespace warplens::language {
namespace {

const Register activations(
    {.launch = {"function_arguments.cu", "layer<relu, difference>", {4}, {64}},
     .arguments = {buffer("in", 256, R), buffer("bias", 256, R), buffer("out", 256), number("n", 200)},
     .host = called(function_arguments::layer<function_arguments::relu, function_arguments::difference>),
     .totals = {{"global load requests", 7 * 5}}});
const Register intervals({.launch = {"overloads_beside_builtins.cu", "bounds", {2}, {64}},
                          .arguments = {buffer("in", 400, R), buffer("out", 100), buffer("counts", 100),
                                        number("n", 100)},
                          .host = called(overloads_beside_builtins::bounds)});
const Register functions({.launch = {"hyperbolic.cu", "hyperbolic", {2}, {64}},
                          .arguments = {buffer("x", 100, R), buffer("y", 100, R), buffer("out", 100),
                                        buffer("wide", 100), buffer("whole", 100), number("n", 100)},
                          .host = called(hyperbolic::hyperbolic),
                          .tolerance = 1e-6});
const Register forms({.launch = {"declarations.cu", "forms", {1}, {64}, 256},
                      .arguments = {buffer("in", 64, R), buffer("out", 64), number("mode", 1),
                                    number("n", 64)},
                      .host = HOST(declarations::forms(h["in"], h["out"], declarations::kNegate, 64))});
const Register sums({.launch = {"lambdas.cu", "sums", {2}, {64}},
                     .arguments = {buffer("in", 132, R), buffer("out", 128), number("n", 2)},
                     .host = called(lambdas::sums),
                     .totals = {{"global load requests", 4 * 3}, {"global store requests", 4}}});
const Register numbers({
  .launch = {"lambdas.cu", "numbers", {2}, {64}}, .arguments = {buffer("seen", 128)},
  .host = called(lambdas::numbers), .after = HOST(const int calls = 228; h.take(calls, "calls"))
});
const Register most({.launch = {"lambdas.cu", "most", {2}, {64}},
                     .arguments = {buffer("in", 128, R), buffer("best", 4), buffer("counts", 8)},
                     .host = called(lambdas::most)});
const Register settled({.launch = {"block_votes.cu", "settle", {3}, {128}},
                        .arguments = {buffer("weights", 300, R), buffer("distance", 300), buffer("rounds", 3),
                                      number("n", 300)},
                        .host = called(block_votes::settle)});
// Three whole blocks, and 12 threads of the fourth: its other two warps end without a vote.
const Register counted({.launch = {"block_votes.cu", "census", {4}, {96}},
                        .arguments = {buffer("in", 300, R), buffer("counts", 16), real("threshold", 0.25),
                                      number("n", 300)},
                        .host = called(block_votes::census),
                        .totals = {{"global load requests", 3 * 3 + 1}, {"barriers", 4 * (3 * 3 + 1)}}});

// In each of 7 warps a request for in, table, steps, scattered and big, two for the corner, four for the
// members of a Weight, and one in each of three rounds for the matrix.
const Register initial({.launch = {"initial_values.cu", "mixed", {4}, {64}},
                        .arguments = {buffer("in", 200, R), buffer("out", 200), number("n", 200)},
                        .host = called(initial_values::mixed),
                        .after =
                            [](HostBuffers& h) {
                              using namespace initial_values;
                              h.take(counter, "counter");
                              h.take(table, "table");
                              h.take(steps, "steps");
                              h.take(matrix, "matrix");
                              h.take(corner, "corner");
                              h.take(weights, "weights");
                              h.take(big, "big");
                              h.take(scattered, "scattered");
                            },
                        .totals = {{"global load requests", 7 * 14}}});
const Register taps({.launch = {"constant_pointers.cu", "filter", {2}, {64}},
                     .arguments = {buffer("in", 100, R), buffer("out", 100), number("n", 100),
                                   buffer("coefficients", 4, I)},
                     .before = HOST(h.fill(constant_pointers::coefficients, "coefficients")),
                     .host = called(constant_pointers::filter),
                     .after =
                         [](HostBuffers& h) {
                           h.take(constant_pointers::window, "window");
                           h.take(constant_pointers::offsets, "offsets");
                           h.take(constant_pointers::scale, "scale");
                         },
                     .totals = {{"global load requests", 4 * 2}}});

}  // namespace
}  // namespace warplens::language
