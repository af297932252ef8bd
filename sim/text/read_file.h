// Reads whole files of bounded size, whatever kind of file a name leads to.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>

#include "sim/base/message.h"

namespace warplens::text {

inline constexpr std::size_t kMostFontBytes = std::size_t{256} << 20;

// Never waits: only a regular file is opened. False, with an `error` that begins with the file's name, if
// there is no file, if it is a folder, a pipe, a device or a socket, cannot be read, or is larger than `most`
// bytes.
bool read_file(const std::filesystem::path& file, std::size_t most, std::string* text, Message* error);

// Reads a descriptor that a person chose (standard input) to its end; waits until `stopped`, which is asked
// twenty times a second. The error begins with `name`.
bool read_descriptor(int descriptor, const Message& name, std::size_t most, std::string* text, Message* error,
                     const std::function<bool()>& stopped = {});

// The folder of the fonts for pictures: those of an unpacked archive, in bin/../share/warplens/fonts, or
// those of the machine, in the folders of Debian.
std::string fonts_folder();  // ends with a slash; below it "truetype/dejavu/DejaVuSans.ttf" and others

}  // namespace warplens::text
