// Accesses as compilers make them of those in the text. The totals are those of nvcc 13.0: a request a warp
// for each access in its PTX.
#include "tests/language/language_case.h"

namespace issued_accesses {
#include "issued_accesses.cu.h"
}
namespace conditions {
#include "conditions.cu.h"
}
namespace loads_in_branches {
#include "loads_in_branches.cu.h"
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

// Sixteen lanes take the branch: 2 sectors of floats, 8 of float4; the eight of two conditions 1.
Case in_branch(const char* kernel, std::int64_t load_sectors, std::function<void(HostBuffers&)> host) {
  return {.file = "loads_in_branches.cu",
          .kernel = kernel,
          .grid = {1},
          .block = {32},
          .arguments = {buffer("out", 720), buffer("q", 256, R), number("n", 16)},
          .host = std::move(host),
          .totals = {{"global load requests", 1}, {"global load sectors", load_sectors}}};
}
const Register guarded(in_branch("guarded", 2, HOST(loads_in_branches::guarded(h["out"], h["q"], 16))));
const Register left_early(in_branch("left_early", 8,
                                    HOST(loads_in_branches::left_early(h["out"], h["q"], 16))));
const Register guarded_twice(in_branch("guarded_twice", 1,
                                       HOST(loads_in_branches::guarded_twice(h["out"], h["q"], 16))));
const Register past_a_store(in_branch("past_a_store", 2,
                                      HOST(loads_in_branches::past_a_store(h["out"], h["q"], 16))));
const Register stays({.file = "loads_in_branches.cu",
                      .kernel = "stays",
                      .grid = {1},
                      .block = {32},
                      .arguments = {buffer("out", 720), buffer("q", 256, R), number("n", 16)},
                      .host = HOST(loads_in_branches::stays(h["out"], h["q"], 16)),
                      .totals = {{"global load requests", 6}, {"global load sectors", 6 * 4}}});

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
// Of 64 lanes 16: one request, of 8 sectors; the other 48: two, of 2 and 4, beside those for y, of 5 each.
const Register chosen({.file = "conditions.cu",
                       .kernel = "chosen",
                       .block = {64},
                       .arguments = {buffer("b", 256, R), buffer("out", 64), number("n", 16)},
                       .host = HOST(conditions::chosen(h["b"], h["out"], 16)),
                       .totals = {{"global load requests", 1}, {"global load sectors", 8}},
                       .tolerance = 1e-5});
const Register chosen_function({.file = "conditions.cu",
                                .kernel = "chosen_function",
                                .block = {64},
                                .arguments = {buffer("a", 65, R), buffer("out", 64), number("n", 16)},
                                .host = HOST(conditions::chosen_function(h["a"], h["out"], 16)),
                                .totals = {{"global load requests", 4}, {"global load sectors", 16}},
                                .tolerance = 1e-5});
const Register computed({.file = "conditions.cu",
                         .kernel = "computed",
                         .block = {64},
                         .arguments = {buffer("a", 64, R), buffer("out", 64), number("n", 16)},
                         .host = HOST(conditions::computed(h["a"], h["out"], 16)),
                         .totals = {{"global load requests", 2}},
                         .tolerance = 1e-5});
const Register overwritten({.file = "conditions.cu",
                            .kernel = "overwritten",
                            .block = {64},
                            .arguments = {buffer("a", 128, R), buffer("b", 128, R), buffer("out", 64),
                                          number("n", 20)},
                            .host = HOST(conditions::overwritten(h["a"], h["b"], h["out"], 20)),
                            .totals = {{"global load requests", 2 * 19}}});
const Register needed_later({.file = "conditions.cu",
                             .kernel = "needed_later",
                             .block = {64},
                             .arguments = {buffer("a", 128, R), buffer("out", 64), number("n", 20)},
                             .host = HOST(conditions::needed_later(h["a"], h["out"], 20))});

}  // namespace
}  // namespace warplens::language
