#include "tests/differential/element_type.h"

#include <stdexcept>
#include <string_view>

namespace warplens::differential {

const std::vector<ElementType>& element_types() {
  using F = Feature;
  static const std::vector<ElementType> kTypes = {
      {"int", 4, "@", "@", set_of({F::FourBytes}), ""},
      {"unsigned", 4, "(int)@", "(unsigned)(@)", set_of({F::FourBytes}), ""},
      {"float", 4, "(int)(@ * 9.0f)", "(float)(@)", set_of({F::FourBytes, F::Float}), ""},
      {"signed char", 1, "(int)@", "(signed char)(@)", set_of({F::OneByte}), ""},
      {"unsigned char", 1, "(int)@", "(unsigned char)(@)", set_of({F::OneByte}), ""},
      {"char", 1, "@ - 1", "(char)(@)", set_of({F::OneByte}), ""},
      {"short", 2, "(int)@", "(short)(@)", set_of({F::TwoBytes}), ""},
      {"unsigned short", 2, "(int)@", "(unsigned short)(@)", set_of({F::TwoBytes}), ""},
      {"__half", 2, "(int)(__half2float(@) * 5.0f)", "__float2half((float)(@))",
       set_of({F::TwoBytes, F::Half}), ""},
      {"__nv_bfloat16", 2, "(int)(__bfloat162float(@) * 3.0f)", "__float2bfloat16((float)(@))",
       set_of({F::TwoBytes, F::Half}), ""},
      {"long long", 8, "(int)@", "(long long)(@) * 3", set_of({F::EightBytes}), ""},
      {"unsigned long long", 8, "(int)(@ >> 1)", "(unsigned long long)(@)", set_of({F::EightBytes}), ""},
      {"double", 8, "(int)(@ * 7.0)", "(double)(@) / 3.0", set_of({F::EightBytes, F::Double}), ""},
      {"float2", 8, "(int)@.y", "make_float2((float)(@), 1.0f)", set_of({F::EightBytes, F::Vector}),
       "(int)(@.x + 2.0f)"},
      {"int2", 8, "@.x", "make_int2(7, @)", set_of({F::EightBytes, F::Vector}), "@.y"},
      {"float4", 16, "(int)@.w", "make_float4(1.0f, (float)(@), 0.0f, 2.0f)",
       set_of({F::SixteenBytes, F::Vector}), "(int)(@.z * 3.0f)"},
      {"int4", 16, "@.z", "make_int4(1, 2, @, 3)", set_of({F::SixteenBytes, F::Vector}), "@.w"},
      {"double2", 16, "(int)@.y", "make_double2(0.5, (double)(@))",
       set_of({F::SixteenBytes, F::Vector, F::Double}), "(int)@.x"},
      {"uchar4", 4, "(int)@.y", "make_uchar4(1, 2, 3, (unsigned char)(@))", set_of({F::FourBytes, F::Vector}),
       "(int)@.w"},
      {"Pair", 8, "@.key", "make_pair_of(@)", set_of({F::Struct}), "(@.key + (int)@.weight)", true},
      {"Record", 24, "(int)@.tag", "make_record_of(@)", set_of({F::Struct}), "(@.low + (int)@.value)", true},
  };
  return kTypes;
}

const ElementType& element_type(const char* name) {
  for (const ElementType& type : element_types())
    if (std::string_view(type.name) == name) return type;
  throw std::invalid_argument(name);
}

std::string put_into(const std::string& format, const std::string& text) {
  std::string whole;
  for (const char c : format) whole += c == '@' ? text : std::string(1, c);
  return whole;
}

std::string declaration_of(const ElementType& type) {
  if (type.name == std::string_view("Pair"))
    return "struct Pair {\n  int key;\n  float weight;\n};\n"
           "__device__ Pair make_pair_of(int key) {\n  Pair p;\n  p.key = key;\n  p.weight = 0.5f * key;\n"
           "  return p;\n}\n";
  return "struct Record {\n  short low;\n  double value;\n  signed char tag;\n};\n"
         "__device__ Record make_record_of(int value) {\n  Record r;\n  r.low = (short)value;\n"
         "  r.value = value;\n  r.tag = 3;\n  return r;\n}\n";
}

}  // namespace warplens::differential
