// Structs, templates, vector types, halves, integers, macros, control flow.
#include "bases.cu.h"
#include "bfloat_norm.cu.h"
#include "byte_copies.cu.h"
#include "copies_and_lookup.cu.h"
#include "cpp.cu.h"
#include "library_texts.cu.h"
#include "names_and_overloads.cu.h"
#include "particles_aos.cu.h"
#include "particles_soa.cu.h"
#include "plain_values.cu.h"
#include "register_queue.cu.h"
#include "template_names.cu.h"
#include "tests/language/language_case.h"
#include "unions.cu.h"

namespace warplens::language {
namespace {

const Register kCases[] = {
    {LAUNCH("2 64 particles=@100:random energy=@100 n=100 dt=0.25 gravity.x=0 gravity.y=-9.8125 gravity.z=1",
            particles_aos, advanceParticles),
     {HOST(particles_aos::advanceParticles(h["particles"], h["energy"], 100, 0.25f,
                                           particles_aos::Vec3(0, -9.8125f, 1)))}},
    // Seven floats a particle: one warp's load of a member touches 7 * 32 * 4 / 32 = 28 sectors. length2()
    // reads each of x, y and z twice, which a compiler loads once; with the mass that makes four loads.
    {CALLED("1 32 particles=@32:random energy=@32 n=32", particles_aos, energyOnly),
     {.totals = {{"global load requests", 7}, {"global load sectors", 7 * 28}, {"global store sectors", 4}}}},
    {LAUNCH("2 64 p.x=@100:random p.y=@100:random p.mass=@100:random p.count=100 dx=0.5 dy=0.25",
            particles_soa, moveParticles),
     {HOST(particles_soa::moveParticles({h["p.x"], h["p.y"], h["p.mass"], 100}, 0.5f, 0.25f))}},
    {CALLED("2 64 out=@100 in=@100 factor=0.5 n=100", byte_copies, scale_packets),
     {.totals = {{"global load requests", 4}, {"global store requests", 4}}}},
    // As many sectors a request as the whole copy has in words.
    {CALLED("1 32 out=@256 in=@128:random", byte_copies, copy_rows),
     {.totals = {{"global load requests", 16},
                 {"global load sectors", 16 * 16},
                 {"global store requests", 16 + 4},
                 {"global store sectors", 16 * 16 + 4 * 16}}}},
    {CALLED("4 32 out=@768 in=@768:random weight=@192:random width=192", bfloat_norm, rms_norm),
     {.totals = {{"global load bytes", 4 * 192 * 2 * 3}}}},
    {CALLED("2 64 x=@100:random bias=@8:random widened=@100 n=100", bfloat_norm, bias_relu),
     {.totals = {{"global load bytes", 2 * 3 * 100}}}},
    {CALLED("1 32 in=@32:random out=@96", bfloat_norm, halves)},
    {CALLED("1 32 in=@512:random out=@512 per_thread=16", register_queue, movingSum)},
    {LAUNCH("3 64 in=@150:random out=@150 words=@150 n=150", template_names, names<float, true>),
     called(template_names::names<float, true>, {},
            HOST(h.take(template_names::weights<float, 3>, "weights"))),
     {.totals = {{"global load requests", 5}, {"global store requests", 10}}}},
    {LAUNCH("3 64 in=@150:random out=@150 words=@150 n=150", template_names, names<int, false>),
     called(template_names::names<int, false>, {},
            HOST(h.take(template_names::weights<float, 3>, "weights")))},
    {CALLED("3 64 a=@150:random b=@150:random out=@150 n=150", library_texts, complex_numbers)},
    {CALLED("3 64 a=@150:iota b=@150:iota out=@150 parts=@150 n=150", library_texts, bit_functions)},
    // steps[i]: 4 bytes a lane, far_steps[i]: 16, of which 12 are read.
    {CALLED("3 64 in=@150:random steps=@150:random far_steps=@150:iota out=@150 n=150", names_and_overloads,
            names_and_overloads),
     {.tolerance = 1e-5}},
    {CALLED("3 64 in=@150:random out=@150 n=150", copies_and_lookup, copies_and_lookup)},
    {CALLED("3 64 in=@150:random out=@150 kept=@150 n=150", bases, derived)},
    {CALLED("3 64 in=@153:random out=@150 n=150", bases, partial<float*>)},
    {CALLED("3 64 in=@153:random out=@150 n=150", bases, partial<int>)},
    // The union is as wide as its float4: one load a thread.
    {CALLED("3 64 in=@600:random out=@150 words=@150 n=150", unions, seen_twice),
     {.totals = {{"global load requests", 5}, {"global load sectors", 75}}}},
    {CALLED("2 64 in=@100:random out=@100 n=100", unions, windows)}};

// ---- what is easily got wrong: plain_values.cu ----

const Register kPlain[] = {{CALLED("2 48 out=@768 uout=@384 lout=@384", plain_values, wrap)},
                           {CALLED("1 64 out=@1024 n=-3", plain_values, narrow)},
                           {CALLED("1 32 out=@256 dout=@64 iout=@128 in=@32:random", plain_values, floats)},
                           {CALLED("1 64 out=@256 n=9", plain_values, last_seen)},
                           {CALLED("1 45 out=@135 in=@30:iota n=30", plain_values, short_circuits)},
                           {CALLED("1 48 out=@240 in=@12:iota n=12", plain_values, functions)},
                           // kTable is the host's, read by a running index.
                           {CALLED("1 32 out=@32", plain_values, tables<4, double>), {.warnings = 1}},
                           {CALLED("1 32 out=@192 iout=@128", plain_values, structs)},
                           {CALLED("1 32 out=@256 in=@128:random bytes=@160", plain_values, vectors)},
                           {CALLED("1 32 out=@32 in=@128:random", plain_values, two_vectors)},
                           {CALLED("1 40 out=@80 in=@41:iota lout=@40 n=41", plain_values, into_locals)},
                           {CALLED("1 40 out=@80 in=@43:iota n=41", plain_values, walking)}};
const bool of_each_number = [] {
  for (const int n : {0, 1, 3, 17, 40})
    Register(CALLED("1 50 out=@50 n=" + std::to_string(n), plain_values, leave));
  for (const int stop : {0, 4, 12, 100})
    Register(CALLED("1 33 out=@33 n=20 stop=" + std::to_string(stop), plain_values, together));
  for (const int which : {0, 1, 2, 3})
    Register(CALLED("1 40 out=@40 which=" + std::to_string(which), plain_values, switches));
  return true;
}();

// ---- what C++ says: cpp.cu ----

const Register kCpp[] = {{CALLED("1 1 out=@128", cpp, preprocessed)},
                         {CALLED("1 1 out=@128 real=@32", cpp, literals)},
                         {CALLED("1 1 out=@128 real=@32", cpp, operators)},
                         {CALLED("1 1 out=@128", cpp, statements)},
                         {LAUNCH("1 1 out=@128 real=@32", cpp, declarations),
                          called(cpp::declarations, {}, HOST(h.take(cpp::table, "table")))},
                         {CALLED("1 1 out=@128", cpp, types)}};

// In the order of the threads, each sum rounded.
const Register kPairs[] = {
    {LAUNCH("2 64 in=@100:random bins=@8 before=@2:random n=100", packed_atomics, add_halves),
     computed([](const float* in, half* bins, half* before) {
       for (int i = 0; i < 200; ++i) {
         half& sum = bins[i / 2 % 8 * 2 + i % 2];
         sum = __float2half(__half2float(sum) + __half2float(__float2half(in[i])));
       }
       before[0] = before[2], before[1] = before[3];
       before[2] = __float2half(__half2float(before[2]) + 1.0f);
       before[3] = __float2half(__half2float(before[3]) + 0.5f);
     }),
     {.totals = {{"global reduction requests", 4}, {"global atomic requests", 1}}}},
    {LAUNCH("1 32 in=@32:random sums=@1", packed_atomics, add_brains),
     computed([](const float* in, unsigned short* sums) {
       const auto bits = [](float x) {
         const unsigned whole = __builtin_bit_cast(unsigned, x);
         return (whole + 0x7fff + (whole >> 16 & 1)) >> 16;
       };
       const auto value = [](unsigned x) { return __builtin_bit_cast(float, x << 16); };
       unsigned low = 0, high = 0;
       for (int i = 0; i < 32; ++i) {
         low = bits(value(low) + value(bits(in[i])));
         high = bits(value(high) + 1.0f);
       }
       sums[0] = static_cast<unsigned short>(low);
       sums[1] = static_cast<unsigned short>(high);
     })}};

}  // namespace
}  // namespace warplens::language
