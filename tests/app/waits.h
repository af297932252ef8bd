// A runner that waits for whatever is begun, as pictures do.
#pragma once

#include "app/jobs/runner.h"

namespace warplens::jobs {

inline RunnerOptions waits_for_all() {
  return {.wait = std::chrono::hours(1), .wake = {}, .threads = true};
}

}  // namespace warplens::jobs
