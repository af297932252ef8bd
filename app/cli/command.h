// What every command of warplens-cli shares: exit codes, output, failure, and how it is added.
#pragma once

#include <CLI/CLI.hpp>
#include <atomic>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "app/language/strings.h"
#include "sim/base/budget.h"
#include "sim/base/message.h"

namespace warplens::cli {

enum ExitCode : int {
  kDone = 0,
  kCheckFailed = 1,
  kInputWrong = 2,
  kMachineCannot = 3,
  kLimitHit = 4,
};

// Ends the command: the message goes to standard error, one line or more without a final newline.
class CommandFailure : public std::runtime_error {
 public:
  CommandFailure(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  CommandFailure(ExitCode code, const std::vector<std::string>& messages);
  CommandFailure(ExitCode code, const std::vector<Message>& messages);
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

// What a loader made. Throws CommandFailure where something was wrong with it.
template <typename Outcome>
auto value_of(Outcome outcome) {
  if (!outcome) throw CommandFailure(kInputWrong, outcome.errors);
  return std::move(*outcome.value);
}

// Data, on standard output. A reader that went away ("| head") ends the program quietly; a full disk is told.
void print(std::string_view data);
void print_json(const nlohmann::ordered_json& json);
void print_csv(std::string_view rows);
// To standard error: as it is; "warplens-cli: ...".
void print_error(std::string_view text);
void warn(std::string_view message);

// --json and --csv; neither: text for people.
struct FormatOptions {
  bool json = false, csv = false;
  void add_to(CLI::App& command, bool with_csv = true);
  // What was asked for of the three, each made by a call.
  template <typename Text, typename Json, typename Csv>
  void print_one_of(Text as_text, Json as_json, Csv as_csv) const {
    if (csv)
      print_csv(as_csv());
    else
      print_one_of(as_text, as_json);
  }
  template <typename Text, typename Json>
  void print_one_of(Text as_text, Json as_json) const {
    if (json)
      print_json(as_json());
    else
      print(as_text());
  }
};

// Each command adds its subcommand, and where that was chosen does its work when all options are read.
struct Program {
  CLI::App app{"Shows what a CUDA kernel's warps ask of global and shared memory", "warplens-cli"};
  ExitCode code = kInputWrong;
  // Runs with what `options` then holds.
  template <typename Options>
  void runs(CLI::App* command, std::shared_ptr<Options> options, ExitCode (*run)(const Options&)) {
    command->final_callback([this, options, run] { code = run(*options); });
  }
};
void add_report(Program& program);
void add_trace(Program& program);
void add_compare(Program& program);
void add_check(Program& program);
void add_explain(Program& program);
void add_list(Program& program);
void add_validate(Program& program);
void add_doctor(Program& program);
void add_render(Program& program);
void add_measure(Program& program);
void add_grade(Program& program);
void add_class(Program& program);
void add_layout(Program& program);

// What a command counts from now on: where it prints nothing for 10 s that is told, with how far it is.
// Empty: it has printed something.
void begin_work(std::string what, std::shared_ptr<const Budget> budget);
// Where what runs writes how far it is, 0 to 1: on a terminal it is told once that takes long.
std::atomic<double>* told_progress();

// From now on a long output stops where the request's budget ends: what prints then throws Stopped.
void print_within(std::shared_ptr<Budget> budget);

// A file that an option names, pipes included; empty: none. Throws CommandFailure: the option is wrong where
// no file can lie there; what else is in the way, a full disk, is the machine's.
void require_place(const std::string& file);
void write_output(const std::string& file, std::string_view content);

// JSON as it is, one document or one a line.
void print_json_text(std::string_view json);

void add_language(CLI::App& command, std::string* language, const std::string& of_what = "");
language::Strings words_in(const std::string& language);  // throws CommandFailure

}  // namespace warplens::cli
