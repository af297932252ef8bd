#include "sim/lower/builtins/table.h"

#include <initializer_list>
#include <utility>
#include <vector>

#include "sim/cuda/text/names.h"
#include "sim/lower/builtins/table_rows.h"
#include "sim/lower/ir/ir.h"

namespace warplens::sim::lower {
namespace {

using Kind = Builtin::Kind;
using F = MathFunction;
using Names = std::initializer_list<const char*>;

template <class Code>
constexpr std::uint8_t code(Code value) {
  return static_cast<std::uint8_t>(value);
}

struct Refusal {
  const char* name;
  Message remedy;
};
const std::vector<Refusal>& refused() {
  static const std::vector<Refusal> all{
      {"__match_all_sync", Message("use __ballot_sync")},
      {"tex1DLayered", Message("use tex1D on one layer")},
      {"tex2DLayered", Message("use tex2D on one layer")},
      {"tex2DLod", Message("use tex2D: one level of detail is simulated")},
      {"tex2Dgather", Message("use four calls of tex2D")},
      {"texCubemap", Message("use tex2D on one face")},
      {"coalesced_threads", Message("use __activemask() and a tile of 32 threads")},
  };
  return all;
}

class Table {
 public:
  std::map<std::string, Builtin, std::less<>> build() {
    add_effects();
    add_memory();
    add_warp();
    add_arithmetic();
    add_halves();
    add_conversions();
    for (const auto& [name, type] : cuda::builtin_types())
      if (type.kind == cuda::BuiltinType::Kind::Vector) add("make_" + name, {Kind::Make});
    add_all({"memcpy_async", "cuda::memcpy_async"}, {Kind::GroupCopy});
    add("move", {Kind::Move});
    add("wmma::load_matrix_sync", {Kind::Fragment, code(FragmentFunction::Load)});
    add("wmma::store_matrix_sync", {Kind::Fragment, code(FragmentFunction::Store)});
    add("wmma::fill_fragment", {Kind::Fragment, code(FragmentFunction::Fill)});
    add("wmma::mma_sync", {Kind::Fragment, code(FragmentFunction::Multiply)});
    add("wmma::__float_to_tf32", {Kind::Fragment, code(FragmentFunction::Round)});
    add_refused();
    return std::move(table_);
  }

 private:
  void add_all(Names names, const Builtin& entry) {
    for (const char* name : names) table_[name] = entry;
  }
  void add(const std::string& name, const Builtin& entry) { table_[name] = entry; }

  void add_effects() {
    add_all({"__syncthreads"}, {.kind = Kind::Barrier, .arguments = 0});
    add_all({"__syncthreads_count"}, {Kind::Barrier, code(BlockVote::Count)});
    add_all({"__syncthreads_and"}, {Kind::Barrier, code(BlockVote::All)});
    add_all({"__syncthreads_or"}, {Kind::Barrier, code(BlockVote::Any)});
    add_all({"__syncwarp"}, {Kind::SyncWarp});
    add_all({"__trap"}, {Kind::Trap});
    add_all(
        {"__curand_subsequence", "__lane_index", "__grid_sync", "__map_shared_rank", "__query_shared_rank"},
        {.kind = Kind::OfLibrary});
    add_all({"clock", "clock64"}, {.kind = Kind::Clock, .arguments = 0});
    add_all({"assert"}, {Kind::Assert});
    add_all({"printf"}, {Kind::Print});
    add_all({"__threadfence", "__threadfence_block", "__threadfence_system", "__nanosleep",
             "__builtin_unreachable", "__prof_trigger", "__builtin_prefetch"},
            {Kind::Nothing});
    add_all({"__builtin_assume", "__assume"}, {Kind::Assume});
    add_all(
        {"cudaGridDependencySynchronize", "cudaTriggerProgrammaticLaunchCompletion"},
        {.kind = Kind::Nothing,
         .arguments = 0,
         .remedy = Message("a launch is simulated by itself, after all before it have ended: programmatic "
                           "dependent launch has no effect here")});
  }

  void add_memory() {
    add_all({"__ldg", "__ldca", "__ldcg", "__ldcs", "__ldlu", "__ldcv"},
            {.kind = Kind::Load, .arguments = 1});
    add_all({"__stwb", "__stcg", "__stcs", "__stwt"}, {.kind = Kind::Store, .arguments = 2});
    add_all({"__cvta_generic_to_shared"}, {.kind = Kind::SharedAddress});
    add_all({"__cvta_shared_to_generic"}, {.kind = Kind::GenericAddress, .code = 1});
    add_all({"__cvta_generic_to_global", "__cvta_global_to_generic"}, {.kind = Kind::GenericAddress});
    add_all({"__pipeline_memcpy_async"}, {.kind = Kind::CopyAsync, .arguments = 3});
    add_all({"__pipeline_commit", "__pipeline_wait_prior"}, {Kind::Nothing});
    add_all({"tex1Dfetch"}, {.kind = Kind::Texture, .code = 0, .arguments = 2});
    for (std::uint8_t dimensions = 1; dimensions <= 3; ++dimensions) {
      const std::string number = std::to_string(dimensions) + "D";
      const auto arguments = static_cast<std::uint8_t>(1 + dimensions);
      add("tex" + number, {.kind = Kind::Texture, .code = dimensions, .arguments = arguments});
      add("surf" + number + "read", {.kind = Kind::Surface, .code = dimensions, .arguments = arguments});
      const auto writes = static_cast<std::uint8_t>(dimensions + kWrites);
      add("surf" + number + "write",
          {.kind = Kind::Surface, .code = writes, .arguments = static_cast<std::uint8_t>(1 + arguments)});
    }
    add(std::string(kAtomicReference) + "load",
        {.kind = Kind::Load, .arguments = 1});  // library/cuda_std.cpp
    add(std::string(kAtomicReference) + "store", {.kind = Kind::Store, .arguments = 2});
    add_all({"memcpy"}, {.kind = Kind::CopyBytes, .arguments = 3});
    add_all({"memset"}, {.kind = Kind::FillBytes, .arguments = 3});
    for (const AtomicRow& row : kAtomics) {
      const std::uint8_t count = row.function == AtomicFunction::CompareAndSwap ? 3 : 2;
      for (const char* scope : {"", "_block", "_system"})
        add(std::string(row.name) + scope,
            {.kind = Kind::Atomic, .code = code(row.function), .arguments = count});
      add(std::string(kAtomicReference) + std::string(row.name).substr(6),
          {.kind = Kind::Atomic, .code = code(row.function), .arguments = count});
    }
  }

  // With a mask as the first argument: `arguments` is one more.
  void add_warp() {
    const auto both = [&](const char* name, const Builtin& entry) {
      Builtin masked = entry;
      ++masked.arguments;
      add(name, entry);
      add(std::string(name) + "_sync", masked);
    };
    const auto shuffle = [&](const char* name, ShuffleMode mode) {
      both(name, {.kind = Kind::Shuffle, .code = code(mode), .arguments = 2});
    };
    shuffle("__shfl", ShuffleMode::Index);
    shuffle("__shfl_up", ShuffleMode::Up);
    shuffle("__shfl_down", ShuffleMode::Down);
    shuffle("__shfl_xor", ShuffleMode::Xor);
    const auto vote = [&](const char* name, VoteFunction function, ScalarType to) {
      both(name, {.kind = Kind::Vote, .code = code(function), .arguments = 1, .to = to});
    };
    vote("__any", VoteFunction::Any, ScalarType::I32);
    vote("__all", VoteFunction::All, ScalarType::I32);
    vote("__ballot", VoteFunction::Ballot, ScalarType::U32);
    add_all({"__match_any_sync"}, {.kind = Kind::Match, .arguments = 2});
    const std::pair<const char*, Opcode> reductions[] = {{"add", Opcode::Add}, {"min", Opcode::Min},
                                                         {"max", Opcode::Max}, {"and", Opcode::And},
                                                         {"or", Opcode::Or},   {"xor", Opcode::Xor}};
    for (const auto& [name, opcode] : reductions)
      add(std::string("__reduce_") + name + "_sync",
          {.kind = Kind::Reduce, .code = static_cast<std::uint8_t>(opcode), .arguments = 2});
    add_all({"__activemask"}, {.kind = Kind::ActiveMask, .arguments = 0});
  }

  void add_math(const std::string& name, MathFunction function, Domain domain, std::uint8_t arguments = 1) {
    add(name, {.kind = Kind::Math, .code = code(function), .domain = domain, .arguments = arguments});
  }

  void add_arithmetic() {
    for (const MathRow& row : kMath) {
      const std::string name = row.name;
      add_math(name, row.function, Domain::Any, row.arguments);
      add_math(name + "f", row.function, Domain::Float, row.arguments);
      if (row.fast) add_math("__" + name + "f", row.function, Domain::Float, row.arguments);
      if (row.half) add_math("h" + name, row.function, Domain::Half);
    }
    add_math("__fsqrt_rn", F::Sqrt, Domain::Float);
    add_math("__frsqrt_rn", F::Rsqrt, Domain::Float);
    add_math("__dsqrt_rn", F::Sqrt, Domain::Double);
    for (const BitRow& row : kBits) {
      add_math(row.name, row.function, Domain::Unsigned);
      add_math(std::string(row.name) + "ll", row.function, Domain::Unsigned64);
    }
    for (const ArithmeticRow& row : kArithmetic)
      add(row.name, {Kind::Arithmetic, code(row.opcode), row.domain, row.arguments});
    add_all({"ldexp", "scalbn"}, {.kind = Kind::Ldexp, .domain = Domain::Any, .arguments = 2});
    add_all({"ldexpf", "scalbnf"}, {.kind = Kind::Ldexp, .domain = Domain::Float, .arguments = 2});
    add_all({"frexp"}, {.kind = Kind::Frexp, .domain = Domain::Any, .arguments = 2});
    add_all({"frexpf"}, {.kind = Kind::Frexp, .domain = Domain::Float, .arguments = 2});
    add_all({"isnan",   "isinf",    "isfinite", "__saturatef", "__frcp_rn", "__drcp_rn", "copysignf",
             "__mul24", "__umul24", "sincosf",  "__sincosf",   "sincos",    "lrint",     "lrintf",
             "llrint",  "llrintf",  "lround",   "lroundf",     "llround",   "llroundf"},
            {.kind = Kind::OfText});
  }

  void add_halves() {
    for (const HalfRow& row : kHalf) {
      add(row.name, {Kind::Arithmetic, code(row.opcode), Domain::Half, row.arguments});
      add(std::string(row.name) + "2", {.kind = Kind::OfText, .domain = Domain::Half});
    }
    add_all({"__floats2half2_rn", "__halves2half2", "__float2half2_rn", "__half2half2", "__float22half2_rn",
             "__half22float2", "__low2half", "__high2half", "__floats2bfloat162_rn", "__halves2bfloat162",
             "__float2bfloat162_rn", "__bfloat162bfloat162", "__float22bfloat162_rn", "__bfloat1622float2",
             "__low2bfloat16", "__high2bfloat16", "__low2float", "__high2float"},
            {.kind = Kind::OfText, .domain = Domain::Half});
  }

  // __float2int_rn() and its kin; __float_as_int(), whose bits stay in the register as they are.
  void add_conversions() {
    constexpr const char* kRoundings[] = {"", "_rn", "_rz", "_ru", "_rd"};
    for (const TypeWord& from : kTypeWords) {
      for (const TypeWord& to : kTypeWords) {
        const std::string name = std::string("__") + from.word + "2" + to.word;
        if (is_small_float(from.type) && is_small_float(to.type)) continue;  // through float
        for (std::uint8_t i = 0; from.type != to.type && i < 5; ++i)
          add(name + kRoundings[i], {.kind = Kind::Conversion, .code = i, .from = from.type, .to = to.type});
      }
    }
    for (const BitCastRow& row : kBitCasts)
      add(row.name, {.kind = Kind::BitCast, .from = row.from, .to = row.to});
  }

  void add_refused() {
    for (const Refusal& row : refused()) add(row.name, {.kind = Kind::Refused, .remedy = row.remedy});
    for (const char* name : {"erfinv", "erfcinv", "erfcx", "modf", "norm3d", "norm4d", "nextafter", "j0",
                             "j1", "y0", "y1", "logb", "ilogb"})
      for (const char* suffix : {"", "f"})
        add(std::string(name) + suffix,
            {.kind = Kind::NotSimulated,
             .remedy = Message("use another function, or pass its values in a buffer")});
  }

  std::map<std::string, Builtin, std::less<>> table_;
};

}  // namespace

const std::map<std::string, Builtin, std::less<>>& builtins() {
  static const auto table = Table().build();
  return table;
}

}  // namespace warplens::sim::lower
