#include "app/views/memory.h"

#include <algorithm>
#include <cmath>

#include "app/scene/memory/question_scene.h"
#include "app/views/banks.h"
#include "app/views/counts.h"
#include "app/views/global.h"
#include "sim/report/report.h"

namespace warplens::views {

scene::Scene nothing_of(const scene::Canvas& canvas, const char* title, const std::string& why) {
  scene::Scene scene;
  scene.width = canvas.width, scene.height = canvas.height;
  scene.title = (*canvas.strings)(title);
  scene.nothing = why;
  return scene;
}

std::string op_key(memory::Op op) {
  return std::string("scene.op.") + report::name_of(op);
}

void draw_left_out(scene::Pen* pen, std::size_t layer, scene::Point middle) {
  const float dot = std::max(1.0f, std::round(pen->px(1.4f))), step = std::max(2.0f, std::round(pen->px(3)));
  for (int i = -1; i <= 1; ++i)
    pen->cell(layer, {middle.x + step * static_cast<float>(i) - 0.5f * dot, middle.y - 0.5f * dot, dot, dot},
              pen->palette().secondary)
        .radius = 0.5f * dot;
}

namespace {

// Lanes and addresses of what is asked about; of the other access, that it comes later.
scene::Scene asked(const Inputs& in, const app::PricedAccess& moment, const char* title,
                   const scene::Canvas& canvas) {
  const language::Strings& strings = *canvas.strings;
  const app::Hidden& hidden = in.simulation->hidden;
  if (moment.known == app::Known::Nothing)
    return nothing_of(canvas, title, strings(hidden.costs ? "class.hidden" : "class.rest"));
  const bool shared = moment.access.space == memory::Space::Shared;
  scene::QuestionView view;
  view.access = moment.access;
  view.base = moment.buffer_base;
  view.place = shared ? strings("class.shared_place") : moment.buffer_name;
  view.op = app::op_text(moment.access.op, strings);
  view.text = moment.site->text;
  if (shared) view.declaration = array_declaration(*in.simulation, moment);
  view.lanes_hidden = hidden.lanes;
  view.asked_lane = in.asked_lane;
  view.places = in.places;
  return scene::question_scene(view, canvas);
}

// Of an access that is not the one looked at: "Shared memory · next load", without a verdict.
void note_the_other(const Inputs& in, const app::PricedAccess& moment, const language::Strings& strings,
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

// Of a warp without an access to this memory: it makes none, or does not get there.
std::string why_none(const app::Simulation& s, const char* none, const language::Strings& strings) {
  if (s.empty()) return {};
  if (s.stopped_here()) return strings("memory.none.stopped");
  const std::string uncounted = uncounted_text(s.compiled->uncounted, strings);
  if (uncounted.empty()) return strings(none);
  return strings("memory.none.uncounted", {{"uncounted", uncounted}});
}

}  // namespace

scene::Scene memory_picture(const Inputs& in, const Looked& looked, const scene::Canvas& canvas) {
  const std::optional<app::PricedAccess>& moment = looked.moment;
  if (!moment)
    return nothing_of(canvas, looked.title, why_none(*in.simulation, looked.none, *canvas.strings));
  const bool drawn = in.places && moment->event == in.simulation->place.event;
  if (moment->known != app::Known::All || drawn) return asked(in, *moment, looked.title, canvas);
  scene::Scene scene = looked.draw(in, *moment, canvas);
  note_the_other(in, *moment, *canvas.strings, &scene);
  return scene;
}

bool looks_at_shared(const app::Simulation& s) {
  return s.now && s.now->access.space == memory::Space::Shared;
}

scene::Scene memory_looked_at(const Inputs& in, const scene::Canvas& canvas) {
  return looks_at_shared(*in.simulation) ? shared_memory(in, canvas) : global_memory(in, canvas);
}

const Row& memory() {
  static const Row kRow{.id = ViewId::Memory, .draw = memory_looked_at};
  return kRow;
}

}  // namespace warplens::views
