// Device functions of a random kernel, and calls of them.
#include <algorithm>

#include "tests/differential/kernel_maker.h"

namespace warplens::differential {

// Statements over a and b, with returns in the middle of them.
Piece KernelMaker::function_body() {
  const Scope outer = scope_;
  scope_ = {};
  scope_.in_function = true;
  scope_.uniform = false;
  scope_.ints[0] = {"a", "b"};
  scope_.variables[0] = {"a", "b"};
  Piece body;
  for (int i = random_.pick(1, 3); i > 0; --i) {
    const int kind = random_.pick(0, 4);
    body += kind == 0 ? branch(2) : kind == 1 ? for_loop(2) : kind == 2 ? switch_statement(2) : leave();
  }
  body += piece("return @;\n", {integer(1, Level::Thread)});
  scope_ = outer;
  return body;
}

Piece KernelMaker::choose_functions() {
  Piece all;
  for (int i = random_.pick(0, 3); i > 0; --i) {
    const std::string name = this->name("f");
    const auto form = static_cast<Function::Form>(random_.pick(0, 3));
    std::string head;
    switch (form) {
      case Function::Form::Plain:
        head =
            random_.one_of({"__device__ int $", "__device__ __forceinline__ int $"}) + "(int a, int b) {\n";
        break;
      case Function::Form::Template:
        head = "template <int N, class T>\n__device__ int $(T a, int b) {\nb += N;\n";
        break;
      case Function::Form::Reference:
        head = "__device__ int $(int& a, int b) {\n";
        break;
      case Function::Form::Load:
        head = "__device__ int $(const int* p, int a, int b = 3) {\nb += p[a & 63];\n";
        break;
    }
    all += piece(named(head, name) + "@}\n", {function_body()});
    functions_.push_back({name, form});
  }
  has_walker_ = random_.chance(25);
  all.text +=
      "__device__ int bump(int* p, int a) {\n  if (a < 0) return p[0];\n  *p += a;\n"
      "  return p[a & 1] & 15;\n}\n";
  if (has_walker_)
    all.text +=
        "struct Walker {\n  int at;\n  int by;\n  __device__ Walker(int from, int step) : at(from), "
        "by(step) {}\n"
        "  __device__ int next() {\n    if (at > 500) return at = 0;\n    at += by;\n    return at;\n  }\n"
        "  __device__ int operator()(int i) const { return (at + i * by) & 1023; }\n};\n";
  return all;
}

Piece KernelMaker::call(int depth, Level level) {
  const Function& f = random_.one_of(functions_);
  std::string arguments = "(@i, @i)";
  if (f.form == Function::Form::Reference) return operation(depth, level);
  if (f.form == Function::Form::Template) arguments = "<#0-9>(`@i`(short)(@i)``, @i)";
  if (f.form == Function::Form::Load) {
    const Array* from = nullptr;
    for (const Array* a : arrays(Place::Global, false, Level::Data))
      if (a->rows == 0 && a->type->name == std::string("int") && (a->elements == 0 || a->elements >= 64))
        from = a;
    if (from == nullptr || level != Level::Data) return operation(depth, level);
    arguments = "(" + from->name + (from->elements != 0 ? ", @i)" : "`, @i)` + 5, @i, 2)``");
  }
  Piece n = with(made(f.name + arguments, depth, level), {Feature::DeviceFunction});
  return f.form == Function::Form::Template ? with(std::move(n), {Feature::FunctionTemplate}) : n;
}

Piece KernelMaker::call_with_pointer() {
  const Array* a = array(Place::Local, true, Level::Thread);
  if (a == nullptr || a->type->name != std::string("int")) return simple_statement();
  const Level level = std::min(a->level, some_level());
  return into(a->level, with(made("bump(&local[@i & 3], @i)", 0, level),
                             {Feature::LocalPointer, Feature::DeviceFunction, Feature::LocalArray}));
}

Piece KernelMaker::call_by_reference() {
  for (const Function& f : functions_) {
    const Level level = random_.chance(50) ? some_level() : Level::Data;  // `sum` is always there
    const auto& variables = scope_.variables[static_cast<std::size_t>(level)];
    if (f.form != Function::Form::Reference || variables.empty()) continue;
    return with(made("sink += " + f.name + "(" + random_.one_of(variables) + ", @i);\n", 0, level),
                {Feature::DeviceFunction, Feature::Reference});
  }
  return simple_statement();
}

Piece KernelMaker::member_calls() {
  const Array* a = array(Place::Global, false, Level::Data);
  if (!has_walker_ || a == nullptr || a->elements != 0) return simple_statement();
  return with(made(named("{ Walker $(@I & 255, @k); $.next(); sink += $.next() + " +
                             put_into(a->type->to_int, a->name + "[$(lane)]") + "; }\n",
                         name("walker"))),
              {Feature::MemberFunction, Feature::Struct});
}

}  // namespace warplens::differential
