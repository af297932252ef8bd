#include "app/readout/verdict.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "sim/base/numbers.h"
#include "sim/cuda/text/lexer.h"
#include "sim/report/counters.h"
#include "sim/report/output/table.h"
#include "sim/report/report.h"
#include "sim/text/scan.h"

namespace warplens::app {
namespace {

// "32 × 4 = 128 B"
std::string asked_for(const PricedAccess& moment) {
  const int lanes = std::popcount(moment.access.active);
  return std::to_string(lanes) + " × " + std::to_string(moment.access.bytes) + " = " +
         grouped(lanes * moment.access.bytes) + " B";
}

Verdict verdict_of(int units, int ideal) {
  return units > ideal ? Verdict::Costly : Verdict::Ideal;
}

// Why a fetch has more sectors than a load of the same addresses.
FormulaStep texture_groups(const PricedAccess& moment, const language::Strings& strings) {
  const int lanes = memory::texture_group_lanes(moment.access.bytes);
  return {strings("access.groups.texture"),
          std::to_string(memory::kWarpLanes / lanes) + " × " + std::to_string(lanes),
          {}};
}

CostSummary judge_global(const PricedAccess& moment, const language::Strings& strings) {
  const memory::Cost& cost = moment.cost;
  CostSummary j;
  j.verdict = verdict_of(cost.sectors, cost.ideal_sectors);
  j.figure = std::to_string(cost.sectors);
  // Lanes that share an address take turns at an atomic: a sector is passed several times.
  const bool passes = memory::lanes_take_turns(moment.access);
  const std::string key = std::string(passes ? "access.pass." : "access.sector.") +
                          (j.verdict == Verdict::Ideal ? "ideal" : "costly") +
                          (cost.sectors == 1 ? ".one" : "");
  j.words = strings(key, {{"ideal", cost.ideal_sectors}});
  j.steps.push_back({strings("access.lanes_bytes"), asked_for(moment)});
  j.steps.push_back({strings("access.lines"), std::to_string(cost.lines)});
  if (moment.access.texture) j.steps.push_back(texture_groups(moment, strings));
  if (passes) return j;  // turns at one sector move nothing more
  const int used = cost.used_bytes;
  if (cost.bytes > used)
    j.steps.push_back({strings("access.sharing"),
                       grouped(cost.bytes) + " ÷ " + grouped(used) + " = " +
                           fixed(static_cast<double>(cost.bytes) / used, 1),
                       {}});
  return j;
}

// An asynchronous copy whose writes alone would not meet.
bool loses_by_its_pair(const memory::WarpAccess& access) {
  if (access.op != memory::Op::Async) return false;
  memory::WarpAccess store = access;
  store.op = memory::Op::Store;
  const memory::WavefrontCount count = memory::count_wavefronts(store);
  return count.wavefronts == count.least;
}

CostSummary judge_shared(const PricedAccess& moment, const language::Strings& strings) {
  const memory::Cost& cost = moment.cost;
  CostSummary j;
  j.verdict = verdict_of(cost.wavefronts, cost.ideal_wavefronts);
  if (j.verdict == Verdict::Costly) {
    j.figure = strings("access.way", {{"n", moment.plan.degree}});
    j.words = strings(loses_by_its_pair(moment.access) ? "access.conflict.copy" : "access.conflict");
    // Served one group after the other: the degree is of one, the wavefronts are of all.
    const bool by_groups = moment.plan.groups > 1 && !moment.plan.merged;
    const int lanes = moment.plan.lanes_per_group;
    if (by_groups && moment.access.matrix)
      j.words += strings("access.conflict.matrices", {{"n", moment.plan.groups}});
    else if (by_groups && (lanes == 16 || lanes == 8))
      j.words += strings(lanes == 16 ? "access.conflict.half" : "access.conflict.quarter",
                         {{"n", moment.plan.groups}});
  } else {
    j.figure = std::to_string(cost.wavefronts);
    j.words = strings(cost.wavefronts == 1 ? "access.wavefront.ideal.one" : "access.wavefront.ideal");
  }
  const auto& words = moment.plan.words_in_bank;
  const bool atomic = memory::lanes_take_turns(moment.access);
  j.steps.push_back({strings("access.lanes_bytes"), asked_for(moment)});
  if (moment.plan.lanes_per_group < memory::kWarpLanes) {
    j.steps.push_back(
        {strings(moment.access.matrix ? "access.groups.matrix"
                 : moment.plan.merged ? "access.groups.merged"
                                      : "access.groups"),
         std::to_string(moment.plan.groups) + " × " + std::to_string(moment.plan.lanes_per_group)});
  }
  j.steps.push_back({strings(atomic ? "access.fullest_bank.atomic" : "access.fullest_bank"),
                     std::to_string(*std::ranges::max_element(words))});
  j.steps.push_back({strings("access.conflicts", {{"ideal", cost.ideal_wavefronts}}),
                     std::to_string(cost.bank_conflicts),
                     std::string("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_") +
                         report::suffix_of(moment.access.op) + ".sum"});
  return j;
}

// It costs nothing, since it is not made.
CostSummary judge_refused(const PricedAccess& moment, const language::Strings& strings) {
  const int lanes = std::popcount(moment.refused);
  return {Verdict::Costly,
          std::to_string(lanes),
          strings(lanes == 1 ? "access.refused.one" : "access.refused",
                  {{"n", lanes + std::popcount(moment.access.active)}}),
          {}};
}

// Of a declaration that begins there, up to the comma or semicolon that ends it; of one of several lines
// nothing: the source has it.
std::string declarator_at(const std::string& text, std::size_t begin, const std::string& name) {
  // Another text: of a header, of a compiler's module, or edited since.
  if (begin > text.size() || text.compare(begin, name.size(), name) != 0) return {};
  int depth = 0;
  for (std::size_t at = begin; at < text.size() && text[at] != '\n'; ++at) {
    const char c = text[at];
    if (depth == 0 && (c == ',' || c == ';' || c == ')')) return text.substr(begin, at - begin);
    depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
  }
  return {};
}

// Where the variable that is declared at `begin` gets the value that it has at `access`; npos: what changes
// it is not one assignment that every lane passes, as in a loop.
std::size_t last_assignment(const std::string& text, std::size_t begin, std::size_t access,
                            const std::string& name) {
  const std::size_t end = std::min(text.find("\n}", begin), text.size());
  std::size_t last = begin;
  const auto near = [&](std::size_t at, std::size_t length) {
    return std::string_view(text).substr(std::min(at, text.size()), length);
  };
  for (std::size_t at = begin; (at = text.find(name, at + 1)) < end;) {
    const std::size_t before = text.find_last_not_of(" \t\n", at - 1),
                      behind = text.find_first_not_of(" \t\n", at + name.size());
    const char c = text[before];
    if (text::is_word(text[at - 1]) || text::is_word(text[at + name.size()])) continue;
    if (c == '.' || c == '>' || (text::is_word(c) && before + 1 < at))
      continue;  // a member, or declared anew
    const std::string_view next = near(behind, 3), previous = near(before > 0 ? before - 1 : 0, 2);
    const bool adds = next.size() > 1 && next[1] == '=' &&
                      std::string_view("+-*/%&|^").find(next[0]) != std::string_view::npos;
    const auto steps = [](std::string_view sign) { return sign == "++" || sign == "--"; };
    if (steps(next.substr(0, 2)) || steps(previous) || adds || next == "<<=" || next == ">>=" ||
        (c == '&' && before + 1 == at))
      return std::string::npos;
    const auto names = [&, between = text.substr(last, std::max(access, last) - last)](const char* word) {
      return text::names_word(between, word);
    };
    const bool in_loop = names("for") || names("while") || names("do");
    if (!next.starts_with('=') || next.starts_with("==") || (at > access && !in_loop)) continue;
    if (at > access || (c != ';' && c != '{' && c != '}')) return std::string::npos;  // of an if, of a for
    last = at;
  }
  // The braces around it are still open at the access.
  int depth = 0;
  for (std::size_t at = last; at < std::min(access, text.size()); ++at) {
    depth += text[at] == '{' ? 1 : text[at] == '}' ? -1 : 0;
    if (depth < 0) return std::string::npos;
  }
  return last;
}

// As the text defines it, where that holds in every round; or else the value that it has in this one, for the
// lanes at work or else for `lane`. Empty where nobody can say.
std::string definition_of(const Simulation& s, const std::string& source, const sim::Variable& variable,
                          int lane) {
  const auto begin = static_cast<std::size_t>(std::max(0, variable.range.begin.offset)),
             access = static_cast<std::size_t>(std::max(0, s.now->site->range.begin.offset));
  if (declarator_at(source, begin, variable.name).empty()) return {};
  if (const std::size_t at = last_assignment(source, begin, access, variable.name); at != std::string::npos) {
    const std::string text = declarator_at(source, at, variable.name);
    const std::size_t sign = text.find('=');
    if (sign == std::string::npos) return {};  // a parameter
    if (!text::names_word(text.substr(sign), variable.name)) return text;
  }
  const std::string& statement = s.now->site->text;
  if (s.variables == nullptr || variable.is_pointer || statement.find("++") != std::string::npos ||
      statement.find("--") != std::string::npos)
    return {};
  const sim::LaneValues& values =
      (*s.variables)[static_cast<std::size_t>(&variable - s.program().variables.data())];
  memory::LaneMask lanes = s.now->access.active | s.now->refused;
  const auto bits = [&](memory::LaneMask of) { return values.bits[std::countr_zero(of) & 31]; };
  const auto is_one = [&](memory::LaneMask of) {
    bool alike = of != 0 && (of & ~values.known) == 0;
    for (memory::LaneMask rest = of; rest != 0; rest &= rest - 1) alike = alike && bits(rest) == bits(of);
    return alike;
  };
  if (!is_one(lanes)) lanes &= lane < 0 ? 0 : memory::LaneMask{1} << (lane & 31);
  return is_one(lanes) ? variable.name + " = " + value_text(variable.type, bits(lanes)) : "";
}

// Blanks for the comments of the function that `begin` is in: their words are no assignments.
std::string without_comments(const std::string& source, std::size_t begin) {
  const std::string_view read = std::string_view(source).substr(0, source.find("\n}", begin));
  std::string text = source;
  cuda::SpellingArena arena;
  cuda::Lexer lexer(read, arena, true, begin);
  for (cuda::Token token = lexer.next(); token.kind != cuda::TokenKind::End; token = lexer.next())
    if (token.kind == cuda::TokenKind::Comment)
      std::fill(text.begin() + token.begin, text.begin() + token.end, ' ');
  return text;
}

}  // namespace

std::string counter_of(const PricedAccess& moment) {
  const memory::WarpAccess& access = moment.access;
  if (access.space == memory::Space::Shared) return "memory_l1_wavefronts_shared";
  if (access.texture) return "l1tex__t_sectors_pipe_tex_mem_texture.sum";
  if (access.op == memory::Op::Async) return "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts.sum";
  return std::string("l1tex__t_sectors_pipe_lsu_mem_global_op_") + report::suffix_of(access.op) + ".sum";
}

std::vector<std::string> index_definitions(const Simulation& s, const std::string& source, int lane) {
  std::vector<std::string> definitions;
  if (!s.now) return definitions;
  std::vector<const sim::Variable*> in_scope;
  std::size_t first = source.size();
  for (const sim::Variable& v : s.program().variables) {
    const auto at = static_cast<int>(s.now->instr);
    if (at < v.first_instr || at >= v.end_instr) continue;
    std::erase_if(in_scope, [&](const auto* outer) { return outer->name == v.name; });
    in_scope.push_back(&v);
    first = std::min(first, static_cast<std::size_t>(std::max(0, v.range.begin.offset)));
  }
  const std::string text = without_comments(source, first);
  std::string asked = s.now->site->text;
  for (bool found = true; found;) {
    found = false;
    for (const sim::Variable*& variable : in_scope) {
      if (variable == nullptr || !text::names_word(asked, variable->name)) continue;
      const std::string definition = definition_of(s, text, *variable, lane);
      variable = nullptr, found = true;
      if (definition.empty()) continue;
      definitions.push_back(definition);
      asked += " " + definition;
    }
  }
  return definitions;
}

scene::Color verdict_color(const scene::Palette& p, Verdict verdict) {
  const scene::Color of_verdict[] = {p.ideal, p.text, p.costly, p.accent};
  return of_verdict[static_cast<std::size_t>(verdict)];
}

CostSummary judge(const PricedAccess& moment, const language::Strings& strings) {
  if (moment.known != Known::All) return {Verdict::Hidden, "?", {}, {}};
  if (moment.refused != 0) return judge_refused(moment, strings);
  CostSummary j = moment.access.space == memory::Space::Shared ? judge_shared(moment, strings)
                                                               : judge_global(moment, strings);
  const int lanes = std::popcount(moment.access.active);
  if (j.verdict != Verdict::Ideal || lanes == memory::kWarpLanes) return j;
  j.verdict = Verdict::Idle;
  j.words += strings("access.idle", {{"n", lanes}});
  return j;
}

CostSummary judge(const Simulation& s, const language::Strings& strings) {
  using Kind = sim::RunError::Kind;
  const Problem* failed = failure_of(s);
  if (failed == nullptr || s.now->known != Known::All || s.now->refused != 0) return judge(*s.now, strings);
  const char* key = *failed->kind == Kind::OutOfRange         ? "failed.out_of_range"
                    : *failed->kind == Kind::Misaligned       ? "failed.misaligned"
                    : *failed->kind == Kind::DivisionByZero   ? "failed.division"
                    : *failed->kind == Kind::EndlessLoop      ? "failed.endless"
                    : *failed->kind == Kind::DivergentBarrier ? "failed.barrier"
                    : *failed->kind == Kind::Assertion        ? "failed.assertion"
                                                              : "failed.other";
  const bool is_here = failed->at && failed->at->block == s.place.block && failed->at->warp == s.place.warp;
  return {Verdict::Costly, strings(key), is_here ? "" : strings("failed.elsewhere"),
          judge(*s.now, strings).steps};
}

std::string dim_text(const sim::Dim3& of, bool third, const char* between) {
  const std::string two = std::to_string(of.x) + between + std::to_string(of.y);
  return third ? two + between + std::to_string(of.z) : two;
}

const std::string& rung_name(const scenario::Scenario& s, std::string_view language) {
  return scenario::in_language(s.rung_label.empty() ? s.title : s.rung_label, language);
}

std::string op_text(memory::Op op, const language::Strings& strings) {
  return strings(std::string("op.") + report::name_of(op));
}

std::string_view index_trouble(bool is_expression, const Simulation& simulation) {
  if (!is_expression) return "expression.wrong";
  const auto error = std::ranges::find(simulation.problems, cuda::Severity::Error, &Problem::severity);
  if (error == simulation.problems.end()) return {};
  if (error->kind == sim::RunError::Kind::OutOfRange) return "expression.out_of_range";
  if (error->kind == sim::RunError::Kind::DivisionByZero) return "expression.division";
  if (error->kind == sim::RunError::Kind::Race) return "expression.race";
  return "expression.fails";
}

namespace {

constexpr double kAlike = 0.005;  // counts that differ by less are told as the same
constexpr double kInTimes = 1.5;  // from here on "times", below "%"

std::string times_text(double value) {
  return fixed(value, value >= 99.95 ? 0 : value >= 1.095 || value < 0.0995 ? 1 : 2);
}

// A count, or a mean a request.
std::string amount_of(double value) {
  const long long whole = std::llround(value);
  const bool is_whole = value >= 100 || std::abs(value - static_cast<double>(whole)) < 0.005;
  return is_whole ? grouped(whole) : times_text(value);
}

}  // namespace

std::string change_words(double a, double b, const std::string& unit, const language::Strings& strings) {
  if (a == b) return {};
  if (b == 0) return strings("compare.result.none", {{"unit", unit}});
  if (a == 0) return strings("compare.result.only", {{"n", amount_of(b)}, {"unit", unit}});
  const double factor = std::max(a, b) / std::min(a, b);
  if (factor < 1 + kAlike) return {};
  const bool fewer = b < a;
  if (factor >= kInTimes)
    return strings(fewer ? "compare.result.fewer" : "compare.result.more",
                   {{"n", times_text(factor)}, {"unit", unit}});
  const double percent = 100 * std::abs(b - a) / a;
  return strings(
      fewer ? "compare.result.fewer.percent" : "compare.result.more.percent",
      {{"n", percent < 0.95 ? times_text(percent) : std::to_string(std::lround(percent))}, {"unit", unit}});
}

std::string fix_text(const Fix& fix, const Catalog& catalog, const language::Strings& strings) {
  switch (fix.kind) {
    case Fix::Kind::Padding:
      return strings("diagnosis.fix.padding", {{"n", fix.value}});
    case Fix::Kind::BlockShape:
      return strings("diagnosis.fix.block", {{"shape", fix.value}});
    case Fix::Kind::Swapped:
      return strings("diagnosis.fix.swapped");
    case Fix::Kind::Swizzle:
      return strings("diagnosis.fix.swizzle", {{"array", fix.name}});
    case Fix::Kind::Rung:
      break;
  }
  const scenario::Scenario* s = catalog.find(fix.name);
  if (s == nullptr) return fix.name;
  return strings("diagnosis.fix.rung", {{"name", rung_name(*s, strings.language())}});
}

std::string fix_gain(const Fix& fix, const language::Strings& strings) {
  const std::string unit = strings(fix.shared ? "compare.count.wavefronts" : "compare.count.sectors");
  return strings("diagnosis.gain", {{"gain", change_words(fix.before, fix.after, unit, strings)}});
}

}  // namespace warplens::app
