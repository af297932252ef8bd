// Calls of host code: its own functions, what CUDA and the standard library do, and launches.
#include <algorithm>
#include <cmath>

#include "app/source/host_run.h"
#include "app/source/programs.h"
#include "sim/cuda/text/names.h"
#include "sim/lower/lower.h"
#include "sim/text/scan.h"

namespace warplens::app::host {

Value HostRun::call_expr(const Expr& expr, const cuda::CallExpr& node) {
  if (!node.configuration.empty()) return launch(expr, node);
  if (const auto* member = as<cuda::MemberExpr>(*node.callee)) return method(node, *member);
  const auto* name = as<cuda::NameExpr>(*node.callee);
  const bool is_value = name == nullptr || lookup(name->name);
  const Value callee = is_value ? eval(*node.callee) : Value{};
  const Values arguments = values_of(node.arguments);
  if (is_value) {
    if (callee.kind == Kind::Function) return call(callable_of(callee), arguments);
    const auto own = own_operator(callee, "operator()", arguments);
    return own ? *own : unknown_call(name != nullptr ? name->name : "", arguments);
  }
  if (launch_by_api(expr, *name, arguments)) return integer(0);
  const int self = frames_.back().self;
  if (self >= 0)
    if (const auto own = method_of(read({self}), name->name, arguments)) return call(*own, arguments);
  const std::size_t colons = name->name.rfind("::");
  const Type* owner = name->scope                   ? resolve(*name->scope)
                      : colons != std::string::npos ? named_type(name->name.substr(0, colons), {})
                                                    : nullptr;
  const cuda::Struct* of = owner != nullptr ? find_struct(owner) : frames_.back().of;
  if (of != nullptr)
    if (const Function* own = find_method(*of, std::string(last_part(name->name)), arguments))
      return call({.function = own,
                   .self = self >= 0 && owner != nullptr ? as_base(self, owner) : -1,
                   .of = of,
                   .templates = template_values(name->arguments)},
                  arguments);
  if (const Function* function = find_function(name->name, name->qualifiers, &arguments))
    return call({.function = function, .templates = template_values(name->arguments)}, arguments);
  if (const auto value = known_call(*name, arguments)) return *value;
  return unknown_call(name->name, arguments);
}

HostRun::Values HostRun::values_of(Exprs arguments) {
  Values values;
  for (const cuda::ExprPtr& argument : arguments) {
    const auto* call = as<cuda::CallExpr>(*argument);
    const auto* callee = call != nullptr ? as<cuda::NameExpr>(*call->callee) : nullptr;
    const bool is_pack = callee != nullptr && callee->name == "...";  // `args`, `std::forward<Args>(args)`
    const Value value = eval(is_pack ? *call->arguments[0] : *argument);
    if (!is_pack) values.push_back(value);
    const std::size_t count = is_pack && value.place.is_valid() ? at(value.place.object).parts.size() : 0;
    for (std::size_t i = 0; i < count; ++i)
      values.push_back(read({part(value.place.object, std::to_string(i))}));
  }
  return values;
}

// To what may change what a pointer leads to, and call a function; and itself, by a reference.
void HostRun::hand_over(const Value& value, bool is_reference) {
  if (const auto* list = written_as<cuda::InitListExpr>(value))
    for (const Value& element : values_of(list->elements)) hand_over(element);
  if (value.kind == Kind::Pointer || value.kind == Kind::Object) {
    // What it leads to, and what pointers in that do.
    std::vector<Value> all{at(value.object).value};
    if (value.kind == Kind::Pointer) all.push_back(value);
    for (const auto& [unused, part] : at(value.object).parts) all.push_back(at(part).value);
    for (const Value& one : all) {
      forget_contents(one);
      if (one.kind == Kind::Pointer) handed_.insert(one.object);
    }
    forget_contents(value);
  }
  if (is_reference && value.place.is_valid())
    forget(value.place);
  else if (is_reference)
    lose(value, true);
  if (value.kind != Kind::Function) return;
  constexpr std::size_t kMostHandedOver = 16;
  const Function& called = *callable_of(value).function;
  if (!is_open_ && callable_of(value).outer >= 0 && !launches_.empty())
    (void)call(callable_of(value), {}), exited_ = false;
  if (called.body && called.kind != Function::Kind::Kernel && frames_.size() < kMostHandedOver)
    may_happen([&] { (void)call(callable_of(value), {}); });
}

// It may change what it is given the address of, and what its pointers lead to. `name`: of a plain function.
Value HostRun::unknown_call(const std::string& name, const Values& arguments) {
  for (const Value& value : arguments) hand_over(value);
  const bool is_of_cuda =
      name.size() > 2 && name.starts_with("cu") && (std::isupper(name[2]) || name.starts_with("cuda"));
  const bool gives_text = name.ends_with("String") || name.ends_with("Name");
  return is_of_cuda && !gives_text ? integer(0) : Value{};  // cudaSuccess
}

// What CUDA and the standard library do; nullopt: that is not known.
std::optional<Value> HostRun::known_call(const cuda::NameExpr& callee, const Values& arguments) {
  std::string name(last_part(callee.name));
  if (name.starts_with("hip")) name.replace(0, 3, "cuda");  // which HIP's functions are named after
  const std::size_t count = arguments.size();
  const auto is = [&](std::size_t least, std::initializer_list<std::string_view> names) {
    return count >= least && std::ranges::find(names, name) != names.end();
  };
  const auto argument = [&](std::size_t i) { return i < count ? arguments[i] : Value{}; };
  const Value first = argument(0), second = argument(1), third = argument(2), done = integer(0);
  const auto size = [&](const Value& value) { return cast(value, types_.of(ScalarType::U64)); };
  // What makes memory.
  const auto& types = callee.arguments;
  if (is(1, {"new one"}) || (is(0, {"new"}) && !types.empty() && types[0].type)) {
    const Type* element = name == "new" ? resolve(*types[0].type) : first.type;
    const int object = name == "new" && count > 0   ? make_allocation(element, sized(first, element), false)
                       : first.kind == Kind::Object ? first.object
                                                    : make_object(element);
    if (name != "new" && first.kind != Kind::Object) write({object}, first);
    if (!at(object).is_list()) at(object).bytes = sized(integer(1), element);
    return pointer(object, 0, types_.pointer_to(element));
  }
  if (is(1, {"malloc"})) return pointer(make_allocation(nullptr, size(first), false), 0, nullptr);
  if (is(2, {"calloc"}))
    return pointer(make_allocation(nullptr, combined(BinaryOp::Mul, size(first), size(second)), true), 0,
                   nullptr);
  if (is(2, {"cudaMalloc", "cudaMallocManaged", "cudaMallocHost", "cudaHostAlloc", "cudaMallocAsync"})) {
    const Place target = deref(first);
    const bool is_whole = target.is_valid() && target.index == Place::kWhole;
    const Type* type = is_whole ? at(target.object).type : nullptr;
    const Type* element = type != nullptr && type->text != "void*" ? type->pointee : nullptr;
    write(target, pointer(make_allocation(element, size(second), false), 0, type));
    return done;
  }
  if (is(4, {"cudaMallocPitch"})) {
    constexpr std::int64_t kRow = 512;  // bytes that rows are whole numbers of
    const Value more = combined(BinaryOp::Add, size(third), integer(kRow - 1));
    write(deref(second),
          combined(BinaryOp::Mul, combined(BinaryOp::Div, more, integer(kRow)), integer(kRow)));
    const Values all{first, combined(BinaryOp::Mul, read(deref(second)), size(arguments[3]))};
    return known_call(cuda::NameExpr{"cudaMalloc", {}}, all);
  }
  if (is(3, {"cudaFuncSetAttribute"})) {
    const auto* attribute = written_as<cuda::NameExpr>(second);
    if (first.kind == Kind::Function && attribute && attribute->name.ends_with("MaxDynamicSharedMemorySize"))
      shared_limits_[callable_of(first).function] = third.kind == Kind::Integer ? third.integer : INT64_MAX;
    return done;
  }
  if (is(1, {"delete"})) {
    int whole = deref(first).object;
    for (int next = whole; next >= 0; next = derived_of(next)) whole = next;
    return destroy(whole), Value{};
  }
  // What copies.
  if (is(3, {"cudaMemcpy", "cudaMemcpyAsync", "memcpy"})) return copy_contents(first, second, third), done;
  if (is(3, {"cudaMemset", "cudaMemsetAsync", "memset"})) {
    const Value all = bytes_of(first);
    forget_contents(first);
    const bool is_whole = first.kind == Kind::Pointer && first.has_offset && first.integer == 0 &&
                          third.kind == Kind::Integer && all.kind == Kind::Integer &&
                          third.integer >= all.integer;
    if (is_whole && second.kind == Kind::Integer && second.integer == 0) empty(first.object, true);
    return done;
  }
  if (is(3, {"cudaMemcpyToSymbol"})) {
    const Place to = first.place;
    const auto* symbol = written_as<cuda::NameExpr>(first);
    if (symbol != nullptr && to.is_valid()) symbols_[symbol->name] = pointer(to.object, 0, nullptr);
    if (to.is_valid() && at(to.object).is_list())
      copy_contents(first, second, third);
    else
      write(to, second.kind == Kind::Pointer ? read(deref(second)) : Value{});
    return done;
  }
  if (is(3, {"cudaMemcpyFromSymbol"})) {
    const auto* symbol = written_as<cuda::NameExpr>(second);
    const bool is_kept = symbol && second.place.is_valid() && !written_by_kernels_.contains(symbol->name);
    return copy_contents(first, is_kept ? pointer(second.place.object, 0, nullptr) : Value{}, third), done;
  }
  if (is(2, {"cudaHostGetDevicePointer"})) return write(deref(first), second), done;
  if (count == 2 && name == "swap") {
    const Value one = copied(first);
    for (const auto& [to, value] : {std::pair{first, copied(second)}, {second, one}})
      if (to.place.is_valid())
        write(to.place, value);
      else
        lose(to, false);
    return Value{};
  }
  // What a program asks of the GPU, which is the one that is predicted for, and the only one.
  if (is(1, {"cudaGetDevice", "cudaGetDeviceCount"}))
    return write(deref(first), integer(name == "cudaGetDevice" ? 0 : 1)), done;
  if (is(1, {"cudaGetDeviceProperties"})) {
    const memory::GpuModel& gpu = predicted_gpu();
    const Place target = deref(first);
    const std::pair<const char*, std::int64_t> facts[] = {
        {"multiProcessorCount", gpu.multiprocessors},
        {"maxThreadsPerBlock", gpu.max_threads_per_block},
        {"maxThreadsPerMultiProcessor", gpu.multiprocessor_threads},
        {"warpSize", memory::kWarpLanes},
        {"sharedMemPerBlock", gpu.static_shared_bytes},
        {"sharedMemPerBlockOptin", gpu.max_shared_bytes},
        {"major", gpu.compute_major}};
    for (const auto& [member, value] : facts)
      if (target.is_valid()) write({part(whole(target), member)}, integer(value));
    return done;
  }
  // What gives numbers.
  if (is(0, {"atoi", "stoi", "strtol", "atol", "rand"})) {
    Value out{.type = types_.of(ScalarType::I32), .formula = std::make_shared<const Formula>()};
    if (name == "rand") out.most = kMostDrawn;
    return out;
  }
  if (name.starts_with("getopt") && !has_arguments_) return integer(-1);
  if (name == "getenv") return Value{.kind = Kind::Null};
  if (is(1, {"strlen"})) {
    Place at = deref(first);
    const std::int64_t begin = at.index;
    while (at.index >= 0 && truth(read(at)) == true) ++at.index;
    const bool is_known = at.index >= 0 && truth(read(at)) == false;
    return is_known ? integer(at.index - begin, ScalarType::U64) : Value{.type = types_.of(ScalarType::U64)};
  }
  // The quotient rounded up: of a library, or of a header that is not here (at::ceil_div, iDivUp).
  std::string plain = text::lower_case(name);
  std::erase(plain, '_');
  if (count == 2 && (plain == "cdiv" || plain == "ceildiv" || plain == "divup" || plain == "idivup"))
    return combined(BinaryOp::Div,
                    combined(BinaryOp::Sub, combined(BinaryOp::Add, first, second), integer(1)), second);
  if (name.starts_with("make_") && count > 0 && cuda::builtin_types().contains(name.substr(5)))
    return construct(types_.of(name.substr(5)), arguments);
  // What hands its argument on, or lets others have it, or only looks at it.
  if (count == 1 && is(1, {"move", "forward", "as_const"})) return first;
  if (count == 1 && is(1, {"raw_pointer_cast", "data", "get"})) return cast(first, nullptr);
  if (is(0, {"printf", "fprintf", "puts", "assert", "accumulate", "cudaGetErrorString"})) return Value{};
  if (is(0, {"getline", "from_chars", "exchange", "advance", "ref", "tie"}))
    for (const Value& given : arguments) hand_over(given), forget(given.place);
  return known_number(name, arguments);
}

// Functions of numbers.
std::optional<Value> HostRun::known_number(std::string name, const Values& arguments) {
  if (name.size() > 1 && name.ends_with('f')) name.pop_back();  // of a float
  const bool is_of_two = arguments.size() == 2;
  if (is_of_two ? name != "pow" && name != "min" && name != "max"
                : arguments.size() != 1 || !sim::apply_function(name, 1))
    return {};
  const Value &x = arguments.front(), &y = arguments.back();
  const bool is_known = x.is_number() && y.is_number();
  if (is_of_two && name != "pow") {
    Value out = !is_known                                                       ? Value{.type = x.type}
                : (name == "min" ? x.real() <= y.real() : x.real() >= y.real()) ? x
                                                                                : y;
    out.formula = Formula::made(name, Formula::kCall, {x, y});
    return out;
  }
  const bool is_float = !is_of_two && x.type && x.type->scalar == ScalarType::F32;
  Value out{.type = types_.of(is_float ? ScalarType::F32 : ScalarType::F64)};
  if (is_known) out.kind = Kind::Floating;
  if (is_known)
    out.floating = is_of_two ? std::pow(x.real(), y.real()) : *sim::apply_function(name, x.real());
  if (!is_of_two) out.formula = Formula::made(name, Formula::kCall, {x});
  return out;
}

Value HostRun::method(const cuda::CallExpr& node, const cuda::MemberExpr& callee) {
  Value base;
  if (callee.arrow) {
    const Place of = pointed(*callee.base);
    if (of.is_valid()) base = read({whole(of)});
  } else {
    base = eval(*callee.base);
  }
  const Values arguments = values_of(node.arguments);
  if (base.kind == Kind::Object) {
    if (at(base.object).kind == Object::Kind::Container)
      if (const auto known = container_method(base.object, callee.member, arguments)) return *known;
    if (auto callable = method_of(base, callee.member, arguments)) {
      callable->templates = template_values(callee.arguments);
      return call(*callable, arguments);
    }
    if (field_of(at(base.object).type, callee.member) != nullptr)
      if (const Value held = member(base, callee.member); held.kind == Kind::Function)
        return call(callable_of(held), arguments);
    hand_over(base);
    forget({base.object});
  }
  return unknown_call({}, arguments);
}

std::optional<Value> HostRun::container_method(int object, const std::string& name, const Values& arguments) {
  const Value value = arguments.empty() ? Value{} : arguments.front(), all = at(object).bytes;
  const Type* element = at(object).type;
  const auto bytes = size_of(element);
  if (name == "data" || name == "begin" || name == "cbegin" || name == "get" || name == "end" ||
      name == "cend") {
    Value out = pointer(object, name.ends_with("end") ? all.integer : 0, types_.pointer_to(element));
    out.has_offset = !name.ends_with("end") || all.kind == Kind::Integer;
    return out;
  }
  if (name == "size" || name == "length") return bytes ? counted(all, *bytes) : Value{};
  if (name == "resize") {
    forget({object});
    if (value.is_number() || value.formula) at(object).bytes = sized(value, element);
    return Value{};
  }
  if (name == "push_back" && !arguments.empty()) {
    note(object);
    if (!bytes || *bytes <= 0 || all.kind != Kind::Integer) return Value{};
    write({object, all.integer / *bytes}, value);
    at(object).bytes = integer(all.integer + *bytes, ScalarType::U64);
    return Value{};
  }
  if (name == "reserve" || name == "c_str" || name == "shrink_to_fit") return Value{};
  return {};
}

// ---- launches ----

bool launches_by_api(std::string_view name) {
  return name.starts_with("cudaLaunchKernel") || name == "cudaLaunchCooperativeKernel";
}

Value HostRun::launch(const Expr& expr, const cuda::CallExpr& node) {
  LaunchSeen seen;
  seen.range = expr.range;
  const Value kernel = eval(*node.callee);
  for (const cuda::ExprPtr& part : node.configuration) {
    const auto* list = as<cuda::InitListExpr>(*part);
    seen.configuration.push_back(list ? construct(types_.of("dim3"), values_of(list->elements))
                                      : eval(*part));
  }
  seen.arguments = values_of(node.arguments);
  return launched(std::move(seen), kernel);
}

// (kernel, grid, block, addresses of arguments, shared memory, ...), or (configuration, kernel,
// arguments...).
bool HostRun::launch_by_api(const Expr& expr, const cuda::NameExpr& callee, const Values& arguments) {
  const bool is_ex = callee.name.starts_with("cudaLaunchKernelEx");
  if (!launches_by_api(callee.name) || arguments.size() < (is_ex ? 3u : 4u)) return false;
  LaunchSeen seen;
  seen.range = expr.range;
  const Value kernel = arguments[is_ex];
  const Place of = is_ex ? deref(arguments[0]) : Place{};
  for (const auto& [i, field] : {std::pair{1u, "gridDim"}, {2u, "blockDim"}, {4u, "dynamicSmemBytes"}})
    if (!is_ex && i < arguments.size())
      seen.configuration.push_back(arguments[i]);
    else if (of.is_valid() && at(whole(of)).parts.contains(field))
      seen.configuration.push_back(read({part(whole(of), field)}));
  const Value list = is_ex && !callee.name.ends_with("C") ? Value{} : arguments[is_ex ? 2 : 3];
  const Place first = deref(list);
  const bool is_list = first.index >= 0 && at(first.object).is_list();
  std::size_t count = is_list ? at(first.object).parts.size() : 0;
  if (kernel.kind == Kind::Function) count = callable_of(kernel).function->parameters.size();
  for (std::size_t i = 0; i < count && is_list; ++i)
    seen.arguments.push_back(
        read(deref(read(element(first.object, first.index + static_cast<std::int64_t>(i))))));
  if (list.kind == Kind::Unknown && is_ex) seen.arguments.assign(arguments.begin() + 2, arguments.end());
  (void)launched(std::move(seen), kernel);
  return true;
}

Value HostRun::launched(LaunchSeen seen, const Value& kernel) {
  seen.is_reached = !explores_;
  if (kernel.kind != Kind::Function || seen.configuration.size() < 2) {
    for (const Value& argument : seen.arguments) hand_over(argument);
    return {};
  }
  const Callable& callable = callable_of(kernel);
  const Function* function = find_function(callable.function->name, callable.qualifiers, &seen.arguments);
  seen.kernel = function != nullptr ? function : callable.function;
  if (seen.kernel->kind != Function::Kind::Kernel || gave_up_) return {};
  seen.templates = callable.templates;
  seen.shared_limit = shared_limits_[callable.function];
  for (std::size_t i = seen.arguments.size(); i < seen.kernel->parameters.size(); ++i)
    if (const auto& fallback = seen.kernel->parameters[i].fallback) seen.arguments.push_back(eval(*fallback));
  if (!is_open_) {
    launches_.erase(seen.range.begin.offset);
    seen_(seen);
  }
  // What the kernel takes as constant it leaves as it is.
  for (std::size_t i = 0; i < seen.arguments.size(); ++i) {
    const cuda::TypeName* type =
        i < seen.kernel->parameters.size() ? &seen.kernel->parameters[i].type : nullptr;
    if (type == nullptr || !type->is_const || type->pointers != 1) hand_over(seen.arguments[i]);
  }
  std::erase_if(symbols_, [&](const auto& symbol) { return written_by_kernels_.contains(symbol.first); });
  return {};
}

}  // namespace warplens::app::host
