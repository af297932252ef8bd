#include "sim/lower/builtins/table.h"

#include <cstdint>
#include <initializer_list>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/cuda/text/names.h"
#include "sim/lower/lowering.h"

namespace warplens::sim::lower {
namespace {

// Rows of the table of CUDA's own functions: those that differ in a name, an operation and a type.

// sqrt() and sqrtf(), where the GPU has a fast version __sinf(), and where halves have one, hsin().
struct MathRow {
  const char* name;
  MathFunction function;
  std::uint8_t arguments = 1;
  bool fast = false, half = false;
};
constexpr MathRow kMath[] = {
    {"sqrt", MathFunction::Sqrt, 1, false, true},
    {"rsqrt", MathFunction::Rsqrt, 1, false, true},
    {"exp", MathFunction::Exp, 1, true, true},
    {"exp2", MathFunction::Exp2, 1, false, true},
    {"exp10", MathFunction::Exp10, 1, true, true},
    {"log", MathFunction::Log, 1, true, true},
    {"log2", MathFunction::Log2, 1, true, true},
    {"log10", MathFunction::Log10, 1, true, true},
    {"sin", MathFunction::Sin, 1, true, true},
    {"cos", MathFunction::Cos, 1, true, true},
    {"tan", MathFunction::Tan, 1, true},
    {"tanh", MathFunction::Tanh, 1, false, true},
    {"pow", MathFunction::Pow, 2, true},
    {"floor", MathFunction::Floor, 1, false, true},
    {"ceil", MathFunction::Ceil, 1, false, true},
    {"round", MathFunction::Round},
    {"trunc", MathFunction::Trunc, 1, false, true},
    {"fmod", MathFunction::Fmod, 2},
    {"rint", MathFunction::Rint, 1, false, true},
    {"nearbyint", MathFunction::Rint},
    {"erf", MathFunction::Erf},
    {"erfc", MathFunction::Erfc},
    {"atan", MathFunction::Atan},
    {"atan2", MathFunction::Atan2, 2},
    {"asin", MathFunction::Asin},
    {"acos", MathFunction::Acos},
    {"sinh", MathFunction::Sinh},
    {"cosh", MathFunction::Cosh},
    {"asinh", MathFunction::Asinh},
    {"acosh", MathFunction::Acosh},
    {"atanh", MathFunction::Atanh},
    {"cbrt", MathFunction::Cbrt},
    {"rcbrt", MathFunction::Rcbrt},
    {"hypot", MathFunction::Hypot, 2},
    {"rhypot", MathFunction::Rhypot, 2},
    {"expm1", MathFunction::Expm1},
    {"log1p", MathFunction::Log1p},
    {"lgamma", MathFunction::Lgamma},
    {"tgamma", MathFunction::Tgamma},
    {"remainder", MathFunction::Remainder, 2},
    {"fdim", MathFunction::PositiveDifference, 2},
    {"sinpi", MathFunction::SinPi},
    {"cospi", MathFunction::CosPi},
    {"normcdf", MathFunction::NormalDistribution},
};

// __popc() of 32 bits, __popcll() of 64.
struct BitRow {
  const char* name;
  MathFunction function;
};
constexpr BitRow kBits[] = {{"__popc", MathFunction::PopCount},
                            {"__clz", MathFunction::CountLeadingZeros},
                            {"__ffs", MathFunction::FindFirstSet},
                            {"__brev", MathFunction::BitReverse}};

struct ArithmeticRow {
  const char* name;
  Opcode opcode;
  Domain domain;
  std::uint8_t arguments;
};
constexpr ArithmeticRow kArithmetic[] = {
    {"min", Opcode::Min, Domain::Common, 2},
    {"max", Opcode::Max, Domain::Common, 2},
    {"abs", Opcode::Abs, Domain::Common, 1},
    {"fmin", Opcode::Min, Domain::Any, 2},
    {"fminf", Opcode::Min, Domain::Float, 2},
    {"fmax", Opcode::Max, Domain::Any, 2},
    {"fmaxf", Opcode::Max, Domain::Float, 2},
    {"fabs", Opcode::Abs, Domain::Any, 1},
    {"fabsf", Opcode::Abs, Domain::Float, 1},
    {"labs", Opcode::Abs, Domain::Int64, 1},
    {"llabs", Opcode::Abs, Domain::Int64, 1},
    {"fma", Opcode::Fma, Domain::Any, 3},
    {"fmaf", Opcode::Fma, Domain::Float, 3},
    {"umin", Opcode::Min, Domain::Unsigned, 2},
    {"umax", Opcode::Max, Domain::Unsigned, 2},
    {"fdividef", Opcode::Div, Domain::Float, 2},
    {"__fdividef", Opcode::Div, Domain::Float, 2},
    {"__fadd_rn", Opcode::Add, Domain::Float, 2},
    {"__fsub_rn", Opcode::Sub, Domain::Float, 2},
    {"__fmul_rn", Opcode::Mul, Domain::Float, 2},
    {"__fdiv_rn", Opcode::Div, Domain::Float, 2},
    {"__fmaf_rn", Opcode::Fma, Domain::Float, 3},
    {"__dadd_rn", Opcode::Add, Domain::Double, 2},
    {"__dsub_rn", Opcode::Sub, Domain::Double, 2},
    {"__dmul_rn", Opcode::Mul, Domain::Double, 2},
    {"__ddiv_rn", Opcode::Div, Domain::Double, 2},
    {"__fma_rn", Opcode::Fma, Domain::Double, 3},
    {"__mulhi", Opcode::MulHigh, Domain::Int, 2},
    {"__umulhi", Opcode::MulHigh, Domain::Unsigned, 2},
    {"__mul64hi", Opcode::MulHigh, Domain::Int64, 2},
    {"__umul64hi", Opcode::MulHigh, Domain::Unsigned64, 2},
};

// __hadd() of halves, and of __nv_bfloat16 alike; __hadd2() of two is text.
struct HalfRow {
  const char* name;
  Opcode opcode;
  std::uint8_t arguments = 2;
};
constexpr HalfRow kHalf[] = {
    {"__hadd", Opcode::Add},    {"__hsub", Opcode::Sub},    {"__hmul", Opcode::Mul},
    {"__hdiv", Opcode::Div},    {"__hmin", Opcode::Min},    {"__hmax", Opcode::Max},
    {"__hneg", Opcode::Neg, 1}, {"__habs", Opcode::Abs, 1}, {"__hlt", Opcode::Lt},
    {"__hfma", Opcode::Fma, 3}, {"__hle", Opcode::Le},      {"__hgt", Opcode::Gt},
    {"__hge", Opcode::Ge},      {"__heq", Opcode::Eq},      {"__hne", Opcode::Ne},
};

struct AtomicRow {
  const char* name;
  AtomicFunction function;
};
constexpr AtomicRow kAtomics[] = {
    {"atomicAdd", AtomicFunction::Add},
    {"atomicSub", AtomicFunction::Sub},
    {"atomicMin", AtomicFunction::Min},
    {"atomicMax", AtomicFunction::Max},
    {"atomicAnd", AtomicFunction::And},
    {"atomicOr", AtomicFunction::Or},
    {"atomicXor", AtomicFunction::Xor},
    {"atomicInc", AtomicFunction::Inc},
    {"atomicDec", AtomicFunction::Dec},
    {"atomicExch", AtomicFunction::Exchange},
    {"atomicCAS", AtomicFunction::CompareAndSwap},
};

struct TypeWord {
  const char* word;
  ScalarType type;
};
constexpr TypeWord kTypeWords[] = {{"float", ScalarType::F32}, {"double", ScalarType::F64},
                                   {"half", ScalarType::F16},  {"bfloat16", ScalarType::BF16},
                                   {"int", ScalarType::I32},   {"uint", ScalarType::U32},
                                   {"short", ScalarType::I16}, {"ushort", ScalarType::U16},
                                   {"ll", ScalarType::I64},    {"ull", ScalarType::U64}};

struct BitCastRow {
  const char* name;
  ScalarType from, to;
};
constexpr BitCastRow kBitCasts[] = {{"__float_as_int", ScalarType::F32, ScalarType::I32},
                                    {"__int_as_float", ScalarType::I32, ScalarType::F32},
                                    {"__float_as_uint", ScalarType::F32, ScalarType::U32},
                                    {"__uint_as_float", ScalarType::U32, ScalarType::F32},
                                    {"__double_as_longlong", ScalarType::F64, ScalarType::I64},
                                    {"__longlong_as_double", ScalarType::I64, ScalarType::F64}};

using F = MathFunction;
using Names = std::initializer_list<const char*>;

// Calls a member of the part of the lowering that has it.
template <class Part>
Part& part_with(Lowering& l, Result (Part::*)(const Builtin&, const BuiltinCall&)) {
  return std::get<Part&>(std::tie(l.memory, l.warp, l.math, l.clusters, l.async_copies, l.textures));
}
template <auto work>
Result run(Lowering& lowering, const Builtin& f, const BuiltinCall& c) {
  return (part_with(lowering, work).*work)(f, c);
}

template <class Code>
constexpr std::uint8_t code(Code value) {
  return static_cast<std::uint8_t>(value);
}

}  // namespace

class BuiltinTable {
 public:
  std::map<std::string, Builtin, std::less<>> build() {
    add_effects();
    add_memory();
    add_textures();
    add_warp();
    add_arithmetic();
    add_halves();
    add_conversions();
    group_ = "Making vectors";
    for (const auto& [name, type] : cuda::builtin_types())
      if (type.kind == cuda::BuiltinType::Kind::Vector)
        add("make_" + name, {.work = run<&MathFunctions::builtin_make>,
                             .arguments = static_cast<std::uint8_t>(type.components)});
    group_ = "Cooperative groups";
    add("memcpy_async", {.work = run<&AsyncCopies::group_copy>, .arguments = 4, .more = 1});
    add("cuda::memcpy_async", {.work = run<&AsyncCopies::library_copy>, .arguments = 4, .more = 1});
    group_ = "Matrix fragments";
    add_all({"load_matrix_sync", "store_matrix_sync", "fill_fragment", "mma_sync", "__float_to_tf32"},
            {.is_text = true});
    add_refused();
    return std::move(table_);
  }

 private:
  void add_all(Names names, const Builtin& entry) {
    for (const char* name : names) add(name, entry);
  }
  void add(const std::string& name, const Builtin& entry) {
    table_[name] = entry;
    table_[name].group = group_;
  }

  void add_effects() {
    group_ = "Barriers, fences, checks";
    add("__syncthreads", {.work = run<&MemoryFunctions::builtin_barrier>, .arguments = 0});
    add("__syncthreads_count", {run<&MemoryFunctions::builtin_barrier>, code(BlockVote::Count)});
    add("__syncthreads_and", {run<&MemoryFunctions::builtin_barrier>, code(BlockVote::All)});
    add("__syncthreads_or", {run<&MemoryFunctions::builtin_barrier>, code(BlockVote::Any)});
    add("__syncwarp", {.work = run<&MemoryFunctions::builtin_sync_warp>, .arguments = 0, .more = 1});
    add("__trap", {.work = run<&MemoryFunctions::builtin_trap>, .arguments = 0});
    add_all({"clock", "clock64"}, {.work = run<&MemoryFunctions::builtin_clock>, .arguments = 0});
    add("assert", {run<&MemoryFunctions::builtin_assert>});
    const Builtin effect{.work = run<&MemoryFunctions::builtin_effect>, .arguments = 0, .more = kAnyNumber};
    add_all({"printf", "__threadfence", "__threadfence_block", "__threadfence_system", "__nanosleep",
             "__builtin_unreachable", "__prof_trigger", "__builtin_prefetch", "__builtin_assume", "__assume",
             "__pipeline_commit", "__pipeline_wait_prior"},
            effect);
    Builtin warned = effect;
    warned.remedy = Message(
        "a launch is simulated by itself, after all before it have ended: programmatic dependent launch has "
        "no effect here");
    add_all({"cudaGridDependencySynchronize", "cudaTriggerProgrammaticLaunchCompletion"}, warned);
    warned.remedy = Message("CUDA 12 took cudaDeviceSynchronize out of kernels; here it waits for nothing");
    add("cudaDeviceSynchronize", warned);
    group_ = "";
    add_all(
        {"__curand_subsequence", "__lane_index", "__grid_sync", "__map_shared_rank", "__query_shared_rank"},
        {.work = run<&Clusters::builtin_of_library>, .arguments = 0, .more = 2});
  }

  void add_memory() {
    group_ = "Loads and stores";
    add_all({"__ldg", "__ldca", "__ldcg", "__ldcs", "__ldlu", "__ldcv"},
            {run<&MemoryFunctions::builtin_load>});
    add_all({"__stwb", "__stcg", "__stcs", "__stwt"},
            {.work = run<&MemoryFunctions::builtin_store>, .arguments = 2});
    add_all({"__cvta_generic_to_shared", "__cvta_shared_to_generic", "__cvta_generic_to_global",
             "__cvta_global_to_generic"},
            {run<&AsyncCopies::builtin_address>});
    add("__pipeline_memcpy_async",
        {.work = run<&AsyncCopies::builtin_copy_async>, .arguments = 3, .more = 1});
    add("memcpy", {.work = run<&MemoryFunctions::builtin_bytes>, .arguments = 3});
    add("memset", {.work = run<&MemoryFunctions::builtin_bytes>, .code = 1, .arguments = 3});
    const auto atomic = [](const AtomicRow& row) -> Builtin {
      const bool swaps = row.function == AtomicFunction::CompareAndSwap;
      return {.work = run<&MemoryFunctions::builtin_atomic>,
              .code = code(row.function),
              .arguments = std::uint8_t(swaps ? 3 : 2)};
    };
    group_ = "Atomics";
    for (const AtomicRow& row : kAtomics)
      for (const char* scope : {"", "_block", "_system"}) add(std::string(row.name) + scope, atomic(row));
    group_ = "";  // library/cuda_std.cpp
    for (const AtomicRow& row : kAtomics)
      add(std::string(kAtomicReference) + std::string(row.name).substr(6), atomic(row));
    add(std::string(kAtomicReference) + "load", {run<&MemoryFunctions::builtin_load>});
    add(std::string(kAtomicReference) + "store",
        {.work = run<&MemoryFunctions::builtin_store>, .arguments = 2});
  }

  void add_textures() {
    group_ = "Textures and surfaces";
    add("tex1Dfetch", {.work = run<&Textures::builtin_texture>, .code = 0, .arguments = 2});
    for (std::uint8_t dimensions = 1; dimensions <= 3; ++dimensions) {
      const std::string number = std::to_string(dimensions) + "D";
      const auto arguments = static_cast<std::uint8_t>(1 + dimensions);
      add("tex" + number,
          {.work = run<&Textures::builtin_texture>, .code = dimensions, .arguments = arguments});
      add("surf" + number + "read",
          {.work = run<&Textures::builtin_surface>, .code = dimensions, .arguments = arguments, .more = 1});
      add("surf" + number + "write", {.work = run<&Textures::builtin_surface>,
                                      .code = std::uint8_t(dimensions + kWrites),
                                      .arguments = std::uint8_t(1 + arguments),
                                      .more = 1});
    }
  }

  // With a mask as the first argument: `arguments` is one more.
  void add_warp() {
    group_ = "Shuffles and votes";
    const auto both = [&](const char* name, const Builtin& entry) {
      Builtin masked = entry;
      ++masked.arguments;
      add(name, entry);
      add(std::string(name) + "_sync", masked);
    };
    const auto shuffle = [&](const char* name, ShuffleMode mode) {
      both(name,
           {.work = run<&WarpFunctions::builtin_shuffle>, .code = code(mode), .arguments = 2, .more = 1});
    };
    shuffle("__shfl", ShuffleMode::Index);
    shuffle("__shfl_up", ShuffleMode::Up);
    shuffle("__shfl_down", ShuffleMode::Down);
    shuffle("__shfl_xor", ShuffleMode::Xor);
    const auto vote = [&](const char* name, VoteFunction function, ScalarType to) {
      both(name, {.work = run<&WarpFunctions::builtin_vote>, .code = code(function), .to = to});
    };
    vote("__any", VoteFunction::Any, ScalarType::I32);
    vote("__all", VoteFunction::All, ScalarType::I32);
    vote("__ballot", VoteFunction::Ballot, ScalarType::U32);
    add_all({"__match_any_sync", "__reduce_add_sync", "__reduce_min_sync", "__reduce_max_sync",
             "__reduce_and_sync", "__reduce_or_sync", "__reduce_xor_sync"},
            {.is_text = true});
    add("__activemask",
        {.work = run<&WarpFunctions::builtin_vote>, .code = code(VoteFunction::ActiveMask), .arguments = 0});
  }

  void add_math(const std::string& name, MathFunction function, Domain domain, std::uint8_t arguments = 1) {
    add(name, {run<&MathFunctions::builtin_math>, code(function), domain, arguments});
  }

  void add_arithmetic() {
    group_ = "Mathematics";
    for (const MathRow& row : kMath) {
      const std::string name = row.name;
      add_math(name, row.function, Domain::Any, row.arguments);
      add_math(name + "f", row.function, Domain::Float, row.arguments);
      if (row.fast) add_math("__" + name + "f", row.function, Domain::Float, row.arguments);
    }
    add_math("__fsqrt_rn", F::Sqrt, Domain::Float);
    add_math("__frsqrt_rn", F::Rsqrt, Domain::Float);
    add_math("__dsqrt_rn", F::Sqrt, Domain::Double);
    for (const BitRow& row : kBits) {
      add_math(row.name, row.function, Domain::Unsigned);
      add_math(std::string(row.name) + "ll", row.function, Domain::Unsigned64);
    }
    for (const ArithmeticRow& row : kArithmetic)
      add(row.name, {run<&MathFunctions::builtin_arithmetic>, code(row.opcode), row.domain, row.arguments});
    add("move", {run<&MemoryFunctions::builtin_move>});
    add_all({"isnan",   "isinf",    "isfinite", "__saturatef", "__frcp_rn", "__drcp_rn", "copysignf",
             "__mul24", "__umul24", "sincosf",  "__sincosf",   "sincos",    "lrint",     "lrintf",
             "llrint",  "llrintf",  "lround",   "lroundf",     "llround",   "llroundf",  "ldexp",
             "ldexpf",  "scalbn",   "scalbnf",  "frexp",       "frexpf"},
            {.is_text = true});
    group_ = "";  // of that text
    add_math("__scaled", F::Ldexp, Domain::Any, 2);
    add_math("__exponent", F::Exponent, Domain::Any);
    add_math("__fraction", F::Fraction, Domain::Any);
  }

  void add_halves() {
    group_ = "Halves";
    for (const MathRow& row : kMath)
      if (row.half) add_math(std::string("h") + row.name, row.function, Domain::Half);
    for (const HalfRow& row : kHalf) {
      add(row.name, {run<&MathFunctions::builtin_arithmetic>, code(row.opcode), Domain::Half, row.arguments});
      add(std::string(row.name) + "2", {.is_text = true});
    }
    add_all({"__floats2half2_rn", "__halves2half2", "__float2half2_rn", "__half2half2", "__float22half2_rn",
             "__half22float2", "__low2half", "__high2half", "__floats2bfloat162_rn", "__halves2bfloat162",
             "__float2bfloat162_rn", "__bfloat162bfloat162", "__float22bfloat162_rn", "__bfloat1622float2",
             "__low2bfloat16", "__high2bfloat16", "__low2float", "__high2float"},
            {.is_text = true});
  }

  // __float2int_rn() and its kin; __float_as_int(), whose bits stay in the register as they are.
  void add_conversions() {
    group_ = "Conversions";
    constexpr const char* kRoundings[] = {"", "_rn", "_rz", "_ru", "_rd"};
    for (const TypeWord& from : kTypeWords) {
      for (const TypeWord& to : kTypeWords) {
        const std::string name = std::string("__") + from.word + "2" + to.word;
        if (is_small_float(from.type) && is_small_float(to.type)) continue;  // through float
        for (std::uint8_t i = 0; from.type != to.type && i < 5; ++i)
          add(name + kRoundings[i],
              {.work = run<&MathFunctions::builtin_conversion>, .code = i, .from = from.type, .to = to.type});
      }
    }
    group_ = "Bits of floats";
    for (const BitCastRow& row : kBitCasts)
      add(row.name, {.work = run<&MathFunctions::builtin_bit_cast>, .from = row.from, .to = row.to});
  }

  void add_refused() {
    group_ = "Known, and refused";
    add("__match_all_sync", {.remedy = Message("use __ballot_sync")});
    add("tex1DLayered", {.remedy = Message("use tex1D on one layer")});
    add("tex2DLayered", {.remedy = Message("use tex2D on one layer")});
    add("tex2DLod", {.remedy = Message("use tex2D: one level of detail is simulated")});
    add("tex2Dgather", {.remedy = Message("use four calls of tex2D")});
    add("texCubemap", {.remedy = Message("use tex2D on one face")});
    add("coalesced_threads", {.remedy = Message("use __activemask() and a tile of 32 threads")});
    for (const char* name : {"erfinv", "erfcinv", "erfcx", "modf", "norm3d", "norm4d", "nextafter", "j0",
                             "j1", "y0", "y1", "logb", "ilogb"})
      for (const char* suffix : {"", "f"})
        add(std::string(name) + suffix,
            {.remedy = Message("use another function, or pass its values in a buffer")});
  }

  static constexpr std::uint8_t kAnyNumber = 200;
  std::map<std::string, Builtin, std::less<>> table_;
  std::string_view group_;
};

const std::map<std::string, Builtin, std::less<>>& builtins() {
  static const auto table = BuiltinTable().build();
  return table;
}

bool computes(const Builtin& f) {
  return f.work == run<&MathFunctions::builtin_arithmetic> || f.work == run<&MathFunctions::builtin_math>;
}

}  // namespace warplens::sim::lower
