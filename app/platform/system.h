// What the programs ask of the system that they run on, in one place: where things are, and what the person
// has set. Files are sim/file's, processes kernels/protocol's. Each folder below is one system; desktop/ is
// Linux with X11 or Wayland.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace warplens::platform {

// Settings of the whole process, of an app that draws, before anything else.
void prepare_app();

// The calling thread gives way to those that draw. A software renderer draws in threads of its own: on a
// laptop's few cores, work begun in a frame would take the frame's time.
void give_way_to_frames();

// What the calling thread has computed for; where that is not told, the time that has passed.
std::chrono::nanoseconds computed();

// Whether this system starts threads. Where not, all work shares one with the frames.
bool has_threads();

// Whether the person has folders that files can be written to. Where not, each is handed to them as a
// download.
bool has_folders();

// A variable of the environment; empty where it is not set.
inline std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

// The person's own folder, and the one for what a program remembers between two runs; empty: there is none.
std::filesystem::path home_folder();
std::filesystem::path state_folder();
// "~/lecture" -> "/home/ada/lecture".
inline std::filesystem::path without_tilde(const std::string& path) {
  const std::filesystem::path home = home_folder();
  if (home.empty() || !(path == "~" || path.starts_with("~/"))) return path;
  return home.string() + path.substr(1);
}

// The first program of this name that may run: in the folders `before`, on PATH, in those `after`; empty:
// none.
std::filesystem::path find_program(const std::string& name,
                                   const std::vector<std::filesystem::path>& before = {},
                                   const std::vector<std::filesystem::path>& after = {});
// The folder of the program that runs; empty: it cannot be told.
std::filesystem::path program_folder();

bool has_library(const char* file_name);  // one that is loaded at run time, as "libEGL.so.1"
// Characters that go to standard error are seen by a person.
bool errors_are_seen();

// Font files, the best first; they need not be there.
enum class Face { Words, WordsBold, Code, CodeBold, Chinese };
std::vector<std::string> font_files(Face face);

// Whether the person has asked their desktop for less motion.
bool reduced_motion();

// "Wayland", "X11, :0"; empty: there is no display.
std::string display();

// The machine's own addresses (IPv4), and what stands before them.
struct NetworkAddress {
  enum class Kind : std::uint8_t { Loopback, Cable, Wifi, Hotspot, Virtual };
  std::string interface, address;
  Kind kind = Kind::Cable;
  friend bool operator==(const NetworkAddress&, const NetworkAddress&) = default;
};

// The addresses of interfaces that are up: those that a hall is likely to use first, loopback last.
std::vector<NetworkAddress> network_addresses();

// Ubuntu's firewall says that it is on; which rules it has only root may read.
bool has_ufw();

}  // namespace warplens::platform
