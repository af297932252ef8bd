#include "sim/report/analysis.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <nlohmann/json.hpp>

#include "sim/report/output/table.h"
#include "sim/report/report.h"

namespace warplens::report {

using memory::Space;
using nlohmann::ordered_json;
using scenario::JsonValue;

namespace {

ordered_json result_of(const PricedRequest& request) {
  const memory::Cost& cost = request.cost;
  if (request.copy)
    return {{"sectors", request.copy->sectors},
            {"wavefronts", request.copy->wavefronts},
            {"wavefronts_exact", request.copy->wavefronts_exact}};
  if (request.access.matrix)
    return {{"wavefronts", cost.wavefronts}, {"bank_conflicts", cost.bank_conflicts}};
  if (request.access.space == Space::Global)
    return {
        {"requests", cost.requests}, {"sectors", cost.sectors}, {"lines", cost.lines}, {"bytes", cost.bytes}};
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
    // Files of measured accesses have them as `records`.
    const bool recorded = root.has("records") && !root.has("requests");
    for (const JsonValue& request : root.list(recorded ? "records" : "requests")) {
      PricedRequest priced = read_request(request, document);
      if (document.is_full()) break;
      if (document.ok()) analysis.requests.push_back(std::move(priced));
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
  for (const PricedRequest& request : analysis.requests) {
    pace.step();
    json["results"].push_back(result_of(request));
  }
  return json;
}

std::string analysis_csv(const Analysis& analysis, Budget& budget) {
  Pace pace(budget, Stage::Writing);
  std::string csv =
      "index,space,op,bytes_per_lane,requests,bytes,sectors,lines,wavefronts,bank_conflicts\r\n";
  for (std::size_t i = 0; i < analysis.requests.size(); ++i) {
    pace.step();
    const PricedRequest& request = analysis.requests[i];
    const memory::Cost& cost = request.cost;
    const bool copies = request.copy.has_value(), global = request.access.space == Space::Global;
    const auto where = [](bool there, int value) { return there ? std::to_string(value) : std::string(); };
    csv += csv_row(
        {std::to_string(i), name_of(request.access.space), request.op, std::to_string(request.access.bytes),
         std::to_string(copies ? request.copy->requests : cost.requests), where(!copies, cost.bytes),
         where(global, copies ? request.copy->sectors : cost.sectors), where(global && !copies, cost.lines),
         where(!global || copies, copies ? request.copy->wavefronts : cost.wavefronts),
         where(!global, cost.bank_conflicts)});
  }
  return csv;
}

std::string analysis_text(const Analysis& analysis, Budget& budget) {
  Pace pace(budget, Stage::Writing);
  Table table({Side::Right, Side::Left, Side::Right, Side::Left, Side::Right, Side::Left});
  for (std::size_t i = 0; i < analysis.requests.size(); ++i) {
    pace.step();
    const PricedRequest& request = analysis.requests[i];
    const memory::Cost& cost = request.cost;
    const std::string what = request.op + ", " + std::to_string(request.access.bytes) + " B";
    const auto add = [&](const std::string& name, int count, const char* of, int more, const char* of_more) {
      table.add({std::to_string(i), name, std::to_string(count), of, std::to_string(more), of_more});
    };
    if (request.copy)
      add(what, request.copy->sectors, "sectors", request.copy->wavefronts,
          request.copy->wavefronts_exact ? "wavefronts" : "wavefronts (about)");
    else if (request.access.space == Space::Global)
      add("global " + what, cost.sectors, "sectors", cost.lines, "lines");
    else
      add((request.access.matrix ? "" : "shared ") + what, cost.wavefronts, "wavefronts", cost.bank_conflicts,
          "conflicts");
  }
  return table.text("", budget);
}

namespace {

using memory::Op;

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

void read_addresses(const JsonValue& request, const char* member, memory::WarpAccess& access) {
  access.active = 0;
  const scenario::JsonList lanes = request.list(member);
  if (lanes.size() > memory::kWarpLanes) {
    request.error(member, Message("has {} entries; a warp has 32 lanes", lanes.size()));
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

void check_alignment(const JsonValue& request, const char* member, const memory::WarpAccess& access) {
  const int lane = memory::misaligned_lane(access);
  if (lane < 0) return;
  request.error(member + ("[" + std::to_string(lane) + "]"),
                Message("lane {} is misaligned: {} is no multiple of the {} bytes it accesses", lane,
                        access.addresses[lane], access.bytes));
}

// Only a shared atomic of 4 bytes has increments.
void read_increments(const JsonValue& request, memory::WarpAccess& access) {
  if (!request.has("increments")) return;
  const auto& given = request.json().at("increments");
  if (!given.is_boolean()) return request.error("increments", Message("must be true or false"));
  access.increments = given.get<bool>();
  const bool atomic = memory::is_atomic(access.op);
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
  read_addresses(request, "addresses", access);
  check_alignment(request, "addresses", access);
  return access;
}

// ---- ldmatrix, stmatrix

struct MatrixOp {
  std::string_view name;
  Op op;
};
// Transposition changes which lane gets what, and nothing in shared memory.
constexpr MatrixOp kMatrixOps[] = {{"ldmatrix", Op::Load},
                                   {"ldmatrix_trans", Op::Load},
                                   {"stmatrix", Op::Store},
                                   {"stmatrix_trans", Op::Store}};

// Row r of matrix j is that of lane 8 j + r. What other lanes have is not looked at, as on the GPU.
memory::WarpAccess read_rows(const JsonValue& request, Op op) {
  constexpr std::int64_t kRows = 8;
  memory::WarpAccess access;
  access.space = Space::Shared;
  access.op = op;
  access.bytes = 16;
  access.matrix = true;
  const std::int64_t matrices = request.integer("matrices");
  if (matrices != 1 && matrices != 2 && matrices != 4) {
    if (request.has("matrices")) request.error("matrices", Message("is {}; 1, 2 or 4 are needed", matrices));
    return access;
  }
  read_addresses(request, "rows", access);
  const std::int64_t rows = matrices * kRows;
  const memory::LaneMask needed =
      rows == memory::kWarpLanes ? ~memory::LaneMask{0} : (memory::LaneMask{1} << rows) - 1;
  if (const memory::LaneMask missing = needed & ~access.active; request.has("rows") && missing != 0) {
    request.error("rows", Message("lane {} has no address: lanes 0 to {} give the rows of {}",
                                  std::countr_zero(missing), rows - 1,
                                  matrices == 1 ? Message("a matrix") : Message("{} matrices", matrices)));
  }
  access.active &= needed;
  check_alignment(request, "rows", access);
  return access;
}

// ---- cp.async

constexpr std::string_view kCopyOps[] = {"cp_async_ca", "cp_async_cg"};

// How many bytes each lane reads; the others that it writes are zeros. A lane without one reads all. Sizes
// between none and all, or so many that are known when it runs, are another instruction.
void read_source_sizes(const JsonValue& request, memory::AsyncCopy& copy) {
  if (!request.has("src_size")) return;
  copy.size = memory::CopySize::NoneOrWhole;
  if (request.has("any_src_size")) {
    const auto& given = request.json().at("any_src_size");
    if (!given.is_boolean()) return request.error("any_src_size", Message("must be true or false"));
    if (given.get<bool>()) copy.size = memory::CopySize::AnyNumber;
  }
  const scenario::JsonList sizes = request.optional_list("src_size");
  if (sizes.size() > memory::kWarpLanes) {
    request.error("src_size", Message("has {} entries; a warp has 32 lanes", sizes.size()));
    return;
  }
  for (std::size_t lane = 0; lane < sizes.size(); ++lane) {
    const JsonValue value = sizes[lane];
    if (value.json().is_null()) continue;
    const bool known = value.json().is_number_unsigned() &&
                       value.json().get<std::uint64_t>() <= static_cast<std::uint64_t>(copy.bytes);
    if (!known) {
      value.error(
          Message("must be the bytes that the lane reads, from 0 to {}, or null for all", copy.bytes));
      continue;
    }
    if (value.json() == 0) copy.zeros |= copy.active & memory::LaneMask{1} << lane;
    if (value.json() != 0 && value.json() != copy.bytes) copy.size = memory::CopySize::AnyNumber;
  }
}

memory::AsyncCopy read_copy(const JsonValue& request, const std::string& op) {
  memory::AsyncCopy copy;
  copy.past_l1 = op == kCopyOps[1];
  const std::int64_t bytes = request.integer("bytes");
  const bool known = copy.past_l1 ? bytes == 16 : bytes == 4 || bytes == 8 || bytes == 16;
  if (!known) {
    if (request.has("bytes"))
      request.error("bytes", copy.past_l1 ? Message("is {}; past L1 (cg) 16 bytes a lane are copied", bytes)
                                          : Message("is {}; 4, 8 or 16 are needed", bytes));
    return copy;
  }
  copy.bytes = static_cast<int>(bytes);
  memory::WarpAccess global, shared;
  global.bytes = shared.bytes = copy.bytes;
  read_addresses(request, "shared", shared);
  read_addresses(request, "global", global);
  check_alignment(request, "shared", shared);
  check_alignment(request, "global", global);
  if (const memory::LaneMask one = global.active ^ shared.active; one != 0) {
    const int lane = std::countr_zero(one);
    const bool has_global = (global.active >> lane & 1) != 0;
    request.error(has_global ? "shared" : "global",
                  has_global ? Message("lane {} has a global address and no shared one", lane)
                             : Message("lane {} has a shared address and no global one", lane));
  }
  copy.active = global.active & shared.active;
  copy.global = global.addresses;
  copy.shared = shared.addresses;
  read_source_sizes(request, copy);
  return copy;
}

std::string op_of(const JsonValue& request) {
  if (!request.is_object(false) || !request.has("op")) return {};
  const auto& op = request.json().at("op");
  return op.is_string() ? op.get<std::string>() : std::string();
}

}  // namespace

PricedRequest read_request(const JsonValue& request, const scenario::JsonDocument& document) {
  PricedRequest priced;
  priced.op = op_of(request);
  if (std::ranges::find(kCopyOps, priced.op) != std::end(kCopyOps)) {
    const memory::AsyncCopy copy = read_copy(request, priced.op);
    priced.access = memory::read_of(copy);
    if (document.ok()) priced.copy = memory::cost(copy);
    return priced;
  }
  const auto matrix = std::ranges::find(kMatrixOps, priced.op, &MatrixOp::name);
  priced.access = matrix != std::end(kMatrixOps) ? read_rows(request, matrix->op) : read_access(request);
  if (document.ok()) priced.cost = memory::cost(priced.access);
  return priced;
}

}  // namespace warplens::report
