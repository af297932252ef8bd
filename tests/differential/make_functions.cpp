// Device functions of a random kernel, and calls of them.
#include <algorithm>

#include "tests/differential/kernel_maker.h"

namespace warplens::differential {

// Statements over a and b, with returns in the middle of them.
Node KernelMaker::function_body() {
  const Scope outer = scope_;
  scope_ = {};
  scope_.in_function = true;
  scope_.uniform = false;
  scope_.ints[0] = {"a", "b"};
  scope_.variables[0] = {"a", "b"};
  Node body;
  body.kind = Kind::Block;
  for (int i = random_.pick(1, 3); i > 0; --i) {
    switch (random_.pick(0, 4)) {
      case 0:
        body.parts.push_back(branch(2));
        break;
      case 1:
        body.parts.push_back(for_loop(2));
        break;
      case 2:
        body.parts.push_back(switch_statement(2));
        break;
      default:
        body.parts.push_back(leave());
    }
  }
  Node n = node(Kind::Fixed, "@return @;\n", std::move(body), integer(1, Level::Thread));
  scope_ = outer;
  return n;
}

void KernelMaker::choose_functions(Node& declarations) {
  for (int i = random_.pick(0, 3); i > 0; --i) {
    Function f;
    f.name = name("f");
    f.form = static_cast<Function::Form>(random_.pick(0, 3));
    std::string head;
    switch (f.form) {
      case Function::Form::Plain:
        head = random_.one_of({"__device__ int ", "__device__ __forceinline__ int "}) + f.name +
               "(int a, int b)";
        break;
      case Function::Form::Template:
        head = "template <int N, class T>\n__device__ int " + f.name + "(T a, int b)";
        break;
      case Function::Form::Reference:
        head = "__device__ int " + f.name + "(int& a, int b)";
        break;
      case Function::Form::Load:
        head = "__device__ int " + f.name + "(const int* p, int a, int b = 3)";
        break;
    }
    const char* first = f.form == Function::Form::Template ? "b += N;\n"
                        : f.form == Function::Form::Load   ? "b += p[a & 63];\n"
                                                           : "";
    declarations.parts.push_back(node(Kind::Statement, head + " {\n" + first + "@}\n", function_body()));
    functions_.push_back(f);
  }
  has_walker_ = random_.chance(25);
  declarations.parts.push_back(
      node(Kind::Statement,
           "__device__ int bump(int* p, int a) {\n  if (a < 0) return p[0];\n  *p += a;\n"
           "  return p[a & 1] & 15;\n}\n"));
  if (!has_walker_) return;
  declarations.parts.push_back(
      node(Kind::Statement,
           "struct Walker {\n  int at;\n  int by;\n  __device__ Walker(int from, int step) : at(from), "
           "by(step) {}\n"
           "  __device__ int next() {\n    if (at > 500) return at = 0;\n    at += by;\n    return at;\n  }\n"
           "  __device__ int operator()(int i) const { return (at + i * by) & 1023; }\n};\n"));
}

Node KernelMaker::call(int depth, Level level) {
  const Function& f = random_.one_of(functions_);
  const auto operand = [&] { return integer(depth + 1, level); };
  Features features = set_of({Feature::DeviceFunction});
  Node n;
  switch (f.form) {
    case Function::Form::Plain:
      n = node(Kind::Int, f.name + "(@, @)", operand(), operand());
      break;
    case Function::Form::Template:
      n = node(Kind::Int, f.name + "<" + std::to_string(random_.pick(0, 9)) + ">(@, @)",
               random_.chance(50) ? operand() : node(Kind::Int, "(short)(@)", operand()), operand());
      features |= set_of({Feature::FunctionTemplate});
      break;
    case Function::Form::Load: {
      const Array* from = nullptr;
      for (const Array* a : arrays(Place::Global, false, Level::Data))
        if (a->rows == 0 && a->type->name == std::string("int") && (a->elements == 0 || a->elements >= 64))
          from = a;
      if (from == nullptr || level != Level::Data) return operation(depth, level);
      n = node(Kind::Int, f.name + "(" + from->name + random_.one_of({", @)", " + 5, @, 2)"}), operand());
      if (from->elements != 0) n.text = f.name + "(" + from->name + ", @)";
      break;
    }
    case Function::Form::Reference:
      return operation(depth, level);
  }
  n.features |= features;
  return n;
}

Node KernelMaker::call_with_pointer() {
  const Array* a = array(Place::Local, true, Level::Thread);
  if (a == nullptr || a->type->name != std::string("int")) return simple_statement();
  const Level level = std::min(a->level, some_level());
  return into(a->level, with(node(Kind::Int, "bump(&local[@ & 3], @)", integer(1, level), integer(1, level)),
                             {Feature::LocalPointer, Feature::DeviceFunction, Feature::LocalArray}));
}

Node KernelMaker::call_by_reference() {
  for (const Function& f : functions_) {
    const Level level = random_.chance(50) ? some_level() : Level::Data;  // `sum` is always there
    const auto& variables = scope_.variables[static_cast<std::size_t>(level)];
    if (f.form != Function::Form::Reference || variables.empty()) continue;
    const std::string target = random_.one_of(variables);
    return with(node(Kind::Statement, "sink += " + f.name + "(" + target + ", @);\n", integer(1, level)),
                {Feature::DeviceFunction, Feature::Reference});
  }
  return simple_statement();
}

Node KernelMaker::member_calls() {
  const Array* a = array(Place::Global, false, Level::Data);
  if (!has_walker_ || a == nullptr || a->elements != 0) return simple_statement();
  const Level level = some_level();
  const std::string w = name("walker");
  return with(node(Kind::Statement,
                   "{ Walker " + w + "(@ & 255, @); " + w + ".next(); sink += " + w + ".next() + " +
                       put_into(a->type->to_int, a->name + "[" + w + "(lane)]") + "; }\n",
                   integer(1, level), constant()),
              {Feature::MemberFunction, Feature::Struct});
}

}  // namespace warplens::differential
