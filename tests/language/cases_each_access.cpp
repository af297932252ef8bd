// Each access of the text: the totals are counted by hand from it, a request a warp.
#include "conditions.cu.h"
#include "each_access.cu.h"
#include "tests/language/language_case.h"

namespace warplens::language {
namespace {

// Eight warps; one begins beyond the end, and in half of one there is nothing to do. A sector holds two
// particles: four members, and one of another particle.
const Register heights({.launch = {"each_access.cu", "heights", {4}, {64}},
                        .arguments = {buffer("particles", 240, R), buffer("out", 240), number("n", 240)},
                        .host = called(each_access::heights),
                        .totals = {{"global load requests", 7 * 5},
                                   {"global load sectors", 5 * 208 / 2},
                                   {"global load bytes", 5 * 4 * 208},
                                   {"global store requests", 7}}});
const Register heavier({.launch = {"each_access.cu", "heavier", {2}, {64}},
                        .arguments = {buffer("particles", 128, R), number("n", 128)},
                        .host = called(each_access::heavier),
                        .totals = {{"global load requests", 4 * 4},
                                   {"global store requests", 4 * 4},
                                   {"global store bytes", 16 * 128}}});
// Two members of a pair, four of a quad, four of a cell, a whole quad; four members stored.
const Register members({.launch = {"each_access.cu", "members", {2}, {64}},
                        .arguments = {buffer("pairs", 128, R), buffer("quads", 256, R),
                                      buffer("cells", 128, R), buffer("out", 128), number("n", 128)},
                        .host = called(each_access::members),
                        .totals = {{"global load requests", 4 * (2 + 4 + 4 + 1)},
                                   {"global load bytes", 128 * (8 + 16 + 16 + 16)},
                                   {"global store requests", 4 * 4},
                                   {"global store bytes", 128 * 16}}});
// In two warps: the length six times, a row and b[i] in each of five turns, sums[i] and b[i + k] in each of
// three; a store in each of the three turns and one behind them.
const Register turns({.launch = {"each_access.cu", "turns", {1}, {64}},
                      .arguments = {buffer("a", 320, R), buffer("b", 66, R), buffer("sums", 64, R),
                                    buffer("out", 64), buffer("lengths", 6, I), number("n", 3)},
                      .host = called(each_access::turns),
                      .totals = {{"global load requests", 2 * (6 + 2 * 5 + 2 * 3)},
                                 {"global store requests", 2 * (3 + 1)}}});
// No turn: of b[i] and sums[i] nothing is loaded.
const Register no_turns({.launch = {"each_access.cu", "turns", {1}, {64}},
                         .arguments = {buffer("a", 320, R), buffer("b", 66, R), buffer("sums", 64, R),
                                       buffer("out", 64), buffer("lengths", 6), number("n", 0)},
                         .host = called(each_access::turns),
                         .totals = {{"global load requests", 2}, {"global store requests", 2}}});
// a[i] and b[i] three times, seen[i] twice, out[i].
const Register known(
    {.launch = {"each_access.cu", "known", {1}, {64}},
     .arguments = {buffer("a", 64, R), buffer("b", 64, R), buffer("out", 128), buffer("seen", 64, R)},
     .host = called(each_access::known),
     .totals = {{"global load requests", 2 * (3 + 3 + 2 + 1)}, {"global store requests", 2 * 4}}});

const Register known_again({.launch = {"conditions.cu", "known_again", {2}, {64}},
                            .arguments = {buffer("a", 256, R), buffer("next", 256, I), buffer("out", 128),
                                          number("n", 100)},
                            .host = called(conditions::known_again)});
const Register seen_stores({.launch = {"conditions.cu", "stored_between", {1}, {64}},
                            .arguments = {buffer("a", 64, R), buffer("b", 64, R), buffer("out", 64),
                                          number("n", 40)},
                            .host = called(conditions::stored_between)});
const Register same_place({.launch = {"conditions.cu", "same_place", {1}, {64}},
                           .arguments = {buffer("a", 256, R), buffer("out", 256), number("n", 40),
                                         number("zero", 0)},
                           .host = called(conditions::same_place),
                           .tolerance = 1e-5});
const Register copied_on_one_side({.launch = {"conditions.cu", "copies", {1}, {64}},
                                   .arguments = {buffer("a", 128, R), buffer("b", 128, R), buffer("out", 128),
                                                 number("n", 40)},
                                   .host = called(conditions::copies)});
// All 64 lanes: a request a warp of 16 sectors; of two loads 4 sectors, and 5 one element on.
const Register chosen({.launch = {"conditions.cu", "chosen", {1}, {64}},
                       .arguments = {buffer("b", 256, R), buffer("out", 64), number("n", 16)},
                       .host = called(conditions::chosen),
                       .totals = {{"global load requests", 2}, {"global load sectors", 2 * 16}},
                       .tolerance = 1e-5});
const Register chosen_function({.launch = {"conditions.cu", "chosen_function", {1}, {64}},
                                .arguments = {buffer("a", 65, R), buffer("out", 64), number("n", 16)},
                                .host = called(conditions::chosen_function),
                                .totals = {{"global load requests", 4}, {"global load sectors", 2 * (4 + 5)}},
                                .tolerance = 1e-5});
const Register computed({.launch = {"conditions.cu", "computed", {1}, {64}},
                         .arguments = {buffer("a", 64, R), buffer("out", 64), number("n", 16)},
                         .host = called(conditions::computed),
                         .totals = {{"global load requests", 2}},
                         .tolerance = 1e-5});
// In each turn for q, and but for one turn b and a[i].
const Register overwritten({.launch = {"conditions.cu", "overwritten", {1}, {64}},
                            .arguments = {buffer("a", 128, R), buffer("b", 128, R), buffer("out", 64),
                                          number("n", 20)},
                            .host = called(conditions::overwritten),
                            .totals = {{"global load requests", 2 * (20 + 19 + 19)}}});
const Register needed_later({.launch = {"conditions.cu", "needed_later", {1}, {64}},
                             .arguments = {buffer("a", 128, R), buffer("out", 64), number("n", 20)},
                             .host = called(conditions::needed_later)});

}  // namespace
}  // namespace warplens::language
