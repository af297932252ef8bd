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

std::string text_or(const nlohmann::json& document, const char* name) {
  const auto found = document.find(name);
  return found != document.end() && found->is_string() ? found->get<std::string>() : std::string();
}

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
  return Message::received(text_or(form, "pattern"), std::move(arguments));
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

void put_message(nlohmann::json& document, const std::string& name, const Message& message) {
  document[name] = message.english();
  if (!message.pattern().empty()) document[name + "_form"] = form_of(message);
}

Message read_message(const nlohmann::json& document, const std::string& name) {
  const std::string text = text_or(document, name.c_str());
  const auto form = document.find(name + "_form");
  if (form != document.end()) {
    const Message message = message_of(*form, kDeepestForm);
    if (message == text) return message;
  }
  return Message::verbatim(text);
}

void describe(scenario::Fields& f, const char* name, Message& words) {
  if (f.reads())
    words = f.in().optional_text(name).empty() ? Message() : read_message(f.in().json(), name);
  else if (!words.empty())
    put_message(f.out(), name, words);
}

nlohmann::json to_json(const Failure& failure) {
  nlohmann::json document{{"kind", name_of(failure.kind)}};
  put_message(document, "message", failure.message);
  if (!failure.remedy.empty()) put_message(document, "remedy", failure.remedy);
  if (failure.restart) document["restart"] = true;
  for (const CompilerDiagnostic& d : failure.diagnostics)
    document["diagnostics"].push_back(
        {{"line", d.line}, {"severity", d.is_error ? "error" : "warning"}, {"message", d.message}});
  return document;
}

Failure failure_from_json(const nlohmann::json& document) {
  Failure failure;
  if (!document.is_object()) {
    failure.message = Message("warplens-gpu reported an error without saying which");
    return failure;
  }
  const std::string kind = text_or(document, "kind");
  for (const auto& [value, name] : kNames)
    if (kind == name) failure.kind = value;
  failure.message = read_message(document, "message");
  failure.remedy = read_message(document, "remedy");
  failure.restart = document.value("restart", nlohmann::json()) == true;
  const auto diagnostics = document.find("diagnostics");
  if (diagnostics == document.end() || !diagnostics->is_array()) return failure;
  for (const auto& entry : *diagnostics) {
    if (!entry.is_object()) continue;
    const auto line = entry.find("line");
    failure.diagnostics.push_back({line != entry.end() && line->is_number_integer() ? line->get<int>() : 0,
                                   text_or(entry, "severity") != "warning", text_or(entry, "message")});
  }
  return failure;
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
