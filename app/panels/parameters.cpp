// The parameters that a class turns: a slider each, or a stepper where only some values are allowed; each
// with its key.
#include <algorithm>
#include <cctype>
#include <cmath>

#include "app/panels/panels.h"

namespace warplens::panels {
namespace {

using scenario::ScenarioParameter;

std::string value_text(const ScenarioParameter& parameter, std::int64_t value) {
  const auto choice = std::find(parameter.choices.begin(), parameter.choices.end(), value);
  const auto index = static_cast<std::size_t>(choice - parameter.choices.begin());
  if (choice != parameter.choices.end() && index < parameter.texts.size()) return parameter.texts[index];
  return std::to_string(value);
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
  return static_cast<float>(session::is_size(p) ? std::log(v / low) / std::log(high / low)
                                                : (v - low) / (high - low));
}

std::int64_t value_at(const ScenarioParameter& p, float part) {
  if (!p.choices.empty()) {
    return p.choices[static_cast<std::size_t>(std::lround(part * static_cast<float>(p.choices.size() - 1)))];
  }
  const auto low = static_cast<double>(p.minimum), high = static_cast<double>(p.maximum);
  if (session::is_size(p)) {  // powers of two, between which the keys and the arrows find the others
    const double exponent = std::log2(low) + part * std::log2(high / low);
    return session::clamped(p, static_cast<std::int64_t>(std::llround(std::exp2(std::round(exponent)))));
  }
  const auto step = static_cast<double>(std::max<std::int64_t>(p.step, 1));
  return session::clamped(
      p, p.minimum + static_cast<std::int64_t>(std::llround(part * (high - low) / step) * p.step));
}

// One line when presenting, where every pixel is the picture's: name, key, less, value, more.
Actions draw_compact(const View& view, const ScenarioParameter& parameter, const Rect& rect) {
  Actions actions;
  const scene::Palette& p = view.palette;
  const auto found = view.state.settings.values.find(parameter.name);
  const std::int64_t value = found == view.state.settings.values.end() ? parameter.fallback : found->second;
  const bool turned = value != parameter.fallback;
  const float size = std::min(view.px(24), rect.height), y = middle(rect), room = view.px(58);
  const float end = right(rect) - 2 * size - room;
  draw_text(view, {end - view.px(8), y}, scenario::in_language(parameter.label, view.state.language),
            {13, turned ? p.accent : p.secondary, Align::Right, turned ? Face::WordsBold : Face::Words,
             end - rect.x});
  const auto step = [&](const char* id, const char* sign, float x, int by) {
    const Rect box{x, y - 0.5f * size, size, size};
    const Hit hit = hit_area(id, box);
    fill(box, hit.hovered ? scene::mix(p.cell, p.text, 0.12f) : p.cell, view.px(4));
    draw_text(view, {x + 0.5f * size, y}, sign, {14, p.text, Align::Center, Face::Code});
    if (hit.clicked) actions.push_back(session::StepParameter{parameter.name, by});
  };
  step("less", "−", end, -1);
  draw_text(view, {end + size + 0.5f * room, y}, value_text(parameter, value),
            {14, p.text, Align::Center, turned ? Face::CodeBold : Face::Code, room});
  step("more", "+", right(rect) - size, 1);
  return actions;
}

bool differs_from_a(const View& view, const ScenarioParameter& parameter) {
  if (view.comparison == nullptr) return false;
  const auto& all = view.comparison->parameters;
  return std::any_of(all.begin(), all.end(), [&](const auto& d) { return d.name == parameter.name; });
}

Actions draw_parameter(const View& view, const ScenarioParameter& parameter, const Rect& rect) {
  Actions actions;
  const scene::Palette& p = view.palette;
  const auto found = view.state.settings.values.find(parameter.name);
  const std::int64_t value = found == view.state.settings.values.end() ? parameter.fallback : found->second;
  const bool turned = value != parameter.fallback;
  std::string label = scenario::in_language(parameter.label, view.state.language);
  if (differs_from_a(view, parameter)) label.insert(0, "≠ ");
  const float upper = rect.y + 0.28f * rect.height, lower = rect.y + 0.74f * rect.height;

  // Above: name, key, value. Below: minus, track, plus.
  const float width = draw_text(view, {right(rect), upper}, value_text(parameter, value),
                                {14, p.text, Align::Right, turned ? Face::CodeBold : Face::Code});
  float x = rect.x;
  x += draw_text(view, {x, upper}, label,
                 {14, turned ? p.accent : p.secondary, Align::Left, turned ? Face::WordsBold : Face::Words,
                  rect.width - width - view.px(40)});
  if (!parameter.key.empty()) {
    std::string key = parameter.key;
    key[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(key[0])));
    const Rect cap{x + view.px(7), upper - view.px(9), view.px(20), view.px(18)};
    outline(cap, p.line, view.px(4), 1);
    draw_text(view, {cap.x + 0.5f * cap.width, upper}, key, {11, p.faint, Align::Center, Face::Code});
  }
  const float size = view.px(22);
  const auto step = [&](const char* id, const char* sign, float at, int by) {
    const Rect box{at, lower - 0.5f * size, size, size};
    const Hit hit = hit_area(id, box);
    fill(box, hit.hovered ? scene::mix(p.cell, p.text, 0.12f) : p.cell, view.px(4));
    draw_text(view, {box.x + 0.5f * size, lower}, sign, {14, p.text, Align::Center, Face::Code});
    if (hit.clicked) {
      if (ImGui::GetIO().KeyCtrl && parameter.choices.empty()) {
        actions.push_back(session::SetParameter{parameter.name, value + by, {}});
      } else {
        actions.push_back(session::StepParameter{parameter.name, by});
      }
    }
  };
  step("less", "−", rect.x, -1);
  step("more", "+", right(rect) - size, 1);
  const float left = rect.x + size + view.px(16);
  const Rect track{left, lower - view.px(11), right(rect) - size - view.px(16) - left, view.px(22)};
  const Slide slide = slider(view, "track", track, part_of(parameter, value));
  if (slide.part) {
    const std::int64_t wanted = value_at(parameter, *slide.part);
    if (wanted != value) actions.push_back(session::SetParameter{parameter.name, wanted, "drag"});
  }
  const Hit whole = hit_area("whole", {rect.x, rect.y, rect.width, 0.5f * rect.height});
  if (whole.hovered) {
    const std::string range =
        parameter.choices.empty()
            ? language::grouped(parameter.minimum) + " – " + language::grouped(parameter.maximum)
            : view.strings("parameter.choices", {{"n", std::to_string(parameter.choices.size())}});
    tooltip(view,
            parameter.name + ": " + range +
                (parameter.key.empty() ? ""
                                       : "\n" + view.strings("parameter.key.tip", {{"key", parameter.key}})));
    const float wheel = ImGui::GetIO().MouseWheel;
    if (wheel != 0) actions.push_back(session::StepParameter{parameter.name, wheel > 0 ? 1 : -1});
  }
  return actions;
}

}  // namespace

Actions draw_parameters(const View& view, const Rect& rect) {
  Actions actions;
  const scenario::Scenario* scenario = view.scenario();
  if (scenario == nullptr || scenario->parameters.empty()) return actions;
  // What a class turns most comes first: padding before sizes, as the scenario's own order is that of a
  // signature.
  std::vector<const ScenarioParameter*> order;
  for (const ScenarioParameter& p : scenario->parameters) order.push_back(&p);
  std::stable_partition(order.begin(), order.end(), [](auto* p) { return !session::is_size(*p); });
  const float gap = view.px(view.state.present ? 12 : 30);
  const auto count = static_cast<float>(order.size());
  const float width = std::min(view.px(270), (rect.width - gap * (count - 1)) / count);
  for (std::size_t i = 0; i < order.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    const Rect slot{rect.x + (width + gap) * static_cast<float>(i), rect.y, width, rect.height};
    Actions more = (view.state.present ? draw_compact : draw_parameter)(view, *order[i], slot);
    actions.insert(actions.end(), more.begin(), more.end());
    ImGui::PopID();
  }
  return actions;
}

}  // namespace warplens::panels
