// What the state asks of the world outside: files to be read, written, listed. apply() stays a function of
// values; others carry these out and answer with actions (files.h).
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "app/state/classroom.h"
#include "app/state/share_sheet.h"

namespace warplens::app {

struct Lecture;  // lecture.h

struct FileEntry {
  std::string name;
  bool is_folder = false;
  friend bool operator==(const FileEntry&, const FileEntry&) = default;
};

struct ReadFile {
  std::string path;
  std::vector<std::string> more = {};  // one after another
};
struct ListFolder {
  std::string folder;
};
struct WriteFile {
  std::string path, text;
  std::string known;  // what the file holds as far as the person knows, see fingerprint.h; empty: not known
  bool as = false;    // under a name just chosen: a file that is there is replaced only when that is known
};
struct WriteLecture {
  std::shared_ptr<const Lecture> lecture;
  WriteFile file;  // but for its text
};
struct ReadRecovery {};
struct DiscardRecovery {};
struct ListCommands {};  // for the palette, in the language of the state
struct CloseWindow {};   // unless something unsaved would be lost
struct RunSanitizer {};  // on the kernel on screen; while it runs: stop it
struct RunCompiler {};   // the same, by a compiler of CUDA C++
struct MakeRound {};     // of the question on screen, in every language
struct MakeRace {};      // of the times of A and B
struct CopyLink {};      // to what is on screen, into the clipboard
struct OpenLink {
  std::string text;  // as pasted
};
struct KeepProgress {
  std::string lesson;
  LessonRecord record;
};

// The last ten are the app's own (app/desktop): they need pixels, the clipboard, the catalog or a GPU.
using Request = std::variant<ReadFile, ListFolder, WriteFile, WriteLecture, ReadRecovery, DiscardRecovery,
                             KeepProgress, ListCommands, ShareRequest, CopyFigure, AdoptFile, RunSanitizer,
                             RunCompiler, CloseWindow, MakeRound, MakeRace, CopyLink, OpenLink>;

}  // namespace warplens::app
