// warplens-cli grade: claims about accesses, of one student or of a whole course.
#include <algorithm>
#include <filesystem>
#include <memory>

#include "app/cli/target.h"
#include "app/language/joined.h"
#include "sim/exercise/exercise.h"
#include "sim/report/output/table.h"
#include "sim/report/report.h"
#include "sim/scenario/text_file.h"

namespace warplens::cli {

namespace {

constexpr std::size_t kMostFiles = 10'000;

struct GradeOptions : CommonOptions {  // the budget is of each file
  std::vector<std::string> files;
  std::string exercise;
  bool csv = false;
};

// One file that was handed in. Without a mark: why, in `errors`.
struct Graded {
  std::string file;
  exercise::Mark mark;
  bool is_marked = false;
  std::vector<Message> errors;
  bool is_full() const { return is_marked && mark.right() == static_cast<int>(mark.claims.size()); }
};

class Grader {
 public:
  explicit Grader(const GradeOptions& options) : options_(options) {
    strings_ = words_in(options.language);
    Budget& budget = options.simulation.budget();
    auto found = exercise::find_exercise(options.exercise, &budget);
    if (!found) fail(found.errors);
    exercise_ = std::move(*found.value);
    auto truths = exercise::truths_of(exercise_, options.simulation.limits());
    if (!truths) fail(truths.errors);
    truths_ = std::move(*truths.value);
  }

  // Each within a budget of its own.
  Graded grade(const std::string& file) const {
    Graded graded{file, {}, false, {}};
    Budget budget(
        {.memory_bytes = std::uint64_t{1} << 30, .deadline = Budget::in(options_.simulation.seconds)});
    try {
      auto mark = of_kernel(file, budget);
      graded.is_marked = mark.value.has_value();
      if (mark) graded.mark = std::move(*mark.value);
      graded.errors = std::move(mark.errors);
    } catch (const Stopped& stopped) {
      graded.errors.push_back(Message("{}: {}", file, stopped.message()));
    }
    return graded;
  }

  std::string text(const Graded& graded) const {
    std::string out = graded.file + "\n";
    for (const Message& error : graded.errors) out += "  " + strings_(error) + "\n";
    for (const exercise::Marked& marked : graded.mark.claims) out += "  " + claim_text(marked) + "\n";
    for (const Message& note : graded.mark.notes) out += "  " + strings_(note) + "\n";
    if (graded.is_marked)
      out += "  " +
             strings_("grade.mark", {{"n", std::to_string(graded.mark.right())},
                                     {"of", std::to_string(exercise_.claims())}}) +
             "\n";
    return out;
  }

  std::vector<std::string> csv_head() const {
    std::vector<std::string> cells{"file", "right", "of"};
    for (const exercise::Ask& ask : exercise_.asks)
      for (const exercise::Figure figure : ask.figures) cells.push_back(column(ask, figure));
    cells.push_back("error");
    return cells;
  }

  std::vector<std::string> csv_cells(const Graded& graded) const {
    std::vector<std::string> cells{graded.file, std::to_string(graded.mark.right()),
                                   std::to_string(exercise_.claims())};
    for (const exercise::Marked& marked : graded.mark.claims) cells.emplace_back(name_of(marked.verdict));
    cells.resize(3 + static_cast<std::size_t>(exercise_.claims()));
    cells.push_back(language::joined(graded.errors, "; ", std::cref(strings_)));
    return cells;
  }

  std::string head() const {
    return scenario::in_language(exercise_.title, options_.language) + " (" +
           scenario::in_language(exercise_.source, options_.language) + ")\n" +
           scenario::in_language(exercise_.task, options_.language) + "\n\n";
  }

 private:
  [[noreturn]] void fail(const std::vector<Message>& errors) const {
    throw CommandFailure(kInputWrong, language::joined(errors, "\n", std::cref(strings_)));
  }

  exercise::Outcome<exercise::Mark> of_kernel(const std::string& file, Budget& budget) const {
    const auto text = scenario::read_text(file);
    if (!text) return {{}, text.errors};
    return mark_file(exercise_, truths_, *text.value, file, budget);
  }

  static std::string column(const exercise::Ask& ask, exercise::Figure figure) {
    return std::string(report::name_of(ask.op)) + " " + ask.array +
           (ask.nth > 1 ? " " + std::to_string(ask.nth) : "") + " " + name_of(figure);
  }

  // "8 sectors", "not coalesced".
  std::string figure_words(exercise::Figure figure, std::int64_t value) const {
    const std::string key = std::string("grade.") + name_of(figure);
    if (figure == exercise::Figure::Coalesced) return strings_(value != 0 ? key : key + ".not");
    return strings_(value == 1 ? key + ".one" : key, {{"n", std::to_string(value)}});
  }

  std::string claimed_words(const exercise::Marked& marked) const {
    return language::joined(marked.claimed, ", ",
                            [&](std::int64_t value) { return figure_words(marked.figure, value); });
  }

  std::string claim_text(const exercise::Marked& marked) const {
    const exercise::Ask& ask = exercise_.asks[marked.ask];
    const exercise::Truth& truth = truths_[marked.ask];
    const std::string access =
        strings_(std::string("grade.op.") + report::name_of(ask.op)) + " " + truth.text;
    const std::string line = std::to_string(marked.line);
    if (marked.verdict == exercise::Verdict::Missing)  // who has not answered is not told
      return strings_("grade.missing",
                      {{"line", line},
                       {"access", access},
                       {"figure", strings_(std::string("grade.ask.") + name_of(marked.figure))}});
    const std::string right = figure_words(marked.figure, marked.truth);
    if (marked.verdict == exercise::Verdict::Right)
      return strings_("grade.right", {{"line", line}, {"access", access}, {"truth", right}});
    return strings_("grade.wrong", {{"line", line},
                                    {"access", access},
                                    {"claimed", claimed_words(marked)},
                                    {"truth", right},
                                    {"why", strings_(reason(truth, marked.figure))}});
  }

  const GradeOptions& options_;
  language::Strings strings_;
  exercise::Exercise exercise_;
  std::vector<exercise::Truth> truths_;
};

// Kernels of a folder, by name; a file as it is.
std::vector<std::string> files_of(const std::vector<std::string>& given) {
  std::vector<std::string> files;
  for (const std::string& what : given) {
    std::error_code unknown;
    if (!std::filesystem::is_directory(what, unknown)) {
      files.push_back(what);
      continue;
    }
    std::vector<std::string> inside;
    std::error_code failed;
    for (std::filesystem::recursive_directory_iterator entry(what, failed), end; !failed && entry != end;
         entry.increment(failed)) {
      if (entry->path().extension() == ".cu" && entry->is_regular_file(unknown))
        inside.push_back(entry->path().string());
      if (inside.size() > kMostFiles)
        throw CommandFailure(kInputWrong, what + ": more than " + std::to_string(kMostFiles) + " kernels");
    }
    if (failed) throw CommandFailure(kInputWrong, what + ": " + failed.message());
    if (inside.empty()) throw CommandFailure(kInputWrong, what + ": there is no .cu file in it");
    std::ranges::sort(inside);
    files.insert(files.end(), inside.begin(), inside.end());
  }
  return files;
}

ExitCode run_grade(const GradeOptions& options) {
  const Grader grader(options);
  const std::vector<std::string> files = files_of(options.files);
  bool full = true, read = true;
  print(options.csv ? report::csv_row(grader.csv_head()) : grader.head());
  for (const std::string& file : files) {
    const Graded graded = grader.grade(file);
    full = full && graded.is_full();
    read = read && graded.is_marked;
    print(options.csv ? report::csv_row(grader.csv_cells(graded)) : grader.text(graded));
  }
  if (files.size() == 1 && !read) return kInputWrong;
  return full ? kDone : kCheckFailed;
}

}  // namespace

void add_grade(Program& program) {
  auto options = std::make_shared<GradeOptions>();
  options->simulation.seconds = 10;
  CLI::App* command =
      program.app.add_subcommand("grade", "Grade claims about accesses in the comments of kernels");
  command->add_option("FILE", options->files, "Kernels with claims in their comments, or folders of them")
      ->required();
  command
      ->add_option("--against", options->exercise,
                   "The exercise: a name that `list exercises` shows, or its file")
      ->required();
  add_language(*command, &options->language, "The language of the output: ");
  options->simulation.add_seconds(*command);
  command->add_flag("--csv", options->csv, "Write a table with a row for each file");
  program.runs(command, options, run_grade);
}

}  // namespace warplens::cli
