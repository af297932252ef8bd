#include "kernels/gpu/cuda/sass_counters.h"

#ifndef WARPLENS_CUPTI_SASS

namespace warplens::gpu {

struct SassCounters::Cupti {};
SassCounters::SassCounters(Gpu& gpu) : gpu_(gpu) {}
SassCounters::~SassCounters() = default;

std::string SassCounters::read(const std::function<void()>&, const std::function<void()>&,
                               std::map<std::string, double>&) {
  return "this warplens-gpu was built without CUPTI's SASS metrics (CUDA Toolkit 12.4 or newer)";
}

}  // namespace warplens::gpu

#else

#include <cupti_sass_metrics.h>
#include <cupti_target.h>

#include <cstdlib>
#include <set>
#include <vector>

namespace warplens::gpu {
namespace {

// Those that a GPU lacks are left out.
const std::set<std::string> kWanted{
    "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared",
    "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared",
    "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld",
    "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st",
    "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_atom",
    "smsp__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_ld",
    "smsp__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_st",
    "smsp__sass_data_bytes_mem_shared_op_ld",
    "smsp__sass_data_bytes_mem_shared_op_st",
    "smsp__sass_inst_executed_op_shared_ld",
    "smsp__sass_inst_executed_op_shared_st",
};
constexpr std::uint32_t kDeviceIndex = 0;

#define WARPLENS_SASS_FUNCTIONS(X)     \
  X(cuptiGetErrorMessage)              \
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

template <typename Params>
Params block(std::size_t size) {
  Params params{};
  params.structSize = size;
  return params;
}
#define WARPLENS_BLOCK(type) block<type>(type##_STRUCT_SIZE)

struct NoSass {
  std::string reason;
};

}  // namespace

struct SassCounters::Cupti {
  SharedLibrary library;
#define WARPLENS_MEMBER(name) decltype(&::name) name = nullptr;
  WARPLENS_SASS_FUNCTIONS(WARPLENS_MEMBER)
#undef WARPLENS_MEMBER
  std::map<std::uint64_t, std::string> names;  // by the metric's id
  std::vector<std::uint64_t> configured;       // the metrics that CUPTI was told of
  std::function<void()> prepare;

  void check(CUptiResult result, const char* what) const;
  void load(int cuda_major);
  void list();
  void configure(const std::vector<std::uint64_t>& ids);
  void collect(const Gpu& gpu, const std::vector<std::uint64_t>& ids,
               const std::function<void()>& launch_and_wait, std::map<std::string, double>& values);
  void collect_all(const Gpu& gpu, const std::function<void()>& launch_and_wait,
                   std::map<std::string, double>& values);
  void take(CUcontext context, std::size_t metrics, std::map<std::string, double>& values);
};

void SassCounters::Cupti::check(CUptiResult result, const char* what) const {
  if (result == CUPTI_SUCCESS) return;
  const char* words = nullptr;
  cuptiGetErrorMessage(result, &words);
  throw NoSass{std::string("CUPTI's SASS metrics failed ") + what + ": " +
               (words != nullptr ? words : "unknown error") + " (" +
               std::to_string(static_cast<int>(result)) + ")"};
}

void SassCounters::Cupti::load(int cuda_major) {
  std::vector<std::string> files;
  for (int major = cuda_major; major >= 12; --major) files.push_back("libcupti.so." + std::to_string(major));
  library = SharedLibrary::open(files, cuda_library_folders());
  if (!library) throw NoSass{"CUPTI (libcupti.so of the CUDA Toolkit) was not found"};
#define WARPLENS_LOOK_UP(name)                                    \
  name = reinterpret_cast<decltype(name)>(library.symbol(#name)); \
  if (name == nullptr) throw NoSass{library.path() + " is too old: it has no " #name};
  WARPLENS_SASS_FUNCTIONS(WARPLENS_LOOK_UP)
#undef WARPLENS_LOOK_UP
  auto first = WARPLENS_BLOCK(CUpti_Profiler_Initialize_Params);
  check(cuptiProfilerInitialize(&first), "to start");
}

void SassCounters::Cupti::list() {
  auto chip = WARPLENS_BLOCK(CUpti_Device_GetChipName_Params);
  check(cuptiDeviceGetChipName(&chip), "to name the chip");
  auto count = WARPLENS_BLOCK(CUpti_SassMetrics_GetNumOfMetrics_Params);
  count.pChipName = chip.pChipName;
  check(cuptiSassMetricsGetNumOfMetrics(&count), "to count its metrics");
  std::vector<CUpti_SassMetrics_MetricDetails> details(count.numOfMetrics);
  auto all = WARPLENS_BLOCK(CUpti_SassMetrics_GetMetrics_Params);
  all.pChipName = chip.pChipName;
  all.numOfMetrics = details.size();
  all.pMetricsList = details.data();
  check(cuptiSassMetricsGetMetrics(&all), "to list its metrics");
  for (const auto& metric : details) {
    const std::string name = metric.pMetricName;
    const std::string base = name.substr(0, name.find('.'));
    if (kWanted.count(base) > 0) names[metric.metricId] = base + ".sum";
  }
  if (names.empty()) throw NoSass{"CUPTI has none of the SASS metrics that Warplens asks for on this GPU"};
}

// A configuration stays for as long as it serves: CUPTI (13.0) has no memory for a second one in a process.
void SassCounters::Cupti::configure(const std::vector<std::uint64_t>& ids) {
  if (configured == ids) return;
  if (!configured.empty()) {
    auto unset = WARPLENS_BLOCK(CUpti_SassMetricsUnsetConfig_Params);
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
  auto set = WARPLENS_BLOCK(CUpti_SassMetricsSetConfig_Params);
  set.numOfMetricConfig = configs.size();
  set.pConfigs = configs.data();
  set.deviceIndex = kDeviceIndex;
  check(cuptiSassMetricsSetConfig(&set), "to take the metrics");
  configured = ids;
}

namespace {

// Runs a piece of work when it goes out of scope, unless the GPU's state is lost: then every call would hang.
class Finally {
 public:
  Finally(const Driver& driver, std::function<void()> work) : driver_(driver), work_(std::move(work)) {}
  ~Finally() {
    if (!driver_.lost) work_();
  }
  Finally(const Finally&) = delete;

 private:
  const Driver& driver_;
  std::function<void()> work_;
};

}  // namespace

void SassCounters::Cupti::collect(const Gpu& gpu, const std::vector<std::uint64_t>& ids,
                                  const std::function<void()>& launch_and_wait,
                                  std::map<std::string, double>& values) {
  prepare();
  configure(ids);
  auto enable = WARPLENS_BLOCK(CUpti_SassMetricsEnable_Params);
  enable.ctx = gpu.context();
  enable.enableLazyPatching = 1;
  check(cuptiSassMetricsEnable(&enable), "to instrument the kernel");
  const Finally disable(gpu.driver(), [this, &gpu] {
    auto params = WARPLENS_BLOCK(CUpti_SassMetricsDisable_Params);
    params.ctx = gpu.context();
    cuptiSassMetricsDisable(&params);
  });
  launch_and_wait();
  take(gpu.context(), ids.size(), values);
}

// All in one launch; where that is too much at once, each in one of its own.
void SassCounters::Cupti::collect_all(const Gpu& gpu, const std::function<void()>& launch_and_wait,
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
  } catch (const NoSass&) {
    if (ids.size() == 1) throw;
  }
  std::string reason;
  for (const auto& [id, name] : names) try {
      std::map<std::string, double> one{{name, 0}};
      collect(gpu, {id}, launch_and_wait, one);
      values.insert(one.begin(), one.end());
    } catch (const NoSass& failed) {
      reason = failed.reason;
    }
  if (values.empty()) throw NoSass{reason};
}

// One record an instrumented instruction, in each one value a metric: their sum is the kernel's.
void SassCounters::Cupti::take(CUcontext context, std::size_t metrics,
                               std::map<std::string, double>& values) {
  auto size = WARPLENS_BLOCK(CUpti_SassMetricsGetDataProperties_Params);
  size.ctx = context;
  check(cuptiSassMetricsGetDataProperties(&size), "to size its data");
  // A kernel without such an instruction has no record: all its counts are 0.
  const std::size_t room = std::max<std::size_t>(1, size.numOfInstances) * metrics;
  std::vector<CUpti_SassMetrics_InstanceValue> instances(size.numOfPatchedInstructionRecords * room);
  std::vector<CUpti_SassMetrics_Data> records(size.numOfPatchedInstructionRecords);
  for (std::size_t i = 0; i < records.size(); ++i) {
    records[i].structSize = CUpti_SassMetricsFlushData_Params_STRUCT_SIZE;  // as its header wants it
    records[i].pInstanceValues = instances.data() + i * room;
  }
  if (!records.empty()) {
    auto flush = WARPLENS_BLOCK(CUpti_SassMetricsFlushData_Params);
    flush.ctx = context;
    flush.numOfPatchedInstructionRecords = records.size();
    flush.numOfInstances = size.numOfInstances;
    flush.pMetricsData = records.data();
    check(cuptiSassMetricsFlushData(&flush), "to give its data");
  }
  for (const auto& instance : instances) {
    const auto name = names.find(instance.metricId);
    if (name != names.end()) values[name->second] += static_cast<double>(instance.value);
  }
}

SassCounters::SassCounters(Gpu& gpu) : gpu_(gpu) {}
SassCounters::~SassCounters() = default;

std::string SassCounters::read(const std::function<void()>& prepare,
                               const std::function<void()>& launch_and_wait,
                               std::map<std::string, double>& values) {
  if (!none_.empty()) return none_;
  const char* wanted = std::getenv("WARPLENS_SASS");
  if (wanted != nullptr && std::string(wanted) == "0") return none_ = "switched off by WARPLENS_SASS=0";
  std::map<std::string, double> found;
  try {
    if (cupti_ == nullptr) {
      auto cupti = std::make_unique<Cupti>();
      cupti->load(std::atoi(gpu_.info().cuda.c_str()));
      cupti->list();
      cupti_ = std::move(cupti);
    }
    cupti_->prepare = prepare;
    cupti_->collect_all(gpu_, launch_and_wait, found);
  } catch (const NoSass& failed) {
    if (cupti_ == nullptr) none_ = failed.reason;
    return failed.reason;
  }
  values.insert(found.begin(), found.end());
  return {};
}

}  // namespace warplens::gpu

#endif
