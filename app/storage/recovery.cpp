#include "app/storage/recovery.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "app/state/user_kernel.h"
#include "app/storage/recovery_writer.h"
#include "sim/file/temporary.h"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;

constexpr double kKeepSeconds = 0.3;
constexpr double kAgainSeconds = 2;  // where it could not be written
constexpr std::size_t kMostDiscarded = 10;
constexpr std::string_view kKept = "recovery-", kDiscarded = "discarded-", kSession = ".warplens.json",
                           kLock = ".lock";

// "recovery-RUN-N.warplens.json" gives RUN; empty: another file.
std::string run_of(const std::string& name, std::string_view ending) {
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

bool has_texts(const fs::path& folder, const std::string& run) {
  return std::ranges::any_of(files_in(folder, kKept, kSession), [&](const fs::path& file) {
    return run_of(file.filename().string(), kSession) == run;
  });
}

// Locks of runs that ended and left nothing.
void clear_locks(const fs::path& folder) {
  for (const fs::path& lock : files_in(folder, kKept, kLock)) {
    if (has_texts(folder, run_of(lock.filename().string(), kLock))) continue;
    const auto held = file::Lock::take(lock);
    std::error_code ignored;
    if (held) fs::remove(lock, ignored);
  }
}

// Only what a session's file tells: not what was undone, which may be much.
std::shared_ptr<const State> snapshot(const State& state) {
  auto kept = std::make_shared<State>();
  kept->settings = state.settings;
  kept->pinned = state.pinned;
  kept->position = state.position;
  kept->theme = state.theme;
  kept->language = state.language;
  kept->zoom = state.zoom;
  return kept;
}

// The lock of the run whose left-over is handled. Empty: that run lives, or another window handles it.
struct Held {
  fs::path path;
  std::optional<file::Lock> lock;
  explicit operator bool() const { return lock.has_value(); }
};
Held hold_run(const fs::path& folder, const fs::path& file) {
  Held held{lock_of(folder, run_of(file.filename().string(), kSession)), {}};
  held.lock = file::Lock::take(held.path);
  return held;
}
void let_go(const fs::path& folder, const fs::path& file, const Held& held) {
  std::error_code ignored;
  if (!has_texts(folder, run_of(file.filename().string(), kSession))) fs::remove(held.path, ignored);
}

}  // namespace

Recovery::Recovery(fs::path folder, std::function<void()> on_news)
    : folder_(std::move(folder)),
      run_(file::random_digits()),
      writer_(std::make_unique<RecoveryWriter>(std::move(on_news))) {
  clear_locks(folder_);
}

Recovery::~Recovery() {
  writer_.reset();
  give_back_lock();
}

fs::path Recovery::file_of(int number) const {
  return folder_ / (std::string(kKept) + run_ + "-" + std::to_string(number) + std::string(kSession));
}

// Where there are no locks the texts are kept all the same; another window may then offer them.
bool Recovery::make_place() {
  std::error_code failed;
  fs::create_directories(folder_, failed);
  if (!lock_) lock_ = file::Lock::take(lock_of(folder_, run_));
  return lock_.has_value();
}

void Recovery::give_back_lock() {
  if (!lock_ || has_texts(folder_, run_)) return;
  std::error_code ignored;
  fs::remove(lock_of(folder_, run_), ignored);
  lock_.reset();
}

void Recovery::forget(const std::string& name) {
  const auto found = texts_.find(name);
  if (found == texts_.end()) return;
  if (!folder_.empty()) writer_->put(file_of(found->second.number), nullptr);
  texts_.erase(found);
}

void Recovery::note(const State& state) {
  const std::string name = name_of(state.settings);
  if (!is_edited(state)) return forget(name);
  Text& text = texts_[name];
  if (text.number == 0) text.number = ++numbers_;
  if (text.state == nullptr && text.text != nullptr && *text.text == *state.settings.text) return;
  text.state = snapshot(state);
  text.text = state.settings.text;
  text.waits = true;
}

void Recovery::keep(const State& state, double now) {
  const std::string name = name_of(state.settings);
  const bool edited = is_edited(state);
  if (seen_ != state.settings.text || seen_own_ != state.settings.own || seen_name_ != name ||
      seen_edited_ != edited) {
    seen_ = state.settings.text;
    seen_own_ = state.settings.own;
    seen_name_ = name;
    seen_edited_ = edited;
    note(state);
  }
  if (folder_.empty() || due_in(now) != 0) return;
  make_place();
  handed_at_ = now;
  const bool again = !writer_->trouble();
  for (auto& [unused, text] : texts_) {
    if ((text.waits || again) && text.state) writer_->put(file_of(text.number), text.state);
    text.waits = false;
  }
}

double Recovery::due_in(double now) const {
  const bool waits = std::ranges::any_of(texts_, [](const auto& text) { return text.second.waits; });
  const bool failed = !texts_.empty() && !writer_->trouble();
  if (folder_.empty() || (!waits && !failed)) return -1;
  return std::max(0.0, handed_at_ + (failed ? kAgainSeconds : kKeepSeconds) - now);
}

bool Recovery::flush(double seconds) {
  if (folder_.empty()) return texts_.empty();
  if (!texts_.empty()) make_place();
  const bool again = !writer_->trouble();
  for (auto& [unused, text] : texts_) {
    if ((text.waits || again) && text.state) writer_->put(file_of(text.number), text.state);
    text.waits = false;
  }
  return writer_->wait(seconds) && (texts_.empty() || writer_->trouble());
}

file::Written Recovery::trouble() const {
  if (texts_.empty()) return {};
  if (folder_.empty()) return {file::Trouble::NoName, Message("there is no folder for it: HOME is not set")};
  return writer_->trouble();
}

std::string Recovery::name_of(const Settings& settings) {
  return settings.own ? name_of(settings.own->file) : "scenario " + settings.scenario;
}

std::string Recovery::name_of(const fs::path& file) {
  return "file " + file.string();
}

void Recovery::set_aside(const std::string& name, const State& state) {
  if (name_of(state.settings) == name && is_edited(state)) note(state);
  retire(name);
}

void Recovery::retire(const std::string& name) {
  auto found = texts_.extract(name);
  if (found.empty()) return;
  found.key() += " " + std::to_string(found.mapped().number);
  texts_.insert(std::move(found));
}

bool Recovery::claim(const fs::path& file, const Settings& settings) {
  if (!make_place()) return false;
  const Held held = hold_run(folder_, file);
  if (!held) return false;
  retire(name_of(settings));
  const int number = ++numbers_;
  // Renamed, so that there is a copy at every moment.
  std::error_code failed;
  fs::rename(file, file_of(number), failed);
  if (!failed) texts_[name_of(settings)] = {number, nullptr, settings.text, false};
  let_go(folder_, file, held);
  return !failed;
}

void Recovery::discard(const fs::path& file) {
  const Held held = hold_run(folder_, file);
  if (!held) return;
  const std::string name = file.filename().string();
  std::error_code ignored;
  fs::rename(file, folder_ / (std::string(kDiscarded) + name.substr(kKept.size())), ignored);
  let_go(folder_, file, held);
  const auto discarded = files_in(folder_, kDiscarded, kSession);
  for (std::size_t i = kMostDiscarded; i < discarded.size(); ++i) fs::remove(discarded[i], ignored);
}

std::vector<fs::path> Recovery::left_over() const {
  std::vector<fs::path> files = files_in(folder_, kKept, kSession);
  std::erase_if(files, [&](const fs::path& file) {
    const std::string run = run_of(file.filename().string(), kSession);
    return run.empty() || run == run_ || file::Lock::is_held(lock_of(folder_, run));
  });
  return files;
}

}  // namespace warplens::app
