// The app in its window: what is done to it in, frames out. Sleeps while nothing changes.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/desktop/app.h"
#include "app/desktop/options.h"
#include "app/gl/framebuffer.h"
#include "app/gl/offscreen.h"
#include "app/jobs/job.h"
#include "app/platform/window.h"
#include "app/readout/speaker.h"

namespace warplens::desktop {

// Returns the exit code: 3 where there is no display or no OpenGL 3.3, told in words. In a browser it returns
// at once, and the page goes on calling the app.
int run_window(std::unique_ptr<App> app, const Options& options);

// Of --state-file beside a picture, for which no window is open.
void write_state(App& app, const Options& options);

// For what is asked from outside while the window is open. null, and empty: none is.
App* app_on_screen();
std::string state_on_screen();  // as --state-file has it

// From the command line to an app that shows what it names: what the window, pictures and probes begin with.

struct Started {
  std::unique_ptr<App> app;  // null: what is wrong has been told
  int exit_code = 0;
};
// The measurements that are shipped, into the app; again, where more of them have come.
void load_measurements(App* app);
// The catalog, those measurements, and what `options` asks to look at.
Started start(const Options& options, AppOptions app_options);

// ---- a picture without a display, and what it is drawn into

inline constexpr int kCannot = 3;

struct OffscreenTarget {
  App* app = nullptr;
  std::unique_ptr<platform::HeadlessContext> context;
  std::unique_ptr<gl::Framebuffer> framebuffer;
  ~OffscreenTarget() {
    if (app != nullptr) app->destroy_graphics();
  }
};

// false: what went wrong has been told.
bool open_target(App& app, int width, int height, OffscreenTarget* target);
// One frame at that time, in which these keys are pressed.
void draw(App& app, OffscreenTarget& target, double now = 0, std::vector<app::KeyPress> keys = {});

// Returns an exit code, and has told what went wrong.
int write_screenshot(App& app, const Options& options);

// As the command line says.
void show_view(App& app, const Options& options);

double seconds_now();

// ---- the window that the speaker alone sees

class SpeakersWindow {
 public:
  SpeakersWindow(jobs::Runner& runner, platform::Window& window) : window_(window), next_(runner) {}
  ~SpeakersWindow() { close(); }
  SpeakersWindow(const SpeakersWindow&) = delete;
  SpeakersWindow& operator=(const SpeakersWindow&) = delete;

  // After a frame: opens the window, closes it, and draws it where it tells something else. `stale`: it has
  // to be drawn anew.
  void update(App& app, double now, bool stale);
  // Seconds until it looks at the clock again, and at whether the hall sees it: not every system tells that a
  // window or a monitor was moved. Negative: it is closed.
  double due_in() const { return told_ ? 1 : -1; }
  const std::optional<app::SpeakerTold>& told() const { return told_; }

 private:
  void close();
  void ask_for_next(App& app, const app::LectureScene* scene, const scene::Canvas& canvas, bool apart);

  platform::Window& window_;
  std::unique_ptr<gl::Offscreen> drawing_;  // on the second window's context
  std::optional<app::SpeakerTold> told_;    // that is on screen; none: the window is closed
  jobs::Job<scene::Scene> next_;
  std::optional<scene::Scene> picture_;  // of the scene that comes next; none: not yet
  std::string next_of_;                  // what it was asked for
  std::string lecture_;                  // the one that `began_` is of
  double began_ = 0;
  bool presented_ = false;  // at the update before: whoever begins at the first scene again begins anew
};

// The same as a picture, for a file.
scene::Scene speaker_scene(App& app, int width, int height);

}  // namespace warplens::desktop
