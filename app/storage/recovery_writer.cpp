#include "app/storage/recovery_writer.h"

#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/platform/system.h"
#include "app/storage/session_file.h"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;

file::Written write_session(const fs::path& path, const State& state) {
  const auto document = to_json(state, Simulation{});
  return file::write_whole(path, document.dump(1, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace

RecoveryWriter::RecoveryWriter(std::function<void()> on_news) : on_news_(std::move(on_news)) {
  if (platform::has_threads()) thread_ = std::thread([this] { work(); });
}

RecoveryWriter::~RecoveryWriter() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void RecoveryWriter::put(const fs::path& file, std::shared_ptr<const State> state) {
  if (!thread_.joinable()) return carry_out({{file, std::move(state)}});
  {
    const std::lock_guard lock(mutex_);
    waiting_[file] = std::move(state);
  }
  changed_.notify_all();
}

bool RecoveryWriter::wait(double seconds) {
  if (!thread_.joinable()) return true;
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, std::chrono::duration<double>(seconds),
                           [this] { return waiting_.empty() && !busy_; });
}

file::Written RecoveryWriter::trouble() const {
  const std::lock_guard lock(mutex_);
  return failed_.empty() ? file::Written{} : failed_.begin()->second;
}

void RecoveryWriter::carry_out(const Waiting& waiting) {
  bool news = false;
  for (const auto& [path, state] : waiting) {
    file::Written written;
    std::error_code ignored;
    if (state) {
      written = write_session(path, *state);
    } else {
      fs::remove(path, ignored);
    }
    const std::lock_guard lock(mutex_);
    const bool failed_before = failed_.erase(path) > 0;
    if (!written) failed_[path] = written;
    news = news || failed_before == static_cast<bool>(written);
  }
  if (news && on_news_) on_news_();
}

void RecoveryWriter::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ends_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    const Waiting now = std::exchange(waiting_, {});
    busy_ = true;
    lock.unlock();
    carry_out(now);
    lock.lock();
    busy_ = false;
    changed_.notify_all();
  }
}

}  // namespace warplens::app
