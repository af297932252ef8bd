// Each access of the text: the totals are counted by hand from it, a request a warp.
#include "tests/language/language_case.h"

namespace each_access {
#include "each_access.cu.h"
}
namespace conditions {
#include "conditions.cu.h"
}

namespace warplens::language {
namespace {

constexpr Fill R = Fill::Random;

// Eight warps; one begins beyond the end, and in half of one there is nothing to do. A sector holds two
// particles: four members, and one of another particle.
const Register heights({.file = "each_access.cu",
                        .kernel = "heights",
                        .grid = {4},
                        .block = {64},
                        .arguments = {buffer("particles", 240, R), buffer("out", 240), number("n", 240)},
                        .host = HOST(each_access::heights(h["particles"], h["out"], 240)),
                        .totals = {{"global load requests", 7 * 5},
                                   {"global load sectors", 5 * 208 / 2},
                                   {"global load bytes", 5 * 4 * 208},
                                   {"global store requests", 7}}});
const Register heavier({.file = "each_access.cu",
                        .kernel = "heavier",
                        .grid = {2},
                        .block = {64},
                        .arguments = {buffer("particles", 128, R), number("n", 128)},
                        .host = HOST(each_access::heavier(h["particles"], 128)),
                        .totals = {{"global load requests", 4 * 4},
                                   {"global store requests", 4 * 4},
                                   {"global store bytes", 16 * 128}}});
// Two members of a pair, four of a quad, four of a cell, a whole quad; four members stored.
const Register members({.file = "each_access.cu",
                        .kernel = "members",
                        .grid = {2},
                        .block = {64},
                        .arguments = {buffer("pairs", 128, R), buffer("quads", 256, R),
                                      buffer("cells", 128, R), buffer("out", 128), number("n", 128)},
                        .host = HOST(each_access::members(h["pairs"], h["quads"], h["cells"], h["out"], 128)),
                        .totals = {{"global load requests", 4 * (2 + 4 + 4 + 1)},
                                   {"global load bytes", 128 * (8 + 16 + 16 + 16)},
                                   {"global store requests", 4 * 4},
                                   {"global store bytes", 128 * 16}}});
// In two warps: the length six times, a row and b[i] in each of five turns, sums[i] and b[i + k] in each of
// three; a store in each of the three turns and one behind them.
const Register turns({.file = "each_access.cu",
                      .kernel = "turns",
                      .block = {64},
                      .arguments = {buffer("a", 320, R), buffer("b", 66, R), buffer("sums", 64, R),
                                    buffer("out", 64), buffer("lengths", 6, Fill::Iota), number("n", 3)},
                      .host = HOST(each_access::turns(h["a"], h["b"], h["sums"], h["out"], h["lengths"], 3)),
                      .totals = {{"global load requests", 2 * (6 + 2 * 5 + 2 * 3)},
                                 {"global store requests", 2 * (3 + 1)}}});
// No turn: of b[i] and sums[i] nothing is loaded.
const Register no_turns({.file = "each_access.cu",
                         .kernel = "turns",
                         .block = {64},
                         .arguments = {buffer("a", 320, R), buffer("b", 66, R), buffer("sums", 64, R),
                                       buffer("out", 64), buffer("lengths", 6), number("n", 0)},
                         .host = HOST(each_access::turns(h["a"], h["b"], h["sums"], h["out"], h["lengths"],
                                                         0)),
                         .totals = {{"global load requests", 2}, {"global store requests", 2}}});
// a[i] and b[i] three times, seen[i] twice, out[i].
const Register known(
    {.file = "each_access.cu",
     .kernel = "known",
     .block = {64},
     .arguments = {buffer("a", 64, R), buffer("b", 64, R), buffer("out", 128), buffer("seen", 64, R)},
     .host = HOST(each_access::known(h["a"], h["b"], h["out"], h["seen"])),
     .totals = {{"global load requests", 2 * (3 + 3 + 2 + 1)}, {"global store requests", 2 * 4}}});

const Register known_again({.file = "conditions.cu",
                            .kernel = "known_again",
                            .grid = {2},
                            .block = {64},
                            .arguments = {buffer("a", 256, R), buffer("next", 256, Fill::Iota),
                                          buffer("out", 128), number("n", 100)},
                            .host = HOST(conditions::known_again(h["a"], h["next"], h["out"], 100))});
const Register seen_stores({.file = "conditions.cu",
                            .kernel = "stored_between",
                            .block = {64},
                            .arguments = {buffer("a", 64, R), buffer("b", 64, R), buffer("out", 64),
                                          number("n", 40)},
                            .host = HOST(conditions::stored_between(h["a"], h["b"], h["out"], 40))});
const Register same_place({.file = "conditions.cu",
                           .kernel = "same_place",
                           .block = {64},
                           .arguments = {buffer("a", 256, R), buffer("out", 256), number("n", 40),
                                         number("zero", 0)},
                           .host = HOST(conditions::same_place(h["a"], h["out"], 40, 0)),
                           .tolerance = 1e-5});
const Register copied_on_one_side({.file = "conditions.cu",
                                   .kernel = "copies",
                                   .block = {64},
                                   .arguments = {buffer("a", 128, R), buffer("b", 128, R), buffer("out", 128),
                                                 number("n", 40)},
                                   .host = HOST(conditions::copies(h["a"], h["b"], h["out"], 40))});
// All 64 lanes: a request a warp of 16 sectors; of two loads 4 sectors, and 5 one element on.
const Register chosen({.file = "conditions.cu",
                       .kernel = "chosen",
                       .block = {64},
                       .arguments = {buffer("b", 256, R), buffer("out", 64), number("n", 16)},
                       .host = HOST(conditions::chosen(h["b"], h["out"], 16)),
                       .totals = {{"global load requests", 2}, {"global load sectors", 2 * 16}},
                       .tolerance = 1e-5});
const Register chosen_function({.file = "conditions.cu",
                                .kernel = "chosen_function",
                                .block = {64},
                                .arguments = {buffer("a", 65, R), buffer("out", 64), number("n", 16)},
                                .host = HOST(conditions::chosen_function(h["a"], h["out"], 16)),
                                .totals = {{"global load requests", 4}, {"global load sectors", 2 * (4 + 5)}},
                                .tolerance = 1e-5});
const Register computed({.file = "conditions.cu",
                         .kernel = "computed",
                         .block = {64},
                         .arguments = {buffer("a", 64, R), buffer("out", 64), number("n", 16)},
                         .host = HOST(conditions::computed(h["a"], h["out"], 16)),
                         .totals = {{"global load requests", 2}},
                         .tolerance = 1e-5});
// In each turn for q, and but for one turn b and a[i].
const Register overwritten({.file = "conditions.cu",
                            .kernel = "overwritten",
                            .block = {64},
                            .arguments = {buffer("a", 128, R), buffer("b", 128, R), buffer("out", 64),
                                          number("n", 20)},
                            .host = HOST(conditions::overwritten(h["a"], h["b"], h["out"], 20)),
                            .totals = {{"global load requests", 2 * (20 + 19 + 19)}}});
const Register needed_later({.file = "conditions.cu",
                             .kernel = "needed_later",
                             .block = {64},
                             .arguments = {buffer("a", 128, R), buffer("out", 64), number("n", 20)},
                             .host = HOST(conditions::needed_later(h["a"], h["out"], 20))});

}  // namespace
}  // namespace warplens::language
