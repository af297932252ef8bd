#include "app/readout/strip.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <map>
#include <utility>

#include "app/readout/verdict.h"
#include "app/scene/pen.h"
#include "sim/base/numbers.h"

namespace warplens::app {
namespace {

using scene::Color;
using scene::Count;
using scene::Pen;

const std::string kDot(language::kDot);

const RungTime* current_of(const StripInput& in) {
  return in.times == nullptr ? nullptr : current_of(*in.times);
}

struct StripPart {
  Count what = Count::None;
  std::array<std::string, 5> words;  // the fullest first; empty: left out where there is so little room
  std::optional<Color> color{};      // of what explains the time
  std::string tip{};
  bool of_grid() const { return what == Count::Requests || what == Count::None; }  // else of the request
};

class StripPicture {
 public:
  StripPicture(const StripInput& input, const scene::Canvas& canvas)
      : in_(input), s_(*input.simulation), now_(*s_.now), pen_(canvas) {}

  scene::Scene draw() {
    if (pen_.too_small()) return pen_.finish();
    add_lanes();
    add_cost();
    add_requests();
    add_time();
    const scene::Palette& p = pen_.palette();
    const float y = (in_.longest > 0 ? 0.62f : 0.7f) * pen_.height();
    float end = pen_.width();
    if (!in_.turned.empty()) {
      const scene::Type type{kSize, p.text, scene::Align::Right, scene::Font::Words, true};
      pen_.label(0, {end, y}, in_.turned, type);
      end -= pen_.width_of(in_.turned, type) + pen_.px(kApart);
    }
    std::size_t level = 0;
    while (level < 4 && width_of(level) > end) ++level;
    float x = 0;
    bool told[2]{};  // what the numbers below are of: the request, the grid
    for (const StripPart& part : parts_) {
      const std::string& words = part.words[level];
      const scene::Type type = type_of(part);
      const float width = pen_.width_of(words, type);
      if (words.empty() || width > end - x) continue;  // whole, or not at all
      if (!std::exchange(told[part.of_grid()], true))
        pen_.label(0, {x, 0.18f * pen_.height()}, pen_.text(part.of_grid() ? "source.grid" : "strip.request"),
                   {kCaption, p.secondary});
      pen_.label(0, {x, y}, words, type);
      scene::HotSpot spot{{x, 0, width, pen_.height()}, -1, -1, -1, part.tip};
      spot.count = part.what;
      pen_.hot_spot(std::move(spot));
      x += width + pen_.px(kApart);
    }
    draw_time();
    return pen_.finish();
  }

 private:
  // Beside A or B: which of both is faster is seen without reading.
  void draw_time() {
    const RungTime* time = s_.hidden.times || in_.longest <= 0 ? nullptr : current_of(in_);
    if (time == nullptr || time->measurement == nullptr) return;
    const float part = static_cast<float>(time->measurement->cold.median / in_.longest), bar = pen_.px(3);
    pen_.cell(0, {0, pen_.height() - bar, part * in_.longest_bar, bar}, pen_.palette().secondary)
        .rounded(0.5f * bar);
  }

  static constexpr float kSize = 15, kCaption = 13, kApart = 26;

  bool counts(Count what) const { return in_.counting.what == what; }
  std::string tip() const { return pen_.text("access.count.tip"); }
  static std::array<std::string, 5> always(const std::string& words) {
    return {words, words, words, words, words};
  }

  void add_lanes() {
    if (s_.hidden.lanes || now_.refused != 0) return;
    const int lanes = std::popcount(now_.access.active);
    const int n = counts(Count::Lanes) ? in_.counting.n : lanes;
    StripPart part{Count::Lanes, always(pen_.text("strip.lanes", {{"n", std::to_string(n)}})), {}, tip()};
    if (lanes < memory::kWarpLanes)
      part.color = pen_.palette().costly;
    else
      part.words[3] = part.words[4] = {};  // before the time is left out
    parts_.push_back(std::move(part));
  }

  // Counted out, line after line what they are from.
  void add_requests() {
    const auto lines = lines_of_requests(s_);
    if (lines.empty()) return;
    std::uint64_t all = 0, so_far = 0;
    std::string tip = pen_.text("strip.requests.tip"), now;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      all += lines[i].second;
      const std::string n = grouped(lines[i].second);
      tip += "\n" + pen_.text("strip.requests.line", {{"line", std::to_string(lines[i].first)}, {"n", n}});
      if (!counts(Count::Requests) || static_cast<int>(i) >= in_.counting.n) continue;
      so_far = all;
      now =
          pen_.text("strip.requests.to", {{"line", std::to_string(lines[i].first)}, {"n", grouped(so_far)}});
    }
    const auto count = static_cast<long long>(all);
    std::string words = pen_.counted("strip.requests", count, {{"n", grouped(count)}});
    if (!in_.requests.empty()) words = in_.requests;
    if (!now.empty()) words = now;
    StripPart part{Count::Requests, {words, words, words, {}}, {}, tip + "\n" + this->tip()};
    if (!in_.requests.empty()) part.color = pen_.palette().text, part.words[3] = part.words[4] = words;
    parts_.push_back(std::move(part));
  }

  void add_cost() {
    if (now_.known != Known::All || now_.refused != 0) return;
    const bool shared = now_.access.space == memory::Space::Shared;
    const int units = shared ? now_.cost.wavefronts : now_.cost.sectors,
              ideal = shared ? now_.cost.ideal_wavefronts : now_.cost.ideal_sectors;
    const int n = counts(Count::Cost) ? in_.counting.n : units;
    const std::string key = std::string(shared                                  ? "strip.wavefronts"
                                        : memory::lanes_take_turns(now_.access) ? "strip.passes"
                                                                                : "strip.sectors") +
                            (shared && !now_.cost.exact ? ".about"
                             : units > ideal            ? ".costly"
                                                        : "");
    StripPart part{
        Count::Cost,
        always(pen_.counted(key, units, {{"n", std::to_string(n)}, {"ideal", std::to_string(ideal)}})),
        {},
        counter_of(now_) + "\n" + tip()};
    if (units > 1)
      part.words[2] = part.words[3] = part.words[4] =
          pen_.text(shared ? "strip.wavefronts.brief" : "strip.sectors.brief", {{"n", std::to_string(n)}});
    const bool whole = now_.access.active == ~memory::LaneMask{0};
    // What explains the time, or that lanes do not work, stays before this.
    if (!in_.requests.empty() || (units <= ideal && !whole)) part.words[4] = {};
    if (units > ideal)
      part.color = pen_.palette().costly;
    else if (whole && failure_of(s_) == nullptr &&
             (s_.hidden.times || in_.times == nullptr || !has_more_to_gain(*in_.times)))
      part.color = pen_.palette().ideal;
    parts_.push_back(std::move(part));
  }

  void add_time() {
    if (s_.hidden.times) return;
    const RungTime* time = current_of(in_);
    if (time == nullptr || time->measurement == nullptr) {
      const std::string brief = pen_.text("scene.time.missing");
      if (!in_.waits.empty()) parts_.push_back({Count::None, {in_.waits, brief, brief, {}}});
      return;
    }
    const measure::Measurement& m = *time->measurement;
    const std::string figure = seconds_text(m.cold.median),
                      takes = pen_.text("strip.time", {{"time", figure}}),
                      from = pen_.text(m.recorded ? "strip.time.recorded" : "strip.time.measured",
                                       {{"gpu", m.device.name}});
    std::string detail;
    if (const double percent = time->percent_of_reference; percent > 0) {
      detail = kDot + pen_.text("strip.time.share", {{"n", std::to_string(std::lround(percent))},
                                                     {"of", name_of_reference(m.reference)}});
    }
    if (!in_.timed.empty()) detail += kDot + in_.timed;
    const std::string brief =
        pen_.text(m.recorded ? "strip.time.recorded.brief" : "strip.time.measured.brief", {{"time", figure}});
    // Beside A the other half says where times are from.
    const std::string briefest = in_.longest > 0 ? figure : brief;
    parts_.push_back({Count::None,
                      {takes + kDot + from + detail, brief, brief, brief, briefest},
                      {},
                      takes + "\n" + from + detail});
  }

  scene::Type type_of(const StripPart& part) const {
    const bool counted = part.what != Count::None && counts(part.what);
    const Color ink = counted ? pen_.palette().text : part.color.value_or(pen_.palette().secondary);
    return {kSize, ink, scene::Align::Left, scene::Font::Words, part.color || counted};
  }
  float width_of(std::size_t level) const {
    float width = -pen_.px(kApart);
    for (const StripPart& part : parts_)
      if (!part.words[level].empty())
        width += pen_.width_of(part.words[level], type_of(part)) + pen_.px(kApart);
    return width;
  }

  const StripInput& in_;
  const Simulation& s_;
  const PricedAccess& now_;
  Pen pen_;
  std::vector<StripPart> parts_;
};

// "12.3 µs" of "85.0 µs": in the unit and with the decimals of the whole, so that it runs in one place.
std::string part_text(double part, const std::string& whole) {
  const std::size_t unit = std::min(whole.find(' '), whole.size()), point = whole.find('.');
  const int decimals = point < unit ? static_cast<int>(unit - point - 1) : 0;
  return formatted("%.*f", decimals, part * std::strtod(whole.c_str(), nullptr)) + whole.substr(unit);
}

// The clock of one side of a race: how much of its time has gone by, as a bar and in words, with where the
// time is from.
scene::Scene clock_scene(const measure::Measurement& m, const StripInput& in, const scene::Canvas& canvas) {
  Pen pen(canvas);
  const std::string whole = seconds_text(m.cold.median),
                    from = pen.text(m.recorded ? "strip.time.recorded" : "strip.time.measured",
                                    {{"gpu", m.device.name}});
  const double part = *in.raced;
  const bool there = part >= 1;
  const scene::Palette& p = pen.palette();
  const std::string words = there
                                ? pen.text("strip.race.there", {{"time", whole}})
                                : pen.text("strip.race", {{"now", part_text(part, whole)}, {"time", whole}});
  const scene::Type type{15, p.text, scene::Align::Left, scene::Font::Words, true};
  const float bar = pen.px(6), y = 0.5f * (pen.height() - bar);
  pen.label_within(0, {0, y}, pen.width(), words, type);
  const float used = pen.width_of(words, type) + pen.px(18);
  if (pen.width() > used) pen.label_within(0, {used, y}, pen.width() - used, from, {15, p.secondary});
  // Both sides in one scale: who is there first has the shorter way.
  const float track_width =
      in.longest > 0 ? static_cast<float>(m.cold.median / in.longest) * in.longest_bar : pen.width();
  const scene::Rect track{0, pen.height() - bar, track_width, bar};
  pen.cell(0, track, p.line).rounded(0.5f * bar);
  pen.cell(0, {0, track.y, static_cast<float>(part) * track.width, bar}, p.text).rounded(0.5f * bar);
  return pen.finish();
}

}  // namespace

scene::Scene strip_scene(const StripInput& input, const scene::Canvas& canvas) {
  const RungTime* raced = input.raced ? current_of(input) : nullptr;
  if (raced != nullptr && raced->measurement != nullptr)
    return clock_scene(*raced->measurement, input, canvas);
  if (!input.simulation->now) return Pen(canvas).finish();
  return StripPicture(input, canvas).draw();
}

std::string timed_words(const std::vector<RungTime>& times, const Settings& settings, bool optimised,
                        const language::Strings& strings) {
  const RungTime* now = current_of(times);
  const bool measured = now != nullptr && now->measurement != nullptr;
  if (measured && !now->one_program)
    optimised = now->measurement->subject.mode == measure::CompileMode::AsOptimised;
  std::string size = measured && !now->size.empty() ? now->size : size_text(settings.values);
  if (!size.empty()) size += kDot;
  return size + strings(optimised ? "times.mode.optimised" : "times.mode.written");
}

memory::LaneMask lanes_counted(const PricedAccess& access, const scene::Counting& counting) {
  if (counting.what != scene::Count::Lanes && counting.what != scene::Count::Used)
    return ~memory::LaneMask{0};
  memory::LaneMask lanes = 0, left = access.access.active;
  for (int i = 0; i < counting.n && left != 0; ++i, left &= left - 1) lanes |= left & -left;
  return lanes;
}

int most_to_count(const Simulation& s, scene::Count what) {
  if (!s.now || s.now->known != Known::All) return 0;
  switch (what) {
    case Count::Lanes:
    case Count::Used:
      return std::popcount(s.now->access.active);
    case Count::Requests:
      return static_cast<int>(lines_of_requests(s).size());
    case Count::Cost:
      return s.now->access.space == memory::Space::Shared ? s.now->cost.wavefronts : s.now->cost.sectors;
    case Count::Moved:
      return s.now->cost.sectors;
    case Count::None:
      break;
  }
  return 0;
}

std::vector<std::pair<int, std::uint64_t>> lines_of_requests(const Simulation& s) {
  if (!s.totals || s.totals->error || s.hidden.rest || s.hidden.costs) return {};
  std::map<int, std::uint64_t> lines;
  for (const auto* sites : {&s.totals->global_sites, &s.totals->shared_sites})
    for (std::size_t i = 0; i < sites->size(); ++i)
      if ((*sites)[i].requests > 0) lines[s.program().sites[i].range.begin.line] += (*sites)[i].requests;
  return {lines.begin(), lines.end()};
}

}  // namespace warplens::app
