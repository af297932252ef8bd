// What a class voted: kept rounds lesson by lesson, a journal's round, a picture of them.
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/target.h"
#include "app/platform/system.h"
#include "app/share/export.h"
#include "app/storage/teaching_files.h"
#include "app/views/vote.h"
#include "app/vote/vote_server.h"
#include "sim/report/output/table.h"

namespace warplens::cli {
namespace {

using report::Side;
using vote::Round;

struct ClassOptions : CommonOptions {
  std::string replay, picture, address;
  bool remove = false, test = false;
};

language::Strings class_words(const std::string& language) {
  language::Strings words = words_in(language);
  words.put_in({{"keys.vote_address", "Tab"}});
  return words;
}

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

std::string text_in(const vote::LocalText& text, const std::string& language) {
  const auto own = text.find(language);
  return own != text.end() ? own->second : text.empty() ? std::string() : text.begin()->second;
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
      table.add({r.began, text_in(r.question.text, language),
                 r.truth ? vote::answer_words(r.question, *r.truth, language) : "–",
                 std::to_string(vote::total(r.first)), percent(vote::percent_right(r.first, r.truth)),
                 percent(vote::percent_right(r.second, r.truth)), gain(r),
                 answers_of(r, r.counts(), language)});
    }
    print(table.text("  ", budget));
  }
}

// The histograms of all that were revealed, one below the other.
void write_picture(const std::vector<Round>& rounds, const ClassOptions& options) {
  const std::string svg = share::class_picture(rounds, class_words(options.language));
  if (svg.empty()) throw CommandFailure(kInputWrong, "no round was revealed: there is no picture of it");
  write_output(options.picture, svg);
}

// The window's self-test, for those who set a hall up: listens there as long as that takes.
ExitCode test_network(const ClassOptions& options) {
  const language::Strings words = class_words(options.language);
  app::ClassNetwork network;
  network.addresses = platform::network_addresses();
  for (std::size_t i = 0; i < network.addresses.size(); ++i) {
    if (network.addresses[i].address == options.address ||
        network.addresses[i].interface == options.address ||
        (options.address.empty() && i + 1 == network.addresses.size()))
      network.chosen = static_cast<int>(i);
  }
  if (network.address() == nullptr)
    throw CommandFailure(kInputWrong, "no address of this machine: " + options.address);
  vote::BallotBox box({}, {});
  platform::HttpTrouble trouble;
  vote::ServerPlace place{network.address()->address, 8090, 10, "ok", {}};
  auto server = vote::VoteServer::open(place, &box, &trouble);
  if (!server) place.port = 0, server = vote::VoteServer::open(place, &box, &trouble);
  if (!server) throw CommandFailure(kMachineCannot, place.address + ": " + trouble.words);
  network.port = server->port();
  app::SelfTest test;
  test.ufw = platform::has_ufw();
  const bool answers = platform::answers_http(place.address, network.port, 2, &test.words);
  test.standing = answers ? app::SelfTest::Standing::Answers : app::SelfTest::Standing::Silent;
  for (const std::string& line : app::self_test_words(test, network, words)) print(line + "\n");
  return answers ? kDone : kCheckFailed;
}

ExitCode run_class(const ClassOptions& options) {
  if (options.test) return test_network(options);
  const std::filesystem::path state = platform::state_folder();
  if (options.remove) {
    const Message words = app::delete_rounds(state);
    if (!words.empty()) throw CommandFailure(kMachineCannot, words.english());
    return kDone;
  }
  const std::filesystem::path file =
      options.replay.empty() ? app::rounds_file(state) : std::filesystem::path(options.replay);
  const app::KeptRounds kept = app::load_rounds(file);
  std::error_code unknown;
  if (!kept.trouble.empty() && (!options.replay.empty() || std::filesystem::exists(file, unknown)))
    throw CommandFailure(kInputWrong, kept.trouble.english());
  if (kept.not_read > 0) warn(file.string() + ": " + std::to_string(kept.not_read) + " lines are no rounds");
  if (kept.rounds.empty() && !options.replay.empty())
    throw CommandFailure(kInputWrong, file.string() + ": no rounds are in it");
  if (!options.picture.empty()) {
    write_picture(kept.rounds, options);
  } else if (options.format.csv) {
    print_csv(vote::csv_of(kept.rounds));
  } else if (options.format.json) {
    nlohmann::ordered_json all = {{"schema", "warplens.classes/1"},
                                  {"rounds", nlohmann::ordered_json::array()}};
    for (const Round& r : kept.rounds) all["rounds"].push_back(nlohmann::ordered_json(vote::to_json(r)));
    print_json(all);
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
  CLI::App* command =
      program.app.add_subcommand("class", "What a class voted, lesson by lesson, and how much it gained");
  command->add_option("--replay", options->replay,
                      "rounds of this file, or the one that a journal was in the middle of");
  command->add_option("--picture", options->picture, "write the histograms into this SVG");
  command->add_flag("--delete", options->remove, "delete every round that is kept on this machine");
  command->add_flag("--self-test", options->test,
                    "whether phones could come: this machine's addresses, and what stands before them");
  command->add_option("--address", options->address,
                      "with --self-test: an address or an interface of this machine");
  add_language(*command, &options->language, "words in this language: ");
  options->simulation.add_seconds(*command);
  options->format.add_to(*command);
  program.runs(command, options, run_class);
}

}  // namespace warplens::cli
