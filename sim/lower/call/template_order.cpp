// Which of two function templates is the more specialised one: by the forms of their parameters.
#include <algorithm>

#include "sim/lower/call/candidate.h"

namespace warplens::sim::lower {
namespace {

// What each type parameter of the one stands for in the other, as text.
using Bound = std::map<std::string, std::string>;

const cuda::NameExpr* name_of(const cuda::TemplateArgument& argument) {
  return argument.value ? std::get_if<cuda::NameExpr>(&argument.value->node) : nullptr;
}

std::string text_of(const cuda::TypeName& type, int pointers);

std::string text_of(const cuda::TemplateArgument& argument) {
  if (argument.type) return text_of(*argument.type, argument.type->pointers);
  if (const cuda::NameExpr* name = name_of(argument)) return name->name;
  const auto* integer = argument.value ? std::get_if<cuda::IntegerLiteral>(&argument.value->node) : nullptr;
  return integer ? std::to_string(integer->value) : "?";
}

std::string text_of(const cuda::TypeName& type, int pointers) {
  std::string text = type.scope ? text_of(*type.scope, 0) + "::" + type.name : type.name;
  for (const cuda::TemplateArgument& argument : type.arguments) text += "<" + text_of(argument) + ">";
  return text + (pointers > 0 && type.is_const ? " const" : "") +
         std::string(static_cast<std::size_t>(pointers), '*');
}

// Whether all that `special` may be is also what `general` may be.
class Covers {
 public:
  explicit Covers(const std::vector<cuda::TemplateParameter>& parameters) : parameters_(parameters) {}

  bool type(const cuda::TypeName& general, const cuda::TypeName& special) {
    if (is_open(general.name) && general.arguments.empty() && !general.scope) {
      if (special.pointers < general.pointers) return false;
      if (general.pointers > 0 && general.is_const && !special.is_const) return false;
      const bool keeps_const = special.pointers > general.pointers || !general.is_const;
      cuda::TypeName rest = special;
      rest.is_const = special.is_const && keeps_const;
      return bind(general.name, text_of(rest, special.pointers - general.pointers) +
                                    (general.pointers > 0 && rest.is_const ? " const" : ""));
    }
    if (general.name != special.name || general.pointers != special.pointers ||
        general.arguments.size() != special.arguments.size() || !general.scope != !special.scope)
      return false;
    if (general.pointers > 0 && general.is_const != special.is_const) return false;
    for (std::size_t i = 0; i < general.arguments.size(); ++i)
      if (!argument(general.arguments[i], special.arguments[i])) return false;
    return true;
  }

  bool argument(const cuda::TemplateArgument& general, const cuda::TemplateArgument& special) {
    if (const cuda::NameExpr* name = name_of(general); name && is_open(name->name))
      return bind(name->name, text_of(special));
    if (general.type && special.type) return type(*general.type, *special.type);
    return text_of(general) == text_of(special);
  }

 private:
  bool is_open(const std::string& name) const {
    return std::any_of(parameters_.begin(), parameters_.end(),
                       [&](const cuda::TemplateParameter& parameter) { return parameter.name == name; });
  }
  bool bind(const std::string& name, const std::string& text) {
    return bound_.try_emplace(name, text).first->second == text;
  }

  const std::vector<cuda::TemplateParameter>& parameters_;
  Bound bound_;
};

bool covers(const cuda::Function& general, const cuda::Function& special) {
  const std::size_t count = std::min(general.parameters.size(), special.parameters.size());
  Covers covers(general.template_parameters);
  for (std::size_t i = 0; i < count; ++i)
    if (!covers.type(general.parameters[i].type, special.parameters[i].type)) return false;
  return true;
}

bool covers(const cuda::Struct& general, const cuda::Struct& special) {
  const std::size_t count = std::min(general.specialised_for.size(), special.specialised_for.size());
  Covers covers(general.template_parameters);
  for (std::size_t i = 0; i < count; ++i)
    if (!covers.argument(general.specialised_for[i], special.specialised_for[i])) return false;
  return true;
}

}  // namespace

bool is_more_special(const cuda::Function& x, const cuda::Function& y) {
  const bool is_less_open = covers(y, x), is_more_open = covers(x, y);
  if (is_less_open != is_more_open) return is_less_open;
  for (std::size_t i = 0; i < std::min(x.parameters.size(), y.parameters.size()) && is_less_open; ++i) {
    const cuda::TypeName &one = x.parameters[i].type, &other = y.parameters[i].type;
    const bool references = one.reference && other.reference && one.pointers == 0 && other.pointers == 0;
    if (references && one.is_const != other.is_const) return one.is_const;  // const T& before T&
  }
  return false;
}

bool is_more_special(const cuda::Struct& x, const cuda::Struct& y) {
  return covers(y, x) && !covers(x, y);
}

}  // namespace warplens::sim::lower
