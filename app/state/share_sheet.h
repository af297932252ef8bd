// The sheet from which a picture, a table, a film or the session leaves the app: what there is, what is
// chosen, and what became of it. Carried out outside (app/share).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/base/message.h"
#include "sim/lesson/view_id.h"

namespace warplens::app {

// A view by its id, or what is none.
struct ShareWhat {
  enum Other : std::uint8_t {
    View,
    Slide,   // source, memory and verdict of the access looked at, for a slide
    Global,  // one panel's picture each
    Shared,
    Map,         // the block and its warps
    Comparison,  // A│B beside each other, with the table
    Source,      // with the costs of its lines; as a table: the lines' whole-grid costs
    Lanes,
    Times,
    Counters,
    Steps,    // a slide of every access of the warp
    Session,  // a file that opens as this
    Launch,   // a document of the kernel's launch
    Place,    // one line of text, to the clipboard
    Figure,   // HTML that shows this in a page of one's own, to the clipboard
  };
  constexpr ShareWhat(Other what) : other(what) {}                 // NOLINT: is one
  constexpr ShareWhat(ViewId which) : other(View), view(which) {}  // NOLINT: is one
  Other other;
  ViewId view = ViewId::Memory;
  friend constexpr bool operator==(const ShareWhat&, const ShareWhat&) = default;
};
enum class ShareFormat : std::uint8_t { Png, Svg, Csv, Gif, File, Text, Html, Launch };

struct ShareRow {
  ShareWhat what;
  const char* name;  // of its files: "global"; and of its words: "share.what." + name
  std::vector<ShareFormat> formats;
};
std::span<const ShareRow> share_rows();
const ShareRow& row_of(ShareWhat what);
const char* name_of(ShareFormat format);       // "PNG"
const char* extension_of(ShareFormat format);  // ".png"

inline constexpr const char* kShareFolder = "share.folder";  // the one-line input

// What became of the last export.
struct ShareTold {
  std::string key;  // of the languages, with {words}; empty: there was none
  Message words;
  bool bad = false, busy = false;
  double progress = 0;
};
struct ShareSheet {
  int row = 0, column = 0;  // into share_rows() and its formats
  ShareTold told;
};

// Asked of the world outside.
struct ShareRequest {
  ShareWhat what = ShareWhat::Slide;
  ShareFormat format = ShareFormat::Png;
  std::string folder;  // empty: the present one
};
struct CopyFigure {};
// A Warplens file that is neither kernel nor session: a scenario, measurements, a lesson. `schema`: as it
// says.
struct Adopted;  // app/storage/files.h
struct AdoptFile {
  std::string path, schema;
  std::shared_ptr<Adopted> read = nullptr;  // what is in it; null: it is still to be read
};

}  // namespace warplens::app
