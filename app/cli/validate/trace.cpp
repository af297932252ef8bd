// Traces and analyses: every cost follows from the addresses beside it.
#include <charconv>
#include <nlohmann/json.hpp>

#include "app/cli/validate/documents.h"
#include "app/cli/validate/fields.h"
#include "sim/memory/cost.h"

namespace warplens::cli {

namespace {

using memory::Op;
using memory::Space;
using scenario::JsonDocument;
using scenario::JsonValue;

// Addresses in a trace count from the buffer's beginning, before which an access may lie.
constexpr std::int64_t kBase = std::int64_t{1} << 40;

struct Header {
  const memory::GpuModel* gpu = nullptr;
  std::int64_t warps = 0, events = 0;
};

Header header_in(JsonDocument& document) {
  Header header;
  if (!document.has_schema("trace")) return header;
  const JsonValue root = document.root();
  if (root.text("kernel").empty()) root.error("kernel", Message::verbatim("must name the kernel"));
  root.text("source");
  header.gpu = gpu_in(root);
  const sim::Dim3 grid = extents_in(root, "grid", 1), size = extents_in(root, "block_size", 1),
                  block = extents_in(root, "block", 0);
  if (block.x >= grid.x || block.y >= grid.y || block.z >= grid.z)
    root.error("block", Message::verbatim("is beyond the grid"));
  header.warps = whole_in(root, "warps", 1, 32);
  if (document.ok() && static_cast<std::uint64_t>(header.warps) != (size.count() + 31) / 32)
    root.error("warps", Message::verbatim("is " + std::to_string(header.warps) + "; a block of " +
                                          std::to_string(size.count()) + " threads has " +
                                          std::to_string((size.count() + 31) / 32)));
  header.events = whole_in(root, "events", 0);
  whole_in(root, "total_events", header.events);
  return header;
}

memory::LaneMask mask_in(const JsonValue& line) {
  const std::string text = line.text("active");
  memory::LaneMask mask = 0;
  const char* end = text.data() + text.size();
  const bool marked = text.starts_with("0x") && text.size() == 10;
  const auto [stop, failed] = std::from_chars(text.data() + (marked ? 2 : 0), end, mask, 16);
  if (!marked || failed != std::errc() || stop != end)
    line.error("active", Message::verbatim("must be the lanes' mask, as in 0xffffffff"));
  return mask;
}

memory::WarpAccess access_in(const JsonValue& line) {
  memory::WarpAccess access;
  access.space = one_of(line, "space", {"global", "shared"}) == "shared" ? Space::Shared : Space::Global;
  const std::string op = one_of(line, "op", {"load", "store", "atomic", "reduction", "async"});
  for (const Op candidate : memory::kAllOps)
    if (op == report::name_of(candidate)) access.op = candidate;
  access.bytes = static_cast<int>(whole_in(line, "bytes_per_lane", 1, 16));
  if ((access.bytes & (access.bytes - 1)) != 0)
    line.error("bytes_per_lane", Message::verbatim("is no width; 1, 2, 4, 8 and 16 are"));
  const std::string form =
      line.has("form") ? one_of(line, "form", {"matrix", "async_copy", "texture", "surface"}) : "";
  access.matrix = form == "matrix";
  access.texture = form == "texture";
  access.past_l1 = line.has("past_l1") && line.json()["past_l1"] == true;
  if (line.has("src_size"))
    access.size = one_of(line, "src_size", {"none_or_whole", "any"}) == "any" ? memory::CopySize::AnyNumber
                                                                              : memory::CopySize::NoneOrWhole;
  access.active = mask_in(line);
  const auto lanes = line.list("addresses");
  if (lanes.size() != memory::kWarpLanes) {
    line.error("addresses",
               Message::verbatim("has " + std::to_string(lanes.size()) + " entries; a warp has 32 lanes"));
    return access;
  }
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    const bool active = (access.active >> lane & 1) != 0;
    if (active == lanes[lane].json().is_null()) {
      lanes[lane].error(Message::verbatim(active ? "is null, and the lane is active"
                                                 : "must be null: the lane is not active"));
    } else if (active) {
      const std::int64_t address = lanes[lane].as_integer().value_or(0);
      const std::int64_t least = access.space == Space::Global ? -kBase : 0;
      if (address < least || address > kBase * 1024)
        lanes[lane].error(Message::verbatim("is no address: " + std::to_string(address)));
      else
        access.addresses[lane] =
            static_cast<memory::Address>(address + (access.space == Space::Global ? kBase : 0));
    }
  }
  if (const int lane = memory::misaligned_lane(access); lane >= 0)
    line.error("addresses[" + std::to_string(lane) + "]",
               Message::verbatim("is no multiple of the bytes it accesses"));
  return access;
}

// What an asynchronous copy reads, until the line with what it writes prices both.
struct HeldHalf {
  std::int64_t event = -1;
  nlohmann::json sectors;
  memory::WarpAccess access;
};

// Gives each half of a copy the other, and holds the sectors of what was read.
void join_halves(const JsonValue& line, HeldHalf& held, memory::WarpAccess& access) {
  if (!line.has("other_half") || line.json()["other_half"] != held.event || held.event < 0) return;
  access.other_active = held.access.active;
  access.other_addresses = held.access.addresses;
  held.access.other_active = access.active;
  held.access.other_addresses = access.addresses;
  if (const int sectors = memory::cost(held.access).sectors; held.sectors != sectors)
    line.error("other_half", Message::verbatim("has other sectors: they must be " + std::to_string(sectors)));
}

// Whether all costs that the line tells are those of the access; else the first that is not is complained of.
bool costs_hold(const JsonValue& line, const memory::Cost& cost, bool global, bool copies, bool complain) {
  const std::vector<std::pair<const char*, int>> fields =
      global ? std::vector<std::pair<const char*, int>>{copies ? std::pair{"load_sectors", cost.load_sectors}
                                                               : std::pair{"sectors", cost.sectors},
                                                        {"ideal_sectors", cost.ideal_sectors},
                                                        {"lines", cost.lines},
                                                        {"bytes", cost.bytes}}
             : std::vector<std::pair<const char*, int>>{{"wavefronts", cost.wavefronts},
                                                        {"ideal_wavefronts", cost.ideal_wavefronts},
                                                        {"bank_conflicts", cost.bank_conflicts},
                                                        {"bytes", cost.bytes}};
  for (const auto& [name, value] : fields) {
    const bool holds = line.has(name) && line.json()[name] == value;
    if (!holds && complain)
      line.error(name, Message::verbatim("must be " + std::to_string(value) + " for these addresses"));
    if (!holds) return false;
  }
  return true;
}

void check_line(JsonDocument& document, const Header& header, std::int64_t after, HeldHalf& held,
                std::int64_t* event) {
  const JsonValue line = document.root();
  if (!line.is_object()) return;
  *event = whole_in(line, "event", after + 1);
  whole_in(line, "warp", 0, header.warps - 1);
  whole_in(line, "phase", 0);
  whole_in(line, "line", 1, 1 << 30);
  whole_in(line, "column", 1, 1 << 30);
  line.text("text");
  memory::WarpAccess access = access_in(line);
  const bool global = access.space == Space::Global;
  if (!document.ok() || header.gpu == nullptr) return;
  // A trace does not say whether an atomic only counts, which costs otherwise.
  const bool may_count =
      !global && access.bytes == 4 && (access.op == Op::Atomic || access.op == Op::Reduction);
  if (may_count) {
    access.increments = true;
    if (costs_hold(line, memory::cost(access), global, false, false)) return;
    access.increments = false;
  }
  const bool copies = access.op == Op::Async;
  if (copies && global)
    held = {*event, line.has("sectors") ? line.json()["sectors"] : nlohmann::json(), access};
  else if (copies)
    join_halves(line, held, access);
  costs_hold(line, memory::cost(access), global, copies, true);
}

}  // namespace

TraceVerdict validate_trace(const std::string& text, const std::string& name, Budget& budget) {
  TraceVerdict verdict;
  scenario::JsonLimits limits;
  limits.errors = 5;
  limits.budget = &budget;
  Header header;
  HeldHalf held;
  std::int64_t event = -1, lines = 0, number = 0;
  for (std::size_t begin = 0; begin < text.size() && verdict.errors.empty();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    const std::string at = name + ", line " + std::to_string(++number);
    begin = end + 1;
    JsonDocument document = JsonDocument::parse(line, at, limits);
    if (document.ok() && document.root().has("schema")) {
      if (lines < header.events && number > 1)
        verdict.errors.push_back(at + ": another block begins, and the one before lacks accesses");
      header = header_in(document);  // of the first block, or another one
      event = -1, lines = 0, held = {};
    } else if (document.ok() && number == 1) {
      document.add_error("schema", Message::verbatim("is missing: a trace begins with its header"));
    } else if (document.ok()) {
      check_line(document, header, event, held, &event);
      if (event >= header.events)
        document.add_error(
            "event", Message::verbatim("is beyond the " + std::to_string(header.events) + " of the block"));
      ++lines;
    }
    verdict.errors.insert(verdict.errors.end(), document.errors().begin(), document.errors().end());
  }
  verdict.summary =
      std::to_string(lines) + " of " + std::to_string(header.events) + " accesses, each priced as told";
  return verdict;
}

std::string validate_analysis(scenario::JsonDocument& document) {
  const auto results = document.root().list("results");
  for (const JsonValue& result : results) {
    if (!result.is_object()) continue;
    if (result.has("wavefronts_exact")) {
      whole_in(result, "sectors", 0, 32);
      whole_in(result, "wavefronts", 0, 1024);
      continue;
    }
    const bool shared = result.has("wavefronts");
    if (!shared || result.has("requests")) {  // those of matrices have neither
      whole_in(result, "requests", 0, 1);
      whole_in(result, "bytes", 0, 512);
    }
    for (const char* field : {shared ? "wavefronts" : "sectors", shared ? "bank_conflicts" : "lines"})
      whole_in(result, field, 0, 1024);
  }
  return std::to_string(results.size()) + " accesses";
}

}  // namespace warplens::cli
