#include "sim/scenario/launch_document.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include "sim/base/numbers.h"
#include "sim/file/whole_file.h"
#include "sim/launch/bound.h"
#include "sim/lower/ptx/module.h"
#include "sim/scalar/bits.h"
#include "sim/scenario/fields.h"
#include "sim/scenario/headers.h"
#include "sim/scenario/json_document.h"
#include "sim/scenario/text_file.h"
#include "sim/text/read_file.h"
#include "sim/text/scan.h"

namespace warplens::scenario {

namespace {

namespace fs = std::filesystem;
using sim::KernelParameter;
using sim::ScalarType;

constexpr std::size_t kMostContents = std::size_t{1} << 30;  // bytes of a file of contents
constexpr std::size_t kMostDocument = std::size_t{64} << 20;

struct NamedType {
  const char* name;
  ScalarType type;
};
constexpr NamedType kElementTypes[] = {
    {"u8", ScalarType::U8},   {"i8", ScalarType::I8},     {"u16", ScalarType::U16}, {"i16", ScalarType::I16},
    {"f16", ScalarType::F16}, {"bf16", ScalarType::BF16}, {"i32", ScalarType::I32}, {"u32", ScalarType::U32},
    {"f32", ScalarType::F32}, {"i64", ScalarType::I64},   {"u64", ScalarType::U64}, {"f64", ScalarType::F64}};
class LaunchReader {
 public:
  LaunchReader(JsonDocument& document, const fs::path& file, Budget& budget)
      : document_(document), root_(document.root()), file_(file), budget_(budget) {}

  std::optional<Setup> read() {
    if (!document_.has_schema("launch") || !root_.is_object()) return {};
    no_others(root_, {"schema", "code", "kernel", "source", "grid", "block", "shared_bytes", "arguments",
                      "cluster", "constants"});
    read_code();
    Fields fields(root_);
    for (const auto& [name, dim] :
         {std::pair("grid", &setup_.launch.grid), {"block", &setup_.launch.block}}) {
      if (!root_.has(name)) root_.error(name, Message("is missing"));
      fields.sides(name, *dim);
    }
    if (root_.has("cluster")) fields.sides("cluster", setup_.launch.cluster.emplace());
    if (const auto& sides = setup_.launch.cluster) setup_.compile.cluster = {sides->x, sides->y, sides->z};
    const std::int64_t shared = root_.optional_integer("shared_bytes", 0);
    if (shared < 0) root_.error("shared_bytes", Message("must be 0 or more"));
    setup_.launch.shared_bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(0, shared));
    setup_.compile.buffers_overlap = has_shared_names();
    // Of a pointer that is not used PTX does not say that it is one.
    const JsonList given = root_.optional_list("arguments");
    for (std::size_t i = 0; i < given.size(); ++i)
      if (given[i].json().is_object() && given[i].has("buffer")) setup_.compile.pointers.insert(i);
    if (!document_.ok()) return {};
    sim::CompileResult compiled = sim::compile(setup_.compile, &budget_);
    if (compiled.stopped) throw *compiled.stopped;
    if (!compiled.program)
      return std::move(setup_);  // what is wrong with the code is told where it is compiled
    read_arguments(*compiled.program);
    read_constants(*compiled.program);
    if (!document_.ok()) return {};
    return std::move(setup_);
  }

 private:
  // A file that the document names; empty after an error. A stranger's document reads nothing but what lies
  // beside it or below.
  fs::path file_named(const JsonValue& object, std::string_view member) {
    const fs::path name = object.text(member);
    if (is_below(name, file_)) return file_.parent_path() / name.lexically_normal();
    if (object.has(member))
      object.error(member, Message("names \"{}\": only files beside the document or below it can be named",
                                   name.string()));
    return {};
  }

  void read_code() {
    const fs::path file = file_named(root_, "code");
    if (file.empty()) return;
    setup_.source_name = file.string();
    auto text = read_text(file, kMostPtxBytes);
    if (text) text = kernel_text(std::move(*text.value), file);
    for (const Message& error : text.errors) root_.error("code", error);
    if (!text) return;
    setup_.compile.text = std::move(*text.value);
    setup_.compile.kernel = root_.optional_text("kernel");
    if (!is_ptx(setup_.compile.text)) {
      if (root_.has("source")) root_.error("source", Message("goes with PTX; \"code\" is a text of its own"));
      setup_.compile.headers = headers_of(setup_.compile.text, file, {}, {}, budget_);
      return;
    }
    const fs::path source = root_.has("source") ? file_named(root_, "source") : fs::path();
    for (const Message& error : add_source(setup_.compile, file.parent_path(), source, budget_))
      root_.error("source", error);
  }

  bool has_shared_names() {
    std::set<std::string> names;
    for (const JsonValue& argument : root_.optional_list("arguments")) {
      if (!argument.has("name") || !argument.member("name").json().is_string()) continue;
      if (!names.insert(argument.member("name").json().get<std::string>()).second) return true;
    }
    return false;
  }

  // ---- arguments

  void read_arguments(const sim::Program& program) {
    const std::vector<ParameterParts> parameters = parameters_of(program);
    const JsonList given = root_.optional_list("arguments");
    if (given.size() > parameters.size())
      root_.error("arguments", Message("has {} entries; {} has {} parameters", given.size(), program.kernel,
                                       parameters.size()));
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if (i < given.size())
        read_argument(given[i], parameters[i]);
      else
        for (const KernelParameter* part : parameters[i]) set_zero(*part);
    }
  }

  void set_zero(const KernelParameter& parameter) {
    if (parameter.is_pointer)
      setup_.launch.arguments[parameter.name] = sim::Buffer{.is_null = true};
    else
      setup_.launch.arguments[parameter.name] = std::int64_t{0};
  }

  void read_argument(const JsonValue& value, const ParameterParts& parts) {
    if (!value.is_object()) return;
    const KernelParameter& first = *parts.front();
    if (value.has("bytes")) return read_bytes(value, parts);
    if (parts.size() > 1)
      return value.error(Message(
          "is for {}, a struct that is passed by value: give {\"bytes\": \"...hex...\"}", "parameter"));
    if (value.has("null")) {
      no_others(value, {"null"});
      if (value.member("null").json() != true) value.error("null", Message("can only be true"));
      // PTX does not say of each word of 64 bits whether it is a pointer: of one that is not used nothing
      // does.
      if (!first.is_pointer && first.element_bytes != 8)
        value.error("null", Message("is for {}, which is not a pointer", first.name));
      return set_zero(first);
    }
    if (value.has("buffer")) {
      if (!first.is_pointer)
        return value.error("buffer",
                           Message("is for {} ({}), which is a number", first.name, first.type_text));
      return read_buffer(value, first);
    }
    for (const NamedType& known : kElementTypes) {
      if (!value.has(known.name)) continue;
      no_others(value, {known.name});
      if (first.is_pointer)
        return value.error(known.name,
                           Message("is for {} ({}), which is a pointer", first.name, first.type_text));
      const bool is_float = is_floating(known.type), takes_float = is_floating(first.type);
      const int size = std::max(size_of(first.type), first.element_bytes);
      // Of PTX, where a word of bits may be either.
      const bool is_bits =
          is_float && !takes_float && size_of(known.type) == size && is_ptx(setup_.compile.text);
      if (is_float != takes_float && !is_bits)
        return value.error(known.name, Message("is not a number for {} ({})", first.name, first.type_text));
      const auto bits = bits_in(value.member(known.name), known.type);
      if (!bits) return;
      const std::int64_t whole = is_float ? 0 : sim::integer_of(known.type, *bits);
      const auto wider = std::int64_t{1} << (size < 8 ? 8 * size : 0);
      if (size < 8 && (whole >= wider || whole < -wider / 2))
        return value.error(known.name, Message("does not fit {} ({})", first.name, first.type_text));
      setup_.launch.arguments[first.name] = argument_of_bits(first, known.type, *bits);
      return;
    }
    value.error(
        Message("is none of \"buffer\", \"null\", \"bytes\" and a number of a type, as {\"i32\": 256}"));
  }

  void no_others(const JsonValue& object, std::initializer_list<std::string_view> known) {
    for (const auto& [name, value] : object.json().items())
      if (std::ranges::find(known, name) == known.end()) object.error(name, Message("is not known here"));
  }

  // A number as it lies in memory.
  std::optional<std::uint64_t> bits_in(const JsonValue& value, ScalarType type) {
    const nlohmann::json& given = value.json();
    std::optional<std::uint64_t> bits;
    if (given.is_number_unsigned())
      bits = sim::fitting_bits(type, sim::Number(given.get<std::uint64_t>()));
    else if (given.is_number_integer())
      bits = sim::fitting_bits(type, sim::Number(given.get<std::int64_t>()));
    else if (given.is_number_float())
      bits = sim::fitting_bits(type, sim::Number(given.get<double>()));
    else if (given.is_boolean())
      bits = sim::fitting_bits(type, sim::Number(std::int64_t{given.get<bool>() ? 1 : 0}));
    else
      return value.error(Message("must be a number, not {}", kind_of(given))), std::nullopt;
    if (!bits) return value.error(Message("does not fit {}", sim::name_of(type))), std::nullopt;
    return sim::memory_bits(type, *bits);
  }

  // {"bytes": "0000803f..."}: a struct by value, each part from its place.
  void read_bytes(const JsonValue& value, const ParameterParts& parts) {
    no_others(value, {"bytes"});
    const auto held = from_hex(text::lower_case(value.text("bytes")));
    if (!held) return value.error("bytes", Message("must be bytes in hexadecimal, of two digits each"));
    const std::string& bytes = *held;
    for (const KernelParameter* part : parts) {
      const auto at = static_cast<std::size_t>(part->is_member ? part->member_offset : 0);
      const ScalarType type = part->is_pointer ? ScalarType::U64 : part->type;
      const auto size = static_cast<std::size_t>(size_of(type));
      if (!part->is_member && bytes.size() != size)
        return value.error("bytes", Message("has {} bytes; {} has {}", bytes.size(), part->name, size));
      if (at + size > bytes.size())
        return value.error("bytes", Message("has {} bytes; {} takes {} from byte {} on", bytes.size(),
                                            part->name, size, at));
      std::uint64_t bits = 0;
      std::memcpy(&bits, bytes.data() + at, size);
      if (part->is_pointer && bits != 0)
        return value.error("bytes",
                           Message("{} is a pointer: a struct's pointers can only be null here", part->name));
      if (part->is_pointer)
        set_zero(*part);
      else
        setup_.launch.arguments[part->name] = argument_of_bits(*part, type, bits);
    }
  }

  std::optional<ScalarType> element_of(const JsonValue& value) {
    const auto type = element_named(value.text("buffer"));
    if (!type)
      value.error("buffer", Message("\"{}\" is not one of u8 i8 u16 i16 f16 bf16 i32 u32 f32 i64 u64 f64",
                                    value.text("buffer")));
    return type;
  }

  // {"buffer": "f32", "elements": 64, "contents": ..., "name": "a", "offset": 256}
  void read_buffer(const JsonValue& value, const KernelParameter& parameter) {
    no_others(value, {"buffer", "elements", "contents", "name", "offset"});
    const auto type = element_of(value);
    if (!type) return;
    sim::Buffer buffer;
    buffer.element = *type;
    const std::int64_t offset = value.optional_integer("offset", 0);
    if (offset < 0) return value.error("offset", Message("must be 0 bytes or more"));
    buffer.offset_bytes = static_cast<std::uint64_t>(offset);
    const std::string name = value.optional_text("name");
    const auto owner = name.empty() ? owners_.end() : owners_.find(name);
    if (owner != owners_.end()) {
      buffer.same_as = owner->second;
      if (value.has("contents")) value.error("contents", Message("was already given for \"{}\"", name));
      const auto& whole = std::get<sim::Buffer>(setup_.launch.arguments.at(owner->second));
      const std::uint64_t bytes = whole.elements * static_cast<std::uint64_t>(size_of(*whole.element));
      const std::int64_t part = value.has("elements") ? value.integer("elements") : 1;
      if (part < 1 || static_cast<std::uint64_t>(part) > bytes / static_cast<std::uint64_t>(size_of(*type)))
        value.error("elements", Message("\"{}\" has {} bytes, as was already given", name, bytes));
    } else {
      if (!name.empty()) owners_[name] = parameter.name;
      const std::int64_t elements = value.integer("elements");
      if (elements < 1) return value.error("elements", Message("must be 1 or more"));
      buffer.elements = static_cast<std::uint64_t>(elements);
      if (value.has("contents")) read_contents(value.member("contents"), *type, buffer);
    }
    setup_.launch.arguments[parameter.name] = std::move(buffer);
  }

  void read_contents(const JsonValue& value, ScalarType type, sim::Buffer& buffer) {
    if (!value.is_object()) return;
    no_others(value, {"file", "values", "fill"});
    if (value.json().size() > 1)
      return value.error(Message("has more than one of \"file\", \"values\" and \"fill\""));
    const auto size = static_cast<std::uint64_t>(size_of(type));
    if (value.has("file")) {
      const fs::path file = file_named(value, "file");
      if (file.empty()) return;
      auto bytes = std::make_shared<std::string>();
      Message error;
      if (!text::read_file(file.string(), kMostContents, bytes.get(), &error))
        return value.error("file", error);
      if (bytes->size() < buffer.elements * size)
        return value.error("file",
                           Message("\"{}\" has {} bytes; {} elements take {}", file.filename().string(),
                                   bytes->size(), buffer.elements, buffer.elements * size));
      bytes->resize(static_cast<std::size_t>(buffer.elements * size));
      buffer.file = file.filename().string();
      buffer.data = std::move(bytes);
    } else if (value.has("values")) {
      const JsonList list = value.list("values");
      if (list.size() > buffer.elements)
        return value.error(
            "values", Message("has {} entries; the buffer has {} elements", list.size(), buffer.elements));
      auto bytes = std::make_shared<std::string>();
      for (const JsonValue& one : list) {
        const std::uint64_t bits = bits_in(one, type).value_or(0);
        std::array<char, 8> raw{};
        std::memcpy(raw.data(), &bits, sizeof bits);
        bytes->append(raw.data(), size);
      }
      buffer.data = std::move(bytes);
    } else if (value.has("fill")) {
      std::string fill = value.text("fill");
      if (fill == "zeros") fill = "zero";
      if (fill == "index") fill = "iota";
      // As --set has them; files are named by "file", which looks where they lie.
      const auto read =
          fill.starts_with("file") ? Outcome<sim::Argument>{} : parse_argument("@1:" + fill, "fill");
      if (!read)
        return value.error(
            "fill", Message("\"{}\" is not a fill; the fills are zeros, index and those of --set", fill));
      buffer.fill = std::get<sim::Buffer>(*read.value).fill;
      buffer.range = std::get<sim::Buffer>(*read.value).range;
    } else {
      value.error(Message("needs \"file\", \"values\" or \"fill\""));
    }
  }

  // {"constants": {"mask": {"buffer": "f32", "elements": 9, "contents": {...}}}}: as by cudaMemcpyToSymbol().
  void read_constants(const sim::Program& program) {
    for (const auto& [name, value] : root_.optional_members("constants")) {
      const std::size_t colons = name.rfind("::");  // "table", "a::b::table", or as compilers write it
      const std::string wanted =
          sim::lower::ptx::plain_name(colons == std::string::npos ? name : name.substr(colons + 2));
      const auto is_it = [&](const KernelParameter& p) { return p.symbol_elements > 0 && p.name == wanted; };
      const auto found = std::ranges::find_if(program.parameters, is_it);
      if (found == program.parameters.end()) {
        value.error(Message("{} has no variable of that name in constant or global memory", program.kernel));
        continue;
      }
      if (std::any_of(found + 1, program.parameters.end(), is_it)) {
        value.error(Message("{} has several variables of that name", program.kernel));
        continue;
      }
      if (!value.is_object()) continue;
      if (value.has("contents")) no_others(value, {"buffer", "contents"});
      const auto elements = static_cast<std::uint64_t>(found->symbol_elements);
      ScalarType type = found->type;
      if (value.has("buffer")) type = element_of(value).value_or(type);
      sim::Buffer whole;  // as many bytes as the variable has, in elements of the type that is said
      whole.elements = elements * static_cast<std::uint64_t>(found->element_bytes) /
                       static_cast<std::uint64_t>(size_of(type));
      const JsonValue contents = value.has("contents") ? value.member("contents") : value;
      read_contents(contents, type, whole);
      whole.elements = elements;
      setup_.launch.arguments[found->name] = std::move(whole);
    }
  }

  JsonDocument& document_;
  JsonValue root_;
  const fs::path& file_;
  Budget& budget_;
  Setup setup_;
  std::map<std::string, std::string> owners_;  // by a buffer's name: the parameter that has it
};

// A launch as a document in `folder`, with files of contents beside it.
class LaunchWriter {
 public:
  LaunchWriter(const Prepared& prepared, fs::path file) : prepared_(prepared), file_(std::move(file)) {}

  std::vector<Message> write() {
    const Setup& setup = prepared_.setup;
    if (!setup.compile.defines.empty())
      return {Message("a launch document cannot define macros, and {} needs them", setup.source_name)};
    document_["schema"] = "warplens.launch/1";
    add_code(setup.compile, setup.source_name);
    document_["kernel"] = kernel_of(setup.compile);
    document_["grid"] = extents(setup.launch.grid);
    document_["block"] = extents(setup.launch.block);
    if (setup.launch.cluster) document_["cluster"] = extents(*setup.launch.cluster);
    document_["shared_bytes"] = setup.launch.shared_bytes;
    document_["arguments"] = nlohmann::ordered_json::array();
    for (const ParameterParts& parts : parameters_of(prepared_.program))
      parts.front()->is_member || parts.front()->is_texture ? add_struct(parts) : add(*parts.front());
    for (const KernelParameter& parameter : prepared_.program.parameters)
      if (parameter.symbol_elements > 0) add(parameter);
    if (errors_.empty()) save(file_, document_.dump(1) + "\n");
    return errors_;
  }

 private:
  void save(const fs::path& file, std::string_view content) {
    if (const file::Written written = file::write_whole(file, content); !written)
      errors_.push_back(written.words);
  }
  static nlohmann::ordered_json extents(const sim::Dim3& dim) { return {dim.x, dim.y, dim.z}; }
  static std::string kernel_of(const sim::CompileRequest& compile) {
    return sim::KernelName{{}, compile.kernel, {}, compile.template_arguments}.with_arguments();
  }

  // A text by its name where it lies below the document, else a copy of it there.
  std::string placed(const fs::path& name, const std::string& text) {
    std::error_code failed;
    const fs::path home = file_.parent_path().empty() ? fs::path(".") : file_.parent_path();
    const fs::path within = fs::relative(name, home, failed);
    const bool is_below = !failed && !within.empty() && within.begin()->string() != "..";
    const auto there = is_below ? read_text(name, kMostPtxBytes) : Outcome<std::string>{};
    if (there && *there.value == text) return within.generic_string();
    fs::path made = name.filename();
    if (is_ptx(text)) made.replace_extension(".ptx");
    return save_beside(made, text);
  }

  // Under a name that is free, or holds the same: nobody's file is written over.
  std::string save_beside(const fs::path& wanted, const std::string& content) {
    std::error_code failed;
    fs::path name = wanted;
    for (int more = 2; fs::exists(file_.parent_path() / name, failed); ++more) {
      std::string there;
      Message error;
      if (text::read_file((file_.parent_path() / name).string(), kMostContents, &there, &error) &&
          there == content)
        return name.string();
      name = wanted.stem().string() + "-" + std::to_string(more) + wanted.extension().string();
    }
    save(file_.parent_path() / name, content);
    return name.string();
  }

  void add_code(const sim::CompileRequest& compile, const std::string& name) {
    document_["code"] = placed(name, compile.text);
    std::error_code failed;
    const bool is_copy =
        !fs::equivalent(file_.parent_path() / document_["code"].get<std::string>(), name, failed);
    if (is_copy && compile.headers && !is_ptx(compile.text))
      errors_.push_back(Message("{} includes headers: write the document beside it", name));
    if (!compile.source.empty()) document_["source"] = placed(compile.source_name, compile.source);
  }

  // What a number is given, or is without being given, as it lies in a register.
  std::uint64_t bits_given(const KernelParameter& parameter) const {
    const sim::Argument* given = prepared_.setup.launch.argument(parameter.name);
    const sim::Argument fallback{parameter.fallback.value_or(0)};
    return sim::bind_scalar(parameter, given != nullptr ? *given : fallback).bits;
  }

  // A struct by value, as it lies in memory.
  void add_struct(const ParameterParts& parts) {
    std::string bytes;
    for (const KernelParameter* part : parts) {
      const sim::Buffer* buffer = prepared_.setup.launch.buffer(part->name);
      if (part->is_texture || (part->is_pointer && (buffer == nullptr || !buffer->is_null))) {
        errors_.push_back(
            Message("{} is a texture, or a pointer in a struct: it cannot be written into a launch document",
                    part->name));
        return;
      }
      const std::uint64_t bits = part->is_pointer ? 0 : sim::memory_bits(part->type, bits_given(*part));
      const auto size = static_cast<std::size_t>(part->is_pointer ? 8 : size_of(part->type));
      const auto at = static_cast<std::size_t>(part->member_offset);
      bytes.resize(std::max(bytes.size(), at + size));
      std::memcpy(bytes.data() + at, &bits, size);
    }
    document_["arguments"].push_back({{"bytes", to_hex(bytes)}});
  }

  void add(const KernelParameter& parameter) {
    const sim::Buffer* buffer = prepared_.setup.launch.buffer(parameter.name);
    if (parameter.symbol_elements > 0) {
      if (buffer != nullptr) document_["constants"][parameter.name] = contents_of(parameter, *buffer);
      return;
    }
    nlohmann::ordered_json made;
    if (parameter.is_pointer) {
      if (buffer == nullptr)
        errors_.push_back(Message("the buffer of {} has no end: give its length with --set {}=@ELEMENTS",
                                  parameter.name, parameter.name));
      made = buffer == nullptr || buffer->is_null ? nlohmann::ordered_json{{"null", true}}
                                                  : buffer_json(parameter, *buffer);
    } else {
      const std::uint64_t bits = bits_given(parameter);
      const double number = is_floating(parameter.type) ? sim::number_of(parameter.type, bits) : 0;
      if (!std::isfinite(number)) return add_struct({&parameter});  // JSON has no such number: as its bytes
      if (is_floating(parameter.type))
        made[element_name(parameter.type)] = number;
      else if (parameter.type == ScalarType::U64)
        made["u64"] = bits;
      else
        made[element_name(parameter.type)] = sim::integer_of(parameter.type, bits);
    }
    document_["arguments"].push_back(std::move(made));
  }

  nlohmann::ordered_json buffer_json(const KernelParameter& parameter, const sim::Buffer& buffer) {
    const ScalarType type = buffer.element.value_or(parameter.type);
    const auto size = static_cast<std::uint64_t>(size_of(type));
    // An element of several numbers, as float4, is as many of them.
    const std::uint64_t times =
        buffer.element
            ? 1
            : std::max<std::uint64_t>(1, static_cast<std::uint64_t>(parameter.element_bytes) / size);
    const std::uint64_t offset = buffer.offset * size * times + buffer.offset_bytes;
    nlohmann::ordered_json made{{"buffer", element_name(type)}};
    if (!buffer.same_as.empty()) {
      made["name"] = buffer.same_as;
    } else {
      if (buffer.elements == 0)
        errors_.push_back(Message("the buffer of {} has no end: give its length with --set {}=@ELEMENTS",
                                  parameter.name, parameter.name));
      made["elements"] = buffer.elements * times;
      if (prepared_.program.buffers_overlap) made["name"] = parameter.name;
      made["contents"] = contents_of(parameter, buffer);
    }
    if (offset != 0) made["offset"] = offset;
    return made;
  }

  nlohmann::ordered_json contents_of(const KernelParameter& parameter, const sim::Buffer& buffer) {
    if (!buffer.addresses.empty())
      errors_.push_back(Message("{} holds addresses, which no file keeps", parameter.name));
    if (buffer.data) {
      const ScalarType type = buffer.element.value_or(parameter.type);
      const auto bytes = buffer.elements *
                         static_cast<std::uint64_t>(buffer.element ? size_of(type) : parameter.element_bytes);
      std::string whole = *buffer.data;
      whole.resize(std::max<std::size_t>(whole.size(), bytes));
      const std::string stem = file_.stem().stem().string();  // without .launch.json
      return {{"file", save_beside(stem + "." + parameter.name + ".bin", whole)}};
    }
    std::string fill = sim::name_of(buffer.fill);
    if (buffer.range) {
      const auto text = [](double end) { return nlohmann::json(end).dump(); };
      fill += "(" + text((*buffer.range)[0]) + "," + text((*buffer.range)[1]) + ")";
    }
    return {{"fill", fill}};
  }

  const Prepared& prepared_;
  fs::path file_;
  nlohmann::ordered_json document_;
  std::vector<Message> errors_;
};

}  // namespace

std::string to_hex(const std::string& bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const char c : bytes) {
    text += kDigits[static_cast<unsigned char>(c) >> 4];
    text += kDigits[static_cast<unsigned char>(c) & 15];
  }
  return text;
}

std::optional<std::string> from_hex(const std::string& text) {
  if (text.size() % 2 != 0 || text.find_first_not_of("0123456789abcdef") != std::string::npos) return {};
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string bytes;
  bytes.reserve(text.size() / 2);
  for (std::size_t i = 0; i < text.size(); i += 2)
    bytes += static_cast<char>(digit(text[i]) << 4 | digit(text[i + 1]));
  return bytes;
}

std::optional<ScalarType> element_named(std::string_view name) {
  for (const NamedType& known : kElementTypes)
    if (known.name == name) return known.type;
  return {};
}

const char* element_name(ScalarType type) {
  for (const NamedType& known : kElementTypes)
    if (known.type == type) return known.name;
  return "u8";
}

std::vector<ParameterParts> parameters_of(const sim::Program& program) {
  std::vector<ParameterParts> list;
  std::string before;
  for (const KernelParameter& parameter : program.parameters) {
    if (parameter.symbol_elements > 0) continue;
    const std::string whole =
        parameter.is_member ? parameter.name.substr(0, parameter.name.find_first_of(".[")) : "";
    if (!whole.empty() && whole == before)
      list.back().push_back(&parameter);
    else
      list.push_back({&parameter});
    before = whole;
  }
  return list;
}

sim::Argument argument_of_bits(const KernelParameter& parameter, ScalarType given, std::uint64_t bits) {
  const ScalarType type = parameter.type;
  if (is_floating(type)) {
    if (size_of(given) == size_of(type)) return sim::number_of(type, sim::register_bits(type, bits));
    return is_floating(given) ? sim::number_of(given, sim::register_bits(given, bits))
                              : static_cast<double>(sim::integer_of(given, bits));
  }
  const std::int64_t value = is_floating(given) || given == ScalarType::U64 ? static_cast<std::int64_t>(bits)
                                                                            : sim::integer_of(given, bits);
  // The same bits, as a number of the parameter's type.
  return sim::integer_argument(type, sim::bits_of_integer(type, static_cast<std::uint64_t>(value)));
}

std::vector<Message> write_launch(const Prepared& prepared, const fs::path& file) {
  if (!is_launch_document(file))
    return {Message("{}: a launch document is called NAME.launch.json", file.string())};
  return LaunchWriter(prepared, file).write();
}

bool is_ptx(std::string_view text) {
  return sim::lower::ptx::is_module(text);
}

bool is_launch_document(const fs::path& file) {
  return file.string().ends_with(".launch.json");
}

std::vector<Message> add_source(sim::CompileRequest& request, const fs::path& folder, const fs::path& named,
                                Budget& budget) {
  const sim::lower::ptx::Module module = sim::lower::ptx::parse_module(request.text, budget);
  if (module.error) return {};  // told where it is compiled
  for (const sim::lower::ptx::Function& function : module.functions) {
    if (!function.is_entry) continue;
    const std::string file = source_file_of(module, function);
    if (file.empty()) continue;
    const fs::path beside = named.empty() ? folder / fs::path(file).filename() : named;
    auto text = read_text(beside);
    if (!text) {
      if (named.empty()) return {};
      return text.errors;
    }
    request.source = std::move(*text.value);
    request.source_name = file;
    return {};
  }
  if (named.empty()) return {};
  return {Message(
      "the PTX has no .loc directives, which say where an instruction comes from: compile with -lineinfo")};
}

Outcome<Setup> load_launch(const fs::path& file, Budget* budget) {
  JsonDocument document =
      JsonDocument::load(file, {.bytes = kMostDocument, .budget = budget, .strict = true});
  if (!document.ok()) return document.errors();
  std::optional<Setup> setup =
      LaunchReader(document, file, budget != nullptr ? *budget : Budget::endless()).read();
  if (!document.ok()) return document.errors();
  setup->name = file.stem().stem().string();  // without .launch.json
  return std::move(*setup);
}

}  // namespace warplens::scenario
