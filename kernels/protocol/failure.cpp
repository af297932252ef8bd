#include "kernels/protocol/failure.h"

#include <array>
#include <nlohmann/json.hpp>
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

}  // namespace

const char* name_of(FailureKind kind) {
  for (const auto& [value, name] : kNames)
    if (value == kind) return name;
  return "internal";
}

Failure make_failure(FailureKind kind, std::string message, std::string remedy) {
  Failure failure;
  failure.kind = kind;
  failure.message = std::move(message);
  failure.remedy = std::move(remedy);
  return failure;
}

std::string Failure::words() const {
  std::string text = message;
  for (const CompilerDiagnostic& d : diagnostics) {
    text += "\n  ";
    if (d.line > 0) text += "line " + std::to_string(d.line) + ": ";
    text += (d.is_error ? "error: " : "warning: ") + d.message;
  }
  if (!remedy.empty()) text += "\n" + remedy;
  return text;
}

nlohmann::json to_json(const Failure& failure) {
  nlohmann::json document{{"kind", name_of(failure.kind)}, {"message", failure.message}};
  if (!failure.remedy.empty()) document["remedy"] = failure.remedy;
  if (failure.restart) document["restart"] = true;
  for (const CompilerDiagnostic& d : failure.diagnostics)
    document["diagnostics"].push_back(
        {{"line", d.line}, {"severity", d.is_error ? "error" : "warning"}, {"message", d.message}});
  return document;
}

Failure failure_from_json(const nlohmann::json& document) {
  Failure failure;
  if (!document.is_object()) {
    failure.message = "warplens-gpu reported an error without saying which";
    return failure;
  }
  const std::string kind = text_or(document, "kind");
  for (const auto& [value, name] : kNames)
    if (kind == name) failure.kind = value;
  failure.message = text_or(document, "message");
  failure.remedy = text_or(document, "remedy");
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

}  // namespace warplens::measure
