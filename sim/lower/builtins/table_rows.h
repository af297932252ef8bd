// Rows of the table of CUDA's own functions: those that differ in a name, an operation and a type.
#pragma once

#include <cstdint>

#include "sim/lower/builtins/table.h"

namespace warplens::sim::lower {

// sqrt() and sqrtf(), where the GPU has a fast version __sinf(), and where halves have one, hsin().
struct MathRow {
  const char* name;
  MathFunction function;
  std::uint8_t arguments = 1;
  bool fast = false, half = false;
};
inline constexpr MathRow kMath[] = {
    {"sqrt", MathFunction::Sqrt, 1, false, true},
    {"rsqrt", MathFunction::Rsqrt, 1, false, true},
    {"exp", MathFunction::Exp, 1, true, true},
    {"exp2", MathFunction::Exp2, 1, false, true},
    {"exp10", MathFunction::Exp10, 1, true},
    {"log", MathFunction::Log, 1, true, true},
    {"log2", MathFunction::Log2, 1, true, true},
    {"log10", MathFunction::Log10, 1, true},
    {"sin", MathFunction::Sin, 1, true, true},
    {"cos", MathFunction::Cos, 1, true, true},
    {"tan", MathFunction::Tan, 1, true},
    {"tanh", MathFunction::Tanh},
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
inline constexpr BitRow kBits[] = {{"__popc", MathFunction::PopCount},
                                   {"__clz", MathFunction::CountLeadingZeros},
                                   {"__ffs", MathFunction::FindFirstSet},
                                   {"__brev", MathFunction::BitReverse}};

struct ArithmeticRow {
  const char* name;
  Opcode opcode;
  Domain domain;
  std::uint8_t arguments;
};
inline constexpr ArithmeticRow kArithmetic[] = {
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
inline constexpr HalfRow kHalf[] = {
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
inline constexpr AtomicRow kAtomics[] = {
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
inline constexpr TypeWord kTypeWords[] = {{"float", ScalarType::F32}, {"double", ScalarType::F64},
                                          {"half", ScalarType::F16},  {"bfloat16", ScalarType::BF16},
                                          {"int", ScalarType::I32},   {"uint", ScalarType::U32},
                                          {"short", ScalarType::I16}, {"ushort", ScalarType::U16},
                                          {"ll", ScalarType::I64},    {"ull", ScalarType::U64}};

struct BitCastRow {
  const char* name;
  ScalarType from, to;
};
inline constexpr BitCastRow kBitCasts[] = {{"__float_as_int", ScalarType::F32, ScalarType::I32},
                                           {"__int_as_float", ScalarType::I32, ScalarType::F32},
                                           {"__float_as_uint", ScalarType::F32, ScalarType::U32},
                                           {"__uint_as_float", ScalarType::U32, ScalarType::F32},
                                           {"__double_as_longlong", ScalarType::F64, ScalarType::I64},
                                           {"__longlong_as_double", ScalarType::I64, ScalarType::F64}};

}  // namespace warplens::sim::lower
