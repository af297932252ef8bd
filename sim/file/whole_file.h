// Files written whole or not at all: every file that Warplens writes is written here.
//
// The new content goes to a file of its own in the same folder (exclusive, hidden, with a random name), to
// the disk, and only then into the old one's place. What stands there is at every moment the old file or the
// new one; a writer that is killed leaves at most that hidden file, which the next writer in that folder
// removes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "sim/base/message.h"

namespace warplens::file {

// Why a file could not be written.
enum class Trouble : std::uint8_t {
  None,
  NoName,
  Folder,        // it is one
  NoFolder,      // the folder that it would be in is not there
  NotAllowed,    // by the permissions of file or folder
  ReadOnly,      // the file system
  AnothersFile,  // replacing it would take it from its owner
  AnothersLink,  // a link by another user in a folder that all may write to
  Links,         // that lead in a circle
  NoRoom,
  NameTooLong,
  Pipe,
  NoReader,  // of a pipe
  Socket,
  Device,
  Failed,  // as the words say
};

struct Written {
  Trouble trouble = Trouble::None;
  Message words;  // the file, what is wrong, what to do; empty: it was written
  explicit operator bool() const { return trouble == Trouble::None; }
};

struct Manner {
  bool to_pipes = false;  // pipes, terminals and character devices too, directly: for names on a command line
  bool durable = true;    // on the disk when this returns, so that it outlives a loss of power
};

// A symbolic link stays and what it leads to is written. Mode, owner, access list and attributes of a file
// that is there are kept; a new one gets what the umask leaves of 0666. Where the result is not true, the old
// file is as it was.
Written write_whole(const std::filesystem::path& file, std::string_view content, Manner manner = {});

// Whether a file could lie there, by the name alone: what write_whole would refuse for it. Nothing is
// written, and what only the writing shows (no room, no permission) is not asked.
Written check_place(const std::filesystem::path& file, Manner manner = {});

// "a pipe", "a socket", "a device": what lies there where reading or writing may never end, links followed;
// or empty.
std::string special_kind(const std::filesystem::path& file);

}  // namespace warplens::file
