#include "app/source/launch_form.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "sim/base/numbers.h"
#include "sim/cuda/text/names.h"
#include "sim/scenario/launch_document.h"
#include "sim/text/scan.h"

namespace warplens::app {
namespace {

using scenario::Scenario;
using scenario::ScenarioParameter;

constexpr const char* kAxes[] = {"x", "y", "z"};

// grid.x -> {grid, x}
std::pair<std::string_view, std::string_view> split_field(std::string_view field) {
  const std::size_t dot = field.find('.');
  if (dot == std::string_view::npos) return {field, {}};
  return {field.substr(0, dot), field.substr(dot + 1)};
}

template <typename List>
auto* named(List& list, std::string_view name) {
  const auto found = std::ranges::find_if(list, [&](auto& item) { return item.name == name; });
  return found == list.end() ? nullptr : &*found;
}

// The text behind a field, but for "fill.…".
template <typename Form>
auto* text_behind(Form& form, std::string_view field) {
  using Text = std::remove_reference_t<decltype((form.shared))>;
  const auto [group, name] = split_field(field);
  Text* text = field == "shared" ? &form.shared : nullptr;
  for (std::size_t i = 0; i < 3; ++i) {
    if (name != kAxes[i]) continue;
    if (group == "grid") text = &form.grid[i];
    if (group == "block") text = &form.block[i];
  }
  if (group == "template" || group == "scalar")
    if (auto* value = named(group == "scalar" ? form.scalars : form.templates, name)) text = &value->text;
  if (group == "elements" || group == "offset")
    if (auto* buffer = named(form.buffers, name))
      text = group == "offset" ? &buffer->offset : &buffer->elements;
  return text;
}

std::optional<std::int64_t> plain_number(const std::string& text) {
  return number_in<std::int64_t>(text::trimmed(text));
}

// Beyond what expressions are computed in: the bits of an unsigned number of 64 bits.
std::optional<std::int64_t> large_number(const LaunchForm::Value& value) {
  const auto number = number_in<std::uint64_t>(text::trimmed(value.text));
  const bool is_large = number && *number > static_cast<std::uint64_t>(INT64_MAX);
  if (!is_large || cuda::scalar_named(value.type) != sim::ScalarType::U64) return {};
  return static_cast<std::int64_t>(*number);
}

// A floating number with a point, as rules of a scenario want it, also that of an expression which is no
// integer; empty: it is none.
std::string real_text(std::string text, const std::map<std::string, std::int64_t>& names) {
  text = std::string(text::trimmed(text));
  if (!text.ends_with("inf") && !text.empty() && (text.back() == 'f' || text.back() == 'F')) text.pop_back();
  if (!number_in<double>(text)) {
    if (text.empty() || sim::evaluate_integer(text, names).value) return {};
    const std::optional<double> value = sim::evaluate_real(text, names).value;
    text = value ? formatted("%.17g", *value) : std::string();
  }
  if (std::isnan(number_in<double>(text).value_or(NAN))) return {};
  return text.find_first_of(".eEn") == std::string::npos ? text + ".0" : text;
}

// With the type that a template's parameter stands for in its place: `16 / sizeof(T)`.
std::string with_type(std::string text, const LaunchForm::Value& type) {
  const std::string with(text::trimmed(type.text));
  for (std::size_t at = text.find(type.name); at != std::string::npos; at = text.find(type.name, at)) {
    const std::size_t end = at + type.name.size();
    const bool is_part =
        (at > 0 && text::is_word(text[at - 1])) || (end < text.size() && text::is_word(text[end]));
    if (!is_part) text.replace(at, type.name.size(), with);
    at += is_part ? type.name.size() : with.size();
  }
  return text;
}

// `float a`; of `T a` what is no integer, which would do for any T.
bool is_floating(const LaunchForm::Value& scalar, const LaunchForm& form,
                 const std::map<std::string, std::int64_t>& names) {
  const auto* of = named(form.templates, scalar.type);
  if (of == nullptr || !of->is_type) return cuda::is_floating_type(scalar.type);
  return cuda::is_floating_type(text::trimmed(of->text)) && !sim::evaluate_integer(scalar.text, names).value;
}

// Of `template <Op op>`, where Op is a pointer to a function: the name of one.
bool is_name(const LaunchForm::Value& value) {
  const std::string_view text = text::trimmed(value.text);
  return !cuda::builtin_types().contains(value.type) && !text.empty() && std::isdigit(text[0]) == 0 &&
         std::all_of(text.begin(), text.end(), text::is_word);
}

// Of integers that are plain numbers: three arguments, the block, then templates. A slider's range is around
// the value at home, whatever it is now.
void add_sliders(const LaunchForm& form, const FormValues& values, const LaunchForm& home, Scenario* out) {
  const auto add = [&](const std::string& name, const std::string& field, const std::string& type) {
    const auto number = values.numbers.find(field);
    const bool is_new = number != values.numbers.end() && named(out->parameters, name) == nullptr;
    if (!is_new || (!plain_number(field_text(form, field)) && type != "bool")) return;
    const std::int64_t now = number->second, at_home = plain_number(field_text(home, field)).value_or(now);
    ScenarioParameter p;
    p.name = name;
    p.label["en"] = name;
    p.fallback = at_home;
    p.minimum = std::min<std::int64_t>(at_home >= 1 ? 1 : at_home, now);
    const std::int64_t large = at_home > 128 ? std::int64_t{1} << 24 : at_home > 32 ? 1024 : 128;
    p.maximum =
        name.starts_with("block_") ? std::max<std::int64_t>(1024, at_home) : std::max({large, at_home, now});
    if (type == "bool") {
      p.choices = {0, 1};
      p.texts = {"false", "true"};
      p.minimum = 0, p.maximum = 1;
    }
    out->parameters.push_back(std::move(p));
  };
  constexpr std::size_t kMostOfArguments = 3, kMostSliders = 6;
  for (const auto& value : form.scalars)
    if (!cuda::is_floating_type(value.type) && out->parameters.size() < kMostOfArguments)
      add(value.name, "scalar." + value.name, value.type);
  for (std::size_t i = 0; i < 3; ++i) {
    const bool used = i == 0 || text::trimmed(form.block[i]) != "1" || text::trimmed(home.block[i]) != "1";
    if (used) add(std::string("block_") + kAxes[i], std::string("block.") + kAxes[i], "int");
  }
  for (const auto& value : form.templates)
    if (!value.is_type && out->parameters.size() < kMostSliders)
      add(value.name, "template." + value.name, value.type);
}

constexpr std::size_t kMostHeld = 256 << 10;  // bytes of a buffer that a session has

// The fields that are no texts of the form.
bool set_given(LaunchForm::Buffer& buffer, std::string_view group, const std::string& text) {
  if (group == "same") {
    buffer.same_as = text;
  } else if (group == "bytes") {
    buffer.offset_bytes = number_in<std::uint64_t>(text).value_or(0);
  } else if (group == "element") {
    buffer.element = scenario::element_named(text);
  } else if (group == "held") {
    buffer.written = Written{};
    buffer.written->bytes = std::make_shared<const std::string>(scenario::from_hex(text).value_or(""));
    buffer.written->elements = number_in<std::uint64_t>(buffer.elements).value_or(0);
    buffer.holds_written = true;
  } else {
    return false;
  }
  return true;
}

}  // namespace

std::map<std::string, std::string> given_fields(const LaunchForm& form) {
  std::map<std::string, std::string> fields;
  for (const LaunchForm::Buffer& buffer : form.buffers) {
    if (!buffer.same_as.empty()) fields["same." + buffer.name] = buffer.same_as;
    if (buffer.offset_bytes != 0) fields["bytes." + buffer.name] = std::to_string(buffer.offset_bytes);
    if (!buffer.element) continue;
    fields["element." + buffer.name] = scenario::element_name(*buffer.element);
    if (buffer.holds_written && buffer.written->bytes && buffer.written->bytes->size() <= kMostHeld)
      fields["held." + buffer.name] = scenario::to_hex(*buffer.written->bytes);
  }
  return fields;
}

bool set_field(LaunchForm* form, std::string_view field, const std::string& text) {
  const auto [group, name] = split_field(field);
  LaunchForm::Buffer* buffer = named(form->buffers, name);
  if (buffer != nullptr && set_given(*buffer, group, text)) return true;
  const bool is_own = group == "elements" || group == "fill";
  if (buffer != nullptr && is_own && text != field_text(*form, field)) buffer->same_as.clear();
  if (buffer != nullptr && group == "fill") {
    const std::size_t open = text.find('(');
    const auto fill = sim::fill_named(text == "index" ? "iota" : text.substr(0, open));
    buffer->holds_written = (text == kWritten || (!fill && buffer->holds_written)) && buffer->written;
    if (!fill) return true;
    buffer->fill = *fill;
    buffer->range.clear();
    if (open != std::string::npos && sim::takes_range(*fill) && text.ends_with(')'))
      buffer->range = text::split_list(text.substr(open + 1, text.size() - open - 2), "");
    if (buffer->range.size() != 2) buffer->range.clear();
    return true;
  }
  std::string* behind = text_behind(*form, field);
  if (behind != nullptr) *behind = text;
  return behind != nullptr;
}

std::string field_text(const LaunchForm& form, std::string_view field) {
  const auto [group, name] = split_field(field);
  if (group == "fill") {
    const LaunchForm::Buffer* buffer = named(form.buffers, name);
    if (buffer == nullptr) return {};
    if (buffer->holds_written) return kWritten;
    const std::string fill = sim::name_of(buffer->fill);
    return buffer->range.empty() ? fill : fill + "(" + buffer->range[0] + "," + buffer->range[1] + ")";
  }
  const std::string* behind = text_behind(form, field);
  return behind ? *behind : std::string();
}

FormValues work_out(const LaunchForm& form, const FileFacts& facts) {
  FormValues out;
  out.names = facts.constants;
  const auto fail = [&](const std::string& field, const Message& words) {
    out.errors.try_emplace(field, words);
  };
  // Expressions that come later may use its name, where it has one.
  const auto integer = [&](const std::string& field, std::string text, const std::string& name = {},
                           std::int64_t least = INT64_MIN, std::int64_t most = INT64_MAX) {
    text = std::string(text::trimmed(text));
    for (const auto& value : form.templates)
      if (value.is_type && !value.name.empty()) text = with_type(text, value);
    sim::IntegerResult result;
    if (text.empty())
      result.error = Message("a whole number is needed");
    else if (text == "true" || text == "false")
      result.value = text == "true";
    else
      result = sim::evaluate_integer(text, out.names);
    if (!result.value) return fail(field, result.error);
    out.numbers[field] = *result.value;
    if (!name.empty()) out.names[name] = *result.value;
    if (*result.value == 0 && field.starts_with("grid."))
      fail(field, Message("the grid is 0: the launch fails"));
    else if (*result.value < least)
      fail(field, Message("{} is too small: the least is {}", *result.value, least));
    if (*result.value > most) fail(field, Message("{} is too large", *result.value));
  };
  for (const auto& value : form.templates)
    if (!value.is_type && (!is_name(value) || out.names.contains(std::string(text::trimmed(value.text)))))
      integer("template." + value.name, value.text, value.name);
    else if (value.is_type && text::trimmed(value.text).empty())
      fail("template." + value.name, Message("a type is needed, for example float"));
  for (const auto& value : form.scalars) {
    const std::string field = "scalar." + value.name;
    if (const auto bits = large_number(value))
      out.numbers[field] = *bits;
    else if (!is_floating(value, form, out.names))
      integer(field, value.text, value.name);
    else if (text::trimmed(value.text).empty())
      fail(field, Message("a number is needed, for example 1.5"));
    else if (real_text(value.text, out.names).empty())
      integer(field, value.text);  // an expression over integers will do too
  }
  for (const std::string group : {"block", "grid"})
    for (std::size_t i = 0; i < 3; ++i) {
      const std::string axis = kAxes[i], own = group + "_" + axis;
      integer(group + "." + axis, (group == "grid" ? form.grid : form.block)[i],
              out.names.contains(own) ? "" : own, 1, 0xffffffffLL);
    }
  integer("shared", text::trimmed(form.shared).empty() ? "0" : form.shared, {}, 0);
  for (const auto& buffer : form.buffers) {
    const std::string_view elements = text::trimmed(buffer.elements);
    if (!elements.empty() && elements != scenario::kNull)
      integer("elements." + buffer.name, buffer.elements, {}, 1);
    if (!text::trimmed(buffer.offset).empty()) integer("offset." + buffer.name, buffer.offset, {}, 0);
  }
  return out;
}

bool holds_written(const LaunchForm::Buffer& buffer, const FormValues& values) {
  const auto elements = values.numbers.find("elements." + buffer.name);
  return buffer.holds_written && buffer.written && elements != values.numbers.end() &&
         static_cast<std::uint64_t>(elements->second) == buffer.written->elements;
}

Scenario scenario_of(const LaunchForm& form, const FormValues& values, const LaunchForm& home) {
  const auto number = [&](const std::string& field) {
    const auto found = values.numbers.find(field);
    return std::to_string(found == values.numbers.end() ? 0 : found->second);
  };
  Scenario out;
  out.kernel = form.kernel;
  out.title["en"] = form.kernel;
  for (const auto& value : form.templates) {
    const std::string text(text::trimmed(value.text));
    const bool verbatim = value.is_type || text == "true" || text == "false" ||
                          !values.numbers.contains("template." + value.name);
    out.template_rules.push_back(verbatim ? text : number("template." + value.name));
  }
  for (const auto& value : form.scalars) {
    const std::string real =
        is_floating(value, form, values.names) ? real_text(value.text, values.names) : std::string();
    const bool is_text = large_number(value).has_value();
    out.scalar_rules[value.name] = is_text        ? std::string(text::trimmed(value.text))
                                   : real.empty() ? number("scalar." + value.name)
                                                  : real;
  }
  for (const char* axis : kAxes) {
    out.grid_rules.push_back(number(std::string("grid.") + axis));
    out.block_rules.push_back(number(std::string("block.") + axis));
  }
  out.shared_rule = number("shared");
  for (const auto& buffer : form.buffers) {
    const std::string elements(text::trimmed(buffer.elements));
    const bool has_number = !elements.empty() && elements != scenario::kNull;
    scenario::BufferRule& rule = out.buffer_rules[buffer.name] = buffer;
    rule.elements = has_number ? number("elements." + buffer.name) : elements;
    rule.offset = text::trimmed(buffer.offset).empty() ? "" : number("offset." + buffer.name);
    if (holds_written(buffer, values)) {
      rule.data = buffer.written->bytes;
      rule.addresses = buffer.written->addresses;
    }
  }
  add_sliders(form, values, home, &out);
  return out;
}

LaunchForm carried_to(const LaunchForm& from, const LaunchForm& guess) {
  LaunchForm to = guess;
  for (auto list : {&LaunchForm::templates, &LaunchForm::scalars})
    for (LaunchForm::Value& value : to.*list)
      if (const auto* old = named(from.*list, value.name); old != nullptr && old->is_type == value.is_type)
        value.text = old->text;
  for (LaunchForm::Buffer& buffer : to.buffers) {
    const LaunchForm::Buffer* old = named(from.buffers, buffer.name);
    if (old == nullptr) continue;
    buffer.elements = old->elements;
    buffer.offset = old->offset;
    buffer.element = old->element;
    buffer.offset_bytes = old->offset_bytes;
    if (!buffer.written) buffer.written = old->written;
    (void)set_field(&to, "fill." + buffer.name, field_text(from, "fill." + buffer.name));
    buffer.same_as = old->same_as;
  }
  to.grid = from.grid;
  to.block = from.block;
  to.shared = from.shared;
  return to;
}

}  // namespace warplens::app
