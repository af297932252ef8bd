#include "app/cli/command.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <nlohmann/json.hpp>

#include "app/language/joined.h"
#include "app/platform/stop.h"
#include "app/platform/system.h"
#include "sim/base/budget.h"
#include "sim/base/numbers.h"
#include "sim/file/whole_file.h"
#include "sim/scenario/scenario.h"
#include "sim/text/shown.h"

namespace warplens::cli {

CommandFailure::CommandFailure(ExitCode code, const std::vector<std::string>& messages)
    : CommandFailure(code, language::joined(messages, "\n")) {}
CommandFailure::CommandFailure(ExitCode code, const std::vector<Message>& messages)
    : CommandFailure(code, english(messages)) {}

namespace {

std::shared_ptr<Budget> running;  // null: without end

// The alarm's thread tells it; whoever has something to say ends that.
std::atomic<double> progress{1};
std::atomic<bool> tells{false};

// What takes long is named once, also where nobody looks on.
constexpr std::chrono::seconds kLong{10};
std::mutex work_lock;
std::string work;  // empty: it is told, or there is none
std::shared_ptr<const Budget> work_budget;
Budget::Clock::time_point silent_since = Budget::Clock::now();

void tell_work() {
  const std::lock_guard lock(work_lock);
  const std::chrono::duration<double> silent = Budget::Clock::now() - silent_since;
  if (work.empty() || silent < kLong) return;
  text::say(stderr,
            "%swarplens-cli: %s, takes long: %.1f %% is counted after %.0f s, with %s instructions of its "
            "warps; smaller sizes need less (--set, --grid), and --seconds says when to stop\n",
            tells ? "\r\033[K" : "", work.c_str(), progress < 1 ? 100 * progress.load() : 0.0, silent.count(),
            short_count(work_budget->executed()).c_str());
  work.clear();
}

void tell_progress() {
  tell_work();
  if (progress <= 0 || progress >= 1 || !platform::errors_are_seen()) return;
  tells = true;
  std::fprintf(stderr, "\rsimulating ... %3.0f %%", 100 * progress.load());
}

void end_progress() {
  progress = 1;
  if (tells.exchange(false)) std::fprintf(stderr, "\r\033[K");
}

void print_piece(std::string_view data, text::Form form) {
  end_progress();
  begin_work("", nullptr);
  platform::command_writes() = true;
  const bool printed = text::print(stdout, data, form);
  platform::command_writes() = false;
  if (printed) return;
  if (errno == EPIPE) std::_Exit(kDone);
  if (errno == EINTR && platform::asked_to_stop()) throw Stopped{StopReason::Cancelled, Stage::Writing, 0};
  throw CommandFailure(kMachineCannot,
                       std::string("standard output cannot be written: ") + std::strerror(errno));
}

// In pieces of whole lines.
void print_as(std::string_view data, text::Form form) {
  constexpr std::size_t kPiece = std::size_t{1} << 20;  // bytes
  for (std::size_t begin = 0; begin < data.size();) {
    if (begin > 0 && running) running->check(Stage::Writing);
    const std::size_t newline = data.find('\n', std::min(begin + kPiece, data.size()));
    const std::size_t end = newline == std::string_view::npos ? data.size() : newline + 1;
    print_piece(data.substr(begin, end - begin), form);
    begin = end;
  }
}

}  // namespace

void require_place(const std::string& file) {
  if (file.empty()) return;
  if (const auto place = file::check_place(file, {.to_pipes = true}); !place)
    throw CommandFailure(kInputWrong, place.words.english());
}

void write_output(const std::string& file, std::string_view content) {
  if (file.empty()) return;
  require_place(file);
  if (const auto written = file::write_whole(file, content, {.to_pipes = true}); !written)
    throw CommandFailure(kMachineCannot, written.words.english());
}

void begin_work(std::string what, std::shared_ptr<const Budget> budget) {
  const std::lock_guard lock(work_lock);
  if (what.empty()) silent_since = Budget::Clock::now();
  work = std::move(what);
  work_budget = std::move(budget);
}

std::atomic<double>* told_progress() {
  return &progress;
}

void print_within(std::shared_ptr<Budget> budget) {
  running = std::move(budget);
  if (!running) return platform::spare_command();
  const auto last_words = [begun = Budget::Clock::now(), budget = running] {
    const std::chrono::duration<double> limit = budget->allowance().deadline - begun;
    end_progress();
    if (platform::asked_to_stop())
      text::say(stderr, "warplens-cli: cancelled\n");
    else
      text::say(stderr, "warplens-cli: stopped after %.4g s, the limit that was given\n", limit.count());
    return static_cast<int>(kLimitHit);
  };
  platform::end_command_by(running->allowance().deadline, last_words, tell_progress);
}

void print(std::string_view data) {
  print_as(data, text::Form::Words);
}

void print_csv(std::string_view rows) {
  print_as(rows, text::Form::Csv);
}

void print_json_text(std::string_view json) {
  print_as(json, text::Form::Json);
}

void print_json(const nlohmann::ordered_json& json) {
  print_json_text(json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

void print_error(std::string_view text) {
  end_progress();
  text::print(stderr, text);
}

void warn(std::string_view message) {
  print_error("warplens-cli: " + std::string(message) + "\n");
}

void FormatOptions::add_to(CLI::App& command, bool with_csv) {
  CLI::Option* as_json = command.add_flag("--json", json, "Write JSON");
  if (with_csv) command.add_flag("--csv", csv, "Write comma-separated values")->excludes(as_json);
}

void add_language(CLI::App& command, std::string* language, const std::string& of_what) {
  command.add_option("--lang", *language, of_what + language::language_choice())
      ->check(CLI::IsMember(language::languages()))
      ->capture_default_str();
}

language::Strings words_in(const std::string& language) {
  std::string error;
  auto strings = language::Strings::load(scenario::data_folder("assets") / "languages", language, &error);
  if (!error.empty()) throw CommandFailure(kMachineCannot, error);
  return strings;
}

}  // namespace warplens::cli
