#include "app/desktop/text_check.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include "app/desktop/studio.h"
#include "app/panels/text_log.h"

namespace warplens::desktop {
namespace {

using panels::DrawnText;

constexpr double kLeastContrast = 4.5;
constexpr float kLeastSize = 13, kLeastPresented = 24;  // pixels at 1080p

struct Checker {
  App& app;
  gl::Framebuffer& target;
  std::string where{};
  std::set<std::string> told{};
  double now = 0;

  void complain(const char* what, const DrawnText& text, const std::string& figures) {
    std::string words = text.whole;
    std::replace(words.begin(), words.end(), '\n', ' ');
    const std::string line =
        std::string(what) + " | " + where + " | " + words + " | " + figures + " | " + text.window;
    if (told.insert(std::string(what) + words + app.state().language + (app.state().present ? "p" : ""))
            .second)
      std::printf("%s\n", line.c_str());
  }

  void look() {
    FrameInput in;
    in.input.width = target.width();
    in.input.height = target.height();
    std::vector<DrawnText> texts;
    for (int i = 0; i < 2; ++i) {  // scroll positions follow a frame later
      in.now = now += 1;
      texts.clear();
      panels::record_texts(&texts);
      target.bind();
      app.frame(in);
      panels::record_texts(nullptr);
    }
    // Under an open sheet there is nothing to read.
    const std::string top = texts.empty() ? std::string() : texts.back().window;
    if (app.state().share || app.state().dialog || app.state().classroom.list)
      std::erase_if(texts, [&](const DrawnText& t) { return t.window.find(top) == std::string::npos; });
    if (app.state().help) {
      const auto first =
          std::find_if(texts.begin(), texts.end(), [](const DrawnText& t) { return t.text == "Space"; });
      texts.erase(texts.begin(), first);
    }
    const scene::Image image = target.read();
    for (const DrawnText& text : texts) judge(text, image);
    overlaps(texts);
  }

  static bool visible(const DrawnText& t) {
    return t.rect.x + t.rect.width > t.clip.x && t.rect.x < t.clip.x + t.clip.width &&
           t.rect.y + 0.8f * t.rect.height > t.clip.y &&
           t.rect.y + 0.2f * t.rect.height < t.clip.y + t.clip.height;
  }

  void judge(const DrawnText& t, const scene::Image& image) {
    if (!visible(t)) return;  // scrolled away
    char figures[120];
    const float out = std::max(t.clip.x - t.rect.x, t.rect.x + t.rect.width - t.clip.x - t.clip.width);
    std::snprintf(figures, sizeof figures, "%.0f px", static_cast<double>(out));
    if (out > 2) complain("clipped", t, figures);
    // Scenes shorten their labels themselves.
    if (t.text != t.whole || t.text.ends_with("…")) complain("shortened", t, t.text);
    const float least =
        (app.state().present ? kLeastPresented : kLeastSize) * static_cast<float>(image.height) / 1080;
    std::snprintf(figures, sizeof figures, "%.1f px, %.1f is the least", static_cast<double>(t.size),
                  static_cast<double>(std::max(least, app.state().present ? 0.0f : 10.5f)));
    if (t.size + 0.05f < std::max(least, app.state().present ? 0.0f : 10.5f)) complain("small", t, figures);
    const double c = contrast_of(t, image);
    std::snprintf(figures, sizeof figures, "%.2f", c);
    if (c > 0 && c < kLeastContrast) complain("pale", t, figures);
  }

  // Against the colour that most of the pixels around the letters have; 0: not to be told.
  static double contrast_of(const DrawnText& t, const scene::Image& image) {
    std::map<std::uint32_t, int> counts;
    const int left = std::max(static_cast<int>(t.rect.x), 0),
              right = std::min(static_cast<int>(t.rect.x + t.rect.width), image.width);
    const int top = std::max(static_cast<int>(t.rect.y), 0),
              bottom = std::min(static_cast<int>(t.rect.y + t.rect.height), image.height);
    for (int y = top; y < bottom; ++y) {
      for (int x = left; x < right; ++x) {
        const auto at = 4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                             static_cast<std::size_t>(x));
        ++counts[image.rgba[at] << 16 | image.rgba[at + 1] << 8 | image.rgba[at + 2]];
      }
    }
    const auto most =
        std::max_element(counts.begin(), counts.end(), [](auto& a, auto& b) { return a.second < b.second; });
    if (most == counts.end()) return 0;
    const auto part = [&](int shift) { return static_cast<float>(most->first >> shift & 255u) / 255; };
    const scene::Color ground{part(16), part(8), part(0), 1};
    const scene::Color ink =
        t.color.a >= 1 ? t.color : scene::mix(ground, {t.color.r, t.color.g, t.color.b, 1}, t.color.a);
    return static_cast<double>(scene::contrast(ink, ground));
  }

  // What of the text can be seen.
  static scene::Rect seen(const DrawnText& t) {
    const float left = std::max(t.rect.x, t.clip.x), top = std::max(t.rect.y, t.clip.y);
    return {left, top, std::min(t.rect.x + t.rect.width, t.clip.x + t.clip.width) - left,
            std::min(t.rect.y + t.rect.height, t.clip.y + t.clip.height) - top};
  }

  void overlaps(const std::vector<DrawnText>& texts) {
    for (std::size_t i = 0; i < texts.size(); ++i) {
      for (std::size_t j = i + 1; j < texts.size(); ++j) {
        const auto &a = texts[i], &b = texts[j];
        if (!visible(a) || !visible(b)) continue;
        const scene::Rect p = seen(a), q = seen(b);
        const float wide = std::min(p.x + p.width, q.x + q.width) - std::max(p.x, q.x);
        // Of the letters themselves: lines may stand closer than ascenders and descenders would ask.
        const float high = std::min(p.y + 0.8f * p.height, q.y + 0.8f * q.height) -
                           std::max(p.y + 0.2f * p.height, q.y + 0.2f * q.height);
        if (wide > 1.5f && high > 1.5f) complain("overlap", a, "over \"" + b.text + "\"");
      }
    }
  }
};

void tour(Checker* checker, const std::string& name) {
  App& app = checker->app;
  const auto at = [&](const char* view, const session::Actions& actions) {
    app.act(actions);
    checker->where = app.state().language + " " +
                     (app.state().theme == session::Theme::Dark ? "dark " : "light ") + name + " " + view;
    checker->look();
  };
  at("costliest", {session::SetPresent{false}, session::SelectScenario{name}});
  at("first", {session::GoToEnd{false}});
  at("counters", {session::SetGridTab{session::GridTab::Counters}});
  at("lines", {session::SetGridTab{session::GridTab::Lines}});
  at("present", {session::SetGridTab{session::GridTab::Totals}, session::SetPresent{true}});
  at("last", {session::GoToEnd{true}});
  app.act({session::SetPresent{false}});
}

}  // namespace

int check_texts(App& app, const Options& options) {
  Studio studio;
  if (!open_studio(app, options.width, options.height, &studio)) return kCannot;
  Checker checker{app, *studio.framebuffer};
  std::vector<std::string> names;
  for (const scenario::Scenario& s : app.catalog().scenarios) names.push_back(s.name);
  bool dark = true;
  for (const char* language : {"en", "zh-CN"}) {
    app.act({session::SetLanguage{language}});
    for (const std::string& name : names) {
      app.act({session::SetTheme{dark ? session::Theme::Dark : session::Theme::Light}});
      tour(&checker, name);
      dark = !dark;
    }
    for (const session::Theme theme : {session::Theme::Dark, session::Theme::Light}) {
      app.act({session::SetTheme{theme}});
      const auto sheet = [&](const char* view, session::Action open, session::Action close) {
        checker.where = std::string(language) + " " + view;
        app.act({std::move(open)});
        checker.look();
        app.act({std::move(close)});
      };
      sheet("help", session::SetHelp{true}, session::SetHelp{false});
      sheet("share", session::ShowShare{true}, session::ShowShare{false});
      sheet("lessons", session::ShowLessons{true}, session::ShowLessons{false});
      for (const auto& lesson : app.catalog().lessons) {
        for (int step = 0; step <= static_cast<int>(lesson->steps.size()); ++step) {
          app.act({session::OpenLesson{lesson->name}});
          const std::string name = "lesson " + lesson->name + " " + std::to_string(step + 1);
          sheet(name.c_str(), session::GoToLessonStep{step}, session::LeaveLesson{});
        }
      }
      sheet("dialog", session::ShowDialog{false}, session::CloseDialog{});
    }
  }
  std::printf("%zu scenarios in 2 languages at %d x %d\n", names.size(), options.width, options.height);
  return 0;
}

}  // namespace warplens::desktop
