// How wide a text will be, without a font at hand: advance widths of Inter and JetBrains Mono as a table,
// other scripts as full-width squares. Good to a few per cent, which is enough to keep labels from
// overlapping.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/scene/scene.h"

namespace warplens::scene {

float text_width(std::string_view text, float size, Font font = Font::Words, bool bold = false);
// Ends the text with an ellipsis where it is wider than `width`.
std::string shortened(std::string_view text, float width, float size, Font font = Font::Words,
                      bool bold = false);
// The scene's title, without its last parts where they have no room.
std::string title_within(const Scene& scene, float width, float size);
// Breaks the text into lines no wider than `width`, at spaces or between ideographs; the last of at most
// `most` lines is shortened.
std::vector<std::string> wrapped(std::string_view text, float width, float size, int most,
                                 Font font = Font::Words, bool bold = false);
// The longest beginning of the text that ends where a clause does (before ; : , — or a parenthesis) and
// `fits`; the whole text where that does; empty where not even the first clause does. What is left out is
// whole, too.
std::string whole_clauses(const std::string& text, const std::function<bool(const std::string&)>& fits);
// The rectangle that the label covers, from its ascenders to its descenders.
Rect bounds(const Label& label);

}  // namespace warplens::scene
