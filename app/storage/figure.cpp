#include "app/storage/figure.h"

#include <string_view>

#include "app/storage/link.h"

namespace warplens::app {
namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

// Of what was typed or copied from an address bar: the site alone.
std::string site_of(std::string site) {
  site = site.substr(0, site.find_first_of("?#"));
  const std::size_t from = site.find_first_not_of(" \t"), to = site.find_last_not_of(" \t");
  if (from == std::string::npos) return "./";
  site = site.substr(from, to - from + 1);
  const bool page = site.ends_with(".html") || site.ends_with("/");
  return page ? site : site + "/";
}

}  // namespace

std::string figure_html(const Figure& figure) {
  std::string address = site_of(figure.site) + "?embed";
  if (figure.controls) {
    address += "&controls=";
    for (std::size_t i = 0; i < figure.controls->size(); ++i)
      address += (i > 0 ? "," : "") + (*figure.controls)[i];
  }
  address += "#" + address_of(figure.link);
  return "<iframe src=\"" + escaped(address) + "\" width=\"" + std::to_string(figure.width) + "\" height=\"" +
         std::to_string(figure.height) + "\" allow=\"fullscreen\" title=\"" + escaped(figure.title) +
         "\"></iframe>";
}

}  // namespace warplens::app
