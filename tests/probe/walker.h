// Random things that a person may do, the same ones every time.
#pragma once

#include <functional>
#include <random>
#include <utility>

#include "app/desktop/app.h"

namespace warplens::desktop {

struct Walker {
  std::mt19937 random{20};

  int below(int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }

  app::Action parameter(const App& app) {
    const scenario::Scenario* s = app.catalog().find(app.state().settings.scenario);
    if (s == nullptr || s->parameters.empty()) return app::StepAccess{1};
    const auto& p = s->parameters[static_cast<std::size_t>(below(static_cast<int>(s->parameters.size())))];
    return app::StepParameter{p.name, below(2) * 2 - 1};
  }
  app::Action scenario(const App& app) {
    const auto& all = app.catalog().scenarios;
    return app::SelectScenario{all[static_cast<std::size_t>(below(static_cast<int>(all.size())))].name};
  }
  app::Action edit(const App& app) {
    const scenario::Scenario* s = app.catalog().find(app.state().settings.scenario);
    const std::string text = s != nullptr ? s->text : "";
    const auto at = static_cast<std::size_t>(below(static_cast<int>(text.size()) + 1));
    return app::SetText{text.substr(0, at) + (below(2) ? " " : "x") + text.substr(at), {}, {}};
  }

  app::Action action(const App& app, const char** name) {
    const std::pair<const char*, std::function<app::Action()>> all[] = {
        {"scenario", [&] { return scenario(app); }},
        {"rung", [&] { return app::StepRung{below(2) * 2 - 1}; }},
        {"theme", [&] { return app::SetTheme{below(2) ? app::Theme::Dark : app::Theme::Light}; }},
        {"language", [&] { return app::SetLanguage{below(2) ? "en" : "zh-CN"}; }},
        {"present", [&] { return app::SetPresent{below(3) == 0}; }},
        {"help", [&] { return app::SetHelp{below(3) == 0}; }},
        {"zoom", [&] { return app::SetZoom{below(2) ? 1.0f : 1.2f}; }},
        {"edit", [&] { return edit(app); }},
        {"undo", [&] { return app::Undo{}; }},
        {"editing", [&] { return app::SetEditing{below(2) == 0}; }},
        {"lane", [&] { return app::HoverLane{below(33) - 1}; }},
        {"warp", [&] { return app::StepWarp{below(5) - 2}; }},
        {"block", [&] { return app::StepBlock{below(5) - 2}; }},
        {"line", [&] { return app::StepLine{below(2) * 2 - 1}; }},
        {"play", [&] { return app::SetPlaying{below(2) == 0}; }},
        {"parameter", [&] { return parameter(app); }},
        {"wavefront", [&] { return app::StepWavefront{below(2) * 2 - 1}; }},
        {"access", [&] { return app::StepAccess{below(2) * 2 - 1}; }}};
    constexpr int kWhich[] = {0,  1,  2,  3, 4,  5,  6,  7,  8,  9,  10, 11,
                              12, 13, 14, 8, 15, 15, 15, 16, 16, 17, 17, 17};
    const auto& [words, make] = all[kWhich[below(24)]];
    *name = words;
    return make();
  }

  void move_mouse(panels::Input* input) {
    input->mouse_inside = below(4) != 0;
    input->mouse_x = static_cast<float>(below(input->width));
    input->mouse_y = static_cast<float>(below(input->height));
    input->wheel = static_cast<float>(below(5) - 2);
    input->buttons[0] = below(5) == 0;
  }
};

}  // namespace warplens::desktop
