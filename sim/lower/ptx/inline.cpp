#include <algorithm>

#include "sim/lower/ptx/module.h"

namespace warplens::sim::lower::ptx {

std::string part_register(const std::string& name, std::uint64_t offset) {
  return "[" + name + "+" + std::to_string(offset) + "]";
}

namespace {

constexpr std::size_t kMostInlined = 400'000;  // statements
constexpr int kMostDepth = 64;                 // of calls in calls

Instruction instruction(std::string text, std::vector<Operand> operands) {
  Instruction made;
  made.parts = parts_of(text);
  made.text = std::move(text);
  made.operands = std::move(operands);
  return made;
}

class Inliner {
 public:
  Inliner(const Module& module, Budget& budget) : module_(module), pace_(budget, Stage::Lowering) {}

  Inlined run(const Function& entry) {
    Instance whole;
    whole.function = &entry;
    add(whole);
    return std::move(made_);
  }

 private:
  // A function at one place where it is called. `prefix` stands before its own names.
  struct Instance {
    const Function* function = nullptr;
    std::string prefix, end;               // the label behind it
    std::map<std::string, Operand> given;  // by parameter: what the caller's operand is, by its name here
    std::map<std::string, ParameterPart> addresses;  // registers that hold a parameter's address
    int depth = 0;
  };

  [[noreturn]] static void fail(const cuda::SourceRange& range, Message message, Message remedy = {}) {
    throw cuda::Diagnostic{cuda::Severity::Error, range, std::move(message), std::move(remedy)};
  }

  void push(const Statement& of, Instruction instruction) {
    if (made_.body.size() >= kMostInlined)
      fail(of.range, Message("the kernel has more than {} instructions with what it calls", kMostInlined));
    Statement made{std::move(instruction), of.range, of.location, calls_, of.targets};
    made_.body.push_back(std::move(made));
  }

  std::string own(const Instance& in, const std::string& name) {
    if (name.empty() || name == "_") return name;
    const std::string_view type = type_of_register(*in.function, name);
    if (!type.empty()) {
      const std::string here = in.prefix + name;
      made_.types.try_emplace(here, type);
      return here;
    }
    for (const Variable& variable : in.function->variables) {
      if (variable.name != name) continue;
      made_.variables.try_emplace(in.prefix + name, &variable);
      return in.prefix + name;
    }
    return name;  // of the module, or of the machine
  }
  void rename(const Instance& in, Operand& operand) {
    each_name(operand, [&](std::string& name) { name = own(in, name); });
  }

  static bool is_parameter(const Instance& in, const std::string& name) {
    const auto is_it = [&](const Variable& v) { return v.name == name; };
    const Function& f = *in.function;
    return std::ranges::any_of(f.parameters, is_it) || std::ranges::any_of(f.results, is_it) ||
           std::ranges::any_of(f.variables, [&](const Variable& v) {
             return v.name == name && v.space == Variable::Space::Parameter;
           });
  }

  // The register that holds what lies in a parameter.
  Operand part(const Instance& in, const Operand& address, const cuda::SourceRange& range) {
    std::string name = address.name;
    std::uint64_t offset = static_cast<std::uint64_t>(address.number);
    if (const auto known = in.addresses.find(name); known != in.addresses.end()) {
      name = known->second.name;
      offset += known->second.offset;
    }
    const auto given = in.given.find(name);
    if (!is_parameter(in, name) || !address.parts.empty())
      fail(range,
           Message("a parameter is read at an address that is known only when the kernel runs: that is not "
                   "simulated"),
           Message("copy the struct into a variable and index that"));
    if (given == in.given.end()) return {.name = part_register(in.prefix + name, offset)};
    const Operand& operand = given->second;
    if (operand.name.starts_with('[')) {  // a parameter of the caller
      return {.name = part_register(operand.name.substr(1), offset)};
    }
    return operand;
  }

  void add(Instance& in) {
    running_.push_back(in.function);
    for (const Statement& one : in.function->body) {
      pace_.step();
      const Instruction& i = one.instruction;
      if (!i.label.empty()) {
        Statement label = one;
        label.instruction.label = in.prefix + i.label;
        for (std::string& target : label.targets) target.insert(0, in.prefix);
        made_.body.push_back(std::move(label));
      } else if (i.name() == "call") {
        call(in, one);
      } else if (i.name() == "ret" && !in.end.empty()) {
        push(one, predicated(in, i, instruction("bra", {{.name = in.end}})));
      } else if (is_of_parameter(in, i)) {
        move_part(in, one);
      } else if (!holds_address(in, i)) {
        Instruction renamed = predicated(in, i, i);
        const bool jumps = i.name() == "bra" || i.name() == "brx";
        for (std::size_t k = 0; k < renamed.operands.size(); ++k) {
          const bool is_label = jumps && k + 1 == renamed.operands.size();
          const auto map = i.has("tensor") ? in.addresses.find(renamed.operands[k].name) : in.addresses.end();
          if (map != in.addresses.end())  // a tensor map is named by its parameter
            renamed.operands[k].name = map->second.name;
          else if (is_label)
            renamed.operands[k].name.insert(0, in.prefix);
          else
            rename(in, renamed.operands[k]);
        }
        push(one, std::move(renamed));
      }
    }
    running_.pop_back();
  }

  Instruction predicated(const Instance& in, const Instruction& as, Instruction made) {
    made.predicate = own(in, as.predicate);
    made.negated = as.negated;
    return made;
  }

  // mov.u64 %rd1, k_param_0; and what is that far from it: no instruction is left of them.
  static bool holds_address(Instance& in, const Instruction& i) {
    if (i.operands.size() < 2 || i.operands[0].kind != Operand::Kind::Name) return false;
    const Operand& from = i.operands[1];
    const std::string& to = i.operands[0].name;
    if (i.name() == "mov" && is_parameter(in, from.name)) {
      in.addresses[to] = {from.name, static_cast<std::uint64_t>(from.number)};
      return true;
    }
    const auto known = in.addresses.find(from.name);
    if (known == in.addresses.end()) return false;
    const ParameterPart part = known->second;
    if (i.name() == "mov" || i.name() == "cvta") {
      in.addresses[to] = part;
      return true;
    }
    const bool adds =
        i.name() == "add" && i.operands.size() == 3 && i.operands[2].kind == Operand::Kind::Number;
    if (adds) in.addresses[to] = {part.name, part.offset + static_cast<std::uint64_t>(i.operands[2].number)};
    return adds;
  }

  // By its space, or by a generic address, as cvta.param gives it.
  static bool is_of_parameter(const Instance& in, const Instruction& i) {
    if ((i.name() != "ld" && i.name() != "st") || i.operands.size() != 2) return false;
    constexpr std::string_view kSpaces[] = {"global", "shared",      "local",
                                            "const",  "shared::cta", "shared::cluster"};
    const auto leads = [&](const Operand& one) {
      return one.kind == Operand::Kind::Address && in.addresses.contains(one.name);
    };
    return i.has("param") || (std::ranges::any_of(i.operands, leads) &&
                              std::ranges::none_of(kSpaces, [&](auto space) { return i.has(space); }));
  }

  // ld.param.v2.b32 {%r1, %r2}, [p+8] and st.param as moves from and to what lies there.
  void move_part(Instance& in, const Statement& one) {
    const Instruction& i = one.instruction;
    const bool loads = i.name() == "ld";
    const Operand &registers = i.operands[loads ? 0 : 1], &address = i.operands[loads ? 1 : 0];
    const bool is_vector = registers.kind == Operand::Kind::Vector;
    const auto bytes = static_cast<std::int64_t>(bytes_of(i.last()));
    const std::size_t count = is_vector ? registers.parts.size() : 1;
    for (std::size_t k = 0; k < count; ++k) {
      Operand at = address;
      at.number += static_cast<std::int64_t>(k) * bytes;
      Operand there = part(in, at, one.range);
      if (there.name.starts_with('[')) {
        std::string& type = made_.types.try_emplace(there.name, i.last()).first->second;
        if (bytes_of(type) < bytes_of(i.last())) type = i.last();  // it was read in part before
        Operand upper = at;
        upper.number += 4;
        // Of two words that were stored by themselves.
        if (loads && bytes == 8 && bytes_of(stored_[there.name]) == 4) {
          Operand low = std::move(there);
          there = {};
          there.kind = Operand::Kind::Vector;
          there.parts = {std::move(low), part(in, upper, one.range)};
        } else if (!loads) {
          stored_[there.name] = i.last();
        }
      }
      Operand here = is_vector ? registers.parts[k] : registers;
      rename(in, here);
      push(one, predicated(in, i,
                           instruction("mov." + i.last(),
                                       loads ? std::vector{here, there} : std::vector{there, here})));
    }
  }

  // call (results), function, (arguments);
  void call(Instance& in, const Statement& one) {
    const Instruction& i = one.instruction;
    std::size_t at = 0;
    std::vector<Operand> results, arguments;
    if (at < i.operands.size() && i.operands[at].kind == Operand::Kind::Vector)
      results = i.operands[at++].parts;
    if (at >= i.operands.size())
      fail(one.range, Message("the PTX text is not understood: a call of no function"));
    const std::string name = i.operands[at++].name;
    if (at < i.operands.size() && i.operands[at].kind == Operand::Kind::Vector)
      arguments = i.operands[at].parts;
    const auto as_given = [&](Operand operand) {
      if (is_parameter(in, operand.name))
        operand.name = "[" + in.prefix + operand.name;
      else
        rename(in, operand);
      return operand;
    };
    const Function* callee = module_.function(name);
    if (callee == nullptr || callee->body.empty()) return call_of_system(in, one, name, results);
    if (in.depth >= kMostDepth)
      fail(one.range, Message("functions are called more than {} deep in each other", kMostDepth));
    if (std::ranges::find(running_, callee) != running_.end())
      fail(one.range, Message("'{}' calls itself: recursion is not simulated", plain_name(name)),
           Message("write it as a loop"));
    if (arguments.size() != callee->parameters.size() || results.size() != callee->results.size())
      fail(one.range, Message("'{}' takes {} arguments, {} are given", plain_name(name),
                              callee->parameters.size(), arguments.size()));
    Instance inner;
    inner.function = callee;
    inner.depth = in.depth + 1;
    inner.prefix = plain_name(name) + "#" + std::to_string(++instances_) + ":";
    inner.end = inner.prefix + "end";
    for (std::size_t k = 0; k < arguments.size(); ++k)
      inner.given[callee->parameters[k].name] = as_given(arguments[k]);
    for (std::size_t k = 0; k < results.size(); ++k)
      inner.given[callee->results[k].name] = as_given(results[k]);
    if (!i.predicate.empty()) {
      Instruction around = predicated(in, i, instruction("bra", {{.name = inner.end}}));
      around.negated = !around.negated;
      push(one, std::move(around));
    }
    calls_.insert(calls_.begin(), one.location);
    add(inner);
    calls_.erase(calls_.begin());
    Instruction label;
    label.label = inner.end;
    label.text = inner.end + ":";
    label.parts = {label.text};
    push(one, std::move(label));
  }

  void call_of_system(Instance& in, const Statement& one, const std::string& name,
                      const std::vector<Operand>& results) {
    const Instruction& i = one.instruction;
    if (name == "__assertfail" || name == "__assert_fail")
      return push(one, predicated(in, i, instruction("trap", {})));
    if (name == "vprintf" && results.size() == 1) {
      const Operand zero{.kind = Operand::Kind::Number};
      const std::string to = part_register(in.prefix + results[0].name, 0);
      made_.types.try_emplace(to, "b32");
      return push(one, predicated(in, i, instruction("mov.b32", {{.name = to}, zero})));
    }
    if (name.starts_with('%'))
      fail(one.range,
           Message("a call through a function pointer is not simulated: which function '{}' is, is "
                   "known only when the kernel runs",
                   name),
           Message("call the function by its name, or let the compiler inline it"));
    fail(one.range, Message("the function '{}' is called, and the module does not have it", plain_name(name)),
         Message("link it in: compile with the file that defines it, without -rdc"));
  }

  const Module& module_;
  Pace pace_;
  Inlined made_;
  std::map<std::string, std::string> stored_;  // parameters of calls: the type that was stored there
  int instances_ = 0;
  std::vector<int> calls_;  // as Statement has them
  std::vector<const Function*> running_;
};

}  // namespace

Inlined inline_calls(const Module& module, const Function& entry, Budget& budget) {
  return Inliner(module, budget).run(entry);
}

}  // namespace warplens::sim::lower::ptx
