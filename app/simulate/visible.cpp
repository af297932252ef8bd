#include "app/simulate/visible.h"

namespace warplens::app {
namespace {

PricedAccess visible(const PricedAccess& moment, const Hidden& hidden, bool looked_at) {
  if (looked_at && !hidden.costs) return moment;
  PricedAccess out;
  out.event = moment.event;
  out.known = looked_at ? Known::Addresses : Known::Nothing;
  if (!looked_at) return out;
  out.site = moment.site;
  out.instr = moment.instr;
  out.access = moment.access;
  out.buffer_name = moment.buffer_name;
  out.buffer_base = moment.buffer_base;
  if (hidden.lanes) out.access.active = ~memory::LaneMask{0}, out.access.addresses = {};
  return out;
}

}  // namespace

std::shared_ptr<const Simulation> visible(std::shared_ptr<const Simulation> simulation,
                                          const Hidden& hidden) {
  const bool nothing = !hidden.costs && !hidden.lanes && !hidden.rest;
  if ((nothing && !hidden.times) || simulation->empty()) return simulation;
  auto out = std::make_shared<Simulation>(*simulation);
  out->hidden = hidden;
  if (nothing) return out;  // times are no part of a simulation
  out->trace = nullptr;
  out->lines = nullptr;
  out->totals = nullptr;
  if (simulation->totals) out->totals_progress = 1;
  if (hidden.lanes) out->variables = nullptr;
  const int event = out->place.event;
  auto events = std::make_shared<std::vector<PricedEvent>>(*simulation->events);
  for (int i = 0; i < static_cast<int>(events->size()); ++i) {
    PricedEvent& priced = (*events)[static_cast<std::size_t>(i)];
    if (hidden.costs || i != event) priced.units = priced.ideal = 0;
  }
  out->events = std::move(events);
  if (hidden.costs) out->place.wavefront = 0, out->other_wavefronts = 1;
  for (std::optional<PricedAccess>* moment : {&out->now, &out->global, &out->shared}) {
    if (*moment) *moment = visible(**moment, hidden, (*moment)->event == event);
  }
  return out;
}

}  // namespace warplens::app
