// A student's attempt against a lesson's challenge: `warplens-cli check TARGET --against FILE.lesson.json`.
#pragma once

#include <filesystem>
#include <string>

#include "app/cli/command.h"
#include "app/cli/target/options.h"
#include "sim/scenario/target.h"

namespace warplens::cli {

bool is_lesson(const std::filesystem::path& file, Budget& budget);  // by its schema

// The target is the challenge's scenario with values, or an edited kernel file. Exit 0: passed; 1: not.
// Throws CommandFailure where the lesson or the attempt cannot be judged.
ExitCode grade_target(const scenario::Target& target, const std::string& lesson_file,
                      const SimulationOptions& simulation, const FormatOptions& format);

}  // namespace warplens::cli
