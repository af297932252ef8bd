#include "sim/base/team.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace warplens {

int processor_threads() {
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

void run_team(int members, const std::function<void(int)>& work) {
  std::mutex mutex;
  std::exception_ptr thrown;
  const auto guarded = [&](int member) {
    try {
      work(member);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!thrown) thrown = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  int member = 1;
  try {
    for (; member < members; ++member) others.emplace_back(guarded, member);
  } catch (const std::system_error&) {  // no more threads to be had
  }
  guarded(0);
  for (; member < members; ++member) guarded(member);
  for (std::thread& other : others) other.join();
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace warplens
