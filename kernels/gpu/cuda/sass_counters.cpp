#ifdef WARPLENS_CUPTI

#include <cupti_sass_metrics.h>
#include <cupti_target.h>

#include <cstdlib>
#include <set>

#include "kernels/gpu/cuda/counters.h"
#include "kernels/gpu/cuda/cupti.h"
#include "sim/report/counters.h"

namespace warplens::gpu {
namespace {

constexpr const char* kInstrumented = "smsp__sass_";

// What the report predicts, and what says more of it; those that a GPU lacks are left out.
std::set<std::string> wanted() {
  std::set<std::string> names{
      "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared.sum",
      "smsp__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
      "smsp__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
      "smsp__sass_data_bytes_mem_shared_op_ld.sum",
      "smsp__sass_data_bytes_mem_shared_op_st.sum",
  };
  for (const std::string_view name : report::counters())
    if (name.starts_with(kInstrumented)) names.emplace(name);
  return names;
}
constexpr std::uint32_t kDeviceIndex = 0;

#define WARPLENS_SASS_FUNCTIONS(X)     \
  X(cuptiProfilerInitialize)           \
  X(cuptiDeviceGetChipName)            \
  X(cuptiSassMetricsGetNumOfMetrics)   \
  X(cuptiSassMetricsGetMetrics)        \
  X(cuptiSassMetricsSetConfig)         \
  X(cuptiSassMetricsUnsetConfig)       \
  X(cuptiSassMetricsEnable)            \
  X(cuptiSassMetricsDisable)           \
  X(cuptiSassMetricsGetDataProperties) \
  X(cuptiSassMetricsFlushData)

struct SassSession {
  Cupti cupti;
  WARPLENS_SASS_FUNCTIONS(WARPLENS_CUPTI_MEMBER)
  std::map<std::uint64_t, std::string> names;  // by the metric's id
  std::vector<std::uint64_t> configured;       // the metrics that CUPTI was told of
  std::function<void()> prepare;

  explicit SassSession(Gpu& gpu) : cupti(gpu) {
    WARPLENS_SASS_FUNCTIONS(WARPLENS_CUPTI_LOOK_UP)
    auto first = WARPLENS_CUPTI_BLOCK(CUpti_Profiler_Initialize_Params);
    cupti.check(cuptiProfilerInitialize(&first), "to start");
    auto chip = WARPLENS_CUPTI_BLOCK(CUpti_Device_GetChipName_Params);
    cupti.check(cuptiDeviceGetChipName(&chip), "to name the chip");
    auto count = WARPLENS_CUPTI_BLOCK(CUpti_SassMetrics_GetNumOfMetrics_Params);
    count.pChipName = chip.pChipName;
    cupti.check(cuptiSassMetricsGetNumOfMetrics(&count), "to count its metrics");
    std::vector<CUpti_SassMetrics_MetricDetails> details(count.numOfMetrics);
    auto all = WARPLENS_CUPTI_BLOCK(CUpti_SassMetrics_GetMetrics_Params);
    all.pChipName = chip.pChipName;
    all.numOfMetrics = details.size();
    all.pMetricsList = details.data();
    cupti.check(cuptiSassMetricsGetMetrics(&all), "to list its metrics");
    const std::set<std::string> known = wanted();
    for (const auto& metric : details) {
      const std::string name = metric.pMetricName;
      const std::string sum = name.substr(0, name.find('.')) + ".sum";
      if (known.contains(sum)) names[metric.metricId] = sum;
    }
    if (names.empty())
      throw NoCounters{Message("CUPTI has none of the SASS metrics that Warplens asks for on this GPU")};
  }

  // A configuration stays for as long as it serves: CUPTI (13.0) has no memory for a second one in a process.
  void configure(const std::vector<std::uint64_t>& ids) {
    if (configured == ids) return;
    if (!configured.empty()) {
      auto unset = WARPLENS_CUPTI_BLOCK(CUpti_SassMetricsUnsetConfig_Params);
      unset.deviceIndex = kDeviceIndex;
      cuptiSassMetricsUnsetConfig(&unset);
      configured.clear();
    }
    std::vector<CUpti_SassMetrics_Config> configs;
    for (const std::uint64_t id : ids) {
      CUpti_SassMetrics_Config config{};
      config.metricId = id;
      config.outputGranularity = CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU;
      configs.push_back(config);
    }
    auto set = WARPLENS_CUPTI_BLOCK(CUpti_SassMetricsSetConfig_Params);
    set.numOfMetricConfig = configs.size();
    set.pConfigs = configs.data();
    set.deviceIndex = kDeviceIndex;
    cupti.check(cuptiSassMetricsSetConfig(&set), "to take the metrics");
    configured = ids;
  }

  void collect(const Gpu& gpu, const std::vector<std::uint64_t>& ids,
               const std::function<void()>& launch_and_wait, std::map<std::string, double>& values) {
    prepare();
    configure(ids);
    auto enable = WARPLENS_CUPTI_BLOCK(CUpti_SassMetricsEnable_Params);
    enable.ctx = gpu.context();
    enable.enableLazyPatching = 1;
    cupti.check(cuptiSassMetricsEnable(&enable), "to instrument the kernel");
    const Finally disable(gpu.driver(), [this, &gpu] {
      auto params = WARPLENS_CUPTI_BLOCK(CUpti_SassMetricsDisable_Params);
      params.ctx = gpu.context();
      cuptiSassMetricsDisable(&params);
    });
    launch_and_wait();
    take(gpu.context(), ids.size(), values);
  }

  // All in one launch; where that is too much at once, each in one of its own.
  void collect_all(const Gpu& gpu, const std::function<void()>& launch_and_wait,
                   std::map<std::string, double>& values) {
    std::vector<std::uint64_t> ids;
    std::map<std::string, double> found;
    for (const auto& [id, name] : names) {
      ids.push_back(id);
      found[name] = 0;
    }
    try {
      collect(gpu, ids, launch_and_wait, found);
      values = std::move(found);
      return;
    } catch (const NoCounters&) {
      if (ids.size() == 1) throw;
    }
    Message reason;
    for (const auto& [id, name] : names) try {
        std::map<std::string, double> one{{name, 0}};
        collect(gpu, {id}, launch_and_wait, one);
        values.insert(one.begin(), one.end());
      } catch (const NoCounters& failed) {
        reason = failed.reason;
      }
    if (values.empty()) throw NoCounters{reason};
  }

  // One record an instrumented instruction, in each one value a metric: their sum is the kernel's.
  void take(CUcontext context, std::size_t metrics, std::map<std::string, double>& values) {
    auto size = WARPLENS_CUPTI_BLOCK(CUpti_SassMetricsGetDataProperties_Params);
    size.ctx = context;
    cupti.check(cuptiSassMetricsGetDataProperties(&size), "to size its data");
    // A kernel without such an instruction has no record: all its counts are 0.
    const std::size_t room = std::max<std::size_t>(1, size.numOfInstances) * metrics;
    std::vector<CUpti_SassMetrics_InstanceValue> instances(size.numOfPatchedInstructionRecords * room);
    std::vector<CUpti_SassMetrics_Data> records(size.numOfPatchedInstructionRecords);
    for (std::size_t i = 0; i < records.size(); ++i) {
      records[i].structSize = CUpti_SassMetricsFlushData_Params_STRUCT_SIZE;  // as its header wants it
      records[i].pInstanceValues = instances.data() + i * room;
    }
    if (!records.empty()) {
      auto flush = WARPLENS_CUPTI_BLOCK(CUpti_SassMetricsFlushData_Params);
      flush.ctx = context;
      flush.numOfPatchedInstructionRecords = records.size();
      flush.numOfInstances = size.numOfInstances;
      flush.pMetricsData = records.data();
      cupti.check(cuptiSassMetricsFlushData(&flush), "to give its data");
    }
    for (const auto& instance : instances) {
      const auto name = names.find(instance.metricId);
      if (name != names.end()) values[name->second] += static_cast<double>(instance.value);
    }
  }
};

}  // namespace

ReadExactCounters exact_counter_reader(Gpu& gpu) {
  return [&gpu, session = std::make_shared<Opened<SassSession>>()](
             const auto& prepare, const auto& launch_and_wait, std::map<std::string, double>& values) {
    const char* wanted = std::getenv("WARPLENS_SASS");
    if (wanted != nullptr && std::string(wanted) == "0") return Message("switched off by WARPLENS_SASS=0");
    std::map<std::string, double> found;
    Message reason = session->use(gpu, [&](SassSession& opened) {
      opened.prepare = prepare;
      opened.collect_all(gpu, launch_and_wait, found);
    });
    if (reason.empty()) values.insert(found.begin(), found.end());
    return reason;
  };
}

}  // namespace warplens::gpu

#endif
