// A scenario with its parameters and a place in it, as one line to paste in a chat:
//
//   warplens:transpose_shared?block=32x16&ncols=2048&nrows=2048&pad=0#block=0,0,0&warp=3&access=5
//
// After `?` the parameters, by name; `block` stands for block_x, block_y and block_z. After `#` where to
// look: the block of the grid and the warp, from 0, the warp's access and its wavefront, from 1, as the app
// counts them; and how the app shows it, which is its own affair (app/storage/link.h). Everything but the
// name may be left out. An address whose fragment is such a line says the same; there `!` stands for the
// second `#`:
//
//   https://example.org/warplens/#transpose_shared?pad=1!warp=3
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/scenario.h"

namespace warplens::scenario {

struct Permalink {
  std::string scenario;
  ParameterValues values;                   // those that the text names
  std::optional<sim::Dim3> block;           // of the grid, from 0
  std::optional<int> warp;                  // of the block, from 0
  std::optional<int> access;                // of the warp, from 1
  std::optional<int> wavefront;             // of the access, from 1
  std::map<std::string, std::string> look;  // kLook: how it is shown, unread
  std::vector<Message> gone;  // settings that an older version knew: passed over, and to be told
};

// What may stand behind the place, for the app.
inline constexpr const char* kLook[] = {"language", "theme", "present", "lesson", "step", "view"};

// What begins like one; white space, quotes and back ticks around it do not count.
bool is_permalink(std::string_view text);
// The scenario's name; empty: there is none.
std::string scenario_of_permalink(std::string_view text);
// Errors name the field: "pad=99: must be from 0 to 32". `scenario` is the one that the text names. A name
// that is close to a parameter's is mistyped, an error; any other one is gone.
Outcome<Permalink> read_permalink(std::string_view text, const Scenario& scenario);
// With every parameter of the scenario, in its order; those that `text.values` lacks have their defaults.
std::string write_permalink(const Permalink& text, const Scenario& scenario);

}  // namespace warplens::scenario
