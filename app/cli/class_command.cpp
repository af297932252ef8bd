// What a class voted: kept rounds lesson by lesson.
#include <algorithm>
#include <memory>

#include "app/cli/target.h"
#include "app/platform/system.h"
#include "app/storage/teaching_files.h"
#include "app/vote/round.h"
#include "sim/report/output/table.h"

namespace warplens::cli {
namespace {

using report::Side;
using vote::Round;

struct ClassOptions : CommonOptions {
  bool remove = false;
};

std::string percent(double value) {
  return value < 0 ? "–" : std::to_string(static_cast<int>(value + 0.5)) + " %";
}

// Of the second vote over the first, in points; empty without one.
std::string gain(const Round& r) {
  const double first = vote::percent_right(r.first, r.truth), second = vote::percent_right(r.second, r.truth);
  if (first < 0 || second < 0) return "–";
  const int points = static_cast<int>(second + 0.5) - static_cast<int>(first + 0.5);
  return (points > 0 ? "+" : "") + std::to_string(points);
}

std::string answers_of(const Round& r, const vote::Counts& counts, const std::string& language) {
  std::string text;
  for (const auto& [answer, votes] : counts)
    text += (text.empty() ? "" : ", ") + vote::answer_words(r.question, answer, language) + " ×" +
            std::to_string(votes);
  return text.empty() ? "–" : text;
}

// Lessons one after another, in the order in which each was first asked in.
void print_rounds(const std::vector<Round>& rounds, const std::string& language, Budget& budget) {
  std::vector<std::string> lessons;
  for (const Round& r : rounds) {
    if (std::find(lessons.begin(), lessons.end(), r.lesson) == lessons.end()) lessons.push_back(r.lesson);
  }
  for (const std::string& lesson : lessons) {
    print((lesson.empty() ? std::string("Predictions") : "Lesson " + lesson) + "\n");
    report::Table table(
        {Side::Left, Side::Left, Side::Left, Side::Right, Side::Right, Side::Right, Side::Right, Side::Left});
    table.add({"began", "question", "truth", "votes", "first", "second", "gain", "answers, the last vote's"});
    for (const Round& r : rounds) {
      if (r.lesson != lesson) continue;
      table.add({r.began, scenario::in_language(r.question.text, language),
                 r.truth ? vote::answer_words(r.question, *r.truth, language) : "–",
                 std::to_string(vote::total(r.first)), percent(vote::percent_right(r.first, r.truth)),
                 percent(vote::percent_right(r.second, r.truth)), gain(r),
                 answers_of(r, r.counts(), language)});
    }
    print(table.text("  ", budget));
  }
}

ExitCode run_class(const ClassOptions& options) {
  const std::filesystem::path state = platform::state_folder();
  if (options.remove) {
    const Message words = app::delete_rounds(state);
    if (!words.empty()) throw CommandFailure(kMachineCannot, words.english());
    return kDone;
  }
  const std::filesystem::path file = app::rounds_file(state);
  const app::KeptRounds kept = app::load_rounds(file);
  std::error_code unknown;
  if (!kept.trouble.empty() && std::filesystem::exists(file, unknown))
    throw CommandFailure(kInputWrong, kept.trouble.english());
  if (kept.not_read > 0) warn(file.string() + ": " + std::to_string(kept.not_read) + " lines are not rounds");
  if (options.format.csv) {
    print_csv(vote::csv_of(kept.rounds));
  } else if (kept.rounds.empty()) {
    print("No class has voted yet.\n");
  } else {
    print_rounds(kept.rounds, options.language, options.simulation.budget());
  }
  return kDone;
}

}  // namespace

void add_class(Program& program) {
  auto options = std::make_shared<ClassOptions>();
  CLI::App* command = program.app.add_subcommand(
      "class", "Show what a class voted, lesson by lesson, and how much it gained");
  command->add_flag("--delete", options->remove, "Delete every round that is kept on this machine");
  add_language(*command, &options->language, "The language of the output: ");
  options->simulation.add_seconds(*command);
  command->add_flag("--csv", options->format.csv, "Write comma-separated values");
  program.runs(command, options, run_class);
}

}  // namespace warplens::cli
