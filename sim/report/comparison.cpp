#include "sim/report/comparison.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/report/output/table.h"
#include "sim/report/report.h"

namespace warplens::report {

using nlohmann::ordered_json;

namespace {

std::int64_t difference(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::int64_t>(b - a);
}

// "16.00x fewer", "2.00x more"; empty where either is nothing or both are the same.
std::string factor(std::uint64_t a, std::uint64_t b) {
  if (a == b || a == 0 || b == 0) return "";
  const double larger = static_cast<double>(std::max(a, b)), smaller = static_cast<double>(std::min(a, b));
  return fixed(larger / smaller, 2) + (b < a ? "x fewer" : "x more");
}

// Calls visit(group, field, a, b) for every field of every group.
template <typename Visit>
void for_each_count(const GridCounts& a, const GridCounts& b, Visit visit) {
  for (const GroupName& group : all_groups()) {
    for (const CountField& field : group_fields(group.space, group.op)) {
      visit(group, field, a.group(group.space, group.op).*field.value,
            b.group(group.space, group.op).*field.value);
    }
  }
}

std::string exact(double value) {
  return nlohmann::json(value).dump();
}

}  // namespace

std::vector<ComparedCount> compared_counts(const GridCounts& a, const GridCounts& b) {
  std::vector<ComparedCount> counts;
  for_each_count(
      a, b, [&](const GroupName& group, const CountField& field, std::uint64_t in_a, std::uint64_t in_b) {
        if (in_a != 0 || in_b != 0) counts.push_back({group.space, group.op, field.name, in_a, in_b});
      });
  counts.push_back({memory::Space::Global, memory::Op::Load, "barriers", a.barriers, b.barriers});
  return counts;
}

std::string difference_text(std::uint64_t a, std::uint64_t b) {
  if (a == b) return "=";
  return b < a ? "-" + grouped(a - b) : "+" + grouped(b - a);
}

ordered_json comparison_json(const Report& a, const Report& b, const ComparedTimes& times) {
  ordered_json json;
  json["schema"] = "warplens.comparison/1";
  json["a"] = report_json(a);
  json["b"] = report_json(b);
  json["differences"] = ordered_json::object();
  for_each_count(
      a, b, [&](const GroupName& group, const CountField& field, std::uint64_t in_a, std::uint64_t in_b) {
        json["differences"][name_of(group.space)][name_of(group.op)][field.name] = difference(in_a, in_b);
      });
  json["differences"]["barriers"] = difference(a.barriers, b.barriers);
  if (times.a || times.b) {
    json["seconds"]["of"] = times.label;
    if (times.a) json["seconds"]["a"] = *times.a;
    if (times.b) json["seconds"]["b"] = *times.b;
  }
  return json;
}

std::string comparison_csv(const Report& a, const Report& b, const ComparedTimes& times) {
  std::string csv = "space,op,count,a,b,difference\r\n";
  for_each_count(
      a, b, [&](const GroupName& group, const CountField& field, std::uint64_t in_a, std::uint64_t in_b) {
        csv += csv_row({name_of(group.space), name_of(group.op), field.name, std::to_string(in_a),
                        std::to_string(in_b), std::to_string(difference(in_a, in_b))});
      });
  if (times.a && times.b) {
    csv += csv_row({"time", "", "seconds", exact(*times.a), exact(*times.b), exact(*times.b - *times.a)});
  }
  return csv;
}

std::string comparison_text(const Report& a, const Report& b, const ComparedTimes& times) {
  Table table({Side::Left, Side::Right, Side::Right, Side::Right, Side::Left});
  table.add({"", "A", "B", "B - A", ""});
  for (const ComparedCount& count : compared_counts(a, b)) {
    const bool of_a_space = count.count != "barriers";
    const std::string label =
        of_a_space ? std::string(name_of(count.space)) + " " + name_of(count.op) + " " + count.count
                   : count.count;
    table.add({label, grouped(count.a), grouped(count.b), difference_text(count.a, count.b),
               factor(count.a, count.b)});
  }
  if (times.a || times.b) {
    const auto text = [](const std::optional<double>& seconds) {
      return seconds ? fixed(1e6 * *seconds, 1) + " us" : std::string("-");
    };
    std::string change;
    if (times.a && times.b && *times.a > 0) {
      change = fixed(100 * (*times.b / *times.a - 1), 0) + " %";
      if (*times.b > *times.a) change.insert(0, "+");
    }
    table.add({"time (" + times.label + ")", text(times.a), text(times.b), change, ""});
  }
  return "A: " + report_text(a) + "\nB: " + report_text(b) + "\n" + table.text();
}

namespace {

struct LineSums {
  std::uint64_t requests = 0;
  std::size_t sites = 0;
  int width = 0;  // the widest access, in bytes a lane
};

std::map<int, LineSums> sums_of(const sim::Program& program, const sim::Totals& totals) {
  std::map<int, LineSums> lines;
  for (const auto* of_space : {&totals.global_sites, &totals.shared_sites}) {
    for (std::size_t i = 0; i < of_space->size(); ++i) {
      const sim::AccessSite& site = program.sites[i];
      if ((*of_space)[i].requests == 0) continue;
      LineSums& sums = lines[site.range.begin.line];
      sums.requests += (*of_space)[i].requests;
      ++sums.sites;
      sums.width = std::max(sums.width, site.bytes);
    }
  }
  return lines;
}

std::optional<Became> became(const LineSums& written, const LineSums& compiled) {
  if (compiled.requests > written.requests) return Became::Split;
  if (compiled.requests == written.requests)
    return compiled.sites > written.sites ? std::optional(Became::Unrolled) : std::nullopt;
  if (compiled.width > written.width) return Became::Merged;
  return compiled.sites < written.sites ? Became::Dropped : Became::Hoisted;
}

}  // namespace

std::map<int, Became> became_of(const sim::Program& written, const sim::Totals& counted_written,
                                const sim::Program& compiled, const sim::Totals& counted_compiled) {
  constexpr int kNear = 3;  // lines of a statement
  const std::map<int, LineSums> before = sums_of(written, counted_written),
                                after = sums_of(compiled, counted_compiled);
  std::map<int, Became> out;
  for (const auto& [line, sums] : before) {
    if (const auto left = after.find(line); left != after.end()) {
      if (const auto what = became(sums, left->second)) out[line] = *what;
      continue;
    }
    bool is_elsewhere = false;
    for (auto near = after.lower_bound(line - kNear); near != after.end() && near->first <= line + kNear;
         ++near)
      is_elsewhere |= !before.contains(near->first);
    if (!is_elsewhere) out[line] = Became::Dropped;
  }
  return out;
}

}  // namespace warplens::report
