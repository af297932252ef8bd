// The world outside: carries requests out and answers with actions. Nothing here draws.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/session/action.h"
#include "app/session/catalog.h"

namespace warplens::session {

struct Places {
  std::filesystem::path gallery;  // whose files are never written
  std::filesystem::path state;    // of this user: recent files, what was not saved
};
// $XDG_STATE_HOME/warplens, or ~/.local/state/warplens.
Places usual_places();

Actions perform(const Request& request, const State& state, const Catalog& catalog, const Places& places);

// A lesson's file, read; also its scenarios and their parameters must be there. Errors name file, line,
// field.
scenario::Outcome<std::shared_ptr<const lesson::Lesson>> open_lesson(const std::filesystem::path& file,
                                                                     const Catalog& catalog);

// Files opened or saved, newest first.
std::vector<std::string> recent_files(const Places& places);
void remember_file(const Places& places, const std::string& path);

// What is not saved is kept while the app runs, and found again if it ends before it is.
//
//   recovery-PID.warplens.json in Places::state
class Recovery {
 public:
  explicit Recovery(Places places) : places_(std::move(places)) {}
  // Writes the session down where something is unsaved, on screen or in the file or scenario that was left
  // for this one, and forgets it where nothing is. At most every two seconds, unless `at_once`.
  void keep(const State& state, double now, bool at_once = false);
  // Seconds until keep() has something to do by itself; negative: nothing.
  double due_in(double now) const;
  // Sessions that ended with something unsaved, newest first.
  static std::vector<std::filesystem::path> left_over(const Places& places);

 private:
  Places places_;
  std::shared_ptr<const std::string> seen_;
  std::shared_ptr<const OwnKernel> seen_own_;
  std::string seen_scenario_;
  bool edited_ = false, left_ = false;  // on screen; in what was left for it
  double changed_at_ = 0;
  bool written_ = false, pending_ = false;
};

}  // namespace warplens::session
