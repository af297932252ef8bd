// Accesses as compilers make them of those in the text. The totals are those of nvcc 13.0: a request a warp
// for each access in its PTX.
#include "tests/language/language_case.h"

namespace issued_accesses {
#include "issued_accesses.cu.h"
}

namespace warplens::language {
namespace {

constexpr Fill R = Fill::Random;

// Eight warps; one begins beyond the end, and in half of one there is nothing to do. A sector holds two
// particles.
const Register heights({.file = "issued_accesses.cu",
                        .kernel = "heights",
                        .grid = {4},
                        .block = {64},
                        .arguments = {buffer("particles", 240, R), buffer("out", 240), number("n", 240)},
                        .host = HOST(issued_accesses::heights(h["particles"], h["out"], 240)),
                        .totals = {{"global load requests", 7},
                                   {"global load sectors", 208 / 2},
                                   {"global load bytes", 4 * 208},
                                   {"global store requests", 7}}});
const Register heavier(
    {.file = "issued_accesses.cu",
     .kernel = "heavier",
     .grid = {2},
     .block = {64},
     .arguments = {buffer("particles", 128, R), number("n", 128)},
     .host = HOST(issued_accesses::heavier(h["particles"], 128)),
     .totals = {{"global load requests", 4}, {"global store requests", 4}, {"global store bytes", 4 * 128}}});
// Pairs, quads and cells; of the last quad one member.
const Register members({.file = "issued_accesses.cu",
                        .kernel = "members",
                        .grid = {2},
                        .block = {64},
                        .arguments = {buffer("pairs", 128, R), buffer("quads", 256, R),
                                      buffer("cells", 128, R), buffer("out", 128), number("n", 128)},
                        .host = HOST(issued_accesses::members(h["pairs"], h["quads"], h["cells"], h["out"],
                                                              128)),
                        .totals = {{"global load requests", 4 * 4},
                                   {"global load bytes", 128 * (8 + 16 + 16 + 4)},
                                   {"global store requests", 4},
                                   {"global store bytes", 128 * 16}}});
// In two warps: the length, b[i], a row in each of five turns, sums[i] and three b[i + k]; a store in each of
// the three turns and one behind them.
const Register turns(
    {.file = "issued_accesses.cu",
     .kernel = "turns",
     .block = {64},
     .arguments = {buffer("a", 320, R), buffer("b", 66, R), buffer("sums", 64, R), buffer("out", 64),
                   buffer("lengths", 6, Fill::Iota), number("n", 3)},
     .host = HOST(issued_accesses::turns(h["a"], h["b"], h["sums"], h["out"], h["lengths"], 3)),
     .totals = {{"global load requests", 2 * (1 + 1 + 5 + 1 + 3)}, {"global store requests", 2 * (3 + 1)}}});
// No turn: of b[i] and sums[i] nothing is loaded.
const Register no_turns({.file = "issued_accesses.cu",
                         .kernel = "turns",
                         .block = {64},
                         .arguments = {buffer("a", 320, R), buffer("b", 66, R), buffer("sums", 64, R),
                                       buffer("out", 64), buffer("lengths", 6), number("n", 0)},
                         .host = HOST(issued_accesses::turns(h["a"], h["b"], h["sums"], h["out"],
                                                             h["lengths"], 0)),
                         .totals = {{"global load requests", 2}, {"global store requests", 2}}});
// a[i] once; b[i] again behind the barrier and behind a store; seen[i] twice.
const Register known(
    {.file = "issued_accesses.cu",
     .kernel = "known",
     .block = {64},
     .arguments = {buffer("a", 64, R), buffer("b", 64, R), buffer("out", 128), buffer("seen", 64, R)},
     .host = HOST(issued_accesses::known(h["a"], h["b"], h["out"], h["seen"])),
     .totals = {{"global load requests", 2 * (1 + 3 + 2 + 1)}, {"global store requests", 2 * 4}}});

}  // namespace
}  // namespace warplens::language
