// CUDA's own functions: barriers, printf, assert, memory and what is not supported.
#include <algorithm>
#include <array>

#include "sim/lower/lowering.h"

namespace warplens::warp::lower {
namespace {

constexpr auto kNothing = std::to_array<std::string_view>(
    {"__threadfence", "__threadfence_block", "__threadfence_system", "__nanosleep", "__builtin_assume",
     "__assume", "__builtin_unreachable", "__prof_trigger", "printf", "static_assert", "__builtin_prefetch"});
constexpr auto kLoads =
    std::to_array<std::string_view>({"__ldg", "__ldcg", "__ldca", "__ldcs", "__ldlu", "__ldcv"});
constexpr auto kStores = std::to_array<std::string_view>({"__stwb", "__stcg", "__stcs", "__stwt"});

struct Unsupported {
  std::string_view name, remedy;
};
constexpr auto kUnsupported = std::to_array<Unsupported>({
    {"__syncthreads_count", "use __syncthreads() and count with an atomic in shared memory"},
    {"__syncthreads_and", "use __syncthreads() and a flag in shared memory"},
    {"__syncthreads_or", "use __syncthreads() and a flag in shared memory"},
    {"__match_any_sync", "use __ballot_sync"},
    {"__match_all_sync", "use __ballot_sync"},
    {"clock", "time is measured on a GPU, never simulated"},
    {"clock64", "time is measured on a GPU, never simulated"},
    {"malloc", "use a local or shared array"},
    {"free", "use a local or shared array"},
    {"memcpy", "copy element by element"},
    {"memset", "write element by element"},
    {"tex1Dfetch", "read from a pointer"},
    {"tex1D", "read from a pointer"},
    {"tex2D", "read from a pointer"},
    {"tex3D", "read from a pointer"},
    {"__pipeline_memcpy_async", "copy with a load and a store"},
    {"cg::memcpy_async", "copy with a load and a store"},
    {"cg::coalesced_threads", "use __activemask() and a tile of 32 threads"},
});

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Functions of CUDA's library that are known, but not simulated: their names with the f of a float dropped.
constexpr auto kNotSimulated = std::to_array<std::string_view>(
    {"atan",   "atan2",  "asin",  "acos",      "sinh",   "cosh",     "asinh",   "acosh", "atanh",
     "cbrt",   "rcbrt",  "hypot", "rhypot",    "erfc",   "erfinv",   "erfcx",   "expm1", "log1p",
     "lgamma", "tgamma", "sinpi", "cospi",     "normcd", "lround",   "llround", "lrint", "llrint",
     "ldexp",  "frexp",  "modf",  "remainder", "norm3d", "nextafter"});

}  // namespace

bool Lowering::builtin(const BuiltinCall& c, Result& result) {
  return builtin_plain(c, result) || builtin_memory(c, result) || builtin_atomic(c, result) ||
         builtin_warp(c, result) || builtin_vote(c, result) || builtin_group(c, result) ||
         builtin_math(c, result) || builtin_arithmetic(c, result) || builtin_generic(c, result) ||
         builtin_sincos(c, result) || builtin_conversion(c, result) || builtin_half(c, result) ||
         builtin_half2(c, result) || unsupported(c, result);
}

bool Lowering::unsupported(const BuiltinCall& c, Result& result) {
  const std::string_view plain = c.name.ends_with('f') ? c.name.substr(0, c.name.size() - 1) : c.name;
  if (contains(kNotSimulated, c.name) || contains(kNotSimulated, plain) || c.name.starts_with("__reduce_")) {
    result = fail(c.node->callee->range, "'" + std::string(c.name) + "' is not simulated",
                  c.name.starts_with("__reduce_") ? "reduce with shuffles"
                                                  : "use another function, or pass its values in a buffer");
    return true;
  }
  const auto found = std::find_if(kUnsupported.begin(), kUnsupported.end(),
                                  [&](const Unsupported& entry) { return entry.name == c.name; });
  if (found == kUnsupported.end()) return false;
  result = fail(c.range, "'" + std::string(c.name) + "' is not supported", std::string(found->remedy));
  return true;
}

std::vector<std::string> Lowering::builtin_names() const {
  return {"__syncthreads",
          "__syncwarp",
          "__shfl_sync",
          "__shfl_up_sync",
          "__shfl_down_sync",
          "__shfl_xor_sync",
          "__any_sync",
          "__all_sync",
          "__ballot_sync",
          "__activemask",
          "atomicAdd",
          "atomicSub",
          "atomicMin",
          "atomicMax",
          "atomicExch",
          "atomicCAS",
          "atomicAnd",
          "atomicOr",
          "atomicXor",
          "atomicInc",
          "atomicDec",
          "__ldg",
          "min",
          "max",
          "abs",
          "fminf",
          "fmaxf",
          "fabsf",
          "sqrtf",
          "rsqrtf",
          "expf",
          "exp2f",
          "logf",
          "log2f",
          "log10f",
          "sinf",
          "cosf",
          "tanf",
          "tanhf",
          "powf",
          "floorf",
          "ceilf",
          "roundf",
          "truncf",
          "rintf",
          "fmodf",
          "fmaf",
          "erff",
          "sqrt",
          "rsqrt",
          "exp",
          "log",
          "sin",
          "cos",
          "pow",
          "floor",
          "ceil",
          "fabs",
          "fma",
          "fmin",
          "fmax",
          "__expf",
          "__logf",
          "__sinf",
          "__cosf",
          "__powf",
          "__fdividef",
          "__popc",
          "__popcll",
          "__clz",
          "__ffs",
          "__brev",
          "__mul24",
          "__umul24",
          "__mulhi",
          "__umulhi",
          "__float2half",
          "__half2float",
          "__float2int_rn",
          "__float2int_rz",
          "__int2float_rn",
          "__float_as_int",
          "__int_as_float",
          "make_float2",
          "make_float3",
          "make_float4",
          "make_int2",
          "make_int4",
          "printf",
          "assert",
          "__threadfence",
          "__threadfence_block",
          "__trap",
          "__saturatef",
          "isnan",
          "isinf"};
}

// ---- arguments
// -------------------------------------------------------------------------------------------------------------

bool Lowering::arguments_are(const BuiltinCall& c, std::size_t least, std::size_t most) {
  const std::size_t count = c.node->arguments.size();
  if (count >= least && count <= most) return true;
  const std::string wanted =
      least == most ? std::to_string(least) : std::to_string(least) + " to " + std::to_string(most);
  error(c.range, "'" + std::string(c.name) + "' takes " + wanted + " argument" + (most == 1 ? "" : "s") +
                     ", " + std::to_string(count) + (count == 1 ? " is" : " are") + " given");
  return false;
}

Result Lowering::argument(const BuiltinCall& c, std::size_t index) {
  return value_of(*c.node->arguments[index]);
}

Value Lowering::argument_as(const BuiltinCall& c, std::size_t index, ScalarType type) {
  const Result given = convert(argument(c, index), types.scalar(type), c.node->arguments[index]->range);
  return given.is_error() ? kNone : given.value();
}

std::vector<Value> Lowering::arguments_as(const BuiltinCall& c, std::size_t count, ScalarType type) {
  if (!arguments_are(c, count, count)) return {};
  std::vector<Value> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(argument_as(c, i, type));
  return std::find(values.begin(), values.end(), kNone) == values.end() ? values : std::vector<Value>{};
}

bool Lowering::are_numbers(const BuiltinCall& c, const std::vector<Result>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].is_error()) return false;
    if (arguments[i].kind == Kind::Rvalue && arguments[i].type->is_scalar()) continue;
    error(c.node->arguments[i]->range,
          "'" + std::string(c.name) + "' needs numbers, not '" + name_of(arguments[i].type) + "'");
    return false;
  }
  return true;
}

Result Lowering::pointee(const BuiltinCall& c, std::size_t index, AccessText& text) {
  const cuda::Expr& given = *c.node->arguments[index];
  if (const auto* unary = std::get_if<cuda::UnaryExpr>(&given.node);
      unary && unary->op == cuda::UnaryOp::AddressOf) {
    text = access_text(*unary->operand);
    const Result pointer = value_of(given);
    return pointer.is_error() ? bad() : dereference(pointer, given.range);
  }
  text = access_text(given);
  const bool is_name = std::holds_alternative<cuda::NameExpr>(given.node);
  text.text = is_name ? "*" + text.text : "*(" + text.text + ")";
  const Result pointer = value_of(given);
  if (pointer.is_error()) return bad();
  if (!pointer.type->is_pointer()) {
    return fail(given.range,
                "'" + std::string(c.name) + "' needs an address, not '" + name_of(pointer.type) + "'",
                "write & before it");
  }
  return dereference(pointer, given.range);
}

// ---- barriers and the like
// -------------------------------------------------------------------------------------------------

bool Lowering::builtin_plain(const BuiltinCall& c, Result& result) {
  const auto& arguments = c.node->arguments;
  result = void_result();
  if (c.name == "__syncthreads") {
    if (arguments_are(c, 0, 0)) b.plain(Opcode::Barrier);
    return true;
  }
  if (c.name == "__syncwarp") {
    if (arguments_are(c, 0, 1)) b.plain(Opcode::SyncWarp);
    return true;
  }
  if (c.name == "__trap") {
    b.plain(Opcode::Assert, b.integer(ScalarType::Bool, 0));
    return true;
  }
  if (c.name == "assert") {
    if (!arguments_are(c, 1, 1)) return true;
    const cuda::Expr* condition = arguments[0].get();  // of assert(x && "why") the x
    if (const auto* both = std::get_if<cuda::BinaryExpr>(&condition->node);
        both && both->op == cuda::BinaryOp::And &&
        std::holds_alternative<cuda::StringLiteral>(both->right->node)) {
      condition = both->left.get();
    }
    const Value flag = condition_of(*condition);
    if (flag != kNone) b.plain(Opcode::Assert, flag);
    return true;
  }
  if (!contains(kNothing, c.name)) return false;
  if (c.name == "printf") result = value(ScalarType::I32, b.integer(ScalarType::I32, 0));
  for (const cuda::ExprPtr& e : arguments) {
    if (!std::holds_alternative<cuda::StringLiteral>(e->node)) value_of(*e);
  }
  return true;
}

bool Lowering::builtin_memory(const BuiltinCall& c, Result& result) {
  const bool loads = contains(kLoads, c.name);
  if (!loads && !contains(kStores, c.name)) return false;
  result = bad();
  if (!arguments_are(c, loads ? 1 : 2, loads ? 1 : 2)) return true;
  AccessText text;
  const Result place = pointee(c, 0, text);
  if (place.is_error()) return true;
  if (loads) {
    result = rvalue(place, text);
    return true;
  }
  const Result stored = convert(argument(c, 1), types.plain(place.type), c.range);
  if (place.type->is_const) {
    error(c.range, "'" + text.text + "' is const and cannot be changed");
  } else if (!stored.is_error()) {
    store(place, stored, text);
  }
  result = void_result();
  return true;
}

// ---- atomics
// ---------------------------------------------------------------------------------------------------------------

bool Lowering::builtin_atomic(const BuiltinCall& c, Result& result) {
  struct Entry {
    std::string_view name;
    AtomicFunction function;
  };
  static constexpr auto kEntries = std::to_array<Entry>({{"Add", AtomicFunction::Add},
                                                         {"Sub", AtomicFunction::Sub},
                                                         {"Min", AtomicFunction::Min},
                                                         {"Max", AtomicFunction::Max},
                                                         {"Exch", AtomicFunction::Exchange},
                                                         {"CAS", AtomicFunction::CompareAndSwap},
                                                         {"And", AtomicFunction::And},
                                                         {"Or", AtomicFunction::Or},
                                                         {"Xor", AtomicFunction::Xor},
                                                         {"Inc", AtomicFunction::Inc},
                                                         {"Dec", AtomicFunction::Dec}});
  if (!c.name.starts_with("atomic")) return false;
  std::string_view name = c.name.substr(6);
  for (const std::string_view scope : {"_block", "_system"}) {
    if (name.ends_with(scope)) name.remove_suffix(scope.size());
  }
  const auto entry =
      std::find_if(kEntries.begin(), kEntries.end(), [&](const Entry& e) { return e.name == name; });
  if (entry == kEntries.end()) return false;
  result = bad();
  const bool swaps = entry->function == AtomicFunction::CompareAndSwap;
  if (!arguments_are(c, swaps ? 3 : 2, swaps ? 3 : 2)) return true;
  AccessText text;
  const Result place = pointee(c, 0, text);
  if (place.is_error()) return true;
  const ScalarType type = place.type->is_scalar() ? place.type->scalar : ScalarType::Bool;
  const bool is_plain = entry->function == AtomicFunction::Add || entry->function == AtomicFunction::Exchange;
  const bool is_odd = type == ScalarType::F64 && entry->function == AtomicFunction::Exchange;
  const bool fits = size_of(type) >= 4
                        ? !is_floating(type) || (is_plain && !is_odd)
                        : (type == ScalarType::F16 && entry->function == AtomicFunction::Add) ||
                              (type == ScalarType::U16 && swaps);
  const bool wraps = entry->function == AtomicFunction::Inc || entry->function == AtomicFunction::Dec;
  if (!fits || (wraps && type != ScalarType::U32)) {
    result = fail(c.range, "'" + std::string(c.name) + "' does not exist for '" + name_of(place.type) + "'",
                  wraps ? "it takes unsigned int" : "it takes int, unsigned int and 64-bit integers");
    return true;
  }
  if (place.type->is_const) {
    result = fail(c.range, "'" + text.text + "' is const and cannot be changed");
    return true;
  }
  const Value operand = argument_as(c, 1, type);
  const Value new_value = swaps ? argument_as(c, 2, type) : kNone;
  if (operand == kNone || (swaps && new_value == kNone)) return true;
  const Value old = b.atomic(entry->function, place.address, text, type, operand, new_value, c.result_used);
  result = c.result_used ? value(type, old) : void_result();
  return true;
}

}  // namespace warplens::warp::lower
