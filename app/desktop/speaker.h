// The speaker's window: what a lecturer alone is told (app/readout/speaker.h), beside the window for the
// hall.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/desktop/app.h"
#include "app/gl/offscreen.h"
#include "app/jobs/job.h"
#include "app/platform/window.h"
#include "app/readout/speaker.h"

namespace warplens::desktop {

class SpeakersWindow {
 public:
  SpeakersWindow(jobs::Runner& runner, platform::Window& window) : window_(window), next_(runner) {}
  ~SpeakersWindow() { close(); }
  SpeakersWindow(const SpeakersWindow&) = delete;
  SpeakersWindow& operator=(const SpeakersWindow&) = delete;

  // After a frame: opens the window, closes it, and draws it where it tells something else. `stale`: it has
  // to be drawn anew.
  void update(App& app, double now, bool stale);
  double due_in(double now) const;  // seconds until the clock says something else; negative: it is closed
  const std::optional<app::SpeakerTold>& told() const { return told_; }

 private:
  void close();
  void ask_for_next(App& app, const app::LectureScene* scene, const scene::Canvas& canvas);

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
