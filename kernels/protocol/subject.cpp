#include "kernels/protocol/subject.h"

#include <sha2.h>  // of libmd, which is C
#include <sys/types.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>

#include "sim/scenario/launch_document.h"
#include "sim/scenario/scenario.h"

namespace warplens::measure {

std::string sha256(std::string_view bytes) {
  SHA2_CTX context;
  std::array<std::uint8_t, SHA256_DIGEST_LENGTH> digest{};
  SHA256Init(&context);
  SHA256Update(&context, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  SHA256Final(digest.data(), &context);
  return scenario::to_hex({digest.begin(), digest.end()});
}

namespace {

using nlohmann::json;
using sim::Fill;
using sim::ScalarType;

constexpr std::int64_t kMostElements = std::int64_t{1} << 40;

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

std::vector<std::uint32_t> sides_of(const sim::Dim3& dim) {
  return {dim.x, dim.y, dim.z};
}

MeasurementKey digest(const Subject& s, const std::map<std::string, json>& arguments) {
  const json canonical{
      {"text", hash_of(s)},         {"kernel", s.kernel},       {"template", s.template_arguments},
      {"defines", s.defines},       {"mode", name_of(s.mode)},  {"grid", sides_of(s.grid)},
      {"block", sides_of(s.block)}, {"shared", s.shared_bytes}, {"arguments", arguments},
  };
  return {sha256(canonical.dump(-1, ' ', true, json::error_handler_t::replace))};
}

}  // namespace

const char* name_of(CompileMode mode) {
  return mode == CompileMode::AsWritten ? "as_written" : "as_optimised";
}

CompileMode effective_mode(const std::string& text, CompileMode mode) {
  return text.find("__shared__") == std::string::npos ? CompileMode::AsWritten : mode;
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
            setup.compile.headers->files[header].text;
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

static void describe(Fields& f, sim::TensorMapShape& shape) {
  const auto rank = static_cast<std::ptrdiff_t>(shape.dimensions);
  std::vector<std::int64_t> size(shape.size.begin(), shape.size.begin() + rank),
      box(shape.box.begin(), shape.box.begin() + rank), pitch{shape.pitch, shape.slice};
  pitch.resize(static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, rank - 1)));
  f.values("size", size), f.values("box", box), f.values("pitch", pitch);
  f.whole("swizzle", shape.swizzle, 0, 128);
  if (!f.reads()) return;
  if (size.empty() || size.size() > shape.size.size() || box.size() != size.size() ||
      pitch.size() + 1 != size.size())
    return f.complain("size",
                      Message("must be one to three integers, with as many of the box and one less of "
                              "the pitch"));
  shape.dimensions = static_cast<int>(size.size());
  std::copy(size.begin(), size.end(), shape.size.begin());
  std::copy(box.begin(), box.end(), shape.box.begin());
  if (!pitch.empty()) shape.pitch = pitch[0];
  if (pitch.size() > 1) shape.slice = pitch[1];
}

// "fill": "data", so that a program that does not know it refuses the request.
static void describe_fill(Fields& f, BufferArgument& buffer, bool with_text) {
  std::string fill = buffer.data_hash.empty() ? sim::name_of(buffer.fill) : "data", data;
  f("fill", fill);
  if (fill != "data") {
    if (const auto named = sim::fill_named(fill))
      buffer.fill = *named;
    else
      f.complain("fill",
                 Message("must be zero, iota, random, zipf, permutation, list, letters, ascending or small"));
    return;
  }
  if (!f.reads() && with_text && buffer.data) data = scenario::to_hex(*buffer.data);
  f.given("data", data);
  if (data.empty()) return f.required("data_hash", buffer.data_hash);
  if (!f.reads()) return;
  auto bytes = data.size() <= 2 * kMostData ? scenario::from_hex(data) : std::nullopt;
  if (!bytes) return f.complain("data", Message("must be hexadecimal digits of up to 16 MiB"));
  buffer.data = std::make_shared<const std::string>(std::move(*bytes));
  buffer.data_hash = hash_data(buffer.data);
}

static void describe(Fields& f, BufferArgument& buffer, ScalarType type, bool with_text) {
  f.whole("elements", buffer.elements, 1, kMostElements);
  f.whole("element_bytes", buffer.element_bytes, 1, 4096);
  describe_fill(f, buffer, with_text);
  std::vector<double> ends;
  if (buffer.range) ends = {(*buffer.range)[0], (*buffer.range)[1]};
  f.values("range", ends);
  constexpr double kMost = 0x1p53;
  if (ends.size() == 2 && ends[0] <= ends[1] && ends[0] >= -kMost && ends[1] <= kMost)
    buffer.range = {ends[0], ends[1]};
  else if (!ends.empty())
    f.complain("range", Message("must be two numbers up to 2^53, the smaller one first"));
  f.given("const", buffer.is_const);
  f.maybe("tensor", buffer.tensor, [](Fields& own, sim::TensorMapShape& shape) { describe(own, shape); });
  if (buffer.element_bytes % sim::size_of(type) != 0)
    f.complain("element_bytes", Message("must be a multiple of the type's size"));
}

static void describe(Fields& f, KernelArgument& argument, bool with_text) {
  std::string type = sim::name_of(argument.type);
  f.required("name", argument.name), f.required("type", type);
  const auto* known = std::ranges::find(sim::kScalarTraits, type, &sim::ScalarTraits::name);
  if (known != std::end(sim::kScalarTraits))
    argument.type = static_cast<ScalarType>(known - std::begin(sim::kScalarTraits));
  else
    f.complain("type", Message("is not a scalar type: \"{}\"", type));
  if (f.reads() && f.in().has("elements")) argument.value = BufferArgument{};
  if (f.reads() && f.in().has("value") && f.in().json().at("value").is_number_float()) argument.value = 0.0;
  if (auto* buffer = std::get_if<BufferArgument>(&argument.value))
    describe(f, *buffer, argument.type, with_text);
  else if (auto* number = std::get_if<double>(&argument.value))
    f("value", *number);
  else if (f.reads())
    argument.value = f.in().integer("value");
  else
    f.out()["value"] = std::get<std::int64_t>(argument.value);
}

void describe(Fields& f, Subject& s, bool with_text) {
  if (f.reads()) s.source_name = "kernel.cu";
  f("source", s.source_name);
  if (f.reads() || with_text) f.given("text", s.text), f.map("headers", s.headers);
  std::string hash = f.reads() && s.text.empty() ? std::string() : hash_of(s);
  if (!f.reads() || s.text.empty()) f.required("text_hash", hash);
  s.text_hash = hash;
  f.required("kernel", s.kernel);
  f.values("template", s.template_arguments);
  std::string mode = name_of(s.mode);
  f.required("mode", mode);
  s.mode = mode == name_of(CompileMode::AsOptimised) ? CompileMode::AsOptimised : CompileMode::AsWritten;
  if (mode != name_of(s.mode)) f.complain("mode", Message("must be as_written or as_optimised"));
  if (!f.reads() && !s.defines.empty()) f.out()["defines"] = s.defines;
  if (f.reads())
    for (const scenario::JsonValue& entry : f.in().optional_list("defines")) {
      const json& pair = entry.json();
      if (pair.is_array() && pair.size() == 2 && pair[0].is_string() && pair[1].is_string())
        s.defines.emplace_back(pair[0].get<std::string>(), pair[1].get<std::string>());
      else
        entry.error(Message("must be a list of [name, value]"));
    }
  f.sides("grid", s.grid), f.sides("block", s.block);
  f.whole("shared_bytes", s.shared_bytes, 0, std::int64_t{1} << 32);
  f.list("arguments", s.arguments,
         [&](Fields& own, KernelArgument& argument) { describe(own, argument, with_text); });
}

}  // namespace warplens::measure
