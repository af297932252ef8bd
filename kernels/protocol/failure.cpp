#include "kernels/protocol/failure.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

namespace warplens::measure {
namespace {

constexpr std::array<std::pair<FailureKind, const char*>, 12> kNames{
    {{FailureKind::NoGpu, "no_gpu"},
     {FailureKind::NoCompiler, "no_compiler"},
     {FailureKind::BadRequest, "bad_request"},
     {FailureKind::Compile, "compile"},
     {FailureKind::Launch, "launch"},
     {FailureKind::OutOfMemory, "out_of_memory"},
     {FailureKind::Kernel, "kernel"},
     {FailureKind::Deadline, "deadline"},
     {FailureKind::Cancelled, "cancelled"},
     {FailureKind::Protocol, "protocol"},
     {FailureKind::Start, "start"},
     {FailureKind::Internal, "internal"}}};

constexpr int kDeepestForm = 16;

nlohmann::json form_of(const Message& message) {
  if (message.pattern().empty()) return message.english();
  nlohmann::json arguments = nlohmann::json::array();
  for (const Message& argument : message.arguments()) arguments.push_back(form_of(argument));
  return {{"pattern", message.pattern()}, {"arguments", std::move(arguments)}};
}

// Empty where the form is none.
Message message_of(const nlohmann::json& form, int depth) {
  if (form.is_string()) return Message::verbatim(form.get<std::string>());
  if (!form.is_object() || depth == 0) return {};
  std::vector<Message> arguments;
  const auto given = form.find("arguments");
  if (given != form.end() && given->is_array()) {
    for (const auto& argument : *given) arguments.push_back(message_of(argument, depth - 1));
  }
  const auto pattern = form.find("pattern");
  if (pattern == form.end() || !pattern->is_string()) return {};
  return Message::received(pattern->get<std::string>(), std::move(arguments));
}

}  // namespace

const char* name_of(FailureKind kind) {
  for (const auto& [value, name] : kNames)
    if (value == kind) return name;
  return "internal";
}

Failure make_failure(FailureKind kind, Message message, Message remedy) {
  Failure failure;
  failure.kind = kind;
  failure.message = std::move(message);
  failure.remedy = std::move(remedy);
  return failure;
}

Message Failure::words() const {
  Message text = message;
  for (const CompilerDiagnostic& d : diagnostics) {
    const Message said = d.is_error ? Message("error: {}", d.message) : Message("warning: {}", d.message);
    text = d.line > 0 ? Message("{}\n  line {}: {}", text, d.line, said) : Message("{}\n  {}", text, said);
  }
  return remedy.empty() ? text : Message("{}\n{}", text, remedy);
}

void describe(scenario::Fields& f, const char* name, Message& words) {
  const std::string form_name = name + std::string("_form");
  if (!f.reads()) {
    if (!words.empty()) f.out()[name] = words.english();
    if (!words.pattern().empty()) f.out()[form_name] = form_of(words);
    return;
  }
  words = Message::verbatim(f.in().optional_text(name));
  if (!f.in().has(form_name)) return;
  const Message formed = message_of(f.in().member(form_name).json(), kDeepestForm);
  if (formed == words) words = formed;
}

void describe(scenario::Fields& f, CompilerDiagnostic& d) {
  std::string severity = d.is_error ? "error" : "warning";
  f("line", d.line), f("severity", severity), f("message", d.message);
  d.is_error = severity != "warning";
}

void describe(scenario::Fields& f, Failure& failure) {
  std::string kind = name_of(failure.kind);
  f("kind", kind);
  for (const auto& [value, name] : kNames)
    if (kind == name) failure.kind = value;
  describe(f, "message", failure.message), describe(f, "remedy", failure.remedy);
  f.given("restart", failure.restart);
  if (f.reads() || !failure.diagnostics.empty()) f.list("diagnostics", failure.diagnostics);
}

namespace {

// Reads "(12): error: words" or "(12): error #20-D: words" behind the file's name.
bool read_line(const std::string& line, const std::string& file_name, CompilerDiagnostic& diagnostic) {
  std::size_t at = line.find(file_name + "(");
  if (at != 0) return false;
  at += file_name.size() + 1;
  const std::size_t close = line.find(')', at);
  if (close == std::string::npos) return false;
  diagnostic.line = std::atoi(line.substr(at, close - at).c_str());
  const std::size_t colon = line.find(": ", close + 2);
  const bool is_error = line.find("error", close) < colon;
  const bool is_warning = line.find("warning", close) < colon;
  if (colon == std::string::npos || (!is_error && !is_warning)) return false;
  diagnostic.is_error = is_error;
  diagnostic.message = line.substr(colon + 2);
  return true;
}

}  // namespace

std::vector<CompilerDiagnostic> read_log(const std::string& log, const std::string& file_name) {
  std::vector<CompilerDiagnostic> diagnostics;
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    CompilerDiagnostic diagnostic;
    if (read_line(line, file_name, diagnostic)) {
      diagnostics.push_back(diagnostic);
    } else if (line.find("error: ") != std::string::npos || line.rfind("nvrtc: error", 0) == 0) {
      diagnostics.push_back({0, true, line});
    }
    if (diagnostics.size() >= 50) break;
  }
  return diagnostics;
}

bool needs_this_architecture(const std::string& text) {
  return text.find("wgmma") != std::string::npos || text.find("setmaxnreg") != std::string::npos;
}

}  // namespace warplens::measure
