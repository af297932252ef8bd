#include "app/readout/words/reuse.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "sim/base/numbers.h"

namespace warplens::app {
namespace {

std::string share_of(int bytes, int sectors) {
  const double part = static_cast<double>(bytes) / (memory::kSectorBytes * std::max(sectors, 1));
  if (bytes == memory::kSectorBytes * sectors) return "100";
  const double tenths = 1000 * part;  // what is no tenth of a percent is read as a whole one: 12.5, 33
  const bool whole = tenths != std::floor(tenths) && part >= 0.1;
  return percent(whole ? std::min(0.99, std::round(100 * part) / 100) : std::round(tenths) / 1000);
}

std::string op_words(memory::Op op, const language::Strings& strings) {
  switch (op) {
    case memory::Op::Load:
      return strings("reuse.loads");
    case memory::Op::Store:
      return strings("reuse.stores");
    case memory::Op::Async:
      return strings("reuse.copies");
    default:
      return strings("reuse.atomics");
  }
}

// "x", "y", "z" of "points[i].x" ...; where they begin otherwise, each whole.
std::vector<std::string> names_of(const sim::SectorSharing& sharing, const sim::Program& program) {
  std::vector<std::string> names;
  std::set<std::string> stems;
  for (const std::uint32_t site : sharing.sites) {
    const std::string& text = program.sites[site].text;
    const std::size_t dot = text.rfind('.');
    const bool field = dot != std::string::npos && text.find_first_of("[]() ", dot) == std::string::npos;
    stems.insert(field ? text.substr(0, dot) : text + " ");
    names.push_back(text);
  }
  if (stems.size() > 1) return names;
  for (std::string& name : names) name = name.substr(name.rfind('.') + 1);
  return names;
}

// "x, y and z"; empty: too many or too long to be read.
std::string listed(const std::vector<std::string>& names, const language::Strings& strings) {
  constexpr std::size_t kMostNames = 4, kMostLetters = 40;
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) list += strings(i + 1 == names.size() ? "scene.list.and" : "scene.list.comma");
    list += names[i];
  }
  return names.size() > kMostNames || list.size() > kMostLetters ? std::string() : list;
}

class SharingWords {
 public:
  SharingWords(const sim::SectorSharing& sharing, const PricedAccess& access, const sim::Program& program,
               const language::Strings& strings)
      : s_(sharing), access_(access), program_(program), strings_(strings) {}

  std::string make() const {
    if (s_.sectors == 0 || memory::lanes_take_turns(access_.access)) return {};
    std::string words = of_warp();
    if (words.empty() || s_.block_bytes > s_.warp_bytes) {
      const std::string more = of_block();
      if (!more.empty()) words += (words.empty() ? "" : strings_("reuse.between")) + more;
    }
    return words;
  }

 private:
  std::string say(const char* key, std::uint64_t n, int all_bytes, const std::string& names = {}) const {
    return strings_(key, {{"n", grouped(static_cast<long long>(n))},
                          {"own", share_of(s_.own_bytes, s_.sectors)},
                          {"all", share_of(all_bytes, s_.sectors)},
                          {"ops", op_words(access_.access.op, strings_)},
                          {"names", names}});
  }

  std::string of_warp() const {
    if (s_.most_steps < 2) return {};
    const bool even = s_.least_steps == s_.most_steps, gains = s_.warp_bytes > s_.own_bytes;
    if (!even) return gains ? say("reuse.say.warp", s_.most_steps, s_.warp_bytes) : std::string();
    if (s_.sites.size() == s_.least_steps && gains) {  // one request each
      const std::string names = listed(names_of(s_, program_), strings_);
      if (!names.empty()) return say("reuse.say.sites", s_.least_steps, s_.warp_bytes, names);
    }
    const bool next = s_.sites.size() == 1 && s_.next_steps > 0 && s_.next_steps + 1 == s_.least_steps;
    if (next && gains) return say("reuse.say.next", s_.next_steps, s_.warp_bytes);
    return say(gains ? "reuse.say.steps" : "reuse.say.steps.same", s_.least_steps, s_.warp_bytes);
  }

  std::string of_block() const {
    if (s_.most_warps < 2) return {};
    const bool even = s_.least_warps == s_.most_warps, gains = s_.block_bytes > s_.warp_bytes;
    if (!even) return gains ? say("reuse.say.block", s_.most_warps, s_.block_bytes) : std::string();
    return say(gains ? "reuse.say.warps" : "reuse.say.warps.same", s_.least_warps, s_.block_bytes);
  }

  const sim::SectorSharing& s_;
  const PricedAccess& access_;
  const sim::Program& program_;
  const language::Strings& strings_;
};

}  // namespace

std::string sharing_words(const Reuse& reuse, const Simulation& s, const language::Strings& strings) {
  if (!reuse.sharing || !s.global || s.global->known != Known::All) return {};
  std::string words = SharingWords(*reuse.sharing, *s.global, s.program(), strings).make();
  if (!words.empty() && words[0] >= 'a' && words[0] <= 'z')
    words[0] = static_cast<char>(words[0] - 'a' + 'A');  // a sentence
  return words;
}

std::optional<scene::ReuseView> reuse_view(const Reuse* reuse, const Simulation& s,
                                           const language::Strings& strings) {
  if (reuse == nullptr || !reuse->shown) return std::nullopt;
  scene::ReuseView view;
  view.origins = origins_of(*reuse, s);
  if (reuse->residents && !reuse->residents->error)
    view.residents = static_cast<int>(reuse->residents->blocks.size());
  view.words = sharing_words(*reuse, s, strings);
  return view;
}

}  // namespace warplens::app
