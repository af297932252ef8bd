#include "sim/base/message.h"

#include <cerrno>
#include <cstring>
#include <ostream>

namespace warplens {

std::string filled(std::string_view pattern, const std::vector<std::string>& values) {
  std::string out;
  std::size_t counted = 0;
  for (std::size_t at = 0; at < pattern.size();) {
    const MessagePlace place = place_at(pattern, at, counted);
    if (place.length == 0 || place.number >= values.size()) {
      out += pattern[at++];
      continue;
    }
    out += values[place.number];
    at += place.length;
  }
  return out;
}

Message::Message(std::string pattern, std::vector<Message> arguments)
    : pattern_(std::move(pattern)), arguments_(std::move(arguments)) {
  std::vector<std::string> values;
  values.reserve(arguments_.size());
  for (const Message& argument : arguments_) values.push_back(argument.english_);
  english_ = filled(pattern_, values);
}

Message Message::verbatim(std::string text) {
  Message message;
  message.english_ = std::move(text);
  return message;
}

Message Message::of_languages(const std::map<std::string, std::string>& texts) {
  const auto english = texts.find("en");
  Message message = verbatim(english == texts.end() ? std::string() : english->second);
  message.texts_ = std::make_shared<const std::map<std::string, std::string>>(texts);
  return message;
}

const std::string* Message::text_in(const std::string& language) const {
  if (!texts_) return nullptr;
  const auto found = texts_->find(language);
  return found == texts_->end() ? nullptr : &found->second;
}

Message system_words(int error) {
  switch (error) {
    case ENOENT:
      return Message("No such file or directory");
    case EACCES:
      return Message("Permission denied");
    case EPERM:
      return Message("Operation not permitted");
    case EIO:
      return Message("Input/output error");
    case ENOSPC:
      return Message("No space left on device");
    case EROFS:
      return Message("Read-only file system");
    default:
      return Message::verbatim(std::strerror(error));
  }
}

std::vector<std::string> english(const std::vector<Message>& messages) {
  return {messages.begin(), messages.end()};
}

std::ostream& operator<<(std::ostream& out, const Message& message) {
  return out << message.english_;
}

}  // namespace warplens
