#include "kernels/gpu/cuda/counters.h"

#ifndef WARPLENS_CUPTI

namespace warplens::gpu {

struct CounterReader::Cupti {};
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

namespace warplens::gpu {
namespace {

// By the names that Nsight Compute gives them; those that a GPU lacks are left out. Those of smsp__sass_* are
// not here: they come from instrumented machine code, which the range profiler does not do.
constexpr const char* kMetrics[] = {
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum",
    "smsp__inst_executed_op_shared_ld.sum",
    "smsp__inst_executed_op_shared_st.sum",
    "smsp__inst_executed_op_shared_ld_pred_on_any.sum",
    "smsp__inst_executed_op_shared_st_pred_on_any.sum",
    "lts__t_sectors.sum",
    "dram__bytes_read.sum",
    "dram__bytes_write.sum",
};

#define WARPLENS_CUPTI_FUNCTIONS(X)                                                                          \
  X(cuptiGetErrorMessage)                                                                                    \
  X(cuptiProfilerInitialize)                                                                                 \
  X(cuptiDeviceGetChipName)                                                                                  \
  X(cuptiProfilerGetCounterAvailability)                                                                     \
  X(cuptiProfilerHostInitialize)                                                                             \
  X(cuptiProfilerHostDeinitialize)                                                                           \
  X(cuptiProfilerHostGetBaseMetrics)                                                                         \
  X(cuptiProfilerHostConfigAddMetrics) X(cuptiProfilerHostGetConfigImageSize)                                \
      X(cuptiProfilerHostGetConfigImage) X(cuptiProfilerHostEvaluateToGpuValues) X(cuptiRangeProfilerEnable) \
          X(cuptiRangeProfilerDisable) X(cuptiRangeProfilerGetCounterDataSize)                               \
              X(cuptiRangeProfilerCounterDataImageInitialize) X(cuptiRangeProfilerSetConfig)                 \
                  X(cuptiRangeProfilerStart) X(cuptiRangeProfilerStop) X(cuptiRangeProfilerDecodeData)

// A parameter block as CUPTI wants it: zeros, and its own size.
template <typename Params>
Params block(std::size_t size) {
  Params params{};
  params.structSize = size;
  return params;
}
#define WARPLENS_BLOCK(type) block<type>(type##_STRUCT_SIZE)

struct NoCounters {
  std::string reason;
};

std::string without_rollup(const std::string& metric) {
  return metric.substr(0, metric.find('.'));
}

}  // namespace

struct CounterReader::Cupti {
  SharedLibrary library;
#define WARPLENS_MEMBER(name) decltype(&::name) name = nullptr;
  WARPLENS_CUPTI_FUNCTIONS(WARPLENS_MEMBER)
#undef WARPLENS_MEMBER
  CUpti_Profiler_Host_Object* host = nullptr;
  std::set<std::string> known;             // every counter of this GPU, without its roll-up (".sum")
  std::vector<std::string> names;          // those that are read
  std::vector<const char*> metrics;        // the same, as CUPTI takes them
  std::vector<std::uint8_t> availability;  // the host object goes on reading it
  std::vector<std::uint8_t> config;

  ~Cupti() {
    close_host();
  }
  void check(CUptiResult result, const char* what) const;
  void load(int cuda_major);
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

void CounterReader::Cupti::check(CUptiResult result, const char* what) const {
  if (result == CUPTI_SUCCESS) return;
  if (result == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES)
    throw NoCounters{
        "this user may not read the GPU's counters. An administrator can allow it with the driver option "
        "NVreg_RestrictProfilingToAdminUsers=0 (modprobe nvidia), or run warplens-gpu as root"};
  const char* words = nullptr;
  cuptiGetErrorMessage(result, &words);
  throw NoCounters{std::string("CUPTI failed ") + what + ": " + (words != nullptr ? words : "unknown error") +
                   " (" + std::to_string(static_cast<int>(result)) + ")"};
}

void CounterReader::Cupti::load(int cuda_major) {
  std::vector<std::string> files;
  for (int major = cuda_major; major >= 12; --major) files.push_back("libcupti.so." + std::to_string(major));
  library = SharedLibrary::open(files, cuda_library_folders());
  if (!library) throw NoCounters{"CUPTI (libcupti.so of the CUDA Toolkit) was not found"};
#define WARPLENS_LOOK_UP(name)                                    \
  name = reinterpret_cast<decltype(name)>(library.symbol(#name)); \
  if (name == nullptr)                                            \
    throw NoCounters{library.path() + " is too old: it has no " #name " (CUDA Toolkit 12.6)"};
  WARPLENS_CUPTI_FUNCTIONS(WARPLENS_LOOK_UP)
#undef WARPLENS_LOOK_UP
}

void CounterReader::Cupti::start(CUcontext context) {
  auto first = WARPLENS_BLOCK(CUpti_Profiler_Initialize_Params);
  check(cuptiProfilerInitialize(&first), "to start");
  auto available = WARPLENS_BLOCK(CUpti_Profiler_GetCounterAvailability_Params);
  available.ctx = context;
  check(cuptiProfilerGetCounterAvailability(&available), "to say which counters there are");
  availability.resize(available.counterAvailabilityImageSize);
  available.pCounterAvailabilityImage = availability.data();
  check(cuptiProfilerGetCounterAvailability(&available), "to say which counters there are");
}

// A host object gathers counters and cannot forget them, so each set of counters has its own.
void CounterReader::Cupti::open_host() {
  close_host();
  auto chip = WARPLENS_BLOCK(CUpti_Device_GetChipName_Params);
  check(cuptiDeviceGetChipName(&chip), "to name the chip");
  auto open = WARPLENS_BLOCK(CUpti_Profiler_Host_Initialize_Params);
  open.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
  open.pChipName = chip.pChipName;
  open.pCounterAvailabilityImage = availability.data();
  check(cuptiProfilerHostInitialize(&open), "to open the host side");
  host = open.pHostObject;
}

void CounterReader::Cupti::close_host() {
  if (host == nullptr) return;
  auto params = WARPLENS_BLOCK(CUpti_Profiler_Host_Deinitialize_Params);
  params.pHostObject = host;
  cuptiProfilerHostDeinitialize(&params);
  host = nullptr;
}

void CounterReader::Cupti::list_known() {
  for (const CUpti_MetricType type :
       {CUPTI_METRIC_TYPE_COUNTER, CUPTI_METRIC_TYPE_RATIO, CUPTI_METRIC_TYPE_THROUGHPUT}) {
    auto base = WARPLENS_BLOCK(CUpti_Profiler_Host_GetBaseMetrics_Params);
    base.pHostObject = host;
    base.metricType = type;
    check(cuptiProfilerHostGetBaseMetrics(&base), "to list its counters");
    for (std::size_t i = 0; i < base.numMetrics; ++i) known.insert(base.ppMetricNames[i]);
  }
}

// One unknown name would spoil the whole set, so names are looked up first: ours are left out where a GPU
// lacks them, those that were asked for are not.
void CounterReader::Cupti::choose(const std::vector<std::string>& more) {
  std::vector<std::string> wanted;
  for (const char* metric : kMetrics)
    if (known.count(without_rollup(metric)) > 0) wanted.push_back(metric);
  for (const std::string& metric : more) {
    if (known.count(without_rollup(metric)) == 0)
      throw measure::FailureError(
          measure::FailureKind::BadRequest, "this GPU has no counter \"" + metric + "\"",
          "Names are those of Nsight Compute, with their roll-up: lts__t_sectors.sum");
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

void CounterReader::Cupti::make_config() {
  auto add = WARPLENS_BLOCK(CUpti_Profiler_Host_ConfigAddMetrics_Params);
  add.pHostObject = host;
  add.ppMetricNames = metrics.data();
  add.numMetrics = metrics.size();
  check(cuptiProfilerHostConfigAddMetrics(&add), "to take the counters");
  auto size = WARPLENS_BLOCK(CUpti_Profiler_Host_GetConfigImageSize_Params);
  size.pHostObject = host;
  check(cuptiProfilerHostGetConfigImageSize(&size), "to plan the counters");
  config.resize(size.configImageSize);
  auto image = WARPLENS_BLOCK(CUpti_Profiler_Host_GetConfigImage_Params);
  image.pHostObject = host;
  image.configImageSize = config.size();
  image.pConfigImage = config.data();
  check(cuptiProfilerHostGetConfigImage(&image), "to plan the counters");
}

namespace {

// Switches the profiler off again, whatever happens in between.
template <typename Disable>
class Enabled {
 public:
  Enabled(CUpti_RangeProfiler_Object* object, Disable disable, const Driver& driver)
      : object_(object), disable_(disable), driver_(driver) {}
  ~Enabled() {
    if (driver_.lost) return;
    auto params = WARPLENS_BLOCK(CUpti_RangeProfiler_Disable_Params);
    params.pRangeProfilerObject = object_;
    disable_(&params);
  }
  Enabled(const Enabled&) = delete;

 private:
  CUpti_RangeProfiler_Object* object_;
  Disable disable_;
  const Driver& driver_;
};

}  // namespace

measure::Counters CounterReader::Cupti::collect(const Gpu& gpu,
                                                const std::function<void()>& launch_and_wait) {
  auto enable = WARPLENS_BLOCK(CUpti_RangeProfiler_Enable_Params);
  enable.ctx = gpu.context();
  check(cuptiRangeProfilerEnable(&enable), "to switch the profiler on");
  CUpti_RangeProfiler_Object* object = enable.pRangeProfilerObject;
  const Enabled enabled(object, cuptiRangeProfilerDisable, gpu.driver());
  std::vector<std::uint8_t> data = empty_data(object);
  configure(object, data);

  auto start = WARPLENS_BLOCK(CUpti_RangeProfiler_Start_Params);
  start.pRangeProfilerObject = object;
  check(cuptiRangeProfilerStart(&start), "to start counting");
  launch_and_wait();
  auto stop = WARPLENS_BLOCK(CUpti_RangeProfiler_Stop_Params);
  stop.pRangeProfilerObject = object;
  check(cuptiRangeProfilerStop(&stop), "to stop counting");
  auto decode = WARPLENS_BLOCK(CUpti_RangeProfiler_DecodeData_Params);
  decode.pRangeProfilerObject = object;
  check(cuptiRangeProfilerDecodeData(&decode), "to decode its data");
  return evaluate(data);
}

std::vector<std::uint8_t> CounterReader::Cupti::empty_data(CUpti_RangeProfiler_Object* object) {
  auto size = WARPLENS_BLOCK(CUpti_RangeProfiler_GetCounterDataSize_Params);
  size.pRangeProfilerObject = object;
  size.pMetricNames = metrics.data();
  size.numMetrics = metrics.size();
  size.maxNumOfRanges = 1;
  size.maxNumRangeTreeNodes = 1;
  check(cuptiRangeProfilerGetCounterDataSize(&size), "to size its data");
  std::vector<std::uint8_t> data(size.counterDataSize);
  auto clear = WARPLENS_BLOCK(CUpti_RangeProfiler_CounterDataImage_Initialize_Params);
  clear.pRangeProfilerObject = object;
  clear.counterDataSize = data.size();
  clear.pCounterData = data.data();
  check(cuptiRangeProfilerCounterDataImageInitialize(&clear), "to prepare its data");
  return data;
}

// One range, which is the one kernel; CUPTI repeats it by itself as often as the counters need.
void CounterReader::Cupti::configure(CUpti_RangeProfiler_Object* object, std::vector<std::uint8_t>& data) {
  auto set = WARPLENS_BLOCK(CUpti_RangeProfiler_SetConfig_Params);
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
  check(cuptiRangeProfilerSetConfig(&set), "to take its configuration");
}

measure::Counters CounterReader::Cupti::evaluate(const std::vector<std::uint8_t>& data) {
  std::vector<double> values(metrics.size());
  auto params = WARPLENS_BLOCK(CUpti_Profiler_Host_EvaluateToGpuValues_Params);
  params.pHostObject = host;
  params.pCounterDataImage = data.data();
  params.counterDataImageSize = data.size();
  params.ppMetricNames = metrics.data();
  params.numMetrics = metrics.size();
  params.pMetricValues = values.data();
  check(cuptiProfilerHostEvaluateToGpuValues(&params), "to evaluate its data");
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
    if (cupti_ == nullptr) {
      auto cupti = std::make_unique<Cupti>();
      cupti->load(std::atoi(gpu_.info().cuda.c_str()));
      cupti->start(gpu_.context());
      cupti->open_host();
      cupti->list_known();
      cupti_ = std::move(cupti);
    }
    cupti_->choose(more);
    return cupti_->collect(gpu_, [&] {
      launch();
      gpu_.wait(watch);
    });
  } catch (const NoCounters& failed) {
    // Without the library or the permission it is not tried again; after that, each kernel has its own
    // chance.
    if (cupti_ == nullptr) no_counters_ = failed.reason;
    none.reason = failed.reason;
    return none;
  }
}

}  // namespace warplens::gpu

#endif
