// All of what is on screen as one line, and back: scenario, parameters and place as a person writes them
// (sim/scenario/permalink.h), and behind them what differs from how the scenario opens:
//
//   warplens:transpose_shared?pad=1#warp=3&access=5&language=zh-CN&theme=light&view=1.eJyrVi...
//
//   language, theme, present=1, lesson, step   as named
//   view    its version, a point, and the differing fields of a session (viewpoint_json.h) as JSON, by zlib,
//           in base64url: matrix, plots, tabs, A of A│B, an edited text
//
// A user's own kernel is all in the view, and the scenario's name is "kernel". No link holds a path, an
// answer or the name of a person; none makes the program write or start anything. A text that was written by
// an earlier version stays readable: a field is only ever added.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/simulate/simulation.h"
#include "app/source/programs.h"
#include "app/state/action.h"
#include "app/state/catalog.h"
#include "app/state/state.h"
#include "app/state/teaching.h"

namespace warplens::app {

inline constexpr std::string_view kOwnKernel = "kernel";
inline constexpr std::size_t kLongestLink = 48 << 10;  // bytes; what browsers and chats still take

// Empty: an own or edited text is too long for a link; a session file has it.
std::string write_link(const State& state, const Simulation& simulation, const Catalog& catalog);
// As it stands behind the # of an address.
std::string address_of(const std::string& link);

bool is_link(std::string_view text);
// Errors name the field.
scenario::Outcome<std::shared_ptr<const Link>> read_link(const std::string& text, const Catalog& catalog,
                                                         const Means& means = {});
// A text by zlib and in base64url (RFC 4648, without padding), as a view stands in a link; read back: nullopt
// where it is not whole, or would be longer than `most` bytes, which are never taken for it.
std::string pack_text(std::string_view text);
std::optional<std::string> unpack_text(std::string_view packed, std::size_t most);

// A living figure for a page of one's own: HTML that shows in it what is on screen (docs/browser.md).
struct Figure {
  std::string site;   // where the browser edition lies; empty: beside the page
  std::string link;   // write_link()
  std::string title;  // for those who do not see it
  int width = 800, height = 450;
  // The parameters that are offered below the picture, by name; nothing: all of them.
  std::vector<std::string> controls = {};
};

std::string figure_html(const Figure& figure);

// What opens it: its lesson at its step, or none, and then the view.
Actions actions_of(const std::shared_ptr<const Link>& link, const State& state, bool pasted);

}  // namespace warplens::app
