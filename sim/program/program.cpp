#include "sim/program/program.h"

namespace warplens::warp {

int size_of(ScalarType type) {
  switch (type) {
    case ScalarType::Bool:
    case ScalarType::I8:
    case ScalarType::U8:
      return 1;
    case ScalarType::I16:
    case ScalarType::U16:
    case ScalarType::F16:
      return 2;
    case ScalarType::I32:
    case ScalarType::U32:
    case ScalarType::F32:
      return 4;
    case ScalarType::I64:
    case ScalarType::U64:
    case ScalarType::F64:
      return 8;
  }
  return 4;
}

const char* name_of(ScalarType type) {
  switch (type) {
    case ScalarType::Bool:
      return "bool";
    case ScalarType::I8:
      return "char";
    case ScalarType::U8:
      return "unsigned char";
    case ScalarType::I16:
      return "short";
    case ScalarType::U16:
      return "unsigned short";
    case ScalarType::I32:
      return "int";
    case ScalarType::U32:
      return "unsigned int";
    case ScalarType::I64:
      return "long long";
    case ScalarType::U64:
      return "unsigned long long";
    case ScalarType::F16:
      return "__half";
    case ScalarType::F32:
      return "float";
    case ScalarType::F64:
      return "double";
  }
  return "?";
}

bool is_floating(ScalarType type) {
  return type == ScalarType::F16 || type == ScalarType::F32 || type == ScalarType::F64;
}

bool is_signed(ScalarType type) {
  return type == ScalarType::I8 || type == ScalarType::I16 || type == ScalarType::I32 ||
         type == ScalarType::I64 || is_floating(type);
}

}  // namespace warplens::warp
