// Types of elements that random kernels keep in memory, 1 to 24 bytes wide.
#pragma once

#include <string>
#include <vector>

#include "tests/differential/feature.h"

namespace warplens::differential {

struct ElementType {
  const char* name;  // "float4"
  int bytes;
  const char* to_int;    // an int made of the element @: "(int)@.w"
  const char* from_int;  // an element made of the int @
  Features features;
  const char* whole;  // an int made of a copy @ of the whole element; "" where that is no different
  bool is_struct = false;
};

const std::vector<ElementType>& element_types();
const ElementType& element_type(const char* name);
// `format` with `text` for each '@'.
std::string put_into(const std::string& format, const std::string& text);
// Declares a struct among them, and a function that makes one of an int.
std::string declaration_of(const ElementType& type);

}  // namespace warplens::differential
