#include <map>
#include <set>
#include <string>
#include <utility>

#include "sim/memory/coalescing.h"
#include "sim/report/report.h"

namespace warplens::report {
namespace {

using memory::Op;

// What is remarked of each line, in the order of the text; a set, since what is inlined twice stands once in
// the text.
template <typename Remark>
std::vector<LineNotes> remarked_lines(const std::map<int, std::set<Remark>>& lines,
                                      Message (*words)(const Remark&)) {
  std::vector<LineNotes> result;
  for (const auto& [line, remarks] : lines) {
    result.push_back({line, {}});
    for (const Remark& remark : remarks) result.back().words.push_back(words(remark));
  }
  return result;
}

}  // namespace

std::vector<LineNotes> texture_lines(const sim::Program& program) {
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

std::vector<LineNotes> joinable_lines(const sim::Program& program) {
  std::map<int, std::set<std::string>> lines;
  for (const sim::AccessSite& site : program.sites)
    if (site.joinable) lines[site.range.begin.line].insert(site.text);
  return remarked_lines<std::string>(lines, [](const std::string& text) {
    return Message(
        "{}: its neighbours reach the rest of 16 aligned bytes; each access is counted as the PTX has it, "
        "and the assembler may join them into wider ones",
        text);
  });
}

std::vector<LineNotes> local_memory_lines(const sim::Program& program) {
  using Array = std::pair<std::string, std::int64_t>;
  std::map<int, std::set<Array>> lines;
  for (const int number : program.in_local_memory) {
    const sim::SharedArray& array = program.local_arrays[number];
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
