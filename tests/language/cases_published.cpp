// What published kernels are full of beside the arithmetic: functions as arguments, overloads beside CUDA's
// own, limits, hyperbolic functions, declarations in their older forms.
#include <limits>

#include "tests/language/language_case.h"

namespace function_arguments {
#include "function_arguments.cu.h"
}
namespace overloads_beside_builtins {
using ::fmaxf, ::make_float3, ::max;  // CUDA's lie in the same namespace as the kernel
#include "overloads_beside_builtins.cu.h"
}  // namespace overloads_beside_builtins
namespace hyperbolic {
#include "hyperbolic.cu.h"
}
namespace declarations {
#include "declarations.cu.h"
}

namespace lambdas {
#include "lambdas.cu.h"
}
namespace block_votes {
#include "block_votes.cu.h"
}
namespace constant_pointers {
#include "constant_pointers.cu.h"
}
namespace initial_values {
#include "initial_values.cu.h"
}

namespace warplens::language {
namespace {

constexpr Fill R = Fill::Random;

const Register activations(
    {.file = "function_arguments.cu",
     .kernel = "layer",
     .template_arguments = {"relu", "difference"},
     .grid = {4},
     .block = {64},
     .arguments = {buffer("in", 256, R), buffer("bias", 256, R), buffer("out", 256), number("n", 200)},
     .host = HOST(function_arguments::layer<function_arguments::relu, function_arguments::difference>(
         h["in"], h["bias"], h["out"], 200)),
     .totals = {{"global load requests", 7 * 5}}});
const Register intervals(
    {.file = "overloads_beside_builtins.cu",
     .kernel = "bounds",
     .grid = {2},
     .block = {64},
     .arguments = {buffer("in", 400, R), buffer("out", 100), buffer("counts", 100), number("n", 100)},
     .host = HOST(overloads_beside_builtins::bounds(h["in"], h["out"], h["counts"], 100))});
const Register functions({.file = "hyperbolic.cu",
                          .kernel = "hyperbolic",
                          .grid = {2},
                          .block = {64},
                          .arguments = {buffer("x", 100, R), buffer("y", 100, R), buffer("out", 100),
                                        buffer("wide", 100), buffer("whole", 100), number("n", 100)},
                          .host = HOST(hyperbolic::hyperbolic(h["x"], h["y"], h["out"], h["wide"], h["whole"],
                                                              100)),
                          .tolerance = 1e-6});
const Register forms({.file = "declarations.cu",
                      .kernel = "forms",
                      .block = {64},
                      .shared_bytes = 256,
                      .arguments = {buffer("in", 64, R), buffer("out", 64), number("mode", 1),
                                    number("n", 64)},
                      .host = HOST(declarations::forms(h["in"], h["out"], declarations::kNegate, 64))});
const Register sums({.file = "lambdas.cu",
                     .kernel = "sums",
                     .grid = {2},
                     .block = {64},
                     .arguments = {buffer("in", 132, R), buffer("out", 128), number("n", 2)},
                     .host = HOST(lambdas::sums(h["in"], h["out"], 2)),
                     .totals = {{"global load requests", 4 * 3}, {"global store requests", 4}}});
const Register numbers({
  .file = "lambdas.cu", .kernel = "numbers", .grid = {2}, .block = {64}, .arguments = {buffer("seen", 128)},
  .host = HOST(lambdas::numbers(h["seen"])), .after = HOST(const int calls = 228; h.take(calls, "calls"))
});
const Register most({.file = "lambdas.cu",
                     .kernel = "most",
                     .grid = {2},
                     .block = {64},
                     .arguments = {buffer("in", 128, R), buffer("best", 4), buffer("counts", 8)},
                     .host = HOST(lambdas::most(h["in"], h["best"], h["counts"]))});
const Register settled({.file = "block_votes.cu",
                        .kernel = "settle",
                        .grid = {3},
                        .block = {128},
                        .arguments = {buffer("weights", 300, R), buffer("distance", 300), buffer("rounds", 3),
                                      number("n", 300)},
                        .host = HOST(block_votes::settle(h["weights"], h["distance"], h["rounds"], 300))});
// Three whole blocks, and 12 threads of the fourth: its other two warps end without a vote.
const Register counted({.file = "block_votes.cu",
                        .kernel = "census",
                        .grid = {4},
                        .block = {96},
                        .arguments = {buffer("in", 300, R), buffer("counts", 16), real("threshold", 0.25),
                                      number("n", 300)},
                        .host = HOST(block_votes::census(h["in"], h["counts"], 0.25f, 300)),
                        .totals = {{"global load requests", 3 * 3 + 1}, {"barriers", 4 * (3 * 3 + 1)}}});

// In each of 7 warps a request for in, table, steps, scattered and big, two for the corner, four for the
// members of a Weight, and one in each of three rounds for the matrix.
const Register initial({.file = "initial_values.cu",
                        .kernel = "mixed",
                        .grid = {4},
                        .block = {64},
                        .arguments = {buffer("in", 200, R), buffer("out", 200), number("n", 200)},
                        .host = HOST(initial_values::mixed(h["in"], h["out"], 200)),
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
const Register taps({.file = "constant_pointers.cu",
                     .kernel = "filter",
                     .grid = {2},
                     .block = {64},
                     .arguments = {buffer("in", 100, R), buffer("out", 100), number("n", 100),
                                   buffer("coefficients", 4, Fill::Iota)},
                     .before = HOST(h.fill(constant_pointers::coefficients, "coefficients")),
                     .host = HOST(constant_pointers::filter(h["in"], h["out"], 100)),
                     .after =
                         [](HostBuffers& h) {
                           h.take(constant_pointers::window, "window");
                           h.take(constant_pointers::offsets, "offsets");
                           h.take(constant_pointers::scale, "scale");
                         },
                     .totals = {{"global load requests", 4 * 2}}});

}  // namespace
}  // namespace warplens::language
