// Structs as libraries write them: members behind their struct, parts without a name, references; functions
// that types choose; text.
#include <type_traits>

#include "chosen_by_type.cu.h"
#include "members_outside.cu.h"
#include "parts_and_references.cu.h"
#include "tests/language/language_case.h"
#include "text_tables.cu.h"

namespace warplens::language {
namespace {

const Register outside({.launch = {"members_outside.cu", "outside", {2}, {64}},
                        .arguments = {buffer("in", 140, R), buffer("out", 100), buffer("numbers", 100),
                                      number("n", 100)},
                        .host = called(members_outside::outside)});
const Register parts({.launch = {"parts_and_references.cu", "parts", {2}, {64}},
                      .arguments = {buffer("in", 100, R), buffer("out", 100), buffer("pairs", 100, R),
                                    number("n", 100)},
                      .host = called(parts_and_references::parts)});
const Register references({.launch = {"parts_and_references.cu", "references", {2}, {64}},
                           .arguments = {buffer("in", 100, R), buffer("out", 400), buffer("vectors", 100, R),
                                         number("n", 100)},
                           .host = called(parts_and_references::references)});
const Register chosen({.launch = {"chosen_by_type.cu", "chosen<float, float>", {2}, {64}},
                       .arguments = {buffer("in", 100, R), real("f", 2), buffer("out", 100),
                                     buffer("numbers", 100), buffer("sorted", 100, I), number("n", 100)},
                       .host = called(chosen_by_type::chosen<float, float, float>)});
// Eight characters and a length a thread, in four warps.
const Register spelled({.launch = {"text_tables.cu", "spell", {2}, {64}},
                        .arguments = {buffer("in", 100, R), buffer("out", 800), buffer("lengths", 100),
                                      number("n", 100)},
                        .host = called(text_tables::spell),
                        .after =
                            [](HostBuffers& h) {
                              h.take(text_tables::names, "names");
                              h.take(text_tables::digits, "digits");
                            },
                        .totals = {{"global store requests", 4 * 9}}});
}  // namespace
}  // namespace warplens::language
