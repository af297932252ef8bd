// The kernel itself: template arguments, parameters, body.
#include <algorithm>
#include <utility>

#include "sim/lower/lowering.h"
#include "sim/text/scan.h"

namespace warplens::sim::lower {
namespace {

constexpr int kMostStructMembers = 128;  // of a struct that is passed by value

Message with_reason(const Message& what, const std::vector<cuda::Diagnostic>& why) {
  return why.empty() ? what : Message("{}: {}", what, why[0].message);
}

}  // namespace

bool Lowering::bind_kernel_template(const cuda::Function& function,
                                    const std::vector<std::string>& arguments) {
  std::vector<cuda::TemplateArgument> parsed;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string text(text::trimmed(arguments[i]));
    cuda::TemplateArgument argument;
    if (i < function.template_parameters.size() && function.template_parameters[i].is_type) {
      cuda::ParsedType type = cuda::parse_type(text, pace_.budget());
      if (!type.type) {
        const Message what("template argument '{}' is not a type", text);
        error(function.name_range, with_reason(what, type.diagnostics));
        return false;
      }
      argument.type = std::make_shared<cuda::TypeName>(std::move(*type.type));
      argument.type->range = function.name_range;
    } else {
      cuda::ParsedExpression expression = cuda::parse_expression(text, pace_.budget());
      if (!expression.expr) {
        const Message what("template argument '{}' cannot be understood", text);
        error(function.name_range, with_reason(what, expression.diagnostics));
        return false;
      }
      argument.value = std::shared_ptr<cuda::Expr>(std::move(expression.expr));
      parsed_.push_back(argument.value);
    }
    parsed.push_back(std::move(argument));
  }
  if (arguments.size() > function.template_parameters.size()) {
    error(function.name_range, Message("'{}' takes {} template arguments, {} are given", function.name,
                                       function.template_parameters.size(), arguments.size()));
    return false;
  }
  const std::size_t before = diagnostics.size();
  Frame& kernel_frame = frame();
  Scope scope;
  const bool bound = templates.bind_template(function.template_parameters, parsed, function.name_range, scope,
                                             kernel_frame.key, true);
  for (std::size_t i = before; i < diagnostics.size(); ++i) diagnostics[i].range = function.name_range;
  if (!bound && diagnostics.size() > before && arguments.size() < function.template_parameters.size() &&
      diagnostics.back().remedy.empty()) {
    diagnostics.back().remedy = Message("give the template arguments of '{}': --template ...", function.name);
  }
  kernel_frame.scopes[0] = std::move(scope);
  return bound;
}

Value add_parameter(Builder& b, Program& program, KernelParameter described, ScalarType type,
                    Origin::Kind space) {
  described.reg = uniform_reg(kFirstFreeUniform + static_cast<int>(program.parameters.size()));
  const Value value = b.ir.input(described.reg, type);
  if (described.is_pointer) b.ir.values[value].origin = b.ir.add_array({described.name, space});
  program.parameters.push_back(std::move(described));
  return value;
}

void KernelMemory::kernel_parameters(const cuda::Function& function) {
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const cuda::Parameter& parameter = function.parameters[i];
    TypeRef type = l_.parameter_type(parameter);
    KernelParameter described;
    described.name = parameter.name.empty() ? "parameter" + std::to_string(i + 1) : parameter.name;
    described.range = parameter.range;
    const std::string shown = described.name;
    if (!type) error(parameter.range, Message("parameter '{}' of a kernel cannot be 'auto'", shown));
    if (type && type->is(Type::Kind::Error)) type = nullptr;
    if (type && parameter.type.reference) {
      error(parameter.range, Message("parameter '{}' of a kernel cannot be a reference", shown),
            Message("pass a pointer or a value"));
    }
    if (type && type->is(Type::Kind::Texture)) {
      l_.declarations.check_new_name(parameter.name, parameter.range);
      described.type_text = name_of(type);
      l_.declare(parameter.name,
                 {.object = l_.textures.new_texture(std::move(described), type->is_surface, l_.text()),
                  .range = parameter.range});
      continue;
    }
    if (type && l_.tensor_maps.is_tensor_map(type)) {
      l_.declarations.check_new_name(parameter.name, parameter.range);
      l_.declare(parameter.name, {.object = l_.tensor_maps.new_tensor_map(type, std::move(described)),
                                  .range = parameter.range});
      continue;
    }
    const bool is_struct = type && type->is(Type::Kind::Record) && leaf_count(type) <= kMostStructMembers;
    if (type && type->is(Type::Kind::Record) && !is_struct && !has_pointers(type)) {
      l_.declarations.check_new_name(parameter.name, parameter.range);
      l_.declare(parameter.name, {.object = large_parameter(type, described), .range = parameter.range});
      continue;
    }
    if (type && !type->is_scalar() && !type->is_pointer() && !is_struct) {
      error(parameter.range,
            Message("parameter '{}' has type '{}': kernels take numbers, pointers and small structs here",
                    shown, name_of(type)),
            type->is(Type::Kind::Record) ? Message("pass its members one by one") : Message());
      type = nullptr;
    }
    if (!type) {
      l_.declare(parameter.name, {.object = bad(), .range = parameter.range});
      l_.program().parameters.push_back(std::move(described));
      continue;
    }
    const Result object = kernel_parameter(type, std::move(described));
    l_.declarations.check_new_name(parameter.name, parameter.range);
    l_.inlined_calls.bind_parameter(parameter, type, object);
  }
}

// A struct of many members: a buffer in constant memory, where arguments lie.
Result KernelMemory::large_parameter(TypeRef type, const KernelParameter& described) {
  cuda::DeclStmt stmt;
  stmt.is_constant_memory = true;
  cuda::Declarator declarator;
  declarator.name = described.name;
  declarator.name_range = described.range;
  const Result object = host_variable(type, stmt, declarator, {});
  l_.program().parameters.back().is_member = true;
  warning(described.range,
          Message("'{}' has too many members to be set one by one: it is a buffer of one element in constant "
                  "memory, zero unless it is filled",
                  described.name),
          Message("fill it: --set {}=@1:iota", described.name));
  return object;
}

// A number or a pointer as it is; a struct as one parameter a member.
Result KernelMemory::kernel_parameter(TypeRef type, KernelParameter described) {
  Result object{Kind::Rvalue, types.plain(type), {}, {}};
  const std::string name = described.name;
  for (const Leaf& leaf : leaves_of(type)) {
    described.name = name + leaf.suffix;
    described.is_member = !leaf.suffix.empty();
    described.member_offset = static_cast<int>(leaf.offset);
    describe_parameter(leaf.type, described);
    object.parts.push_back(add_parameter(b, l_.program(), described, scalar_of(leaf.type)));
  }
  return object;
}

void KernelMemory::describe_parameter(TypeRef type, KernelParameter& described) {
  described.is_pointer = type->is_pointer();
  described.type_text = name_of(type);
  described.type = scalar_of(type);
  described.element_bytes = static_cast<int>(size_of(type));
  described.is_const = false;
  if (!type->is_pointer()) return;
  const TypeRef leaf = first_leaf(type->element);
  described.type = leaf ? scalar_of(leaf) : ScalarType::U8;
  described.element_bytes = std::max(1, static_cast<int>(size_of(type->element)));
  described.is_const = type->element->is_const;
}

// `__constant__ float mask[9];`, `__device__ int counter = 1;`: memory that the host fills, or that holds its
// initial value.
Result KernelMemory::host_variable(TypeRef type, const cuda::DeclStmt& stmt,
                                   const cuda::Declarator& declarator, InitialValues::InitialImage initial) {
  TypeRef element = type;
  while (element->is(Type::Kind::Array)) element = element->element;
  KernelParameter described;
  described.name = declarator.name;
  described.range = declarator.name_range;
  describe_parameter(types.pointer(element), described);
  described.type_text = name_of(type);
  described.is_const = stmt.is_constant_memory || stmt.is_constexpr || element->is_const;
  described.symbol_elements = size_of(type) / std::max<std::int64_t>(1, size_of(element));
  if (initial && !initial->empty()) described.initial = std::move(initial);
  const bool is_table = described.is_const && (described.initial || declarator.initializer);
  const Value base = add_parameter(b, l_.program(), std::move(described), ScalarType::U64,
                                   stmt.is_constant_memory ? Origin::Kind::Constant : Origin::Kind::Global);
  b.ir.arrays[b.ir.values[base].origin.array].is_table = is_table;
  return {
      Kind::Memory, types.with_const(type, stmt.is_constexpr || element->is_const), {}, Address{base, {}, 0}};
}

void Lowering::kernel(const cuda::Function& function, const std::vector<std::string>& template_arguments,
                      Program& program) {
  stack_ = static_cast<const std::byte*>(__builtin_frame_address(0));
  try {
    lower_kernel(function, template_arguments, program);
    layout.say_clash();
  } catch (const Complained&) {
  } catch (const TooManyNodes&) {
    say_too_large();
  } catch (const TypeTooDeep&) {
    error(b.place, Message("a type is nested too deeply here: more than {} levels", kMostTypeDepth),
          Message("use fewer pointers to pointers"));
  } catch (const TypeTooLarge& type) {
    error(b.place, Message("'{}' is too large to be handled as a whole", type.name),
          Message("handle its members one by one"));
  }
}

// `template <> __global__ void k<float>(...)` in place of the template, whose arguments are bound: it has no
// template's names.
const cuda::Function& Lowering::specialised(const cuda::Function& function) {
  if (specialisations_named(function.name).empty()) return function;
  Frame& kernel_frame = frame();
  Candidate chosen;
  chosen.function = &function;
  chosen.key = kernel_frame.key;
  for (const cuda::Parameter& parameter : function.parameters)
    chosen.types.push_back(parameter_type(parameter));
  const cuda::Function* special = overloads.specialisation_of(chosen);
  if (special == nullptr) return function;
  diagnostics.insert(diagnostics.end(), special->errors.begin(), special->errors.end());
  kernel_frame.function = special;
  kernel_frame.names = name_uses.of(*special->body);
  kernel_frame.scopes[0] = {};
  b.place = special->name_range;
  return *special;
}

void Lowering::lower_kernel(const cuda::Function& general, const std::vector<std::string>& template_arguments,
                            Program& program) {
  program_ = &program;
  program.kernel = general.name;
  frames_.push_back(std::make_unique<Frame>());
  Frame& kernel_frame = frame();
  kernel_frame.function = &general;
  kernel_frame.key = general.name;
  kernel_frame.body = &b.ir.body;
  kernel_frame.names = name_uses.of(*general.body);
  kernel_frame.scopes.emplace_back();
  b.place = general.name_range;
  if (!bind_kernel_template(general, template_arguments)) return;
  const cuda::Function& function = specialised(general);
  const TypeRef result = resolve(function.result);
  if (!result || !result->is(Type::Kind::Void))
    error(function.result.range, Message("a kernel returns 'void'"));
  if (!function.launch_bounds.empty()) {
    const auto threads =
        constant_integer(*function.launch_bounds[0], Message("the number of threads in __launch_bounds__"));
    if (threads && *threads > 0 && *threads <= 1024)
      program.max_threads_per_block = static_cast<int>(*threads);
    if (threads && (*threads <= 0 || *threads > 1024)) {
      error(function.launch_bounds[0]->range, Message("a block has 1 to 1024 threads, not {}", *threads));
    }
  }
  clusters.cluster_of(function);
  {
    const ListScope scope(b, b.ir.body, 0);
    const BlockScope block(*this);
    kernel_memory.kernel_parameters(function);
    if (!has_errors(diagnostics)) statement(*function.body);
  }
  b.ir.body.splice(b.ir.body.begin(), prologue_);
  // The gap in front of the dynamic part counts: a launch adds its bytes behind it.
  program.static_shared_bytes =
      program.uses_dynamic_shared ? shared_memory.dynamic_offset() : shared_memory.bytes;
  for (SharedArray& array : program.shared_arrays) {
    if (!array.extents.empty() && array.extents[0] == 0) array.offset = shared_memory.dynamic_offset();
  }
}

}  // namespace warplens::sim::lower
