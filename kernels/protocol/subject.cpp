#include "kernels/protocol/subject.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "kernels/protocol/sha256.h"
#include "sim/scenario/launch_document.h"
#include "sim/scenario/scenario.h"

namespace warplens::measure {
namespace {

using nlohmann::json;
using sim::Fill;
using sim::ScalarType;

constexpr std::int64_t kMostElements = std::int64_t{1} << 40;

ScalarType type_named(const Fields& fields, const char* name) {
  const std::string text = fields.text(name);
  for (std::size_t i = 0; i < std::size(sim::kScalarTraits); ++i)
    if (text == sim::kScalarTraits[i].name) return static_cast<ScalarType>(i);
  fields.complain(name, Message("is no scalar type: \"{}\"", text));
  return ScalarType::I32;
}

Fill fill_named(const Fields& fields) {
  const std::string text = fields.text_or("fill", "zero");
  if (const auto fill = sim::fill_named(text)) return *fill;
  fields.complain(
      "fill", Message("must be zero, iota, random, zipf, permutation, list, letters, ascending or small"));
  return Fill::Zero;
}

// 5 and 5.0 are the same argument.
json canonical_number(double value) {
  if (value == std::floor(value) && std::abs(value) < 9007199254740992.0)
    return static_cast<std::int64_t>(value);
  return value;
}

json key_value(std::int64_t value) {
  return value;
}
json key_value(std::uint64_t value) {
  return value;
}
json key_value(double value) {
  return canonical_number(value);
}
json key_of_buffer(std::uint64_t elements, Fill fill, const std::optional<sim::FillRange>& range,
                   const std::string& data_hash) {
  if (!data_hash.empty()) return {elements, data_hash};
  json key{elements, sim::name_of(fill)};
  if (range) key.push_back({canonical_number((*range)[0]), canonical_number((*range)[1])});
  return key;
}
json key_value(const sim::Buffer& buffer) {
  json key = key_of_buffer(buffer.elements, buffer.fill, buffer.range, hash_data(buffer.data));
  if (buffer.offset != 0 || buffer.is_null) key.push_back("never measured");
  return key;
}
json key_value(const BufferArgument& buffer) {
  return key_of_buffer(buffer.elements, buffer.fill, buffer.range, buffer.data_hash);
}

// "fill": "data", so that a program that does not know it refuses the request.
void read_data(const Fields& fields, BufferArgument& buffer) {
  if (fields.has("data")) {
    const std::string hex = fields.text("data");
    auto bytes = hex.size() <= 2 * kMostData ? scenario::from_hex(hex) : std::nullopt;
    if (!bytes) return fields.complain("data", Message("must be hexadecimal digits of up to 16 MiB"));
    buffer.data = std::make_shared<const std::string>(std::move(*bytes));
    buffer.data_hash = hash_data(buffer.data);
  } else {
    buffer.data_hash = fields.text("data_hash");
  }
}

std::optional<sim::FillRange> range_from_json(const Fields& fields) {
  if (!fields.has("range")) return std::nullopt;
  const std::vector<double> ends = fields.numbers("range");
  constexpr double kMost = 0x1p53;
  if (ends.size() == 2 && ends[0] <= ends[1] && ends[0] >= -kMost && ends[1] <= kMost)
    return sim::FillRange{ends[0], ends[1]};
  fields.complain("range", Message("must be two numbers up to 2^53, the smaller one first"));
  return std::nullopt;
}

MeasurementKey digest(const Subject& s, const std::map<std::string, json>& arguments) {
  const json canonical{
      {"text", hash_of(s)},        {"kernel", s.kernel},       {"template", s.template_arguments},
      {"defines", s.defines},      {"mode", name_of(s.mode)},  {"grid", to_json(s.grid)},
      {"block", to_json(s.block)}, {"shared", s.shared_bytes}, {"arguments", arguments},
  };
  return {sha256(canonical.dump(-1, ' ', true, json::error_handler_t::replace))};
}

std::int64_t whole(double value) {
  return value >= 0 && value <= 0x1p53 && value == std::floor(value) ? static_cast<std::int64_t>(value) : -1;
}

json to_json(const sim::TensorMapShape& shape) {
  const auto rank = static_cast<std::ptrdiff_t>(shape.dimensions);
  const std::vector<std::int64_t> size(shape.size.begin(), shape.size.begin() + rank);
  const std::vector<std::int64_t> box(shape.box.begin(), shape.box.begin() + rank);
  std::vector<std::int64_t> pitch;
  if (rank > 1) pitch.push_back(shape.pitch);
  if (rank > 2) pitch.push_back(shape.slice);
  return {{"size", size}, {"pitch", pitch}, {"box", box}, {"swizzle", shape.swizzle}};
}

sim::TensorMapShape shape_from_json(const Fields& fields) {
  sim::TensorMapShape shape;
  const std::vector<double> size = fields.numbers("size"), box = fields.numbers("box"),
                            pitch = fields.numbers("pitch");
  if (size.empty() || size.size() > shape.size.size() || box.size() != size.size() ||
      pitch.size() + 1 != size.size()) {
    fields.complain("size", Message("must be one to three integers, with as many of the box and one less of "
                                    "the pitch"));
    return shape;
  }
  shape.dimensions = static_cast<int>(size.size());
  for (std::size_t d = 0; d < size.size(); ++d) shape.size[d] = whole(size[d]), shape.box[d] = whole(box[d]);
  if (!pitch.empty()) shape.pitch = whole(pitch[0]);
  if (pitch.size() > 1) shape.slice = whole(pitch[1]);
  shape.swizzle = fields.integer("swizzle", 0, 128);
  return shape;
}

KernelArgument argument_from_json(const Fields& fields) {
  KernelArgument argument;
  argument.name = fields.text("name");
  argument.type = type_named(fields, "type");
  if (fields.has("elements")) {
    BufferArgument buffer;
    buffer.elements = static_cast<std::uint64_t>(fields.integer("elements", 1, kMostElements));
    buffer.element_bytes = static_cast<int>(fields.integer("element_bytes", 1, 4096));
    if (fields.text_or("fill", "zero") == "data")
      read_data(fields, buffer);
    else
      buffer.fill = fill_named(fields);
    buffer.range = range_from_json(fields);
    buffer.is_const = fields.flag_or("const", false);
    if (fields.has("tensor")) buffer.tensor = shape_from_json(fields.object("tensor"));
    if (buffer.element_bytes % sim::size_of(argument.type) != 0)
      fields.complain("element_bytes", Message("must be a multiple of the type's size"));
    argument.value = buffer;
  } else if (fields.has("value") && fields.document()["value"].is_number_float()) {
    argument.value = fields.number("value");
  } else {
    argument.value = fields.integer("value", INT64_MIN, INT64_MAX);
  }
  return argument;
}

sim::Dim3 dim_from_json(const Fields& fields, const char* name) {
  const std::vector<double> numbers = fields.numbers(name);
  sim::Dim3 dim;
  std::array<std::uint32_t*, 3> parts{&dim.x, &dim.y, &dim.z};
  if (numbers.empty() || numbers.size() > 3) fields.complain(name, Message("must be one to three integers"));
  for (std::size_t i = 0; i < numbers.size() && i < 3; ++i) {
    if (!(numbers[i] >= 1 && numbers[i] <= 2147483647.0) || numbers[i] != std::floor(numbers[i]))
      fields.complain(name, Message("must be integers from 1 to 2147483647"));
    else
      *parts[i] = static_cast<std::uint32_t>(numbers[i]);
  }
  return dim;
}

}  // namespace

const char* name_of(CompileMode mode) {
  return mode == CompileMode::AsWritten ? "as_written" : "as_optimised";
}

CompileMode effective_mode(const std::string& text, CompileMode mode) {
  return text.find("__shared__") == std::string::npos ? CompileMode::AsWritten : mode;
}

json to_json(const sim::Dim3& dim) {
  return {dim.x, dim.y, dim.z};
}

std::string hash_text(const std::string& text) {
  return "sha256:" + sha256(text);
}

std::string whole_text(const Subject& subject) {
  std::string text = subject.text;
  for (const auto& [name, header] : subject.headers) text += "\n// " + name + "\n" + header;
  return text;
}

std::string hash_of(const Subject& subject) {
  return subject.text_hash.empty() ? hash_text(whole_text(subject)) : subject.text_hash;
}

std::string hash_data(const std::shared_ptr<const std::string>& data) {
  if (data == nullptr) return {};
  thread_local std::vector<std::pair<std::shared_ptr<const std::string>, std::string>> kept;
  for (const auto& [known, hash] : kept)
    if (known == data) return hash;
  constexpr std::size_t kMost = 8;
  if (kept.size() == kMost) kept.erase(kept.begin());
  return kept.emplace_back(data, hash_text(*data)).second;
}

MeasurementKey key_of(const Subject& subject) {
  std::map<std::string, json> arguments;
  for (const KernelArgument& a : subject.arguments)
    arguments[a.name] = std::visit([](const auto& value) { return key_value(value); }, a.value);
  return digest(subject, arguments);
}

Subject subject_of(const scenario::Setup& setup, CompileMode mode) {
  Subject subject;
  subject.source_name = setup.source_name;
  subject.text = setup.compile.text;
  if (setup.compile.headers)
    for (const auto& [by, header] : setup.compile.headers->found)
      if (by.second.size() > 2)
        subject.headers[by.second.substr(1, by.second.size() - 2)] =
            setup.compile.headers->files[static_cast<std::size_t>(header)].text;
  subject.text_hash = hash_of(subject);
  subject.kernel = setup.compile.kernel;
  subject.template_arguments = setup.compile.template_arguments;
  subject.defines = setup.compile.defines;
  subject.mode = effective_mode(whole_text(subject), mode);
  subject.grid = setup.launch.grid;
  subject.block = setup.launch.block;
  subject.shared_bytes = setup.launch.shared_bytes;
  return subject;
}

MeasurementKey key_of(const scenario::Setup& setup, CompileMode mode) {
  Subject subject = subject_of(setup, mode);
  if (subject.kernel.empty()) {
    const sim::KernelList list =
        sim::list_kernels(setup.compile.text, setup.compile.defines, nullptr, setup.compile.headers);
    if (list.kernels.size() == 1) subject.kernel = list.kernels.front().name;
  }
  std::map<std::string, json> arguments;
  for (const auto& [name, argument] : setup.launch.arguments)
    arguments[name] = std::visit([](const auto& value) { return key_value(value); }, argument);
  return digest(subject, arguments);
}

json to_json(const Subject& s, bool with_text) {
  json arguments = json::array();
  for (const KernelArgument& a : s.arguments) {
    json entry{{"name", a.name}, {"type", sim::name_of(a.type)}};
    if (const auto* buffer = std::get_if<BufferArgument>(&a.value)) {
      entry["elements"] = buffer->elements;
      entry["element_bytes"] = buffer->element_bytes;
      entry["fill"] = buffer->data_hash.empty() ? sim::name_of(buffer->fill) : "data";
      if (!buffer->data_hash.empty() && with_text && buffer->data)
        entry["data"] = scenario::to_hex(*buffer->data);
      if (!buffer->data_hash.empty() && !entry.contains("data")) entry["data_hash"] = buffer->data_hash;
      if (buffer->range) entry["range"] = *buffer->range;
      if (buffer->is_const) entry["const"] = true;
      if (buffer->tensor) entry["tensor"] = to_json(*buffer->tensor);
    } else if (const auto* integer = std::get_if<std::int64_t>(&a.value)) {
      entry["value"] = *integer;
    } else {
      entry["value"] = std::get<double>(a.value);
    }
    arguments.push_back(std::move(entry));
  }
  json document{
      {"source", s.source_name},        {"text_hash", hash_of(s)},          {"kernel", s.kernel},
      {"mode", name_of(s.mode)},        {"grid", to_json(s.grid)},          {"block", to_json(s.block)},
      {"shared_bytes", s.shared_bytes}, {"arguments", std::move(arguments)}};
  if (!s.template_arguments.empty()) document["template"] = s.template_arguments;
  for (const auto& [name, value] : s.defines) document["defines"].push_back({name, value});
  if (with_text) document["text"] = s.text;
  if (with_text && !s.headers.empty()) document["headers"] = s.headers;
  return document;
}

Subject subject_from_json(const Fields& fields) {
  Subject s;
  s.source_name = fields.text_or("source", "kernel.cu");
  s.text = fields.text_or("text", {});
  if (fields.has("headers")) {
    const Fields headers = fields.object("headers");
    for (const auto& [name, text] : headers.document().items()) s.headers[name] = headers.text(name.c_str());
  }
  s.text_hash = s.text.empty() ? fields.text("text_hash") : hash_of(s);
  s.kernel = fields.text("kernel");
  s.template_arguments = fields.texts("template");
  const std::string mode = fields.text("mode");
  s.mode = mode == name_of(CompileMode::AsOptimised) ? CompileMode::AsOptimised : CompileMode::AsWritten;
  if (mode != name_of(s.mode)) fields.complain("mode", Message("must be as_written or as_optimised"));
  if (fields.has("defines"))
    for (const auto& entry : fields.array("defines")) {
      if (entry.is_array() && entry.size() == 2 && entry[0].is_string() && entry[1].is_string())
        s.defines.emplace_back(entry[0].get<std::string>(), entry[1].get<std::string>());
      else
        fields.complain("defines", Message("must be a list of [name, value]"));
    }
  s.grid = dim_from_json(fields, "grid");
  s.block = dim_from_json(fields, "block");
  s.shared_bytes = static_cast<std::uint64_t>(fields.integer_or("shared_bytes", 0, std::int64_t{1} << 32, 0));
  const json& arguments = fields.array("arguments");
  Message error;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string place = "arguments[" + std::to_string(i) + "]";
    s.arguments.push_back(argument_from_json(Fields(arguments[i], fields.place_of(place), error)));
  }
  if (!error.empty()) fields.complain("arguments", Message("is wrong: {}", error));
  return s;
}

}  // namespace warplens::measure
