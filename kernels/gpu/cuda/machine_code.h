// The memory instructions in a kernel's machine code, counted from what nvdisasm or cuobjdump makes of it.
#pragma once

#include <map>
#include <string>

#include "kernels/gpu/cuda/driver.h"

namespace warplens::gpu {

// "LDS.128" -> 4 places. Of the widths only .64, .128 and the narrow ones are kept; cache hints and the like
// are dropped. `function`: only of this one (a mangled name); empty: of all.
std::map<std::string, int> count_memory_instructions(const std::string& disassembly,
                                                     const std::string& function);

struct MachineCode {
  std::map<std::string, int> instructions;
  std::string reason;  // why there are none, in words
};
// `image`: a cubin, or PTX, which the driver's linker turns into one first.
MachineCode read_machine_code(const Driver& driver, const std::string& image, const std::string& function);

}  // namespace warplens::gpu
