// What goes on beside the window's frames, for as long as the window is open.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/desktop/app.h"
#include "app/language/strings.h"
#include "app/measure/pack.h"
#include "app/panels/view.h"

namespace warplens::desktop {

class Beside {
 public:
  virtual ~Beside() = default;
  // Once a frame, never blocking.
  virtual void update(App& app, double now) = 0;
  // Seconds until update() has something to do by itself; negative: nothing.
  virtual double due_in(double /*now*/) const { return -1; }
};

// Times from the GPU at hand, or from the one that a launcher leads to (`via`: "ssh host").
std::unique_ptr<Beside> live_gpu(jobs::Runner& runner, const std::string& via);
std::unique_ptr<Beside> kernel_compiler(jobs::Runner& runner);
// The class at the window: keeps the server as the state wants it, tells it what phones may know, and tells
// the state how many have voted. `state_folder` empty: nothing is kept.
std::unique_ptr<Beside> class_vote(std::filesystem::path state_folder);

void tell(App& app, const char* key, Message words, bool bad);

// What the top bar says of measured times where there is no GPU: which were recorded, or that there are none.
panels::GpuLine recorded_line(const std::vector<measure::Pack>& packs, const std::vector<Message>& errors,
                              const language::Strings& strings);

}  // namespace warplens::desktop
