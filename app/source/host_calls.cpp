// Calls of host code: its own functions, what CUDA and the standard library do, and launches.
#include <algorithm>
#include <cmath>

#include "app/source/host_run.h"
#include "sim/cuda/text/names.h"
#include "sim/lower/lower.h"

namespace warplens::app::host {
namespace {

// What of a call's arguments is only read.
bool only_reads(std::string_view name) {
  static const std::set<std::string_view> kNames{
      "printf", "fprintf",      "puts",   "cudaFree",   "free",
      "assert", "cudaFreeHost", "delete", "accumulate", "cudaGetErrorString"};
  return kNames.contains(name);
}

}  // namespace

Value HostRun::call_expr(const Expr& expr, const cuda::CallExpr& node) {
  if (!node.configuration.empty()) return launch(expr, node);
  if (const auto* member = as<cuda::MemberExpr>(*node.callee)) return method(node, *member);
  const auto* name = as<cuda::NameExpr>(*node.callee);
  if (name == nullptr) {
    const Value callee = eval(*node.callee);
    if (callee.kind == Kind::Function) return call(Callable(callable_of(callee)), node.arguments);
    return unknown_call(node);
  }
  if (const auto variable = lookup(name->name)) {
    const Value callee = read(*variable);
    if (callee.kind == Kind::Function) return call(Callable(callable_of(callee)), node.arguments);
    if (const auto of_object = method_of(callee, "operator()", node.arguments.size()))
      return call(*of_object, node.arguments);
    const Value drawn = callee;  // of a uniform_int_distribution
    const Value called = unknown_call(node);
    return drawn.is_drawn() ? drawn : called;
  }
  if (frames_.back().self >= 0 && frames_.back().of != nullptr)
    if (const Function* own = find_method(*frames_.back().of, name->name, node.arguments.size()))
      return call({.function = own, .self = frames_.back().self, .of = frames_.back().of}, node.arguments);
  const Function* function = find_function(name->name, node.arguments.size());
  if (function == nullptr && functions_.count(name->name) > 1) {
    std::vector<Value> values;
    for (const cuda::ExprPtr& argument : node.arguments) values.push_back(eval(*argument));
    function = find_function(name->name, node.arguments.size(), &values);
  }
  if (function != nullptr)
    return call({.function = function, .templates = template_values(name->arguments)}, node.arguments);
  if (name->name.starts_with("cudaLaunch") || name->name.starts_with("cuLaunch"))
    return launch_call(expr, node, name->name);
  if (const auto known = known_call({std::string(last_part(name->name)), *name, node.arguments}))
    return *known;
  return unknown_call(node);
}

// To what may change what a pointer leads to, and call a function.
void HostRun::hand_over(const Value& value) {
  forget_contents(value);
  if (value.kind != Kind::Function) return;
  const Function& called = *callable_of(value).function;
  if (called.body && called.kind != Function::Kind::Kernel) forget_effects(effects_of(*called.body));
}

// It may change what it is given the address of, and what its pointers lead to.
Value HostRun::unknown_call(const cuda::CallExpr& node) {
  const auto* name = as<cuda::NameExpr>(*node.callee);
  const bool reads = name != nullptr && only_reads(last_part(name->name));
  for (const cuda::ExprPtr& argument : node.arguments) {
    const Value value = eval(*argument);
    if (!reads) hand_over(value);
  }
  static const std::set<std::string_view> kChanging{"getline", "tie", "ref", "from_chars", "exchange"};
  if (name != nullptr && kChanging.contains(last_part(name->name)))
    for (const cuda::ExprPtr& argument : node.arguments) forget(place(*argument));
  if (name != nullptr && name->name.starts_with("cuda") && name->name.find("String") == std::string::npos &&
      name->name.find("Name") == std::string::npos)
    return integer(0);  // cudaSuccess
  if (name != nullptr && name->name.starts_with("cu") && name->name.size() > 2 && std::isupper(name->name[2]))
    return integer(0);
  return {};
}

bool HostRun::LibraryCall::is(std::initializer_list<std::string_view> names, std::size_t least) const {
  return arguments.size() >= least && std::find(names.begin(), names.end(), name) != names.end();
}

Value HostRun::argument(const LibraryCall& call, std::size_t i) {
  return i < call.arguments.size() ? eval(*call.arguments[i]) : Value{};
}

// What a function of CUDA or the standard library does; nothing: it is none of these.
std::optional<Value> HostRun::known_call(const LibraryCall& call) {
  for (const auto known :
       {&HostRun::known_allocation, &HostRun::known_copy, &HostRun::known_number, &HostRun::known_other})
    if (auto value = (this->*known)(call)) return value;
  return {};
}

// What makes memory.
std::optional<Value> HostRun::known_allocation(const LibraryCall& call) {
  const auto size = [&](std::size_t i) { return cast(argument(call, i), types_.of(ScalarType::U64)); };
  const auto point = [&](const Place& target, const Value& bytes) {
    const Type* type = target.is_valid() && target.index == Place::kWhole ? at(target.object).type : nullptr;
    const Type* element = type != nullptr ? type->pointee : nullptr;
    if (element != nullptr && element->text == "void") element = nullptr;
    if (target.is_valid()) write(target, pointer(make_allocation(element, bytes, false), 0, type));
    return integer(0);
  };
  const auto allocated = [&](const Value& bytes, bool is_zero) {
    return pointer(make_allocation(nullptr, bytes, is_zero), 0, nullptr);
  };
  if (call.is({"cudaMalloc", "cudaMallocManaged", "cudaMallocHost", "cudaHostAlloc", "cudaMallocAsync",
               "cuMemAlloc"},
              2)) {
    const Place target = deref(argument(call, 0));
    return point(target, size(1));
  }
  if (call.is({"cudaMallocPitch"}, 4)) {
    const Place target = deref(argument(call, 0)), pitch = deref(argument(call, 1));
    const Value width = argument(call, 2), height = size(3);
    const auto padded = (static_cast<std::uint64_t>(width.integer) + 511) / 512 * 512;
    const Value row =
        width.kind == Kind::Integer ? integer(static_cast<std::int64_t>(padded), ScalarType::U64) : Value{};
    write(pitch, row);
    return point(target, combined(BinaryOp::Mul, pitch.is_valid() ? read(pitch) : row, height));
  }
  if (call.is({"malloc", "_mm_malloc"}, 1)) return allocated(size(0), false);
  if (call.is({"aligned_alloc"}, 2)) return allocated(size(1), false);
  if (call.is({"calloc"}, 2)) {
    const Value number = size(0);
    return allocated(combined(BinaryOp::Mul, number, size(1)), true);
  }
  const auto& types = call.callee.arguments;
  if (call.is({"new"}, 0) && !types.empty() && types[0].type) {
    const Type* element = resolve(*types[0].type);
    const int made = call.arguments.empty()
                         ? make_object(element)
                         : make_allocation(element, sized(argument(call, 0), element), false);
    return pointer(made, 0, types_.pointer_to(element));
  }
  if (call.is({"new one"}, 1)) {
    const Value made = argument(call, 0);
    const int object = made.kind == Kind::Object ? made.object : make_object(made.type);
    if (made.kind != Kind::Object) write({object}, made);
    return pointer(object, 0, types_.pointer_to(made.type));
  }
  return {};
}

// What fills it, copies, and asks the device.
std::optional<Value> HostRun::known_copy(const LibraryCall& call) {
  if (call.is({"cudaMemcpy", "cudaMemcpyAsync", "memcpy"}, 3)) {
    const Value to = argument(call, 0), from = argument(call, 1);
    copy_contents(to, from, argument(call, 2));
    return integer(0);
  }
  if (call.is({"cudaMemset", "cudaMemsetAsync", "memset"}, 3)) {
    const Value to = argument(call, 0), filled = argument(call, 1), bytes = argument(call, 2);
    const Value all = bytes_of(to);
    forget_contents(to);
    const bool is_whole =
        bytes.kind == Kind::Integer && all.kind == Kind::Integer && bytes.integer >= all.integer;
    const Type* element = to.kind == Kind::Pointer ? at(to.object).type : nullptr;
    if (is_whole && to.integer == 0 && filled.kind == Kind::Integer &&
        (filled.integer == 0 || element != nullptr)) {
      const std::int64_t every = (filled.integer & 0xff) * 0x0101010101010101;
      fill_whole(to.object, filled.integer == 0 || !element->scalar
                                ? filled
                                : converted(integer(every, ScalarType::I64), *element->scalar, types_));
    }
    return integer(0);
  }
  if (call.is({"cudaMemcpyToSymbol"}, 3)) {
    const Value to = argument(call, 0), from = argument(call, 1);
    const Place target = place(*call.arguments[0]);
    const auto* symbol = as<cuda::NameExpr>(*call.arguments[0]);
    if (symbol != nullptr && target.is_valid()) symbols_[symbol->name] = pointer(target.object, 0, nullptr);
    if (to.kind == Kind::Pointer)
      copy_contents(to, from, argument(call, 2));
    else
      write(target, from.kind == Kind::Pointer ? read(deref(from)) : Value{});
    return integer(0);
  }
  if (call.is({"cudaGetDevice"}, 1)) {
    write(deref(argument(call, 0)), integer(0));
    return integer(0);
  }
  if (call.name.starts_with("getopt") && !has_arguments_) return integer(-1);
  if (call.is({"cudaHostGetDevicePointer"}, 2)) {
    const Place target = deref(argument(call, 0));
    write(target, argument(call, 1));
    return integer(0);
  }
  if (call.name.starts_with("cuTensorMapEncodeTiled") && call.arguments.size() >= 10) {
    const Value map = argument(call, 0);
    if (map.kind != Kind::Pointer) return integer(0);
    auto& of = tensor_maps_[map.object];
    const auto put = [&](std::size_t list_at, std::initializer_list<const char*> names) {
      const Value list = argument(call, list_at);
      std::int64_t i = 0;
      for (const char* name : names)
        if (list.kind == Kind::Pointer) of[name] = read({list.object, i++});
    };
    put(4, {".width", ".height", ".depth"});
    put(5, {".pitch", ".slice"});
    put(6, {".box_width", ".box_height", ".box_depth"});
    if (const auto* swizzle = as<cuda::NameExpr>(*call.arguments[9])) {
      const std::string kind(last_part(swizzle->name));
      if (kind.ends_with("SWIZZLE_NONE")) of[".swizzle"] = integer(0);
      for (const int bytes : {32, 64, 128})
        if (kind.ends_with("SWIZZLE_" + std::to_string(bytes) + "B")) of[".swizzle"] = integer(bytes);
    }
    return integer(0);
  }
  return {};
}

// Functions of numbers.
std::optional<Value> HostRun::known_number(const LibraryCall& call) {
  // A float's `f` behind a function's name left out.
  const bool has_f = call.name.ends_with('f') && call.name.size() > 1;
  const std::string name = has_f ? call.name.substr(0, call.name.size() - 1) : call.name;
  if (call.is({"min", "max", "fmin", "fmax", "fminf", "fmaxf"}, 2)) {
    const Value a = argument(call, 0), b = argument(call, 1);
    const bool is_least = name.ends_with("min");
    Value out{.type = a.type};
    if (a.is_number() && b.is_number())
      out = (is_least ? a.real() <= b.real() : a.real() >= b.real()) ? a : b;
    out.formula = quiet_ == 0 ? formulas_.call(is_least ? "min" : "max", {a, b}) : -1;
    return out;
  }
  if (call.arguments.size() == 1 && sim::apply_function(name, 1)) {
    const Value x = argument(call, 0);
    const bool is_float = x.type && x.type->scalar == ScalarType::F32;
    Value out{.type = types_.of(is_float ? ScalarType::F32 : ScalarType::F64)};
    if (x.is_number()) {
      out.kind = Kind::Floating;
      out.floating = *sim::apply_function(name, x.real());
    }
    out.formula = quiet_ == 0 ? formulas_.call(name, {x}) : -1;
    return out;
  }
  if (call.is({"abs"}, 1)) {
    Value x = argument(call, 0);
    if (x.kind == Kind::Integer && x.integer < 0) x = apply(BinaryOp::Sub, integer(0), x, types_);
    if (x.kind == Kind::Floating) x.floating = std::abs(x.floating);
    x.formula = -1;
    return x;
  }
  if (call.is({"pow", "powf"}, 2)) {
    const Value x = argument(call, 0), y = argument(call, 1);
    const Type* type = types_.of(ScalarType::F64);
    if (!x.is_number() || !y.is_number()) return Value{.type = type};
    return Value{.kind = Kind::Floating, .type = type, .floating = std::pow(x.real(), y.real())};
  }
  if (call.is({"ceil_div"}, 2)) {
    const Value x = argument(call, 0), y = argument(call, 1);
    return combined(BinaryOp::Div, combined(BinaryOp::Sub, combined(BinaryOp::Add, x, y), integer(1)), y);
  }
  return {};
}

// What hands values on, and the rest.
std::optional<Value> HostRun::known_other(const LibraryCall& call) {
  const std::string& name = call.name;
  if (call.arguments.size() == 1 &&
      call.is({"move", "forward", "ref", "raw_pointer_cast", "data", "get", "as_const"}, 1)) {
    const Value made = argument(call, 0);
    if (made.kind == Kind::Object && name == "move") {
      const int moved = make_object(made.type);
      write({moved}, made);
      forget({made.object});
      return read({moved});
    }
    if (made.kind == Kind::Object && (name == "data" || name == "raw_pointer_cast"))
      return cast(made, types_.pointer_to(at(made.object).type));
    return made;
  }
  if (name == "size" && call.arguments.size() == 1)
    return container_method(argument(call, 0).object, "size", {});
  if (call.is({"swap"}, 2)) {
    const Place a = place(*call.arguments[0]), b = place(*call.arguments[1]);
    Value of_a = read(a);
    const Value of_b = read(b);
    if (of_a.kind == Kind::Object) {
      const int kept = make_object(of_a.type);
      write({kept}, of_a);
      of_a = read({kept});
    }
    write(a, of_b);
    write(b, of_a);
    return Value{};
  }
  if (name == "getenv") return Value{.kind = Kind::Null};
  if (call.is({"fill"}, 3)) {
    const Value from = argument(call, 0), until = argument(call, 1), filled = argument(call, 2);
    const Value all = bytes_of(from);
    forget_contents(from);
    const bool is_whole = from.kind == Kind::Pointer && until.kind == Kind::Pointer && from.has_offset &&
                          until.has_offset && from.integer == 0 && all.kind == Kind::Integer &&
                          until.integer >= all.integer;
    if (is_whole && (at(from.object).type == nullptr || at(from.object).type->scalar))
      fill_whole(from.object, filled);
    return Value{};
  }
  if (call.is({"iota"}, 3)) {
    const Value from = argument(call, 0), until = argument(call, 1), first = argument(call, 2);
    const Place begin = deref(from);
    const Value bytes = bytes_of(from);
    if (begin.is_valid() && begin.index == 0 && first.kind == Kind::Integer && bytes.kind == Kind::Integer) {
      const std::int64_t length = bytes.integer / size_of(at(begin.object).type).value_or(1);
      for (std::int64_t i = 0; i < std::min<std::int64_t>(length, kMostNumbers); ++i)
        write({begin.object, i}, integer(first.integer + i, ScalarType::I64));
    }
    return until;
  }
  if (name.starts_with("make_") && !call.arguments.empty() && cuda::builtin_types().contains(name.substr(5)))
    return construct(types_.of(name.substr(5)), call.arguments);
  if (call.is({"atoi", "stoi", "strtol", "atol", "rand", "strlen"}, 0)) {
    for (const cuda::ExprPtr& given : call.arguments) (void)eval(*given);
    Value out{.type = types_.of(name == "strlen" ? ScalarType::U64 : ScalarType::I32)};
    if (name == "rand") out.most = kMostDrawn;
    out.formula = quiet_ == 0 ? formulas_.variable(out) : -1;
    return out;
  }
  return {};
}

Value HostRun::method(const cuda::CallExpr& node, const cuda::MemberExpr& callee) {
  Value base;
  if (callee.arrow) {
    const Place of = deref(eval(*callee.base));
    if (of.is_valid()) base = read(of.index >= 0 ? Place{element_object(of.object, of.index)} : of);
  } else {
    base = eval(*callee.base);
  }
  if (base.kind == Kind::Object) {
    if (at(base.object).kind == Object::Kind::Container)
      if (const auto known = container_method(base.object, callee.member, node.arguments)) return *known;
    if (auto callable = method_of(base, callee.member, node.arguments.size())) {
      callable->templates = template_values(callee.arguments);
      return call(*callable, node.arguments);
    }
    forget({base.object});
  }
  return unknown_call(node);
}

std::optional<Value> HostRun::container_method(int object, const std::string& name, Arguments arguments) {
  if (object < 0) return Value{};
  const auto value = [&](std::size_t i) { return i < arguments.size() ? eval(*arguments[i]) : Value{}; };
  const Type* element = at(object).type;
  const auto bytes = size_of(element);
  if (name == "data" || name == "begin" || name == "cbegin" || name == "get" || name == "end" ||
      name == "cend") {
    if (at(object).value.kind == Kind::Pointer) return at(object).value;
    Value out = pointer(object, 0, types_.pointer_to(element));
    if (name.ends_with("end")) {
      out.integer = at(object).bytes.integer;
      out.has_offset = at(object).bytes.kind == Kind::Integer;
    }
    return out;
  }
  if (name == "size" || name == "length") {
    const Value& all = at(object).bytes;
    if (!bytes) return Value{};
    Value out = apply(BinaryOp::Div, all, integer(*bytes, ScalarType::U64), types_);
    out.formula = formulas_.divided(all.formula, *bytes);
    if (out.type == nullptr) out.type = types_.of(ScalarType::U64);
    return out;
  }
  if (name == "empty") {
    const Value& all = at(object).bytes;
    return all.kind == Kind::Integer ? integer(all.integer == 0, ScalarType::Bool) : Value{};
  }
  if (name == "resize" || name == "assign") {
    const Value count = value(0), filled = arguments.size() > 1 ? value(1) : integer(0);
    note(object);
    const bool is_plain = count.is_number() || count.formula >= 0;
    const Value before = at(object).bytes;
    const bool is_new = name == "assign" || (before.kind == Kind::Integer && before.integer == 0);
    at(object).bytes = is_plain ? sized(count, element) : Value{};
    fill_whole(object, filled);
    at(object).is_known = is_new;
    return Value{};
  }
  if (name == "push_back" || name == "emplace_back") {
    const Value added = value(0);
    note(object);
    const Value all = at(object).bytes;
    if (all.kind != Kind::Integer || !bytes || *bytes == 0) return Value{};
    write({object, all.integer / *bytes}, added);
    at(object).bytes = apply(BinaryOp::Add, all, integer(*bytes, ScalarType::U64), types_);
    return Value{};
  }
  if (name == "at" || name == "back" || name == "front") {
    const Value index = name == "at" ? value(0) : integer(0);
    if (name == "back" || index.kind != Kind::Integer) return Value{};
    return read({object, index.integer});
  }
  if (name == "reserve" || name == "clear" || name == "c_str" || name == "shrink_to_fit") {
    if (name == "clear") {
      note(object);
      at(object).bytes = integer(0, ScalarType::U64);
      fill_whole(object, {});
    }
    return Value{};
  }
  return {};
}

// ---- launches ----

Value HostRun::launch(const Expr& expr, const cuda::CallExpr& node) {
  LaunchSeen seen;
  seen.range = expr.range;
  const Value kernel = eval(*node.callee);
  for (const cuda::ExprPtr& part : node.configuration) {
    if (as<cuda::InitListExpr>(*part)) {
      const int object = make_object(types_.of("dim3"));
      initialise(object, *part);
      seen.configuration.push_back(read({object}));
    } else {
      seen.configuration.push_back(eval(*part));
    }
  }
  for (const cuda::ExprPtr& argument : node.arguments) {
    seen.arguments.push_back(eval(*argument));
    seen.written.push_back(argument.get());
  }
  tell(kernel, std::move(seen));
  return {};
}

// cudaLaunchKernel((void*)kernel, grid, block, arguments, bytes, stream), also cooperative;
// cudaLaunchKernelEx(&config, kernel, a, b).
Value HostRun::launch_call(const Expr& expr, const cuda::CallExpr& node, std::string_view name) {
  LaunchSeen seen;
  seen.range = expr.range;
  std::vector<Value> values;
  for (const cuda::ExprPtr& argument : node.arguments) values.push_back(eval(*argument));
  if (name == "cudaLaunchKernelEx" && values.size() >= 2) {
    const Place config = deref(values[0]);
    if (config.is_valid() && at(config.object).kind == Object::Kind::Scalar) {
      for (const char* part : {"gridDim", "blockDim", "dynamicSmemBytes"})
        seen.configuration.push_back(read({member_object(config.object, part)}));
    }
    for (std::size_t i = 2; i < values.size(); ++i) {
      seen.arguments.push_back(values[i]);
      seen.written.push_back(node.arguments[i].get());
    }
    tell(values[1], std::move(seen));
  } else if (values.size() >= 4) {
    seen.configuration = {values[1], values[2]};
    if (values.size() > 4) seen.configuration.push_back(values[4]);
    const Value kernel = values[0];
    const std::size_t count =
        kernel.kind == Kind::Function ? callable_of(kernel).function->parameters.size() : 0;
    for (std::size_t i = 0; i < count && values[3].kind == Kind::Pointer; ++i) {
      Value address = read({values[3].object, static_cast<std::int64_t>(i)});
      const Place of = deref(address);
      seen.arguments.push_back(of.is_valid() ? read(of) : Value{});
      seen.written.push_back(nullptr);
    }
    tell(kernel, std::move(seen));
  }
  return integer(0);
}

void HostRun::tell(const Value& kernel, LaunchSeen seen) {
  constexpr std::size_t kFewest = 2;
  if (kernel.kind != Kind::Function || seen.configuration.size() < kFewest) return;
  const Callable& callable = callable_of(kernel);
  const Function* function = find_function(callable.function->name, seen.arguments.size(), &seen.arguments);
  seen.kernel = function != nullptr ? function : callable.function;
  if (seen.kernel->kind != Function::Kind::Kernel || gave_up_) return;
  seen.templates = callable.templates;
  seen.is_reached = !explores_;
  seen_offsets_.insert(seen.range.begin.offset);
  seen_(seen);
  // What the kernel takes as constant it leaves as it is.
  for (std::size_t i = 0; i < seen.arguments.size(); ++i) {
    const cuda::TypeName* type =
        i < seen.kernel->parameters.size() ? &seen.kernel->parameters[i].type : nullptr;
    if (type == nullptr || !type->is_const || type->pointers != 1) forget_contents(seen.arguments[i]);
  }
  for (auto symbol = symbols_.begin(); symbol != symbols_.end();)
    symbol = written_by_kernels_.contains(symbol->first) ? symbols_.erase(symbol) : std::next(symbol);
}

}  // namespace warplens::app::host
