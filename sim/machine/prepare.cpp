#include "sim/machine/prepare.h"

#include <utility>

namespace warplens::sim {

Prepared prepare(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                 const DecodeOptions& options) {
  Prepared prepared;
  prepared.wrong = bind(program, launch, gpu, prepared.bound);
  if (!prepared.wrong.empty()) return prepared;
  DecodeResult decoded = decode(prepared.bound, options);
  prepared.code = std::move(decoded.code);
  prepared.wrong = std::move(decoded.error);
  return prepared;
}

RunError bad_launch(Message message) {
  RunError error;
  error.kind = RunError::Kind::BadLaunch;
  error.message = std::move(message);
  return error;
}

}  // namespace warplens::sim
