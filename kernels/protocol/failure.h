// How a measurement fails, told in words: what happened, and what to do about it. The same value in the child
// program, on the wire and in the app.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/base/message.h"
#include "sim/scenario/fields.h"

namespace warplens::measure {

// The names on the wire are those of `name_of` below; an unknown one reads as Internal.
enum class FailureKind : std::uint8_t {
  NoGpu,        // no GPU, no driver
  NoCompiler,   // NVRTC not found, or too old
  BadRequest,   // the request itself is wrong
  Compile,      // the kernel's text does not compile for the GPU; `diagnostics` says where
  Launch,       // the GPU cannot take this launch
  OutOfMemory,  // the buffers do not fit
  Kernel,       // the kernel broke while it ran (out-of-bounds access, trap); the child has to be restarted
  Deadline,     // it took longer than allowed
  Cancelled,
  Protocol,  // the other end spoke nonsense, another version, or went away
  Start,     // warplens-gpu could not be started
  Internal,
};
const char* name_of(FailureKind kind);

struct CompilerDiagnostic {
  int line = 0;  // of the user's text, from 1; 0: no place
  bool is_error = true;
  std::string message;
};

// "transpose.cu(12): error: identifier "x" is undefined" -> line 12 and the words, as NVRTC and nvcc write.
std::vector<CompilerDiagnostic> read_log(const std::string& log, const std::string& file_name);
// Instructions that one architecture alone has are compiled for that one (sm_90a), and run on no later GPU.
bool needs_this_architecture(const std::string& text);

struct Failure {
  FailureKind kind = FailureKind::Internal;
  Message message;  // what is wrong
  Message remedy;   // what to do; may be empty
  std::vector<CompilerDiagnostic> diagnostics;
  bool restart = false;  // the child ends after this answer: only a new process helps

  Message words() const;  // message, diagnostics and remedy in lines, as told to a person
};

Failure make_failure(FailureKind kind, Message message, Message remedy = {});

// Thrown inside warplens-gpu and caught where a request is answered.
class FailureError : public std::runtime_error {
 public:
  explicit FailureError(Failure f) : std::runtime_error(f.message.english()), failure(std::move(f)) {}
  FailureError(FailureKind kind, Message message, Message remedy = {})
      : FailureError(make_failure(kind, std::move(message), std::move(remedy))) {}
  Failure failure;
};

// On the wire a message is its English, and beside it what it is made of ("message_form"), so that the reader
// can say it in another language: {"pattern": "line {}: {}", "arguments": ["12", ...]}, an argument being a
// text or such an object again. Nothing for what is said verbatim, and no words are left out. A form that
// does not give the English is taken for none.
void describe(scenario::Fields& f, const char* name, Message& words);
void describe(scenario::Fields& f, CompilerDiagnostic& diagnostic);
void describe(scenario::Fields& f, Failure& failure);

}  // namespace warplens::measure
