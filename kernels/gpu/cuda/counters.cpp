#include "kernels/gpu/cuda/counters.h"

#ifndef WARPLENS_CUPTI

namespace warplens::gpu {
namespace {

Message built_without() {
  return Message("this warplens-gpu was built without CUPTI's range profiler (CUDA Toolkit 12.6 or newer)");
}

}  // namespace

ReadCounters counter_reader(Gpu&) {
  return [](const CountedLaunch&, const Watch&) {
    measure::Counters counters;
    counters.reason = built_without();
    return counters;
  };
}

ReadExactCounters exact_counter_reader(Gpu&) {
  return [](const auto&, const auto&, auto&) { return built_without(); };
}

}  // namespace warplens::gpu

#else

#include <cupti_profiler_host.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>

#include <algorithm>
#include <set>

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

// A set of counters that are read together, and how. A host object gathers counters and cannot forget them,
// so each set has its own.
struct Plan {
  std::vector<std::string> names;
  std::vector<const char*> metrics;  // the same, as CUPTI takes them
  CUpti_Profiler_Host_Object* host = nullptr;
  std::vector<std::uint8_t> config;
};

struct RangeSession {
  Cupti cupti;
  WARPLENS_CUPTI_FUNCTIONS(WARPLENS_CUPTI_MEMBER)
  std::vector<std::uint8_t> availability;  // the host objects go on reading it
  Plan all, traffic;

  explicit RangeSession(Gpu& gpu) : cupti(gpu) {
    WARPLENS_CUPTI_FUNCTIONS(WARPLENS_CUPTI_LOOK_UP)
    auto first = WARPLENS_CUPTI_BLOCK(CUpti_Profiler_Initialize_Params);
    cupti.check(cuptiProfilerInitialize(&first), "to start");
    auto available = WARPLENS_CUPTI_BLOCK(CUpti_Profiler_GetCounterAvailability_Params);
    available.ctx = gpu.context();
    cupti.check(cuptiProfilerGetCounterAvailability(&available), "to say which counters there are");
    availability.resize(available.counterAvailabilityImageSize);
    available.pCounterAvailabilityImage = availability.data();
    cupti.check(cuptiProfilerGetCounterAvailability(&available), "to say which counters there are");
    const std::set<std::string> known = list_known();
    make(all, our_metrics(), known);
    make(traffic, {std::begin(kTraffic), std::end(kTraffic)}, known);
  }
  ~RangeSession() {
    close(all);
    close(traffic);
  }

  void open(Plan& plan) {
    auto chip = WARPLENS_CUPTI_BLOCK(CUpti_Device_GetChipName_Params);
    cupti.check(cuptiDeviceGetChipName(&chip), "to name the chip");
    auto open = WARPLENS_CUPTI_BLOCK(CUpti_Profiler_Host_Initialize_Params);
    open.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    open.pChipName = chip.pChipName;
    open.pCounterAvailabilityImage = availability.data();
    cupti.check(cuptiProfilerHostInitialize(&open), "to open the host side");
    plan.host = open.pHostObject;
  }

  void close(Plan& plan) {
    if (plan.host == nullptr) return;
    auto params = WARPLENS_CUPTI_BLOCK(CUpti_Profiler_Host_Deinitialize_Params);
    params.pHostObject = plan.host;
    cuptiProfilerHostDeinitialize(&params);
  }

  // Every counter of this GPU, without its roll-up (".sum").
  std::set<std::string> list_known() {
    std::set<std::string> known;
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
    return known;
  }

  // One unknown name would spoil the whole set, so what the GPU lacks is left out.
  void make(Plan& plan, const std::vector<std::string>& ours, const std::set<std::string>& known) {
    for (const std::string& metric : ours)
      if (known.contains(metric.substr(0, metric.find('.')))) plan.names.push_back(metric);
    if (plan.names.empty())
      throw NoCounters{Message("this GPU has none of the counters that Warplens asks for")};
    for (const std::string& name : plan.names) plan.metrics.push_back(name.c_str());
    open(plan);
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

  measure::Counters collect(const Gpu& gpu, const CountedLaunch& counted) {
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
    counters.values = count(object, all, counted.empty_caches, counted.launch);
    counters.warm = count(object, traffic, counted.run_before, counted.launch);
    return counters;
  }

  std::map<std::string, double> count(CUpti_RangeProfiler_Object* object, const Plan& plan,
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
  bool count_one_pass(CUpti_RangeProfiler_Object* object, const std::function<void()>& launch_and_wait) {
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

  std::vector<std::uint8_t> empty_data(CUpti_RangeProfiler_Object* object, const Plan& plan) {
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

  // One range, which is the one kernel. It is repeated by us and not by CUPTI, whose own way of putting
  // memory back between the passes leaves it in the caches.
  void configure(CUpti_RangeProfiler_Object* object, const Plan& plan, std::vector<std::uint8_t>& data) {
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

  std::map<std::string, double> evaluate(const Plan& plan, const std::vector<std::uint8_t>& data) {
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
};

}  // namespace

ReadCounters counter_reader(Gpu& gpu) {
  return [&gpu, session = std::make_shared<Opened<RangeSession> >()](const CountedLaunch& counted,
                                                                     const Watch& watch) {
    measure::Counters counters;
    CountedLaunch waiting = counted;
    waiting.launch = [&] {
      counted.launch();
      gpu.wait(watch);
    };
    counters.reason =
        session->use(gpu, [&](RangeSession& opened) { counters = opened.collect(gpu, waiting); });
    return counters;
  };
}

}  // namespace warplens::gpu

#endif
