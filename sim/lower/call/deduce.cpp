// Template arguments of a call that are not written: from the types of its arguments, else from defaults.
#include <algorithm>
#include <set>
#include <string>

#include "sim/lower/lowering.h"

namespace warplens::sim::lower {

bool TemplateDeduction::deduce(const cuda::Function& function, const std::vector<Argument>& arguments,
                               Scope& scope, std::string& key) {
  const Scope given = scope;
  for (std::size_t i = 0; i < arguments.size() && !function.template_parameters.empty(); ++i) {
    if (arguments[i].result.kind == Kind::Void) continue;
    Scope deduced = given;
    TypeRef type = arguments[i].result.type;
    if (!deduce_extents(function.parameters[i], type, function.template_parameters, deduced)) return false;
    if (!deduce_from(function.parameters[i].type, type, function.template_parameters, deduced,
                     !function.parameters[i].extents.empty()))
      return false;
    for (auto& [name, symbol] : deduced) {
      const auto [known, is_new] = scope.try_emplace(name, symbol);
      if (!is_new && known->second.kind == Symbol::Kind::Type && known->second.type != symbol.type)
        return false;
    }
  }
  for (const cuda::TemplateParameter& parameter : function.template_parameters) {
    if (parameter.name.empty()) {
      if (!has_types(parameter, scope)) return false;
      continue;
    }
    if (const auto found = scope.find(parameter.name); found != scope.end()) {
      if (!given.contains(parameter.name)) {
        key += found->second.kind == Symbol::Kind::Type
                   ? "<" + key_of(found->second.type) + ">"
                   : "<" + std::to_string(b.bits(found->second.object.value()).value_or(0)) + ",>";
      }
    } else if (!deduce_default(parameter, scope, key)) {
      return false;
    }
  }
  return true;
}

// `typename std::enable_if<...>::type* = nullptr`, `typename = std::enable_if_t<...>`: what has no name is
// there to leave the function out where its type does not exist.
bool TemplateDeduction::has_types(const cuda::TemplateParameter& parameter, const Scope& scope) {
  if (!parameter.fallback) return true;
  const FrameOf own(frames_, scope);
  const std::size_t said = diagnostics.size();
  const TypeRef type = parameter.is_type ? type_of_argument(*parameter.fallback, false)
                                         : l_.resolve(parameter.value_type, false);
  diagnostics.resize(said);
  return type && !type->is(Type::Kind::Error);
}

bool TemplateDeduction::deduce_default(const cuda::TemplateParameter& parameter, Scope& scope,
                                       std::string& key) {
  if (!parameter.fallback) return false;
  const FrameOf own(frames_, scope);
  return bind_template_argument(parameter, *parameter.fallback, parameter.value_type.range, scope, key,
                                false);
}

// `T (&a)[N]` from float[4] makes N 4, and leaves float for T, as `T a[4]` does, which is a pointer.
bool TemplateDeduction::deduce_extents(const cuda::Parameter& parameter, TypeRef& type,
                                       const std::vector<cuda::TemplateParameter>& parameters, Scope& scope) {
  for (const cuda::ExprPtr& extent : parameter.extents) {
    const bool is_pointer =
        !parameter.type.reference && &extent == &parameter.extents.front() && type->is_pointer();
    if (!is_pointer && !type->is(Type::Kind::Array)) return false;
    const auto* name = extent ? std::get_if<cuda::NameExpr>(&extent->node) : nullptr;
    for (const cuda::TemplateParameter& wanted : parameters) {
      if (!name || wanted.is_type || wanted.name != name->name || scope.contains(wanted.name)) continue;
      Symbol symbol;
      symbol.object =
          value(ScalarType::I32, b.integer(ScalarType::I32, static_cast<std::uint64_t>(type->extent)));
      scope[wanted.name] = std::move(symbol);
    }
    type = type->element;
  }
  return true;
}

// Binds the template parameters that a parameter's type names: `const T*` from float* makes T float. A
// pattern that names none says nothing.
bool TemplateDeduction::deduce_from(const cuda::TypeName& pattern, TypeRef type,
                                    const std::vector<cuda::TemplateParameter>& parameters, Scope& scope,
                                    bool is_array) {
  for (const cuda::TemplateParameter& parameter : parameters) {
    if (scope.contains(parameter.name)) continue;
    Symbol symbol;
    if (deduce_record(pattern, type, parameter, symbol)) {
      scope[parameter.name] = std::move(symbol);
      continue;
    }
    if (parameter.is_type && parameter.name == pattern.name) {
      if (type->is(Type::Kind::Array)) type = types.pointer(type->element);
      for (int i = 0; i < pattern.pointers; ++i) {
        if (!type->is_pointer()) return false;
        type = type->element;
      }
      symbol.kind = Symbol::Kind::Type;
      // `T&`, `T&&` and `T a[4]` of something const make T const; `T` is a copy of it.
      const bool keeps_const = pattern.pointers > 0 || pattern.reference || is_array;
      symbol.type = keeps_const && !pattern.is_const ? type : types.plain(type);
    } else {
      continue;
    }
    scope[parameter.name] = std::move(symbol);
  }
  return true;
}

// `Vec<T, N>` from the struct that was made of it: what stood for its parameters.
bool TemplateDeduction::deduce_record(const cuda::TypeName& pattern, TypeRef type,
                                      const cuda::TemplateParameter& wanted, Symbol& symbol) {
  if (type->is(Type::Kind::Array) && pattern.pointers > 0) type = types.pointer(type->element);
  for (int i = 0; i < pattern.pointers && type->is_pointer(); ++i) type = type->element;
  if (!type->is(Type::Kind::Record) || !type->record->definition) return false;
  const cuda::Struct* primary = l_.struct_named(type->record->definition->name);
  if (primary == nullptr || primary->name != pattern.name) return false;
  const auto& meant = primary->template_parameters;
  const Scope& known = l_.layout.primary_scope_of(type->record);
  for (std::size_t i = 0; i < pattern.arguments.size() && i < meant.size(); ++i) {
    const cuda::TemplateArgument& argument = pattern.arguments[i];
    const auto* name = argument.value ? std::get_if<cuda::NameExpr>(&argument.value->node) : nullptr;
    const std::string& written = argument.type ? argument.type->name : name ? name->name : "";
    const auto found = known.find(name_of_parameter(meant, i));
    if (written != wanted.name || found == known.end()) continue;
    symbol = found->second;
    return true;
  }
  return false;
}

// How much `template <typename T> struct Traits<T*>` says of what the template's parameters stand for: more
// than another that leaves more open; -1: it is not meant. Binds its own parameters.
int TemplateDeduction::fits_partly(const cuda::Struct& definition, const cuda::Struct& partial,
                                   const Scope& given, Scope& bound) {
  const auto& parameters = definition.template_parameters;
  int says = 0;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto actual = given.find(name_of_parameter(parameters, i));
    if (i >= partial.specialised_for.size() || actual == given.end()) continue;
    const cuda::TemplateArgument& pattern = partial.specialised_for[i];
    const auto* name = pattern.value ? std::get_if<cuda::NameExpr>(&pattern.value->node) : nullptr;
    const std::string& written = pattern.type ? pattern.type->name : name ? name->name : "";
    const bool is_open =
        std::ranges::any_of(partial.template_parameters, [&](const cuda::TemplateParameter& p) {
          const bool is_plain = pattern.type ? pattern.type->pointers == 0 && !pattern.type->is_const &&
                                                   pattern.type->arguments.empty() && !pattern.type->scope
                                             : name && name->arguments.empty() && !name->scope;
          return p.name == written && is_plain;
        });
    if (is_open && !bound.contains(written)) {
      bound[written] = actual->second;
    } else if (!fits_pattern(pattern, actual->second, partial.template_parameters, bound)) {
      return -1;
    } else {
      says += 1;
    }
  }
  for (const cuda::TemplateParameter& parameter : partial.template_parameters) {
    if (!parameter.name.empty() && !bound.contains(parameter.name)) return -1;
  }
  return says;
}

bool TemplateDeduction::fits_pattern(const cuda::TemplateArgument& pattern, const Symbol& actual,
                                     const std::vector<cuda::TemplateParameter>& parameters, Scope& bound) {
  const bool is_type = actual.kind == Symbol::Kind::Type;
  const auto written = is_type ? type_written(pattern) : std::nullopt;
  if (written && !deduce_from(*written, actual.type, parameters, bound)) return false;
  const FrameOf own(frames_, bound);
  bool fits = false;
  const std::size_t said = diagnostics.size();  // what does not fit is no mistake
  if (is_type) {
    fits = type_of_argument(pattern, false) == actual.type;
  } else if (pattern.value) {
    tried([&] {
      const Result wanted =
          l_.constant_value(*pattern.value, actual.object.type, Message("a template argument"));
      fits = b.bits(wanted.value()) == b.bits(actual.object.value());
    });
  }
  diagnostics.resize(said);
  return fits;
}

namespace {

// How much the parameters of a template say. An open name says how many pointers it stands behind, and that
// it stands there twice; a name of its own says more than any of those.
class Specificity {
 public:
  explicit Specificity(const std::vector<cuda::TemplateParameter>& parameters) : parameters_(parameters) {}

  void add(const cuda::TypeName& type) {
    if (type.arguments.empty() && !type.scope && is_open(type.name))
      says_ += kOfPointer * type.pointers + (type.pointers > 0 && type.is_const ? 1 : 0);
    else
      says_ += kOfName;
    for (const cuda::TemplateArgument& argument : type.arguments) add(argument);
  }
  void add(const cuda::TemplateArgument& argument) {
    const auto* name = argument.value ? std::get_if<cuda::NameExpr>(&argument.value->node) : nullptr;
    if (argument.type)
      add(*argument.type);
    else if (!name || !is_open(name->name))
      says_ += kOfName;
  }
  int says() const { return says_ - static_cast<int>(open_.size()); }

 private:
  bool is_open(const std::string& name) {
    const bool open =
        std::ranges::find(parameters_, name, &cuda::TemplateParameter::name) != parameters_.end();
    if (open) open_.insert(name);
    return open;
  }

  static constexpr int kOfPointer = 2, kOfName = 1000;
  const std::vector<cuda::TemplateParameter>& parameters_;
  std::set<std::string> open_;
  int says_ = 0;
};

}  // namespace

bool is_more_special(const cuda::Function& x, const cuda::Function& y) {
  const std::size_t count = std::min(x.parameters.size(), y.parameters.size());
  Specificity of_x(x.template_parameters), of_y(y.template_parameters);
  for (std::size_t i = 0; i < count; ++i) of_x.add(x.parameters[i].type), of_y.add(y.parameters[i].type);
  if (of_x.says() != of_y.says()) return of_x.says() > of_y.says();
  for (std::size_t i = 0; i < count; ++i) {
    const cuda::TypeName &one = x.parameters[i].type, &other = y.parameters[i].type;
    const bool references = one.reference && other.reference && one.pointers == 0 && other.pointers == 0;
    if (references && one.is_const != other.is_const) return one.is_const;  // const T& before T&
  }
  return false;
}

bool is_more_special(const cuda::Struct& x, const cuda::Struct& y) {
  Specificity of_x(x.template_parameters), of_y(y.template_parameters);
  for (const cuda::TemplateArgument& argument : x.specialised_for) of_x.add(argument);
  for (const cuda::TemplateArgument& argument : y.specialised_for) of_y.add(argument);
  return of_x.says() > of_y.says();
}

}  // namespace warplens::sim::lower
