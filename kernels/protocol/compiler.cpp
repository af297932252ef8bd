#include "kernels/protocol/compiler.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <thread>

#include "kernels/protocol/as_written.h"
#include "kernels/protocol/child_process.h"
#include "kernels/protocol/protocol.h"
#include "kernels/protocol/subject.h"
#include "sim/base/numbers.h"
#include "sim/file/temporary.h"
#include "sim/file/whole_file.h"
#include "sim/lower/kernel_name.h"
#include "sim/lower/ptx/module.h"
#include "sim/scenario/launch_document.h"
#include "sim/scenario/text_file.h"
#include "sim/text/scan.h"

namespace warplens::measure {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostSaid = 64 << 10, kMostDisassembly = 64 << 20;  // bytes of output that are kept
constexpr std::size_t kMostCached = 64, kMostCachedBytes = 64 << 20;      // files; of all of them
constexpr double kPatienceSeconds = 0.5;
constexpr auto kGlance = std::chrono::milliseconds(50);
constexpr std::string_view kHow = "// compiled ";  // a first line of PTX, where it is not the text alone
constexpr auto kReplaced = nlohmann::json::error_handler_t::replace;  // what is no UTF-8

Failure cannot_start(Message words) {
  return make_failure(FailureKind::Start, std::move(words));
}

// A program that was run to its end.
struct Ran {
  bool well = false;
  std::string said;
};
std::variant<Ran, Failure> run(const std::vector<std::string>& argv, const CompileOrder& order,
                               const std::string& input = {}, std::size_t longest = kMostSaid) {
  Message error;
  auto child = ChildProcess::start(argv, error);
  if (!child) return cannot_start(error);
  const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                           std::chrono::duration<double>(order.seconds));
  if (!input.empty()) child->write_line(input, deadline);
  child->close_input();
  const auto ended = [&](FailureKind why, Message words) {
    child->end(0);  // at once: whoever asked is about to end too
    return make_failure(why, std::move(words));
  };
  Ran ran;
  bool reads = true;
  while (reads || child->running()) {
    if (order.stop != nullptr && *order.stop) return ended(FailureKind::Cancelled, Message("stopped"));
    if (Clock::now() >= deadline)
      return ended(FailureKind::Deadline,
                   Message("the compiler was ended after {}", seconds_text(order.seconds)));
    if (!reads) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      continue;
    }
    const auto got = child->read_line(std::min(deadline, Clock::now() + kGlance), nullptr, longest);
    if (got.event == ChildProcess::Event::TooLong)
      return ended(FailureKind::Compile, Message("the compiler's messages are too long to read"));
    reads = got.event != ChildProcess::Event::Ended;
    if (got.event == ChildProcess::Event::Line && ran.said.size() + got.line.size() < longest)
      ran.said += got.line + "\n";
  }
  child->end(kPatienceSeconds);
  ran.well = child->ended_well();
  ran.said += child->last_words();
  return ran;
}

// ---- which compiler

struct Compiler {
  std::vector<std::string> nvcc;  // its command; empty: NVRTC
  std::string name, version;      // "nvcc 13.0.88"; all that it says of itself
};

// "Cuda compilation tools, release 13.0, V13.0.88" -> "nvcc 13.0.88"
std::string name_in(const std::string& version) {
  const std::size_t at = version.find(", V");
  if (at == std::string::npos) return "nvcc";
  return "nvcc " + version.substr(at + 3, version.find_first_not_of("0123456789.", at + 3) - at - 3);
}

Failure no_compiler(const CompileOrder& order) {
  if (order.tools.is_browser)
    return make_failure(
        FailureKind::NoCompiler, Message("a browser has no compiler for CUDA C++"),
        Message("Compile the file where there is one, with nvcc -ptx -lineinfo, and open the .ptx."));
  return make_failure(
      FailureKind::NoCompiler, Message("no compiler for CUDA C++ was found: neither nvcc nor NVRTC"),
      Message("Install the CUDA Toolkit, which needs no GPU, and put nvcc on PATH, or name it "
              "with CUDACXX=path."));
}

// ---- what was compiled before

std::string short_hash(const nlohmann::json& parts) {
  return sha256(parts.dump(-1, ' ', true, kReplaced)).substr(0, 32);
}

class Cache {
 public:
  Cache(const CompileOrder& order, const std::string& version) {
    const fs::path& folder = order.tools.cache;
    if (folder.empty()) return;
    nlohmann::json parts{version, order.folder.string(), order.is_guessed};
    for (const fs::path& include : order.includes) parts.push_back(include.string());
    if (order.written.compile.headers)
      for (const auto& header : order.written.compile.headers->files)
        parts.push_back({header.name, header.text});
    file_ = folder / "ptx" / (compile_key(order) + "-" + short_hash(parts) + ".ptx");
  }

  std::optional<std::string> read() const {
    if (file_.empty()) return {};
    auto kept = scenario::read_text(file_, scenario::kMostPtxBytes);
    if (!kept) return {};
    std::error_code ignored;
    fs::last_write_time(file_, fs::file_time_type::clock::now(), ignored);
    return std::move(kept.value);
  }

  // A cache that cannot be written is none.
  void write(const std::string& ptx) const {
    if (file_.empty()) return;
    std::error_code ignored;
    fs::create_directories(file_.parent_path(), ignored);
    (void)file::write_whole(file_, ptx, {.durable = false});
    struct Kept {
      fs::file_time_type used;
      fs::path file;
      std::uintmax_t bytes;
    };
    std::vector<Kept> all;
    for (const auto& entry : fs::directory_iterator(file_.parent_path(), ignored))
      if (entry.path().extension() == ".ptx")
        all.push_back({entry.last_write_time(ignored), entry.path(), entry.file_size(ignored)});
    std::ranges::sort(all, [](const Kept& a, const Kept& b) { return a.used > b.used; });
    std::uintmax_t bytes = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      bytes += all[i].bytes;
      if (i >= kMostCached || (i > 0 && bytes > kMostCachedBytes)) fs::remove(all[i].file, ignored);
    }
  }

 private:
  fs::path file_;
};

// ---- nvcc

void put_header(const std::string& name, const std::string& text, const fs::path& folder) {
  const fs::path path = fs::path(name).lexically_normal();
  if (path.empty() || path.is_absolute() || path.begin()->string() == "..") return;
  std::error_code ignored;
  fs::create_directories((folder / path).parent_path(), ignored);
  (void)file::write_whole(folder / path, text, {.durable = false});
}

std::variant<std::string, Failure> ask_nvcc(const CompileOrder& order, const Compiler& compiler,
                                            const std::string& text,
                                            const std::vector<std::string>& left_out = {}) {
  std::error_code failed;
  const file::DraftFolder folder(fs::temp_directory_path(failed) / "warplens-compile");
  if (!folder.trouble().empty()) return cannot_start(folder.trouble());
  const fs::path made = folder.path() / "kernel.ptx", given = folder.path() / "kernel.cu";
  if (const auto written = file::write_whole(given, text, {.durable = false}); !written)
    return cannot_start(written.words);
  std::vector<fs::path> includes = order.includes;
  if (!order.folder.empty()) includes.insert(includes.begin(), order.folder);
  // Those in `includes` a compiler finds by itself, and must not find twice.
  const auto is_in = [&](const std::string& name) {
    return std::ranges::any_of(includes, [&](const fs::path& in) { return fs::exists(in / name, failed); });
  };
  for (const auto& [name, header] : subject_of(order.written, CompileMode::AsOptimised).headers)
    if (!is_in(name)) put_header(name, header, folder.path() / "headers");
  for (const std::string& header : left_out) put_header(header, "", folder.path() / "headers");
  // What it keeps between its stages goes into the folder too.
  std::vector<std::string> argv{"env", "TMPDIR=" + folder.path().string()};
  argv.insert(argv.end(), compiler.nvcc.begin(), compiler.nvcc.end());
  std::string architecture = order.architecture;
  if (architecture == "sm_90" && needs_this_architecture(text)) architecture += "a";
  argv.insert(argv.end(),
              {"-ptx", "-lineinfo", "-std=c++17", "-O3", "-arch=" + architecture, "--expt-relaxed-constexpr",
               "--expt-extended-lambda", "-Xcudafe", "--error_limit=10", "-o", made.string()});
  includes.push_back(folder.path() / "headers");
  for (const fs::path& include : includes) argv.push_back("-I" + fs::absolute(include, failed).string());
  for (const auto& [name, value] : order.written.compile.defines) argv.push_back("-D" + name + "=" + value);
  argv.push_back(given.string());
  const auto ran = run(argv, order);
  if (const auto* failure = std::get_if<Failure>(&ran)) return *failure;
  const Ran& done = std::get<Ran>(ran);
  auto ptx =
      done.well ? scenario::read_text(made, scenario::kMostPtxBytes) : scenario::Outcome<std::string>{};
  if (ptx) return std::move(*ptx.value);
  const std::string& name = order.written.source_name;
  Failure failure =
      make_failure(FailureKind::Compile, Message("{} does not compile {}", compiler.name, name));
  failure.diagnostics = read_log(done.said, name);
  if (!ptx.errors.empty()) failure.message = ptx.errors.front();
  if (failure.diagnostics.empty() && !done.said.empty())
    failure.message = Message("{}: {}", failure.message, done.said.substr(0, 2000));
  return failure;
}

// "x.cu:4:10: fatal error: torch/extension.h: No such file or directory": that header; empty: another error.
std::string missing_header(const Failure& failure) {
  constexpr std::string_view kBegin = "fatal error: ", kEnd = ": No such file";
  for (const auto& said : failure.diagnostics) {
    const std::size_t end = said.message.find(kEnd), begin = said.message.rfind(kBegin, end);
    if (end != std::string::npos && begin != std::string::npos)
      return said.message.substr(begin + kBegin.size(), end - begin - kBegin.size());
  }
  return {};
}

// Where the whole file cannot be compiled here, its kernels may: without the host's code, and without the
// headers that are not here, of which a first line of the PTX tells.
std::variant<std::string, Failure> ask_nvcc_for_kernels(const CompileOrder& order, const Compiler& compiler,
                                                        const Failure& why) {
  constexpr std::size_t kMostLeftOut = 16;
  CompileOrder kernels = order;
  kernels.written.compile.text = blank_host_code(order.written.compile.text);
  // What a header that is left out would have brought, or the standard library of another version does.
  const std::string text = "#include <cstdint>\n" + scenario::text_to_compile(kernels.written);
  std::vector<std::string> left_out;
  std::string missing = missing_header(why);
  for (;;) {
    if (!missing.empty()) left_out.push_back(std::move(missing));
    auto made = ask_nvcc(order, compiler, text, left_out);
    if (auto* ptx = std::get_if<std::string>(&made)) {
      const std::string names = warplens::text::joined(left_out);
      return names.empty() ? std::move(*ptx) : std::string(kHow) + "without " + names + "\n" + *ptx;
    }
    const Failure& failure = std::get<Failure>(made);
    missing = missing_header(failure);
    const bool is_new = std::ranges::find(left_out, missing) == left_out.end();
    if (failure.kind != FailureKind::Compile || missing.empty() || !is_new || left_out.size() == kMostLeftOut)
      return made;
  }
}

enum class Made : std::uint8_t { Nothing, Kernel, Instance };

// Whether the PTX has the kernel; of a template, an instance of it.
Made made_in(const std::string& ptx, const std::string& kernel) {
  constexpr std::string_view kEntry = ".entry ";
  const std::string name = sim::read_kernel_name(kernel).name, mangled = std::to_string(name.size()) + name;
  Made best = Made::Nothing;
  for (std::size_t at = ptx.find(kEntry); at != std::string::npos; at = ptx.find(kEntry, at)) {
    at += kEntry.size();
    const std::string_view entry(ptx.data() + at, std::min(ptx.find_first_of("( \n", at), ptx.size()) - at);
    if (entry.find(mangled + "I") != std::string_view::npos) return Made::Instance;
    if (entry == name || entry.find(mangled) != std::string_view::npos) best = Made::Kernel;
  }
  return best;
}

bool is_compile_failure(const std::variant<std::string, Failure>& made) {
  const auto* failure = std::get_if<Failure>(&made);
  return failure != nullptr && failure->kind == FailureKind::Compile;
}

// The whole file. A kernel that is no template is there without being named; what a name means may be
// ambiguous, as of a kernel called `norm`. A template has the arguments that it was given, or, where those
// are a guess that does not compile, or there are none, those that the host code gives it.
std::variant<std::string, Failure> ask_nvcc_for_file(const CompileOrder& order, const Compiler& compiler) {
  using scenario::Naming;
  const auto ask = [&](Naming naming) {
    return ask_nvcc(order, compiler, scenario::text_to_compile(order.written, naming));
  };
  const bool is_instance = !sim::read_kernel_name(order.written.compile.kernel).arguments.empty();
  const bool has_arguments = is_instance || !order.written.compile.template_arguments.empty();
  std::variant<std::string, Failure> made = ask(has_arguments ? Naming::Kernel : Naming::Nothing);
  if (has_arguments && (is_instance || !order.is_guessed || !is_compile_failure(made))) return made;
  if (has_arguments) {
    auto instances = ask(Naming::Nothing);
    const auto* ptx = std::get_if<std::string>(&instances);
    if (ptx == nullptr || made_in(*ptx, order.written.compile.kernel) != Made::Instance) return made;
    made = std::move(instances);
  }
  const auto* ptx = std::get_if<std::string>(&made);
  if (ptx == nullptr || order.written.compile.kernel.empty()) return made;
  switch (made_in(*ptx, order.written.compile.kernel)) {
    case Made::Nothing:
      return ask(Naming::Kernel);
    case Made::Instance:
      return std::string(kHow) + "with the host code's template arguments\n" + *ptx;
    case Made::Kernel:
      break;
  }
  return made;
}

// ---- NVRTC, in warplens-gpu

std::variant<CompiledText, Failure> ask_nvrtc(const CompileOrder& order) {
  Message error;
  if (order.tools.gpu.empty()) return no_compiler(order);
  PtxRequest request;
  request.id = 1;
  request.subject = subject_of(order.written, CompileMode::AsOptimised);
  request.architecture = std::atoi(order.architecture.c_str() + 3);
  if (!order.folder.empty()) request.folders.push_back(order.folder.string());
  for (const fs::path& include : order.includes) request.folders.push_back(include.string());
  std::vector<std::string> once = order.tools.gpu;
  once.emplace_back("--batch");
  const auto ran = run(once, order, scenario::json_of(request).dump(-1, ' ', true, kReplaced), kLongestLine);
  if (const auto* failure = std::get_if<Failure>(&ran)) return *failure;
  const std::string& said = std::get<Ran>(ran).said;
  auto reply = reply_from_line(said.substr(0, said.find('\n')), error);
  if (!reply) return make_failure(FailureKind::Protocol, Message("warplens-gpu: {}", error));
  if (auto* made = std::get_if<Ptx>(&reply->body))
    return CompiledText{std::move(made->ptx), std::move(made->compiler)};
  auto* failure = std::get_if<Failure>(&reply->body);
  if (failure == nullptr)
    return make_failure(FailureKind::Protocol, Message("warplens-gpu gave another answer"));
  return failure->kind == FailureKind::NoCompiler ? no_compiler(order) : std::move(*failure);
}

}  // namespace

std::string compile_key(const CompileOrder& order) {
  return short_hash(
      {scenario::text_to_compile(order.written), order.architecture, order.written.compile.defines});
}

std::variant<CompiledText, Failure> compile_to_ptx(const CompileOrder& order) {
  Compiler compiler;
  compiler.nvcc = order.tools.nvcc;
  if (compiler.nvcc.empty()) return ask_nvrtc(order);
  std::vector<std::string> asked = compiler.nvcc;
  asked.emplace_back("--version");
  const auto version = run(asked, order);
  if (const auto* failure = std::get_if<Failure>(&version)) {
    Failure told = *failure;
    if (told.kind == FailureKind::Start) told.remedy = no_compiler(order).remedy;
    return told;
  }
  compiler.version = std::get<Ran>(version).said;
  compiler.name = name_in(compiler.version);
  const Cache cache(order, compiler.version);
  auto kept = cache.read();
  if (!kept) {
    auto made = ask_nvcc_for_file(order, compiler);
    if (is_compile_failure(made)) {
      auto kernels = ask_nvcc_for_kernels(order, compiler, std::get<Failure>(made));
      if (!is_compile_failure(kernels)) made = std::move(kernels);
    }
    if (auto* failure = std::get_if<Failure>(&made)) return std::move(*failure);
    kept = std::move(std::get<std::string>(made));
    cache.write(*kept);
  }
  CompiledText text{std::move(*kept), compiler.name};
  if (text.ptx.starts_with(kHow))
    text.compiler += " " + text.ptx.substr(kHow.size(), text.ptx.find('\n') - kHow.size());
  return text;
}

// ---- machine code

namespace {

// The opcode behind "/*0070*/" and a predicate, or nothing.
std::string opcode_of(const std::string& line) {
  std::istringstream words(line);
  std::string word;
  words >> word;
  if (!word.starts_with("/*") || word.size() < 6 ||
      word.find_first_not_of("0123456789abcdef", 2) != word.size() - 2)
    return {};
  words >> word;
  if (word.starts_with('{')) word.erase(0, 1);
  if (word.empty()) words >> word;
  if (word.starts_with('@')) words >> word;
  while (word.ends_with(';')) word.pop_back();
  return word;
}

}  // namespace

report::SharedWidths widths_in(const std::string& disassembly, const std::string& entry,
                               const std::string& source) {
  constexpr std::string_view kPlace = "//## File \"", kLine = "\", line ", kText = ".text.";
  constexpr std::array<std::pair<std::string_view, int>, 6> kWidths{
      {{"128", 16}, {"64", 8}, {"U8", 1}, {"S8", 1}, {"U16", 2}, {"S16", 2}}};
  const bool is_mangled = disassembly.find(".text." + entry + ":\n") != std::string::npos;
  const std::string wanted = fs::path(source).filename().string();
  report::SharedWidths widths;
  std::istringstream lines(disassembly);
  std::string function;
  int of_source = 0;          // the line that the next instruction comes from, of what was inlined the call's
  bool names_places = false;  // in lines that say where the next instruction comes from
  for (std::string line; std::getline(lines, line);) {
    if (const std::size_t text = line.find(kText); text != std::string::npos && line.ends_with(':')) {
      function = line.substr(text + kText.size(), line.size() - text - kText.size() - 1);
      of_source = 0;
    }
    if (const std::size_t at = line.find(kPlace); at != std::string::npos) {
      if (!std::exchange(names_places, true)) of_source = 0;
      const std::size_t begin = at + kPlace.size(), end = line.find(kLine, begin);
      if (of_source == 0 && end != std::string::npos && !wanted.empty() &&
          fs::path(line.substr(begin, end - begin)).filename() == wanted)
        of_source = std::atoi(line.c_str() + end + kLine.size());
      continue;
    }
    names_places = false;
    std::istringstream parts(opcode_of(line));  // "LDS.U.128"
    std::string name;
    std::getline(parts, name, '.');
    if (name != "LDS" && name != "STS") continue;
    if ((is_mangled ? function : sim::lower::ptx::plain_name(function)) != entry) continue;
    int bytes = 4;
    for (std::string part; std::getline(parts, part, '.');)
      if (const auto* width = std::ranges::find(kWidths, part, &std::pair<std::string_view, int>::first);
          width != kWidths.end())
        bytes = width->second;
    widths[of_source][name == "LDS" ? 0 : 1].insert(bytes);
  }
  return widths;
}

std::optional<report::SharedWidths> machine_code_widths(const CompileOrder& order, const std::string& ptx,
                                                        const std::string& entry, const std::string& source) {
  const CompilerTools& tools = order.tools;
  if (tools.ptxas.empty() || tools.nvdisasm.empty()) return {};
  std::error_code failed;
  const file::DraftFolder folder(fs::temp_directory_path(failed) / "warplens-assemble");
  const fs::path given = folder.path() / "kernel.ptx", made = folder.path() / "kernel.cubin";
  if (!folder.trouble().empty() || !file::write_whole(given, ptx, {.durable = false})) return {};
  const std::size_t target = ptx.find(".target "), begin = target + std::string_view(".target ").size();
  if (target == std::string::npos) return {};
  const std::string architecture = ptx.substr(begin, ptx.find_first_of(", \r\n", begin) - begin);
  const auto well = [&](const std::variant<Ran, Failure>& ran) {
    const Ran* done = std::get_if<Ran>(&ran);
    return done != nullptr && done->well;
  };
  if (!well(run({tools.ptxas.string(), "-arch=" + architecture, "--generate-line-info", given.string(), "-o",
                 made.string()},
                order)))
    return {};
  const auto told =
      run({tools.nvdisasm.string(), "--print-line-info-inline", made.string()}, order, {}, kMostDisassembly);
  if (!well(told)) return {};
  return widths_in(std::get<Ran>(told).said, entry, source);
}

}  // namespace warplens::measure
