#include "app/measure/toolkit.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <sstream>
#include <utility>

#include "app/measure/gpu_client.h"
#include "app/platform/system.h"
#include "kernels/protocol/child_process.h"
#include "sim/file/temporary.h"
#include "sim/file/whole_file.h"
#include "sim/scenario/as_compiled.h"
#include "sim/scenario/text_file.h"

namespace warplens::measure {
namespace {

constexpr const char* kMark = "=========";
constexpr std::size_t kLongestUnknown = 400;

// The words behind "========= ", and how far they are indented; nothing for lines of other programs.
bool take_line(const std::string& line, std::string& words, std::size_t& indent) {
  if (line.rfind(kMark, 0) != 0) return false;
  const std::size_t begin = line.find_first_not_of(' ', std::string(kMark).size());
  indent = begin == std::string::npos ? 0 : begin - std::string(kMark).size();
  words = begin == std::string::npos ? std::string() : line.substr(begin);
  return true;
}

bool begins(const std::string& text, const char* with) {
  return text.rfind(with, 0) == 0;
}

// "at k(int *)+0x70 in kernel.cu:3" and "at 0x70 in kernel.cu:3:k(int *)".
void read_place(const std::string& words, SanitizerFinding& finding) {
  const std::size_t in = words.rfind(" in ");
  if (in == std::string::npos || finding.line > 0) return;
  const std::string place = words.substr(in + 4);
  for (std::size_t colon = place.find(':'); colon != std::string::npos; colon = place.find(':', colon + 1)) {
    const int line = std::atoi(place.c_str() + colon + 1);
    if (line <= 0) continue;
    const std::string path = place.substr(0, colon);
    finding.file = path.substr(path.rfind('/') == std::string::npos ? 0 : path.rfind('/') + 1);
    finding.line = line;
    return;
  }
}

bool is_heading(const std::string& words) {
  for (const char* begin :
       {"Invalid ", "Uninitialized ", "Error: ", "Warning: ", "Barrier error", "Race reported", "Misaligned ",
        "Stack overflow", "Divergent ", "Unused memory", "Leaked "})
    if (begins(words, begin)) return true;
  return false;
}

bool is_problem(const std::string& words) {
  return begins(words, "Error: Device not supported") || begins(words, "Error: No attachable process") ||
         begins(words, "Error: Target application terminated before") ||
         begins(words, "Internal Sanitizer Error") || begins(words, "Error: process didn't terminate");
}

void add(SanitizerReport& report, SanitizerFinding finding) {
  if (finding.what.empty()) return;
  for (SanitizerFinding& known : report.findings)
    if (known.what == finding.what && known.file == finding.file && known.line == finding.line) {
      ++known.times;
      return;
    }
  report.findings.push_back(std::move(finding));
}

std::string source_line(const std::string& source, int wanted) {
  std::istringstream lines(source);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (number != wanted) continue;
    const std::size_t begin = line.find_first_not_of(" \t");
    return begin == std::string::npos ? std::string() : line.substr(begin);
  }
  return {};
}

}  // namespace

SanitizerReport read_sanitizer_report(const std::string& text) {
  SanitizerReport report;
  SanitizerFinding current;
  std::istringstream lines(text);
  std::string words;
  std::size_t indent = 0;
  std::string unknown;
  for (std::string line; std::getline(lines, line);) {
    if (!take_line(line, words, indent)) continue;
    if (begins(words, "ERROR SUMMARY") || begins(words, "RACECHECK SUMMARY")) {
      report.complete = true;
      report.errors = std::max(report.errors, std::atol(words.c_str() + words.find(':') + 1));
    } else if (indent <= 1 && !words.empty() && !begins(words, "COMPUTE-SANITIZER") &&
               unknown.size() < kLongestUnknown) {
      unknown += (unknown.empty() ? "" : "; ") + words;
    }
    if (is_problem(words)) {
      report.problem = words;
    } else if (indent <= 1 && is_heading(words)) {
      add(report, std::exchange(current, {}));
      current.what = begins(words, "Error: ") ? words.substr(7) : words;
      read_place(words, current);
    } else if (indent > 1 && !current.what.empty()) {
      if (begins(words, "at ") || begins(words, "and ")) read_place(words, current);
      if (begins(words, "by thread")) current.where = words.substr(3);
      if (begins(words, "Address ") && current.detail.empty()) current.detail = words;
    } else if (words.empty()) {
      add(report, std::exchange(current, {}));
    }
  }
  add(report, std::move(current));
  if (report.findings.empty() && report.problem.empty() && report.errors > 0)
    report.findings.push_back(
        {unknown.empty() ? "an error without a description" : unknown, {}, 0, {}, {}, 1});
  return report;
}

std::string in_words(const SanitizerFinding& f) {
  std::string words = f.what;
  if (f.times > 1) words += " (" + std::to_string(f.times) + " times)";
  if (!f.where.empty()) words += ", first by " + f.where;
  if (!f.detail.empty()) words += "; " + f.detail;
  return words;
}

std::string in_words(const SanitizerReport& report, const std::string& source) {
  if (!report.problem.empty())
    return "compute-sanitizer could not check the kernel: " + report.problem + "\n";
  if (report.findings.empty())
    return report.complete ? "compute-sanitizer found nothing\n"
                           : "compute-sanitizer ended before it had said whether it found something\n";
  std::string text;
  for (const SanitizerFinding& f : report.findings) {
    text += (f.line > 0 ? f.file + ":" + std::to_string(f.line) + ": " : std::string()) + in_words(f);
    const std::string line = f.line > 0 ? source_line(source, f.line) : std::string();
    text += (line.empty() ? "" : "\n    " + line) + "\n";
  }
  return text;
}

std::string find_sanitizer() {
  const std::string named = platform::variable("WARPLENS_SANITIZER");
  if (!named.empty()) return named;
  return find_in_toolkit("compute-sanitizer", {"/usr/local/cuda/compute-sanitizer"});
}

namespace {

constexpr std::size_t kLongestReport = 64u << 20;
constexpr std::size_t kPaddingBytes = 64u << 10;
constexpr double kStartSeconds = 120, kGraceSeconds = 60;  // instrumented programs are slow

// Where compute-sanitizer writes what it found.
class ReportFile {
 public:
  ReportFile() {
    std::error_code error;
    path_ = std::filesystem::temp_directory_path(error) / ("warplens-sanitizer-" + file::random_digits());
    made_ = static_cast<bool>(file::write_whole(path_, ""));
  }
  ~ReportFile() {
    std::error_code ignored;
    if (made_) std::filesystem::remove(path_, ignored);
  }
  ReportFile(const ReportFile&) = delete;
  ReportFile& operator=(const ReportFile&) = delete;
  bool made() const { return made_; }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
  bool made_ = false;
};

bool stopped(const SanitizeOptions& options) {
  return options.stop != nullptr && *options.stop;
}

// How the launch itself ended; the client and with it compute-sanitizer have ended when this returns.
std::optional<Failure> launch_once(const std::vector<std::string>& command, MeasureRequest request,
                                   const SanitizeOptions& options) {
  ClientOptions patient;
  patient.hello_seconds = kStartSeconds;
  patient.grace_seconds = kGraceSeconds;
  patient.patience_seconds = options.patience_seconds;
  GpuClient client(command, patient);
  for (double waited = 0; waited < kStartSeconds && !stopped(options); waited += 0.2)
    if (client.wait_for_status(0.2).state != ClientState::Starting) break;
  if (const ClientStatus status = client.status(); status.state != ClientState::Ready) {
    if (stopped(options)) return make_failure(FailureKind::Cancelled, Message("stopped"));
    return status.failure;
  }
  const std::uint64_t ticket = client.submit(std::move(request));
  while (true) {
    if (stopped(options)) client.cancel(ticket);
    for (ClientEvent& event : client.wait(0.2)) {
      if (event.ticket != ticket) continue;
      if (std::holds_alternative<Measurement>(event.what)) return std::nullopt;
      if (auto* failure = std::get_if<Failure>(&event.what)) return std::move(*failure);
    }
  }
}

}  // namespace

std::variant<Sanitized, Failure> sanitize(MeasureRequest request, const SanitizeOptions& options) {
  const std::string program = find_sanitizer();
  if (program.empty())
    return make_failure(
        FailureKind::Start, Message("compute-sanitizer was not found."),
        Message("It is part of the CUDA Toolkit; put it on PATH, or name it with WARPLENS_SANITIZER=path."));
  Message error;
  const std::vector<std::string> gpu = gpu_command("", error);
  if (gpu.empty()) return make_failure(FailureKind::Start, error);
  const ReportFile file;
  if (!file.made())
    return make_failure(FailureKind::Start, Message("no temporary file can be made: {}", file.path()));
  request.cold_samples = request.warm_samples = 0;
  request.counters = request.reference = request.machine_code = false;

  std::vector<std::string> command{program, "--tool", options.tool};
  // Buffers lie wall to wall: one element beyond the end of one is the first of the next, and would pass
  // unnoticed.
  if (options.tool == "memcheck") command.insert(command.end(), {"--padding", std::to_string(kPaddingBytes)});
  command.insert(command.end(), {"--log-file", file.path()});
  command.insert(command.end(), gpu.begin(), gpu.end());
  Sanitized result;
  result.ended = launch_once(command, std::move(request), options);
  const auto text = scenario::read_text(file.path(), kLongestReport);
  result.report = read_sanitizer_report(text ? *text.value : std::string());
  if (!result.report.problem.empty())
    return make_failure(FailureKind::Start,
                        Message("compute-sanitizer could not check the kernel: {}", result.report.problem));
  // A kernel that broke is what was looked for; anything else stands in the way of looking.
  if (result.ended && result.report.findings.empty() && result.ended->kind != FailureKind::Kernel)
    return *result.ended;
  return result;
}

namespace {

namespace fs = std::filesystem;

std::vector<std::string> nvcc_command() {
  Message ignored;
  if (const std::string named = platform::variable("CUDACXX"); !named.empty()) {
    auto words = split_words(named, ignored);
    if (words && !words->empty()) return *words;
  }
  const fs::path found = find_in_toolkit("nvcc");
  return found.empty() ? std::vector<std::string>{} : std::vector<std::string>{found.string()};
}

}  // namespace

// A first line with the compiler, then of each text a line, its compile_key() and its bytes, and the text.
std::optional<CompiledText> shipped_text(const CompileOrder& order) {
  const fs::path path = scenario::data_folder("assets") / "compiled" / "gallery.gz";
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
  if (!file) return {};
  const auto line = [&] {
    std::array<char, 128> read{};
    const char* got = gzgets(file.get(), read.data(), static_cast<int>(read.size()));
    std::string text = got == nullptr ? "" : got;
    if (text.ends_with('\n')) text.pop_back();
    return text;
  };
  CompiledText found;
  found.compiler = line();
  const std::string key = compile_key(order);
  for (std::string head = line(); !head.empty(); head = line()) {
    const std::size_t space = head.find(' ');
    long bytes = 0;
    std::from_chars(head.data() + std::min(space + 1, head.size()), head.data() + head.size(), bytes);
    if (bytes <= 0 || bytes > static_cast<long>(scenario::kMostPtxBytes)) return {};
    if (head.substr(0, space) != key) {
      if (gzseek(file.get(), bytes, SEEK_CUR) < 0) return {};
      continue;
    }
    found.ptx.resize(static_cast<std::size_t>(bytes));
    const bool is_whole = gzread(file.get(), found.ptx.data(), static_cast<unsigned>(bytes)) == bytes;
    return is_whole ? std::optional(std::move(found)) : std::nullopt;
  }
  return {};
}

void read_machine_code(report::Report& report, const scenario::Setup& compiled, CompileOrder order) {
  order.tools.ptxas = find_in_toolkit("ptxas");
  order.tools.nvdisasm = find_in_toolkit("nvdisasm");
  const bool has_source = !compiled.compile.source.empty();
  const std::string& named = compiled.compile.kernel;
  const auto widths = machine_code_widths(order, compiled.compile.text, named.empty() ? report.kernel : named,
                                          has_source ? compiled.compile.source_name : "");
  if (widths) hold_against_machine_code(report, *widths);
}

fs::path find_in_toolkit(const std::string& name, const std::vector<fs::path>& more) {
  std::vector<fs::path> toolkit;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const std::string root = platform::variable(variable); !root.empty())
      toolkit.push_back(root + "/bin");
  toolkit.push_back("/usr/local/cuda/bin");
  toolkit.insert(toolkit.end(), more.begin(), more.end());
  return platform::find_program(name, {}, toolkit);
}

scenario::Outcome<scenario::Setup> compiled_setup(CompileOrder order, Budget& budget, Failure* failure) {
  Message ignored;
  order.tools.nvcc = nvcc_command();
  order.tools.gpu = gpu_command("", ignored);
  order.tools.cache = platform::cache_folder();
  order.tools.is_browser = !platform::has_threads();
  auto made = compile_to_ptx(order);
  if (auto* failed = std::get_if<Failure>(&made)) {
    auto known = failed->kind == FailureKind::NoCompiler ? shipped_text(order) : std::nullopt;
    if (!known) {
      *failure = std::move(*failed);
      return {};
    }
    made = std::move(*known);
  }
  CompiledText& text = std::get<CompiledText>(made);
  auto setup = scenario::as_compiled(order.written, std::move(text.ptx), budget);
  if (!setup) {
    *failure = make_failure(FailureKind::Compile, setup.errors.front());
    return setup;
  }
  setup.value->compiler = text.compiler;
  setup.value->architecture = order.architecture;
  return setup;
}

}  // namespace warplens::measure
