// What was measured of a target: in a file that is named, or among what comes with the program.
#include <memory>
#include <vector>

#include "app/cli/target.h"
#include "app/explain/why.h"
#include "app/measure/pack.h"
#include "kernels/protocol/subject.h"
#include "sim/scenario/json_document.h"

namespace warplens::cli {

namespace {

// A measurement of something else says nothing about this target.
void require_same(const scenario::Prepared& prepared, const measure::Measurement& measurement) {
  if (measure::key_of(prepared.setup, measurement.subject.mode).digest == measurement.key.digest) return;
  const measure::Subject& subject = measurement.subject;
  const sim::Launch& launch = prepared.setup.launch;
  const bool is_text = !subject.text_hash.empty() &&
                       subject.text_hash != measure::subject_of(prepared.setup, subject.mode).text_hash;
  const bool is_launch = !(subject.grid == launch.grid) || !(subject.block == launch.block) ||
                         subject.shared_bytes != launch.shared_bytes;
  const bool is_template = subject.template_arguments != prepared.setup.compile.template_arguments;
  throw CommandFailure(kInputWrong, std::string("the measurement is of something else: ") +
                                        (is_text       ? "another kernel text"
                                         : is_launch   ? "another launch"
                                         : is_template ? "other template arguments"
                                                       : "other arguments or macros"));
}

}  // namespace

std::vector<measure::Measurement> measurements_for(const scenario::Prepared& prepared,
                                                   const std::string& file, Budget& budget,
                                                   std::optional<measure::PeakRecord>* peaks) {
  scenario::JsonDocument document =
      scenario::JsonDocument::load(file, {.bytes = std::size_t{64} << 20, .budget = &budget});
  if (!document.ok()) throw CommandFailure(kInputWrong, document.errors());
  if (!document.root().optional_text("schema").starts_with("warplens.pack/")) {
    auto measurement = value_of(measure::load_measurement(file, &budget));
    require_same(prepared, measurement);
    return {std::move(measurement)};
  }
  const auto pack = value_of(measure::load_pack(file, &budget));
  if (peaks != nullptr) *peaks = pack.peaks;
  std::vector<measure::Measurement> found_here;
  for (const auto mode : {measure::CompileMode::AsWritten, measure::CompileMode::AsOptimised}) {
    const measure::Measurement* found = pack.find(measure::key_of(prepared.setup, mode));
    if (found != nullptr && (found_here.empty() || !(found_here[0].key == found->key)))
      found_here.push_back(*found);
  }
  if (!found_here.empty()) return found_here;
  throw CommandFailure(kInputWrong,
                       file + ": holds no measurement of exactly this kernel text, launch and arguments");
}

lesson::RecordedOf recorded_for_lessons() {
  using Packs = std::vector<measure::Pack>;
  return [packs = std::shared_ptr<const Packs>()](const lesson::View& view) mutable {
    if (packs == nullptr)  // read where something asks for it
      packs = std::make_shared<const Packs>(
          measure::load_packs(scenario::data_folder("assets") / "recorded").value.value_or(Packs()));
    const auto prepared = lesson::prepare_view(view);
    if (!prepared) return lesson::Recorded{};
    return explain::recorded_in(*packs, prepared.value->setup, prepared.value->gpu->name);
  };
}

RecordedLaunch recorded_launch(const scenario::Prepared& prepared) {
  RecordedLaunch found;
  const auto packs = measure::load_packs(scenario::data_folder("assets") / "recorded");
  if (!packs) return found;
  const measure::MeasurementKey key = measure::key_of(prepared.setup, measure::CompileMode::AsWritten);
  for (const measure::Pack& pack : *packs.value) {
    if (pack.device.sm() != prepared.gpu->name) continue;
    if (!found.peaks) found.peaks = pack.peaks;
    if (const measure::Measurement* m = pack.find(key); m != nullptr && !found.launch) found.launch = *m;
  }
  return found;
}

}  // namespace warplens::cli
