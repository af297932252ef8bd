// <type_traits>: `is_same_v<T, float>`, `conditional_t<wide, float4, float>`.
#include "sim/cuda/text/names.h"
#include "sim/lower/lowering.h"

namespace warplens::sim::lower {
namespace {

bool is_floating_type(TypeRef type) {  // the standard's: half and bfloat16 are structs there
  return type->is_scalar() && (type->scalar == ScalarType::F32 || type->scalar == ScalarType::F64);
}

bool is_standard_integer(TypeRef type) {
  return type->is_integer();
}

// nullopt: no class of that name gives a value.
std::optional<bool> holds(std::string_view name, TypeRef type) {
  if (name == "is_floating_point") return is_floating_type(type);
  if (name == "is_integral") return is_standard_integer(type);
  if (name == "is_arithmetic") return is_floating_type(type) || is_standard_integer(type);
  if (name == "is_signed")
    return is_floating_type(type) || (is_standard_integer(type) && is_signed(type->scalar));
  if (name == "is_unsigned") return is_standard_integer(type) && !is_signed(type->scalar);
  if (name == "is_pointer") return type->is_pointer();
  if (name == "is_const") return type->is_const;
  return {};
}

ScalarType with_sign(ScalarType type, bool wants_sign) {
  switch (type) {
    case ScalarType::I8:
    case ScalarType::U8:
      return wants_sign ? ScalarType::I8 : ScalarType::U8;
    case ScalarType::I16:
    case ScalarType::U16:
      return wants_sign ? ScalarType::I16 : ScalarType::U16;
    case ScalarType::I32:
    case ScalarType::U32:
      return wants_sign ? ScalarType::I32 : ScalarType::U32;
    case ScalarType::I64:
    case ScalarType::U64:
      return wants_sign ? ScalarType::I64 : ScalarType::U64;
    default:
      return type;
  }
}

// "is_same" of `is_same_v<...>` and `is_same<...>::value`; empty: neither.
std::string trait_of(const std::string& name, const cuda::TypeName* scope, std::string_view suffix,
                     std::string_view member) {
  if (scope != nullptr) return name == member && cuda::is_trait(scope->name) ? scope->name : std::string();
  return name.ends_with(suffix) && cuda::is_trait(name) ? name.substr(0, name.size() - suffix.size())
                                                        : std::string();
}

}  // namespace

// nullopt: the name is no trait's. A struct of the file goes before one of the library.
std::optional<Result> Lowering::trait_value(const cuda::NameExpr& node) {
  const std::string trait = trait_of(node.name, node.scope.get(), "_v", "value");
  if (trait.empty() || structs_.contains(trait)) return {};
  const auto& arguments = node.scope ? node.scope->arguments : node.arguments;
  if (arguments.empty()) return {};
  const TypeRef first = type_of_argument(arguments[0], true);
  if (first->is(Type::Kind::Error)) return bad();
  std::optional<bool> answer;
  if (trait == "is_same" && arguments.size() == 2) {
    const TypeRef second = type_of_argument(arguments[1], true);
    if (second->is(Type::Kind::Error)) return bad();
    answer = first == second;
  } else {
    answer = holds(trait, first);
  }
  if (!answer) return {};
  return value(ScalarType::Bool, b.integer(ScalarType::Bool, *answer ? 1 : 0));
}

// The same of `remove_const_t<T>` and `remove_const<T>::type`.
std::optional<TypeRef> Lowering::trait_type(const cuda::TypeName& written, bool complain) {
  if (written.name == "void_t" && !written.scope && !alias_templates_.contains("void_t")) {
    for (const cuda::TemplateArgument& argument : written.arguments)
      if (const TypeRef type = type_of_argument(argument, complain); type->is(Type::Kind::Error)) return type;
    return types.void_type();
  }
  const std::string trait = trait_of(written.name, written.scope.get(), "_t", "type");
  if (trait.empty() || structs_.contains(trait)) return {};
  const auto& arguments = written.scope ? written.scope->arguments : written.arguments;
  if (arguments.empty()) return {};
  if (trait == "conditional" || trait == "enable_if") return chosen_type(trait, arguments, written, complain);
  const TypeRef type = type_of_argument(arguments[0], complain);
  if (type->is(Type::Kind::Error)) return type;
  if (trait == "common_type") return type_in_common(arguments, complain);
  if (trait == "remove_const" || trait == "remove_cv" || trait == "decay") return types.plain(type);
  if (trait == "remove_reference") return type;  // a reference is no type of its own here
  if (trait == "remove_pointer") return type->is_pointer() ? type->element : type;
  if (trait == "make_signed" || trait == "make_unsigned")
    return type->is_integer() ? arithmetic_type(with_sign(type->scalar, trait == "make_signed"), type) : type;
  return {};
}

// std::common_type: for numbers the type of their sum, otherwise the one type that all of them have.
TypeRef Lowering::type_in_common(const std::vector<cuda::TemplateArgument>& arguments, bool complain) {
  TypeRef common = nullptr;
  for (const cuda::TemplateArgument& argument : arguments) {
    const TypeRef type = types.plain(type_of_argument(argument, complain));
    if (type->is(Type::Kind::Error)) return type;
    if (!common || common == type)
      common = type;
    else if (common->is_scalar() && type->is_scalar())
      common = arithmetic_type(common_type(common->scalar, type->scalar), common, type);
    else
      return types.error();
  }
  return common ? common : types.error();
}

TypeRef Lowering::chosen_type(const std::string& trait, const std::vector<cuda::TemplateArgument>& arguments,
                              const cuda::TypeName& written, bool complain) {
  if (!arguments[0].value) return types.error();
  const auto condition = constant_integer(*arguments[0].value, Message("the condition of '{}'", trait));
  if (!condition) return types.error();
  const std::size_t wanted = *condition != 0 ? 1 : 2;
  if (trait == "enable_if" && *condition != 0)
    return arguments.size() > 1 ? type_of_argument(arguments[1], complain) : types.void_type();
  if (trait == "conditional" && wanted < arguments.size())
    return type_of_argument(arguments[wanted], complain);
  if (complain) error(written.range, Message("'{}' has no type here: its condition is false", trait));
  return types.error();
}

}  // namespace warplens::sim::lower
