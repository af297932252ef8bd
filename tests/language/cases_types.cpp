// Structs, templates, vector types, halves, integers, macros, control flow.
#include "bases.cu.h"
#include "bfloat_norm.cu.h"
#include "bit_tricks.cu.h"
#include "black_scholes.cu.h"
#include "byte_copies.cu.h"
#include "constants_by_reference.cu.h"
#include "control_flow.cu.h"
#include "copies_and_lookup.cu.h"
#include "float3_operators.cu.h"
#include "functors.cu.h"
#include "game_of_life.cu.h"
#include "half_axpy.cu.h"
#include "int8_dot.cu.h"
#include "integer_types.cu.h"
#include "library_texts.cu.h"
#include "linear_view.cu.h"
#include "macros.cu.h"
#include "mandelbrot.cu.h"
#include "monte_carlo_lcg.cu.h"
#include "names_and_overloads.cu.h"
#include "nbody.cu.h"
#include "particles_aos.cu.h"
#include "particles_soa.cu.h"
#include "plain_values.cu.h"
#include "pointers.cu.h"
#include "ray_spheres.cu.h"
#include "register_queue.cu.h"
#include "shared_partition.cu.h"
#include "template_names.cu.h"
#include "templates_nested.cu.h"
#include "tests/language/language_case.h"
#include "unions.cu.h"
#include "vector_add.cu.h"

namespace warplens::language {
namespace {

// 200 elements in four blocks of 64: the last has one full and seven eighths of nothing, 25 sectors of 8
// floats each.
const Register add(
    {.launch = {"vector_add.cu", "vectorAdd", {4}, {64}},
     .arguments = {buffer("A", 200, R), buffer("B", 200, R), buffer("C", 200), number("numElements", 200)},
     .host = called(vector_add::vectorAdd),
     .totals = {{"global load requests", 14}, {"global load sectors", 50}, {"global store sectors", 25}}});
const Register add_stride({.launch = {"vector_add.cu", "addStride", {2}, {64}},
                           .arguments = {buffer("y", 1000, R), buffer("x", 1000, R), number("n", 1000),
                                         real("a", 0.75)},
                           .host = called(vector_add::addStride)});

const Register particles(
    {.launch = {"particles_aos.cu", "advanceParticles", {2}, {64}},
     .arguments = {buffer("particles", 100, R), buffer("energy", 100), number("n", 100), real("dt", 0.25),
                   real("gravity.x", 0), real("gravity.y", -9.8125), real("gravity.z", 1)},
     .host = HOST(particles_aos::advanceParticles(h["particles"], h["energy"], 100, 0.25f,
                                                  particles_aos::Vec3(0, -9.8125f, 1)))});
// Seven floats a particle: one warp's load of a member touches 7 * 32 * 4 / 32 = 28 sectors. length2() reads
// each of x, y and z twice, which a compiler loads once; with the mass that makes four loads.
const Register energies(
    {.launch = {"particles_aos.cu", "energyOnly", {1}, {32}},
     .arguments = {buffer("particles", 32, R), buffer("energy", 32), number("n", 32)},
     .host = called(particles_aos::energyOnly),
     .totals = {{"global load requests", 7}, {"global load sectors", 7 * 28}, {"global store sectors", 4}}});
const Register arrays({.launch = {"particles_soa.cu", "moveParticles", {2}, {64}},
                       .arguments = {buffer("p.x", 100, R), buffer("p.y", 100, R), buffer("p.mass", 100, R),
                                     number("p.count", 100), real("dx", 0.5), real("dy", 0.25)},
                       .host = HOST(particles_soa::moveParticles({h["p.x"], h["p.y"], h["p.mass"], 100}, 0.5f,
                                                                 0.25f))});
const Register bodies({.launch = {"nbody.cu", "integrateBodies", {2}, {32}, 512},
                       .arguments = {buffer("p", 64, R), buffer("v", 64, R), real("dt", 0.015625),
                                     number("n", 64)},
                       .host = called(nbody::integrateBodies),
                       .totals = {{"shared load requests", 2 * 2 * 32}, {"shared load bank_conflicts", 0}}});

const Register halves({.launch = {"half_axpy.cu", "haxpy", {1}, {32}},
                       .arguments = {number("n", 99), real("a", 2.5), buffer("x", 99, R), buffer("y", 99, R)},
                       .host = HOST(half_axpy::haxpy(99, __float2half(2.5f), h["x"], h["y"]))});
const Register widened({.launch = {"half_axpy.cu", "widen", {2}, {64}},
                        .arguments = {buffer("in", 100, R), buffer("out", 100), number("n", 100)},
                        .host = called(half_axpy::widen),
                        .totals = {{"global load bytes", 200}}});
const Register packets({.launch = {"byte_copies.cu", "scale_packets", {2}, {64}},
                        .arguments = {buffer("out", 100), buffer("in", 100), real("factor", 0.5),
                                      number("n", 100)},
                        .host = called(byte_copies::scale_packets),
                        .totals = {{"global load requests", 4}, {"global store requests", 4}}});
// As many sectors a request as the whole copy has in words.
const Register byte_rows({.launch = {"byte_copies.cu", "copy_rows", {1}, {32}},
                          .arguments = {buffer("out", 256), buffer("in", 128, R)},
                          .host = called(byte_copies::copy_rows),
                          .totals = {{"global load requests", 16},
                                     {"global load sectors", 16 * 16},
                                     {"global store requests", 16 + 4},
                                     {"global store sectors", 16 * 16 + 4 * 16}}});
const Register bfloat_pairs({.launch = {"bfloat_norm.cu", "rms_norm", {4}, {32}},
                             .arguments = {buffer("out", 4 * 192), buffer("in", 4 * 192, R),
                                           buffer("weight", 192, R), number("width", 192)},
                             .host = called(bfloat_norm::rms_norm),
                             .totals = {{"global load bytes", 4 * 192 * 2 * 3}}});
const Register bfloats({.launch = {"bfloat_norm.cu", "bias_relu", {2}, {64}},
                        .arguments = {buffer("x", 100, R), buffer("bias", 8, R), buffer("widened", 100),
                                      number("n", 100)},
                        .host = called(bfloat_norm::bias_relu),
                        .totals = {{"global load bytes", 2 * 3 * 100}}});
const Register bytes(
    {.launch = {"int8_dot.cu", "dequant_dot", {2}, {64}},
     .arguments = {buffer("a", 100, R), buffer("b", 100, R), buffer("out", 100), buffer("clamped", 100),
                   number("n", 100), real("q.scale", 0.5), number("q.zero_point", 3)},
     .host = HOST(int8_dot::dequant_dot(h["a"], h["b"], h["out"], h["clamped"], 100, {0.5f, 3}))});
const Register arena({.launch = {"shared_partition.cu", "statistics", {2}, {32}, 16 * 8 + 8 * 4 + 32 * 2},
                      .arguments = {buffer("values", 32, R), buffer("keys", 8, I), buffer("out", 64),
                                    buffer("order", 32), number("nv", 16), number("nk", 8)},
                      .host = called(shared_partition::statistics)});

const Register sums({.launch = {"functors.cu", "reduceRows<Sum<float>>", {4}},
                     .arguments = {buffer("in", 400, R), buffer("out", 4), number("columns", 100)},
                     .host = called(functors::reduceRows<functors::Sum<float>, float>)});
const Register maxima({.launch = {"functors.cu", "reduceRows<Max<int>, int>", {4}},
                       .arguments = {buffer("in", 400, R), buffer("out", 4), number("columns", 100)},
                       .host = called(functors::reduceRows<functors::Max<int>, int>)});
const Register scaled({.launch = {"functors.cu", "scaled"},
                       .arguments = {buffer("in", 128, R), buffer("out", 32)},
                       .host = called(functors::scaled)});
const Register packs({.launch = {"templates_nested.cu", "packs<float, 8>", {2}},
                      .arguments = {buffer("in", 500, R), buffer("out", 64), number("n", 500)},
                      .host = called(templates_nested::packs<float, 8>)});
const Register packs_int({.launch = {"templates_nested.cu", "packs<int, 4, false>", {2}},
                          .arguments = {buffer("in", 250, R), buffer("out", 64), number("n", 250)},
                          .host = called(templates_nested::packs<int, 4, false>)});
const Register shaded({.launch = {"float3_operators.cu", "shade", {2}, {64}},
                       .arguments = {buffer("normals", 100, R), buffer("lights", 3, R),
                                     buffer("colours", 100), number("n", 100)},
                       .host = called(float3_operators::shade)});

const Register squares({.launch = {"macros.cu", "square_kernel", {2}, {64}},
                        .arguments = {buffer("out", 100), buffer("in", 100, R), number("n", 100)},
                        .host = called(macros::square_kernel)});
const Register clamped({.launch = {"macros.cu", "clamp_kernel", {2}, {64}},
                        .arguments = {buffer("out", 100), buffer("in", 100, R), number("n", 100)},
                        .host = called(macros::clamp_kernel)});
const Register pairs({.launch = {"macros.cu", "reversePairs", {1}, {64}},
                      .arguments = {buffer("a", 64, I), number("n", 64)},
                      .host = called(macros::reversePairs)});
const Register flow({.launch = {"control_flow.cu", "flow", {2}, {48}},
                     .arguments = {buffer("out", 96), number("n", 12)},
                     .host = called(control_flow::flow)});
const Register arithmetic({.launch = {"integer_types.cu", "arithmetic", {2}, {64}},
                           .arguments = {buffer("in", 128, R), buffer("wide", 128), buffer("narrow", 128),
                                         buffer("bits", 128), number("n", 120)},
                           .host = called(integer_types::arithmetic)});

const Register fractal({.launch = {"mandelbrot.cu", "kernel", {32}, {32}},
                        .arguments = {buffer("ptr", 32 * 32 * 4)},
                        .host = called(mandelbrot::kernel)});
const Register rays({.launch = {"ray_spheres.cu", "kernel", {2, 2}, {16, 16}},
                     .arguments = {buffer("ptr", 32 * 32 * 4), buffer("s", 5, R)},
                     .before = [](HostBuffers& h) { h.fill(ray_spheres::s, "s"); },
                     .host = called(ray_spheres::kernel),
                     .totals = {{"global load requests", 0}, {"global store bytes", 4096}}});
const Register rows({.launch = {"linear_view.cu", "scaleRows<RowMajor>", {1}, {64}},
                     .arguments = {buffer("data", 40 * 24, R), number("rows", 40), number("columns", 24),
                                   buffer("sums", 40)},
                     .host = called(linear_view::scaleRows<linear_view::RowMajor>)});
const Register columns({.launch = {"linear_view.cu", "scaleRows<ColumnMajor>", {1}, {64}},
                        .arguments = {buffer("data", 40 * 24, R), number("rows", 40), number("columns", 24),
                                      buffer("sums", 40)},
                        .host = called(linear_view::scaleRows<linear_view::ColumnMajor>)});
const Register moving({.launch = {"register_queue.cu", "movingSum"},
                       .arguments = {buffer("in", 512, R), buffer("out", 512), number("per_thread", 16)},
                       .host = called(register_queue::movingSum)});
const Register bits({.launch = {"bit_tricks.cu", "bits", {2}, {64}},
                     .arguments = {buffer("out", 100), buffer("counts", 100), number("n", 100)},
                     .host = called(bit_tricks::bits)});
const Register constants({.launch = {"constants_by_reference.cu", "constants<8>", {2}, {64}},
                          .arguments = {buffer("out", 200), buffer("in", 100, R), number("n", 100)},
                          .host = called(constants_by_reference::constants<8>)});
const Register walked({.launch = {"pointers.cu", "walk"},
                       .arguments = {buffer("in", 256, R), buffer("front", 32), buffer("back", 32),
                                     buffer("where", 32), number("n", 8)},
                       .host = called(pointers::walk)});
const Register pi({.launch = {"monte_carlo_lcg.cu", "estimatePi", {2}, {64}},
                   .arguments = {buffer("hits", 1), number("samples", 20)},
                   .host = called(monte_carlo_lcg::estimatePi)});
const Register generations({.launch = {"game_of_life.cu", "simpleLifeKernel", {2}, {128}},
                            .arguments = {buffer("lifeData", 600, R), number("worldWidth", 30),
                                          number("worldHeight", 20), buffer("resultLifeData", 600)},
                            .host = called(game_of_life::simpleLifeKernel)});
const Register priced({.launch = {"black_scholes.cu", "BlackScholesGPU", {1}, {128}},
                       .arguments = {buffer("d_CallResult", 100), buffer("d_PutResult", 100),
                                     buffer("d_StockPrice", 100, R), buffer("d_OptionStrike", 100, R),
                                     buffer("d_OptionYears", 100, R), real("Riskfree", 0.02),
                                     real("Volatility", 0.3), number("optN", 200)},
                       .host = called(black_scholes::BlackScholesGPU),
                       .tolerance = 1e-5});

const Register named_by_templates({.launch = {"template_names.cu", "names<float, true>", {3}, {64}},
                                   .arguments = {buffer("in", 150, R), buffer("out", 150),
                                                 buffer("words", 150), number("n", 150)},
                                   .host = called(template_names::names<float, true>),
                                   .after = HOST(h.take(template_names::weights<float, 3>, "weights")),
                                   .totals = {{"global load requests", 5}, {"global store requests", 10}}});
const Register named_for_integers({.launch = {"template_names.cu", "names<int, false>", {3}, {64}},
                                   .arguments = {buffer("in", 150, R), buffer("out", 150),
                                                 buffer("words", 150), number("n", 150)},
                                   .host = called(template_names::names<int, false>),
                                   .after = HOST(h.take(template_names::weights<float, 3>, "weights"))});

const Register complex_numbers({.launch = {"library_texts.cu", "complex_numbers", {3}, {64}},
                                .arguments = {buffer("a", 150, R), buffer("b", 150, R), buffer("out", 150),
                                              number("n", 150)},
                                .host = called(library_texts::complex_numbers)});
const Register bit_functions({.launch = {"library_texts.cu", "bit_functions", {3}, {64}},
                              .arguments = {buffer("a", 150, I), buffer("b", 150, I), buffer("out", 150),
                                            buffer("parts", 150), number("n", 150)},
                              .host = called(library_texts::bit_functions)});
// steps[i]: 4 bytes a lane, far_steps[i]: 16, of which 12 are read.
const Register names_of_namespaces({.launch = {"names_and_overloads.cu", "names_and_overloads", {3}, {64}},
                                    .arguments = {buffer("in", 150, R), buffer("steps", 150, R),
                                                  buffer("far_steps", 150, I), buffer("out", 150),
                                                  number("n", 150)},
                                    .host = called(names_and_overloads::names_and_overloads),
                                    .tolerance = 1e-5});
const Register copies({.launch = {"copies_and_lookup.cu", "copies_and_lookup", {3}, {64}},
                       .arguments = {buffer("in", 150, R), buffer("out", 150), number("n", 150)},
                       .host = called(copies_and_lookup::copies_and_lookup)});
const Register derived({.launch = {"bases.cu", "derived", {3}, {64}},
                        .arguments = {buffer("in", 150, R), buffer("out", 150), buffer("kept", 150),
                                      number("n", 150)},
                        .host = called(bases::derived)});
const Register partial_of_a_pointer({.launch = {"bases.cu", "partial<float*>", {3}, {64}},
                                     .arguments = {buffer("in", 153, R), buffer("out", 150),
                                                   number("n", 150)},
                                     .host = called(bases::partial<float*>)});
const Register partial_of_an_integer({.launch = {"bases.cu", "partial<int>", {3}, {64}},
                                      .arguments = {buffer("in", 153, R), buffer("out", 150),
                                                    number("n", 150)},
                                      .host = called(bases::partial<int>)});

// The union is as wide as its float4: one load a thread.
const Register bytes_seen_twice({.launch = {"unions.cu", "seen_twice", {3}, {64}},
                                 .arguments = {buffer("in", 600, R), buffer("out", 150), buffer("words", 150),
                                               number("n", 150)},
                                 .host = called(unions::seen_twice),
                                 .totals = {{"global load requests", 5}, {"global load sectors", 75}}});
const Register nested_in_templates({.launch = {"unions.cu", "windows", {2}, {64}},
                                    .arguments = {buffer("in", 100, R), buffer("out", 100), number("n", 100)},
                                    .host = called(unions::windows)});

// ---- what is easily got wrong: plain_values.cu ----

Case plain(const char* kernel, Dim3 grid, Dim3 block, std::vector<NamedArgument> arguments,
           std::function<void(HostBuffers&)> host) {
  return {.launch = {"plain_values.cu", kernel, grid, block},
          .arguments = std::move(arguments),
          .host = std::move(host)};
}
const Register wraps(plain("wrap", {2}, {48}, {buffer("out", 768), buffer("uout", 384), buffer("lout", 384)},
                           called(plain_values::wrap)));
const Register narrows(plain("narrow", {1}, {64}, {buffer("out", 1024), number("n", -3)},
                             called(plain_values::narrow)));
const Register floating(plain("floats", {1}, {32},
                              {buffer("out", 256), buffer("dout", 64), buffer("iout", 128),
                               buffer("in", 32, R)},
                              called(plain_values::floats)));
const bool of_each_number = [] {
  for (const int n : {0, 1, 3, 17, 40})
    Register(plain("leave", {1}, {50}, {buffer("out", 50), number("n", n)}, called(plain_values::leave)));
  for (const int stop : {0, 4, 12, 100})
    Register(plain("together", {1}, {33}, {buffer("out", 33), number("n", 20), number("stop", stop)},
                   called(plain_values::together)));
  for (const int which : {0, 1, 2, 3})
    Register(plain("switches", {1}, {40}, {buffer("out", 40), number("which", which)},
                   called(plain_values::switches)));
  return true;
}();
const Register seen_last(plain("last_seen", {1}, {64}, {buffer("out", 256), number("n", 9)},
                               called(plain_values::last_seen)));
const Register right_sides(plain("short_circuits", {1}, {45},
                                 {buffer("out", 135), buffer("in", 30, I), number("n", 30)},
                                 called(plain_values::short_circuits)));
const Register returning(plain("functions", {1}, {48},
                               {buffer("out", 240), buffer("in", 12, I), number("n", 12)},
                               called(plain_values::functions)));
const Register of_constants(plain("tables<4, double>", {1}, {32}, {buffer("out", 32)},
                                  called(plain_values::tables<4, double>)));
const Register copied_structs(plain("structs", {1}, {32}, {buffer("out", 192), buffer("iout", 128)},
                                    called(plain_values::structs)));
const Register wide_accesses(plain("vectors", {1}, {32},
                                   {buffer("out", 256), buffer("in", 128, R), buffer("bytes", 160)},
                                   called(plain_values::vectors)));
const Register side_by_side(plain("two_vectors", {1}, {32}, {buffer("out", 32), buffer("in", 128, R)},
                                  called(plain_values::two_vectors)));
const Register locals(plain("into_locals", {1}, {40},
                            {buffer("out", 80), buffer("in", 41, I), buffer("lout", 40), number("n", 41)},
                            called(plain_values::into_locals)));
const Register walks(plain("walking", {1}, {40}, {buffer("out", 80), buffer("in", 43, I), number("n", 41)},
                           called(plain_values::walking)));

}  // namespace
}  // namespace warplens::language
