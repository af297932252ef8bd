// Textures and surfaces: where their elements lie, and what the host has said of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/lower/ir/ir.h"
#include "sim/lower/memory/tensor_copy.h"
#include "sim/lower/result.h"
#include "sim/lower/types.h"

namespace warplens::sim::lower {

struct Texture {
  std::string name;
  std::size_t parameter = 0;  // the buffer of its elements, by its place among the program's parameters
  Value base = kNone;
  TypeRef element = nullptr;  // in memory; null: no access has said it yet
  bool is_surface = false;
  bool normalizes = false;  // integers are read as numbers of 0 to 1, or -1 to 1
  int dimensions = 0;       // 0: an access says it
};

// As the enumerations of CUDA's runtime have them.
inline constexpr int kPointFilter = 0, kLinearFilter = 1;
inline constexpr int kWrapMode = 0, kClampMode = 1, kMirrorMode = 2, kBorderMode = 3;

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

// One access to a texture or surface of one to three dimensions.
//
// Coordinates, addressing and filtering are those of the CUDA C++ Programming Guide ("Texture Fetching"): a
// nearest point is that of the floor of the coordinate, a linear one weighs with fractions of eight bits. How
// the GPU rounds those fractions and adds up is not documented: here to the nearest, and in float.

// cudaReadModeNormalizedFloat: the greatest integer is one.
Value to_one(Builder& b, Value part, ScalarType from);

class TextureAccess {
 public:
  struct Numbers {  // of the launch: how long each dimension is, and what else the host says
    std::vector<Value> extents;
    Value filter = kNone, address = kNone, normalized = kNone;
  };
  TextureAccess(Builder& b, const Texture& texture, AccessText text, Numbers numbers)
      : b_(b), texture_(texture), text_(std::move(text)), numbers_(std::move(numbers)) {}

  // What tex1D(), tex2D() and tex3D() give, into the variables of `target`. `whole`: the texel that an
  // unnormalized coordinate lies in.
  void sample(const std::vector<Value>& coordinates, const std::vector<Value>& whole, const Result& target);

  // The address of a surface's element; the first coordinate is in bytes.
  Address element_at(Value bytes, const std::vector<Value>& others);
  Value is_inside(Value bytes, const std::vector<Value>& others);
  // The nearest index inside, where an index is of so many bytes.
  Value clamped(Value index, std::size_t dimension, std::uint64_t bytes);

 private:
  static constexpr ScalarType kInt = ScalarType::I32, kFloat = ScalarType::F32, kBool = ScalarType::Bool;

  Value number(std::uint64_t value) { return b_.integer(kInt, value); }
  Value real(double value) { return b_.number(kFloat, value); }
  Value sum(Value x, Value y) { return b_.op(Opcode::Add, kInt, x, y); }
  Value no(Value x) { return b_.op(Opcode::Not, kBool, x); }
  Value both(Value x, Value y) { return b_.op(Opcode::And, kBool, x, y); }
  Value floor(Value x) { return b_.math(MathFunction::Floor, kFloat, kFloat, x); }
  Value is(Value setting, int value) {
    return b_.op(Opcode::Eq, kInt, setting, number(static_cast<std::uint64_t>(value)));
  }
  Value choose(Value condition, ScalarType type, Value yes, Value otherwise) {
    return b_.op(Opcode::Select, type, condition, yes, otherwise);
  }
  Value is_normalized() { return b_.op(Opcode::Ne, kInt, numbers_.normalized, number(0)); }
  Value wraps() { return both(is(numbers_.address, kWrapMode), is_normalized()); }
  Value mirrors() { return both(is(numbers_.address, kMirrorMode), is_normalized()); }
  Value within(Value index, Value extent);
  Value in_texels(Value x, std::size_t dimension);
  std::vector<Value> floors_of(const std::vector<Value>& coordinates);
  Value addressed(Value index, std::size_t dimension);
  Address address_of(const std::vector<Value>& indices);
  std::vector<Value> read(const std::vector<Value>& indices);
  Value has_texel(const std::vector<Value>& indices);
  void point(const std::vector<Value>& indices, const Result& target);
  void linear(const std::vector<Value>& coordinates, const Result& target);
  void add_corner(const std::vector<Value>& indices, Value weight, const Result& target);

  Builder& b_;
  const Texture& texture_;
  const AccessText text_;
  const Numbers numbers_;
};

}  // namespace warplens::sim::lower
