// Each access of the text: the totals are counted by hand from it, a request a warp.
#include "conditions.cu.h"
#include "each_access.cu.h"
#include "tests/language/language_case.h"

namespace warplens::language {
namespace {

// Eight warps; one begins beyond the end, and in half of one there is nothing to do. A sector holds two
// particles: four members, and one of another particle.
const Register kCases[] = {
    {CALLED("4 64 particles=@240:random out=@240 n=240", each_access, heights),
     {.totals = {{"global load requests", 7 * 5},
                 {"global load sectors", 5 * 208 / 2},
                 {"global load bytes", 5 * 4 * 208},
                 {"global store requests", 7}}}},
    {CALLED("2 64 particles=@128:random n=128", each_access, heavier),
     {.totals = {{"global load requests", 4 * 4},
                 {"global store requests", 4 * 4},
                 {"global store bytes", 16 * 128}}}},
    // Two members of a pair, four of a quad, four of a cell, a whole quad; four members stored.
    {CALLED("2 64 pairs=@128:random quads=@256:random cells=@128:random out=@128 n=128", each_access,
            members),
     {.totals = {{"global load requests", 4 * (2 + 4 + 4 + 1)},
                 {"global load bytes", 128 * (8 + 16 + 16 + 16)},
                 {"global store requests", 4 * 4},
                 {"global store bytes", 128 * 16}}}},
    // In two warps: the length six times, a row and b[i] in each of five turns, sums[i] and b[i + k] in each
    // of three; a store in each of the three turns and one behind them.
    {CALLED("1 64 a=@320:random b=@66:random sums=@64:random out=@64 lengths=@6:iota n=3", each_access,
            turns),
     {.totals = {{"global load requests", 2 * (6 + 2 * 5 + 2 * 3)}, {"global store requests", 2 * (3 + 1)}}}},
    // No turn: of b[i] and sums[i] nothing is loaded.
    {CALLED("1 64 a=@320:random b=@66:random sums=@64:random out=@64 lengths=@6 n=0", each_access, turns),
     {.totals = {{"global load requests", 2}, {"global store requests", 2}}}},
    // a[i] and b[i] three times, seen[i] twice, out[i].
    {CALLED("1 64 a=@64:random b=@64:random out=@128 seen=@64:random", each_access, known),
     {.totals = {{"global load requests", 2 * (3 + 3 + 2 + 1)}, {"global store requests", 2 * 4}}}},
    {CALLED("2 64 a=@256:random next=@256:iota out=@128 n=100", conditions, known_again)},
    {CALLED("1 64 a=@64:random b=@64:random out=@64 n=40", conditions, stored_between)},
    {CALLED("1 64 a=@256:random out=@256 n=40 zero=0", conditions, same_place), {.tolerance = 1e-5}},
    {CALLED("1 64 a=@128:random b=@128:random out=@128 n=40", conditions, copies)},
    // All 64 lanes: a request a warp of 16 sectors; of two loads 4 sectors, and 5 one element on.
    {CALLED("1 64 b=@256:random out=@64 n=16", conditions, chosen),
     {.totals = {{"global load requests", 2}, {"global load sectors", 2 * 16}}, .tolerance = 1e-5}},
    {CALLED("1 64 a=@65:random out=@64 n=16", conditions, chosen_function),
     {.totals = {{"global load requests", 4}, {"global load sectors", 2 * (4 + 5)}}, .tolerance = 1e-5}},
    {CALLED("1 64 a=@64:random out=@64 n=16", conditions, computed),
     {.totals = {{"global load requests", 2}}, .tolerance = 1e-5}},
    // In each turn for q, and but for one turn b and a[i].
    {CALLED("1 64 a=@128:random b=@128:random out=@64 n=20", conditions, overwritten),
     {.totals = {{"global load requests", 2 * (20 + 19 + 19)}}}},
    {CALLED("1 64 a=@128:random out=@64 n=20", conditions, needed_later)}};

}  // namespace
}  // namespace warplens::language
