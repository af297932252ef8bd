#include <algorithm>
#include <cstring>
#include <filesystem>
#include <iterator>

#include "sim/cuda/text/names.h"
#include "sim/launch/bound.h"
#include "sim/lower/kernel_name.h"
#include "sim/lower/ptx/module.h"
#include "sim/scalar/bits.h"
#include "sim/scenario/launch_document.h"
#include "sim/scenario/target.h"
#include "sim/text/scan.h"

namespace warplens::scenario {

namespace {

namespace ptx = sim::lower::ptx;
using sim::KernelParameter;
using sim::ScalarType;

// "ns::Op" and "Op" may be the same.
std::string without_namespaces(std::string text) {
  for (std::size_t at = text.find("::"); at != std::string::npos; at = text.find("::")) {
    std::size_t begin = at;
    while (begin > 0 && text::is_word(text[begin - 1])) --begin;
    text.erase(begin, at + 2 - begin);
  }
  return text;
}

// Those that what is written may mean; empty: there is none.
std::vector<const ptx::Function*> entries_of(const ptx::Module& module, const sim::CompileRequest& written) {
  sim::KernelName wanted = sim::read_kernel_name(written.kernel);
  const sim::KernelPlace place =
      sim::place_of_kernel(written.text, written.kernel, written.defines, written.headers);
  if (!place.scope.empty()) wanted.scope = place.scope;
  if (!written.template_arguments.empty()) wanted.arguments = written.template_arguments;
  // How much of what is wanted an entry has; negative: it is another kernel.
  const auto fit = [&](const ptx::Function& function) {
    if (!function.is_entry) return -1;
    const sim::KernelName has = sim::read_kernel_name(ptx::demangled(function.name));
    if (!wanted.name.empty() && has.name != wanted.name) return -1;
    const auto same = [&](auto is_same) {
      return has.arguments.size() >= wanted.arguments.size() &&
             std::equal(wanted.arguments.begin(), wanted.arguments.end(), has.arguments.begin(), is_same);
    };
    const bool fits = same([](const std::string& one, const std::string& its) {
      return sim::is_same_argument(without_namespaces(one), without_namespaces(its));
    });
    const bool fits_exactly = same([&](const std::string& one, const std::string& its) {
      return sim::is_same_argument(its, one) || sim::is_same_argument(its, wanted.scope + "::" + one);
    });
    return 8 * (has.scope == wanted.scope) + 4 * fits_exactly + 2 * fits +
           (wanted.signature.empty() || has.signature == wanted.signature);
  };
  std::vector<const ptx::Function*> best;
  for (const ptx::Function& function : module.functions) {
    if (fit(function) < 0 || (!best.empty() && fit(function) < fit(*best.front()))) continue;
    if (!best.empty() && fit(function) > fit(*best.front())) best.clear();
    best.push_back(&function);
  }
  return best;
}

// Kernels of two namespaces, or two overloads: not two instances of a template, of which any will do.
bool are_different(const ptx::Function& one, const ptx::Function& other) {
  const sim::KernelName a = sim::read_kernel_name(ptx::demangled(one.name)),
                        b = sim::read_kernel_name(ptx::demangled(other.name));
  return a.name == b.name &&
         (a.scope != b.scope || (a.arguments.empty() && b.arguments.empty() && a.signature != b.signature));
}

// A parameter of the text, or a member of one.
struct WrittenParameter {
  std::string name;
  bool is_pointer = false;
  std::optional<ScalarType> type;  // of the value or of what it leads to; empty: not known
  int element_bytes = 0;
  int offset = 0;                               // in a struct
  const KernelParameter* of_program = nullptr;  // null: the text cannot be compiled here
};
using WrittenArgument = std::vector<WrittenParameter>;

// "const float4 *x" -> float, 16 bytes.
void read_type(const std::string& text, WrittenParameter& out) {
  using Kind = cuda::BuiltinType::Kind;
  out.is_pointer = text.find_first_of("*[&") != std::string::npos;
  std::string plain;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && text::is_word(text[end])) ++end;
    const std::string word = text.substr(at, end - at);
    if (!word.empty() && word != "const" && word != "volatile" && !word.starts_with("__restrict"))
      plain += (plain.empty() ? "" : " ") + word;
    at = end + 1;
  }
  const auto known = cuda::builtin_types().find(plain);
  if (known == cuda::builtin_types().end()) return;
  const cuda::BuiltinType& type = known->second;
  if (type.kind != Kind::Scalar && type.kind != Kind::SignedChar && type.kind != Kind::Vector) return;
  out.type = type.scalar == ScalarType::Bool ? ScalarType::U8 : type.scalar;
  out.element_bytes = size_of(*out.type) * std::max(1, type.components);
}

// By the signature alone: "T* out" of k<float>.
std::vector<WrittenArgument> signature_of(const sim::CompileRequest& written, const ptx::Function& entry,
                                          Budget& budget) {
  const sim::KernelList list = sim::list_kernels(written.text, written.defines, &budget, written.headers);
  const sim::KernelName wanted = sim::read_kernel_name(ptx::demangled(entry.name));
  const sim::KernelSignature* kernel = nullptr;
  int best = -1;
  for (const sim::KernelSignature& one : list.kernels) {
    const sim::KernelName has = sim::read_kernel_name(one.name);
    const int fit = 4 * (has.scope == wanted.scope) + 2 * (has.signature == wanted.signature) +
                    (one.parameters.size() == entry.parameters.size());
    if (has.name == wanted.name && fit > best) kernel = &one, best = fit;
  }
  std::vector<WrittenArgument> arguments;
  if (kernel == nullptr) return arguments;
  for (const std::string& parameter : kernel->parameters) {
    const std::size_t name = parameter.find_last_of(" *&") + 1;
    std::string type = parameter.substr(0, name);
    for (std::size_t i = 0; i < kernel->template_parameters.size(); ++i) {
      const std::string& declared = kernel->template_parameters[i];
      const std::string own = declared.substr(declared.rfind(' ') + 1);
      const std::size_t at = type.find(own);
      if (declared.starts_with("typename ") && i < written.template_arguments.size() &&
          at != std::string::npos)
        type.replace(at, own.size(), written.template_arguments[i]);
    }
    WrittenParameter made;
    made.name = parameter.substr(name);
    read_type(type, made);
    arguments.push_back({std::move(made)});
  }
  return arguments;
}

std::vector<WrittenArgument> arguments_of(const sim::Program& program) {
  std::vector<WrittenArgument> arguments;
  for (const ParameterParts& parts : parameters_of(program)) {
    arguments.emplace_back();
    for (const KernelParameter* part : parts)
      arguments.back().push_back({part->name, part->is_pointer, part->type, part->element_bytes,
                                  part->is_member ? part->member_offset : 0, part});
  }
  return arguments;
}

class Carrier {
 public:
  Carrier(const Setup& written, Setup& compiled) : from_(written.launch), to_(compiled.launch) {
    to_.arguments.clear();
  }

  // What the PTX reads of one argument: of a struct each part from its place.
  void carry(const WrittenArgument& argument, const ParameterParts& parts) {
    // A guessed type that it has parts of is not its type.
    if (argument.size() == 1 && argument.front().of_program == nullptr && !argument.front().is_pointer &&
        (parts.size() > 1 || (!argument.front().type && !parts.front()->is_texture)))
      return guess(argument.front(), parts);
    for (const KernelParameter* part : parts) {
      const int offset = part->is_member ? part->member_offset : 0;
      const auto same = std::ranges::find(argument, offset, &WrittenParameter::offset);
      if (same != argument.end() && same->is_pointer)
        carry_pointer(*same, *part);
      else if (part->is_texture)
        carry_texture(*part);
      else if (argument.size() == 1 && same != argument.end() && same->of_program == nullptr)
        carry_number(*same, *part);
      else
        carry_bytes(argument, *part, static_cast<std::size_t>(offset));
    }
  }

  // Of a tensor map, "A.width": the launch's, else what the host code says.
  void carry_host_number(const std::string& name) {
    if (const sim::Argument* number = from_.argument(name)) to_.arguments[name] = *number;
  }

  void carry_symbol(const KernelParameter& symbol, const sim::Program* written) {
    const sim::Buffer* buffer = from_.buffer(symbol.name);
    if (buffer == nullptr) return;
    sim::Buffer carried = *buffer;
    carried.elements = static_cast<std::uint64_t>(symbol.symbol_elements);
    const auto size = static_cast<std::uint64_t>(symbol.element_bytes);
    if (!carried.data && carried.fill != sim::Fill::Zero && written != nullptr) {
      // As the text's type fills it, whatever the PTX takes the type for.
      for (const KernelParameter& own : written->parameters) {
        if (own.name != symbol.name || own.symbol_elements <= 0) continue;
        auto bytes = std::make_shared<std::string>(static_cast<std::size_t>(carried.elements * size), '\0');
        sim::fill_bytes(carried.fill, own.type, static_cast<std::uint64_t>(own.symbol_elements),
                        carried.range, 0, reinterpret_cast<std::byte*>(bytes->data()), bytes->size());
        carried.data = std::move(bytes);
        carried.fill = sim::Fill::Zero;
      }
    }
    to_.arguments[symbol.name] = std::move(carried);
  }

  std::string guessed;  // in words

 private:
  // Of a struct: each of its numbers is what was guessed for the whole, each pointer leads to a buffer.
  void guess(const WrittenParameter& argument, const ParameterParts& parts) {
    for (const KernelParameter* part : parts) {
      if (part->is_texture || part->is_pointer)
        to_.arguments[part->name] = sim::Buffer{};
      else
        carry_number(argument, *part);
      const auto* whole = std::get_if<std::int64_t>(&to_.arguments[part->name]);
      guessed += (guessed.empty() ? "" : ", ") + part->name + "=" +
                 (whole != nullptr   ? std::to_string(*whole)
                  : part->is_pointer ? "a buffer without end"
                                     : "1.0");
    }
  }

  void carry_pointer(const WrittenParameter& from, const KernelParameter& to) {
    const sim::Buffer* buffer = from_.buffer(from.name);
    if (!to.is_pointer) {
      to_.arguments[to.name] = std::int64_t{0};  // it is not used
      return;
    }
    sim::Buffer carried = buffer == nullptr ? sim::Buffer{} : *buffer;
    if (!from.type && !carried.element) {
      carried.elements = carried.offset = 0;
    } else if (!carried.element) {
      const auto size = static_cast<std::uint64_t>(size_of(*from.type));
      const std::uint64_t times =
          std::max<std::uint64_t>(1, static_cast<std::uint64_t>(from.element_bytes) / size);
      carried.element = from.type;
      carried.elements *= times;
      carried.offset *= times;
    }
    to_.arguments[to.name] = std::move(carried);
  }

  // Where the text cannot be compiled here, its signature has a number for the object: what lies behind it is
  // given by name.
  void carry_texture(const KernelParameter& to) {
    const auto* buffer = from_.buffer(to.name);
    to_.arguments[to.name] = buffer == nullptr ? sim::Buffer{} : *buffer;
  }

  void carry_number(const WrittenParameter& from, const KernelParameter& to) {
    const sim::Argument* argument = from_.argument(from.name);
    const auto* whole = argument == nullptr ? nullptr : std::get_if<std::int64_t>(argument);
    if (argument == nullptr || to.is_pointer)
      to_.arguments[to.name] = to.is_pointer ? sim::Argument{sim::Buffer{.is_null = true}} : std::int64_t{0};
    else if (whole != nullptr && !is_floating(to.type))
      to_.arguments[to.name] =
          sim::integer_argument(to.type, sim::bits_of_integer(to.type, static_cast<std::uint64_t>(*whole)));
    else
      to_.arguments[to.name] = *argument;
  }

  // The argument as it lies in memory.
  void carry_bytes(const WrittenArgument& argument, const KernelParameter& to, std::size_t offset) {
    const ScalarType type = to.is_pointer ? ScalarType::U64 : to.type;
    const std::size_t end = offset + static_cast<std::size_t>(size_of(type));
    std::string bytes;
    for (const WrittenParameter& part : argument) {
      const sim::Argument* value = from_.argument(part.name);
      if (part.of_program == nullptr || part.is_pointer || part.of_program->is_texture) continue;
      const auto at = static_cast<std::size_t>(part.offset),
                 size = static_cast<std::size_t>(size_of(*part.type));
      if (value == nullptr && !part.of_program->fallback) {
        if (at < end && offset < at + size) return;  // unset, so that the launch is told what is missing
        continue;
      }
      const sim::BoundScalar bound = sim::bind_scalar(
          *part.of_program, value != nullptr ? *value : sim::Argument{*part.of_program->fallback});
      const std::uint64_t bits = sim::memory_bits(*part.type, bound.bits);
      bytes.resize(std::max(bytes.size(), at + size));
      std::memcpy(bytes.data() + at, &bits, size);
    }
    bytes.resize(std::max(bytes.size(), offset + 8));
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + offset, static_cast<std::size_t>(size_of(type)));
    to_.arguments[to.name] =
        to.is_pointer ? sim::Argument{sim::Buffer{.is_null = true}} : argument_of_bits(to, type, bits);
  }

  const sim::Launch& from_;
  sim::Launch& to_;
};

}  // namespace

std::string text_to_compile(const Setup& written, Naming naming) {
  std::string name;
  for (const char c : written.source_name) name += c == '"' || c == '\\' || c == '\n' ? '_' : c;
  const bool is_marked = written.compile.text.starts_with("\xEF\xBB\xBF");  // allowed at a file's begin alone
  std::string text = "#line 1 \"" + name + "\"\n" + written.compile.text.substr(is_marked ? 3 : 0);
  std::string kernel = written.compile.kernel;
  // One of several is not named so.
  if (naming == Naming::Nothing || kernel.empty() || kernel.find('(') != std::string::npos) return text;
  const sim::KernelPlace place =
      sim::place_of_kernel(written.compile.text, kernel, written.compile.defines, written.compile.headers);
  kernel = place.name;
  const std::vector<std::string>& arguments = written.compile.template_arguments;
  if (!arguments.empty())
    kernel = sim::KernelName{{}, kernel.substr(0, kernel.find('<')), {}, arguments}.with_arguments();
  // In the kernel's namespaces, so that its arguments may be named as there.
  const bool has_scope = !place.scope.empty();
  return text + "\n#line 1 \"" + name + "\"\n" + (has_scope ? "namespace " + place.scope + " { " : "") +
         "static const void* const warplens_kept = (const void*)(&" + kernel + ");" +
         (has_scope ? " }\n" : "\n");
}

Outcome<Setup> as_compiled(const Setup& written, std::string text, Budget& budget) {
  const ptx::Module module = ptx::parse_module(text, budget);
  if (module.error)
    return Message("the compiler's PTX, line {}: {}", module.error->range.begin.line, module.error->message);
  const std::vector<const ptx::Function*> entries = entries_of(module, written.compile);
  if (entries.empty()) {
    std::string names;
    for (const ptx::Function& function : module.functions)
      if (function.is_entry) names += (names.empty() ? "" : ", ") + ptx::demangled(function.name);
    if (names.empty())
      return Message(
          "the compiler's PTX has no kernel: a template is compiled where it is given its "
          "arguments, with "
          "--kernel and --template");
    return Message("the compiler's PTX has no kernel {}; it has: {}", written.compile.kernel, names);
  }
  const ptx::Function* entry = entries.front();
  for (const ptx::Function* other : entries)
    if (are_different(*entry, *other))
      return Message("'{}' may be {} or {}: name one with --kernel", written.compile.kernel,
                     ptx::demangled(entry->name), ptx::demangled(other->name));
  Setup compiled = written;
  compiled.check.reset();
  compiled.compile = {};
  compiled.compile.text = std::move(text);
  compiled.compile.kernel = entry->name;
  compiled.compile.source = written.compile.text;
  compiled.compile.source_name = source_file_of(module, *entry);
  compiled.compile.buffers_overlap = written.compile.buffers_overlap;
  compiled.compile.cluster = written.compile.cluster;
  compiled.compile.behind = written.compile.behind;
  const sim::CompileResult known = sim::compile(written.compile, &budget);
  if (known.program) {
    compiled.compile.shared_arrays = known.program->shared_arrays;
    std::ranges::copy_if(known.program->parameters, std::back_inserter(compiled.compile.textures),
                         [](const KernelParameter& one) { return one.is_texture && one.is_pointer; });
  }
  const auto arguments =
      known.program ? arguments_of(*known.program) : signature_of(written.compile, *entry, budget);
  for (const WrittenArgument& argument : arguments) {
    const std::string& name = argument.front().name;
    if (argument.size() == 1 && argument.front().is_pointer)
      compiled.compile.pointers.insert(compiled.compile.parameters.size());
    const bool is_whole = argument.front().of_program == nullptr || !argument.front().of_program->is_member;
    compiled.compile.parameters.push_back(is_whole ? name : name.substr(0, name.find_first_of(".[")));
  }
  const sim::CompileResult made = sim::compile(compiled.compile, &budget);
  if (made.stopped) throw *made.stopped;
  if (!made.program) return compiled;  // why, is told where it is compiled
  Carrier carrier(written, compiled);
  const std::vector<ParameterParts> parts = parameters_of(*made.program);
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (parts[i].front()->is_texture && !parts[i].front()->is_pointer)
      carrier.carry_host_number(parts[i].front()->name);
    else
      carrier.carry(i < arguments.size() ? arguments[i] : WrittenArgument{}, parts[i]);
  for (const KernelParameter& behind : written.compile.behind)
    if (const sim::Argument* given = written.launch.argument(behind.name))
      compiled.launch.arguments[behind.name] = *given;
  for (const KernelParameter& parameter : made.program->parameters)
    if (parameter.symbol_elements > 0)
      carrier.carry_symbol(parameter, known.program ? &*known.program : nullptr);
  compiled.guessed = std::move(carrier.guessed);
  return compiled;
}

}  // namespace warplens::scenario
