#include "app/share/pictures.h"

#include <algorithm>

#include "app/readout/verdict.h"
#include "app/scene/file/svg.h"
#include "app/scene/memory/question_scene.h"
#include "app/scene/pen.h"
#include "app/scene/text.h"

namespace warplens::share {
namespace {

using session::ShareWhat;
constexpr float kOutside = 20, kBetween = 12, kInside = 14, kHeading = 34;

scene::Canvas canvas_of(const Subject& subject, float width, float height) {
  scene::Canvas canvas;
  canvas.width = width;
  canvas.height = height;
  canvas.palette = subject.palette;
  canvas.strings = &subject.strings;
  return canvas;
}

// A panel that has nothing to show says why.
scene::Scene calm(const Subject& subject, const char* title, const char* words, float width, float height) {
  scene::Pen pen(canvas_of(subject, width, height));
  pen.scene().title = subject.strings(title);
  if (pen.too_small()) return pen.finish();
  pen.label_within(0, {0.5f * width, 0.5f * height}, width, subject.strings(words),
                   {14, subject.palette->secondary, scene::Align::Center});
  return pen.finish();
}

// Puts panels, titles and texts on one page.
class Page {
 public:
  explicit Page(const Subject& subject) : subject_(subject), palette_(*subject.palette) {
    page_.width = kSlideWidth;
    page_.height = kSlideHeight;
    page_.layers.resize(1);
    page_.layers[0].cells.push_back({{0, 0, kSlideWidth, kSlideHeight}, 0, palette_.window, {}, 0, 0, {}});
  }

  // Caption and provenance at the foot; gives what is left above.
  scene::Rect foot(const std::string& caption, const std::string& provenance) {
    const float width = kSlideWidth - 2 * kOutside;
    const auto first = scene::wrapped(caption, width, 15, 2),
               second = scene::wrapped(provenance, width, 13, 2);
    float y = kSlideHeight - kOutside + 4 - 18 * static_cast<float>(second.size()) -
              22 * static_cast<float>(first.size());
    const float top = y - 8;
    for (const std::string& line : first) label({kOutside, y + 10}, line, 15, palette_.text), y += 22;
    for (const std::string& line : second) label({kOutside, y + 8}, line, 13, palette_.secondary), y += 18;
    return {kOutside, kOutside, width, top - kOutside};
  }

  void label(scene::Point at, std::string text, float size, scene::Color color,
             scene::Align align = scene::Align::Left, bool bold = false) {
    page_.layers[0].labels.push_back({at, std::move(text), size, color, align, scene::Font::Words, bold});
  }

  // The room inside a panel at `rect`.
  static scene::Rect inside(const scene::Rect& rect) {
    return {rect.x + kInside, rect.y + kHeading, rect.width - 2 * kInside, rect.height - kHeading - 10};
  }

  void panel(const scene::Rect& rect, const scene::Scene& scene) {
    page_.layers[0].cells.push_back({rect, 8, palette_.panel, palette_.line, 1, 0, {}});
    const float room = rect.width - 2 * kInside, y = rect.y + 19;
    const scene::Color verdict = scene.answer_is_costly  ? palette_.costly
                                 : scene.answer_is_ideal ? palette_.ideal
                                                         : palette_.secondary;
    const std::string answer = scene::shortened(scene.answer, 0.7f * room, 14, scene::Font::Words, true);
    const float used = answer.empty() ? 0 : scene::text_width(answer, 14, scene::Font::Words, true) + 16;
    label({rect.x + rect.width - kInside, y}, answer, 14, verdict, scene::Align::Right, true);
    label({rect.x + kInside, y}, scene::title_within(scene, room - used, 15), 15,
          scene::mix(palette_.secondary, palette_.text, 0.55f), scene::Align::Left, true);
    const scene::Rect room_inside = inside(rect);
    for (scene::Layer layer : scene.layers) {
      const float x = room_inside.x, top = room_inside.y;
      for (scene::Arc& a : layer.arcs) a.from.x += x, a.from.y += top, a.to.x += x, a.to.y += top;
      for (scene::Cell& c : layer.cells) c.rect.x += x, c.rect.y += top;
      for (scene::Label& l : layer.labels) l.at.x += x, l.at.y += top;
      page_.layers.push_back(std::move(layer));
    }
  }

  // The scenario at the left, the verdict large at the right; gives what is left below.
  scene::Rect title(const scene::Rect& room) {
    const session::Simulation& s = *subject_.simulation;
    float used = 0;
    if (s.now && subject_.hidden.costs) {
      label({room.x + room.width, room.y + 20}, "?", 36, palette_.accent, scene::Align::Right, true);
      used = 40;
    } else if (s.now) {
      const session::Judgement j = session::judge(*s.now, subject_.strings);
      const scene::Color color = j.verdict == session::Verdict::Costly ? palette_.costly : palette_.ideal;
      const float words = scene::text_width(j.words, 17);
      label({room.x + room.width, room.y + 20}, j.words, 17, palette_.text, scene::Align::Right);
      label({room.x + room.width - words - 12, room.y + 20}, j.figure, 36, color, scene::Align::Right, true);
      used = words + scene::text_width(j.figure, 36, scene::Font::Words, true) + 36;
    }
    label({room.x, room.y + 20},
          scene::shortened(subject_.title, room.width - used, 22, scene::Font::Words, true), 22,
          palette_.text, scene::Align::Left, true);
    return {room.x, room.y + 46, room.width, room.height - 46};
  }

  scene::Scene finish(const std::string& title) {
    page_.title = title;
    return std::move(page_);
  }

 private:
  const Subject& subject_;
  const scene::Palette& palette_;
  scene::Scene page_;
};

bool uses_shared(const session::Simulation& s) {
  return !s.program().shared_arrays.empty() || s.shared.has_value();
}

scene::Scene slide(const Subject& subject) {
  const session::Simulation& s = *subject.simulation;
  Page page(subject);
  const scene::Rect body = page.title(page.foot(caption_of(subject), provenance_of(subject)));
  const float left = std::round(0.38f * body.width);
  const auto put = [&](const scene::Rect& rect, auto&& make) {
    const scene::Rect room = Page::inside(rect);
    page.panel(rect, make(subject, room.width, room.height));
  };
  put({body.x, body.y, left, body.height}, source_picture);
  const scene::Rect right{body.x + left + kBetween, body.y, body.width - left - kBetween, body.height};
  if (!uses_shared(s)) {
    put(right, global_picture);
  } else {
    // The access looked at has the larger half.
    const bool shared = s.now && s.now->access.space == memory::Space::Shared;
    const float upper = std::round((shared ? 0.38f : 0.62f) * (right.height - kBetween));
    put({right.x, right.y, right.width, upper}, global_picture);
    put({right.x, right.y + upper + kBetween, right.width, right.height - upper - kBetween}, shared_picture);
  }
  return page.finish(subject.title);
}

}  // namespace

namespace {

// What is on screen in a memory panel's place while a question is open.
scene::Scene asking_picture(const Subject& subject, const session::Moment& moment, const char* title,
                            float width, float height) {
  if (moment.event != subject.simulation->place.event)
    return calm(subject, title, subject.hidden.costs ? "class.later" : "class.later.rest", width, height);
  const bool shared = moment.access.space == memory::Space::Shared;
  scene::QuestionView view;
  view.access = moment.access;
  view.base = moment.buffer_base;
  view.place = shared ? subject.strings("class.shared_place") : moment.buffer_name;
  view.op = session::op_text(moment.access.op, subject.strings);
  view.text = moment.site->text;
  view.lanes_hidden = subject.hidden.lanes;
  view.asked_lane = subject.asked_lane;
  return scene::question_scene(view, canvas_of(subject, width, height));
}

bool is_secret(const Subject& subject, const session::Moment& moment) {
  const session::Hidden& hidden = subject.hidden;
  return hidden.costs || (hidden.rest && moment.event != subject.simulation->place.event);
}

}  // namespace

scene::Scene global_picture(const Subject& subject, float width, float height) {
  const session::Simulation& s = *subject.simulation;
  if (s.global && is_secret(subject, *s.global))
    return asking_picture(subject, *s.global, "memory.global", width, height);
  if (!s.global) return calm(subject, "memory.global", "memory.global.none", width, height);
  scene::GlobalView view;
  view.program = &s.program();
  view.site = s.global->site;
  view.gpu = s.compiled->gpu;
  view.access = s.global->access;
  view.buffer_base = s.global->buffer_base;
  view.buffer_name = s.global->buffer_name;
  return scene::global_scene(view, canvas_of(subject, width, height));
}

scene::Scene shared_picture(const Subject& subject, float width, float height) {
  const session::Simulation& s = *subject.simulation;
  if (s.shared && is_secret(subject, *s.shared))
    return asking_picture(subject, *s.shared, "memory.shared", width, height);
  if (!s.shared) {
    const bool has_arrays = !s.program().shared_arrays.empty();
    return calm(subject, "memory.shared", has_arrays ? "memory.shared.none" : "memory.shared.unused", width,
                height);
  }
  scene::BankView view;
  view.program = &s.program();
  view.site = s.shared->site;
  view.gpu = s.compiled->gpu;
  view.access = s.shared->access;
  const bool active = s.shared->event == s.place.event;
  view.wavefront = active ? s.place.wavefront : std::max(s.shared->cost.wavefronts, 1);
  for (const warp::SharedArray& array : s.program().shared_arrays) {
    if (array.name == s.shared->site->array)
      view.padding_words_per_row = scene::padding_words(array, s.compiled->setup.values);
  }
  return scene::bank_scene(view, canvas_of(subject, width, height));
}

scene::Scene map_picture(const Subject& subject, float width, float height) {
  const session::Simulation& s = *subject.simulation;
  scene::BlockMapView view;
  view.grid = s.compiled->setup.launch.grid;
  view.block = s.compiled->setup.launch.block;
  view.block_index = s.place.block;
  view.warp = s.place.warp;
  view.active = subject.hidden.lanes ? ~memory::LaneMask{0} : s.now ? s.now->access.active : 0;
  scene::Scene out = scene::block_map_scene(view, canvas_of(subject, width, height));
  if (subject.hidden.lanes) out.answer = "?";
  return out;
}

scene::Scene times_picture(const Subject& subject, float width, float height) {
  if (subject.times_source.empty()) return calm(subject, "times.title", "times.caption.none", width, height);
  scene::Scene out = scene::time_bars_scene(subject.times, canvas_of(subject, width, height));
  if (out.title.empty()) out.title = subject.strings("times.title");
  return out;
}

scene::Scene lanes_picture(const Subject& subject, float width, float height) {
  const session::Simulation& s = *subject.simulation;
  const scene::Palette& p = *subject.palette;
  const Table table = lanes_table(subject);
  scene::Pen pen(canvas_of(subject, width, height));
  pen.scene().title = subject.strings("lanes.title", {{"warp", std::to_string(s.place.warp)},
                                                      {"block", "(" + std::to_string(s.place.block.x) + ", " +
                                                                    std::to_string(s.place.block.y) + ")"}});
  if (pen.too_small() || table.rows.empty()) return pen.finish();
  const float row = height / 33, size = std::min(13.0f, 0.8f * row);
  const float lead = 60, column = (width - lead) / static_cast<float>(table.columns.size() - 1);
  const auto right_end = [&](std::size_t i) { return i == 0 ? lead : lead + column * static_cast<float>(i); };
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    pen.label(1, {right_end(i), 0.5f * row}, table.columns[i], {size, p.secondary, scene::Align::Right});
  for (std::size_t lane = 0; lane < table.rows.size(); ++lane) {
    const float y = row * (static_cast<float>(lane) + 1.5f);
    const bool active = (s.now->access.active >> lane & 1) != 0;
    if (lane % 2 == 1) pen.cell(0, {0, y - 0.5f * row, width, row}, p.cell).radius = 2;
    pen.cell(1, {4, y - 0.36f * row, 0.72f * row, 0.72f * row}, active ? p.lanes[lane] : p.line);
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const std::string& cell = table.rows[lane][i];
      pen.label(1, {right_end(i), y}, cell.empty() ? "–" : cell,
                {size, active && !cell.empty() ? p.text : p.faint, scene::Align::Right, scene::Font::Code});
    }
  }
  return pen.finish();
}

scene::Scene picture(ShareWhat what, const Subject& subject) {
  if (what == ShareWhat::Slide || what == ShareWhat::Steps) return slide(subject);
  Page page(subject);
  const std::string source = what == ShareWhat::Times && !subject.times_source.empty()
                                 ? subject.times_source + " · Warplens " WARPLENS_VERSION
                                 : provenance_of(subject);
  const std::string caption = what == ShareWhat::Times
                                  ? subject.title + (subject.times_of.empty() ? "" : " · " + subject.times_of)
                                  : caption_of(subject);
  const scene::Rect body = page.foot(caption, source), room = Page::inside(body);
  const auto make = [&] {
    switch (what) {
      case ShareWhat::Shared:
        return shared_picture(subject, room.width, room.height);
      case ShareWhat::Map:
        return map_picture(subject, room.width, room.height);
      case ShareWhat::Source:
        return source_picture(subject, room.width, room.height);
      case ShareWhat::Lanes:
        return lanes_picture(subject, room.width, room.height);
      case ShareWhat::Times:
        return times_picture(subject, room.width, room.height);
      default:
        return global_picture(subject, room.width, room.height);
    }
  };
  const scene::Scene inside = make();
  page.panel(body, inside);
  return page.finish(inside.title);
}

}  // namespace warplens::share
