// Ctrl C, and what else asks a program to end: the command ends where it next looks at its budget, says so
// with exit code 4, and leaves nothing half written. Asked a second time, it ends at once.
#pragma once

#include <atomic>

namespace warplens::cli {

void mind_signals();  // once, as the program begins
const std::atomic<bool>& asked_to_stop();

}  // namespace warplens::cli
