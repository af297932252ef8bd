#include "app/state/teaching/tour.h"

namespace warplens::app {
namespace {

constexpr const char* kNaive = "transpose_naive_row";
constexpr const char* kTile = "transpose_shared";
using Keys = TourStop::Keys;

constexpr TourStop kStops[] = {
    {TourPanel::Global, "tour.global.title", "tour.global", kNaive},
    {TourPanel::Access, "tour.access.title", "tour.access", kNaive},
    {TourPanel::Source, "tour.source.title", "tour.source", kNaive, false, {}, Keys::Editing},
    {TourPanel::Transport, "tour.transport.title", "tour.transport", kNaive, false, {}, Keys::Stepping},
    {TourPanel::Shared, "tour.shared.title", "tour.shared", kTile},
    {TourPanel::Parameters, "tour.parameters.title", "tour.parameters", kTile, false, TourPanel::Shared},
    {TourPanel::Grid, "tour.grid.title", "tour.grid", kTile, true},
    {TourPanel::Times, "tour.times.title", "tour.times", kTile, true},
    {TourPanel::Top, "tour.top.title", "tour.top", kTile, true},
};

}  // namespace

std::span<const TourStop> tour_stops() {
  return kStops;
}

bool is_about(const TourStop& stop, const Settings& settings) {
  return !settings.own && !settings.text && settings.scenario == stop.scenario;
}

}  // namespace warplens::app
