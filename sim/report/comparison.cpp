#include "sim/report/comparison.h"

#include <algorithm>

#include "sim/report/fields.h"
#include "sim/report/table.h"

namespace warplens::report {

using nlohmann::ordered_json;

namespace {

std::int64_t difference(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::int64_t>(b - a);
}

std::string signed_text(std::int64_t value) {
  if (value == 0) return "=";
  const std::uint64_t magnitude =
      value < 0 ? ~static_cast<std::uint64_t>(value) + 1 : static_cast<std::uint64_t>(value);
  return (value < 0 ? "-" : "+") + grouped(magnitude);
}

// "16.00x fewer", "2.00x more"; empty where either is nothing or both are the same.
std::string factor(std::uint64_t a, std::uint64_t b) {
  if (a == b || a == 0 || b == 0) return "";
  const double larger = static_cast<double>(std::max(a, b)), smaller = static_cast<double>(std::min(a, b));
  return fixed(larger / smaller, 2) + (b < a ? "x fewer" : "x more");
}

// Calls visit(group, field, a, b) for every field of every group.
template <typename Visit>
void for_each_count(const Report& a, const Report& b, Visit visit) {
  for (const GroupName& group : all_groups()) {
    for (const CountField& field : group_fields(group.space)) {
      visit(group, field, a.group(group.space, group.op).*field.value,
            b.group(group.space, group.op).*field.value);
    }
  }
}

}  // namespace

ordered_json comparison_json(const Report& a, const Report& b) {
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
  return json;
}

std::string comparison_csv(const Report& a, const Report& b) {
  std::string csv = "space,op,count,a,b,difference\r\n";
  for_each_count(
      a, b, [&](const GroupName& group, const CountField& field, std::uint64_t in_a, std::uint64_t in_b) {
        csv += std::string(name_of(group.space)) + "," + name_of(group.op) + "," + field.name + "," +
               std::to_string(in_a) + "," + std::to_string(in_b) + "," +
               std::to_string(difference(in_a, in_b)) + "\r\n";
      });
  return csv;
}

std::string comparison_text(const Report& a, const Report& b) {
  Table table({Side::Left, Side::Right, Side::Right, Side::Right, Side::Left});
  table.add({"", "A", "B", "B - A", ""});
  for_each_count(
      a, b, [&](const GroupName& group, const CountField& field, std::uint64_t in_a, std::uint64_t in_b) {
        if (in_a == 0 && in_b == 0) return;
        table.add({std::string(name_of(group.space)) + " " + name_of(group.op) + " " + field.name,
                   grouped(in_a), grouped(in_b), signed_text(difference(in_a, in_b)), factor(in_a, in_b)});
      });
  table.add({"barriers", grouped(a.barriers), grouped(b.barriers),
             signed_text(difference(a.barriers, b.barriers)), factor(a.barriers, b.barriers)});
  return "A: " + report_text(a) + "\nB: " + report_text(b) + "\n" + table.text();
}

}  // namespace warplens::report
