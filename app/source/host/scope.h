// What of a file's text a place in its host code can see: everything at the top level before it, and of the
// functions and blocks only those that it stands in. A variable of another function, or of a block that has
// ended, is not meant by the same name.
#pragma once

#include <string>
#include <string_view>

namespace warplens::app {

// The text before `offset` (bytes) as a program that is started without arguments goes through it (`if (argc
// > 1)`), without comments and without blocks that have ended; preprocessor lines and namespaces stay.
std::string visible_before(std::string_view text, std::size_t offset);

}  // namespace warplens::app
