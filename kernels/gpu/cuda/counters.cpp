#include "kernels/gpu/cuda/counters.h"

#ifndef WARPLENS_CUPTI

namespace warplens::gpu {

struct CounterReader::Session {};
CounterReader::CounterReader(Gpu& gpu) : gpu_(gpu) {}
CounterReader::~CounterReader() = default;

measure::Counters CounterReader::read(const CountedLaunch&, const Watch&, const std::vector<std::string>&) {
  measure::Counters counters;
  counters.reason =
      Message("this warplens-gpu was built without CUPTI's range profiler (CUDA Toolkit 12.6 or newer)");
  return counters;
}

}  // namespace warplens::gpu

#else

#include <cupti_profiler_host.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>

#include <algorithm>
#include <list>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "kernels/gpu/cuda/cupti.h"
#include "sim/report/counters.h"

namespace warplens::gpu {
namespace {

// Behind the first-level cache: all that depends on what the caches hold before.
constexpr const char* kTraffic[] = {
    "l1tex__m_xbar2l1tex_read_sectors_mem_lg_op_ld.sum",
    "l1tex__m_l1tex2xbar_write_sectors_mem_lg_op_st.sum",
    "lts__t_sectors.sum",
    "lts__t_sectors_srcunit_tex.sum",
    "lts__t_sectors_srcunit_tex_lookup_hit.sum",
    "lts__t_sectors_srcunit_tex_lookup_miss.sum",
    "lts__t_sectors_srcunit_tex_op_read.sum",
    "lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum",
    "lts__t_sectors_srcunit_tex_op_read_lookup_miss.sum",
    "lts__t_sectors_srcunit_tex_op_write.sum",
    "lts__t_sectors_srcunit_ltcfabric.sum",
    "lts__t_sectors_op_atom.sum",
    "lts__t_sectors_op_red.sum",
    "lts__t_sector_hit_rate.pct",
    "dram__bytes_read.sum",
    "dram__bytes_write.sum",
    "gpu__time_duration.sum",
    "sm__cycles_elapsed.max",
    "dram__throughput.avg.pct_of_peak_sustained_elapsed",
    "lts__t_sectors.avg.pct_of_peak_sustained_elapsed",
};

// What the multiprocessors did.
constexpr const char* kPipes[] = {
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum",
    "l1tex__t_output_wavefronts.sum",
    "l1tex__data_pipe_lsu_wavefronts.sum",
    "l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed",
    "l1tex__lsuin_requests.sum",
    "l1tex__lsu_writeback_active.sum",
    "smsp__inst_executed.sum",
    "smsp__inst_issued.sum",
    "sm__inst_executed_pipe_fma.sum",
    "sm__inst_executed_pipe_fp64.sum",
    "sm__inst_executed.avg.pct_of_peak_sustained_elapsed",
    "sm__warps_active.avg.per_cycle_active",
};

// What the report predicts, what the caches' model predicts, and what the bounds are made of; those that a
// GPU lacks are left out. Those of smsp__sass_* come from instrumented machine code, which the range profiler
// does not do.
std::vector<std::string> our_metrics() {
  std::vector<std::string> metrics(std::begin(kTraffic), std::end(kTraffic));
  for (const std::string_view name : report::counters())
    if (!name.starts_with("smsp__sass_")) metrics.emplace_back(name);
  metrics.insert(metrics.end(), std::begin(kPipes), std::end(kPipes));
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
  X(cuptiRangeProfilerPushRange) \
  X(cuptiRangeProfilerPopRange) \
  X(cuptiRangeProfilerDecodeData)
// clang-format on

std::string without_rollup(const std::string& metric) {
  return metric.substr(0, metric.find('.'));
}

constexpr std::size_t kKeptPlans = 4;

}  // namespace

struct CounterReader::Session {
  // A set of counters that are read together, and how. A host object gathers counters and cannot forget them,
  // so each set has its own.
  struct Plan {
    std::vector<std::string> names;
    std::vector<const char*> metrics;  // the same, as CUPTI takes them
    CUpti_Profiler_Host_Object* host = nullptr;
    std::vector<std::uint8_t> config;
  };
  Cupti cupti;
  WARPLENS_CUPTI_FUNCTIONS(WARPLENS_CUPTI_MEMBER)
  std::set<std::string> known;             // every counter of this GPU, without its roll-up (".sum")
  std::vector<std::uint8_t> availability;  // the host objects go on reading it
  std::list<Plan> plans;                   // the last used first

  explicit Session(Gpu& gpu) : cupti(gpu) { WARPLENS_CUPTI_FUNCTIONS(WARPLENS_CUPTI_LOOK_UP) }
  ~Session() {
    for (Plan& plan : plans) close(plan);
  }
  void start(CUcontext context);
  void open(Plan& plan);
  void close(Plan& plan);
  void list_known();
  std::vector<std::string> choose(std::vector<std::string> ours) const;
  const Plan& plan_of(const std::vector<std::string>& names);
  void make_config(Plan& plan);
  measure::Counters collect(const Gpu& gpu, const CountedLaunch& counted);
  std::map<std::string, double> count(CUpti_RangeProfiler_Object* object, const Plan& plan,
                                      const std::function<void()>& start_anew,
                                      const std::function<void()>& launch);
  bool count_one_pass(CUpti_RangeProfiler_Object* object, const std::function<void()>& launch_and_wait);
  std::vector<std::uint8_t> empty_data(CUpti_RangeProfiler_Object* object, const Plan& plan);
  void configure(CUpti_RangeProfiler_Object* object, const Plan& plan, std::vector<std::uint8_t>& data);
  std::map<std::string, double> evaluate(const Plan& plan, const std::vector<std::uint8_t>& data);
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

void CounterReader::Session::open(Plan& plan) {
  auto chip = WARPLENS_CUPTI_BLOCK(CUpti_Device_GetChipName_Params);
  cupti.check(cuptiDeviceGetChipName(&chip), "to name the chip");
  auto open = WARPLENS_CUPTI_BLOCK(CUpti_Profiler_Host_Initialize_Params);
  open.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
  open.pChipName = chip.pChipName;
  open.pCounterAvailabilityImage = availability.data();
  cupti.check(cuptiProfilerHostInitialize(&open), "to open the host side");
  plan.host = open.pHostObject;
}

void CounterReader::Session::close(Plan& plan) {
  if (plan.host == nullptr) return;
  auto params = WARPLENS_CUPTI_BLOCK(CUpti_Profiler_Host_Deinitialize_Params);
  params.pHostObject = plan.host;
  cuptiProfilerHostDeinitialize(&params);
  plan.host = nullptr;
}

void CounterReader::Session::list_known() {
  Plan any;
  open(any);
  for (const CUpti_MetricType type :
       {CUPTI_METRIC_TYPE_COUNTER, CUPTI_METRIC_TYPE_RATIO, CUPTI_METRIC_TYPE_THROUGHPUT}) {
    auto base = WARPLENS_CUPTI_BLOCK(CUpti_Profiler_Host_GetBaseMetrics_Params);
    base.pHostObject = any.host;
    base.metricType = type;
    cupti.check(cuptiProfilerHostGetBaseMetrics(&base), "to list its counters");
    for (std::size_t i = 0; i < base.numMetrics; ++i) known.insert(base.ppMetricNames[i]);
  }
  close(any);
}

// One unknown name would spoil the whole set, so what the GPU lacks is left out.
std::vector<std::string> CounterReader::Session::choose(std::vector<std::string> ours) const {
  std::vector<std::string> wanted;
  for (std::string& metric : ours)
    if (known.count(without_rollup(metric)) > 0) wanted.push_back(std::move(metric));
  if (wanted.empty()) throw NoCounters{Message("this GPU has none of the counters that Warplens asks for")};
  return wanted;
}

const CounterReader::Session::Plan& CounterReader::Session::plan_of(const std::vector<std::string>& names) {
  for (auto plan = plans.begin(); plan != plans.end(); ++plan)
    if (plan->names == names) {
      plans.splice(plans.begin(), plans, plan);
      return plans.front();
    }
  if (plans.size() >= kKeptPlans) {
    close(plans.back());
    plans.pop_back();
  }
  Plan plan;
  plan.names = names;
  open(plan);
  plans.push_front(std::move(plan));
  for (const std::string& name : plans.front().names) plans.front().metrics.push_back(name.c_str());
  make_config(plans.front());
  return plans.front();
}

void CounterReader::Session::make_config(Plan& plan) {
  auto add = WARPLENS_CUPTI_BLOCK(CUpti_Profiler_Host_ConfigAddMetrics_Params);
  add.pHostObject = plan.host;
  add.ppMetricNames = plan.metrics.data();
  add.numMetrics = plan.metrics.size();
  cupti.check(cuptiProfilerHostConfigAddMetrics(&add), "to take the counters");
  auto size = WARPLENS_CUPTI_BLOCK(CUpti_Profiler_Host_GetConfigImageSize_Params);
  size.pHostObject = plan.host;
  cupti.check(cuptiProfilerHostGetConfigImageSize(&size), "to plan the counters");
  plan.config.resize(size.configImageSize);
  auto image = WARPLENS_CUPTI_BLOCK(CUpti_Profiler_Host_GetConfigImage_Params);
  image.pHostObject = plan.host;
  image.configImageSize = plan.config.size();
  image.pConfigImage = plan.config.data();
  cupti.check(cuptiProfilerHostGetConfigImage(&image), "to plan the counters");
}

measure::Counters CounterReader::Session::collect(const Gpu& gpu, const CountedLaunch& counted) {
  auto enable = WARPLENS_CUPTI_BLOCK(CUpti_RangeProfiler_Enable_Params);
  enable.ctx = gpu.context();
  cupti.check(cuptiRangeProfilerEnable(&enable), "to switch the profiler on");
  CUpti_RangeProfiler_Object* object = enable.pRangeProfilerObject;
  const Finally disable(gpu.driver(), [this, object] {
    auto params = WARPLENS_CUPTI_BLOCK(CUpti_RangeProfiler_Disable_Params);
    params.pRangeProfilerObject = object;
    cuptiRangeProfilerDisable(&params);
  });
  measure::Counters counters;
  counters.values = count(object, plan_of(choose(our_metrics())), counted.empty_caches, counted.launch);
  const std::vector<std::string> traffic(std::begin(kTraffic), std::end(kTraffic));
  counters.warm = count(object, plan_of(choose(traffic)), counted.run_before, counted.launch);
  return counters;
}

std::map<std::string, double> CounterReader::Session::count(CUpti_RangeProfiler_Object* object,
                                                            const Plan& plan,
                                                            const std::function<void()>& start_anew,
                                                            const std::function<void()>& launch) {
  std::vector<std::uint8_t> data = empty_data(object, plan);
  configure(object, plan, data);
  do start_anew();
  while (!count_one_pass(object, launch));
  auto decode = WARPLENS_CUPTI_BLOCK(CUpti_RangeProfiler_DecodeData_Params);
  decode.pRangeProfilerObject = object;
  cupti.check(cuptiRangeProfilerDecodeData(&decode), "to decode its data");
  return evaluate(plan, data);
}

// Some of the counters, as many as the hardware can count at a time. True: that was the last pass.
bool CounterReader::Session::count_one_pass(CUpti_RangeProfiler_Object* object,
                                            const std::function<void()>& launch_and_wait) {
  auto start = WARPLENS_CUPTI_BLOCK(CUpti_RangeProfiler_Start_Params);
  start.pRangeProfilerObject = object;
  cupti.check(cuptiRangeProfilerStart(&start), "to start counting");
  auto push = WARPLENS_CUPTI_BLOCK(CUpti_RangeProfiler_PushRange_Params);
  push.pRangeProfilerObject = object;
  push.pRangeName = "kernel";
  cupti.check(cuptiRangeProfilerPushRange(&push), "to start counting");
  launch_and_wait();
  auto pop = WARPLENS_CUPTI_BLOCK(CUpti_RangeProfiler_PopRange_Params);
  pop.pRangeProfilerObject = object;
  cupti.check(cuptiRangeProfilerPopRange(&pop), "to stop counting");
  auto stop = WARPLENS_CUPTI_BLOCK(CUpti_RangeProfiler_Stop_Params);
  stop.pRangeProfilerObject = object;
  cupti.check(cuptiRangeProfilerStop(&stop), "to stop counting");
  return stop.isAllPassSubmitted != 0;
}

std::vector<std::uint8_t> CounterReader::Session::empty_data(CUpti_RangeProfiler_Object* object,
                                                             const Plan& plan) {
  auto size = WARPLENS_CUPTI_BLOCK(CUpti_RangeProfiler_GetCounterDataSize_Params);
  size.pRangeProfilerObject = object;
  size.pMetricNames = const_cast<const char**>(plan.metrics.data());
  size.numMetrics = plan.metrics.size();
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

// One range, which is the one kernel. It is repeated by us and not by CUPTI, whose own way of putting memory
// back between the passes leaves it in the caches.
void CounterReader::Session::configure(CUpti_RangeProfiler_Object* object, const Plan& plan,
                                       std::vector<std::uint8_t>& data) {
  auto set = WARPLENS_CUPTI_BLOCK(CUpti_RangeProfiler_SetConfig_Params);
  set.pRangeProfilerObject = object;
  set.configSize = plan.config.size();
  set.pConfig = plan.config.data();
  set.counterDataImageSize = data.size();
  set.pCounterDataImage = data.data();
  set.range = CUPTI_UserRange;
  set.replayMode = CUPTI_UserReplay;
  set.maxRangesPerPass = 1;
  set.numNestingLevels = 1;
  set.minNestingLevel = 1;
  cupti.check(cuptiRangeProfilerSetConfig(&set), "to take its configuration");
}

std::map<std::string, double> CounterReader::Session::evaluate(const Plan& plan,
                                                               const std::vector<std::uint8_t>& data) {
  std::vector<double> values(plan.metrics.size());
  auto params = WARPLENS_CUPTI_BLOCK(CUpti_Profiler_Host_EvaluateToGpuValues_Params);
  params.pHostObject = plan.host;
  params.pCounterDataImage = data.data();
  params.counterDataImageSize = data.size();
  params.ppMetricNames = const_cast<const char**>(plan.metrics.data());
  params.numMetrics = plan.metrics.size();
  params.pMetricValues = values.data();
  cupti.check(cuptiProfilerHostEvaluateToGpuValues(&params), "to evaluate its data");
  std::map<std::string, double> named;
  for (std::size_t i = 0; i < values.size(); ++i) named[plan.names[i]] = values[i];
  return named;
}

CounterReader::CounterReader(Gpu& gpu) : gpu_(gpu) {}
CounterReader::~CounterReader() = default;

measure::Counters CounterReader::read(const CountedLaunch& counted, const Watch& watch) {
  measure::Counters none;
  none.reason = no_counters_;
  if (!none.reason.empty()) return none;
  try {
    if (session_ == nullptr) {
      auto session = std::make_unique<Session>(gpu_);
      session->start(gpu_.context());
      session->list_known();
      session_ = std::move(session);
    }
    CountedLaunch waiting = counted;
    waiting.launch = [&] {
      counted.launch();
      gpu_.wait(watch);
    };
    return session_->collect(gpu_, waiting);
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
