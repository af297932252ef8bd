// One piece of work on several threads at once.
#pragma once

#include <functional>

namespace warplens {

// Threads that the processor runs side by side, 1 or more.
int processor_threads();

// work(0) … work(members - 1), each on a thread of its own and the first on the caller's; returns when all
// have ended. Where the system gives fewer threads, the caller does the rest, one after another. What one of
// them throws is thrown again at the end; of several, the first thrown.
void run_team(int members, const std::function<void(int)>& work);

}  // namespace warplens
