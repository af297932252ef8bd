// A living figure for a page of one's own: HTML that shows in it what is on screen (docs/browser.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace warplens::app {

struct Figure {
  std::string site;   // where the browser edition lies; empty: beside the page
  std::string link;   // write_link()
  std::string title;  // for those who do not see it
  int width = 800, height = 450;
  // The parameters that are offered below the picture, by name; nothing: all of them.
  std::optional<std::vector<std::string>> controls = {};
};

std::string figure_html(const Figure& figure);

}  // namespace warplens::app
