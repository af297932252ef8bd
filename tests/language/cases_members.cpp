// Structs as libraries write them: members behind their struct, parts without a name, references; functions
// that types choose; text; words of several numbers.
#include <type_traits>

#include "tests/language/host/library_functions.h"
#include "tests/language/language_case.h"

namespace members_outside {
#include "members_outside.cu.h"
}
namespace parts_and_references {
#include "parts_and_references.cu.h"
}
namespace chosen_by_type {
#include "chosen_by_type.cu.h"
}
namespace text_tables {
#include "text_tables.cu.h"
}
namespace dpx_words {
#include "dpx_words.cu.h"
}
namespace simd_words {
#include "simd_words.cu.h"
}

namespace warplens::language {
namespace {

constexpr Fill R = Fill::Random;

const Register outside({.file = "members_outside.cu",
                        .kernel = "outside",
                        .grid = {2},
                        .block = {64},
                        .arguments = {buffer("in", 140, R), buffer("out", 100), buffer("numbers", 100),
                                      number("n", 100)},
                        .host = HOST(members_outside::outside(h["in"], h["out"], h["numbers"], 100))});
const Register parts({.file = "parts_and_references.cu",
                      .kernel = "parts",
                      .grid = {2},
                      .block = {64},
                      .arguments = {buffer("in", 100, R), buffer("out", 100), buffer("pairs", 100, R),
                                    number("n", 100)},
                      .host = HOST(parts_and_references::parts(h["in"], h["out"], h["pairs"], 100))});
const Register references(
    {.file = "parts_and_references.cu",
     .kernel = "references",
     .grid = {2},
     .block = {64},
     .arguments = {buffer("in", 100, R), buffer("out", 400), buffer("vectors", 100, R), number("n", 100)},
     .host = HOST(parts_and_references::references(h["in"], h["out"], h["vectors"], 100))});
const Register chosen(
    {.file = "chosen_by_type.cu",
     .kernel = "chosen",
     .template_arguments = {"float", "float"},
     .grid = {2},
     .block = {64},
     .arguments = {buffer("in", 100, R), real("f", 2), buffer("out", 100), buffer("numbers", 100),
                   buffer("sorted", 100, Fill::Iota), number("n", 100)},
     .host = HOST(chosen_by_type::chosen<float, float, float>(h["in"], 2.0f, h["out"], h["numbers"],
                                                              h["sorted"], 100))});
// Eight characters and a length a thread, in four warps.
const Register spelled({.file = "text_tables.cu",
                        .kernel = "spell",
                        .grid = {2},
                        .block = {64},
                        .arguments = {buffer("in", 100, R), buffer("out", 800), buffer("lengths", 100),
                                      number("n", 100)},
                        .host = HOST(text_tables::spell(h["in"], h["out"], h["lengths"], 100)),
                        .after =
                            [](HostBuffers& h) {
                              h.take(text_tables::names, "names");
                              h.take(text_tables::digits, "digits");
                            },
                        .totals = {{"global store requests", 4 * 9}}});
const Register simd({.file = "simd_words.cu",
                     .kernel = "simd_words",
                     .grid = {2},
                     .block = {64},
                     .arguments = {buffer("in", 100, R), buffer("other", 100, R), buffer("out", 82 * 100),
                                   number("n", 100)},
                     .host = HOST(simd_words::simd_words(h["in"], h["other"], h["out"], 100))});
const Register dpx({.file = "dpx_words.cu",
                    .kernel = "dpx_words",
                    .grid = {2},
                    .block = {64},
                    .arguments = {buffer("in", 100, R), buffer("other", 100, R), buffer("out", 44 * 100),
                                  number("n", 100)},
                    .host = HOST(dpx_words::dpx_words(h["in"], h["other"], h["out"], 100))});

}  // namespace
}  // namespace warplens::language
