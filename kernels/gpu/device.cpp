#include "kernels/gpu/device.h"

#include <array>
#include <cmath>
#include <thread>
#include <utility>

namespace warplens::gpu {

using measure::Failure;
using measure::FailureError;
using measure::FailureKind;

namespace {

// Gives back what the GPU holds when its last owner goes.
template <class GiveBack>
Held held_by(const Driver& driver, GiveBack give_back) {
  return Held(nullptr, [&driver, give_back](const void*) {
    if (!driver.lost) give_back();
  });
}

}  // namespace

DeviceBuffer::DeviceBuffer(const Driver& driver, std::size_t bytes) : bytes_(bytes) {
  driver.check(driver.allocate(&address_, bytes), Message::Text("allocating a buffer"));
  held_ = held_by(driver, [&driver, address = address_] { driver.free(address); });
}

EventPair::EventPair(const Driver& driver) : driver_(&driver) {
  for (CUevent* event : {&begin_, &end_}) {
    driver.check(driver.event_create(event, CU_EVENT_DEFAULT), Message::Text("creating an event"));
    (event == &begin_ ? begin_held_ : end_held_) =
        held_by(driver, [&driver, made = *event] { driver.event_destroy(made); });
  }
}
void EventPair::record_begin(CUstream stream) const {
  driver_->check(driver_->event_record(begin_, stream), Message::Text("timing"));
}
void EventPair::record_end(CUstream stream) const {
  driver_->check(driver_->event_record(end_, stream), Message::Text("timing"));
}
double EventPair::seconds() const {
  float milliseconds = 0;
  driver_->check(driver_->event_elapsed(&milliseconds, begin_, end_), Message::Text("reading a time"));
  // The clock ticks in nanoseconds, no finer.
  return std::round(static_cast<double>(milliseconds) * 1e6) / 1e9;
}

Kernel::Kernel(const Driver& driver, const std::string& image, const std::string& lowered_name)
    : driver_(&driver) {
  std::array<char, 8192> log{};
  std::array<CUjit_option, 2> options{CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  std::array<void*, 2> values{log.data(), reinterpret_cast<void*>(log.size())};
  const CUresult loaded = driver.module_load(&module_, image.c_str(), 2, options.data(), values.data());
  if (loaded != CUDA_SUCCESS) {
    Failure failure = driver.failure_of(loaded, Message("the driver does not take the compiled kernel"));
    if (failure.kind == FailureKind::Internal) failure.kind = FailureKind::Compile;
    if (log[0] != '\0') failure.message = Message("{}: {}", failure.message, log.data());
    if (loaded == CUDA_ERROR_UNSUPPORTED_PTX_VERSION)
      failure.remedy = Message(
          "The CUDA Toolkit here is newer than the driver: install a newer driver or an older toolkit.");
    throw FailureError(failure);
  }
  driver.check(driver.module_function(&function_, module_, lowered_name.c_str()),
               Message::Text("finding the kernel"));
}
Kernel::~Kernel() {
  if (module_ != nullptr && !driver_->lost) driver_->module_unload(module_);
}
int Kernel::attribute(CUfunction_attribute attribute) const {
  int value = 0;
  driver_->check(driver_->function_get(&value, attribute, function_),
                 Message::Text("asking about the kernel"));
  return value;
}
void Kernel::allow_shared(std::uint64_t dynamic_bytes) const {
  driver_->check(driver_->function_set(function_, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                       static_cast<int>(dynamic_bytes)),
                 Message::Text("asking for shared memory"));
}
void Kernel::launch(sim::Dim3 grid, sim::Dim3 block, std::uint64_t shared_bytes, CUstream stream,
                    void** arguments) const {
  driver_->check(driver_->launch(function_, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                 static_cast<unsigned>(shared_bytes), stream, arguments, nullptr),
                 Message::Text("launching the kernel"));
}

std::unique_ptr<Gpu> Gpu::open(Message& reason) {
  std::unique_ptr<Gpu> gpu(new Gpu);
  const Driver& driver = gpu->driver_;
  if (!gpu->driver_.load(reason)) return nullptr;
  int count = 0;
  if (driver.device_count(&count) != CUDA_SUCCESS || count == 0) {
    reason = Message("the NVIDIA driver is installed, but it finds no GPU");
    return nullptr;
  }
  try {
    driver.check(driver.device_get(&gpu->device_, 0), Message::Text("opening the GPU"));
    driver.check(driver.context_retain(&gpu->context_, gpu->device_), Message::Text("opening the GPU"));
    driver.check(driver.context_set(gpu->context_), Message::Text("opening the GPU"));
    driver.check(driver.stream_create(&gpu->stream_, CU_STREAM_DEFAULT), Message::Text("opening the GPU"));
    gpu->read_info();
  } catch (const FailureError& error) {
    reason = error.failure.message;
    return nullptr;
  }
  gpu->has_nvrtc_ = gpu->nvrtc_.load(gpu->driver_major_, gpu->no_nvrtc_);
  if (gpu->has_nvrtc_) gpu->info_.nvrtc = gpu->nvrtc_.version();
  return gpu;
}

Gpu::~Gpu() {
  if (driver_.lost) return;
  if (stream_ != nullptr) driver_.stream_destroy(stream_);
  if (context_ != nullptr) driver_.context_release(device_);
}

const Nvrtc& Gpu::nvrtc() {
  if (!has_nvrtc_)
    throw FailureError(
        FailureKind::NoCompiler, no_nvrtc_,
        Message("Install the CUDA Toolkit (Debian: nvidia-cuda-toolkit), or name the library with "
                "WARPLENS_NVRTC=path."));
  return nvrtc_;
}

int Gpu::attribute(CUdevice_attribute attribute) const {
  int value = 0;
  driver_.check(driver_.device_attribute(&value, attribute, device_), Message::Text("asking about the GPU"));
  return value;
}

void Gpu::read_info() {
  std::array<char, 256> text{};
  driver_.check(driver_.device_name(text.data(), static_cast<int>(text.size()) - 1, device_),
                Message::Text("asking about the GPU"));
  info_.name = text.data();
  info_.compute_major = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  info_.compute_minor = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  info_.multiprocessors = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  info_.l2_bytes = static_cast<std::uint64_t>(attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE));
  info_.sm_clock_mhz = attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE) / 1000;
  info_.memory_clock_mhz = attribute(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE) / 1000;
  std::size_t bytes = 0;
  driver_.check(driver_.device_memory(&bytes, device_), Message::Text("asking about the GPU"));
  info_.memory_bytes = bytes;
  int version = 0;
  driver_.check(driver_.driver_version(&version), Message::Text("asking about the driver"));
  driver_major_ = version / 1000;
  info_.cuda = std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
  text.fill(0);
  if (driver_.device_bus_id(text.data(), static_cast<int>(text.size()) - 1, device_) == CUDA_SUCCESS)
    clocks_.start(text.data());
  info_.driver = clocks_.driver_version();
}

std::uint64_t Gpu::free_bytes() const {
  std::size_t free = 0, total = 0;
  driver_.check(driver_.memory_info(&free, &total), Message::Text("asking for free memory"));
  return free;
}

measure::DeviceInfo Gpu::info() {
  measure::DeviceInfo now = info_;
  now.free_bytes = free_bytes();
  if (const auto reading = clocks_.read()) {
    now.current_sm_clock_mhz = reading->sm_mhz;
    now.current_memory_clock_mhz = reading->memory_mhz;
  }
  return now;
}

void Gpu::wait(const Watch& watch) const {
  // Short kernels are met by looking often, long ones without keeping a core busy.
  double give_up_at = 0;
  for (int looks = 0;; ++looks) {
    const CUresult state = driver_.stream_query(stream_);
    if (state == CUDA_SUCCESS && !watch.is_cancelled()) return;
    if (state == CUDA_SUCCESS)
      throw FailureError(FailureKind::Cancelled, Message("the measurement was cancelled"));
    if (state != CUDA_ERROR_NOT_READY) {
      Failure failure = driver_.failure_of(state, Message("the kernel failed"));
      failure.kind = is_sticky(state) ? FailureKind::Kernel : failure.kind;
      driver_.lost = failure.restart;
      throw FailureError(failure);
    }
    // A kernel that is about to end is let end, so that this process can live on.
    if (watch.is_cancelled() && give_up_at == 0) give_up_at = watch.elapsed() + 0.5;
    driver_.lost = watch.expired() || (give_up_at > 0 && watch.elapsed() >= give_up_at);
    if (give_up_at > 0 && watch.elapsed() >= give_up_at)
      throw FailureError(
          Failure{FailureKind::Cancelled, Message("the measurement was cancelled"), {}, {}, true});
    if (watch.expired()) {
      throw FailureError(Failure{
          FailureKind::Deadline,
          Message("the kernel did not end within the time allowed ({} s)", static_cast<long>(watch.seconds)),
          Message("Is there an endless loop? warplens-gpu ends with it and is started again."),
          {},
          true});
    }
    if (looks > 2000) std::this_thread::sleep_for(std::chrono::microseconds(looks > 4000 ? 1000 : 50));
  }
}

}  // namespace warplens::gpu
