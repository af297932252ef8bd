// `measure --sanitize`: one launch under compute-sanitizer, its findings told at their source lines.
#pragma once

#include <string>

#include "app/cli/command.h"
#include "kernels/protocol/protocol.h"

namespace warplens::cli {

// Of what kept a GPU from measuring: the input's fault, a limit, or this machine's.
ExitCode exit_code_of(measure::FailureKind kind);

// 0: it found nothing. 1: it found something, which is printed. Throws CommandFailure: it is not installed,
// it cannot check this GPU, or the kernel does not compile.
ExitCode run_sanitizer(measure::MeasureRequest request, const std::string& tool);

}  // namespace warplens::cli
