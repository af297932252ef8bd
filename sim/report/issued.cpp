#include "sim/report/issued.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "sim/memory/coalescing.h"

namespace warplens::report {
namespace {

using memory::Op;
using Reason = sim::UnissuedAccess::Why;

Message joined_words(Op op, int written, int bytes) {
  return op == Op::Load ? Message("{} loads, issued as one of {} bytes", written, bytes)
                        : Message("{} stores, issued as one of {} bytes", written, bytes);
}

Message one_left_out(Reason why) {
  switch (why) {
    case Reason::Unread:
      return Message("a load that is not issued: nothing needs what it reads");
    case Reason::Known:
      return Message("a load that is not issued: it was loaded or stored before, and is as it was");
    case Reason::Unchanged:
      return Message("a store that is not issued: what it stores is there already");
    case Reason::Overwritten:
      return Message("a store that is not issued: the next one overwrites it");
    case Reason::EachTurn:
      break;
  }
  return Message("a load that is issued once, in front of the loop: no turn changes what it reads");
}

Message left_out_words(Reason why, int count) {
  if (count == 1) return one_left_out(why);
  switch (why) {
    case Reason::Unread:
      return Message("{} loads that are not issued: nothing needs what they read", count);
    case Reason::Known:
      return Message("{} loads that are not issued: they were loaded or stored before, and are as they were",
                     count);
    case Reason::Unchanged:
      return Message("{} stores that are not issued: what they store is there already", count);
    case Reason::Overwritten:
      return Message("{} stores that are not issued: the next ones overwrite them", count);
    case Reason::EachTurn:
      break;
  }
  return Message("{} loads that are issued once, in front of the loop: no turn changes what they read",
                 count);
}

// What is remarked of each line, in the order of the text; a set, since what is inlined twice stands once in the text.
template <typename Remark>
std::vector<IssuedLine> remarked_lines(const std::map<int, std::set<Remark>>& lines,
                                       Message (*words)(const Remark&)) {
  std::vector<IssuedLine> result;
  for (const auto& [line, remarks] : lines) {
    result.push_back({line, {}});
    for (const Remark& remark : remarks) result.back().words.push_back(words(remark));
  }
  return result;
}

}  // namespace

const char* name_of(Reason why) {
  static constexpr const char* kNames[] = {"unread", "known", "unchanged", "overwritten", "each_turn"};
  return kNames[static_cast<int>(why)];
}

std::vector<IssuedLine> issued_lines(const sim::Program& program) {
  std::map<int, IssuedLine> lines;
  std::set<std::tuple<int, std::string, Op, int>> made;  // what is inlined twice stands once in the text
  for (const sim::AccessSite& site : program.sites) {
    if (!made.emplace(site.range.begin.offset, site.text, site.op, site.written).second) continue;
    IssuedLine& line = lines[site.range.begin.line];
    line.issued += 1, line.written += site.written;
    if (site.written > 1) line.words.push_back(joined_words(site.op, site.written, site.bytes));
  }
  std::map<std::pair<int, Reason>, int> left_out;
  for (const sim::UnissuedAccess& access : program.unissued)
    ++left_out[{access.range.begin.line, access.why}];
  for (const auto& [which, count] : left_out) {
    IssuedLine& line = lines[which.first];
    line.words.push_back(left_out_words(which.second, count));
    if (which.second != Reason::EachTurn) line.written += count;
  }
  std::vector<IssuedLine> result;
  for (auto& [number, line] : lines) {
    line.line = number;
    if (!line.words.empty()) result.push_back(std::move(line));
  }
  return result;
}

std::vector<IssuedLine> texture_lines(const sim::Program& program) {
  std::map<int, std::set<int>> lines;
  for (const sim::AccessSite& site : program.sites)
    if (site.form == sim::AccessForm::Texture && site.op == Op::Load)
      lines[site.range.begin.line].insert(memory::texture_group_lanes(site.bytes));
  return remarked_lines<int>(lines, [](const int& lanes) {
    return Message(
        "the texture path asks for the sectors of each {} lanes by themselves: a sector that several such "
        "groups need counts once for each, in a load once",
        lanes);
  });
}

std::vector<IssuedLine> joinable_lines(const sim::Program& program) {
  std::map<int, std::set<std::string>> lines;
  for (const sim::AccessSite& site : program.sites)
    if (site.joinable) lines[site.range.begin.line].insert(site.text);
  return remarked_lines<std::string>(lines, [](const std::string& text) {
    return Message(
        "{}: neighbouring loads from an aligned place, counted one by one as written: the assembler may "
        "join them into accesses of 16 bytes",
        text);
  });
}

std::vector<IssuedLine> local_memory_lines(const sim::Program& program) {
  using Array = std::pair<std::string, std::int64_t>;
  std::map<int, std::set<Array>> lines;
  for (const int number : program.in_local_memory) {
    const sim::SharedArray& array = program.local_arrays[static_cast<std::size_t>(number)];
    lines[array.range.begin.line].insert({array.name, array.bytes});
  }
  return remarked_lines<Array>(lines, [](const Array& array) {
    return Message(
        "{} has an index that is known only at run time: compilers mostly keep its {} bytes a thread in "
        "local memory, and its loads and stores, which go through L1, are not in the counts",
        array.first, array.second);
  });
}

}  // namespace warplens::report
