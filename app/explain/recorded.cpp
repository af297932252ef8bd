#include "app/explain/recorded.h"

#include "app/explain/why.h"
#include "app/measure/gpu_client.h"

namespace warplens::explain {

namespace {

void take(const measure::Measurement& measured, lesson::Recorded* found) {
  if (measured.cold.median > 0) found->seconds = measured.cold.median;
  if (measured.registers > 0) found->registers = measured.registers;
  if (has_traffic(measured))
    found->counters = {measured.counters.values.begin(), measured.counters.values.end()};
}

}  // namespace

lesson::Recorded recorded_in(std::span<const measure::Pack> packs, const scenario::Setup& setup,
                             std::string_view gpu) {
  lesson::Recorded found;
  const measure::MeasurementKey key = measure::key_of(setup, measure::CompileMode::AsWritten);
  for (const measure::Pack& pack : packs) {
    if (pack.device.sm() != gpu) continue;
    if (!found.peaks && pack.peaks) found.peaks = pack.peaks->peaks;
    const measure::Measurement* measured = found.seconds ? nullptr : pack.find(key);
    if (measured != nullptr) take(*measured, &found);
  }
  return found;
}

}  // namespace warplens::explain
