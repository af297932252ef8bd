// Branches, loops and switches of a random kernel.
#include "tests/differential/kernel_maker.h"

namespace warplens::differential {

Piece KernelMaker::branch(int depth) {
  const bool was_uniform = scope_.uniform, uniform = random_.chance(20) && !scope_.in_function;
  const Piece test = uniform ? uniform_condition() : condition(some_level());
  scope_.uniform = was_uniform && uniform;
  Piece n = piece("if (@) {\n@}", {test, block(depth + 1, 1, 3)}, {Feature::If});
  if (random_.chance(45)) n += piece(" else {\n@}", {block(depth + 1, 1, 2)}, {Feature::Else});
  scope_.uniform = was_uniform;
  n.text += "\n";
  return n;
}

// Lanes may leave the loop one by one; `counter` is an int of that level in it.
Piece KernelMaker::loop_body(int depth, const std::string& counter, Level level) {
  const Scope outer = scope_;
  scope_.ints[static_cast<std::size_t>(level)].push_back(counter);
  scope_.uniform = false;
  scope_.in_loop = true;
  scope_.in_switch = false;
  ++loops_;
  Piece body = block(depth + 1, 1, 3);
  --loops_;
  scope_ = outer;
  return loops_ > 0 ? with(std::move(body), {Feature::NestedLoop}) : body;
}

Piece KernelMaker::for_loop(int depth) {
  const std::string j = name("j");
  const Level level = some_level();
  const Piece head = made(named("for (int $`= 0; $ < (@i & 3); ++$`= 3; $ >= max(@i, 0); --$`= 16; $ > (@i & "
                                "15); $ >>= 1`= (@i & 3); $ < 4; $ += 2``)",
                                j),
                          0, level);
  return piece("@ {\n@}\n", {head, loop_body(depth, j, level)}, {Feature::For});
}

// All threads of the block go round together, so that barriers may be in it.
Piece KernelMaker::uniform_for(int depth) {
  if (!scope_.uniform || scope_.in_function) return for_loop(depth);
  const Scope outer = scope_;
  const std::string j = name("j");
  const Piece head = made(named(random_.chance(30) ? "for (int $ = blockDim.x / 2; $ > 0; $ >>= 1)"
                                                   : "for (int $ = 0; $ < `2`3`(n & 3)`min(bx, 2)``; ++$)",
                                j));
  scope_.ints[0].push_back(j);
  scope_.in_loop = false;  // no lane may leave it alone
  scope_.in_switch = false;
  ++loops_;
  Piece body = block(depth + 1, 1, 2);
  body += random_.chance(60) ? with(shared_phase(), {Feature::BarrierInLoop}) : simple_statement();
  --loops_;
  if (loops_ > 0) body.features |= set_of({Feature::NestedLoop});
  scope_ = outer;
  return piece("@ {\n@}\n", {head, body}, {Feature::For});
}

Piece KernelMaker::while_loop(int depth) {
  const std::string q = name("q");
  const Level level = some_level();
  const Piece head =
      made(named("{ int $ = @i & 7; while ($ > 0) {\n$`-= 1`-= 1 + (t & 1)`>>= 1``;\n", q), 0, level);
  return piece("@@} }\n", {head, loop_body(depth, q, level)}, {Feature::While});
}

Piece KernelMaker::do_loop(int depth) {
  const std::string q = name("q");
  const Level level = some_level();
  const Piece head = made(named("{ int $ = @i & 3; do {\n--$;\n", q), 0, level);
  return piece("@@} while (" + q + " > 0); }\n", {head, loop_body(depth, q, level)}, {Feature::DoWhile});
}

Piece KernelMaker::switch_statement(int depth) {
  const Scope outer = scope_;
  const bool uniform = random_.chance(30) && !scope_.in_function;
  Piece n =
      made(std::string("switch (") + (uniform ? "`bx`n`(by + 2)`(bx * 5)``" : "@i") + "`& 3`& 7`% 3``) {\n",
           0, uniform ? Level::Thread : some_level());
  n.features |= set_of({uniform ? Feature::SwitchUniform : Feature::SwitchDivergent});
  scope_.uniform = false;
  scope_.in_switch = true;
  const int count = random_.pick(2, 4), fallback = random_.chance(60) ? random_.pick(0, count) : -1;
  for (int c = 0; c <= count; ++c) {
    if (c == count && c != fallback) break;
    const std::string label = c == fallback ? "default" : "case " + std::to_string(c);
    n += piece(label + ": {\n@}\n", {block(depth + 1, random_.chance(15) ? 0 : 1, 2)});
    if (random_.chance(55))
      n.text += "break;\n";
    else if (c < count)
      n.features |= set_of({Feature::SwitchFallsThrough});
  }
  scope_ = outer;
  n.text += "}\n";
  return fallback >= 0 ? with(std::move(n), {Feature::SwitchDefault}) : n;
}

// Some lanes leave the loop, its round, the switch or the function.
Piece KernelMaker::leave() {
  const auto how = [&](const char* text, Feature feature) {
    return with(made(std::string("if (@C) ") + text), {feature});
  };
  if ((scope_.in_loop || scope_.in_switch) && random_.chance(40)) return how("break;\n", Feature::Break);
  if (scope_.in_loop && random_.chance(60)) return how("continue;\n", Feature::Continue);
  if (scope_.in_function) return how("return @I;\n", Feature::SeveralReturns);
  if (!random_.chance(45)) return simple_statement();
  lanes_left_ = true;
  return how(random_.chance(70) ? "return;\n" : "{ out[t] = sink; return; }\n", Feature::Return);
}

}  // namespace warplens::differential
