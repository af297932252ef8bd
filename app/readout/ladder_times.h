// The measured time of every rung of a ladder, for the parameters on screen: live, recorded, or not at all. A
// time is shown only beside the configuration that it was measured for.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/measure/pack.h"
#include "app/scene/views.h"
#include "app/state/catalog.h"
#include "app/state/state.h"
#include "sim/lesson/figures.h"

namespace warplens::app {

// Everything measured so far: packs from files, and what a GPU has answered since the start.
struct Measurements {
  std::vector<measure::Pack> packs;                              // the first that knows a key is taken
  std::map<measure::MeasurementKey, measure::Measurement> live;  // taken before any pack

  bool empty() const { return packs.empty() && live.empty(); }
  // Of the mode, or null.
  const measure::Measurement* find(const scenario::Setup& setup, measure::CompileMode mode) const;
  // What a GPU of this architecture ("sm_90") can do at most: the very one that `shown` was measured on,
  // where that is not null. Null: not measured.
  const measure::PeakRecord* peaks(std::string_view sm, const measure::Measurement* shown) const;
  // What packs alone know of a launch on a GPU of this architecture, for a lesson's rules.
  lesson::Recorded recorded(const scenario::Setup& setup, std::string_view sm) const;
  // What this GPU can do at most, or null.
  const measure::PeakRecord* peaks_of(const measure::DeviceInfo& gpu) const;
};

struct RungTime {
  const scenario::Scenario* scenario = nullptr;
  bool current = false;
  // In the mode looked at, or in the other where there is only that; null: not measured with these
  // parameters.
  const measure::Measurement* measurement = nullptr;
  const measure::Measurement* other = nullptr;  // in the other mode, where there are both
  bool one_program = false;                     // both modes are the same program: no shared memory
  std::string size;  // size_text() of what was measured, in brief, where it is another
  // Whose cudaMemcpy, or cuBLAS, it is held against: the fastest that was timed beside a rung in this size,
  // of as many bytes or operations, on this GPU. One for all such rungs, so that equal times are equal
  // shares; null: none was timed.
  const measure::Measurement* held = nullptr;
  double percent_of_reference = 0;             // 100: as fast as that; 0: unknown, or too short to tell
  const measure::PeakRecord* peaks = nullptr;  // of the GPU that it was measured on; null: not measured
  // The rung on screen, where it was not measured with these values: those nearest to them with which it was.
  std::optional<scenario::ParameterValues> nearest;
  scenario::ParameterValues values;  // those that it is looked up with
};
// The rung on screen, and its measurement; or null.
const RungTime* current_of(const std::vector<RungTime>& times);
const measure::Measurement* measurement_of(const std::vector<RungTime>& times);
// The same, or else of the first rung that has one; null: none has.
const measure::Measurement* any_measurement(const std::vector<RungTime>& times);
const char* name_of_reference(scenario::Reference reference);  // "cudaMemcpy", "cuBLAS"
// The same with scenarios and measurements of their own, which last as long as they do.
std::shared_ptr<const std::vector<RungTime>> kept(const std::vector<RungTime>& times);
// A copy, or cuBLAS, takes far less than the kernel that is shown: whatever an access costs, something is
// left to gain. So too while only others have a time: nobody knows.
bool has_more_to_gain(const std::vector<RungTime>& times);
// Every time that there is.
bool are_too_short(const std::vector<RungTime>& times);

// "4096 × 4096", "1024³", "4,194,304", in brief "4.19 M": of the values those that are sizes. Empty: there
// are none.
std::string size_text(const scenario::ParameterValues& values, bool brief = false);

// Seconds. Below that launch and latency decide, and a share of a copy as short says nothing: an empty kernel
// takes 1.4 µs on an H200, one that stores a float a thread from 64 blocks 2.1 µs (`measure`, cold).
inline constexpr double kShortest = 5e-6;

// Looks the times up and remembers them: making a setup and its key for every rung of a ladder would take a
// good part of a frame.
class LadderTimes {
 public:
  // The rungs of the ladder of the settings' scenario, each in the size on screen; where it was not measured
  // in that, with the values that it would have if one went there, and `size` says so.
  const std::vector<RungTime>& of(const Catalog& catalog, const Settings& settings,
                                  const Measurements& measurements,
                                  measure::CompileMode mode = measure::CompileMode::AsWritten);
  void forget();  // the measurements changed

 private:
  struct Known {
    Settings settings;
    const measure::Measurement *written = nullptr, *optimised = nullptr;
  };
  std::optional<scenario::ParameterValues> nearest_measured(const scenario::Scenario& rung,
                                                            const Settings& settings,
                                                            const Measurements& measurements);
  const Known& look_up(const scenario::Scenario& rung, Settings settings, const Measurements& measurements);

  std::vector<Known> known_;  // newest last
  std::optional<Settings> settings_;
  measure::CompileMode mode_ = measure::CompileMode::AsWritten;
  std::vector<RungTime> times_;
};

}  // namespace warplens::app
