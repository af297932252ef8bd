// Branches, loops and switches of a random kernel.
#include "tests/differential/kernel_maker.h"

namespace warplens::differential {

Node KernelMaker::branch(int depth) {
  const bool was_uniform = scope_.uniform, uniform = random_.chance(20) && !scope_.in_function;
  Node test = uniform ? uniform_condition() : condition(some_level());
  scope_.uniform = was_uniform && uniform;
  Node yes = block(depth + 1, 1, 3);
  Node n;
  if (random_.chance(45)) {
    Node no = block(depth + 1, 1, 2);
    n = with(
        node(Kind::Statement, "if (@) {\n@} else {\n@}\n", std::move(test), std::move(yes), std::move(no)),
        {Feature::If, Feature::Else});
  } else {
    n = with(node(Kind::Statement, "if (@) {\n@}\n", std::move(test), std::move(yes)), {Feature::If});
  }
  scope_.uniform = was_uniform;
  return n;
}

// Lanes may leave the loop one by one.
Node KernelMaker::loop_body(int depth) {
  const Scope outer = scope_;
  scope_.uniform = false;
  scope_.in_loop = true;
  scope_.in_switch = false;
  ++loops_;
  Node body = block(depth + 1, 1, 3);
  --loops_;
  scope_ = outer;
  if (loops_ > 0) body.features |= set_of({Feature::NestedLoop});
  return body;
}

Node KernelMaker::for_loop(int depth) {
  const std::string j = name("j");
  const Scope outer = scope_;
  const Level level = some_level();
  std::string text = "for (int " + j;
  switch (random_.pick(0, 3)) {
    case 0:
      text += " = 0; " + j + " < (@ & 3); ++" + j;
      break;
    case 1:
      text += " = 3; " + j + " >= max(@, 0); --" + j;
      break;
    case 2:
      text += " = 16; " + j + " > (@ & 15); " + j + " >>= 1";
      break;
    default:
      text += " = (@ & 3); " + j + " < 4; " + j + " += 2";
  }
  Node bound = integer(1, level);
  scope_.ints[static_cast<std::size_t>(level)].push_back(j);
  Node body = loop_body(depth);
  scope_ = outer;
  return with(node(Kind::Statement, text + ") {\n@}\n", std::move(bound), std::move(body)), {Feature::For});
}

// All threads of the block go round together, so that barriers may be in it.
Node KernelMaker::uniform_for(int depth) {
  if (!scope_.uniform || scope_.in_function) return for_loop(depth);
  const Scope outer = scope_;
  const std::string j = name("j");
  const std::string text =
      random_.chance(30)
          ? "for (int " + j + " = blockDim.x / 2; " + j + " > 0; " + j + " >>= 1) {\n@@}\n"
          : "for (int " + j + " = 0; " + j + " < " + random_.one_of({"2", "3", "(n & 3)", "min(bx, 2)"}) +
                "; ++" + j + ") {\n@@}\n";
  scope_.ints[0].push_back(j);
  scope_.in_loop = false;  // no lane may leave it alone
  scope_.in_switch = false;
  ++loops_;
  Node body = block(depth + 1, 1, 2);
  Node phase = random_.chance(60) ? with(shared_phase(), {Feature::BarrierInLoop}) : simple_statement();
  --loops_;
  if (loops_ > 0) body.features |= set_of({Feature::NestedLoop});
  scope_ = outer;
  return with(node(Kind::Statement, text, std::move(body), std::move(phase)), {Feature::For});
}

Node KernelMaker::while_loop(int depth) {
  const std::string w = name("q");
  const Scope outer = scope_;
  const Level level = some_level();
  Node from = integer(1, level);
  scope_.ints[static_cast<std::size_t>(level)].push_back(w);
  Node body = loop_body(depth);
  scope_ = outer;
  return with(node(Kind::Statement,
                   "{ int " + w + " = @ & 7; while (" + w + " > 0) {\n" + w +
                       random_.one_of({" -= 1", " -= 1 + (t & 1)", " >>= 1"}) + ";\n@} }\n",
                   std::move(from), std::move(body)),
              {Feature::While});
}

Node KernelMaker::do_loop(int depth) {
  const std::string w = name("q");
  const Scope outer = scope_;
  const Level level = some_level();
  Node from = integer(1, level);
  scope_.ints[static_cast<std::size_t>(level)].push_back(w);
  Node body = loop_body(depth);
  scope_ = outer;
  return with(
      node(Kind::Statement, "{ int " + w + " = @ & 3; do {\n--" + w + ";\n@} while (" + w + " > 0); }\n",
           std::move(from), std::move(body)),
      {Feature::DoWhile});
}

Node KernelMaker::switch_statement(int depth) {
  const Scope outer = scope_;
  const bool uniform = random_.chance(30) && !scope_.in_function;
  const Level level = some_level();
  const std::string mask = random_.one_of({" & 3", " & 7", " % 3"});
  Node value =
      uniform ? node(Kind::Int, random_.one_of({"bx", "n", "(by + 2)", "(bx * 5)"})) : integer(1, level);
  scope_.uniform = false;
  scope_.in_switch = true;
  Node cases;
  cases.kind = Kind::Block;
  const int count = random_.pick(2, 4), fallback = random_.chance(60) ? random_.pick(0, count) : -1;
  bool falls = false;
  for (int c = 0; c <= count; ++c) {
    if (c == count && c != fallback) break;
    const std::string label = c == fallback ? "default" : "case " + std::to_string(c);
    Node body = block(depth + 1, random_.chance(15) ? 0 : 1, 2);
    Node one = node(Kind::Statement, label + ": {\n@}\n@", std::move(body),
                    node(Kind::Statement, random_.chance(55) ? "break;\n" : ""));
    falls |= one.parts[1].text.empty() && c < count;
    cases.parts.push_back(std::move(one));
  }
  scope_ = outer;
  Node n = with(node(Kind::Statement, "switch (@" + mask + ") {\n@}\n", std::move(value), std::move(cases)),
                {uniform ? Feature::SwitchUniform : Feature::SwitchDivergent});
  if (falls) n.features |= set_of({Feature::SwitchFallsThrough});
  if (fallback >= 0) n.features |= set_of({Feature::SwitchDefault});
  return n;
}

// Some lanes leave the loop, its round, the switch or the function.
Node KernelMaker::leave() {
  const Level level = some_level();
  const auto how = [&](const char* text, Feature feature) {
    return with(node(Kind::Statement, std::string("if (@) ") + text, condition(1, level)), {feature});
  };
  if ((scope_.in_loop || scope_.in_switch) && random_.chance(40)) return how("break;\n", Feature::Break);
  if (scope_.in_loop && random_.chance(60)) return how("continue;\n", Feature::Continue);
  if (scope_.in_function) {
    return with(node(Kind::Statement, "if (@) return @;\n", condition(1, level), integer(1, level)),
                {Feature::SeveralReturns});
  }
  if (!random_.chance(45)) return simple_statement();
  lanes_left_ = true;
  return how(random_.chance(70) ? "return;\n" : "{ out[t] = sink; return; }\n", Feature::Return);
}

}  // namespace warplens::differential
