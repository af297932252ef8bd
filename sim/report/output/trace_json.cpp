#include <nlohmann/json.hpp>

#include "sim/base/numbers.h"
#include "sim/memory/banks.h"
#include "sim/memory/coalescing.h"
#include "sim/memory/cost.h"
#include "sim/report/report.h"

namespace warplens::report {

using nlohmann::ordered_json;

namespace {

std::string one_line(const ordered_json& json) {
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

ordered_json per_lane(memory::LaneMask active, const auto& value_of) {
  ordered_json lanes = ordered_json::array();
  for (int lane = 0; lane < memory::kWarpLanes; ++lane) {
    lanes.push_back((active >> lane & 1) != 0 ? ordered_json(value_of(lane)) : ordered_json());
  }
  return lanes;
}

void add_global(const memory::WarpAccess& access, memory::Address base, ordered_json& line) {
  const memory::Cost cost = memory::cost(access);
  line["sectors"] = cost.sectors;
  if (access.op == memory::Op::Async) line["load_sectors"] = cost.load_sectors;
  line["ideal_sectors"] = cost.ideal_sectors;
  line["lines"] = cost.lines;
  line["bytes"] = cost.bytes;
  line["sector_addresses"] = ordered_json::array();
  for (const memory::TouchedSector& sector : memory::touched_sectors(access)) {
    line["sector_addresses"].push_back(static_cast<std::int64_t>(sector.address - base));
  }
}

void add_shared(const memory::WarpAccess& access, ordered_json& line) {
  const memory::Cost cost = memory::cost(access);
  const memory::BankPlan plan = memory::plan_banks(access);
  line["wavefronts"] = cost.wavefronts;
  line["ideal_wavefronts"] = cost.ideal_wavefronts;
  line["bank_conflicts"] = cost.bank_conflicts;
  if (access.op == memory::Op::Async) line["exact"] = cost.exact;
  line["bytes"] = cost.bytes;
  line["banks"] = per_lane(access.active, [&](int lane) { return memory::bank_of(access.addresses[lane]); });
  line["lane_wavefronts"] = per_lane(access.active, [&](int lane) { return plan.wavefront[lane]; });
}

}  // namespace

BufferPlace buffer_place(const sim::Program& program, memory::Address address) {
  const std::size_t parameter = sim::nearest_buffer(address);
  if (parameter >= program.parameters.size() || !program.parameters[parameter].is_pointer) return {};
  return {static_cast<int>(parameter), static_cast<std::int64_t>(address - sim::buffer_base(parameter))};
}

std::string trace_header(const scenario::Prepared& prepared, const sim::Trace& trace) {
  const sim::Launch& launch = prepared.setup.launch;
  ordered_json header;
  header["schema"] = "warplens.trace/1";
  header["kernel"] = prepared.program.kernel;
  header["source"] = prepared.setup.source_name;
  header["gpu"] = prepared.gpu->name;
  header["grid"] = {launch.grid.x, launch.grid.y, launch.grid.z};
  header["block_size"] = {launch.block.x, launch.block.y, launch.block.z};
  header["block"] = {trace.block.x, trace.block.y, trace.block.z};
  header["warps"] = trace.warps;
  header["events"] = trace.made();
  header["total_events"] = trace.total_events;
  return one_line(header);
}

std::string trace_line(const scenario::Prepared& prepared, const sim::Trace& trace, std::size_t event) {
  const sim::TraceEvent& e = trace.events[event];
  const sim::AccessSite& site = prepared.program.sites[e.site];
  const memory::WarpAccess access = trace.access(prepared.program, event);
  const bool is_global = access.space == memory::Space::Global;
  const BufferPlace place = is_global ? buffer_place(prepared.program, e.base) : BufferPlace{};
  const memory::Address base = is_global ? e.base - static_cast<memory::Address>(place.offset) : 0;

  ordered_json line;
  line["event"] = event;
  line["warp"] = e.warp;
  line["phase"] = e.phase;
  line["line"] = site.range.begin.line;
  line["column"] = site.range.begin.column;
  line["text"] = site.text;
  line["space"] = name_of(access.space);
  line["op"] = name_of(access.op);
  line["bytes_per_lane"] = access.bytes;
  if (site.form != sim::AccessForm::Plain) line["form"] = name_of(site.form);
  if (access.op == memory::Op::Async) {
    line["past_l1"] = access.past_l1;
    if (access.size != memory::CopySize::Whole)
      line["src_size"] = access.size == memory::CopySize::AnyNumber ? "any" : "none_or_whole";
    const auto other = trace.other_half(prepared.program, event);
    line["other_half"] = other ? ordered_json(*other) : ordered_json();
  }
  if (is_global) {
    line["buffer"] = place.parameter < 0 ? ordered_json()
                                         : ordered_json(prepared.program.parameters[place.parameter].name);
  } else {
    line["array"] = site.array;
  }
  line["active"] = "0x" + hexadecimal(access.active, 8);
  line["addresses"] = per_lane(
      access.active, [&](int lane) { return static_cast<std::int64_t>(access.addresses[lane] - base); });
  if (is_global) {
    add_global(access, base, line);
  } else {
    add_shared(access, line);
  }
  return one_line(line);
}

}  // namespace warplens::report
