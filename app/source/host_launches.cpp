#include <algorithm>
#include <cstring>

#include "app/source/host_run.h"
#include "sim/lower/lower.h"
#include "sim/scenario/scenario.h"

namespace warplens::app {
namespace {

using host::Value;
using Kind = Value::Kind;

constexpr std::size_t kMostLaunches = 256;
constexpr int kMostTimes = 16;  // that one launch in a loop is looked at
constexpr const char* kBlockExtents[] = {"block_x", "block_y", "block_z"};

// One launch, told in what a form may be filled with.
class LaunchTeller {
 public:
  LaunchTeller(const host::LaunchSeen& seen, const KernelFacts& kernel, host::HostRun& run)
      : seen_(seen), kernel_(kernel), run_(run) {}

  KnownLaunch tell() {
    known_.kernel = kernel_.name;
    known_.line = seen_.range.begin.line;
    known_.is_reached = seen_.is_reached;
    tell_templates();
    for (const ParameterSlot& slot : kernel_.parameters) tell_argument(slot);
    for (const auto& [name, place] : run_.symbols())
      tell_contents(name, place, run_.size_of(run_.element_of(place.object)).value_or(1));
    tell_addresses();
    tell_shape();
    return std::move(known_);
  }

 private:
  // A part of the launch in numbers, or where that is more in the kernel's own names; empty: it is neither.
  std::string told(const Value& value) const {
    std::string text = host::text_of(value, names_);
    if (value.kind != Kind::Integer) return text;
    const bool is_same = sim::evaluate_integer(text, numbers_).value == value.integer;
    return is_same ? text : std::to_string(value.integer);
  }

  // Only whole numbers have names that the form's expressions may use.
  void name(const Value& value, const std::string& name) {
    const bool is_whole = value.kind != Kind::Floating && !host::is_real(value.type);
    if (!value.formula || !is_whole || !names_.emplace(value.formula.get(), name).second) return;
    if (value.kind == Kind::Integer) numbers_.emplace(name, value.integer);
  }

  void put(const std::string& field, const std::string& text) {
    if (!text.empty()) known_.fields[field] = text;
  }

  void tell_templates() {
    for (std::size_t i = 0; i < kernel_.templates.size(); ++i) {
      const TemplateSlot& slot = kernel_.templates[i];
      const host::TemplateValue given =
          i < seen_.templates.size() ? seen_.templates[i] : host::TemplateValue{};
      if (given.value && !slot.is_type) {
        const bool is_number = given.value->kind == Kind::Integer;
        const char* truth = given.value->integer != 0 ? "true" : "false";
        put("template." + slot.name, slot.type == "bool" && is_number ? truth
                                     : is_number                      ? std::to_string(given.value->integer)
                                                                      : run_.name_of(*given.value));
      }
      if (given.value) name(*given.value, slot.name);
      if (i >= seen_.templates.size()) {
        const bool is_other = std::ranges::count(kernel_.templates, slot.fallback, &TemplateSlot::name) > 0;
        put("template." + slot.name, is_other ? known_.text("template." + slot.fallback) : slot.fallback);
      }
      if (!slot.is_type) continue;
      std::string text = type_text(given.type);
      // What is not written follows from the arguments.
      for (const ParameterSlot& parameter : kernel_.parameters) {
        if (!text.empty() || parameter.argument >= seen_.arguments.size()) continue;
        const host::Type* type = seen_.arguments[parameter.argument].type;
        if (parameter.is_pointer && type != nullptr) type = type->pointee;
        if (written(parameter).type.name == slot.name) text = type_text(type);
      }
      put("template." + slot.name, text);
    }
  }

  // Of a type that means the same to the kernel; empty of another.
  std::string type_text(const host::Type* type) const {
    if (type == nullptr || type->text.find('?') != std::string::npos ||
        !(type->scalar || type->pointers > 0 || run_.is_struct(type) || run_.size_of(type)))
      return {};
    return type->text;
  }

  const cuda::Parameter& written(const ParameterSlot& slot) const {
    return seen_.kernel->parameters[slot.argument];
  }

  void tell_argument(const ParameterSlot& slot) {
    if (slot.argument >= seen_.arguments.size()) return;
    const Value& argument = seen_.arguments[slot.argument];
    const cuda::TypeName& of = written(slot).type;
    const host::Type* type = run_.type_named(of.name);
    if (slot.is_pointer) {
      // What the kernel takes it for: `(float4*)a`, and what a template's parameter is.
      const bool is_own = std::ranges::any_of(
          kernel_.templates, [&](const TemplateSlot& t) { return t.is_type && t.name == of.name; });
      const bool is_plain = std::cmp_equal(of.pointers + written(slot).extents.size(), 1);
      const host::Type* passed = argument.type != nullptr ? argument.type->pointee : nullptr;
      return tell_pointer(slot.name, argument, !is_own && is_plain ? type : passed, is_own ? nullptr : type);
    }
    const bool is_number = host::is_number(type);
    run_.each_member(argument, slot.name, [&](const std::string& name, const Value& value) {
      const host::Type* element = value.type != nullptr ? value.type->pointee : nullptr;
      if (!is_number && element != nullptr) return tell_pointer(name, value, element, element);
      const Value passed = is_number ? host::converted(value, *type->scalar, run_.types()) : value;
      put("scalar." + name, passed.is_number() ? host::number_text(passed) : host::text_of(value, names_));
      if (name == slot.name) this->name(value, name);
    });
  }

  // `element`: of what the length is counted in; `taken`: for what the kernel takes the contents, null: for
  // what the host does.
  void tell_pointer(const std::string& name, const Value& given, const host::Type* element,
                    const host::Type* taken) {
    const Value value = run_.in_whole(given);
    if (value.kind == Kind::Null || (value.kind == Kind::Integer && value.integer == 0)) {
      known_.fields["elements." + name] = scenario::kNull;
      return;
    }
    const auto bytes = run_.size_of(element);
    const bool is_name = value.kind == Kind::Unknown && value.formula && value.formula->op.empty();
    if (is_name && value.has_offset) return;  // of what is declared elsewhere
    if (value.kind != Kind::Pointer) return known_.moved.push_back(name);
    if (!bytes || *bytes <= 0) return;
    if (!value.has_offset || value.integer < 0 || value.integer % *bytes != 0)
      return known_.moved.push_back(name);
    if (const auto [owner, is_new] = owners_.emplace(value.object, name); !is_new && value.object > 0)
      known_.fields["same." + name] = owner->second;
    if (value.integer > 0) put("offset." + name, std::to_string(value.integer / *bytes));
    const Value length = run_.counted(run_.bytes_of(value), *bytes);
    if (length.kind == Kind::Integer && length.integer <= 0) return;  // it came to nothing
    if (length.kind == Kind::Integer || length.formula) lengths_.emplace_back(name, length);
    if (length.kind != Kind::Integer) return;
    tell_contents(name, value, *bytes, taken, static_cast<std::uint64_t>(length.integer));
  }

  void tell_contents(const std::string& name, const Value& pointer, std::int64_t element_bytes,
                     const host::Type* taken = nullptr, std::optional<std::uint64_t> elements = {}) {
    pointed_to_.push_back({name, pointer.object, element_bytes});
    if (auto written = run_.written_of(pointer, taken, elements))
      known_.contents.emplace(name, std::move(*written));
  }

  // Contents that hold addresses, and the memory that only these lead to.
  void tell_addresses() {
    constexpr std::size_t kMostBuffers = 64;
    for (std::size_t i = 0; i < pointed_to_.size(); ++i) {
      const PointedTo from = pointed_to_[i];
      const auto image = run_.image_of(from.object);
      if (!image) continue;
      std::map<std::string, std::vector<std::uint64_t>> places;
      bool is_whole = image->is_whole;
      for (const auto& [at, object, path] : image->addresses) {
        auto to = std::ranges::find(pointed_to_, object, &PointedTo::object);
        const bool is_full = to == pointed_to_.end() && pointed_to_.size() >= kMostBuffers;
        if (is_full) to = pointed_to_.end() - 1;  // in place of one more
        is_whole &= !is_full && run_.bytes_of(run_.begin_of(object)).kind == Kind::Integer;
        const std::string name = path.empty() ? "*" + from.name : from.name + path;
        if (to == pointed_to_.end() && tell_memory(name, object)) to = pointed_to_.end() - 1;
        if (to != pointed_to_.end()) places[to->name].push_back(at);
        is_whole &= to != pointed_to_.end();
      }
      Written written;
      written.bytes = std::make_shared<const std::string>(image->bytes);
      written.elements = image->bytes.size() / static_cast<std::uint64_t>(from.element_bytes);
      written.is_guessed = !is_whole;
      for (auto& [name, some] : places) {
        if (written.addresses.size() < 4)
          written.words += (written.words.empty() ? "addresses of " : ", ") + name;
        written.addresses.push_back(
            {name, std::make_shared<const std::vector<std::uint64_t>>(std::move(some))});
      }
      if (places.size() > 4) written.words += ", ...";
      known_.contents.insert_or_assign(from.name, std::move(written));
    }
  }

  bool tell_memory(const std::string& name, int object) {
    const host::Type* type = run_.element_of(object);
    const Value start = run_.begin_of(object);
    const Value all = run_.bytes_of(start);
    const auto bytes = run_.size_of(type);
    constexpr std::int64_t kGuessed = std::int64_t{1} << 20;
    if (!bytes || (all.kind == Kind::Integer && all.integer < *bytes)) return false;
    const std::int64_t elements = all.kind == Kind::Integer ? all.integer / *bytes : kGuessed;
    sim::KernelParameter& behind = known_.behind.emplace_back();
    behind.name = name;
    behind.is_pointer = true;
    behind.type = type->scalar.value_or(sim::ScalarType::U8);
    behind.element_bytes = static_cast<int>(*bytes);
    behind.type_text = type->text + "*";
    behind.symbol_elements = elements;
    tell_contents(name, start, *bytes);
    return true;
  }

  void tell_shape() {
    std::array<std::array<Value, 3>, 2> shape;
    for (std::size_t part = 0; part < 2; ++part) {
      const Value& given = seen_.configuration[part];
      const bool is_alone = given.formula && given.formula->op.empty();  // which may be a dim3
      for (std::size_t axis = 0; axis < 3; ++axis) {
        Value& extent = shape[part][axis];
        if (given.kind == Kind::Object) {
          extent = run_.member(given, std::string(1, "xyz"[axis]));
        } else if (axis == 0) {
          extent = given;
        } else if (given.is_number() || (given.formula && !(given.type == nullptr && is_alone))) {
          extent = {.kind = Kind::Integer, .integer = 1};
        }
        if (extent.kind == Kind::Integer) extent.integer = static_cast<std::uint32_t>(extent.integer);
        if (extent.kind == Kind::Floating)
          extent.kind = Kind::Integer, extent.integer = static_cast<std::int64_t>(extent.floating);
      }
    }
    for (std::size_t axis = 0; axis < 3; ++axis) put(field("block", axis), told(shape[1][axis]));
    for (auto& [slot, length] : lengths_) put("elements." + slot, told(length));
    for (std::size_t axis = 0; axis < 3; ++axis) name(shape[1][axis], kBlockExtents[axis]);
    for (std::size_t axis = 0; axis < 3; ++axis) put(field("grid", axis), told(shape[0][axis]));
    put("shared", seen_.configuration.size() > 2 ? told(seen_.configuration[2]) : "0");
    known_.shared_limit = seen_.shared_limit;
  }

  static std::string field(const std::string& group, std::size_t axis) { return group + "." + "xyz"[axis]; }

  const host::LaunchSeen& seen_;
  const KernelFacts& kernel_;
  host::HostRun& run_;
  host::Names names_;                            // of the kernel's own numbers
  std::map<std::string, std::int64_t> numbers_;  // which these are
  std::vector<std::pair<std::string, Value>> lengths_;
  struct PointedTo {
    std::string name;
    int object = -1;
    std::int64_t element_bytes = 1;
  };
  std::vector<PointedTo> pointed_to_;
  std::map<int, std::string> owners_;  // of objects that arguments point into: which does so first
  KnownLaunch known_;
};

}  // namespace

std::string piece(const std::string& text, const cuda::SourceRange& range) {
  const auto begin =
      static_cast<std::size_t>(std::clamp(range.begin.offset, 0, static_cast<int>(text.size())));
  const auto end = static_cast<std::size_t>(std::max(range.end.offset, range.begin.offset));
  return text.substr(begin, std::min(end, text.size()) - begin);
}

// Of a launch that is made again, in a loop: what it has otherwise than the first time. "block.x 128, n 64"
static std::string differences(const KnownLaunch& first, const KnownLaunch& again) {
  std::string all;
  const auto add = [&](const std::string& words) { all += (all.empty() ? "" : ", ") + words; };
  for (const auto& [field, text] : again.fields)
    if (first.text(field) != text)
      add((field.starts_with("scalar.") ? field.substr(std::strlen("scalar.")) : field) + " " + text);
  for (const auto& [buffer, written] : again.contents)
    if (const auto before = first.contents.find(buffer);
        before == first.contents.end() || !(before->second == written))
      add(buffer + ": " + (written.words.empty() ? std::string(sim::name_of(written.fill)) : written.words));
  return all;
}

void read_host(const cuda::ParseResult& parsed, Budget& budget, FileFacts* facts) {
  struct Told {
    std::size_t first;  // of facts->launches
    int times = 1;
  };
  std::map<std::string, Told> told;
  std::vector<KnownLaunch> again;  // behind the others, whose numbers sessions keep
  host::HostRun* asked = nullptr;
  host::HostRun run(parsed.unit, parsed.text, budget, [&](const host::LaunchSeen& seen) {
    const auto own =
        std::ranges::find(facts->kernels, seen.kernel->name_range.begin.offset, &KernelFacts::offset);
    if (own == facts->kernels.end() || facts->launches.size() + again.size() >= kMostLaunches) return;
    std::string which = std::to_string(seen.range.begin.offset) + " " + seen.kernel->name;
    for (const host::TemplateValue& argument : seen.templates)
      which += " " + (argument.type    ? argument.type->text
                      : argument.value ? host::number_text(*argument.value)
                                       : std::string());
    for (const Value& argument : seen.arguments) which += "," + (argument.type ? argument.type->text : "");
    const auto [before, is_new] = told.try_emplace(which, Told{facts->launches.size()});
    if (!is_new && ++before->second.times > kMostTimes) return;
    KnownLaunch launch = LaunchTeller(seen, *own, *asked).tell();
    launch.label = piece(parsed.text, seen.range);
    if (const auto place = parsed.lines.header_place(seen.range.begin.offset); !place.name.empty()) {
      launch.file = place.name;
      launch.line = place.line;
    }
    const auto first = is_new ? std::ranges::find(facts->launches, launch.label, &KnownLaunch::label)
                              : facts->launches.begin() + before->second.first;
    if (first != facts->launches.end() && first->line == launch.line)
      launch.otherwise = differences(*first, launch);
    const auto is_same = [&](const KnownLaunch& other) {
      return other.label == launch.label && other.otherwise == launch.otherwise;
    };
    if (is_new)
      facts->launches.push_back(std::move(launch));
    else if (!launch.otherwise.empty() && std::ranges::none_of(again, is_same))
      again.push_back(std::move(launch));
  });
  asked = &run;
  facts->constants = run.constants();
  run.main();
  run.the_rest();
  std::move(again.begin(), again.end(), std::back_inserter(facts->launches));
}

}  // namespace warplens::app
