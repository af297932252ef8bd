// Which buffers decide what a kernel does: its addresses, or where its lanes part, follow from what they
// hold. Where nobody said what that is, a launch takes zeros or 0, 1, 2, ..., and the counts are those of
// just such data.
#pragma once

#include <string>
#include <vector>

#include "sim/base/message.h"
#include "sim/launch/launch.h"

namespace warplens::report {

struct SteeringBuffer {
  std::string name;
  sim::Fill fill =
      sim::Fill::Zero;  // Zero or Iota: what a launch has that was guessed, or cleared by its host
};

// By their order among the parameters. What a file, or any other fill, gives is somebody's choice and is left
// out; so is a variable of the file that has its own values.
std::vector<SteeringBuffer> steering_buffers(const sim::Program& program, const sim::Launch& launch);

Message words_of(const SteeringBuffer& buffer);

}  // namespace warplens::report
