// How much of the GPU is at work: the blocks, warps and threads that one multiprocessor holds at once, by
// what they need of it and what keeps one more off; and, in the block looked at, how many of a warp's 32
// lanes are at work at each access and on each side of a branch. Occupancy follows the rules of NVIDIA's
// occupancy calculator (sim/launch/residency.h); lanes are counted.
#include <algorithm>
#include <bit>
#include <cmath>

#include "app/readout/verdict.h"
#include "app/views/drawing.h"
#include "app/views/inputs.h"
#include "app/views/views.h"
#include "sim/base/numbers.h"
#include "sim/count/branch_lanes.h"
#include "sim/launch/bound.h"
#include "sim/launch/residency.h"

namespace warplens::views {
namespace {

using language::Strings;

// ---- what it derives

// A place in the text at which warps do something, and the lanes that are at work there.
struct AtWork {
  enum class Kind : std::uint8_t { Access, Branch, Else, Loop };
  int line = 0;
  Kind kind = Kind::Access;
  std::string text;  // of an access
  memory::Op op = memory::Op::Load;
  std::uint64_t warps = 0, lanes = 0;  // warps that did it, with lanes at work added up over them
  std::uint64_t came = 0, parted = 0;  // of a branch: warps that came to it, and whose lanes went both ways
  double mean() const { return static_cast<double>(lanes) / static_cast<double>(warps); }
  std::uint64_t idle() const { return warps * memory::kWarpLanes - lanes; }
};

struct Occupancy {
  sim::Residency residency;
  int threads = 0;             // of a block
  std::vector<AtWork> places;  // those where lanes idle, the most idle first
  std::size_t full = 0;        // places at which all 32 lanes work
  bool cut_short = false;
};

void add_accesses(const app::Compiled& compiled, const sim::Trace& trace, std::vector<AtWork>* places) {
  std::vector<AtWork> of_site(compiled.program.sites.size());
  for (std::size_t i = 0; i < trace.made(); ++i) {
    AtWork& place = of_site[trace.events[i].site];
    ++place.warps;
    place.lanes += static_cast<std::uint64_t>(std::popcount(trace.events[i].active));
  }
  for (std::size_t i = 0; i < of_site.size(); ++i) {
    if (of_site[i].warps == 0) continue;
    const sim::AccessSite& site = compiled.program.sites[i];
    of_site[i].line = site.range.begin.line, of_site[i].text = site.text, of_site[i].op = site.op;
    places->push_back(of_site[i]);
  }
}

// Lanes idle on a side that other lanes of their warp take; where no lane takes it, the warp skips it.
void add_branches(const sim::BlockBranches& found, std::vector<AtWork>* places) {
  using Kind = AtWork::Kind;
  for (const sim::BranchLanes& branch : found.branches) {
    AtWork side;
    side.line = branch.range.begin.line, side.kind = branch.turns ? Kind::Loop : Kind::Branch;
    side.came = branch.warps, side.parted = branch.parted();
    side.warps = branch.entered, side.lanes = branch.taken;
    if (side.warps > 0) places->push_back(side);
    side.kind = Kind::Else, side.warps = branch.left, side.lanes = branch.came - branch.taken;
    if (branch.has_other && side.warps > 0) places->push_back(side);
  }
}

std::shared_ptr<const Occupancy> occupancy_of(const app::Compiled& compiled, const sim::Trace& trace,
                                              std::optional<int> registers, Budget& budget) {
  auto found = std::make_shared<Occupancy>();
  const sim::Launch& launch = compiled.setup.launch;
  sim::Bound bound;
  if (sim::bind(compiled.program, launch, *compiled.gpu, bound).empty()) {
    found->threads = bound.threads;
    found->residency = sim::residency(*compiled.gpu, bound.threads, bound.shared_bytes, registers);
  }
  std::vector<AtWork> places;
  add_accesses(compiled, trace, &places);
  const sim::BlockBranches branches =
      sim::branch_lanes(compiled.program, launch, *compiled.gpu, trace.block, {{}, &budget});
  add_branches(branches, &places);
  found->cut_short = trace.error || branches.error;
  found->full = std::erase_if(places, [](const AtWork& place) { return place.idle() == 0; });
  found->places = std::move(places);
  std::ranges::stable_sort(found->places, std::ranges::greater{}, &AtWork::idle);
  return found;
}

app::Made derive(const Deriving& on) {
  const auto kept = on.memos.get<Occupancy>(std::pair(on.simulation.trace, on.registers),
                                            [compiled = on.simulation.compiled, trace = on.simulation.trace,
                                             registers = on.registers](Budget& budget, std::atomic<double>*) {
                                              return occupancy_of(*compiled, *trace, registers, budget);
                                            },
                                            {.most = 3});
  return {ViewId::Occupancy, kept.value, kept.busy};
}

// ---- how it is drawn

class OccupancyPicture {
 public:
  OccupancyPicture(const Occupancy& of, const app::Compiled& compiled, const Canvas& canvas)
      : of_(of), gpu_(*compiled.gpu), strings_(*canvas.strings), pen_(canvas) {}

  Scene draw() {
    if (pen_.too_small()) return pen_.finish();
    float y = draw_slots(0);
    y = draw_resources(y + pen_.px(12));
    draw_places(y + pen_.px(16));
    return pen_.finish();
  }

 private:
  float line() const { return pen_.px(std::max(20.0f, 1.5f * pen_.least_type())); }
  Type words(bool bold = false) const {
    return {14, bold ? pen_.palette().text : pen_.palette().secondary, Align::Left, Font::Words, bold};
  }

  // A cell for each warp that the multiprocessor has room for, in the order of the blocks that are there.
  float draw_slots(float y) {
    const Palette& p = pen_.palette();
    const int slots = gpu_.multiprocessor_threads / memory::kWarpLanes;
    const int of_block = of_.residency.blocks == 0 ? 1 : of_.residency.warps / of_.residency.blocks;
    pen_.label_within(1, {0, y + 0.5f * line()}, pen_.width(),
                      pen_.counted("occupancy.holds", of_.residency.blocks,
                                   {{"gpu", std::string(gpu_.name)},
                                    {"n", grouped(of_.residency.blocks)},
                                    {"threads", grouped(of_.threads)},
                                    {"warps", of_.residency.warps},
                                    {"slots", slots}}),
                      words(true));
    y += line() + pen_.px(4);
    constexpr int kRow = 32;
    const float pitch = std::min(pen_.width() / kRow, pen_.px(26)), side = pitch - pen_.px(3);
    for (int warp = 0; warp < slots; ++warp) {
      const Rect rect{static_cast<float>(warp % kRow) * pitch, y + static_cast<float>(warp / kRow) * pitch,
                      side, side};
      const bool held = warp < of_.residency.warps;
      const bool odd = warp / of_block % 2 == 1;  // neighbouring blocks differ
      pen_.framed(0, rect, held ? mix(p.panel, p.secondary, odd ? 0.45f : 0.85f) : with_alpha(p.cell, 0.4f),
                  held ? p.secondary : p.line, std::max(1.0f, pen_.px(1)));
      pen_.hot_spot({.rect = rect,
                     .tooltip = held ? pen_.text("occupancy.tip.warp",
                                                 {{"block", warp / of_block + 1}, {"warp", warp % of_block}})
                                     : pen_.text("occupancy.tip.free", {{"why", why()}})});
    }
    return y + static_cast<float>((slots + kRow - 1) / kRow) * pitch;
  }

  std::string why() const { return pen_.text("occupancy.limit", {{"why", strings_(of_.residency.why)}}); }

  struct Resource {
    const char* key;
    sim::Residency::Limit limit;
    std::uint64_t each, all;  // of a block, of the multiprocessor; all 0: not known
  };

  // What the blocks that are there take.
  float draw_resources(float y) {
    using Limit = sim::Residency::Limit;
    const auto whole = [](int n) { return static_cast<std::uint64_t>(n); };
    std::vector<Resource> resources{
        {"occupancy.threads", Limit::Threads, whole((of_.threads + 31) / 32 * 32),
         whole(gpu_.multiprocessor_threads)},
        {"occupancy.blocks", Limit::Blocks, 1, whole(gpu_.multiprocessor_blocks)},
        {"occupancy.shared", Limit::Shared, of_.residency.shared_bytes,
         whole(gpu_.multiprocessor_shared_bytes)},
    };
    const bool with_registers = of_.residency.registers > 0;
    if (with_registers)
      resources.push_back({"occupancy.registers", Limit::Registers, whole(of_.residency.registers),
                           whole(gpu_.multiprocessor_registers)});
    float label = 0;
    for (const Resource& one : resources)
      label = std::max(label, pen_.width_of(pen_.text(one.key), words(true)));
    for (const Resource& one : resources) y = draw_resource(one, y, label + pen_.px(14));
    pen_.label_within(1, {0, y + 0.5f * line()}, pen_.width(), why(), words());
    if (with_registers) return y + line();
    pen_.label_within(1, {0, y + 1.5f * line()}, pen_.width(), pen_.text("occupancy.registers.unknown"),
                      words());
    return y + 2 * line();
  }

  float draw_resource(const Resource& one, float y, float x) {
    const Palette& p = pen_.palette();
    const bool limits = one.limit == of_.residency.limit;
    const auto held = static_cast<std::uint64_t>(of_.residency.blocks) * one.each;
    const std::string amount = pen_.text("occupancy.of", {{"n", grouped(held)}, {"all", grouped(one.all)}});
    const Type type{13.5f, limits ? p.text : p.secondary, Align::Right, Font::Code, limits};
    const float right = pen_.width() - pen_.px(170), wide = std::max(pen_.px(40), right - x);
    const double share = std::min(1.0, static_cast<double>(held) / static_cast<double>(one.all));
    const float top = y + 0.22f * line(), high = 0.56f * line();
    pen_.label(1, {0, y + 0.5f * line()}, pen_.text(one.key), words(limits));
    pen_.framed(0, {x, top, wide, high}, with_alpha(p.cell, 0.4f), limits ? p.text : p.line,
                std::max(1.0f, pen_.px(limits ? 2.0f : 1.0f)));
    pen_.cell(1, {x, top, wide * static_cast<float>(share), high}, mix(p.panel, p.secondary, 0.85f));
    pen_.label(1, {pen_.width(), y + 0.5f * line()}, amount, type);
    return y + line();
  }

  // A line for each place at which lanes idle: 32 cells, as many of them filled as lanes work in the mean.
  void draw_places(float y) {
    const float room = pen_.height() - y - line();
    std::string heading = pen_.text(of_.places.empty() ? "occupancy.lanes.all" : "occupancy.lanes");
    if (of_.cut_short) heading = pen_.text("map.cut") + " · " + heading;
    pen_.label_within(1, {0, y + 0.5f * line()}, pen_.width(), heading, words(true));
    y += line();
    auto fit = static_cast<std::size_t>(std::max(0.0f, std::floor(room / line())));
    const bool more = of_.places.size() > fit || of_.full > 0;
    if (more && fit > 0) --fit;
    const std::size_t shown = std::min(fit, of_.places.size());
    float name = 0;
    for (std::size_t i = 0; i < shown; ++i)
      name = std::max(name, pen_.width_of(name_of(of_.places[i]), {13.5f, {}, Align::Left, Font::Code}));
    name = std::min(name, 0.4f * pen_.width());
    for (std::size_t i = 0; i < shown; ++i, y += line()) draw_place(of_.places[i], y, name + pen_.px(14));
    const std::size_t left = of_.places.size() - shown;
    std::string rest;
    if (left > 0) rest = pen_.counted("occupancy.more", static_cast<long long>(left), {{"n", grouped(left)}});
    if (of_.full > 0)
      rest += (rest.empty() ? "" : " · ") +
              pen_.counted("occupancy.full", static_cast<long long>(of_.full), {{"n", grouped(of_.full)}});
    if (!rest.empty() && !of_.places.empty())
      pen_.label_within(1, {0, y + 0.5f * line()}, pen_.width(), rest, words());
  }

  std::string name_of(const AtWork& place) const {
    constexpr const char* kWords[] = {"", "occupancy.branch", "occupancy.else", "occupancy.loop"};
    const std::string what = place.kind == AtWork::Kind::Access
                                 ? app::op_text(place.op, strings_) + " " + place.text
                                 : pen_.text(kWords[static_cast<std::size_t>(place.kind)]);
    return pen_.text("occupancy.line", {{"line", place.line}, {"what", what}});
  }

  void draw_place(const AtWork& place, float y, float x) {
    const Palette& p = pen_.palette();
    const Type code{13.5f, p.text, Align::Left, Font::Code};
    const float middle = y + 0.5f * line();
    pen_.label_within(1, {0, middle}, x - pen_.px(10), name_of(place), code);
    const std::string amount = pen_.text("occupancy.lanes.of", {{"n", fixed(place.mean(), 1)}});
    const float amount_wide =
        pen_.width_of(pen_.text("occupancy.lanes.of", {{"n", "32.0"}}), code) + pen_.px(14);
    const float pitch = std::min((pen_.width() - x - amount_wide) / memory::kWarpLanes, pen_.px(15));
    const float side = pitch - std::max(1.0f, pen_.px(2)), top = middle - 0.5f * side;
    for (int lane = 0; pitch >= 3 && lane < memory::kWarpLanes; ++lane) {
      const float filled =
          std::clamp(static_cast<float>(place.mean()) - static_cast<float>(lane), 0.0f, 1.0f);
      const Rect cell{x + static_cast<float>(lane) * pitch, top, side, side};
      pen_.framed(0, cell, with_alpha(p.cell, 0.4f), p.line, 1);
      if (filled > 0) pen_.sharp(1, {cell.x, cell.y, filled * side, side}, p.secondary);
    }
    const float right = x + memory::kWarpLanes * pitch + amount_wide;
    pen_.label(1, {right, middle}, amount, {13.5f, p.text, Align::Right, Font::Code});
    if (place.parted > 0)
      pen_.label_within(
          1, {right + pen_.px(14), middle}, pen_.width() - right - pen_.px(14),
          pen_.text("occupancy.parted", {{"n", grouped(place.parted)}, {"warps", grouped(place.came)}}),
          words());
    pen_.hot_spot({.rect = {0, y, pen_.width(), line()}, .tooltip = tip_of(place)});
  }

  std::string tip_of(const AtWork& place) const {
    const std::string at = pen_.text("occupancy.tip", {{"what", name_of(place)},
                                                       {"lanes", grouped(place.lanes)},
                                                       {"warps", grouped(place.warps)},
                                                       {"mean", fixed(place.mean(), 1)}});
    if (place.kind == AtWork::Kind::Access) return at;
    return at + "\n" +
           pen_.text("occupancy.tip.came",
                     {{"came", grouped(place.came)}, {"parted", grouped(place.parted)}});
  }

  const Occupancy& of_;
  const memory::GpuModel& gpu_;
  const Strings& strings_;
  Pen pen_;
};

Scene draw(const Inputs& in, const Canvas& canvas) {
  const Strings& strings = *canvas.strings;
  const auto made = app::made_of<Occupancy>(in.made, ViewId::Occupancy);
  if (!made) return nothing_of(canvas, "occupancy.title", strings("occupancy.busy"));
  Scene scene = OccupancyPicture(*made, *in.simulation->compiled, canvas).draw();
  scene.title = strings("occupancy.title");
  scene.answer = strings("occupancy.answer", {{"percent", fixed(100 * made->residency.occupancy, 0)}});
  return scene;
}

constexpr app::Command kCommands[] = {
    {"occupancy", app::Focus::Window, "Ctrl Shift U", "help.occupancy", app::toggles<ViewId::Occupancy>},
};

}  // namespace

const Row& occupancy() {
  static const Row kRow{.id = ViewId::Occupancy,
                        .file = "occupancy",
                        .where = Tab::WhereWide,
                        .tells = {.of_access = false},
                        .derive = derive,
                        .draw = draw,
                        .commands = kCommands};
  return kRow;
}

}  // namespace warplens::views
