// Global and shared memory: where the lanes of an access go, or what is asked of it.
#include <algorithm>

#include "app/picture/pictures.h"
#include "app/readout/counter_rows.h"
#include "app/scene/memory/question_scene.h"

namespace warplens::picture {
namespace {

using app::Known;
using app::PricedAccess;
using app::Simulation;

scene::Scene nothing(const scene::Canvas& canvas, const char* title, const std::string& why) {
  scene::Scene scene;
  scene.width = canvas.width, scene.height = canvas.height;
  scene.title = (*canvas.strings)(title);
  scene.nothing = why;
  return scene;
}

// Lanes and addresses of what is asked about; of the other access, that it comes later.
scene::Scene asked(const Inputs& in, const PricedAccess& moment, const char* title,
                   const scene::Canvas& canvas) {
  const language::Strings& strings = *canvas.strings;
  const app::Hidden& hidden = in.simulation->hidden;
  if (moment.known == Known::Nothing)
    return nothing(canvas, title, strings(hidden.costs ? "class.hidden" : "class.rest"));
  const bool shared = moment.access.space == memory::Space::Shared;
  scene::QuestionView view;
  view.access = moment.access;
  view.base = moment.buffer_base;
  view.place = shared ? strings("class.shared_place") : moment.buffer_name;
  view.op = app::op_text(moment.access.op, strings);
  view.text = moment.site->text;
  view.lanes_hidden = hidden.lanes;
  view.asked_lane = in.asked_lane;
  return scene::question_scene(view, canvas);
}

// Of an access that is not the one looked at: "Shared memory · next load", without a verdict.
void note_the_other(const Inputs& in, const PricedAccess& moment, const language::Strings& strings,
                    scene::Scene* scene) {
  const int now = in.simulation->place.event;
  if (moment.event == now) return;
  const std::string dot = " · ", note = strings(moment.event > now ? "memory.next" : "memory.before") + " ";
  for (std::string* title : {&scene->title, &scene->title_parts.lead}) {
    const std::size_t at = title->find(dot);
    title->insert(at == std::string::npos ? title->size() : at + dot.size(), note);
  }
  const std::string& lead = scene->title_parts.lead;
  if (const std::size_t at = lead.find(dot); at != std::string::npos)
    scene->title_parts.brief = lead.substr(at + dot.size());
  scene->answer_is_costly = scene->answer_is_ideal = false;
}

const sim::SharedArray* array_of(const sim::Program& program, const std::string& name) {
  for (const sim::SharedArray& array : program.shared_arrays) {
    if (array.name == name) return &array;
  }
  return nullptr;
}

int padding_of(const app::Compiled& compiled, const std::string& array) {
  const sim::SharedArray* declared = array_of(compiled.program, array);
  return declared != nullptr ? scene::padding_words(*declared, compiled.names) : -1;
}

// The array and its access, without what moves.
scene::BankView bank_view(const Simulation& s, const PricedAccess& moment) {
  scene::BankView view;
  view.program = &s.program();
  view.site = moment.site;
  view.access = moment.access;
  view.refused = moment.refused;
  view.padding_words_per_row = padding_of(*s.compiled, moment.site->array);
  view.with_array = true;
  return view;
}

// Words slide from where they lay before padding or block shape was turned.
void add_slide(const Inputs& in, const PricedAccess& moment, scene::BankView* view) {
  if (in.motion == nullptr || !in.motion->previous) return;
  view->previous = in.motion->previous.get();
  view->slide = in.motion->slide(in.now);
  const app::Compiled* before = in.motion->previous_compiled.get();
  if (before == nullptr) return;
  view->previous_program = &before->program;
  view->previous_padding_words = padding_of(*before, moment.site->array);
  for (const sim::AccessSite& site : before->program.sites) {
    if (site.array == moment.site->array && site.op == moment.site->op) view->previous_site = &site;
  }
}

// Of a warp without an access to this memory: it makes none, or does not get there.
std::string why_none(const Simulation& s, const char* none, const language::Strings& strings) {
  if (s.empty()) return {};
  if (s.stopped_here()) return strings("memory.none.stopped");
  const std::string uncounted = app::uncounted_text(s.compiled->uncounted, strings);
  if (uncounted.empty()) return strings(none);
  return strings("memory.none.uncounted", {{"uncounted", uncounted}});
}

}  // namespace

scene::Scene global_memory(const Inputs& in, const scene::Canvas& canvas) {
  const Simulation& s = *in.simulation;
  if (!s.global) return nothing(canvas, "memory.global", why_none(s, "memory.global.none", *canvas.strings));
  const PricedAccess& moment = *s.global;
  if (moment.known != Known::All) return asked(in, moment, "memory.global", canvas);
  scene::GlobalView view;
  view.program = &s.program();
  view.site = moment.site;
  view.access = moment.access;
  view.buffer_base = moment.buffer_base;
  view.buffer_name = moment.buffer_name;
  view.refused = moment.refused;
  view.array = moment.array;
  view.reuse = in.reuse;
  if (in.motion != nullptr && moment.event == s.place.event) view.progress = in.motion->access(in.now);
  if (in.comparison != nullptr) {
    const auto& differs = in.is_a ? in.comparison->global_a : in.comparison->global_b;
    if (differs) view.differing_lanes = differs->lanes, view.differing_sectors = differs->sectors;
  }
  scene::Scene scene = scene::global_scene(view, canvas);
  note_the_other(in, moment, *canvas.strings, &scene);
  return scene;
}

scene::Scene shared_memory(const Inputs& in, const scene::Canvas& canvas) {
  const Simulation& s = *in.simulation;
  if (!s.shared) {
    const bool has_arrays = !s.empty() && !s.program().shared_arrays.empty();
    if (!has_arrays)
      return nothing(canvas, "memory.shared", s.empty() ? "" : (*canvas.strings)("memory.shared.unused"));
    return nothing(canvas, "memory.shared", why_none(s, "memory.shared.none", *canvas.strings));
  }
  const PricedAccess& moment = *s.shared;
  if (moment.known != Known::All) return asked(in, moment, "memory.shared", canvas);
  const bool active = moment.event == s.place.event;
  const int wavefronts = s.wavefronts_of(moment.event);
  scene::BankView view = bank_view(s, moment), beside;
  view.wavefront = in.whole ? wavefronts : active ? s.place.wavefront : 0;
  if (in.motion != nullptr && active) view.progress = in.motion->wavefront(in.now);
  if (in.comparison != nullptr) {
    const auto& differs = in.is_a ? in.comparison->shared_a : in.comparison->shared_b;
    if (differs) view.differing_banks = differs->banks;
  }
  // Done while the other one still has wavefronts to go.
  const bool longer = in.comparison != nullptr && in.comparison->wavefronts > wavefronts;
  if (active && longer && in.other_wavefront >= wavefronts) view.wavefront = wavefronts;
  if (in.other != nullptr && in.other->shared && in.other->shared->known == Known::All) {
    beside = bank_view(*in.other, *in.other->shared);
    view.beside = &beside;
  }
  add_slide(in, moment, &view);
  scene::Scene scene = scene::bank_scene(view, canvas);
  note_the_other(in, moment, *canvas.strings, &scene);
  return scene;
}

scene::Scene block_map(const Inputs& in, const scene::Canvas& canvas) {
  const Simulation& s = *in.simulation;
  if (s.empty()) return {};
  scene::BlockMapView view;
  view.grid = s.compiled->setup.launch.grid;
  view.block = s.compiled->setup.launch.block;
  view.block_index = s.place.block;
  view.warp = s.place.warp;
  view.active = s.now ? s.now->access.active : 0;
  scene::Scene scene = scene::block_map_scene(view, canvas);
  if (s.hidden.lanes) scene.answer = "?";
  return scene;
}

}  // namespace warplens::picture
