// What is not saved is kept while the app runs, and found again if it ends before it is: every text of every
// window, each in a file of its own in the state folder.
//
//   recovery-RUN-N.warplens.json   the N-th text of a run, as a session
//   recovery-RUN.lock              held by that run for as long as it lives, however it ends
//   discarded-RUN-N...             what was offered and refused: the last few, in case of second
//                                  thoughts
//
// RUN is random. What no living run holds is a left-over; nothing removes one but the person to whom it was
// offered.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/state/state.h"
#include "sim/file/lock.h"
#include "sim/file/whole_file.h"

namespace warplens::app {

class RecoveryWriter;

class Recovery {
 public:
  // `folder` is made where it is needed; empty: there is none, and nothing can be kept. `on_news` is called
  // from another thread when a text could not be kept, or can be again.
  explicit Recovery(std::filesystem::path folder, std::function<void()> on_news = {});
  ~Recovery();  // writes what waits
  Recovery(const Recovery&) = delete;
  Recovery& operator=(const Recovery&) = delete;

  // Takes note of what is unsaved on screen, and forgets what has been saved or taken back. Written beside
  // the frame, every 0.3 seconds while typing goes on. `now` in seconds, steady.
  void keep(const State& state, double now);
  // Seconds until keep() has something to do by itself; negative: nothing.
  double due_in(double now) const;
  // Writes at once what waits; false: not done in that many seconds, or something could not be kept.
  bool flush(double seconds);
  // Texts that are not saved, and why the first of them cannot be kept; trouble None: all are.
  int unsaved() const { return static_cast<int>(texts_.size()); }
  file::Written trouble() const;

  // What a text is one of: a file or a scenario.
  static std::string name_of(const Settings& settings);
  static std::string name_of(const std::filesystem::path& file);
  // Another text of that name comes on screen, by no typing: what is unsaved of it stays until the next
  // start.
  void set_aside(const std::string& name, const State& state);
  // A left-over becomes this run's own, as the text of these settings. False: another window was quicker.
  bool claim(const std::filesystem::path& file, const Settings& settings);
  // The person does not want it.
  void discard(const std::filesystem::path& file);
  // Of runs that ended, newest first.
  std::vector<std::filesystem::path> left_over() const;

 private:
  struct Text {
    int number = 0;
    std::shared_ptr<const State> state;  // null: what was brought back, not touched since
    std::shared_ptr<const std::string> text;
    bool waits = false;  // to be handed to the writer
  };
  std::filesystem::path file_of(int number) const;
  bool make_place();
  void note(const State& state);
  void retire(const std::string& name);
  void forget(const std::string& name);
  void give_back_lock();

  std::filesystem::path folder_;
  std::string run_;
  std::optional<file::Lock> lock_;
  std::map<std::string, Text> texts_;  // by what they are the text of
  int numbers_ = 0;
  double handed_at_ = -1e9;

  // What was on screen at the last keep().
  std::shared_ptr<const std::string> seen_;
  std::shared_ptr<const UserKernel> seen_own_;
  std::string seen_name_;
  bool seen_edited_ = false;

  std::unique_ptr<RecoveryWriter> writer_;  // last: its thread ends first
};

}  // namespace warplens::app
