#include "app/source/host/known_launch.h"

#include <algorithm>
#include <set>
#include <vector>

#include "app/source/form_guess.h"
#include "app/source/host/scope.h"
#include "app/source/host/types.h"
#include "app/source/host/values.h"
#include "sim/lower/lower.h"
#include "sim/text/scan.h"

namespace warplens::app {
namespace {

constexpr std::string_view kEncode = "EncodeTiled", kSpace = " \t\r\n";

std::string_view stripped(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

// What stands between the bracket at `open` and the one that closes it.
std::string_view enclosed(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    depth += text[i] == '(' || text[i] == '{' || text[i] == '[';
    depth -= text[i] == ')' || text[i] == '}' || text[i] == ']';
    if (depth == 0) return text.substr(open + 1, i - open - 1);
  }
  return {};
}

// The last list that a name is given: `name[] = {a, b}`, `name[2]{a, b}`.
std::vector<std::string> list_of(std::string_view text, std::string_view name) {
  std::vector<std::string> found;
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at > 0 && text::is_word(text[at - 1])) || (end < text.size() && text::is_word(text[end]))) continue;
    std::size_t next = text.find_first_not_of(kSpace, end);
    if (next != std::string_view::npos && text[next] == '[')
      next = text.find_first_not_of(
          kSpace, text.find(']', next) == std::string_view::npos ? end : text.find(']', next) + 1);
    if (next != std::string_view::npos && text[next] == '=') next = text.find_first_not_of(kSpace, next + 1);
    if (next != std::string_view::npos && text[next] == '{')
      found = text::split_list(std::string(enclosed(text, next)));
  }
  return found;
}

// The arguments of the last call that encodes the map.
std::vector<std::string> call_for(std::string_view text, std::string_view variable) {
  std::vector<std::string> found;
  for (std::size_t at = text.find(kEncode); at != std::string_view::npos; at = text.find(kEncode, at + 1)) {
    const std::size_t open = text.find_first_not_of(kSpace, at + kEncode.size());
    if (open == std::string_view::npos || text[open] != '(') continue;
    std::vector<std::string> arguments = text::split_list(std::string(enclosed(text, open)));
    if (!arguments.empty() && stripped(arguments[0]) == "&" + std::string(variable))
      found = std::move(arguments);
  }
  return found;
}

}  // namespace

std::map<std::string, std::string> tensor_map_values(std::string_view text, std::string_view variable) {
  constexpr std::size_t kSize = 4, kPitch = 5, kBox = 6, kSwizzle = 9;
  std::map<std::string, std::string> values;
  const std::vector<std::string> call = call_for(text, variable);
  if (call.size() <= kSwizzle) return values;
  const auto put = [&](std::size_t argument, std::vector<const char*> names) {
    const std::vector<std::string> list = list_of(text, stripped(call[argument]));
    for (std::size_t i = 0; i < list.size() && i < names.size(); ++i) values[names[i]] = list[i];
  };
  put(kSize, {".width", ".height", ".depth"});
  put(kPitch, {".pitch", ".slice"});
  put(kBox, {".box_width", ".box_height", ".box_depth"});
  constexpr std::string_view kName = "CU_TENSOR_MAP_SWIZZLE_";
  const std::string_view swizzle = stripped(call[kSwizzle]);
  if (swizzle.starts_with(kName)) {
    const std::string_view kind = swizzle.substr(kName.size());
    if (kind == "NONE") values[".swizzle"] = "0";
    if (kind == "32B" || kind == "64B" || kind == "128B")
      values[".swizzle"] = kind.substr(0, kind.size() - 1);
  }
  return values;
}

namespace {

constexpr const char* kBlockExtents[] = {"block_x", "block_y", "block_z"};

// The expression over the kernel's own names; empty: the host has others in it that are not known.
// `places`: how many of the kernel's parameters, in front, may occur in it; the block's extents may where
// `has_block`.
std::string over_own_names(const std::string& expression, const KernelFacts& kernel, bool has_block = false,
                           std::size_t places = SIZE_MAX) {
  std::map<std::string, std::int64_t> names;
  if (has_block)
    for (const char* extent : kBlockExtents) names[std::string(kKernels) + extent] = 1;
  for (const TemplateSlot& slot : kernel.templates) names[kKernels + slot.name] = 1;
  for (const ParameterSlot& slot : kernel.parameters) {
    if (slot.is_integer && !slot.is_field() && slot.argument < places) names[kKernels + slot.name] = 1;
  }
  if (!sim::evaluate_integer(expression, names).value) return {};
  std::string own = expression;
  for (std::size_t at = own.find(kKernels); at != std::string::npos; at = own.find(kKernels, at))
    own.erase(at, std::string_view(kKernels).size());
  return own;
}

// The variable, or member of one, that a scalar argument is, with whatever integer it is cast to:
// (int)n, int(n), static_cast<int>(n), size.n. Empty: it is none.
std::string variable_of(const std::string& argument) {
  static const std::set<std::string_view> kIntegers{"int",      "unsigned", "long",    "size_t",
                                                    "uint32_t", "int32_t",  "int64_t", "uint64_t"};
  std::string text = argument;
  while (is_enclosed(text)) text = text.substr(1, text.size() - 2);
  Words words = words_of(text);
  while (words.size() >= 4) {
    const bool is_last = words[0] == "(" && kIntegers.contains(words[1]) && words[2] == ")";
    const bool is_first = kIntegers.contains(words[0]) && words[1] == "(" && words.back() == ")";
    const bool is_named = words[0] == "static_cast" && words.size() >= 7 && words[1] == "<" &&
                          kIntegers.contains(words[2]) && words[3] == ">" && words[4] == "(" &&
                          words.back() == ")";
    if (!is_last && !is_first && !is_named) break;
    words.erase(words.begin(), words.begin() + (is_last ? 3 : is_first ? 2 : 5));
    if (!is_last) words.pop_back();
  }
  if (words.size() == 1 && is_name(words[0])) return std::string(words[0]);
  const bool is_member = words.size() == 3 && words[1] == "." && is_name(words[0]) && is_name(words[2]);
  return is_member ? join(words, 0, 3) : std::string();
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789.eE+-fF") == std::string::npos &&
         text.find_first_of("0123456789") != std::string::npos;
}

// What an `int` holds of a number that only fits an unsigned one: 0xDEADBEEF.
std::string as_argument(const std::string& value, const std::string& type) {
  const auto number = sim::evaluate_integer(value, {}).value;
  const bool wraps = number && *number > INT32_MAX && *number <= UINT32_MAX;
  return wraps && type == "int" ? std::to_string(static_cast<std::int32_t>(*number)) : value;
}

// A template argument that is a type, where it is one here: not the parameter of a template around the
// launch, nor a name that only the function around it gives to one.
bool names_type(const std::string& argument, const std::string& text) {
  if (element_bytes(argument) > 0 || mentions(text, "struct " + argument)) return true;
  const std::string alias = "using " + argument;
  return mentions(text, alias) && mentions(visible_before(text, text.size()), alias);
}

// `Scale<float>(2)` or `Sum{}` as a host's argument: the struct that is made, where the file has it. Empty:
// no such thing.
std::string made_type(const std::string& argument, const std::string& text) {
  std::size_t end = 0;
  while (end < argument.size() && text::is_word(argument[end])) ++end;
  const std::string name = argument.substr(0, end);
  const std::size_t bracket = argument.find_first_of("({", end);
  if (!text::is_identifier(name) || bracket == std::string::npos) return {};
  if (!mentions(text, "struct " + name) && !mentions(text, "class " + name)) return {};
  const std::string arguments = argument.substr(end, bracket - end);
  const bool is_template = arguments.find('<') != std::string::npos;
  return is_template && arguments.find('>') == std::string::npos ? std::string() : name + arguments;
}

// One launch of the host code, read into what a form may be filled with.
class LaunchReader {
 public:
  LaunchReader(const cuda::HostLaunch& launch, const KernelFacts& kernel, const std::string& text,
               const FileWords& file, const Names& constants, Budget& budget)
      : launch_(launch),
        kernel_(kernel),
        text_(text),
        seen_(visible_before(text, static_cast<std::size_t>(std::max(launch.range.begin.offset, 0)))),
        instance_(with_constants(instance_around(seen_, text), constants)),
        budget_(budget),
        file_(file),
        plain_(read_host_values(seen_, instance_, budget, file_)),
        values_(read_host_values(seen_, kept_names(), budget, file_)) {}

  KnownLaunch read() {
    known_.kernel = launch_.kernel;
    known_.line = launch_.range.begin.line;
    read_shape();
    read_shared();
    read_template_arguments();
    deduce_types();
    for (const ParameterSlot& slot : kernel_.parameters) {
      if (slot.argument >= launch_.arguments.size()) continue;
      read_tensor_map(slot);
      if (!slot.is_field()) read_argument(slot);  // a struct's values are a run's to find out
    }
    return std::move(known_);
  }

 private:
  static Names with_constants(Names instance, const Names& constants) {
    instance.insert(constants.begin(), constants.end());
    return instance;
  }

  // Where the host passes a variable of its own as a scalar or a template argument, the two are one: the grid
  // that follows from it is an expression over the kernel's.
  // `places`: of so many arguments, in front.
  Names kept_names(std::size_t places = SIZE_MAX) const {
    Names kept;
    for (const ParameterSlot& slot : kernel_.parameters) {
      const std::size_t i = slot.argument;
      if (slot.is_field() || i >= std::min(places, launch_.arguments.size())) continue;
      const std::string variable = variable_of(launch_.arguments[i]);
      const auto type = plain_.types.find(variable);
      const bool is_floating =
          type != plain_.types.end() && (type->second == "float" || type->second == "double");
      if (slot.is_integer && !variable.empty() && !is_floating) kept.emplace(variable, kKernels + slot.name);
    }
    for (std::size_t i = 0; i < launch_.template_arguments.size() && i < kernel_.templates.size(); ++i) {
      if (!kernel_.templates[i].is_type && text::is_identifier(launch_.template_arguments[i]))
        kept[launch_.template_arguments[i]] = kKernels + kernel_.templates[i].name;
    }
    kept.insert(instance_.begin(), instance_.end());
    // A variable that is the block's extent, and not known: the grid may follow from it.
    if (launch_.configuration.size() < 2) return kept;
    const auto block = extents_of(launch_.configuration[1], plain_);
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (text::is_identifier(block[axis]))
        kept.emplace(block[axis], std::string(kKernels) + kBlockExtents[axis]);
    return kept;
  }

  // What the host passes is a number here or not known: its names are not the kernel's.
  std::string number(const std::string& expression) const {
    const std::string value = whole(put_in(expression, plain_));
    return sim::evaluate_integer(value, {}).value ? value : std::string();
  }

  void read_shape() {
    for (std::size_t part = 0; part < 2 && part < launch_.configuration.size(); ++part) {
      const auto extents = extents_of(launch_.configuration[part], values_);
      const auto numbers = extents_of(launch_.configuration[part], plain_);
      auto& out = part == 0 ? known_.grid : known_.block;
      for (std::size_t i = 0; i < 3; ++i) {
        out[i] = over_own_names(extents[i], kernel_, part == 0);
        if (out[i].empty()) out[i] = over_own_names(numbers[i], kernel_);
      }
      // Of a grid each extent may be known by itself; of a block all or none.
      const bool is_known = std::none_of(out.begin(), out.end(), [](auto& e) { return e.empty(); });
      if (part == 1 && !is_known) out = {"", "", ""};
    }
  }

  void read_shared() {
    known_.shared = "0";
    if (launch_.configuration.size() <= 2) return;
    const std::string bytes = put_in(launch_.configuration[2], values_);
    // A variable that is nothing at first is set by what is not read here.
    const bool is_literal = sim::evaluate_integer(launch_.configuration[2], {}).value.has_value();
    const bool is_set_later = !is_literal && sim::evaluate_integer(bytes, {}).value == 0;
    known_.shared = is_set_later ? std::string() : over_own_names(bytes, kernel_, true);
  }

  void read_template_arguments() {
    for (std::size_t i = 0; i < launch_.template_arguments.size() && i < kernel_.templates.size(); ++i) {
      const std::string& written = launch_.template_arguments[i];
      const bool is_type = kernel_.templates[i].is_type;
      const auto named = instance_.find(written);
      const std::string argument = named != instance_.end() && is_type ? named->second : written;
      if (is_type)
        known_.templates.push_back(names_type(argument, text_) ? argument : std::string());
      else
        known_.templates.push_back(argument == "true" || argument == "false" ? argument : number(argument));
    }
  }

  // Template arguments that the host does not write but that follow from what it passes.
  void deduce_types() {
    known_.templates.resize(kernel_.templates.size());
    const Words seen = words_of(seen_);
    for (std::size_t i = 0; i < kernel_.templates.size(); ++i) {
      std::string& known = known_.templates[i];
      for (const ParameterSlot& slot : kernel_.parameters) {
        if (!kernel_.templates[i].is_type || !known.empty()) break;
        if (slot.is_field() || slot.argument >= launch_.arguments.size()) continue;
        const HostType wanted = host_type(slot.type);
        if (wanted.base != kernel_.templates[i].name) continue;
        if (wanted.pointers == 0) known = made_type(launch_.arguments[slot.argument], text_);
        if (known.empty()) known = deduced(argument_type(launch_.arguments[slot.argument], seen), wanted);
      }
    }
  }

  std::string deduced(const HostType& passed, const HostType& wanted) const {
    if (passed.base.empty() || passed.pointers != wanted.pointers) return {};
    const auto named = instance_.find(passed.base);
    const std::string type = named != instance_.end() ? named->second : passed.base;
    return names_type(type, text_) ? type : std::string();
  }

  // Of what a pointer points to, where the launch says that type.
  int bytes_behind(const ParameterSlot& slot) const {
    const HostType type = host_type(slot.type);
    for (std::size_t i = 0; i < kernel_.templates.size() && type.pointers == 1; ++i)
      if (kernel_.templates[i].name == type.base) return element_bytes(known_.templates[i]);
    return slot.is_pointer ? element_bytes(slot.type) : 0;
  }

  struct Pointer {
    std::string base;          // the variable whose buffer it is; empty: not known
    std::string offset = "0";  // elements from its begin
    bool is_moved = false;     // by what is not known
  };
  // a, a + 1, &a[1], (float4*)a, or a variable that is set to one of them.
  Pointer pointer_of(const std::string& argument, int depth = 0) const {
    std::string text = argument;
    while (is_enclosed(text)) text = text.substr(1, text.size() - 2);
    const Words words = words_of(text);
    if (words.size() == 1) {
      const auto declared = plain_.pointers.find(text), assigned = plain_.names.find(text);
      const bool is_declared = declared != plain_.pointers.end();
      // One that is set to something, or moved, and not by an allocation.
      const bool is_moved = !values_.allocated.contains(text) && file_.changed.contains(text);
      if ((!is_declared && assigned == plain_.names.end()) || depth > 4) return {text, "0", is_moved};
      const Pointer from = pointer_of((is_declared ? declared : assigned)->second, depth + 1);
      if (from.is_moved) return {text, "0", true};
      return from.base.empty() || !text::is_identifier(from.base) ? Pointer{text} : from;
    }
    if (words.size() < 2) return {};
    // What is understood of the others is below; the rest may be anywhere in a buffer.
    const Pointer anywhere{{}, "0", std::any_of(words.begin(), words.end(), [](std::string_view w) {
                             return w == "+" || w == "-" || w == "&" || w == "?";
                           })};
    if (const std::size_t close = closing(words, 0); words[0] == "(" && close + 2 == words.size())
      return words[close - 1] == "*" && is_name(words.back()) ? Pointer{std::string(words.back())} : anywhere;
    const bool is_element =
        words.size() > 3 && words[0] == "&" && words[2] == "[" && closing(words, 2) + 1 == words.size();
    const std::size_t at = is_element ? 1 : 0;
    if (!is_name(words[at]) || (!is_element && words[1] != "+")) return anywhere;
    const std::string moved = is_element ? join(words, 3, words.size() - 1) : join(words, 2, words.size());
    const Pointer base = pointer_of(std::string(words[at]), depth + 1);
    const std::string sum = base.offset == "0" ? moved : base.offset + "+" + moved;
    const auto value = sim::evaluate_integer(put_in(sum, plain_.names), {}).value;
    if (value && *value >= 0) return {base.base, std::to_string(*value)};
    return {{}, "0", true};
  }

  // What follows from the arguments in front of it: `int steps = rows / 8;` of k(rows, steps).
  std::string of_earlier_arguments(const ParameterSlot& slot) const {
    const Names kept = kept_names(slot.argument);
    if (kept.size() == instance_.size()) return {};
    const std::string value =
        whole(put_in(launch_.arguments[slot.argument], read_host_values(seen_, kept, budget_, file_)));
    return over_own_names(value, kernel_, false, slot.argument);
  }

  void read_tensor_map(const ParameterSlot& slot) {
    if (slot.type.find("CUtensorMap") == std::string::npos) return;
    for (const auto& [name, expression] : tensor_map_values(seen_, launch_.arguments[slot.argument]))
      if (const std::string value = number(expression); !value.empty())
        known_.scalars[slot.name + name] = value;
  }

  // nullptr, or a variable that is that and nothing else.
  bool is_null(const std::string& argument, int depth = 0) const {
    if (argument == "nullptr" || argument == "NULL" || (argument == "0" && depth == 0)) return true;
    const auto set = plain_.pointers.find(argument);
    return depth == 0 && set != plain_.pointers.end() && !values_.allocated.contains(argument) &&
           !file_.changed.contains(argument) && is_null(set->second, 1);
  }

  void read_argument(const ParameterSlot& slot) {
    const std::string& argument = launch_.arguments[slot.argument];
    std::string value;
    if (slot.is_integer) value = as_argument(number(argument), slot.type);
    if (slot.is_integer && value.empty()) value = of_earlier_arguments(slot);
    if (slot.is_floating && is_number(argument)) value = argument;
    if (!value.empty()) known_.scalars[slot.name] = value;
    if (!slot.is_pointer) return;
    if (is_null(argument)) known_.lengths[slot.name] = scenario::kNull;
    const Pointer pointer = pointer_of(argument);
    const std::string offset = pointer.offset == "0" ? std::string() : pointer.offset;
    if (!offset.empty()) known_.offsets[slot.name] = offset;
    if (pointer.is_moved) known_.moved.push_back(slot.name);
    const auto allocated = values_.allocated.find(pointer.base);
    const int bytes = bytes_behind(slot);
    if (bytes == 0 || allocated == values_.allocated.end()) return;
    const std::string length = over_own_names(elements_in(allocated->second, bytes), kernel_);
    if (!length.empty()) known_.lengths[slot.name] = length;
  }

  const cuda::HostLaunch& launch_;
  const KernelFacts& kernel_;
  const std::string& text_;
  const std::string seen_;  // what the launch can name
  const Names instance_;    // of the template around the launch, and the constants
  Budget& budget_;
  const FileWords& file_;
  const HostValues plain_;   // in numbers
  const HostValues values_;  // in the kernel's own names where these are known
  KnownLaunch known_;
};

}  // namespace

KnownLaunch known_launch(const cuda::HostLaunch& launch, const KernelFacts& kernel, const std::string& text,
                         const FileWords& file, const Names& constants, Budget& budget) {
  return LaunchReader(launch, kernel, text, file, constants, budget).read();
}

}  // namespace warplens::app
