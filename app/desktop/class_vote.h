// The class at the window: keeps the server as the state wants it, tells it what phones may know, and tells
// the state how many have voted. What goes wrong is told in words, and hands can be counted without it.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "app/desktop/app.h"
#include "app/vote/vote_server.h"
#include "sim/file/lock.h"

namespace warplens::desktop {

class ClassVote {
 public:
  ClassVote(jobs::Runner& runner, std::filesystem::path state_folder);
  // Once a frame, never blocking.
  void update(App& app, double now);
  // Seconds until update() has something to do by itself; negative: nothing.
  double due_in(double now) const;

 private:
  void open();
  void close();
  bool is_held() const;
  int place_of_choice() const;
  void choose_address(App& app, double now);
  void listen();
  void lead(App& app, double now);
  void follow(App& app, double now);
  void keep_unfinished();
  void take_up(App& app);
  void count(App& app, bool last);
  void tell(App& app, double now);
  void test(App& app);

  std::filesystem::path folder_;  // empty: nothing is kept
  std::optional<file::Lock> lock_;
  vote::Interrupted before_;
  std::unique_ptr<vote::BallotBox> box_;
  std::unique_ptr<vote::VoteServer> server_;  // goes before the box that it asks
  app::ClassNetwork network_;
  std::string interface_, listened_;  // remembered; the address that is listened on
  std::optional<vote::Round> shown_;  // as phones were told it
  std::optional<vote::Round> kept_;   // as it was kept last
  double looked_ = -100, led_ = -100, opened_ = 0, due_ = -1;
  std::string unkept_;  // what was said of votes that are not kept
  jobs::Job<app::SelfTest> tester_;
  bool testing_ = false, told_ = false;
};

}  // namespace warplens::desktop
