// CUDA's own functions, by what changes together: a row of the table (table.h) names the member that lowers
// a call.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/lower/builtins/table.h"
#include "sim/lower/ir/ir.h"
#include "sim/lower/ir/number.h"
#include "sim/lower/memory/tensor_copy.h"
#include "sim/lower/part.h"
#include "sim/lower/types.h"
#include "sim/text/scan.h"

namespace warplens::sim::lower {

// Textures and surfaces: where their elements lie, and what the host has said of them.
struct Texture {
  std::string name;
  std::size_t parameter = 0;  // the buffer of its elements, by its place among the program's parameters
  Value base = kNone;
  TypeRef element = nullptr;  // in memory; null: no access has said it yet
  bool is_surface = false;
  bool normalizes = false;  // integers are read as numbers of 0 to 1, or -1 to 1
  int dimensions = 0;       // 0: an access says it
};

enum class Boundary { Trap, Clamp, Zero };  // cudaBoundaryMode

// What the host code of a file sets, where it sets one thing throughout; empty: the launch has to say it. A
// setting that the text does not name is zero, as in a description that was cleared.
struct TextureSettings {
  std::optional<std::int64_t> filter, address, normalized;
  bool reads_normalized = false;  // cudaReadModeNormalizedFloat
  // What its textures hold, as it is described: "uchar4", "VolumeType", of cudaCreateChannelDesc<...>() or of
  // its numbers of bits. Empty: in other words.
  std::vector<std::string> formats = {};
};
TextureSettings texture_settings(std::string_view text);

// Words of the host code, which nobody parses: constants of CUDA that say how something is set up.
// What the one word stands for that the text names; `none` where it names none of them, empty where it names
// several that stand for different things.
template <class Meaning, class Words>
std::optional<Meaning> the_one_named(std::string_view text, const Words& words, std::optional<Meaning> none) {
  std::optional<Meaning> found;
  for (const auto& [word, meaning] : words) {
    if (!text::names_word(text, word)) continue;
    if (found && *found != meaning) return {};
    found = meaning;
  }
  return found ? found : none;
}

// What each of them does with its arguments.
class BuiltinWork : public LoweringPart {
 protected:
  using LoweringPart::LoweringPart;
  Result argument(const BuiltinCall& c, std::size_t index);  // loaded
  Value argument_as(const BuiltinCall& c, std::size_t index, ScalarType type);
  Result pointee(const BuiltinCall& c, std::size_t index, AccessText& text);
  Result pointer_argument(const BuiltinCall& c, std::size_t index,
                          AccessText& text);  // *argument as an lvalue
  void warn_once(const cuda::SourceRange& range, Message message, Message remedy);

 private:
  std::set<std::string> warned_;  // of what, whatever stands in it
};

// Loads, stores and atomics, barriers, and what is of no consequence here.
class MemoryFunctions : public BuiltinWork {
 public:
  using BuiltinWork::BuiltinWork;
  Result builtin_barrier(const Builtin& f, const BuiltinCall& c);
  Result builtin_sync_warp(const Builtin& f, const BuiltinCall& c);
  Result builtin_trap(const Builtin& f, const BuiltinCall& c);
  Result builtin_effect(const Builtin& f, const BuiltinCall& c);
  Result builtin_clock(const Builtin& f, const BuiltinCall& c);
  Result builtin_move(const Builtin& f, const BuiltinCall& c);
  Result builtin_assert(const Builtin& f, const BuiltinCall& c);
  Result builtin_load(const Builtin& f, const BuiltinCall& c);
  Result builtin_store(const Builtin& f, const BuiltinCall& c);
  Result builtin_bytes(const Builtin& f, const BuiltinCall& c);
  Result builtin_atomic(const Builtin& f, const BuiltinCall& c);
  ScalarType part_of_pair(TypeRef type);
  Value next_clock(std::string_view name, const cuda::SourceRange& range);  // I64

 private:
  Result atomic_of_pair(const BuiltinCall& c, const Result& place, const AccessText& text);

  std::optional<Result> clock_;  // what clock() gave last
};

// What the lanes of a warp tell one another.
class WarpFunctions : public BuiltinWork {
 public:
  using BuiltinWork::BuiltinWork;
  Result builtin_shuffle(const Builtin& f, const BuiltinCall& c);
  Result builtin_vote(const Builtin& f, const BuiltinCall& c);
  Value masked_vote(VoteFunction function, Value flag, Value mask);
  Number matching_lanes(const Number& given, Value mask);
  Number reduced(Opcode opcode, const Number& given, Value mask);
  Number among(Value mask);  // the lanes that it means

 private:
  Result shuffle_call(ShuffleMode mode, const BuiltinCall& c, std::size_t first, Value width, Value mask);
  Value lane_mask(const BuiltinCall& c);
};

// What is computed of numbers alone.
class MathFunctions : public BuiltinWork {
 public:
  using BuiltinWork::BuiltinWork;
  Result builtin_math(const Builtin& f, const BuiltinCall& c);
  Result builtin_arithmetic(const Builtin& f, const BuiltinCall& c);
  Result builtin_bit_cast(const Builtin& f, const BuiltinCall& c);
  Result builtin_conversion(const Builtin& f, const BuiltinCall& c);
  Result builtin_make(const Builtin& f, const BuiltinCall& c);

 private:
  void warn_of_table(const BuiltinCall& c);
  std::vector<Result> numbers(const Builtin& f, const BuiltinCall& c);
};

// Clusters and grids: their registers, another block's shared memory, barriers beyond a block.
class Clusters : public BuiltinWork {
 public:
  using BuiltinWork::BuiltinWork;
  void cluster_of(const cuda::Function& function);
  std::optional<Number> cluster_register(std::string_view name);  // "%cluster_ctarank"
  Number cluster_distance(const Number& rank, const cuda::SourceRange& range);
  Result builtin_of_library(const Builtin& f, const BuiltinCall& c);

 private:
  Result grid_sync(const BuiltinCall& c);
  Number cluster_extent(std::size_t dimension);
  Number cluster_index(std::size_t dimension);
  Number cluster_rank();
  Number number(std::uint64_t value) { return {b, ScalarType::U32, b.integer(ScalarType::U32, value)}; }
  Number input(Reg reg) { return {b, ScalarType::U32, b.ir.input(reg, ScalarType::U32)}; }
  void warn_of_cluster(const cuda::SourceRange& range);
  Result cluster_pointer(const BuiltinCall& c);
};

// Copies to shared memory past the registers: by one thread, by a group, in bulk.
class AsyncCopies : public BuiltinWork {
 public:
  using BuiltinWork::BuiltinWork;
  Result library_copy(const Builtin& f, const BuiltinCall& c);
  Result group_copy(const Builtin& f, const BuiltinCall& c);
  Result builtin_address(const Builtin& f, const BuiltinCall& c);
  Result builtin_copy_async(const Builtin& f, const BuiltinCall& c);
  void copy_together(const GroupCopy& copy);
  void warn_of_bulk(const cuda::SourceRange& range);
  void warn_of_warpgroups(const cuda::SourceRange& range);

 private:
  bool is_of_library(TypeRef type, std::string_view name) const;  // of the text library/threads.cpp
  bool is_barrier(TypeRef type) const { return is_of_library(type, "barrier"); }
  bool is_pipeline(TypeRef type) const { return is_of_library(type, "pipeline"); }
  std::int64_t promised_alignment(TypeRef type);
  void copy_chunk(const GroupCopy& copy, Value offset);
  void threads_of(const BuiltinCall& c, GroupCopy& copy);
  std::int64_t read_copy(const BuiltinCall& c, std::size_t first, std::size_t source, GroupCopy& copy);
  Value copied_size(const BuiltinCall& c, std::size_t index, std::int64_t& alignment);
};

// Textures and surfaces: objects that the host describes to a kernel.
class Textures : public BuiltinWork {
 public:
  using BuiltinWork::BuiltinWork;
  Result new_texture(KernelParameter described, bool is_surface, std::string_view host_code);
  Result texture_reference(const cuda::Declarator& declarator);
  Result builtin_texture(const Builtin& f, const BuiltinCall& c);
  Result builtin_surface(const Builtin& f, const BuiltinCall& c);
  // Of PTX, which names an object by its address and says of itself what it reads.
  std::deque<Texture>& all() { return textures_; }
  TypeRef texel_type(ScalarType part, int count) const;
  void give_element(Texture& texture, TypeRef element, const cuda::SourceRange& range);
  Value texel_of(Value coordinate);
  Result fetch(const Texture& texture, TypeRef type, Value index, const AccessText& text);
  Result sample(Texture& texture, TypeRef type, const std::vector<Value>& coordinates,
                const std::vector<Value>& whole, const cuda::SourceRange& range);
  Result access(Texture& surface, TypeRef type, Boundary mode, std::vector<Value> indices,
                const Result* written, const AccessText& text);
  void warn_of_arrays(const Texture& texture, const cuda::SourceRange& range);
  void set_fetch_text(const AccessText* text) { fetch_text_ = text; }

 private:
  Result object_of(const Texture& texture);
  Value texture_number(Texture& texture, const std::string& name, std::optional<std::int64_t> fallback);
  std::vector<Value> extents_of(Texture& texture, std::size_t dimensions);
  Texture& texture_argument(const BuiltinCall& c, std::size_t index);
  [[noreturn]] void fail_of_types(const Texture& texture, TypeRef here, TypeRef elsewhere,
                                  const cuda::SourceRange& range);
  void settle_read_mode(Texture& texture, TypeRef read, const BuiltinCall& c);
  TypeRef fetched_type(Texture& texture, const BuiltinCall& c);

  std::deque<Texture> textures_;                     // by Type::function
  std::optional<TextureSettings> texture_settings_;  // of the host code in the text
  const AccessText* fetch_text_ = nullptr;           // of what is fetched, where no text in C++ says it
};

// Tensor maps, which it describes too.
class TensorMaps : public LoweringPart {
 public:
  using LoweringPart::LoweringPart;
  bool is_tensor_map(TypeRef type) const;  // or a pointer to one
  Result new_tensor_map(TypeRef type, KernelParameter described);
  Value add_tensor_map(KernelParameter described, std::string_view host_code);
  TensorMap* tensor_map_at(Value address);
  void give_element(TensorMap& map, const cuda::SourceRange& range);
  TensorCopy::Numbers numbers_of(TensorMap& map, std::size_t dimensions);

 private:
  std::deque<TensorMap> tensor_maps_;
  std::optional<TensorMapSettings> tensor_map_settings_;  // of the host code in the text
};

// One more parameter, in a register of its own; a pointer leads to memory of its own in `space`.
Value add_parameter(Builder& b, Program& program, KernelParameter described, ScalarType type,
                    Origin::Kind space = Origin::Kind::Global);

// What the host says of a texture, or of a tensor map, is a number of the launch.
Value host_number(Builder& b, Program& program, std::size_t parameter, const std::string& name,
                  ScalarType type, std::optional<std::int64_t> fallback);

// wmma.load is ldmatrix where its pointer leads to shared memory, which is known of a variable only once
// everything is lowered and trace_origins() has run: the loads, by their order, of which that is found then,
// and that were lowered as others. Lowering the kernel once more with these `in_shared` makes them right.
struct FragmentLoads {
  std::set<std::size_t> in_shared;
  std::map<std::size_t, std::size_t> of_access;  // which load it is of that may be found there
  std::size_t count = 0;
  std::set<std::size_t> found_in_shared(const Ir& ir, Pace& pace) const;
};

}  // namespace warplens::sim::lower
