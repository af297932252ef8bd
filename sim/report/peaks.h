// What a GPU can do at most of one thing at a time, each measured by a kernel that does nothing else; and how
// long one load takes that nothing else is beside.
#pragma once

#include <span>

namespace warplens::report {

// Per second; 0: not known.
struct Peaks {
  double launches = 0;                                  // of a kernel of one block that does nothing
  double blocks = 0;                                    // given to the multiprocessors
  double dram_read = 0, dram_write = 0, dram_copy = 0;  // bytes; a copy's are those read and those written
  double l2_read = 0, l2_write = 0, l2_copy = 0;        // sectors
  double l1_lines = 0;                                  // looked up by L1's tag stage
  double shared_wavefronts = 0;   // of L1's data stage, which serves shared memory and L1 alike
  double atomic_turns = 0;        // of L2, by lanes that each add in a sector of their own
  double atomic_slice = 0;        // turns of one slice, by lanes that add to the words of a line
  double atomic_one_address = 0;  // turns, by lanes that add to one and the same word
  double fma = 0;  // of warps, in single precision; by themselves they take every turn that there is to issue
  // Seconds from a load to the next one that needs its value; 0: not measured. Packs from before have none.
  double dram_latency = 0, l2_latency = 0;
};

struct PeakName {
  const char* name;  // "dram_read": in packs
  double Peaks::*value;
  const char* unit;  // what is counted: "bytes"
};
std::span<const PeakName> peak_names();     // of what is a rate
std::span<const PeakName> latency_names();  // of what is a time, in seconds

}  // namespace warplens::report
