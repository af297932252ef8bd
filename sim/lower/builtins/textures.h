// Textures, surfaces and tensor maps: objects that the host describes to a kernel.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/lower/builtins/functions.h"
#include "sim/lower/memory/texture.h"

namespace warplens::sim::lower {

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
  bool give_element(Texture& texture, TypeRef element, const cuda::SourceRange& range);
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
  Texture* texture_argument(const BuiltinCall& c, std::size_t index);
  bool settle_read_mode(Texture& texture, TypeRef read, const BuiltinCall& c);
  TypeRef fetched_type(Texture& texture, const BuiltinCall& c);

  std::deque<Texture> textures_;                     // by Type::function
  std::optional<TextureSettings> texture_settings_;  // of the host code in the text
  const AccessText* fetch_text_ = nullptr;           // of what is fetched, where no text in C++ says it
  bool has_warned_of_arrays_ = false;
};

class TensorMaps : public LoweringPart {
 public:
  using LoweringPart::LoweringPart;
  bool is_tensor_map(TypeRef type) const;  // or a pointer to one
  Result new_tensor_map(TypeRef type, KernelParameter described);
  Value add_tensor_map(KernelParameter described, std::string_view host_code);
  TensorMap* tensor_map_at(Value address);
  bool give_element(TensorMap& map, const cuda::SourceRange& range);
  TensorCopy::Numbers numbers_of(TensorMap& map, std::size_t dimensions);

 private:
  std::deque<TensorMap> tensor_maps_;
  std::optional<TensorMapSettings> tensor_map_settings_;  // of the host code in the text
};

// What the host says of a texture, or of a tensor map, is a number of the launch.
Value host_number(Builder& b, Program& program, std::size_t parameter, const std::string& name,
                  ScalarType type, std::optional<std::int64_t> fallback);

}  // namespace warplens::sim::lower
