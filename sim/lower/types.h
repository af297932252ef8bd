// CUDA's types as the lowering sees them: scalars, pointers, records (structs and vector types), arrays.
//
// Types are interned in a TypeTable: equal types are equal pointers, `const` included.
#pragma once

#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/cuda/parse/syntax.h"
#include "sim/cuda/text/names.h"
#include "sim/program/program.h"

namespace warplens::sim::lower {

struct Type;
using TypeRef = const Type*;

struct Field {
  std::string name;
  TypeRef type = nullptr;
  std::int64_t offset = 0;
};

struct Record {
  std::string name;
  std::vector<Field> fields;
  std::int64_t size = 1, alignment = 1;
  bool one_access = false;        // float4, int2, an aligned struct of equal numbers: moved as one piece
  bool is_vector = false;         // a built-in vector type, dim3 included
  bool has_constructors = false;  // that only the host has
  const cuda::Struct* definition = nullptr;  // null for CUDA's own
  std::string key;                           // name and template arguments, told apart from all others
  bool is_union = false;                     // all fields begin at 0
  bool is_tensor_map = false;                // which has no fields that anyone knows of
  // Where a derived struct's own fields may begin: in front of the padding at the end, unless the struct is
  // plain old data (Itanium C++ ABI, "Non-POD Class Types"), as nvcc has it from the host's compiler.
  std::int64_t used_size = 0;
  std::size_t whole = 0;                // of a union the largest field, which is moved where the union is
  bool needs_address = false;           // a member function takes the address of a member, or uses `this`
  int bases = 0;                        // that lie in it, at whatever depth, each as often as it does
  bool is_empty = false;                // it has no members, nor has a base of it
  std::set<const Record*> empty_parts;  // the empty structs that lie at its beginning, itself among them
  // Answers about all that lies in here, kept once the record is complete: asking field by field again would
  // take time exponential in the depth of structs. -1: not known yet.
  mutable int leaves = -1, has_array = -1, constructs = -1, copies = -1, pointers = -1;
};

// Whether the field is the part that a base class adds.
inline bool is_base(std::string_view field) {
  return field.starts_with("#:");
}

// The names of the parts that lead from a struct to a base class of it; nullopt: it is none.
std::optional<std::vector<std::string>> path_to_base(const Record* record, const Record* base);

struct Type {
  // Function: a function that is passed on, known when compiling, so that it has no bytes; a Texture alike,
  // or a surface. Error: already complained about.
  enum class Kind { Error, Void, Scalar, Pointer, Record, Array, Function, Texture };
  Kind kind = Kind::Error;
  ScalarType scalar = ScalarType::I32;  // Scalar
  TypeRef element = nullptr;            // Pointer, Array
  const Record* record = nullptr;       // Record
  std::int64_t extent = 0;              // Array; 0: unknown (`extern __shared__ float s[]`)
  bool is_surface = false;              // Texture
  int function = -1;                    // Function, Texture: which one; -1: whichever is given
  bool is_const = false;
  // `signed char`, which is not `char`; `long`, which is not `long long`; std::nullptr_t, which is no void*.
  bool is_other = false;
  int depth = 1;  // of pointers and arrays within one another

  bool is(Kind k) const { return kind == k; }
  bool is_scalar() const { return kind == Kind::Scalar; }
  bool is_pointer() const { return kind == Kind::Pointer; }
  bool is_null() const { return is_pointer() && is_other; }
  bool is_integer() const { return is_scalar() && !is_floating(scalar); }
};

inline constexpr int kMostTypeDepth = 500;
// The most bases of a struct, with the bases of its bases: a lookup of a name visits all of them.
inline constexpr int kMostBases = 512;

// Thrown by TypeTable for a type that is deeper: what walks over types may recurse.
struct TypeTooDeep {};
// Thrown where a type is to be taken apart into more leaves than anything that is handled as a whole has.
struct TypeTooLarge {
  std::string name;
};

// One scalar inside a type, in memory order: `float2 v[2]` has v[0].x, v[0].y, v[1].x, v[1].y.
struct Leaf {
  std::string suffix;      // ".x", "[1].y"
  TypeRef type = nullptr;  // Scalar or Pointer
  std::int64_t offset = 0;
};

// One load or store of a type: `components` leaves starting at `leaf`.
struct Chunk {
  int leaf = 0, components = 1;
  std::int64_t offset = 0;
  ScalarType scalar = ScalarType::I32;
  std::string suffix;  // of the lvalue that is accessed; empty for the whole
};

class TypeTable {
 public:
  TypeTable();

  TypeRef error() const { return error_; }
  TypeRef void_type() const { return void_; }
  TypeRef null_type() const { return null_; }
  TypeRef scalar(ScalarType type) const { return scalars_[static_cast<int>(type)]; }
  // `long` or `unsigned long` for 64 bits, otherwise the type itself.
  TypeRef long_or(ScalarType type) const;
  TypeRef pointer(TypeRef element);
  TypeRef array(TypeRef element, std::int64_t extent);
  TypeRef record(const Record* record);
  TypeRef function(int which);
  TypeRef texture(int which, bool is_surface);
  TypeRef with_const(TypeRef type, bool is_const);
  TypeRef plain(TypeRef type) { return with_const(type, false); }

  // "float", "uint32_t", "size_t", "half", "float4", "dim3"; null where the name is no built-in type.
  TypeRef builtin(std::string_view name) const;

  Record* new_record(std::string name);  // to be filled in by the caller
  std::vector<std::string> builtin_names() const;

 private:
  using Key = std::tuple<Type::Kind, int, TypeRef, const Record*, std::int64_t, bool, int, bool, bool>;
  TypeRef intern(Type type);
  TypeRef vector(const cuda::BuiltinType& type);
  TypeRef tensor_map(const std::string& name);

  std::map<Key, std::unique_ptr<Type>> types_;
  std::vector<std::unique_ptr<Record>> records_;
  std::map<std::string, TypeRef, std::less<>> names_;
  TypeRef error_ = nullptr, void_ = nullptr, signed_char_ = nullptr, null_ = nullptr;
  TypeRef long_ = nullptr, unsigned_long_ = nullptr;
  TypeRef scalars_[std::size(kScalarTraits)] = {};
};

bool derives_from(TypeRef type, TypeRef base);
std::int64_t base_offset(const Record* record, const Record* base);
std::int64_t size_of(TypeRef type);  // in bytes; 0 for void
std::int64_t alignment_of(TypeRef type);
std::string name_of(TypeRef type);   // "const float*", "int[4][8]"
std::string key_of(TypeRef type);    // the same for the same type alone, whatever it is called
ScalarType scalar_of(TypeRef leaf);  // of a Scalar; U64 of a Pointer
std::span<const Field> moved_fields(const Record& record);  // what a copy of it reads and writes
bool has_pointers(TypeRef type);
bool contains_array(TypeRef type);  // or a union: neither lies in registers

inline constexpr int kMostLeaves = 256;  // of a struct that is copied or built as a whole
inline constexpr int kMostListedLeaves = 16 * kMostLeaves;
int leaf_count(TypeRef type);
// Where `part` lies in `whole`, from `offset` on: no empty struct in the one has the address of the same
// struct in the other, of what lies there already.
TypeRef first_leaf(TypeRef type);  // null where there is none
// These throw TypeTooLarge beyond kMostListedLeaves.
void append_leaves(TypeRef type, std::vector<Leaf>& leaves);
std::vector<Leaf> leaves_of(TypeRef type);
std::vector<Chunk> chunks_of(TypeRef type);

}  // namespace warplens::sim::lower
