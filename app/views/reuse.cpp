#include "app/views/reuse.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "app/views/global.h"
#include "sim/base/numbers.h"

namespace warplens::views {
namespace {

// The trace's event of the global access on screen.
std::optional<std::uint32_t> event_on_screen(const app::Simulation& s) {
  if (!s.trace || !s.global || s.global->known != app::Known::All || s.global->event < 0) return std::nullopt;
  return (*s.events)[static_cast<std::size_t>(s.global->event)].event;
}

}  // namespace

std::vector<sim::Origin> origins_of(const Reuse& reuse, const app::Simulation& s) {
  const auto event = event_on_screen(s);
  if (!event || reuse.origins == nullptr) return {};
  return reuse.origins->of(*event);
}

Reuse moved_to(const Reuse& from, const app::Simulation& s, Budget& budget) {
  Reuse reuse = from;
  reuse.sharing.reset();
  if (const auto event = event_on_screen(s))
    reuse.sharing = sector_sharing(s.program(), *s.trace, *event, budget);
  return reuse;
}

Reuse reuse_of(const app::Simulation& s, bool shown, bool begins, jobs::Memos& memos) {
  constexpr std::size_t kKnownTraces = 3;
  Reuse out;
  out.shown = shown;
  if (const auto event = event_on_screen(s)) {
    const auto sharing = memos.get<sim::SectorSharing>(
        std::pair(s.trace, *event),
        [compiled = s.compiled, trace = s.trace, event = *event](Budget& budget, std::atomic<double>*) {
          return std::make_shared<const sim::SectorSharing>(
              sector_sharing(compiled->program, *trace, event, budget));
        },
        {.most = 1});
    if (sharing.value) out.sharing = *sharing.value;
  }
  if (!shown) return out;
  const auto origins = memos.get<sim::SectorOrigins>(
      s.trace,
      [compiled = s.compiled, trace = s.trace](Budget& budget, std::atomic<double>*) {
        return std::make_shared<const sim::SectorOrigins>(compiled->program, *trace, budget);
      },
      {.most = kKnownTraces, .begins = begins});
  out.origins = origins.value;
  out.busy = origins.busy;
  return out;
}

Reuse reuse_of(const app::Simulation& s, Budget& budget, std::atomic<double>* progress) {
  jobs::Memos at_once(budget, progress);
  return reuse_of(s, true, true, at_once);
}

// ---- what is said of it
// ---
namespace {

std::string share_of(int bytes, int sectors) {
  const double part = static_cast<double>(bytes) / (memory::kSectorBytes * std::max(sectors, 1));
  if (bytes == memory::kSectorBytes * sectors) return "100";
  const double tenths = 1000 * part;  // what is no tenth of a percent is read as a whole one: 12.5, 33
  const bool whole = tenths != std::floor(tenths) && part >= 0.1;
  return percent(whole ? std::min(0.99, std::round(100 * part) / 100) : std::round(tenths) / 1000);
}

std::string op_words(memory::Op op, const language::Strings& strings) {
  if (memory::is_atomic(op)) return strings("reuse.atomics");
  return strings(op == memory::Op::Async  ? "reuse.copies"
                 : memory::only_reads(op) ? "reuse.loads"
                                          : "reuse.stores");
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
    if (std::ranges::count(names, text) == 0) names.push_back(text);
  }
  if (stems.size() > 1) return names;
  for (std::string& name : names) name = name.substr(name.rfind('.') + 1);
  return names;
}

// "x, y and z"; empty: too many or too long to be read, or one that would share with itself.
std::string listed(const std::vector<std::string>& names, const language::Strings& strings) {
  constexpr std::size_t kMostNames = 4, kMostLetters = 40;
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) list += strings(i + 1 == names.size() ? "scene.list.and" : "scene.list.comma");
    list += names[i];
  }
  return names.size() == 1 || names.size() > kMostNames || list.size() > kMostLetters ? std::string() : list;
}

// What the rest of the warp, and then of the block, uses of them too; empty: nothing more.
std::string words_of(const sim::SectorSharing& s, memory::Op op, const sim::Program& program,
                     const language::Strings& strings) {
  const auto say = [&](const std::string& key, int bytes, const std::string& names = {}) {
    return strings(key, {{"n", grouped(s.sites.size())},
                         {"own", share_of(s.own_bytes, s.sectors)},
                         {"all", share_of(bytes, s.sectors)},
                         {"ops", op_words(op, strings)},
                         {"names", names}});
  };
  std::string words;
  if (s.warp_bytes > s.own_bytes) {
    const std::string names = listed(names_of(s, program), strings);
    words = say(names.empty() ? "reuse.say.warp" : "reuse.say.sites", s.warp_bytes, names);
  }
  if (s.block_bytes <= s.warp_bytes) return words;
  return words.empty() ? say("reuse.say.block", s.block_bytes)
                       : words + strings("reuse.between") + say("reuse.say.block.more", s.block_bytes);
}

}  // namespace

std::string sharing_words(const Reuse& reuse, const app::Simulation& s, const language::Strings& strings) {
  if (!reuse.sharing || s.unfinished || !s.global || s.global->known != app::Known::All) return {};
  if (reuse.sharing->sectors == 0 || memory::lanes_take_turns(s.global->access)) return {};
  std::string words = words_of(*reuse.sharing, s.global->access.op, s.program(), strings);
  if (!words.empty() && words[0] >= 'a' && words[0] <= 'z')
    words[0] = static_cast<char>(words[0] - 'a' + 'A');  // a sentence
  return words;
}

int bytes_of_block(const Reuse* reuse, const app::Simulation& s) {
  if (reuse == nullptr || !reuse->sharing || s.unfinished || !s.global) return 0;
  if (s.global->known != app::Known::All || memory::lanes_take_turns(s.global->access)) return 0;
  const int bytes = reuse->sharing->block_bytes;
  return bytes > reuse->sharing->own_bytes ? bytes : 0;
}

std::optional<scene::ReuseView> reuse_view(const Reuse* reuse, const app::Simulation& s,
                                           const language::Strings& strings) {
  if (reuse == nullptr || !reuse->shown) return std::nullopt;
  scene::ReuseView view;
  view.origins = origins_of(*reuse, s);
  view.words = sharing_words(*reuse, s, strings);
  return view;
}

const Row& reuse() {
  static constexpr app::Command kCommands[] = {
      {"reuse", app::Focus::Window, "Shift F11", "help.reuse", app::toggles<ViewId::Reuse>}};
  static const Row kRow{
      .id = ViewId::Reuse, .where = Tab::WhereWide, .draw = global_memory, .commands = kCommands};
  return kRow;
}

}  // namespace warplens::views
