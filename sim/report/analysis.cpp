#include "sim/report/analysis.h"

#include <nlohmann/json.hpp>

#include "sim/report/csv.h"
#include "sim/report/report.h"
#include "sim/report/table.h"

namespace warplens::report {

using memory::Op;
using memory::Space;
using nlohmann::ordered_json;
using scenario::JsonValue;

namespace {

constexpr memory::Address kMaxAddress = memory::Address{1} << 62;

void read_space_and_op(const JsonValue& request, memory::WarpAccess& access) {
  const std::string space = request.text("space");
  const std::string op = request.text("op");
  if (space == "shared") {
    access.space = Space::Shared;
  } else if (space != "global" && !space.empty()) {
    request.error("space", Message("is \"{}\"; \"global\" or \"shared\" is needed", space));
  }
  bool known = false;
  for (const Op candidate : {Op::Load, Op::Store, Op::Atomic, Op::Reduction}) {
    if (op != name_of(candidate)) continue;
    access.op = candidate;
    known = true;
  }
  if (!known && !op.empty()) {
    request.error("op", Message("is \"{}\"; \"load\", \"store\", \"atomic\" or \"reduction\" is needed", op));
  }
}

void read_addresses(const JsonValue& request, memory::WarpAccess& access) {
  access.active = 0;
  const scenario::JsonList lanes = request.list("addresses");
  if (lanes.size() > memory::kWarpLanes) {
    request.error("addresses", Message("has {} entries; a warp has 32 lanes", lanes.size()));
    return;
  }
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    const JsonValue value = lanes[lane];
    const auto& json = value.json();
    if (json.is_null()) continue;
    if (!json.is_number_unsigned() || json.get<std::uint64_t>() > kMaxAddress) {
      value.error(Message("must be an address in bytes, from 0 to 2^62, or null for an inactive lane"));
      continue;
    }
    access.active |= memory::LaneMask{1} << lane;
    access.addresses[lane] = json.get<memory::Address>();
  }
}

// Of a shared atomic of 4 bytes only.
void read_increments(const JsonValue& request, memory::WarpAccess& access) {
  if (!request.has("increments")) return;
  const auto& given = request.json().at("increments");
  if (!given.is_boolean()) return request.error("increments", Message("must be true or false"));
  access.increments = given.get<bool>();
  const bool atomic = access.op == Op::Atomic || access.op == Op::Reduction;
  if (access.increments && !(atomic && access.space == Space::Shared && access.bytes == 4))
    request.error("increments",
                  Message("is for shared atomics of 4 bytes: atomicAdd(p, 1) whose old value is not read"));
}

memory::WarpAccess read_access(const JsonValue& request) {
  memory::WarpAccess access;
  if (!request.is_object()) return access;
  read_space_and_op(request, access);
  const std::int64_t bytes = request.integer("bytes");
  if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8 && bytes != 16) {
    if (request.has("bytes")) request.error("bytes", Message("{} is no width; 1, 2, 4, 8 and 16 are", bytes));
    return access;
  }
  access.bytes = static_cast<int>(bytes);
  read_increments(request, access);
  read_addresses(request, access);
  const int lane = memory::misaligned_lane(access);
  if (lane >= 0) {
    request.error("addresses[" + std::to_string(lane) + "]",
                  Message("lane {} is misaligned: {} is no multiple of the {} bytes it accesses", lane,
                          access.addresses[lane], bytes));
  }
  return access;
}

std::vector<std::pair<const char*, int>> fields_of(Space space, const memory::Cost& cost) {
  if (space == Space::Global) {
    return {
        {"requests", cost.requests}, {"sectors", cost.sectors}, {"lines", cost.lines}, {"bytes", cost.bytes}};
  }
  return {{"requests", cost.requests},
          {"wavefronts", cost.wavefronts},
          {"bank_conflicts", cost.bank_conflicts},
          {"bytes", cost.bytes}};
}

}  // namespace

scenario::Outcome<Analysis> analyze(scenario::JsonDocument& document) {
  if (!document.ok()) return {{}, document.errors()};
  const JsonValue root = document.root();
  Analysis analysis;
  if (root.is_object() && (!root.has("schema") || document.has_schema("requests"))) {
    for (const JsonValue& request : root.list("requests")) {
      const memory::WarpAccess access = read_access(request);
      if (document.is_full()) break;
      if (!document.ok()) continue;
      analysis.accesses.push_back(access);
      analysis.costs.push_back(memory::cost(analysis.accesses.back()));
    }
  }
  if (!document.ok()) return {{}, document.errors()};
  return {std::move(analysis), {}};
}

ordered_json analysis_json(const Analysis& analysis, Budget& budget) {
  Pace pace(budget, Stage::Writing);
  ordered_json json;
  json["schema"] = "warplens.analysis/1";
  json["results"] = ordered_json::array();
  for (std::size_t i = 0; i < analysis.costs.size(); ++i) {
    pace.step();
    ordered_json result;
    for (const auto& [name, value] : fields_of(analysis.accesses[i].space, analysis.costs[i]))
      result[name] = value;
    json["results"].push_back(std::move(result));
  }
  return json;
}

std::string analysis_csv(const Analysis& analysis, Budget& budget) {
  Pace pace(budget, Stage::Writing);
  std::string csv =
      "index,space,op,bytes_per_lane,requests,bytes,sectors,lines,wavefronts,bank_conflicts\r\n";
  for (std::size_t i = 0; i < analysis.costs.size(); ++i) {
    pace.step();
    const memory::WarpAccess& access = analysis.accesses[i];
    const memory::Cost& cost = analysis.costs[i];
    const bool global = access.space == Space::Global;
    const auto of_space = [&](bool there, int value) {
      return there ? std::to_string(value) : std::string();
    };
    csv += csv_row({std::to_string(i), name_of(access.space), name_of(access.op),
                    std::to_string(access.bytes), std::to_string(cost.requests), std::to_string(cost.bytes),
                    of_space(global, cost.sectors), of_space(global, cost.lines),
                    of_space(!global, cost.wavefronts), of_space(!global, cost.bank_conflicts)});
  }
  return csv;
}

std::string analysis_text(const Analysis& analysis, Budget& budget) {
  Pace pace(budget, Stage::Writing);
  Table table({Side::Right, Side::Left, Side::Right, Side::Left, Side::Right, Side::Left});
  for (std::size_t i = 0; i < analysis.costs.size(); ++i) {
    pace.step();
    const memory::WarpAccess& access = analysis.accesses[i];
    const memory::Cost& cost = analysis.costs[i];
    const bool global = access.space == Space::Global;
    table.add({std::to_string(i),
               std::string(name_of(access.space)) + " " + name_of(access.op) + ", " +
                   std::to_string(access.bytes) + " B",
               std::to_string(global ? cost.sectors : cost.wavefronts), global ? "sectors" : "wavefronts",
               std::to_string(global ? cost.lines : cost.bank_conflicts), global ? "lines" : "conflicts"});
  }
  return table.text("", budget);
}

}  // namespace warplens::report
