#include "app/platform/system.h"

#include <utility>

#include "app/platform/http.h"
#include "app/platform/stop.h"
#include "app/platform/window.h"

// app/platform/web/library.js
extern "C" {
int wl_page_less_motion();
void wl_page_fetch(const char* name);
}

namespace warplens::platform {

namespace fs = std::filesystem;

void prepare_app() {}
void give_way_to_frames() {}

std::chrono::nanoseconds computed() {
  return std::chrono::steady_clock::now().time_since_epoch();
}

// In the page's file system: what lies in the first is offered as a download, what lies in the second is kept
// by the browser.
fs::path home_folder() {
  return "/downloads";
}
fs::path state_folder() {
  return "/state";
}
fs::path find_program(const std::string&, const std::vector<fs::path>&, const std::vector<fs::path>&) {
  return {};
}
fs::path program_folder() {
  return {};
}
bool has_library(const char*) {
  return false;
}
bool errors_are_seen() {
  return false;
}
bool has_threads() {
  return false;
}
bool has_folders() {
  return false;
}

// Where Debian has them, which is where pictures look for them too: the site's data are packed so (site.py).
std::vector<std::string> font_files(Face face) {
  const std::string fonts = "/usr/share/fonts/";
  switch (face) {
    case Face::Words:
      return {fonts + "opentype/inter/Inter-Regular.otf"};
    case Face::WordsBold:
      return {fonts + "opentype/inter/Inter-SemiBold.otf"};
    case Face::Code:
      return {fonts + "truetype/jetbrains-mono/JetBrainsMono-Regular.ttf"};
    case Face::CodeBold:
      return {fonts + "truetype/jetbrains-mono/JetBrainsMono-Bold.ttf"};
    case Face::Chinese:
      break;
  }
  // Asked for only where Chinese is to be written: it comes then, and wl_arrived() tells of it.
  static bool asked = false;
  if (!std::exchange(asked, true)) wl_page_fetch("chinese.pack");
  return {fonts + "truetype/wqy/wqy-microhei.ttc"};
}

bool reduced_motion() {
  return wl_page_less_motion() != 0;
}

GlKind wanted_gl() {
  return GlKind::Es30;
}

std::string display() {
  return "browser";
}

// ---- A page serves nobody.

std::vector<NetworkAddress> network_addresses() {
  return {};
}
bool has_ufw() {
  return false;
}

std::unique_ptr<HttpServer> HttpServer::open(const std::string&, int, Handler, HttpTrouble* trouble,
                                             const HttpBounds&) {
  *trouble = {HttpTrouble::Kind::Failed, {}};
  return nullptr;
}

// ---- A page ends without a word: what is unsaved is kept as it is noted.

void prepare_command() {}

const std::atomic<bool>& asked_to_stop() {
  static const std::atomic<bool> never{false};
  return never;
}

struct EndWatch::Watcher {};
EndWatch::EndWatch(std::function<void()>, std::function<void()>) {}
EndWatch::~EndWatch() = default;

void end_as_asked() {}

}  // namespace warplens::platform
