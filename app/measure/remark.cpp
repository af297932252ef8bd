#include "app/measure/remark.h"

#include <cmath>
#include <optional>

#include "kernels/protocol/measurement.h"
#include "sim/base/numbers.h"

namespace warplens::measure {

std::string in_words(const Remark& remark, const std::function<std::string(std::string_view)>& text_of) {
  const std::string text = text_of(remark.key);
  std::string words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text[at] == '{' ? text.find('}', at) : std::string::npos;
    const auto value = end == std::string::npos ? remark.values.end()
                                                : remark.values.find(text.substr(at + 1, end - at - 1));
    if (value == remark.values.end()) {
      words += text[at++];
      continue;
    }
    words += value->second;
    at = end + 1;
  }
  return words;
}

Remark wrong_result(const Measurement& m) {
  return {"result.wrong",
          {{"buffer", m.check.buffer},
           {"element", std::to_string(m.check.element)},
           {"got", m.check.got},
           {"expected", m.check.expected},
           {"differing", grouped_number(static_cast<double>(m.check.differing))},
           {"compared", grouped_number(static_cast<double>(m.check.compared))}}};
}

std::string grouped_number(double value) {
  const bool whole = value == std::floor(value) && std::abs(value) < 1e15;
  return grouped_text(fixed(value, whole ? 0 : 2));
}

namespace {

std::optional<double> value_of(const Measurement& m, const std::string& name) {
  const auto found = m.counters.values.find(name);
  if (found == m.counters.values.end()) return std::nullopt;
  return found->second;
}

// The first of several counters that say the same and that both measurements have.
struct TimedPair {
  double before = 0, after = 0;
};
std::optional<TimedPair> pair_of(const Measurement& a, const Measurement& b,
                                 const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const auto before = value_of(a, name), after = value_of(b, name);
    if (before && after) return TimedPair{*before, *after};
  }
  return std::nullopt;
}

// Shared loads ("ld") or stores ("st") that were executed. Instrumented machine code counts what the program
// does. The hardware's own counters also see a warp that diverged at a boundary issue an instruction twice, a
// few in 50,000 and differently in each run.
std::optional<TimedPair> instructions(const Measurement& a, const Measurement& b, const std::string& kind) {
  const std::string op = "op_shared_" + kind;
  return pair_of(a, b,
                 {"smsp__sass_inst_executed_" + op + ".sum", "smsp__inst_executed_" + op + "_pred_on_any.sum",
                  "smsp__inst_executed_" + op + ".sum"});
}

void tell_pair(const char* key, const TimedPair& pair, std::vector<Remark>& remarks) {
  remarks.push_back({key, {{"before", grouped_number(pair.before)}, {"after", grouped_number(pair.after)}}});
}

// Loads and stores together. Only exact counters count: the pipe's own also see arbitration with other
// traffic and differ a little between two runs of one program.
void tell_wavefronts(const Measurement& a, const Measurement& b, std::vector<Remark>& remarks) {
  const std::string name = "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum";
  if (const auto exact = pair_of(a, b, {name})) {
    if (exact->before != exact->after) tell_pair("difference.wavefronts", *exact, remarks);
    return;
  }
  TimedPair sum;
  for (const char* kind : {"ld", "st"})
    if (const auto pair =
            pair_of(a, b, {std::string("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_") + kind + ".sum"})) {
      sum.before += pair->before;
      sum.after += pair->after;
    }
  constexpr double kArbitration = 0.1;
  if (std::abs(sum.after - sum.before) > kArbitration * sum.before)
    tell_pair("difference.wavefronts", sum, remarks);
}

void tell_global(const Measurement& a, const Measurement& b, std::vector<Remark>& remarks) {
  TimedPair sum;
  for (const char* op : {"ld", "st", "atom", "red"})
    if (const auto pair =
            pair_of(a, b, {std::string("l1tex__t_requests_pipe_lsu_mem_global_op_") + op + ".sum"})) {
      sum.before += pair->before;
      sum.after += pair->after;
    }
  if (sum.before != sum.after) tell_pair("difference.global", sum, remarks);
}

// "4 LDS, 2 STS"
std::string shared_code(const Measurement& m) {
  std::string words;
  for (const auto& [opcode, count] : m.machine_code)
    for (const char* base : {"LDS", "STS", "ATOMS"})
      if (opcode == base || opcode.rfind(std::string(base) + ".", 0) == 0)
        words += (words.empty() ? "" : ", ") + std::to_string(count) + " " + opcode;
  return words;
}

std::string microseconds(double seconds) {
  return fixed(seconds * 1e6, 2);
}

void tell_time(const Measurement& a, const Measurement& b, std::vector<Remark>& remarks) {
  const double before = a.cold.median, after = b.cold.median;
  if (before <= 0 || after <= 0 || !a.is_valid() || !b.is_valid()) return;  // a wrong result has no time
  std::map<std::string, std::string> values{{"before", microseconds(before)}, {"after", microseconds(after)}};
  const double noise = std::max(a.cold.spread * before, b.cold.spread * after);
  if (std::abs(before - after) <= noise) return remarks.push_back({"difference.same_time", values});
  if (after > before) return remarks.push_back({"difference.slower", values});
  values["ratio"] = fixed(before / after, 2);
  remarks.push_back({"difference.faster", values});
}

void tell_code(const Measurement& a, const Measurement& b, std::vector<Remark>& remarks) {
  if (a.registers != b.registers && a.registers > 0 && b.registers > 0)
    tell_pair("difference.registers", {static_cast<double>(a.registers), static_cast<double>(b.registers)},
              remarks);
  const std::string before = shared_code(a), after = shared_code(b);
  if (before != after && !before.empty() && !b.machine_code.empty())
    remarks.push_back({"difference.code", {{"before", before}, {"after", after.empty() ? "0" : after}}});
}

}  // namespace

bool same_but_mode(const Measurement& a, const Measurement& b) {
  Subject x = a.subject, y = b.subject;
  x.mode = y.mode = CompileMode::AsWritten;
  return hash_of(x) == hash_of(y) && key_of(x) == key_of(y);
}

std::vector<Remark> mode_difference(const Measurement& a, const Measurement& b) {
  std::vector<Remark> remarks;
  if (!same_but_mode(a, b)) return remarks;
  if (a.subject.mode == b.subject.mode) return {{"difference.same_program", {}}};
  const auto loads = instructions(a, b, "ld"), stores = instructions(a, b, "st");
  if (!loads || !stores) {
    remarks.push_back({"difference.no_counters", {}});
  } else {
    if (loads->before != loads->after) tell_pair("difference.loads", *loads, remarks);
    if (stores->before != stores->after) tell_pair("difference.stores", *stores, remarks);
    if (remarks.empty() && loads->before + stores->before > 0)  // instrumented, ldmatrix is neither
      remarks.push_back(
          {"difference.equal",
           {{"loads", grouped_number(loads->before)}, {"stores", grouped_number(stores->before)}}});
    tell_wavefronts(a, b, remarks);
    tell_global(a, b, remarks);
  }
  tell_code(a, b, remarks);
  tell_time(a, b, remarks);
  return remarks;
}

}  // namespace warplens::measure
