#include "app/storage/recovery.h"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "app/platform/system.h"
#include "app/state/user_kernel.h"
#include "app/storage/session_file.h"
#include "sim/file/temporary.h"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kBetween{300};  // two times of writing
constexpr std::chrono::seconds kAgain{2};           // where it could not be written
constexpr std::size_t kMostDiscarded = 10;
constexpr std::string_view kKept = "recovery-", kDiscarded = "discarded-", kSession = ".warplens.json",
                           kLock = ".lock";

// "recovery-RUN-N.warplens.json" gives RUN; empty: another file.
std::string run_of(const fs::path& file, std::string_view ending = kSession) {
  const std::string name = file.filename().string();
  if (!name.starts_with(kKept) || !name.ends_with(ending) || name.size() <= kKept.size() + ending.size())
    return {};
  const std::string rest = name.substr(kKept.size(), name.size() - kKept.size() - ending.size());
  return rest.substr(0, rest.find('-'));
}

std::vector<fs::path> files_in(const fs::path& folder, std::string_view beginning, std::string_view ending) {
  std::vector<fs::path> files;
  std::error_code failed;
  if (folder.empty()) return files;
  for (fs::directory_iterator at(folder, failed); !failed && at != fs::directory_iterator();
       at.increment(failed)) {
    const std::string name = at->path().filename().string();
    if (name.starts_with(beginning) && name.ends_with(ending)) files.push_back(at->path());
  }
  std::error_code unknown;
  std::sort(files.begin(), files.end(), [&](const fs::path& a, const fs::path& b) {
    return fs::last_write_time(a, unknown) > fs::last_write_time(b, unknown);
  });
  return files;
}

fs::path lock_of(const fs::path& folder, const std::string& run) {
  return folder / (std::string(kKept) + run + std::string(kLock));
}

// Removes the locks of runs that ended and left nothing.
void clear_locks(const fs::path& folder) {
  const auto texts = files_in(folder, kKept, kSession);
  for (const fs::path& lock : files_in(folder, kKept, kLock)) {
    const std::string run = run_of(lock, kLock);
    if (std::ranges::any_of(texts, [&](const fs::path& text) { return run_of(text) == run; })) continue;
    const auto held = file::Lock::take(lock);
    std::error_code ignored;
    if (held) fs::remove(lock, ignored);
  }
}

// Only what a session's file tells: not what was undone, which may be much.
std::shared_ptr<const State> snapshot(const State& state, const Lecturing& lecturing = {}) {
  auto kept = std::make_shared<State>();
  kept->settings = state.settings;
  kept->pinned = state.pinned;
  kept->position = state.position;
  kept->theme = state.theme;
  kept->language = state.language;
  kept->zoom = state.zoom;
  kept->lecturing = lecturing;
  return kept;
}

file::Written write_session(const fs::path& path, const State& state) {
  const auto document = to_json(state, Simulation{});
  return file::write_whole(path, document.dump(1, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace

Recovery::Recovery(fs::path folder, std::function<void()> on_news)
    : folder_(std::move(folder)), run_(file::random_digits()), on_news_(std::move(on_news)) {
  clear_locks(folder_);
  if (platform::has_threads() && !folder_.empty()) thread_ = std::thread([this] { work(); });
}

Recovery::~Recovery() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
  held_.reset();
  clear_locks(folder_);
}

fs::path Recovery::file_of(int number) const {
  return folder_ / (std::string(kKept) + run_ + "-" + std::to_string(number) + std::string(kSession));
}

// Where there are no locks the texts are kept all the same; another window may then offer them.
bool Recovery::hold_place() {
  const std::lock_guard lock(place_);
  std::error_code failed;
  if (!held_) fs::create_directories(folder_, failed);
  if (!held_) held_ = file::Lock::take(lock_of(folder_, run_));
  return held_.has_value();
}

// Null: what has that name is saved, or taken back.
void Recovery::note(const std::string& name, std::shared_ptr<const State> unsaved) {
  {
    const std::lock_guard lock(mutex_);
    if (unsaved) {
      Text& text = texts_[name];
      if (text.number == 0) text.number = ++numbers_;
      text.state = std::move(unsaved);
      text.waits = true;
    } else if (const auto found = texts_.find(name); found != texts_.end()) {
      gone_.push_back(found->second.number);
      texts_.erase(found);
    }
  }
  changed_.notify_all();
  if (thread_.joinable() || folder_.empty()) return;
  std::unique_lock lock(mutex_);
  write_all(lock);
}

void Recovery::keep_lecture(const State& state) {
  const Lecturing& now = state.lecturing;
  const auto before = std::exchange(lecture_seen_, {now.lecture, now.unsaved});
  if (before == lecture_seen_) return;
  if (before.second && !now.unsaved && now.before == before.first) {
    const std::lock_guard lock(mutex_);
    return retire(kLecture);  // another lecture was opened over it
  }
  note(kLecture, now.unsaved ? snapshot(state, now) : nullptr);
}

void Recovery::keep(const State& state) {
  keep_lecture(state);
  const std::tuple now(state.settings.text, state.settings.own, name_of(state.settings), is_edited(state));
  const auto before = std::exchange(seen_, now);
  if (before == now) return;
  if (std::get<std::string>(before) != std::get<std::string>(now) && !is_edited(state)) {
    const std::lock_guard lock(mutex_);
    return retire(name_of(state.settings));  // it has come back as it was, by no typing
  }
  note(name_of(state.settings), is_edited(state) ? snapshot(state) : nullptr);
}

bool Recovery::anything_waits() const {
  return !gone_.empty() || std::ranges::any_of(texts_, [](const auto& text) { return text.second.waits; });
}

// Without the lock while the disk is at work. What is noted meanwhile waits for the next time.
void Recovery::write_all(std::unique_lock<std::mutex>& lock) {
  const int asked = wanted_;
  std::vector<Text> texts;
  for (const auto& [unused, text] : texts_)
    if (text.waits) texts.push_back(text);
  const std::vector<int> gone = std::exchange(gone_, {});
  lock.unlock();
  std::error_code ignored;
  if (!texts.empty()) hold_place();
  for (Text& text : texts) text.written = write_session(file_of(text.number), *text.state);
  for (const int number : gone) fs::remove(file_of(number), ignored);
  lock.lock();
  bool news = false;
  for (auto& [unused, text] : texts_) {
    for (const Text& one : texts) {
      if (one.number != text.number) continue;
      news = news || static_cast<bool>(one.written) != static_cast<bool>(text.written);
      text.written = one.written;
      if (one.state == text.state) text.waits = !one.written;
    }
  }
  done_ = asked;
  changed_.notify_all();
  if (!news || !on_news_) return;
  lock.unlock();
  on_news_();
  lock.lock();
}

void Recovery::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ends_ || wanted_ > done_ || anything_waits(); });
    const bool last = ends_;
    if (anything_waits() || !last) write_all(lock);
    if (last) return;
    const bool failed = std::ranges::any_of(texts_, [](const auto& text) { return !text.second.written; });
    changed_.wait_for(lock, failed ? kAgain : kBetween, [this] { return ends_ || wanted_ > done_; });
  }
}

bool Recovery::flush(double seconds) {
  std::unique_lock lock(mutex_);
  if (folder_.empty()) return texts_.empty();
  if (!thread_.joinable()) {
    write_all(lock);
    return !anything_waits();
  }
  const int mine = ++wanted_;
  changed_.notify_all();
  return changed_.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return done_ >= mine; }) &&
         !anything_waits();
}

int Recovery::unsaved() const {
  const std::lock_guard lock(mutex_);
  return static_cast<int>(texts_.size());
}

file::Written Recovery::trouble() const {
  const std::lock_guard lock(mutex_);
  if (!texts_.empty() && folder_.empty())
    return {file::Trouble::NoName, Message("there is no folder for it: HOME is not set")};
  for (const auto& [unused, text] : texts_)
    if (!text.written) return text.written;
  return {};
}

std::string Recovery::name_of(const Settings& settings) {
  return settings.own ? name_of(settings.own->file) : "scenario " + settings.scenario;
}

std::string Recovery::name_of(const fs::path& file) {
  return "file " + file.string();
}

void Recovery::set_aside(const std::string& name, const State& state) {
  if (name_of(state.settings) == name && is_edited(state)) note(name, snapshot(state));
  const std::lock_guard lock(mutex_);
  retire(name);
}

void Recovery::retire(const std::string& name) {
  auto found = texts_.extract(name);
  if (found.empty()) return;
  found.key() += " " + std::to_string(found.mapped().number);
  texts_.insert(std::move(found));
}

bool Recovery::claim(const fs::path& file, const std::string& name) {
  if (!hold_place() || file::Lock::is_held(lock_of(folder_, run_of(file)))) return false;
  const std::lock_guard lock(mutex_);
  retire(name);
  const int number = ++numbers_;
  // Renamed, so that there is a copy at every moment, and that of two windows one has it.
  std::error_code failed;
  fs::rename(file, file_of(number), failed);
  if (!failed) texts_[name] = {number};
  return !failed;
}

void Recovery::discard(const fs::path& file) {
  const std::string name = file.filename().string();
  std::error_code ignored;
  fs::rename(file, folder_ / (std::string(kDiscarded) + name.substr(kKept.size())), ignored);
  const auto discarded = files_in(folder_, kDiscarded, kSession);
  for (std::size_t i = kMostDiscarded; i < discarded.size(); ++i) fs::remove(discarded[i], ignored);
}

std::vector<fs::path> Recovery::left_over() const {
  std::vector<fs::path> files = files_in(folder_, kKept, kSession);
  std::erase_if(files, [&](const fs::path& file) {
    const std::string run = run_of(file);
    return run.empty() || run == run_ || file::Lock::is_held(lock_of(folder_, run));
  });
  return files;
}

}  // namespace warplens::app
