// What the top bar says of measured times where there is no GPU: which were recorded, or that there are none.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "app/desktop/app.h"
#include "app/language/strings.h"
#include "app/measure/gpu_client.h"
#include "app/measure/pack.h"
#include "app/measure/remark.h"
#include "app/measure/sanitizer.h"
#include "app/panels/view.h"
#include "app/source/programs.h"
#include "sim/scenario/scenario.h"

namespace warplens::desktop {

panels::GpuLine recorded_line(const std::vector<measure::Pack>& packs, const std::vector<Message>& errors,
                              const language::Strings& strings);

// What is on screen, as a request to warplens-gpu.

// `text`: of the scenario, as edited. Errors in words where it does not compile, cannot be launched, or a
// buffer has no length.
scenario::Outcome<measure::MeasureRequest> gpu_request(const scenario::Scenario& scenario,
                                                       const scenario::ParameterValues& values,
                                                       const std::string& text, measure::CompileMode mode,
                                                       const app::Means& means);

// The kernel on screen under compute-sanitizer, on request and beside the frame: what it finds stands at the
// lines of the text.

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

// The kernel on screen as a compiler leaves it, on request and beside the frame: A│B with the text.

class KernelCompiler {
 public:
  explicit KernelCompiler(jobs::Runner& runner) : work_(runner) {}
  void update(App& app);  // as KernelCheck's

 private:
  using Outcome = std::variant<app::Settings, measure::Failure>;
  void begin(App& app);

  std::optional<app::Settings> of_;  // being compiled; nothing: none
  jobs::Job<Outcome> work_;
};

// Live times: once the parameters have come to rest, the rungs of the ladder are measured on the GPU at hand,
// the one on screen first. What was asked for other parameters is called off. Without a GPU nothing changes
// on screen.

class LiveGpu {
 public:
  // Starts warplens-gpu beside the app, if there is one, or elsewhere through `via` ("ssh host"). The runner
  // is woken when it has answered.
  explicit LiveGpu(jobs::Runner& runner, const std::string& via = {});

  // Once a frame, never blocking: collects answers into the app's measurements and asks for what is missing.
  void update(App& app, double now);

  // Seconds until update() has something to do by itself; negative: nothing.
  double due_in(double now) const;

 private:
  void collect(App& app);
  void ask(App& app);
  void submit_prepared(App& app);
  void submit(const App& app, measure::MeasureRequest request, bool current);
  void tell(App& app);
  const language::Strings& words(const App& app);

  // What to measure, the kernel on screen first; compiled beside the frame.
  struct Prepared {
    struct Rung {
      measure::MeasureRequest request;
      bool current = false;
    };
    std::vector<Rung> rungs;
    bool lacks_current = false;  // it cannot be measured as written, or has been
  };
  jobs::Job<Prepared> preparing_;
  std::unique_ptr<measure::GpuClient> client_;  // null: there is no warplens-gpu here
  std::optional<app::Settings> asked_for_, seen_;
  double changed_at_ = 0;
  std::set<std::uint64_t> open_;  // tickets that have not been answered
  int asked_ = 0;                 // since the parameters changed
  std::string trouble_;           // why the last measurement failed, in words
  bool is_elsewhere_ = false;     // through a launcher: what goes wrong with it is told too
  std::map<measure::MeasurementKey, measure::Remark>
      wrong_;  // results that failed their check: no time is shown
  language::Strings strings_;
  std::string strings_of_, told_;
};

}  // namespace warplens::desktop
