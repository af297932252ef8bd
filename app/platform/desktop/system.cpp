#include "app/platform/system.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <ifaddrs.h>
#include <malloc.h>
#include <net/if.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <csignal>
#include <filesystem>
#include <sstream>

#include "app/platform/slices.h"
#include "app/platform/window.h"
#include "sim/text/read_file.h"

namespace warplens::platform {

// A desktop has threads.
std::unique_ptr<Slices> Slices::create() {
  return nullptr;
}

namespace {

namespace fs = std::filesystem;

// Whether GTK's settings.ini says gtk-enable-animations=0 (or false), in any case and spacing.
bool turns_animations_off(const std::string& settings_ini) {
  std::istringstream lines(settings_ini);
  bool off = false;
  for (std::string line; std::getline(lines, line);) {
    std::erase_if(line, [](unsigned char c) { return std::isspace(c) != 0; });
    std::transform(line.begin(), line.end(), line.begin(), [](unsigned char c) { return std::tolower(c); });
    if (line.starts_with("gtk-enable-animations="))
      off = line.ends_with("=0") || line.ends_with("=false") || line.ends_with("=no");
  }
  return off;
}

}  // namespace

void prepare_app() {
  std::signal(SIGXFSZ,
              SIG_IGN);  // the write that grows a file beyond what is allowed fails, and that is told
  // Traces, maps and letters go back to the system as soon as they are not needed. By itself glibc, once it
  // has seen a large block freed, takes the next ones from the heap, which they leave full of holes: 30 MB
  // more after an hour.
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  mallopt(M_TRIM_THRESHOLD, 16 << 20);
}

void give_way_to_frames() {
#ifdef __linux__  // elsewhere the call means the whole process
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), 5);
#endif
}

std::chrono::nanoseconds computed() {
  timespec now{};
  if (::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0)
    return std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

bool has_threads() {
  return true;
}
bool has_folders() {
  return true;
}

fs::path home_folder() {
  return variable("HOME");
}

fs::path state_folder() {
  const fs::path folder = variable("XDG_STATE_HOME"), home = home_folder();
  if (folder.is_absolute()) return folder / "warplens";
  return home.is_absolute() ? home / ".local/state/warplens" : fs::path();
}

fs::path find_program(const std::string& name, const std::vector<fs::path>& before,
                      const std::vector<fs::path>& after) {
  std::vector<fs::path> folders = before;
  std::istringstream path(variable("PATH"));
  for (std::string folder; std::getline(path, folder, ':');) folders.emplace_back(folder);
  folders.insert(folders.end(), after.begin(), after.end());
  for (const fs::path& folder : folders) {
    const fs::path file = folder / name;
    std::error_code ignored;
    if (!folder.empty() && fs::is_regular_file(file, ignored) && ::access(file.c_str(), X_OK) == 0)
      return file;
  }
  return {};
}

fs::path program_folder() {
  std::error_code failed;
  return fs::read_symlink("/proc/self/exe", failed).parent_path();
}

bool has_library(const char* file_name) {
  void* library = ::dlopen(file_name, RTLD_LAZY | RTLD_LOCAL);
  if (library != nullptr) ::dlclose(library);
  return library != nullptr;
}

bool errors_are_seen() {
  return ::isatty(STDERR_FILENO) == 1;
}

GlKind wanted_gl() {
  return variable("WARPLENS_OPENGL") == "es" ? GlKind::Es30 : GlKind::Core33;
}

std::string display() {
  if (!variable("WAYLAND_DISPLAY").empty()) return "Wayland";
  const std::string x11 = variable("DISPLAY");
  return x11.empty() ? x11 : "X11, " + x11;
}

// By the settings of GTK 3 and 4, which desktops write for all programs.
bool reduced_motion() {
  std::filesystem::path folder = variable("XDG_CONFIG_HOME");
  if (folder.empty() && !home_folder().empty()) folder = home_folder() / ".config";
  if (folder.empty()) return false;
  for (const char* version : {"gtk-3.0", "gtk-4.0"}) {
    std::string text;
    Message error;
    const bool read = text::read_file(folder / version / "settings.ini", 1 << 20, &text, &error);
    if (read && turns_animations_off(text)) return true;
  }
  return false;
}

std::vector<std::string> font_files(Face face) {
  constexpr const char* kFiles[][3] = {
      {"opentype/inter/Inter-Regular.otf", "truetype/dejavu/DejaVuSans.ttf",
       "truetype/noto/NotoSans-Regular.ttf"},
      {"opentype/inter/Inter-SemiBold.otf", "truetype/dejavu/DejaVuSans-Bold.ttf",
       "truetype/noto/NotoSans-Bold.ttf"},
      {"truetype/jetbrains-mono/JetBrainsMono-Regular.ttf", "truetype/dejavu/DejaVuSansMono.ttf",
       "truetype/noto/NotoSansMono-Regular.ttf"},
      {"truetype/jetbrains-mono/JetBrainsMono-Bold.ttf", "truetype/dejavu/DejaVuSansMono-Bold.ttf",
       "truetype/noto/NotoSansMono-Bold.ttf"},
      {"truetype/wqy/wqy-microhei.ttc", "opentype/noto/NotoSansCJK-Regular.ttc"}};
  std::vector<std::string> files;
  for (const char* file : kFiles[static_cast<std::size_t>(face)])
    if (file != nullptr) files.push_back(text::fonts_folder() + file);
  return files;
}

namespace {

using Kind = NetworkAddress::Kind;

Kind kind_of(const std::string& interface, const std::string& address, unsigned flags) {
  if ((flags & IFF_LOOPBACK) != 0) return Kind::Loopback;
  const fs::path about = fs::path("/sys/class/net") / interface;
  std::error_code failed;
  const bool wireless = fs::exists(about / "wireless", failed) || fs::exists(about / "phy80211", failed);
  if (wireless && address.starts_with("10.42."))
    return Kind::Hotspot;  // as NetworkManager gives it to one that it opens
  if (wireless) return Kind::Wifi;
  return fs::exists(about / "device", failed) ? Kind::Cable : Kind::Virtual;
}

int order_of(Kind kind) {
  constexpr Kind kOrder[] = {Kind::Hotspot, Kind::Wifi, Kind::Cable, Kind::Virtual, Kind::Loopback};
  return static_cast<int>(std::find(std::begin(kOrder), std::end(kOrder), kind) - std::begin(kOrder));
}

}  // namespace

std::vector<NetworkAddress> network_addresses() {
  std::vector<NetworkAddress> found;
  ifaddrs* all = nullptr;
  if (::getifaddrs(&all) != 0) return found;
  for (const ifaddrs* one = all; one != nullptr; one = one->ifa_next) {
    constexpr unsigned kThere = IFF_UP | IFF_RUNNING;  // with a cable in it, or a Wi-Fi
    if (one->ifa_addr == nullptr || one->ifa_addr->sa_family != AF_INET ||
        (one->ifa_flags & kThere) != kThere)
      continue;
    char text[INET_ADDRSTRLEN] = {};
    const auto* in = reinterpret_cast<const sockaddr_in*>(one->ifa_addr);
    if (::inet_ntop(AF_INET, &in->sin_addr, text, sizeof text) == nullptr) continue;
    found.push_back({one->ifa_name, text, kind_of(one->ifa_name, text, one->ifa_flags)});
  }
  ::freeifaddrs(all);
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return order_of(a.kind) < order_of(b.kind); });
  return found;
}

bool has_ufw() {
  std::string settings;
  Message error;
  return text::read_file("/etc/ufw/ufw.conf", 1 << 16, &settings, &error) &&
         settings.find("\nENABLED=yes") != std::string::npos;
}

}  // namespace warplens::platform
