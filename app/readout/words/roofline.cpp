#include "app/readout/words/roofline.h"

#include <algorithm>
#include <cmath>

#include "sim/base/numbers.h"

namespace warplens::app {
namespace {

using language::Strings;
using report::RooflinePoint;

// From this share on a roof is what holds a rung back.
constexpr double kNear = 0.5;

std::string level_name(report::MemoryLevel level, const Strings& strings) {
  return strings(level == report::MemoryLevel::Dram ? "roofline.dram"
                 : level == report::MemoryLevel::L2 ? "roofline.l2"
                                                    : "roofline.l1");
}

class RooflineMaker {
 public:
  RooflineMaker(const std::vector<RungTime>& times, const Strings& strings)
      : times_(times), strings_(strings) {}

  scene::RooflineView make() {
    view_.nothing = why_nothing();
    if (!view_.nothing.empty()) return std::move(view_);
    view_.roofs = report::roofs_of(shown_->peaks->peaks);
    if (view_.roofs.empty()) {
      view_.nothing = strings_("roofline.no_peaks");
      return std::move(view_);
    }
    view_.source = source();
    for (const RungTime& time : times_) view_.rungs.push_back(rung_of(time));
    return std::move(view_);
  }

 private:
  // The one that names the GPU: what is looked at, or the first that was measured.
  std::string why_nothing() {
    bool doubles = false, operations = false;
    for (const RungTime& time : times_) {
      if (time.measurement == nullptr) continue;
      operations |= time.measurement->operations > 0;
      doubles |= time.measurement->reference == scenario::Reference::CublasDgemm;
      if (shown_ == nullptr || time.current) shown_ = &time;
    }
    if (shown_ == nullptr) return strings_("roofline.no_times");
    if (!operations) return strings_("roofline.no_operations");
    if (doubles) return strings_("roofline.doubles");
    return shown_->peaks == nullptr ? strings_("roofline.no_peaks") : std::string();
  }

  std::string source() const {
    const measure::Measurement& m = *shown_->measurement;
    const measure::PeakRecord& peaks = *shown_->peaks;
    return strings_(m.recorded ? "roofline.source.recorded" : "roofline.source.live",
                    {{"gpu", m.device.name},
                     {"mhz", std::to_string(peaks.sm_mhz)},
                     {"date", m.when.substr(0, 10)},
                     {"peaks", peaks.when.substr(0, 10)}});
  }

  scene::RooflineRung rung_of(const RungTime& time) {
    scene::RooflineRung rung;
    const scenario::LocalText& label =
        time.scenario->rung_label.empty() ? time.scenario->title : time.scenario->rung_label;
    rung.label = scenario::in_language(label, strings_.language());
    if (!time.size.empty()) rung.label += " (" + time.size + ")";
    rung.current = time.current;
    const measure::Measurement* m = time.measurement;
    const bool timed = m != nullptr && m->is_valid() && m->cold.median > 0 && m->operations > 0 &&
                       m->device.same_gpu(shown_->measurement->device);
    if (!timed) {
      rung.missing = rung.tooltip = strings_("roofline.missing.time");
      return rung;
    }
    const auto operations = static_cast<double>(m->operations);
    rung.per_second = operations / m->cold.median;
    const report::CounterValues counters(m->counters.values.begin(), m->counters.values.end());
    const auto points =
        report::roofline_points(operations, m->cold.median, report::counts_of(counters), view_.roofs);
    for (const RooflinePoint& point : points)
      if (view_.roofs.of(point.level) != nullptr) rung.marks.push_back({point.level, point.intensity, false});
    if (rung.marks.empty()) rung.missing = strings_("roofline.missing.counters");
    rung.tooltip = tip_of(rung, points);
    if (rung.current) tell(rung, points);
    return rung;
  }

  std::string tip_of(const scene::RooflineRung& rung, const std::vector<RooflinePoint>& points) const {
    std::string tip = rung.label + ": " + scene::rate_text(rung.per_second, "FLOP/s");
    for (const RooflinePoint& point : points)
      tip += "\n" + strings_("roofline.tip", {{"level", level_name(point.level, strings_)},
                                              {"intensity", three_figures(point.intensity)},
                                              {"percent", whole_percent(point.share)}});
    return rung.missing.empty() ? tip : tip + "\n" + strings_("roofline.missing.counters.tip");
  }

  void tell(const scene::RooflineRung& rung, const std::vector<RooflinePoint>& points) {
    view_.answer = scene::rate_text(rung.per_second, "FLOP/s");
    const auto nearest = std::ranges::max_element(points, {}, &RooflinePoint::share);
    if (nearest == points.end()) {
      view_.sentence = strings_("roofline.missing.counters.tip");
      return;
    }
    const double of_units = rung.per_second / view_.roofs.flops_per_second;
    if (of_units >= nearest->share - 1e-9)  // beyond the bend of every roof
      view_.sentence = strings_(of_units >= kNear ? "roofline.units" : "roofline.units.far",
                                {{"percent", whole_percent(of_units)}});
    else
      view_.sentence = strings_(nearest->share >= kNear ? "roofline.near" : "roofline.far",
                                {{"level", level_name(nearest->level, strings_)},
                                 {"percent", whole_percent(nearest->share)},
                                 {"intensity", three_figures(nearest->intensity)}});
  }

  const std::vector<RungTime>& times_;
  const Strings& strings_;
  const RungTime* shown_ = nullptr;
  scene::RooflineView view_;
};

}  // namespace

scene::RooflineView roofline_view(const std::vector<RungTime>& times, const std::string& before,
                                  float progress, const Strings& strings) {
  scene::RooflineView view = RooflineMaker(times, strings).make();
  const auto from =
      std::ranges::find_if(times, [&](const RungTime& time) { return time.scenario->name == before; });
  if (from == times.end() || view.rungs.empty() || progress >= 1) return view;
  view.from = static_cast<int>(from - times.begin());
  view.progress = progress;
  return view;
}

}  // namespace warplens::app
