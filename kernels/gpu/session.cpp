#include "kernels/gpu/session.h"

#include <nlohmann/json.hpp>

#include "kernels/gpu/output_check.h"
#include "kernels/protocol/subject.h"

namespace warplens::gpu {
namespace {

using measure::Failure;
using measure::FailureError;
using measure::FailureKind;
using measure::Measurement;
using measure::MeasureRequest;
using measure::Reply;
using measure::Subject;

constexpr std::size_t kKeptKernels = 64;
constexpr double kLongestInstrumented = 0.3;  // seconds uninstrumented; it may take a hundred times as long

std::string compile_key(const Subject& subject) {
  nlohmann::json parts{measure::hash_of(subject), subject.kernel, subject.template_arguments, subject.defines,
                       measure::name_of(subject.mode)};
  return measure::sha256(parts.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
}

[[noreturn]] void refuse_launch(const Message& message, const Message& remedy) {
  throw FailureError(FailureKind::Launch, message, remedy);
}

std::string dimensions(const sim::Dim3& d) {
  return std::to_string(d.x) + " x " + std::to_string(d.y) + " x " + std::to_string(d.z);
}

}  // namespace

Session::Session(Send send, const std::atomic<bool>& cancelled)
    : send_(std::move(send)), cancelled_(cancelled) {}
Session::~Session() = default;

measure::Hello Session::hello() {
  if (!looked_for_gpu_) gpu_ = Gpu::open(no_gpu_);
  looked_for_gpu_ = true;
  measure::Hello hello;
  hello.version = WARPLENS_VERSION;
  if (gpu_ != nullptr) hello.gpu = gpu_->info();
  hello.reason = no_gpu_;
  return hello;
}

Gpu& Session::gpu() {
  hello();
  if (gpu_ == nullptr) throw FailureError(FailureKind::NoGpu, no_gpu_);
  return *gpu_;
}

bool Session::answer(const std::string& line) {
  Reply reply;
  try {
    reply.body = carry_out(line, reply.id);
  } catch (const FailureError& failed) {
    reply.body = failed.failure;
  } catch (const std::bad_alloc&) {
    reply.body = measure::make_failure(FailureKind::OutOfMemory,
                                       Message("the host has no memory left for this measurement"));
  } catch (const std::exception& failed) {
    reply.body = measure::make_failure(FailureKind::Internal, Message::verbatim(failed.what()));
  }
  send_(reply);
  const Failure* failure = std::get_if<Failure>(&reply.body);
  return failure == nullptr || !failure->restart;
}

// The id is set as soon as it is known, so that a failure can name it.
decltype(Reply::body) Session::carry_out(const std::string& line, std::uint64_t& id) {
  auto document = scenario::JsonDocument::parse(line, "request", measure::limits_of_lines());
  const scenario::JsonValue root = document.root();
  if (!document.ok()) throw FailureError(FailureKind::Protocol, document.errors().front());
  const auto refuse_errors = [&] {
    if (!document.ok())
      throw FailureError(FailureKind::BadRequest,
                         Message("the request is wrong: {}", document.errors().front()));
  };
  root.is_object();
  refuse_errors();
  scenario::Fields fields(root);
  fields("id", id);
  const std::string schema = root.optional_text("schema", measure::kProtocol);
  const std::string request = root.text("request");
  refuse_errors();
  if (schema != measure::kProtocol)
    throw FailureError(
        FailureKind::Protocol,
        Message("the request speaks \"{}\"; this program speaks \"{}\"", schema, measure::kProtocol),
        Message("Install the same version of Warplens at both ends."));
  if (request == "hello") return hello();
  const auto wanted = [&](auto made) {
    measure::describe(fields, made);
    refuse_errors();
    return made;
  };
  if (request == "peaks") return peaks(wanted(measure::PeaksRequest()));
  if (request == "ptx") return compile_to_ptx(wanted(measure::PtxRequest()));
  if (request == "measure") return measure(wanted(MeasureRequest()));
  throw FailureError(FailureKind::BadRequest, Message("there is no request \"{}\"", request));
}

void Session::progress(const MeasureRequest& request, const char* stage, double done) {
  send_({request.id, measure::Progress{stage, done}});
}

Session::Loaded& Session::load(const Subject& subject) {
  const std::string key = compile_key(subject);
  if (const auto known = loaded_.find(key); known != loaded_.end()) return known->second;
  KernelImage image = compile_kernel(gpu_->nvrtc(), subject, gpu_->major(), gpu_->minor());
  auto kernel = std::make_unique<Kernel>(gpu_->driver(), image.image, image.lowered_name);
  if (loaded_.size() >= kKeptKernels) loaded_.clear();
  return loaded_[key] = {std::move(kernel), std::move(image.as_written)};
}

// Refused before it runs, with what the GPU would take.
void Session::check_launch(const Subject& s, const Kernel& kernel) {
  const auto limit = [this](CUdevice_attribute attribute) {
    return static_cast<std::uint64_t>(gpu_->attribute(attribute));
  };
  const std::uint64_t threads = s.block.count();
  const auto most = static_cast<std::uint64_t>(kernel.attribute(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK));
  if (threads > most)
    refuse_launch(Message("a block of {} has {} threads; this kernel runs with at most {} on this GPU",
                          dimensions(s.block), threads, most),
                  Message("It uses {} registers a thread. Take a smaller block.",
                          kernel.attribute(CU_FUNC_ATTRIBUTE_NUM_REGS)));
  if (s.block.x > limit(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X) ||
      s.block.y > limit(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y) ||
      s.block.z > limit(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z))
    refuse_launch(Message("a block of {} is too long in one direction", dimensions(s.block)),
                  Message("z goes up to 64."));
  if (s.grid.x > limit(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X) ||
      s.grid.y > limit(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y) ||
      s.grid.z > limit(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z))
    refuse_launch(Message("a grid of {} is too long in one direction", dimensions(s.grid)),
                  Message("x goes up to 2147483647, y and z up to 65535."));
  const auto fixed = static_cast<std::uint64_t>(kernel.attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES));
  const std::uint64_t shared = limit(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  if (fixed + s.shared_bytes > shared)
    refuse_launch(Message("a block needs {} bytes of shared memory; this GPU has {} for one block",
                          fixed + s.shared_bytes, shared),
                  Message("Take a smaller tile."));
  if (fixed + s.shared_bytes > limit(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK))
    kernel.allow_shared(s.shared_bytes);
}

Measurement Session::measure(const MeasureRequest& request) {
  const Watch watch{Watch::Clock::now(), request.deadline_seconds, &cancelled_};
  if (watch.is_cancelled())
    throw FailureError(FailureKind::Cancelled, Message("the measurement was cancelled"));
  Gpu& device = gpu();
  if (sampler_ == nullptr) sampler_ = std::make_unique<Sampler>(device);
  if (!counters_) counters_ = counter_reader(device);
  if (!exact_counters_) exact_counters_ = exact_counter_reader(device);
  const Subject& subject = request.subject;

  progress(request, "compile", 0);
  Loaded& loaded = load(subject);
  const Kernel& kernel = *loaded.kernel;
  check_launch(subject, kernel);
  Measurement result = describe(request, loaded);

  progress(request, "fill", 0.1);
  Arguments arguments(device, subject.arguments, sampler_->flush_bytes() + Reference::bytes(request));
  const auto launch = [&] {
    kernel.launch(subject.grid, subject.block, subject.shared_bytes, device.stream(), arguments.pointers());
  };
  launch();
  device.wait(watch);

  progress(request, "check", 0.2);
  const auto read_back = [&](const std::string& name) { return arguments.read_back(device, name); };
  result.check = check_output(request, read_back, watch);

  if (request.cold_samples + request.warm_samples > 0) {
    arguments.refill(device);
    const auto tell = [&](double done) { progress(request, "sample", 0.3 + 0.6 * done); };
    sampler_->sample(request, launch, watch, tell, result);
  }
  result.counters.reason = Message("not asked for");
  if (request.counters)
    result.counters = read_counters(request, launch, arguments, watch, result.cold.median);
  result.device = device.info();
  return result;
}

measure::PeakRecord Session::peaks(const measure::PeaksRequest& request) {
  const Watch watch{Watch::Clock::now(), request.deadline_seconds, &cancelled_};
  Gpu& device = gpu();
  if (sampler_ == nullptr) sampler_ = std::make_unique<Sampler>(device);
  measure::PeakRecord record;
  record.peaks = measure_peaks(device, sampler_->launch_seconds(watch), watch);
  if (const auto clocks = device.clocks().read()) {
    record.sm_mhz = clocks->sm_mhz;
    record.memory_mhz = clocks->memory_mhz;
  }
  record.device = device.info();
  record.when = measure::utc_now();
  return record;
}

measure::Counters Session::read_counters(const MeasureRequest& request, const Sampler::Launch& launch,
                                         Arguments& arguments, const Watch& watch, double kernel_seconds) {
  progress(request, "counters", 0.9);
  Gpu& device = gpu();
  const auto start_anew = [&] {
    arguments.refill(device);
    device.wait(watch);
  };
  const auto empty_caches = [&] {
    arguments.refill(device);
    sampler_->empty_l2();
    device.wait(watch);
  };
  const auto run_before = [&] {
    start_anew();
    launch();
    device.wait(watch);
  };
  measure::Counters counters = counters_({launch, empty_caches, run_before}, watch);
  if (kernel_seconds > kLongestInstrumented || watch.elapsed() > watch.seconds / 2) {
    counters.exact_reason = Message("the kernel takes too long to be run once more, instrumented");
    return counters;
  }
  const auto launch_and_wait = [&] {
    launch();
    device.wait(watch);
  };
  counters.exact_reason = exact_counters_(start_anew, launch_and_wait, counters.values);
  return counters;
}

Measurement Session::describe(const MeasureRequest& request, const Loaded& loaded) {
  Measurement result;
  result.subject = request.subject;
  result.key = measure::key_of(request.subject);
  result.scenario = request.scenario;
  result.parameters = request.parameters;
  result.useful_bytes = request.useful_bytes;
  result.counted_bytes = request.counted_bytes;
  result.operations = request.operations;
  result.when = measure::utc_now();
  result.as_written = loaded.as_written;
  result.registers = loaded.kernel->attribute(CU_FUNC_ATTRIBUTE_NUM_REGS);
  result.static_shared_bytes =
      static_cast<std::uint64_t>(loaded.kernel->attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES));
  return result;
}

}  // namespace warplens::gpu
