#include "sim/scenario/json_scan.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <set>
#include <vector>

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

// One step of a field's name: "parameters[2].default" has three.
struct Step {
  bool is_array = false;
  std::size_t index = 0;
  std::string key;
};

std::vector<Step> parse_field(std::string_view field) {
  std::vector<Step> steps;
  while (!field.empty()) {
    if (field.front() == '.') field.remove_prefix(1);
    Step step;
    if (field.starts_with('[')) {
      step.is_array = true;
      const std::size_t end = std::min(field.find(']'), field.size());
      std::from_chars(field.data() + 1, field.data() + end, step.index);
      field.remove_prefix(std::min(end + 1, field.size()));
    } else {
      const std::size_t end = std::min(field.find_first_of(".["), field.size());
      step.key = field.substr(0, end);
      field.remove_prefix(end);
    }
    steps.push_back(std::move(step));
  }
  return steps;
}

class Scanner : public nlohmann::json_sax<json> {
 public:
  Scanner(int max_depth, std::string_view field, const std::size_t* position)
      : max_depth_(max_depth), field_(parse_field(field)), position_(position) {}

  // About what nlohmann::json takes: a value in a list that grows, a list or an object of its own, a text, a
  // member with its key.
  static constexpr std::size_t kValueBytes = 48, kContainerBytes = 64, kTextBytes = 64, kMemberBytes = 128;

  bool null() override { return value(0); }
  bool boolean(bool) override { return value(0); }
  // A number ends where the next character is no part of it: the parser has read that one too.
  bool number_integer(number_integer_t) override { return value(1); }
  bool number_unsigned(number_unsigned_t) override { return value(1); }
  bool number_float(number_float_t, const string_t&) override { return value(1); }
  bool string(string_t& text) override {
    result_.bytes += kTextBytes + text.size();
    return value(0);
  }
  bool binary(binary_t&) override { return value(0); }
  bool start_object(std::size_t) override { return open(false); }
  bool start_array(std::size_t) override { return open(true); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    Level& level = levels_.back();
    level.key = name;
    if (!level.keys.insert(name).second) return fail("\"" + name + "\" is given twice");
    result_.bytes += kMemberBytes + name.size();
    look(0);
    return !result_.found;
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& e) override {
    std::string message = e.what();
    // "[json.exception...] parse error at line 1, column 5: syntax error while ..."; the place is told by us.
    if (const auto cut = message.find(": "); cut != std::string::npos) message.erase(0, cut + 2);
    result_.error = message;
    result_.error_at = position == 0 ? 0 : position - 1;
    return false;
  }

  const JsonScan& result() const { return result_; }

 private:
  struct Level : Step {
    std::set<std::string> keys;
  };

  bool fail(std::string message) {
    result_.error = std::move(message);
    result_.error_at = *position_ == 0 ? 0 : *position_ - 1;
    return false;
  }

  // From the innermost level outwards, so that one comparison decides for most values.
  bool is_at_field() const {
    if (levels_.size() != field_.size()) return false;
    for (std::size_t i = levels_.size(); i-- > 0;) {
      if (levels_[i].is_array != field_[i].is_array) return false;
      if (levels_[i].is_array ? levels_[i].index != field_[i].index : levels_[i].key != field_[i].key)
        return false;
    }
    return true;
  }

  void look(std::size_t read_ahead) {
    if (field_.empty() || result_.found || !is_at_field()) return;
    result_.found = true;
    result_.found_at = *position_ - std::min(*position_, read_ahead + 1);
  }

  bool value(std::size_t read_ahead) {
    result_.bytes += kValueBytes;
    if (!levels_.empty() && levels_.back().is_array) {
      look(read_ahead);
      ++levels_.back().index;
    }
    return !result_.found;
  }

  bool open(bool is_array) {
    result_.bytes += kValueBytes + kContainerBytes;
    if (!levels_.empty() && levels_.back().is_array) look(0);
    if (result_.found) return false;
    if (static_cast<int>(levels_.size()) >= max_depth_) {
      return fail("nested deeper than " + std::to_string(max_depth_) + " levels");
    }
    levels_.emplace_back().is_array = is_array;
    return true;
  }

  bool close() {
    levels_.pop_back();
    if (!levels_.empty() && levels_.back().is_array) ++levels_.back().index;
    return true;
  }

  int max_depth_;
  std::vector<Step> field_;
  const std::size_t* position_;
  std::vector<Level> levels_;
  JsonScan result_;
};

}  // namespace

JsonScan scan_json(std::string_view text, int max_depth, Pace& pace, std::string_view field) {
  Progress progress{pace};
  const char* begin = text.data();
  const char* end = begin + text.size();
  Scanner scanner(max_depth, field, &progress.position);
  json::sax_parse(CountingIterator(begin, begin, &progress), CountingIterator(end, begin, &progress),
                  &scanner);
  return scanner.result();
}

json build_json(std::string_view text, Pace& pace) {
  Progress progress{pace};
  const char* begin = text.data();
  return json::parse(CountingIterator(begin, begin, &progress),
                     CountingIterator(begin + text.size(), begin, &progress));
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

}  // namespace warplens::scenario
