// Shared memory: the array under its banks.
#include "app/panels/lessons/lesson_panels.h"
#include "app/panels/memory/memory_panels.h"

namespace warplens::panels {
namespace {

const warp::SharedArray* array_of(const session::Simulation& s, const session::Moment& moment) {
  for (const warp::SharedArray& array : s.program().shared_arrays) {
    if (array.name == moment.site->array) return &array;
  }
  return nullptr;
}

// The array and its access, without what moves.
scene::BankView picture_of(const session::Simulation& sim, const session::Moment& moment) {
  scene::BankView picture;
  picture.program = &sim.program();
  picture.site = moment.site;
  picture.gpu = sim.compiled->gpu;
  picture.access = moment.access;
  if (const warp::SharedArray* array = array_of(sim, moment))
    picture.padding_words_per_row = scene::padding_words(*array, sim.compiled->settings.values);
  return picture;
}

}  // namespace

Actions draw_shared(const View& view, const Rect& rect) {
  if (view.sim.shared && is_secret(view, *view.sim.shared))
    return draw_question_panel(view, rect, *view.sim.shared);
  if (!view.sim.shared) {
    const bool has_arrays = !view.sim.empty() && !view.sim.program().shared_arrays.empty();
    draw_calm_panel(
        view, rect, view.strings("memory.shared"),
        view.sim.empty() ? "" : view.strings(has_arrays ? "memory.shared.none" : "memory.shared.unused"));
    return {};
  }
  const session::Moment& moment = *view.sim.shared;
  const bool active = moment.event == view.sim.place.event;
  const Rect room = scene_room(view, rect);
  scene::BankView picture = picture_of(view.sim, moment), beside;
  picture.wavefront = active ? view.sim.place.wavefront : 0;
  picture.progress = active ? view.motion.wavefront(view.now) : 1;
  if (view.comparison != nullptr) {
    const auto& differs = view.is_a ? view.comparison->shared_a : view.comparison->shared_b;
    if (differs) picture.differing_banks = differs->banks;
    // Done while the other one still has wavefronts to go.
    const int own = view.sim.wavefronts_of(moment.event);
    if (active && view.comparison->wavefronts > own && view.state.position.wavefront >= own)
      picture.wavefront = own;
  }
  if (view.other != nullptr && view.other->sim.shared && !is_secret(*view.other, *view.other->sim.shared)) {
    beside = picture_of(view.other->sim, *view.other->sim.shared);
    picture.beside = &beside;
  }
  if (view.motion.previous) {
    picture.previous = view.motion.previous.get();
    if (const session::Compiled* before = view.motion.previous_compiled.get()) {
      for (const warp::AccessSite& site : before->program.sites) {
        if (site.array == moment.site->array && site.op == moment.site->op) picture.previous_site = &site;
      }
      picture.previous_program = &before->program;
      for (const warp::SharedArray& array : before->program.shared_arrays) {
        if (array.name == moment.site->array)
          picture.previous_padding_words = scene::padding_words(array, before->settings.values);
      }
    }
    picture.slide = view.motion.slide(view.now);
  }
  return draw_scene_panel(view, rect, scene::bank_scene(picture, view.canvas(room.width, room.height)),
                          active, note_of(view, moment));
}

}  // namespace warplens::panels
