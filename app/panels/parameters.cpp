// The parameters that a class turns: a slider each, or a stepper where only some values are allowed; each
// with its key.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <deque>

#include "app/panels/panels.h"
#include "app/panels/widgets/text_input.h"
#include "app/panels/widgets/ui.h"
#include "app/state/catalog.h"
#include "app/state/teaching.h"

namespace warplens::panels {
namespace {

using scenario::ScenarioParameter;

// A parameter as it is shown, and what a person may do to it.
struct Turned {
  const ScenarioParameter& p;
  std::int64_t value;
  std::string text;   // of the value
  std::string input;  // in which it is typed
  bool moved, locked, typed, refused;
  Face figures = moved ? Face::CodeBold : Face::Code, words = moved ? Face::WordsBold : Face::Words;
};

Turned turned_of(const View& view, const ScenarioParameter& p) {
  const std::int64_t value = app::value_of(p, view.state.settings.values);
  const std::string input = std::string(app::kValueInput) + p.name;
  const bool typed = has_keyboard(view, input);
  const std::string& text = view.state.field.text;
  return {p,
          value,
          scenario::shown_value(p, value, view.state.language),
          input,
          value != p.fallback,
          app::is_locked(view.state, p.name),
          typed,
          typed && !text.empty() && !app::value_in(p, text)};
}

const std::string& label_of(const View& view, const ScenarioParameter& parameter) {
  return scenario::in_language(parameter.label, view.state.language);
}

// The value in its box; a click makes an input of it.
void draw_value(const View& view, const Turned& turned, const Rect& box, Align align, float size) {
  if (turned.typed) return draw_input(view, turned.input, box, {}, {.wrong = turned.refused, .size = size});
  const Hit hit = turned.locked ? Hit() : hit_area("value", box);
  const scene::Palette& p = view.palette;
  if (hit.hovered) {
    draw_box(box, scene::mix(p.cell, p.text, 0.06f), p.line, view.px(4));
    ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
    tooltip(view,
            view.strings("parameter.type.tip", {{"range", app::range_text(turned.p, view.state.language)}}));
  }
  const float inside = view.px(6);
  const float x = align == Align::Right ? right(box) - inside : box.x + 0.5f * box.width;
  draw_text(view, {x, middle(box)}, turned.text, {size, p.text, align, turned.figures, box.width - inside});
  if (hit.clicked) view.act(app::FocusField{turned.input});
}

// In A│B those that differ have the accent, else those that were turned.
Color caption_color(const View& view, const Turned& turned) {
  const scene::Palette& p = view.palette;
  if (turned.refused) return legible(p.costly, p.panel, p);
  const bool marked = view.comparison == nullptr
                          ? turned.moved
                          : std::ranges::count(view.comparison->parameters, turned.p.name,
                                               &app::ParameterDifference::name) > 0;
  return marked ? p.accent : p.secondary;
}
// The name; while a value is typed, what can be typed beside it where `type` has room for both.
std::string caption_of(const View& view, const Turned& turned, const Type& type) {
  const std::string name = label_of(view, turned.p),
                    both = name + ": " + app::range_text(turned.p, view.state.language);
  return turned.typed && text_width(view, both, type) <= type.room ? both : name;
}

// A size's track is logarithmic, any other's linear; choices are evenly spaced.
float part_of(const ScenarioParameter& p, std::int64_t value) {
  if (!p.choices.empty()) {
    const auto at = std::find(p.choices.begin(), p.choices.end(), value) - p.choices.begin();
    return p.choices.size() < 2 ? 0 : static_cast<float>(at) / static_cast<float>(p.choices.size() - 1);
  }
  const auto low = static_cast<double>(p.minimum), high = static_cast<double>(p.maximum),
             v = static_cast<double>(value);
  if (high <= low) return 0;
  return static_cast<float>(app::is_size(p) ? std::log(v / low) / std::log(high / low)
                                            : (v - low) / (high - low));
}

std::int64_t value_at(const ScenarioParameter& p, float part) {
  if (!p.choices.empty()) {
    return p.choices[static_cast<std::size_t>(std::lround(part * static_cast<float>(p.choices.size() - 1)))];
  }
  const auto low = static_cast<double>(p.minimum), high = static_cast<double>(p.maximum);
  if (app::is_size(p)) {  // powers of two, between which the keys and the arrows find the others
    const double exponent = std::log2(low) + part * std::log2(high / low);
    return app::clamped(p, static_cast<std::int64_t>(std::llround(std::exp2(std::round(exponent)))));
  }
  const auto step = static_cast<double>(std::max<std::int64_t>(p.step, 1));
  return app::clamped(
      p, p.minimum + static_cast<std::int64_t>(std::llround(part * (high - low) / step) * p.step));
}

float compact_step(const View& view, const Rect& rect) {
  return std::min(view.px(24), rect.height);
}
float compact_room(const View& view, const std::string& value) {
  return std::max(view.px(44),
                  text_width(view, value, {14, {}, Align::Center, Face::CodeBold}) + view.px(14));
}

// Less and more: `rect` is the button's; one that is locked has a lock instead. With Ctrl by one, where a
// step is more.
void step_button(const View& view, const Turned& turned, int by, const Rect& rect) {
  const scene::Palette& p = view.palette;
  if (turned.locked) {
    if (by < 0)
      draw_icon(view, Icon::Lock, {rect.x + 0.5f * rect.width, middle(rect)}, view.px(11), p.secondary);
    return;
  }
  const Hit hit = hit_area(by < 0 ? "less" : "more", rect);
  fill(rect, hit.hovered ? scene::mix(p.cell, p.text, 0.12f) : p.cell, view.px(4));
  draw_text(view, {rect.x + 0.5f * rect.width, middle(rect)}, by < 0 ? "−" : "+",
            {14, p.text, Align::Center, Face::Code});
  if (!hit.clicked) return;
  if (ImGui::GetIO().KeyCtrl && turned.p.choices.empty())
    view.act(app::SetParameter{turned.p.name, turned.value + by, {}});
  else
    view.act(app::StepParameter{turned.p.name, by});
}

// Where a name stands: what it is called in the text, its `range` and its key; the wheel steps it.
void name_area(const View& view, const Turned& turned, const Rect& rect, const std::string& range) {
  if (!hit_area("whole", rect).hovered) return;
  if (turned.locked) return tooltip(view, view.strings("class.locked.tip"));
  std::string tip = turned.p.name + range;
  if (!turned.p.key.empty()) tip += "\n" + view.strings("parameter.key.tip", {{"key", turned.p.key}});
  tooltip(view, tip);
  const float wheel = ImGui::GetIO().MouseWheel;
  if (wheel != 0) view.act(app::StepParameter{turned.p.name, wheel > 0 ? 1 : -1});
}

// Too many parameters for the strip: the name in the whole width, on two lines if need be; below less, value,
// more.
void draw_narrow(const View& view, const Turned& turned, const Rect& rect) {
  const Type type{13, caption_color(view, turned), Align::Left, turned.words, rect.width};
  const auto lines = wrapped(view, caption_of(view, turned, type), rect.width, type);
  const float upper = rect.y + 0.24f * rect.height, step = view.px(16), lower = rect.y + 0.78f * rect.height;
  const auto count = std::min<std::size_t>(lines.size(), 2);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string& line = i == 1 && lines.size() > 2 ? lines[i] + "…" : lines[i];
    draw_text(view, {rect.x, upper + step * (static_cast<float>(i) - 0.5f * static_cast<float>(count - 1))},
              line, type);
  }
  const float size = view.px(20);
  // The value goes before the buttons: it is typed, and its key and the wheel step it.
  const float written = text_width(view, turned.text, {13, {}, Align::Center, turned.figures}) + view.px(6);
  const bool buttons = !turned.typed && written <= rect.width - 2 * size;
  if (buttons) {
    step_button(view, turned, -1, {rect.x, lower - 0.5f * size, size, size});
    step_button(view, turned, 1, {right(rect) - size, lower - 0.5f * size, size, size});
  }
  const float side = buttons ? size : 0;
  const Rect box{rect.x + side, lower - 0.5f * view.px(22), rect.width - 2 * side, view.px(22)};
  draw_value(view, turned, box, Align::Center, 13);
  const float felt = turned.locked ? 1.0f : 0.55f;
  name_area(view, turned, {rect.x, rect.y, rect.width, felt * rect.height}, "");
}

// One line when presenting, where every pixel is the picture's: name, key, less, value, more.
void draw_compact(const View& view, const Turned& turned, const Rect& rect) {
  const float size = compact_step(view, rect), y = middle(rect), room = compact_room(view, turned.text);
  const float end = right(rect) - 2 * size - room;
  const Type type{13, caption_color(view, turned), Align::Right, turned.words, end - rect.x};
  draw_text(view, {end - view.px(8), y}, caption_of(view, turned, type), type);
  step_button(view, turned, -1, {end, y - 0.5f * size, size, size});
  const Rect box{end + size, y - 0.5f * size, room, size};
  draw_value(view, turned, box, Align::Center, 14);
  step_button(view, turned, 1, {right(rect) - size, y - 0.5f * size, size, size});
  if (turned.locked) name_area(view, turned, rect, "");
}

// Name, key and value of a parameter in one line.
void draw_head(const View& view, const Turned& turned, const Rect& rect, float upper) {
  const scene::Palette& p = view.palette;
  const bool typed = turned.typed;
  const float written = text_width(view, turned.text, {14, {}, Align::Right, Face::CodeBold});
  const float width = typed ? std::max(written, view.px(96)) : written;
  const Rect field{right(rect) - width - view.px(6), upper - view.px(12), width + view.px(12), view.px(24)};
  draw_value(view, turned, field, Align::Right, 14);
  const Type type{typed ? 13.0f : 14.0f, caption_color(view, turned), Align::Left, turned.words,
                  rect.width - width - view.px(typed ? 14 : 40)};
  const float x = rect.x + draw_text(view, {rect.x, upper}, caption_of(view, turned, type), type);
  if (!turned.p.key.empty() && !typed) {
    std::string key = turned.p.key;
    key[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(key[0])));
    const Rect cap{x + view.px(7), upper - view.px(9), view.px(20), view.px(18)};
    outline(cap, p.line, view.px(4), 1);
    draw_text(view, {cap.x + 0.5f * cap.width, upper}, key, {13, p.secondary, Align::Center, Face::Code});
  }
}

// Above the name, its key and the value; below less, a track and more.
void draw_parameter(const View& view, const Turned& turned, const Rect& rect) {
  const float lower = rect.y + 0.74f * rect.height;
  draw_head(view, turned, rect, rect.y + 0.28f * rect.height);
  const float size = view.px(22);
  step_button(view, turned, -1, {rect.x, lower - 0.5f * size, size, size});
  step_button(view, turned, 1, {right(rect) - size, lower - 0.5f * size, size, size});
  const float left = rect.x + size + view.px(16);
  const Rect track{left, lower - view.px(11), right(rect) - size - view.px(16) - left, view.px(22)};
  const float part = part_of(turned.p, turned.value);
  if (turned.locked) {
    const float y = middle(track);
    fill({track.x, y - view.px(1), track.width, view.px(2)}, view.palette.line);
    fill({track.x + part * track.width - view.px(3), y - view.px(3), view.px(6), view.px(6)},
         view.palette.secondary);
  } else if (const auto slide = slider(view, "track", track, part)) {
    const std::int64_t wanted = value_at(turned.p, *slide);
    if (wanted != turned.value) view.act(app::SetParameter{turned.p.name, wanted, "drag"});
  }
  const float felt = turned.locked ? 1.0f : 0.5f;
  name_area(view, turned, {rect.x, rect.y, rect.width, felt * rect.height},
            ": " + app::range_text(turned.p, view.state.language));
}

// Name, key and value beside each other.
float natural_width(const View& view, const Turned& turned) {
  return text_width(view, label_of(view, turned.p), {14, {}, Align::Left, Face::WordsBold}) +
         text_width(view, turned.text, {14, {}, Align::Left, Face::CodeBold}) + view.px(42);
}

// As many as have room with their whole names, the first of them first; the others have their keys.
void draw_presented(const View& view, const std::deque<Turned>& order, const Rect& rect) {
  float x = rect.x;
  const float more_width = text_width(view, "+99", {14, {}, Align::Left, Face::Code});
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Turned& turned = order[i];
    const float width = text_width(view, label_of(view, turned.p), {13, {}, Align::Left, Face::WordsBold}) +
                        view.px(12) + 2 * compact_step(view, rect) + compact_room(view, turned.text);
    const bool last = i + 1 == order.size();
    if (x + width > right(rect) - (last ? 0 : more_width)) {
      draw_text(view, {right(rect), middle(rect)}, "+" + std::to_string(order.size() - i),
                {14, view.palette.secondary, Align::Right, Face::Code});
      break;
    }
    ImGui::PushID(static_cast<int>(i));
    draw_compact(view, turned, {x, rect.y, width, rect.height});
    ImGui::PopID();
    x += width + view.px(14);
  }
}

}  // namespace

void draw_parameters(const View& view, const Rect& rect) {
  const scenario::Scenario* scenario = view.scenario();
  if (scenario == nullptr || scenario->parameters.empty()) return;
  std::deque<Turned> order;
  const bool in_a_row = view.state.present || view.alone;
  for (const ScenarioParameter* p : app::parameters_in_order(*scenario)) {
    if (view.controls != nullptr && std::ranges::count(*view.controls, p->name) == 0) continue;
    Turned turned = turned_of(view, *p);
    if (in_a_row && turned.typed)  // it has its place, whatever has room
      order.push_front(std::move(turned));
    else
      order.push_back(std::move(turned));
  }
  if (in_a_row) return draw_presented(view, order, rect);
  const auto count = static_cast<float>(order.size());
  const auto width_with = [&](float gap) {
    return std::min(view.px(270), (rect.width - view.px(gap) * (count - 1)) / count);
  };
  const bool narrow = std::ranges::any_of(
      order, [&](const Turned& turned) { return natural_width(view, turned) > width_with(30); });
  const float gap = view.px(narrow ? 14 : 30), width = width_with(narrow ? 14 : 30);
  for (std::size_t i = 0; i < order.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    const Rect slot{rect.x + (width + gap) * static_cast<float>(i), rect.y, width, rect.height};
    (narrow ? draw_narrow : draw_parameter)(view, order[i], slot);
    ImGui::PopID();
  }
}

}  // namespace warplens::panels
