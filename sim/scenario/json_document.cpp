#include "sim/scenario/json_document.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "sim/scenario/text_file.h"
#include "sim/text/shown.h"

namespace warplens::scenario {

namespace {

using nlohmann::json;

// How far the parser has come. Every character is a step.
struct Progress {
  Pace& pace;
  std::size_t position = 0;
};

class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, const char* begin, Progress* progress)
      : at_(at), begin_(begin), progress_(progress) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    progress_->pace.step();
    ++at_;
    progress_->position = static_cast<std::size_t>(at_ - begin_);
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator old = *this;
    ++*this;
    return old;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char* begin_;
  Progress* progress_;
};

// Builds the document, or looks for a field and builds nothing.
class JsonReader : public nlohmann::json_sax<json> {
 public:
  JsonReader(Pace& pace, int max_depth, HeldMemory& held, json* document)
      : progress{pace}, max_depth_(max_depth), held_(&held), document_(document) {}
  JsonReader(Pace& pace, std::string_view field) : progress{pace}, field_(field) {}

  bool null() override { return value(nullptr, 0); }
  bool boolean(bool b) override { return value(b, 0); }
  // A number ends where the next character is no part of it: the parser has read that one too.
  bool number_integer(number_integer_t number) override { return value(number, 1); }
  bool number_unsigned(number_unsigned_t number) override { return value(number, 1); }
  bool number_float(number_float_t number, const string_t&) override { return value(number, 1); }
  bool string(string_t& text) override { return grow(kTextBytes + text.size()) && value(std::move(text), 0); }
  bool binary(binary_t&) override { return false; }  // a text has none
  bool start_object(std::size_t) override { return open(json::value_t::object); }
  bool start_array(std::size_t) override { return open(json::value_t::array); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    Level& level = levels_.back();
    if (document_ == nullptr) return go_to((level.path == 0 ? "" : ".") + name), !look(0);
    const auto [at, is_new] = level.value->get_ref<json::object_t&>().try_emplace(name);
    level.member = &at->second;
    return is_new ? grow(kMemberBytes + name.size()) : fail(Message("\"{}\" is given twice", name));
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& e) override {
    std::string message = e.what();
    // "[json.exception...] parse error at line 1, column 5: syntax error while ..."; the place is told by us.
    if (const auto cut = message.find(": "); cut != std::string::npos) message.erase(0, cut + 2);
    error = {Message::verbatim(message), position == 0 ? 0 : position - 1};
    return false;
  }

  Progress progress;
  JsonError error;
  std::optional<std::size_t> found;

 private:
  struct Level {
    bool is_array = false;
    std::size_t index = 0, path = 0;  // of the next entry; how much of path_ is its own name
    json* value = nullptr;   // what is open; adding to it moves none of those inside that are open too
    json* member = nullptr;  // of an object, whose value comes next
  };

  // About what nlohmann::json takes: a value in a list that grows, a list or an object of its own, a text, a
  // member with its key. Memory is taken a chunk ahead.
  static constexpr std::size_t kValueBytes = 48, kContainerBytes = 64, kTextBytes = 64, kMemberBytes = 128,
                               kChunkBytes = std::size_t{1} << 14;
  // The limit for one document, whatever the budget allows: freeing more than this takes longer than an ended
  // request may.
  static constexpr std::size_t kMostBytes = std::size_t{700} << 20;

  bool fail(Message words) {
    error = {std::move(words), progress.position == 0 ? 0 : progress.position - 1};
    return false;
  }

  bool grow(std::size_t bytes) {
    if (document_ == nullptr) return true;
    bytes_ += bytes;
    if (bytes_ > kMostBytes)
      return fail(Message("too many values: they would take more than {} MiB of memory", kMostBytes >> 20));
    if (bytes_ <= held_bytes_) return true;
    held_->need(bytes_ + kChunkBytes - held_bytes_, progress.pace.stage());
    held_bytes_ = bytes_ + kChunkBytes;
    return true;
  }

  // `step`: what the name of the next value has behind the one of what is open.
  void go_to(const std::string& step) {
    path_.resize(levels_.back().path);
    path_ += step;
  }
  bool look(std::size_t read_ahead) {
    if (path_ == field_) found = progress.position - std::min(progress.position, read_ahead + 1);
    return found.has_value();
  }

  // Puts a value where the next one belongs; null: nothing is built.
  json* put(json value) {
    if (document_ == nullptr) return nullptr;
    json* at = levels_.empty() ? document_ : levels_.back().member;
    if (!levels_.empty() && levels_.back().is_array)
      at = &levels_.back().value->get_ref<json::array_t&>().emplace_back();
    *at = std::move(value);
    return at;
  }
  bool begin(std::size_t read_ahead) {
    if (document_ != nullptr || levels_.empty() || !levels_.back().is_array) return true;
    go_to("[" + std::to_string(levels_.back().index) + "]");
    return !look(read_ahead);
  }
  bool end() {
    if (!levels_.empty()) ++levels_.back().index;
    return true;
  }
  bool value(json value, std::size_t read_ahead) {
    if (!begin(read_ahead) || !grow(kValueBytes)) return false;
    put(std::move(value));
    return end();
  }
  bool open(json::value_t kind) {
    if (!begin(0) || !grow(kValueBytes + kContainerBytes)) return false;
    if (static_cast<int>(levels_.size()) >= max_depth_)
      return fail(Message("nested deeper than {} levels", max_depth_));
    json* at = put(kind);
    levels_.emplace_back().is_array = kind == json::value_t::array;
    levels_.back().value = at;
    levels_.back().path = path_.size();
    return true;
  }
  bool close() {
    levels_.pop_back();
    return end();
  }

  int max_depth_ = std::numeric_limits<int>::max();
  HeldMemory* held_ = nullptr;
  json* document_ = nullptr;  // null: nothing is built
  std::size_t bytes_ = 0, held_bytes_ = 0;
  std::string field_, path_;  // that is looked for; of the value that comes next
  std::vector<Level> levels_;
};

void parse(std::string_view text, JsonReader& reader) {
  const char *begin = text.data(), *end = begin + text.size();
  json::sax_parse(CountingIterator(begin, begin, &reader.progress),
                  CountingIterator(end, begin, &reader.progress), &reader);
}

}  // namespace

JsonError read_json(std::string_view text, int max_depth, Pace& pace, HeldMemory& held, json* document) {
  JsonReader reader(pace, max_depth, held, document);
  parse(text, reader);
  if (!reader.error.words.empty()) *document = nullptr;
  return std::move(reader.error);
}

std::optional<std::size_t> find_field(std::string_view text, std::string_view field, Pace& pace) {
  if (field.empty()) return std::nullopt;
  JsonReader reader(pace, field);
  parse(text, reader);
  return reader.found;
}

int line_at(std::string_view text, std::size_t offset) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(offset, text.size()));
  return 1 + static_cast<int>(std::count(text.begin(), end, '\n'));
}

int column_at(std::string_view text, std::size_t offset) {
  const std::size_t at = std::min(offset, text.size());
  const std::size_t newline = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  return static_cast<int>(newline == std::string_view::npos ? at + 1 : at - newline);
}

using nlohmann::json;

Message kind_of(const json& value) {
  if (value.is_object()) return Message("object");
  if (value.is_array()) return Message("array");
  if (value.is_string()) return Message("string");
  if (value.is_boolean()) return Message("boolean");
  return value.is_null() ? Message::verbatim("null") : Message("number");
}

JsonDocument::JsonDocument(std::string name, const JsonLimits& limits)
    : name_(std::move(name)),
      limits_(limits),
      work_(std::make_unique<Work>(limits.budget != nullptr ? *limits.budget : Budget::endless())) {}

JsonDocument JsonDocument::load(const std::filesystem::path& file, const JsonLimits& limits) {
  Outcome<std::string> text = read_text(file, limits.bytes);
  if (text) return parse(std::move(*text.value), file.string(), limits);
  JsonDocument document(file.string(), limits);
  document.errors_ = std::move(text.errors);
  return document;
}

JsonDocument JsonDocument::parse(std::string text, std::string name, const JsonLimits& limits) {
  JsonDocument document(std::move(name), limits);
  if (text.size() > limits.bytes) {
    document.errors_.push_back(
        Message("{}: larger than {} bytes, the most that is read", document.name_, limits.bytes));
    return document;
  }
  document.text_ = std::move(text);
  Pace& pace = document.work_->pace;
  pace.budget().check(pace.stage());  // a file of many small documents makes few steps in each
  const JsonError wrong =
      read_json(document.text_, limits.depth, pace, document.work_->held, &document.json_);
  if (!wrong.words.empty())
    document.errors_.push_back(Message("{}:{}:{}: not sound JSON: {}", document.name_,
                                       line_at(document.text_, wrong.at), column_at(document.text_, wrong.at),
                                       wrong.words));
  return document;
}

JsonValue JsonDocument::root() {
  return JsonValue(*this, json_, "");
}

int JsonDocument::line_of(const std::string& field) const {
  const auto found = find_field(text_, field, work_->pace);
  return found ? line_at(text_, *found) : 0;
}

void JsonDocument::add_error(const std::string& field, const Message& message) {
  if (is_full()) return;
  if (errors_.size() == limits_.errors) {
    errors_.push_back(Message("{}: further errors are not shown", name_));
    return;
  }
  // A field that is absent is placed where the object that lacks it begins.
  std::string at = field;
  int line = line_of(at);
  while (line == 0 && !at.empty()) {
    const auto cut = at.find_last_of(".[");
    at.erase(cut == std::string::npos ? 0 : cut);
    line = at.empty() ? 1 : line_of(at);
  }
  errors_.push_back(
      Message("{}:{}: {}", name_, std::max(line, 1),
              text::shown_in_line(field.empty() ? message : Message("{}: {}", field, message))));
}

bool JsonDocument::has_schema(std::string_view name) {
  const JsonValue top = root();
  if (!top.is_object()) return false;
  const std::string schema = top.text("schema");
  const bool is_text = top.has("schema") && top.member("schema").json().is_string();
  if (!is_text) return false;  // which is told
  const std::string wanted = "warplens." + std::string(name) + "/";
  if (!schema.starts_with(wanted)) {
    add_error("schema", Message("is \"{}\"; \"{}1\" is needed here", schema, wanted));
    return false;
  }
  int major = 0;
  const char* end = schema.data() + schema.size();
  const auto [stop, failed] = std::from_chars(schema.data() + wanted.size(), end, major);
  if (failed != std::errc() || (stop != end && *stop != '.') || major < 1) {
    add_error("schema", Message("\"{}\" has no version; write \"{}1\"", schema, wanted));
    return false;
  }
  if (major > 1) {
    add_error("schema", Message("is \"{}\", written by a newer Warplens; this one reads version 1", schema));
    return false;
  }
  return true;
}

std::string JsonValue::field_of(std::string_view member) const {
  return field_.empty() ? std::string(member) : field_ + "." + std::string(member);
}

bool JsonValue::has(std::string_view member) const {
  return json_->is_object() && json_->contains(std::string(member));
}

bool JsonValue::is_object(bool complain) const {
  if (!json_->is_object() && complain) error(Message("must be an object {...}, not {}", kind_of(*json_)));
  return json_->is_object();
}

JsonValue JsonValue::member(std::string_view member) const {
  return JsonValue(*document_, json_->at(std::string(member)), field_of(member));
}

bool JsonValue::require(std::string_view member) const {
  if (has(member)) return true;
  error(member, Message("is missing"));
  return false;
}

std::optional<std::string> JsonValue::as_text() const {
  if (json_->is_string()) return json_->get<std::string>();
  error(Message("must be a text \"...\", not {}", kind_of(*json_)));
  return std::nullopt;
}

std::optional<std::int64_t> JsonValue::as_integer() const {
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (json_->is_number_unsigned() && json_->get<std::uint64_t>() > kMost) {
    error(Message("{} is too large", json_->dump()));
    return std::nullopt;
  }
  if (json_->is_number_integer()) return json_->get<std::int64_t>();
  error(json_->is_number() ? Message("must be an integer, not {}", json_->dump())
                           : Message("must be an integer, not {}", kind_of(*json_)));
  return std::nullopt;
}

std::string JsonValue::text(std::string_view name) const {
  return require(name) ? member(name).as_text().value_or("") : "";
}

std::string JsonValue::optional_text(std::string_view name, std::string fallback) const {
  return has(name) ? member(name).as_text().value_or(fallback) : fallback;
}

std::int64_t JsonValue::integer(std::string_view name) const {
  return require(name) ? member(name).as_integer().value_or(0) : 0;
}

std::int64_t JsonValue::optional_integer(std::string_view name, std::int64_t fallback) const {
  return has(name) ? member(name).as_integer().value_or(fallback) : fallback;
}

int JsonValue::optional_within(std::string_view name, int least, int most, int fallback) const {
  const std::int64_t value = optional_integer(name, fallback);
  if (value >= least && value <= most) return static_cast<int>(value);
  error(name, Message("is {}; {} to {} is possible", value, least, most));
  return fallback;
}

std::array<std::uint32_t, 3> JsonValue::optional_index(std::string_view name) const {
  std::array<std::uint32_t, 3> parts{};
  const JsonList indices = optional_list(name);
  if (indices.size() > parts.size()) error(name, Message("has more than three entries: x, y, z"));
  for (std::size_t i = 0; i < std::min(indices.size(), parts.size()); ++i) {
    const std::int64_t index = indices[i].as_integer().value_or(0);
    if (index < 0 || index > std::numeric_limits<std::int32_t>::max())
      indices[i].error(Message("is not the index of a block: {}", index));
    else
      parts[i] = static_cast<std::uint32_t>(index);
  }
  return parts;
}

bool JsonValue::optional_flag(std::string_view name, bool fallback) const {
  if (!has(name)) return fallback;
  const JsonValue value = member(name);
  if (value.json().is_boolean()) return value.json().get<bool>();
  value.error(Message("must be true or false, not {}", kind_of(value.json())));
  return fallback;
}

double JsonValue::optional_number(std::string_view name, double fallback) const {
  if (!has(name)) return fallback;
  const JsonValue value = member(name);
  if (value.json().is_number()) return value.json().get<double>();
  value.error(Message("must be a number, not {}", kind_of(value.json())));
  return fallback;
}

JsonList JsonValue::list(std::string_view name) const {
  return require(name) ? optional_list(name) : JsonList();
}

JsonList JsonValue::optional_list(std::string_view name) const {
  if (!has(name)) return {};
  const JsonValue array = member(name);
  if (array.json().is_array()) return {*document_, array.json(), array.field()};
  array.error(Message("must be a list [...], not {}", kind_of(array.json())));
  return {};
}

std::vector<std::pair<std::string, JsonValue>> JsonValue::optional_members(std::string_view name) const {
  std::vector<std::pair<std::string, JsonValue>> members;
  if (!has(name)) return members;
  const JsonValue object = member(name);
  if (!object.is_object()) return members;
  for (const auto& [key, value] : object.json().items()) {
    document_->step();
    members.emplace_back(key, JsonValue(*document_, value, object.field_of(key)));
  }
  return members;
}

}  // namespace warplens::scenario
