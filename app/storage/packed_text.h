// A text by zlib and in base64url (RFC 4648, without padding), for links.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warplens::app {

std::string pack_text(std::string_view text);
// nullopt: it is not whole, or would be longer than `most` bytes, which are never taken for it.
std::optional<std::string> unpack_text(std::string_view packed, std::size_t most);

}  // namespace warplens::app
