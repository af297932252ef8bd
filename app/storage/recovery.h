// The autosave: every text that is not saved, and a lecture whose scenes are not, stands as a session of its
// own in the state folder, at most half a second old, and is offered at the next start if the app ends before
// it is saved.
//
//   recovery-RUN-N.warplens.json   the N-th text of a run, as a session; with a lecture where that is unsaved
//   recovery-RUN.lock              held by that run for as long as it lives, however it ends
//   discarded-RUN-N...             what was offered and refused: the last few, in case of second
//                                  thoughts
//
// RUN is random. What no living run holds is a left-over; nothing removes one but the person to whom it was
// offered. A thread of its own writes, since a disk that is slow, full or gone must hold no frame up; where
// there are no threads, files are memory and are written at once.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "app/state/state.h"
#include "sim/file/temporary.h"
#include "sim/file/whole_file.h"

namespace warplens::app {

class Recovery {
 public:
  // `folder` is made where it is needed; empty: there is none, and nothing can be kept. `on_news` is called
  // from another thread when a text could not be kept, or can be again.
  explicit Recovery(std::filesystem::path folder, std::function<void()> on_news = {});
  ~Recovery();  // writes what waits
  Recovery(const Recovery&) = delete;
  Recovery& operator=(const Recovery&) = delete;

  // Takes note of what is unsaved on screen, and forgets what has been saved or taken back.
  void keep(const State& state);
  // Writes at once what waits; false: not done in that many seconds, or something could not be kept.
  bool flush(double seconds);
  // Texts that are not saved, and why the first of them cannot be kept; trouble None: all are.
  int unsaved() const;
  file::Written trouble() const;

  // What a text is one of: a file or a scenario. The scenes of a lecture count as a text.
  static constexpr const char* kLecture = "lecture";
  static std::string name_of(const Settings& settings);
  static std::string name_of(const std::filesystem::path& file);
  // Another text of that name comes on screen, by no typing: what is unsaved of it stays until the next
  // start.
  void set_aside(const std::string& name, const State& state);
  // A left-over becomes this run's own, under that name. False: another window was quicker.
  bool claim(const std::filesystem::path& file, const std::string& name);
  // The person does not want it.
  void discard(const std::filesystem::path& file);
  // Of runs that ended, newest first.
  std::vector<std::filesystem::path> left_over() const;

 private:
  struct Text {
    int number = 0;
    std::shared_ptr<const State> state{};  // null: what was brought back, not noted since
    bool waits = false;                    // to be written
    file::Written written{};               // how that went last
  };
  std::filesystem::path file_of(int number) const;
  void keep_lecture(const State& state);
  void note(const std::string& name, std::shared_ptr<const State> unsaved);
  void retire(const std::string& name);
  bool hold_place();
  bool anything_waits() const;
  void write_all(std::unique_lock<std::mutex>& lock);
  void work();

  const std::filesystem::path folder_;
  const std::string run_;
  const std::function<void()> on_news_;

  // What was on screen at the last keep().
  std::tuple<std::shared_ptr<const std::string>, std::shared_ptr<const UserKernel>, std::string, bool> seen_;
  std::pair<std::shared_ptr<const Lecture>, bool> lecture_seen_;

  std::mutex place_;  // while the lock is taken
  std::optional<file::Lock> held_;

  mutable std::mutex mutex_;  // of all that follows
  std::condition_variable changed_;
  std::map<std::string, Text> texts_;  // by what they are the text of
  std::vector<int> gone_;              // numbers of files to be removed
  int numbers_ = 0;
  int wanted_ = 0, done_ = 0;  // flushes that were asked for, and those that have been carried out
  bool ends_ = false;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace warplens::app
