// Random things that a person may do, the same ones every time.
#pragma once

#include <random>

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
    const auto is = [&](const char* words, app::Action action) {
      *name = words;
      return action;
    };
    switch (below(24)) {
      case 0:
        return is("scenario", scenario(app));
      case 1:
        return is("rung", app::StepRung{below(2) * 2 - 1});
      case 2:
        return is("theme", app::SetTheme{below(2) ? app::Theme::Dark : app::Theme::Light});
      case 3:
        return is("language", app::SetLanguage{below(2) ? "en" : "zh-CN"});
      case 4:
        return is("present", app::SetPresent{below(3) == 0});
      case 5:
        return is("help", app::SetHelp{below(3) == 0});
      case 6:
        return is("zoom", app::SetZoom{below(2) ? 1.0f : 1.2f});
      case 7:
        return is("edit", edit(app));
      case 8:
        return is("undo", app::Undo{});
      case 9:
        return is("editing", app::SetEditing{below(2) == 0});
      case 10:
        return is("lane", app::HoverLane{below(33) - 1});
      case 11:
        return is("warp", app::StepWarp{below(5) - 2});
      case 12:
        return is("block", app::StepBlock{below(5) - 2});
      case 13:
        return is("line", app::StepLine{below(2) * 2 - 1});
      case 14:
        return is("play", app::SetPlaying{below(2) == 0});
      case 15:
        return is("undo", app::Undo{});
      case 16:
      case 17:
      case 18:
        return is("parameter", parameter(app));
      case 19:
      case 20:
        return is("wavefront", app::StepWavefront{below(2) * 2 - 1});
      default:
        return is("access", app::StepAccess{below(2) * 2 - 1});
    }
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
