// What published kernels are full of beside the arithmetic: functions as arguments, overloads beside CUDA's
// own, limits, hyperbolic functions, declarations in their older forms.
#include <concepts>
#include <limits>

#include "tests/language/language_case.h"

namespace overloads_beside_builtins {
using ::fmaxf, ::make_float3, ::max;  // CUDA's lie in the same namespace as the kernel
}
#include "block_votes.cu.h"
#include "constraints.cu.h"
#include "declarations.cu.h"
#include "function_arguments.cu.h"
#include "hyperbolic.cu.h"
#include "initial_values.cu.h"
#include "lambdas.cu.h"
#include "overloads_beside_builtins.cu.h"

namespace warplens::language {
namespace {

const Register kCases[] = {
    {LAUNCH("4 64 in=@256:random bias=@256:random out=@256 n=200", function_arguments,
            layer<relu, difference>),
     called(function_arguments::layer<function_arguments::relu, function_arguments::difference>),
     {.totals = {{"global load requests", 7 * 5}}}},
    {CALLED("2 64 in=@128:random out=@128 n=128", constraints, constrained<float>)},
    {CALLED("2 64 in=@400:random out=@100 counts=@100 n=100", overloads_beside_builtins, bounds)},
    {CALLED("2 64 x=@100:random y=@100:random out=@100 wide=@100 whole=@100 n=100", hyperbolic, hyperbolic),
     {.tolerance = 1e-6}},
    {LAUNCH("1 64 +256 in=@64:random out=@64 mode=1 n=64", declarations, forms),
     {HOST(declarations::forms(h["in"], h["out"], declarations::kNegate, 64))}},
    {CALLED("2 64 in=@132:random out=@128 n=2", lambdas, sums),
     {.totals = {{"global load requests", 4 * 3}, {"global store requests", 4}}}},
    {LAUNCH("2 64 seen=@128", lambdas, numbers),
     called(lambdas::numbers, {}, HOST(const int calls = 228; h.take(calls, "calls")))},
    {CALLED("2 64 in=@128:random best=@4 counts=@8", lambdas, most)},
    {CALLED("3 128 weights=@300:random distance=@300 rounds=@3 n=300", block_votes, settle)},
    // Three whole blocks, and 12 threads of the fourth: its other two warps end without a vote.
    {CALLED("4 96 in=@300:random counts=@16 threshold=0.25 n=300", block_votes, census),
     {.totals = {{"global load requests", 3 * 3 + 1}, {"barriers", 4 * (3 * 3 + 1)}}}},
    // In each of 7 warps a request for in, table, steps, scattered and big, two for the corner, four for the
    // members of a Weight, and one in each of three rounds for the matrix.
    {LAUNCH("4 64 in=@200:random out=@200 n=200", initial_values, mixed),
     called(initial_values::mixed, {},
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
            }),
     {.totals = {{"global load requests", 7 * 14}}}}};

}  // namespace
}  // namespace warplens::language
