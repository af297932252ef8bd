#include "app/storage/rounds_file.h"

#include <nlohmann/json.hpp>
#include <sstream>

#include "app/vote/ballot_box.h"
#include "sim/file/journal.h"
#include "sim/file/whole_file.h"
#include "sim/text/read_file.h"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t kMostBytes = std::size_t{64} << 20;

}  // namespace

fs::path rounds_file(const fs::path& state_folder) {
  return state_folder / "class" / "rounds.jsonl";
}
fs::path journal_file(const fs::path& state_folder) {
  return state_folder / "class" / "round.jsonl";
}

KeptRounds load_rounds(const fs::path& file) {
  KeptRounds kept;
  std::string text;
  if (!text::read_file(file, kMostBytes, &text, &kept.trouble)) return kept;
  std::istringstream lines(text);
  bool journal = false;
  for (std::string line; std::getline(lines, line);) {
    const json one = json::parse(line, nullptr, false);
    journal = journal || (one.is_object() && one.contains("code"));
    if (auto round = one.is_discarded() ? std::nullopt : vote::round_of(one))
      kept.rounds.push_back(std::move(*round));
    else
      ++kept.not_read;
  }
  if (!journal) {
    kept.rounds = vote::without_repeats(std::move(kept.rounds));
  } else if (auto round = vote::replay(file).round) {  // its votes are lines of their own
    kept.rounds = {std::move(*round)}, kept.not_read = 0;
  }
  return kept;
}

Message keep_round(const fs::path& state_folder, const vote::Round& round) {
  const fs::path file = rounds_file(state_folder);
  std::error_code failed;
  fs::create_directories(file.parent_path(), failed);
  file::Journal journal(file);
  if (!journal.append(vote::to_json(round).dump(-1, ' ', false, json::error_handler_t::replace)))
    return journal.trouble();
  const KeptRounds all = load_rounds(file);
  if (!all.trouble.empty()) return all.trouble;
  return file::write_whole(file.parent_path() / "rounds.csv", vote::csv_of(all.rounds)).words;
}

Message delete_rounds(const fs::path& state_folder) {
  std::error_code failed;
  for (const char* name : {"rounds.jsonl", "rounds.csv", "round.jsonl", "interface"}) {
    const fs::path file = state_folder / "class" / name;
    fs::remove(file, failed);
    if (failed) return Message("{}: cannot be removed: {}", file.string(), failed.message());
  }
  return {};
}

}  // namespace warplens::app
