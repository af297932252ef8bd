// The kernel on screen under compute-sanitizer, on request and beside the frame: what it finds stands at the
// lines of the text.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>

#include "app/desktop/app.h"
#include "app/measure/sanitize.h"

namespace warplens::desktop {

class KernelCheck {
 public:
  // Through a launcher (`via` not empty) nothing can be checked: it would have to run on the other machine.
  KernelCheck(jobs::Runner& runner, const std::string& via);

  // Once a frame, never blocking: begins what was asked for, stops it where the settings have changed, and
  // tells what came of it.
  void update(App& app);

 private:
  struct Refused {
    Message words;
  };
  struct Outcome {
    std::variant<measure::Sanitized, measure::Failure, Refused> what;
    std::string file;  // as the compiler was told
  };
  void begin(App& app);
  void finish(App& app, const Outcome& outcome);

  bool is_elsewhere_ = false;
  std::optional<app::Settings> of_;  // being checked; nothing: none
  jobs::Job<Outcome> work_;
};

}  // namespace warplens::desktop
