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

// Loads or stores: how they are called in counters, machine code and languages.
struct Kind {
  const char* counter;  // "ld"
  const char* opcode;   // "LDS"
  const char* key;      // "loads"
};
constexpr Kind kLoads{"ld", "LDS", "loads"}, kStores{"st", "STS", "stores"};

std::optional<TimedPair> instructions(const Measurement& a, const Measurement& b, const Kind& kind) {
  const std::string op = std::string("op_shared_") + kind.counter;
  // Instrumented machine code counts what the program does. The hardware's own counters also see a warp that
  // diverged at a boundary issue an instruction twice, a few in 50,000 and differently in each run.
  return pair_of(a, b,
                 {"smsp__sass_inst_executed_" + op + ".sum", "smsp__inst_executed_" + op + "_pred_on_any.sum",
                  "smsp__inst_executed_" + op + ".sum"});
}

std::optional<TimedPair> bytes(const Measurement& a, const Measurement& b, const Kind& kind) {
  return pair_of(a, b, {std::string("smsp__sass_data_bytes_mem_shared_op_") + kind.counter + ".sum"});
}

// The widest access of this kind in the machine code, in bytes; 0: unknown, or none.
int widest(const Measurement& m, const Kind& kind) {
  int most = 0;
  for (const auto& [opcode, count] : m.machine_code) {
    const std::string base = kind.opcode;
    if (opcode != base && opcode.rfind(base + ".", 0) != 0) continue;
    const int width = opcode.find(".128") != std::string::npos  ? 16
                      : opcode.find(".64") != std::string::npos ? 8
                      : opcode.find("16") != std::string::npos  ? 2
                      : opcode.find('8') != std::string::npos   ? 1
                                                                : 4;
    most = std::max(most, width);
  }
  return most;
}

Remark remark(const Kind& kind, const char* what, std::map<std::string, std::string> values) {
  return {std::string("difference.") + kind.key + "." + what, std::move(values)};
}

// `merged` accesses of `n` instructions became fewer, `group` of them one.
Remark merged(const Kind& kind, const TimedPair& n, double part, int group, int width) {
  std::map<std::string, std::string> values{{"count", std::to_string(group)},
                                            {"bytes", std::to_string(width)},
                                            {"before", grouped_number(n.before)},
                                            {"after", grouped_number(n.after)}};
  if (part >= n.before) return remark(kind, "merged", std::move(values));
  values["part"] = grouped_number(part);
  return remark(kind, "merged_some", std::move(values));
}

bool is_whole(double value) {
  return std::abs(value - std::round(value)) < 1e-6 * std::max(1.0, std::abs(value));
}

// Only merging happened: which one? The machine code says the width; without it a whole ratio does.
Remark merging(const Measurement& a, const Measurement& b, const Kind& kind, const TimedPair& n) {
  const int from = widest(a, kind), to = widest(b, kind);
  if (from > 0 && to > from) {
    const int group = to / from;
    const double part = (n.before - n.after) * group / (group - 1);
    if (is_whole(part) && part <= n.before) return merged(kind, n, part, group, to);
  }
  const double ratio = n.after > 0 ? n.before / n.after : 0;
  const int width = from > 0 ? from : 4;
  if ((from == 0 || to == 0) && (ratio == 2 || ratio == 4))
    return merged(kind, n, n.before, static_cast<int>(ratio), static_cast<int>(ratio) * width);
  return remark(kind, "merged_average",
                {{"before", grouped_number(n.before)}, {"after", grouped_number(n.after)}});
}

Remark dropping(const Kind& kind, const TimedPair& n, double dropped) {
  return remark(kind, "dropped",
                {{"count", grouped_number(std::round(dropped))}, {"before", grouped_number(n.before)}});
}

// Fewer were executed. Bytes that went with them were dropped, bytes that stayed were merged.
void tell_fewer(const Measurement& a, const Measurement& b, const Kind& kind, const TimedPair& n,
                std::vector<Remark>& remarks) {
  if (const auto asked = bytes(a, b, kind); asked && asked->before > 0) {
    const double lost = 1 - asked->after / asked->before;
    const double dropped = std::round(n.before * std::max(0.0, lost));
    const TimedPair kept{n.before - dropped, n.after};
    if (kept.after < kept.before) remarks.push_back(merging(a, b, kind, kept));
    if (dropped > 0) remarks.push_back(dropping(kind, n, dropped));
    return;
  }
  const int from = widest(a, kind), to = widest(b, kind);
  if (from > 0 && to > from) return remarks.push_back(merging(a, b, kind, n));
  if (from > 0 && (to == from || n.after == 0))
    return remarks.push_back(dropping(kind, n, n.before - n.after));
  if (n.after == 0) return remarks.push_back(dropping(kind, n, n.before));
  remarks.push_back(
      remark(kind, "fewer", {{"before", grouped_number(n.before)}, {"after", grouped_number(n.after)}}));
}

void tell_instructions(const Measurement& a, const Measurement& b, const Kind& kind, const TimedPair& n,
                       std::vector<Remark>& remarks) {
  if (n.after < n.before) return tell_fewer(a, b, kind, n, remarks);
  if (n.after > n.before)
    remarks.push_back(
        remark(kind, "more", {{"before", grouped_number(n.before)}, {"after", grouped_number(n.after)}}));
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
  for (const Kind& kind : {kLoads, kStores})
    if (const auto pair = pair_of(
            a, b, {std::string("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_") + kind.counter + ".sum"})) {
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
  const auto loads = instructions(a, b, kLoads), stores = instructions(a, b, kStores);
  if (!loads || !stores) {
    remarks.push_back({"difference.no_counters", {}});
  } else {
    tell_instructions(a, b, kLoads, *loads, remarks);
    tell_instructions(a, b, kStores, *stores, remarks);
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
