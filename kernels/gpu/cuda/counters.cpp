#include "kernels/gpu/cuda/counters.h"

#ifndef WARPLENS_CUPTI

namespace warplens::gpu {

struct CounterReader::Session {};
CounterReader::CounterReader(Gpu& gpu) : gpu_(gpu) {}
CounterReader::~CounterReader() = default;

measure::Counters CounterReader::read(const std::function<void()>&, const Watch&,
                                      const std::vector<std::string>&) {
  measure::Counters counters;
  counters.reason = "this warplens-gpu was built without CUPTI's range profiler (CUDA Toolkit 12.6 or newer)";
  return counters;
}

}  // namespace warplens::gpu

#else

#include <cupti_profiler_host.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "kernels/gpu/cuda/cupti.h"
#include "sim/report/counters.h"

namespace warplens::gpu {
namespace {

// What the report predicts, and the traffic behind the first-level cache; those that a GPU lacks are left
// out. Those of smsp__sass_* come from instrumented machine code, which the range profiler does not do.
std::vector<std::string> our_metrics() {
  std::vector<std::string> metrics;
  for (const report::Counter& counter : report::counters())
    if (!std::string_view(counter.name).starts_with("smsp__sass_")) metrics.push_back(counter.name);
  for (const char* traffic : {"lts__t_sectors.sum", "dram__bytes_read.sum", "dram__bytes_write.sum"})
    metrics.push_back(traffic);
  return metrics;
}

// clang-format off
#define WARPLENS_CUPTI_FUNCTIONS(X) \
  X(cuptiProfilerInitialize) \
  X(cuptiDeviceGetChipName) \
  X(cuptiProfilerGetCounterAvailability) \
  X(cuptiProfilerHostInitialize) \
  X(cuptiProfilerHostDeinitialize) \
  X(cuptiProfilerHostGetBaseMetrics) \
  X(cuptiProfilerHostConfigAddMetrics) \
  X(cuptiProfilerHostGetConfigImageSize) \
  X(cuptiProfilerHostGetConfigImage) \
  X(cuptiProfilerHostEvaluateToGpuValues) \
  X(cuptiRangeProfilerEnable) \
  X(cuptiRangeProfilerDisable) \
  X(cuptiRangeProfilerGetCounterDataSize) \
  X(cuptiRangeProfilerCounterDataImageInitialize) \
  X(cuptiRangeProfilerSetConfig) \
  X(cuptiRangeProfilerStart) \
  X(cuptiRangeProfilerStop) \
  X(cuptiRangeProfilerDecodeData)
// clang-format on

std::string without_rollup(const std::string& metric) {
  return metric.substr(0, metric.find('.'));
}

}  // namespace

struct CounterReader::Session {
  Cupti cupti;
  WARPLENS_CUPTI_FUNCTIONS(WARPLENS_CUPTI_MEMBER)
  CUpti_Profiler_Host_Object* host = nullptr;
  std::set<std::string> known;             // every counter of this GPU, without its roll-up (".sum")
  std::vector<std::string> names;          // those that are read
  std::vector<const char*> metrics;        // the same, as CUPTI takes them
  std::vector<std::uint8_t> availability;  // the host object goes on reading it
  std::vector<std::uint8_t> config;

  explicit Session(Gpu& gpu) : cupti(gpu) { WARPLENS_CUPTI_FUNCTIONS(WARPLENS_CUPTI_LOOK_UP) }
  ~Session() { close_host(); }
  void start(CUcontext context);
  void open_host();
  void close_host();
  void list_known();
  void choose(const std::vector<std::string>& more);
  void make_config();
  measure::Counters collect(const Gpu& gpu, const std::function<void()>& launch_and_wait);
  std::vector<std::uint8_t> empty_data(CUpti_RangeProfiler_Object* object);
  void configure(CUpti_RangeProfiler_Object* object, std::vector<std::uint8_t>& data);
  measure::Counters evaluate(const std::vector<std::uint8_t>& data);
};

void CounterReader::Session::start(CUcontext context) {
  auto first = WARPLENS_CUPTI_BLOCK(CUpti_Profiler_Initialize_Params);
  cupti.check(cuptiProfilerInitialize(&first), "to start");
  auto available = WARPLENS_CUPTI_BLOCK(CUpti_Profiler_GetCounterAvailability_Params);
  available.ctx = context;
  cupti.check(cuptiProfilerGetCounterAvailability(&available), "to say which counters there are");
  availability.resize(available.counterAvailabilityImageSize);
  available.pCounterAvailabilityImage = availability.data();
  cupti.check(cuptiProfilerGetCounterAvailability(&available), "to say which counters there are");
}

// A host object gathers counters and cannot forget them, so each set of counters has its own.
void CounterReader::Session::open_host() {
  close_host();
  auto chip = WARPLENS_CUPTI_BLOCK(CUpti_Device_GetChipName_Params);
  cupti.check(cuptiDeviceGetChipName(&chip), "to name the chip");
  auto open = WARPLENS_CUPTI_BLOCK(CUpti_Profiler_Host_Initialize_Params);
  open.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
  open.pChipName = chip.pChipName;
  open.pCounterAvailabilityImage = availability.data();
  cupti.check(cuptiProfilerHostInitialize(&open), "to open the host side");
  host = open.pHostObject;
}

void CounterReader::Session::close_host() {
  if (host == nullptr) return;
  auto params = WARPLENS_CUPTI_BLOCK(CUpti_Profiler_Host_Deinitialize_Params);
  params.pHostObject = host;
  cuptiProfilerHostDeinitialize(&params);
  host = nullptr;
}

void CounterReader::Session::list_known() {
  for (const CUpti_MetricType type :
       {CUPTI_METRIC_TYPE_COUNTER, CUPTI_METRIC_TYPE_RATIO, CUPTI_METRIC_TYPE_THROUGHPUT}) {
    auto base = WARPLENS_CUPTI_BLOCK(CUpti_Profiler_Host_GetBaseMetrics_Params);
    base.pHostObject = host;
    base.metricType = type;
    cupti.check(cuptiProfilerHostGetBaseMetrics(&base), "to list its counters");
    for (std::size_t i = 0; i < base.numMetrics; ++i) known.insert(base.ppMetricNames[i]);
  }
}

// One unknown name would spoil the whole set, so names are looked up first: ours are left out where a GPU
// lacks them, those that were asked for are not.
void CounterReader::Session::choose(const std::vector<std::string>& more) {
  std::vector<std::string> wanted;
  for (const std::string& metric : our_metrics())
    if (known.count(without_rollup(metric)) > 0) wanted.push_back(metric);
  for (const std::string& metric : more) {
    if (known.count(without_rollup(metric)) == 0)
      throw measure::FailureError(
          measure::FailureKind::BadRequest, Message("this GPU has no counter \"{}\"", metric),
          Message("Names are those of Nsight Compute, with their roll-up: lts__t_sectors.sum"));
    if (std::find(wanted.begin(), wanted.end(), metric) == wanted.end()) wanted.push_back(metric);
  }
  if (wanted.empty()) throw NoCounters{"this GPU has none of the counters that Warplens asks for"};
  if (wanted == names) return;
  open_host();
  names = std::move(wanted);
  metrics.clear();
  for (const std::string& name : names) metrics.push_back(name.c_str());
  make_config();
}

void CounterReader::Session::make_config() {
  auto add = WARPLENS_CUPTI_BLOCK(CUpti_Profiler_Host_ConfigAddMetrics_Params);
  add.pHostObject = host;
  add.ppMetricNames = metrics.data();
  add.numMetrics = metrics.size();
  cupti.check(cuptiProfilerHostConfigAddMetrics(&add), "to take the counters");
  auto size = WARPLENS_CUPTI_BLOCK(CUpti_Profiler_Host_GetConfigImageSize_Params);
  size.pHostObject = host;
  cupti.check(cuptiProfilerHostGetConfigImageSize(&size), "to plan the counters");
  config.resize(size.configImageSize);
  auto image = WARPLENS_CUPTI_BLOCK(CUpti_Profiler_Host_GetConfigImage_Params);
  image.pHostObject = host;
  image.configImageSize = config.size();
  image.pConfigImage = config.data();
  cupti.check(cuptiProfilerHostGetConfigImage(&image), "to plan the counters");
}

measure::Counters CounterReader::Session::collect(const Gpu& gpu,
                                                  const std::function<void()>& launch_and_wait) {
  auto enable = WARPLENS_CUPTI_BLOCK(CUpti_RangeProfiler_Enable_Params);
  enable.ctx = gpu.context();
  cupti.check(cuptiRangeProfilerEnable(&enable), "to switch the profiler on");
  CUpti_RangeProfiler_Object* object = enable.pRangeProfilerObject;
  const Finally disable(gpu.driver(), [this, object] {
    auto params = WARPLENS_CUPTI_BLOCK(CUpti_RangeProfiler_Disable_Params);
    params.pRangeProfilerObject = object;
    cuptiRangeProfilerDisable(&params);
  });
  std::vector<std::uint8_t> data = empty_data(object);
  configure(object, data);

  auto start = WARPLENS_CUPTI_BLOCK(CUpti_RangeProfiler_Start_Params);
  start.pRangeProfilerObject = object;
  cupti.check(cuptiRangeProfilerStart(&start), "to start counting");
  launch_and_wait();
  auto stop = WARPLENS_CUPTI_BLOCK(CUpti_RangeProfiler_Stop_Params);
  stop.pRangeProfilerObject = object;
  cupti.check(cuptiRangeProfilerStop(&stop), "to stop counting");
  auto decode = WARPLENS_CUPTI_BLOCK(CUpti_RangeProfiler_DecodeData_Params);
  decode.pRangeProfilerObject = object;
  cupti.check(cuptiRangeProfilerDecodeData(&decode), "to decode its data");
  return evaluate(data);
}

std::vector<std::uint8_t> CounterReader::Session::empty_data(CUpti_RangeProfiler_Object* object) {
  auto size = WARPLENS_CUPTI_BLOCK(CUpti_RangeProfiler_GetCounterDataSize_Params);
  size.pRangeProfilerObject = object;
  size.pMetricNames = metrics.data();
  size.numMetrics = metrics.size();
  size.maxNumOfRanges = 1;
  size.maxNumRangeTreeNodes = 1;
  cupti.check(cuptiRangeProfilerGetCounterDataSize(&size), "to size its data");
  std::vector<std::uint8_t> data(size.counterDataSize);
  auto clear = WARPLENS_CUPTI_BLOCK(CUpti_RangeProfiler_CounterDataImage_Initialize_Params);
  clear.pRangeProfilerObject = object;
  clear.counterDataSize = data.size();
  clear.pCounterData = data.data();
  cupti.check(cuptiRangeProfilerCounterDataImageInitialize(&clear), "to prepare its data");
  return data;
}

// One range, which is the one kernel; CUPTI repeats it by itself as often as the counters need.
void CounterReader::Session::configure(CUpti_RangeProfiler_Object* object, std::vector<std::uint8_t>& data) {
  auto set = WARPLENS_CUPTI_BLOCK(CUpti_RangeProfiler_SetConfig_Params);
  set.pRangeProfilerObject = object;
  set.configSize = config.size();
  set.pConfig = config.data();
  set.counterDataImageSize = data.size();
  set.pCounterDataImage = data.data();
  set.range = CUPTI_AutoRange;
  set.replayMode = CUPTI_KernelReplay;
  set.maxRangesPerPass = 1;
  set.numNestingLevels = 1;
  set.minNestingLevel = 1;
  cupti.check(cuptiRangeProfilerSetConfig(&set), "to take its configuration");
}

measure::Counters CounterReader::Session::evaluate(const std::vector<std::uint8_t>& data) {
  std::vector<double> values(metrics.size());
  auto params = WARPLENS_CUPTI_BLOCK(CUpti_Profiler_Host_EvaluateToGpuValues_Params);
  params.pHostObject = host;
  params.pCounterDataImage = data.data();
  params.counterDataImageSize = data.size();
  params.ppMetricNames = metrics.data();
  params.numMetrics = metrics.size();
  params.pMetricValues = values.data();
  cupti.check(cuptiProfilerHostEvaluateToGpuValues(&params), "to evaluate its data");
  measure::Counters counters;
  for (std::size_t i = 0; i < metrics.size(); ++i) counters.values[names[i]] = values[i];
  return counters;
}

CounterReader::CounterReader(Gpu& gpu) : gpu_(gpu) {}
CounterReader::~CounterReader() = default;

measure::Counters CounterReader::read(const std::function<void()>& launch, const Watch& watch,
                                      const std::vector<std::string>& more) {
  measure::Counters none;
  none.reason = no_counters_;
  if (!none.reason.empty()) return none;
  try {
    if (session_ == nullptr) {
      auto session = std::make_unique<Session>(gpu_);
      session->start(gpu_.context());
      session->open_host();
      session->list_known();
      session_ = std::move(session);
    }
    session_->choose(more);
    return session_->collect(gpu_, [&] {
      launch();
      gpu_.wait(watch);
    });
  } catch (const NoCounters& failed) {
    // Without the library or the permission it is not tried again; after that, each kernel has its own
    // chance.
    if (session_ == nullptr) no_counters_ = failed.reason;
    none.reason = failed.reason;
    return none;
  }
}

}  // namespace warplens::gpu

#endif
