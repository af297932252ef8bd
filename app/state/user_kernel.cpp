#include "app/state/user_kernel.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <cstdlib>

#include "app/source/launch_form.h"
#include "sim/scenario/headers.h"
#include "sim/scenario/launch_document.h"
#include "sim/scenario/target.h"
#include "sim/text/scan.h"

namespace warplens::app {
namespace {

// What follows from file, facts and form.
UserKernel worked_out(UserKernel own) {
  own.values = work_out(own.form, own.facts);
  own.scenario = scenario_of(own.form, own.values, own.home);
  own.scenario.headers = own.facts.headers;
  own.scenario.source_text = own.facts.source;
  own.scenario.source_name = own.facts.source_name;
  own.scenario.source_parameters = own.facts.parameters;
  if (!own.facts.entry.empty()) own.scenario.kernel = own.facts.entry;
  own.scenario.cluster = own.cluster;
  own.scenario.name = own.file.empty() ? own.form.kernel : own.file.stem().string();
  own.scenario.file = own.scenario.source =
      own.file.empty() ? std::filesystem::path(own.form.kernel + ".cu") : own.file;
  return own;
}

// `own` with the form for the facts' kernel, guessed and tried.
UserKernel with_guess(UserKernel own, const KernelFacts& kernel, const KnownLaunch* launch,
                      const std::string& text, const Means& means) {
  const LaunchForm guess = guess_form(kernel, own.facts, launch, text, means);
  own.form = probed(guess, own.facts, text, launch, means, true);
  own.home = own.form;
  own.guessed_lengths.clear();
  for (std::size_t i = 0; i < guess.buffers.size(); ++i) {
    const LaunchForm::Buffer& buffer = own.form.buffers[i];
    if (guess.buffers[i].elements.empty() && !buffer.elements.empty())
      own.guessed_lengths[buffer.name] = buffer.elements;
  }
  return worked_out(std::move(own));
}

// With the headers beside the file; of PTX with the text that it was compiled from.
FileFacts facts_with_headers(const std::filesystem::path& file, const std::string& text, const Means& means,
                             const FileFacts& before = {}) {
  if (scenario::is_ptx(text)) {
    sim::CompileRequest request;
    request.text = text;
    request.source = before.source;
    request.source_name = before.source_name;
    request.parameters = before.parameters;
    request.kernel = before.entry;
    if (!file.empty() && before.source.empty())
      (void)scenario::add_source(request, file.parent_path(), {}, *means.budget);
    return facts_of_module(request, means);
  }
  return read_facts(text, means, scenario::headers_of(text, file, {}, {}, *means.budget));
}

}  // namespace

bool has_guessed_length(const UserKernel& own, const std::string& buffer) {
  const auto guess = own.guessed_lengths.find(buffer);
  return guess != own.guessed_lengths.end() && field_text(own.form, "elements." + buffer) == guess->second;
}

bool has_length_of_what_is_read(const UserKernel& own, const std::string& buffer) {
  const std::string length = field_text(own.form, "elements." + buffer);
  return has_guessed_length(own, buffer) &&
         std::all_of(length.begin(), length.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

namespace {

Message no_text(const std::string& name, const std::string& text) {
  if (text.find('\0') != std::string::npos)
    return Message("{}: is not a text file (it has bytes that are 0)", name);
  return text::is_utf8(text) ? Message() : Message("{}: is not UTF-8 text; save it as UTF-8", name);
}

}  // namespace

Message cannot_open(const std::filesystem::path& file, const std::string& text, const Means& means,
                    bool reads_headers, bool is_known) {
  if (is_known || text.find("__global__") != std::string::npos)
    return no_text(file.filename().string(), text);
  return refusal(file, text, means, reads_headers);
}

Message refusal(const std::filesystem::path& file, const std::string& text, const Means& means,
                bool reads_headers) {
  const std::string name = file.filename().string();
  if (Message why = no_text(name, text); !why.empty()) return why;
  const FileFacts facts = facts_with_headers(reads_headers ? file : "", text, means);
  if (!facts.kernels.empty()) return {};
  for (const cuda::Diagnostic& d : facts.diagnostics) {
    if (d.severity != cuda::Severity::Error) continue;
    const Message place("{}:{}:{}", name, d.range.begin.line, d.range.begin.column);
    return d.remedy.empty() ? Message("{}: {}", place, d.message)
                            : Message("{}: {}; {}", place, d.message, d.remedy);
  }
  return Message("{}: has no kernel: no __global__ function with a body", name);
}

UserKernel opened_kernel(const std::filesystem::path& file, const std::string& text, const Means& means) {
  UserKernel own;
  own.file = file;
  own.has_place = !file.empty();
  own.facts = facts_with_headers(file, text, means);
  if (own.facts.kernels.empty()) return worked_out(std::move(own));
  // What the host code launches first is what the file is about.
  const std::string kernel =
      own.facts.launches.empty() ? own.facts.kernels.front().name : own.facts.launches.front().kernel;
  return with_kernel(own, kernel, text, means);
}

UserKernel with_kernel(const UserKernel& own, const std::string& kernel, const std::string& text,
                       const Means& means) {
  const KernelFacts* facts = own.facts.find(kernel);
  if (facts == nullptr) return own;
  UserKernel out = own;
  out.launch.reset();
  return with_guess(std::move(out), *facts, own.facts.first_launch(kernel), text, means);
}

UserKernel with_text(const UserKernel& own, const std::string& text, const Means& means) {
  FileFacts facts = facts_with_headers(own.has_place ? own.file : "", text, means, own.facts);
  if (!facts.sound || facts.kernels.empty()) return own;  // the form is that of the last text that was sound
  UserKernel out = own;
  out.facts = std::move(facts);
  if (own.facts.kernels.empty()) return with_kernel(out, out.facts.kernels.front().name, text, means);
  const KernelFacts* kernel = out.facts.find(own.form.kernel);
  if (kernel == nullptr) {
    // The kernel has another name now, or is gone.
    const bool same_count = own.facts.kernels.size() == out.facts.kernels.size();
    std::size_t at = 0;
    while (same_count && at + 1 < own.facts.kernels.size() && own.facts.kernels[at].name != own.form.kernel)
      ++at;
    kernel = &out.facts.kernels[at];
  }
  const KnownLaunch* launch = out.facts.first_launch(kernel->name);
  if (out.launch && *out.launch < out.facts.launches.size() &&
      out.facts.launches[*out.launch].kernel == kernel->name)
    launch = &out.facts.launches[*out.launch];
  const LaunchForm guess = guess_form(*kernel, out.facts, launch, text, means);
  if (lacks_members(guess, *kernel)) return own;
  out.form = carried_to(own.form, guess);
  out.home = carried_to(own.home, guess);
  return worked_out(std::move(out));
}

UserKernel with_form(const UserKernel& own, LaunchForm form) {
  UserKernel out = own;
  out.form = std::move(form);
  return worked_out(std::move(out));
}

UserKernel with_launch(const UserKernel& own, std::size_t launch, const std::string& text,
                       const Means& means) {
  if (launch >= own.facts.launches.size()) return own;
  const KnownLaunch& known = own.facts.launches[launch];
  const KernelFacts* kernel = own.facts.find(known.kernel);
  if (kernel == nullptr) return own;
  UserKernel out = own;
  out.launch = launch;
  return with_guess(std::move(out), *kernel, &known, text, means);
}

UserKernel with_file(const UserKernel& own, const std::filesystem::path& file) {
  UserKernel out = own;
  out.file = file;
  out.has_place = !file.empty();
  return worked_out(std::move(out));
}

namespace {

// As few digits as say the number.
std::string shortest(double number) {
  std::array<char, 32> text;
  for (int digits = 1; digits <= 17; ++digits) {
    std::snprintf(text.data(), text.size(), "%.*g", digits, number);
    if (std::strtod(text.data(), nullptr) == number) break;
  }
  return text.data();
}

// What of a buffer the form has no fields for.
void take(const sim::Buffer& buffer, LaunchForm::Buffer* filled) {
  filled->element = buffer.element;
  filled->offset_bytes = buffer.offset_bytes;
  filled->same_as = buffer.same_as;
  filled->holds_written = buffer.data != nullptr;
  if (buffer.range)
    for (const double end : *buffer.range) filled->range.push_back(shortest(end));
  if (!buffer.data) return;
  filled->written = Written{};
  filled->written->bytes = buffer.data;
  filled->written->elements = buffer.elements;
  filled->written->words = buffer.file;
}

UserKernel launched_so(UserKernel own, const scenario::Setup& setup, const std::string& text,
                       const Means& means);

}  // namespace

UserKernel taken_over(const scenario::Setup& setup, const std::filesystem::path& file,
                      const std::string& text, const Means& means) {
  UserKernel own;
  own.file = file;
  own.facts = read_facts(text, means);
  return launched_so(std::move(own), setup, text, means);
}

UserKernel given_kernel(const scenario::Setup& setup, const std::filesystem::path& file, const Means& means) {
  UserKernel own;
  own.file = file;
  own.has_place = file.is_absolute();
  const std::string& text = setup.compile.text;
  own.facts = scenario::is_ptx(text) ? facts_of_module(setup.compile, means)
                                     : read_facts(text, means, setup.compile.headers);
  own.cluster = setup.launch.cluster;
  if (!setup.compiler.empty()) own.compiler = setup.compiler + ", " + setup.architecture;
  const std::size_t open = setup.compile.kernel.find('<');
  if (scenario::is_ptx(text) || open == std::string::npos)
    return launched_so(std::move(own), setup, text, means);
  scenario::Setup named = setup;  // "k<32>" of a document
  named.compile.kernel.resize(open);
  const std::size_t end = setup.compile.kernel.rfind('>');
  named.compile.template_arguments =
      text::split_list(setup.compile.kernel.substr(open + 1, end - open - 1), scenario::kNesting);
  return launched_so(std::move(own), named, text, means);
}

bool is_compiled(const Settings& settings) {
  return settings.own && settings.text && scenario::is_ptx(*settings.text);
}

const std::string& read_text_of(const Settings& settings, const std::string& text) {
  return settings.own && !settings.own->facts.source.empty() ? settings.own->facts.source : text;
}

namespace {

UserKernel launched_so(UserKernel own, const scenario::Setup& setup, const std::string& text,
                       const Means& means) {
  const std::string name = !setup.compile.kernel.empty() || own.facts.kernels.empty()
                               ? setup.compile.kernel
                               : own.facts.kernels[0].name;
  const KernelFacts* kernel = own.facts.find(name);
  if (kernel == nullptr && !own.facts.entry.empty() && !own.facts.kernels.empty())
    kernel = &own.facts.kernels.front();
  if (kernel == nullptr) return opened_kernel(own.file, text, means);
  own.form = guess_form(*kernel, own.facts, nullptr, text, means);
  for (std::size_t i = 0; i < own.form.templates.size() && i < setup.compile.template_arguments.size(); ++i)
    own.form.templates[i].text = setup.compile.template_arguments[i];
  const auto three = [](const sim::Dim3& d) {
    return std::array<std::string, 3>{std::to_string(d.x), std::to_string(d.y), std::to_string(d.z)};
  };
  own.form.grid = three(setup.launch.grid);
  own.form.block = three(setup.launch.block);
  own.form.shared = std::to_string(setup.launch.shared_bytes);
  for (const auto& [parameter, argument] : setup.launch.arguments) {
    if (const auto* integer = std::get_if<std::int64_t>(&argument))
      set_field(&own.form, "scalar." + parameter, std::to_string(*integer));
    if (const auto* large = std::get_if<std::uint64_t>(&argument))
      set_field(&own.form, "scalar." + parameter, std::to_string(*large));
    if (const auto* real = std::get_if<double>(&argument))
      set_field(&own.form, "scalar." + parameter, shortest(*real));
    if (const auto* buffer = std::get_if<sim::Buffer>(&argument)) {
      set_field(&own.form, "elements." + parameter,
                buffer->is_null    ? scenario::kNull
                : buffer->elements ? std::to_string(buffer->elements)
                                   : "");
      set_field(&own.form, "fill." + parameter, sim::name_of(buffer->fill));
      set_field(&own.form, "offset." + parameter, buffer->offset ? std::to_string(buffer->offset) : "");
      const auto is_it = [&, name = parameter](const auto& filled) { return filled.name == name; };
      auto filled = std::find_if(own.form.buffers.begin(), own.form.buffers.end(), is_it);
      if (filled == own.form.buffers.end()) {  // no argument, but a variable
        if (buffer->is_null || buffer->elements == 0) continue;
        own.form.buffers.emplace_back();
        filled = own.form.buffers.end() - 1;
        filled->name = parameter;
        filled->elements = std::to_string(buffer->elements);
        filled->fill = buffer->fill;
        filled->is_symbol = true;
      }
      take(*buffer, &*filled);
    }
  }
  own.home = own.form;
  return worked_out(std::move(own));
}

}  // namespace

// ---- wishes -----------------------------------------------------------------------------------------------

UserKernel wishing_text(const UserKernel& own) {
  UserKernel out = own;
  if (!out.wish) out.wish.emplace();
  out.wish->text = true;
  return out;
}

UserKernel wishing_kernel(const UserKernel& own, const std::string& kernel) {
  UserKernel out = own;
  out.wish = Wish{own.wish && own.wish->text, kernel, {}, own.wish ? own.wish->setup : nullptr};
  return out;
}

UserKernel wishing_launch(const UserKernel& own, std::size_t launch) {
  UserKernel out = own;
  out.wish = Wish{own.wish && own.wish->text, {}, launch, own.wish ? own.wish->setup : nullptr};
  return out;
}

UserKernel wishing_setup(const std::filesystem::path& file, const scenario::Setup& setup) {
  UserKernel out;
  out.file = file;
  out.form.kernel = setup.compile.kernel;
  out.wish = Wish{true, {}, {}, std::make_shared<const scenario::Setup>(setup)};
  return worked_out(std::move(out));
}

UserKernel settled(const UserKernel& own, const std::string& text, const Means& means) {
  if (!own.wish) return own;
  const Wish wish = *own.wish;
  UserKernel out = own;
  out.wish.reset();
  if (wish.setup)
    out = wish.setup->compile.text.empty() ? opened_kernel(own.file, text, means)
                                           : taken_over(*wish.setup, own.file, text, means);
  else if (wish.text)
    out = with_text(out, text, means);
  if (!wish.kernel.empty()) out = with_kernel(out, wish.kernel, text, means);
  if (wish.launch) out = with_launch(out, *wish.launch, text, means);
  return out;
}

bool is_unsettled(const Settings& settings) {
  return settings.own && settings.own->wish && settings.own->wish->form();
}

bool operator==(const Settings& a, const Settings& b) {
  if (a.scenario != b.scenario || a.values != b.values) return false;
  if (a.text != b.text && !(a.text && b.text && *a.text == *b.text)) return false;
  if (a.own == b.own) return true;
  if (!a.own || !b.own) return false;
  // A text that is still to be read changes no launch by itself.
  const Wish none, &wish_a = a.own->wish ? *a.own->wish : none, &wish_b = b.own->wish ? *b.own->wish : none;
  return a.own->file == b.own->file && a.own->form == b.own->form && wish_a.kernel == wish_b.kernel &&
         wish_a.launch == wish_b.launch && wish_a.setup == wish_b.setup;
}

Settings settings_of(UserKernel own, std::shared_ptr<const std::string> text) {
  Settings settings;
  settings.scenario = own.scenario.name;
  for (const scenario::ScenarioParameter& parameter : own.scenario.parameters) {
    const auto number = own.values.numbers.find(field_of(own, parameter.name));
    settings.values[parameter.name] =
        number == own.values.numbers.end() ? parameter.fallback : number->second;
  }
  settings.text = std::move(text);
  settings.own = std::make_shared<const UserKernel>(std::move(own));
  return settings;
}

Settings with_own(const Settings& settings, UserKernel own) {
  return settings_of(std::move(own), settings.text);
}

std::string field_of(const UserKernel& own, const std::string& parameter) {
  for (const auto& value : own.form.scalars) {
    if (value.name == parameter) return "scalar." + parameter;
  }
  for (const auto& value : own.form.templates) {
    if (value.name == parameter) return "template." + parameter;
  }
  if (parameter.starts_with("block_")) return "block." + parameter.substr(6);
  return {};
}

}  // namespace warplens::app
