// Textures and surfaces: where their elements lie, and what the host has said of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/lower/ir/ir.h"
#include "sim/lower/types.h"
#include "sim/text/scan.h"

namespace warplens::sim::lower {

struct Texture {
  std::string name;
  std::size_t parameter = 0;  // the buffer of its elements, by its place among the program's parameters
  Value base = kNone;
  TypeRef element = nullptr;  // in memory; null: no access has said it yet
  bool is_surface = false;
  bool normalizes = false;  // integers are read as numbers of 0 to 1, or -1 to 1
  int dimensions = 0;       // 0: an access says it
};

enum class Boundary { Trap, Clamp, Zero };  // cudaBoundaryMode

// What the host code of a file sets, where it sets one thing throughout; empty: the launch has to say it. A
// setting that the text does not name is zero, as in a description that was cleared.
struct TextureSettings {
  std::optional<std::int64_t> filter, address, normalized;
  bool reads_normalized = false;  // cudaReadModeNormalizedFloat
  // What its textures hold, as it is described: "uchar4", "VolumeType", of cudaCreateChannelDesc<...>() or of
  // its numbers of bits. Empty: in other words.
  std::vector<std::string> formats = {};
};
TextureSettings texture_settings(std::string_view text);

// Words of the host code, which nobody parses: constants of CUDA that say how something is set up.
// What the one word stands for that the text names; `none` where it names none of them, empty where it names
// several that stand for different things.
template <class Meaning, class Words>
std::optional<Meaning> the_one_named(std::string_view text, const Words& words, std::optional<Meaning> none) {
  std::optional<Meaning> found;
  for (const auto& [word, meaning] : words) {
    if (!text::names_word(text, word)) continue;
    if (found && *found != meaning) return {};
    found = meaning;
  }
  return found ? found : none;
}

}  // namespace warplens::sim::lower
