// The thread that writes recoveries: a disk that is slow, or full, holds no frame up. Where there are no
// threads they are written at once, to a file system in memory.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "app/state/state.h"
#include "sim/file/whole_file.h"

namespace warplens::app {

class RecoveryWriter {
 public:
  explicit RecoveryWriter(std::function<void()> on_news);
  ~RecoveryWriter();  // writes what waits
  RecoveryWriter(const RecoveryWriter&) = delete;
  RecoveryWriter& operator=(const RecoveryWriter&) = delete;

  // In place of what waits for that file. null: the file is removed.
  void put(const std::filesystem::path& file, std::shared_ptr<const State> state);
  // Nothing waits and nothing is being written; false: not within that many seconds.
  bool wait(double seconds);
  // Of the first file that could not be written, by its name.
  file::Written trouble() const;

 private:
  using Waiting = std::map<std::filesystem::path, std::shared_ptr<const State>>;
  void work();
  void carry_out(const Waiting& waiting);

  std::function<void()> on_news_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Waiting waiting_;
  std::map<std::filesystem::path, file::Written> failed_;
  bool busy_ = false, ends_ = false;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace warplens::app
