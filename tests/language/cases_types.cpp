// Structs, templates, vector types, halves, integers, macros, control flow.
#include "tests/language/host/library_functions.h"
#include "tests/language/language_case.h"

namespace vector_add {
#include "vector_add.cu.h"
}
namespace aos {
#include "particles_aos.cu.h"
}
namespace soa {
#include "particles_soa.cu.h"
}
namespace library_texts {
#include "library_texts.cu.h"
}
namespace bases {
#include "bases.cu.h"
}
namespace names_and_overloads {
#include "names_and_overloads.cu.h"
}
namespace bit_fields {
#include "bit_fields.cu.h"
}
namespace copies_and_lookup {
#include "copies_and_lookup.cu.h"
}
namespace template_names {
#include "template_names.cu.h"
}
namespace unions {
#include "unions.cu.h"
}
namespace nbody {
#include "nbody.cu.h"
}
namespace byte_copies {
#include "byte_copies.cu.h"
}
namespace bfloat_norm {
#include "bfloat_norm.cu.h"
}
namespace half_axpy {
#include "half_axpy.cu.h"
}
namespace int8_dot {
#include "int8_dot.cu.h"
}
namespace partition {
#include "shared_partition.cu.h"
}
namespace functors {
#include "functors.cu.h"
}
namespace nested {
#include "templates_nested.cu.h"
}
namespace float3s {
#include "float3_operators.cu.h"
}
namespace macros {
#include "macros.cu.h"
}
namespace control {
#include "control_flow.cu.h"
}
namespace integers {
#include "integer_types.cu.h"
}
namespace julia_set {
#include "mandelbrot.cu.h"
}
namespace spheres {
#include "ray_spheres.cu.h"
}
namespace view {
#include "linear_view.cu.h"
}
namespace ring {
#include "register_queue.cu.h"
}
namespace references {
#include "constants_by_reference.cu.h"
}
namespace bit_tricks {
#include "bit_tricks.cu.h"
}
namespace pointers {
#include "pointers.cu.h"
}
namespace monte_carlo {
#include "monte_carlo_lcg.cu.h"
}
namespace life {
#include "game_of_life.cu.h"
}
namespace options {
#include "black_scholes.cu.h"
}

namespace warplens::language {
namespace {

constexpr Fill R = Fill::Random, I = Fill::Iota;

// 200 elements in four blocks of 64: the last has one full and seven eighths of nothing, 25 sectors of 8
// floats each.
const Register add(
    {.file = "vector_add.cu",
     .kernel = "vectorAdd",
     .grid = {4},
     .block = {64},
     .arguments = {buffer("A", 200, R), buffer("B", 200, R), buffer("C", 200), number("numElements", 200)},
     .host = HOST(vector_add::vectorAdd(h["A"], h["B"], h["C"], 200)),
     .totals = {{"global load requests", 14}, {"global load sectors", 50}, {"global store sectors", 25}}});
const Register add_stride({.file = "vector_add.cu",
                           .kernel = "addStride",
                           .grid = {2},
                           .block = {64},
                           .arguments = {buffer("y", 1000, R), buffer("x", 1000, R), number("n", 1000),
                                         real("a", 0.75)},
                           .host = HOST(vector_add::addStride(h["y"], h["x"], 1000, 0.75f))});

const Register particles({.file = "particles_aos.cu",
                          .kernel = "advanceParticles",
                          .grid = {2},
                          .block = {64},
                          .arguments = {buffer("particles", 100, R), buffer("energy", 100), number("n", 100),
                                        real("dt", 0.25), real("gravity.x", 0), real("gravity.y", -9.8125),
                                        real("gravity.z", 1)},
                          .host = HOST(aos::advanceParticles(h["particles"], h["energy"], 100, 0.25f,
                                                             aos::Vec3(0, -9.8125f, 1)))});
// Seven floats a particle: one warp's load of a member touches 7 * 32 * 4 / 32 = 28 sectors. length2() reads
// each of x, y and z twice, which a compiler loads once; with the mass that makes four loads.
const Register energies(
    {.file = "particles_aos.cu",
     .kernel = "energyOnly",
     .grid = {1},
     .block = {32},
     .arguments = {buffer("particles", 32, R), buffer("energy", 32), number("n", 32)},
     .host = HOST(aos::energyOnly(h["particles"], h["energy"], 32)),
     .totals = {{"global load requests", 7}, {"global load sectors", 7 * 28}, {"global store sectors", 4}}});
const Register arrays({.file = "particles_soa.cu",
                       .kernel = "moveParticles",
                       .grid = {2},
                       .block = {64},
                       .arguments = {buffer("p.x", 100, R), buffer("p.y", 100, R), buffer("p.mass", 100, R),
                                     number("p.count", 100), real("dx", 0.5), real("dy", 0.25)},
                       .host = HOST(soa::moveParticles({h["p.x"], h["p.y"], h["p.mass"], 100}, 0.5f,
                                                       0.25f))});
const Register bodies({.file = "nbody.cu",
                       .kernel = "integrateBodies",
                       .grid = {2},
                       .block = {32},
                       .shared_bytes = 512,
                       .arguments = {buffer("p", 64, R), buffer("v", 64, R), real("dt", 0.015625),
                                     number("n", 64)},
                       .host = HOST(nbody::integrateBodies(h["p"], h["v"], 0.015625f, 64)),
                       .totals = {{"shared load requests", 2 * 2 * 32}, {"shared load bank_conflicts", 0}}});

const Register halves({.file = "half_axpy.cu",
                       .kernel = "haxpy",
                       .grid = {1},
                       .block = {32},
                       .arguments = {number("n", 99), real("a", 2.5), buffer("x", 99, R), buffer("y", 99, R)},
                       .host = HOST(half_axpy::haxpy(99, __float2half(2.5f), h["x"], h["y"]))});
const Register widened({.file = "half_axpy.cu",
                        .kernel = "widen",
                        .grid = {2},
                        .block = {64},
                        .arguments = {buffer("in", 100, R), buffer("out", 100), number("n", 100)},
                        .host = HOST(half_axpy::widen(h["in"], h["out"], 100)),
                        .totals = {{"global load bytes", 200}}});
const Register packets({.file = "byte_copies.cu",
                        .kernel = "scale_packets",
                        .grid = {2},
                        .block = {64},
                        .arguments = {buffer("out", 100), buffer("in", 100), real("factor", 0.5),
                                      number("n", 100)},
                        .host = HOST(byte_copies::scale_packets(h["out"], h["in"], 0.5f, 100)),
                        .totals = {{"global load requests", 4}, {"global store requests", 4}}});
// As many sectors a request as the whole copy has in words.
const Register byte_rows({.file = "byte_copies.cu",
                          .kernel = "copy_rows",
                          .grid = {1},
                          .block = {32},
                          .arguments = {buffer("out", 256), buffer("in", 128, R)},
                          .host = HOST(byte_copies::copy_rows(h["out"], h["in"])),
                          .totals = {{"global load requests", 16},
                                     {"global load sectors", 16 * 16},
                                     {"global store requests", 16 + 4},
                                     {"global store sectors", 16 * 16 + 4 * 16}}});
const Register bfloat_pairs({.file = "bfloat_norm.cu",
                             .kernel = "rms_norm",
                             .grid = {4},
                             .block = {32},
                             .arguments = {buffer("out", 4 * 192), buffer("in", 4 * 192, R),
                                           buffer("weight", 192, R), number("width", 192)},
                             .host = HOST(bfloat_norm::rms_norm(h["out"], h["in"], h["weight"], 192)),
                             .totals = {{"global load bytes", 4 * 192 * 2 * 3}}});
const Register bfloats({.file = "bfloat_norm.cu",
                        .kernel = "bias_relu",
                        .grid = {2},
                        .block = {64},
                        .arguments = {buffer("x", 100, R), buffer("bias", 8, R), buffer("widened", 100),
                                      number("n", 100)},
                        .host = HOST(bfloat_norm::bias_relu(h["x"], h["bias"], h["widened"], 100)),
                        .totals = {{"global load bytes", 2 * 3 * 100}}});
const Register bytes(
    {.file = "int8_dot.cu",
     .kernel = "dequant_dot",
     .grid = {2},
     .block = {64},
     .arguments = {buffer("a", 100, R), buffer("b", 100, R), buffer("out", 100), buffer("clamped", 100),
                   number("n", 100), real("q.scale", 0.5), number("q.zero_point", 3)},
     .host = HOST(int8_dot::dequant_dot(h["a"], h["b"], h["out"], h["clamped"], 100, {0.5f, 3}))});
const Register arena({.file = "shared_partition.cu",
                      .kernel = "statistics",
                      .grid = {2},
                      .block = {32},
                      .shared_bytes = 16 * 8 + 8 * 4 + 32 * 2,
                      .arguments = {buffer("values", 32, R), buffer("keys", 8, I), buffer("out", 64),
                                    buffer("order", 32), number("nv", 16), number("nk", 8)},
                      .host = HOST(partition::statistics(h["values"], h["keys"], h["out"], h["order"], 16,
                                                         8))});

const Register sums({.file = "functors.cu",
                     .kernel = "reduceRows",
                     .template_arguments = {"Sum<float>"},
                     .grid = {4},
                     .arguments = {buffer("in", 400, R), buffer("out", 4), number("columns", 100)},
                     .host = HOST((functors::reduceRows<functors::Sum<float>, float>(h["in"], h["out"],
                                                                                     100)))});
const Register maxima({.file = "functors.cu",
                       .kernel = "reduceRows",
                       .template_arguments = {"Max<int>", "int"},
                       .grid = {4},
                       .arguments = {buffer("in", 400, R), buffer("out", 4), number("columns", 100)},
                       .host = HOST((functors::reduceRows<functors::Max<int>, int>(h["in"], h["out"],
                                                                                   100)))});
const Register scaled({.file = "functors.cu",
                       .kernel = "scaled",
                       .arguments = {buffer("in", 128, R), buffer("out", 32)},
                       .host = HOST(functors::scaled(h["in"], h["out"]))});
const Register packs({.file = "templates_nested.cu",
                      .kernel = "packs",
                      .template_arguments = {"float", "8"},
                      .grid = {2},
                      .arguments = {buffer("in", 500, R), buffer("out", 64), number("n", 500)},
                      .host = HOST((nested::packs<float, 8>(h["in"], h["out"], 500)))});
const Register packs_int({.file = "templates_nested.cu",
                          .kernel = "packs",
                          .template_arguments = {"int", "4", "false"},
                          .grid = {2},
                          .arguments = {buffer("in", 250, R), buffer("out", 64), number("n", 250)},
                          .host = HOST((nested::packs<int, 4, false>(h["in"], h["out"], 250)))});
const Register shaded({.file = "float3_operators.cu",
                       .kernel = "shade",
                       .grid = {2},
                       .block = {64},
                       .arguments = {buffer("normals", 100, R), buffer("lights", 3, R),
                                     buffer("colours", 100), number("n", 100)},
                       .host = HOST(float3s::shade(h["normals"], h["lights"], h["colours"], 100))});

const Register squares({.file = "macros.cu",
                        .kernel = "square_kernel",
                        .grid = {2},
                        .block = {64},
                        .arguments = {buffer("out", 100), buffer("in", 100, R), number("n", 100)},
                        .host = HOST(macros::square_kernel(h["out"], h["in"], 100))});
const Register clamped({.file = "macros.cu",
                        .kernel = "clamp_kernel",
                        .grid = {2},
                        .block = {64},
                        .arguments = {buffer("out", 100), buffer("in", 100, R), number("n", 100)},
                        .host = HOST(macros::clamp_kernel(h["out"], h["in"], 100))});
const Register pairs({.file = "macros.cu",
                      .kernel = "reversePairs",
                      .grid = {1},
                      .block = {64},
                      .arguments = {buffer("a", 64, I), number("n", 64)},
                      .host = HOST(macros::reversePairs(h["a"], 64))});
const Register flow({.file = "control_flow.cu",
                     .kernel = "flow",
                     .grid = {2},
                     .block = {48},
                     .arguments = {buffer("out", 96), number("n", 12)},
                     .host = HOST(control::flow(h["out"], 12))});
const Register arithmetic({.file = "integer_types.cu",
                           .kernel = "arithmetic",
                           .grid = {2},
                           .block = {64},
                           .arguments = {buffer("in", 128, R), buffer("wide", 128), buffer("narrow", 128),
                                         buffer("bits", 128), number("n", 120)},
                           .host = HOST(integers::arithmetic(h["in"], h["wide"], h["narrow"], h["bits"],
                                                             120))});

const Register fractal({.file = "mandelbrot.cu",
                        .kernel = "kernel",
                        .grid = {32},
                        .block = {32},
                        .arguments = {buffer("ptr", 32 * 32 * 4)},
                        .host = HOST(julia_set::kernel(h["ptr"]))});
const Register rays({.file = "ray_spheres.cu",
                     .kernel = "kernel",
                     .grid = {2, 2},
                     .block = {16, 16},
                     .arguments = {buffer("ptr", 32 * 32 * 4), buffer("s", 5, R)},
                     .before = [](HostBuffers& h) { h.fill(spheres::s, "s"); },
                     .host = HOST(spheres::kernel(h["ptr"])),
                     .totals = {{"global load requests", 0}, {"global store bytes", 4096}}});
const Register rows({.file = "linear_view.cu",
                     .kernel = "scaleRows",
                     .template_arguments = {"RowMajor"},
                     .grid = {1},
                     .block = {64},
                     .arguments = {buffer("data", 40 * 24, R), number("rows", 40), number("columns", 24),
                                   buffer("sums", 40)},
                     .host = HOST(view::scaleRows<view::RowMajor>(h["data"], 40, 24, h["sums"]))});
const Register columns({.file = "linear_view.cu",
                        .kernel = "scaleRows",
                        .template_arguments = {"ColumnMajor"},
                        .grid = {1},
                        .block = {64},
                        .arguments = {buffer("data", 40 * 24, R), number("rows", 40), number("columns", 24),
                                      buffer("sums", 40)},
                        .host = HOST(view::scaleRows<view::ColumnMajor>(h["data"], 40, 24, h["sums"]))});
const Register moving({.file = "register_queue.cu",
                       .kernel = "movingSum",
                       .arguments = {buffer("in", 512, R), buffer("out", 512), number("per_thread", 16)},
                       .host = HOST(ring::movingSum(h["in"], h["out"], 16))});
const Register bits({.file = "bit_tricks.cu",
                     .kernel = "bits",
                     .grid = {2},
                     .block = {64},
                     .arguments = {buffer("out", 100), buffer("counts", 100), number("n", 100)},
                     .host = HOST(bit_tricks::bits(h["out"], h["counts"], 100))});
const Register constants({.file = "constants_by_reference.cu",
                          .kernel = "constants",
                          .template_arguments = {"8"},
                          .grid = {2},
                          .block = {64},
                          .arguments = {buffer("out", 200), buffer("in", 100, R), number("n", 100)},
                          .host = HOST(references::constants<8>(h["out"], h["in"], 100))});
const Register walked({.file = "pointers.cu",
                       .kernel = "walk",
                       .arguments = {buffer("in", 256, R), buffer("front", 32), buffer("back", 32),
                                     buffer("where", 32), number("n", 8)},
                       .host = HOST(pointers::walk(h["in"], h["front"], h["back"], h["where"], 8))});
const Register pi({.file = "monte_carlo_lcg.cu",
                   .kernel = "estimatePi",
                   .grid = {2},
                   .block = {64},
                   .arguments = {buffer("hits", 1), number("samples", 20)},
                   .host = HOST(monte_carlo::estimatePi(h["hits"], 20))});
const Register generations({.file = "game_of_life.cu",
                            .kernel = "simpleLifeKernel",
                            .grid = {2},
                            .block = {128},
                            .arguments = {buffer("lifeData", 600, R), number("worldWidth", 30),
                                          number("worldHeight", 20), buffer("resultLifeData", 600)},
                            .host = HOST(life::simpleLifeKernel(h["lifeData"], 30, 20,
                                                                h["resultLifeData"]))});
const Register priced(
    {.file = "black_scholes.cu",
     .kernel = "BlackScholesGPU",
     .grid = {1},
     .block = {128},
     .arguments = {buffer("d_CallResult", 100), buffer("d_PutResult", 100), buffer("d_StockPrice", 100, R),
                   buffer("d_OptionStrike", 100, R), buffer("d_OptionYears", 100, R), real("Riskfree", 0.02),
                   real("Volatility", 0.3), number("optN", 200)},
     .host = HOST(options::BlackScholesGPU(h["d_CallResult"], h["d_PutResult"], h["d_StockPrice"],
                                           h["d_OptionStrike"], h["d_OptionYears"], 0.02f, 0.3f, 200)),
     .tolerance = 1e-5});

const Register named_by_templates({.file = "template_names.cu",
                                   .kernel = "names",
                                   .template_arguments = {"float", "true"},
                                   .grid = {3},
                                   .block = {64},
                                   .arguments = {buffer("in", 150, Fill::Random), buffer("out", 150),
                                                 buffer("words", 150), number("n", 150)},
                                   .host = HOST(template_names::names<float, true>(h["in"], h["out"],
                                                                                   h["words"], 150)),
                                   .after = HOST(h.take(template_names::weights<float, 3>, "weights")),
                                   .totals = {{"global load requests", 5}, {"global store requests", 10}}});
const Register named_for_integers({.file = "template_names.cu",
                                   .kernel = "names",
                                   .template_arguments = {"int", "false"},
                                   .grid = {3},
                                   .block = {64},
                                   .arguments = {buffer("in", 150, Fill::Random), buffer("out", 150),
                                                 buffer("words", 150), number("n", 150)},
                                   .host = HOST(template_names::names<int, false>(h["in"], h["out"],
                                                                                  h["words"], 150)),
                                   .after = HOST(h.take(template_names::weights<float, 3>, "weights"))});

const Register complex_numbers({.file = "library_texts.cu",
                                .kernel = "complex_numbers",
                                .grid = {3},
                                .block = {64},
                                .arguments = {buffer("a", 150, Fill::Random), buffer("b", 150, Fill::Random),
                                              buffer("out", 150), number("n", 150)},
                                .host = HOST(library_texts::complex_numbers(h["a"], h["b"], h["out"], 150))});
const Register bit_functions({.file = "library_texts.cu",
                              .kernel = "bit_functions",
                              .grid = {3},
                              .block = {64},
                              .arguments = {buffer("a", 150, Fill::Iota), buffer("b", 150, Fill::Iota),
                                            buffer("out", 150), buffer("parts", 150), number("n", 150)},
                              .host = HOST(library_texts::bit_functions(h["a"], h["b"], h["out"], h["parts"],
                                                                        150))});
// steps[i]: 4 bytes a lane, far_steps[i]: 16, of which 12 are read.
const Register names_of_namespaces(
    {.file = "names_and_overloads.cu",
     .kernel = "names_and_overloads",
     .grid = {3},
     .block = {64},
     .arguments = {buffer("in", 150, Fill::Random), buffer("steps", 150, Fill::Random),
                   buffer("far_steps", 150, Fill::Iota), buffer("out", 150), number("n", 150)},
     .host = HOST(names_and_overloads::names_and_overloads(h["in"], h["steps"], h["far_steps"], h["out"],
                                                           150)),
     .tolerance = 1e-5});
const Register fields_of_bits(
    {.file = "bit_fields.cu",
     .kernel = "bit_fields",
     .grid = {3},
     .block = {64},
     .arguments = {buffer("cells", 150, Fill::Random), buffer("mixed", 150, Fill::Random),
                   buffer("wide", 150, Fill::Random), buffer("flags", 150),
                   buffer("tights", 150, Fill::Random), buffer("in", 150, Fill::Random), buffer("out", 150),
                   number("n", 150)},
     .host = HOST(bit_fields::bit_fields(h["cells"], h["mixed"], h["wide"], h["flags"], h["tights"], h["in"],
                                         h["out"], 150))});
const Register copies({.file = "copies_and_lookup.cu",
                       .kernel = "copies_and_lookup",
                       .grid = {3},
                       .block = {64},
                       .arguments = {buffer("in", 150, Fill::Random), buffer("out", 150), number("n", 150)},
                       .host = HOST(copies_and_lookup::copies_and_lookup(h["in"], h["out"], 150))});
const Register derived({.file = "bases.cu",
                        .kernel = "derived",
                        .grid = {3},
                        .block = {64},
                        .arguments = {buffer("in", 150, Fill::Random), buffer("out", 150),
                                      buffer("kept", 150), number("n", 150)},
                        .host = HOST(bases::derived(h["in"], h["out"], h["kept"], 150))});
const Register partial_of_a_pointer({.file = "bases.cu",
                                     .kernel = "partial",
                                     .template_arguments = {"float*"},
                                     .grid = {3},
                                     .block = {64},
                                     .arguments = {buffer("in", 153, Fill::Random), buffer("out", 150),
                                                   number("n", 150)},
                                     .host = HOST(bases::partial<float*>(h["in"], h["out"], 150))});
const Register partial_of_an_integer({.file = "bases.cu",
                                      .kernel = "partial",
                                      .template_arguments = {"int"},
                                      .grid = {3},
                                      .block = {64},
                                      .arguments = {buffer("in", 153, Fill::Random), buffer("out", 150),
                                                    number("n", 150)},
                                      .host = HOST(bases::partial<int>(h["in"], h["out"], 150))});

// The union is as wide as its float4: one load a thread.
const Register bytes_seen_twice({.file = "unions.cu",
                                 .kernel = "seen_twice",
                                 .grid = {3},
                                 .block = {64},
                                 .arguments = {buffer("in", 600, Fill::Random), buffer("out", 150),
                                               buffer("words", 150), number("n", 150)},
                                 .host = HOST(unions::seen_twice(h["in"], h["out"], h["words"], 150)),
                                 .totals = {{"global load requests", 5}, {"global load sectors", 75}}});
const Register nested_in_templates({.file = "unions.cu",
                                    .kernel = "windows",
                                    .grid = {2},
                                    .block = {64},
                                    .arguments = {buffer("in", 100, Fill::Random), buffer("out", 100),
                                                  number("n", 100)},
                                    .host = HOST(unions::windows(h["in"], h["out"], 100))});

}  // namespace
}  // namespace warplens::language
