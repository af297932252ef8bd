#include "app/session/tour.h"

namespace warplens::session {
namespace {

constexpr const char* kNaive = "transpose_naive_row";
constexpr const char* kTile = "transpose_shared";

constexpr TourStop kStops[] = {
    {TourPanel::Global, "tour.global.title", "tour.global", kNaive},
    {TourPanel::Access, "tour.access.title", "tour.access", kNaive},
    {TourPanel::Source, "tour.source.title", "tour.source", kNaive},
    {TourPanel::Transport, "tour.transport.title", "tour.transport", kNaive},
    {TourPanel::Shared, "tour.shared.title", "tour.shared", kTile},
    {TourPanel::Parameters, "tour.parameters.title", "tour.parameters", kTile},
    {TourPanel::Grid, "tour.grid.title", "tour.grid", kTile},
    {TourPanel::Times, "tour.times.title", "tour.times", kTile},
    {TourPanel::Top, "tour.top.title", "tour.top", kTile},
};

}  // namespace

std::span<const TourStop> tour_stops() {
  return kStops;
}

}  // namespace warplens::session
