// Whole files of bounded size, whatever lies under their name.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>

#include "sim/base/message.h"

namespace warplens::text {

inline constexpr std::size_t kMostFontBytes = std::size_t{256} << 20;

// Never waits: only a regular file is opened. False, with `error` in words that begin with the file's name,
// where there is none, where it is a folder, a pipe, a device or a socket, cannot be read, or is larger than
// `most` bytes.
bool read_file(const std::filesystem::path& file, std::size_t most, std::string* text, Message* error);

// To its end, from a descriptor that a person chose (standard input); waits for it until `stopped`, which is
// asked twenty times a second. `name` begins the error.
bool read_descriptor(int descriptor, const Message& name, std::size_t most, std::string* text, Message* error,
                     const std::function<bool()>& stopped = {});

// Where the letters of a picture come from: the fonts that an unpacked archive brought along, as
// bin/../share/warplens/fonts, or those of the machine, in the folders that Debian gives them.
std::string fonts_folder();  // ends with a slash; below it "truetype/dejavu/DejaVuSans.ttf" and others

}  // namespace warplens::text
