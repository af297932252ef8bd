#include "app/measure/gpu_client.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "app/platform/system.h"
#include "sim/launch/tensor_map.h"

namespace warplens::measure {
namespace {

Clock::time_point after(double seconds) {
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

// What another program printed, fit to be shown: one line, printable, not long.
std::string in_quotes(const std::string& text) {
  std::string shown;
  for (const char c : text.substr(0, 120)) shown += c >= ' ' && c < 127 ? c : '?';
  return "\"" + shown + (text.size() > 120 ? "...\"" : "\"");
}

std::string last_line(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  const std::size_t newline = text.rfind('\n');
  return newline == std::string::npos ? text : text.substr(newline + 1);
}

Failure cancelled() {
  return make_failure(FailureKind::Cancelled, Message("the measurement was cancelled"));
}

Message started_again() {
  return Message("It was ended and is started again for the next measurement.");
}
constexpr int kMostBannerLines = 200;

std::variant<Hello, Failure> hello_of(const std::string& line) {
  Message error;
  auto reply = reply_from_line(line, error);
  if (reply && std::holds_alternative<Hello>(reply->body)) return std::get<Hello>(std::move(reply->body));
  const Message why = error.empty() ? Message("its first answer is not a hello") : error;
  return make_failure(FailureKind::Protocol,
                      Message("the program that was started is not a warplens-gpu of this version: {}", why),
                      Message("Install the same version of Warplens at both ends."));
}

}  // namespace

GpuClient::GpuClient(std::vector<std::string> command, ClientOptions options)
    : command_(std::move(command)), options_(std::move(options)) {
  worker_ = std::thread([this] { work(); });
}

GpuClient::~GpuClient() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    jobs_.clear();
  }
  changed_.notify_all();
  wake_.wake();
  worker_.join();
}

template <class Request>
std::uint64_t GpuClient::queue(Request request) {
  {
    const std::lock_guard lock(mutex_);
    request.id = ++last_ticket_;
  }
  Job job{request.id,
          scenario::json_of(request).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace),
          request.deadline_seconds};
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  changed_.notify_all();
  return request.id;
}

std::uint64_t GpuClient::submit(MeasureRequest request) {
  return queue(std::move(request));
}
std::uint64_t GpuClient::submit(PeaksRequest request) {
  return queue(request);
}

void GpuClient::cancel(std::uint64_t ticket) {
  {
    const std::lock_guard lock(mutex_);
    cancelled_.insert(ticket);
  }
  wake_.wake();
}

void GpuClient::cancel_all() {
  {
    const std::lock_guard lock(mutex_);
    for (std::uint64_t ticket = 2; ticket <= last_ticket_; ++ticket) cancelled_.insert(ticket);
  }
  wake_.wake();
}

std::vector<ClientEvent> GpuClient::poll() {
  return wait(0);
}

std::vector<ClientEvent> GpuClient::wait(double seconds) {
  std::unique_lock lock(mutex_);
  if (seconds > 0) changed_.wait_until(lock, after(seconds), [this] { return !events_.empty(); });
  std::vector<ClientEvent> taken(std::make_move_iterator(events_.begin()),
                                 std::make_move_iterator(events_.end()));
  events_.clear();
  return taken;
}

ClientStatus GpuClient::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

ClientStatus GpuClient::wait_for_status(double seconds) const {
  std::unique_lock lock(mutex_);
  changed_.wait_until(lock, after(seconds), [this] { return status_.state != ClientState::Starting; });
  return status_;
}

bool GpuClient::is_cancelled(std::uint64_t ticket) const {
  const std::lock_guard lock(mutex_);
  return stopping_ || cancelled_.count(ticket) > 0;
}

void GpuClient::publish(std::uint64_t ticket, std::variant<Progress, Measurement, PeakRecord, Failure> what) {
  {
    const std::lock_guard lock(mutex_);
    if (!std::holds_alternative<Progress>(what)) cancelled_.erase(ticket);
    events_.push_back({ticket, std::move(what)});
  }
  changed_.notify_all();
  if (options_.on_event) options_.on_event();
}

void GpuClient::set_status(ClientState state, const Failure& failure) {
  {
    const std::lock_guard lock(mutex_);
    status_.state = state;
    status_.failure = failure;
    if (state != ClientState::Ready) status_.gpu.reset();
  }
  changed_.notify_all();
  if (options_.on_event) options_.on_event();
}

void GpuClient::work() {
  Failure failure;
  ensure_child(failure);
  while (true) {
    Job job;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return stopping_ || !jobs_.empty(); });
      if (stopping_) break;
      job = std::move(jobs_.front());
      jobs_.pop_front();
    }
    std::visit([&](auto&& result) { publish(job.id, std::move(result)); }, carry_out(job));
  }
  if (child_) child_->end(options_.patience_seconds);
}

void GpuClient::drop_child() {
  if (child_) child_->end(options_.patience_seconds);
  child_.reset();
}

Message GpuClient::gone_message(When when, const Message& how) {
  switch (when) {
    case When::Greeting:
      return Message("warplens-gpu {} before it said hello", how);
    case When::Asking:
      return Message("warplens-gpu {} while a request was sent", how);
    case When::Measuring:
      break;
  }
  return Message("warplens-gpu {} in the middle of a measurement", how);
}

// The other end went away: said with its own last words, which is where ssh and srun explain themselves.
Failure GpuClient::gone(When when) {
  child_->end(options_.patience_seconds);
  Failure failure = make_failure(FailureKind::Protocol, gone_message(when, child_->how_it_ended()),
                                 Message("It is started again for the next measurement."));
  const std::string words = last_line(child_->last_words());
  if (!words.empty()) failure.message = Message("{}: {}", failure.message, in_quotes(words));
  child_.reset();
  return failure;
}

bool GpuClient::ensure_child(Failure& failure) {
  if (child_ && child_->running()) return true;
  child_.reset();
  if (command_.empty()) {
    failure = make_failure(
        FailureKind::Start, Message("there is no warplens-gpu on this machine"),
        Message("It is built where the CUDA Toolkit is installed; or name a machine that has it: "
                "--via \"ssh host\"."));
    set_status(ClientState::Broken, failure);
    return false;
  }
  if (Clock::now() < not_before_) {
    failure = status().failure;
    return false;
  }
  Message error;
  child_ = ChildProcess::start(command_, error);
  if (!child_)
    failure = make_failure(FailureKind::Start, error,
                           Message("Check the command that --via or WARPLENS_GPU names."));
  if (child_ && greet(failure)) {
    failed_starts_ = 0;
    return true;
  }
  drop_child();
  // 1, 2, 4 ... seconds: a machine that cannot is not asked every frame.
  not_before_ =
      after(std::min(options_.longest_back_off_seconds, std::ldexp(1.0, std::min(failed_starts_++, 10))));
  set_status(ClientState::Broken, failure);
  return false;
}

bool GpuClient::greet(Failure& failure) {
  const auto answer = read_hello();
  if (const auto* failed = std::get_if<Failure>(&answer)) {
    failure = *failed;
    return false;
  }
  const Hello& hello = std::get<Hello>(answer);
  {
    const std::lock_guard lock(mutex_);
    status_.version = hello.version;
    status_.gpu = hello.gpu;
  }
  if (hello.gpu)
    set_status(ClientState::Ready, {});
  else
    set_status(ClientState::NoGpu, make_failure(FailureKind::NoGpu, hello.reason));
  return true;
}

// Launchers and login scripts may print before the program does, so lines that are no JSON object are passed
// over here, up to a limit, and nowhere else.
std::variant<Hello, Failure> GpuClient::read_hello() {
  const auto deadline = after(options_.hello_seconds);
  child_->write_line(simple_request("hello", 1).dump(), deadline);
  std::string banner;
  for (int lines = 0; lines < kMostBannerLines;) {
    const auto received = child_->read_line(deadline, &wake_, kLongestLine);
    if (received.event == ChildProcess::Event::Woken && !is_cancelled(0)) continue;
    if (received.event != ChildProcess::Event::Line) return no_hello(received.event, banner);
    if (!received.line.empty() && received.line.front() == '{') return hello_of(received.line);
    if (banner.empty()) banner = received.line;
    ++lines;
  }
  return make_failure(
      FailureKind::Protocol,
      Message("the program that was started prints {} instead of an answer", in_quotes(banner)),
      Message("It must be warplens-gpu."));
}

Failure GpuClient::no_hello(ChildProcess::Event event, const std::string& banner) {
  if (event == ChildProcess::Event::Woken) return cancelled();
  if (event == ChildProcess::Event::Deadline)
    return make_failure(FailureKind::Start,
                        Message("warplens-gpu did not answer within {} s after it was started with: {}",
                                std::lround(options_.hello_seconds), command_.front()),
                        Message("Is the other machine reachable without a password prompt?"));
  Failure failure = gone(When::Greeting);
  failure.kind = FailureKind::Start;
  if (!banner.empty()) failure.message = Message("{} (it printed {})", failure.message, in_quotes(banner));
  failure.remedy =
      Message("Check the command by hand: {} ...; it must start warplens-gpu.", command_.front());
  return failure;
}

GpuClient::Answer GpuClient::carry_out(const Job& job) {
  if (is_cancelled(job.id)) return cancelled();
  Failure failure;
  if (!ensure_child(failure)) return failure;
  const ClientStatus now = status();
  if (now.state == ClientState::NoGpu) return now.failure;
  if (!child_->write_line(job.line, after(options_.hello_seconds))) return gone(When::Asking);
  return follow(job);
}

GpuClient::Answer GpuClient::follow(const Job& job) {
  auto deadline = after(job.deadline_seconds + options_.grace_seconds);
  bool cancelling = false;
  while (true) {
    if (!cancelling && is_cancelled(job.id)) {
      cancelling = true;
      deadline = std::min(deadline, after(options_.cancel_seconds));
      child_->write_line(simple_request("cancel", job.id).dump(), deadline);
    }
    const auto received = child_->read_line(deadline, &wake_, kLongestLine);
    if (received.event == ChildProcess::Event::Woken) continue;
    if (received.event != ChildProcess::Event::Line) {
      if (!cancelling) return no_answer(received.event, job);
      drop_child();
      return cancelled();
    }
    Message error;
    auto reply = reply_from_line(received.line, error);
    if (!reply) {
      drop_child();
      return make_failure(FailureKind::Protocol,
                          Message("warplens-gpu answered nonsense ({}): {}", error, in_quotes(received.line)),
                          started_again());
    }
    if (reply->id != 0 && reply->id != job.id) continue;  // of a request that was given up
    if (auto* progress = std::get_if<Progress>(&reply->body)) publish(job.id, *progress);
    if (auto* measurement = std::get_if<Measurement>(&reply->body)) return std::move(*measurement);
    if (auto* peaks = std::get_if<PeakRecord>(&reply->body)) return std::move(*peaks);
    if (auto* failure = std::get_if<Failure>(&reply->body)) {
      if (failure->restart) drop_child();
      return std::move(*failure);
    }
  }
}

Failure GpuClient::no_answer(ChildProcess::Event event, const Job& job) {
  if (event == ChildProcess::Event::Ended) return gone(When::Measuring);
  drop_child();
  if (event == ChildProcess::Event::TooLong)
    return make_failure(FailureKind::Protocol,
                        Message("warplens-gpu answered a line longer than {} bytes", kLongestLine),
                        started_again());
  return make_failure(
      FailureKind::Deadline, Message("the kernel did not end within {} s", std::lround(job.deadline_seconds)),
      Message(
          "warplens-gpu was ended and is started again for the next measurement. Is there an endless loop?"));
}

namespace {

constexpr const char* kProgram = "warplens-gpu";

}  // namespace

std::vector<std::string> gpu_command(const std::string& via, Message& error) {
  if (!via.empty()) {
    auto words = split_words(via, error);
    if (!words) return {};
    if (words->empty()) {
      error = Message("--via names no launcher; give one such as \"ssh host\"");
      return {};
    }
    // The launcher may name the program itself, with its path on the other machine.
    if (words->back().find(kProgram) == std::string::npos) words->push_back(kProgram);
    return *words;
  }
  if (const std::string named = platform::variable("WARPLENS_GPU"); !named.empty()) {
    auto words = split_words(named, error);
    return words ? *words : std::vector<std::string>{};
  }
  // That beside this program is of the same version.
  const std::filesystem::path file = platform::find_program(kProgram, {platform::program_folder()});
  if (!file.empty()) return {file.string()};
  error = Message(
      "warplens-gpu is not here: it is built where the CUDA Toolkit (12.0 or newer) is found. Install the "
      "toolkit "
      "and build again, name the program with WARPLENS_GPU=path, or use a machine that has it: --via \"ssh "
      "host\".");
  return {};
}

namespace {

using sim::KernelParameter;

KernelArgument buffer_argument(const KernelParameter& parameter, const sim::Buffer& buffer) {
  BufferArgument argument{buffer.elements, parameter.element_bytes, buffer.fill, parameter.is_const,
                          buffer.range};
  argument.data = buffer.data;
  argument.data_hash = measure::hash_data(buffer.data);
  return {parameter.name, parameter.type, argument};
}

const sim::TensorMapUse* map_of(const sim::Program& program, const KernelParameter& parameter) {
  const auto index = static_cast<std::size_t>(&parameter - program.parameters.data());
  const auto found = std::ranges::find(program.tensor_maps, index, &sim::TensorMapUse::parameter);
  return found == program.tensor_maps.end() ? nullptr : &*found;
}

// "A.width" where A is a tensor map that the kernel uses.
bool is_part_of_map(const sim::Program& program, const KernelParameter& parameter) {
  const std::string owner = parameter.name.substr(0, parameter.name.find('.'));
  return owner != parameter.name && std::ranges::any_of(program.tensor_maps, [&](const auto& use) {
           return program.parameters[use.parameter].name == owner;
         });
}

// Every parameter in order, or what is missing, in words.
std::vector<KernelArgument> bind(const scenario::Setup& setup, const sim::Program& program,
                                 std::vector<Message>& errors) {
  std::vector<KernelArgument> arguments;
  std::size_t data_bytes = 0;
  if (program.waits_for_grid)
    errors.push_back(Message(
        "the blocks of its grid wait for one another: such a kernel is simulated, but cannot be measured"));
  for (const KernelParameter& parameter : program.parameters) {
    const auto given = setup.launch.arguments.find(parameter.name);
    const bool is_given = given != setup.launch.arguments.end();
    const sim::TensorMapUse* map = map_of(program, parameter);
    if (map != nullptr && parameter.type_text.find('*') != std::string::npos) {
      errors.push_back(
          Message("'{}' points to a tensor map: such a kernel is simulated, but cannot be "
                  "measured; pass the map itself, as const __grid_constant__ CUtensorMap",
                  parameter.name));
      continue;
    }
    if (is_part_of_map(program, parameter)) {
      const auto* number = is_given ? std::get_if<std::int64_t>(&given->second) : nullptr;
      if (number != nullptr) arguments.push_back({parameter.name, parameter.type, *number});
      continue;
    }
    if (parameter.is_texture && map == nullptr) {
      errors.push_back(
          Message("'{}' belongs to a texture or surface: such a kernel is simulated, but cannot be measured",
                  parameter.name));
      continue;
    }
    if (parameter.symbol_elements > 0 || parameter.is_member) {
      errors.push_back(parameter.is_member ? Message("'{}' is part of a struct that is passed by value: such "
                                                     "a kernel is simulated, but cannot be "
                                                     "measured",
                                                     parameter.name)
                                           : Message("'{}' is a variable of the file, not an argument: such "
                                                     "a kernel is simulated, but cannot be "
                                                     "measured",
                                                     parameter.name));
      continue;
    }
    if (parameter.is_pointer) {
      const auto* buffer = is_given ? std::get_if<sim::Buffer>(&given->second) : nullptr;
      if (buffer != nullptr && buffer->data) data_bytes += buffer->data->size();
      if (buffer != nullptr && (buffer->offset != 0 || buffer->is_null))
        errors.push_back(
            Message("'{}' is null, or has an offset: such a launch is simulated, but cannot be measured",
                    parameter.name));
      else if (data_bytes > measure::kMostData)
        errors.push_back(Message(
            "'{0}' brings what buffers hold to more than 16 MiB: such a launch is simulated, but cannot "
            "be measured; fill it with --set {0}=@ELEMENTS:random",
            parameter.name));
      else if (buffer == nullptr || buffer->elements == 0)
        errors.push_back(
            Message("a GPU needs the length of every buffer: give that of '{0}' with --set {0}=@ELEMENTS",
                    parameter.name));
      else
        arguments.push_back(buffer_argument(parameter, *buffer));
      if (map != nullptr && errors.empty())
        std::get<BufferArgument>(arguments.back().value).tensor = sim::shape_of(program, setup.launch, *map);
    } else if (!is_given) {
      errors.push_back(Message("parameter '{0}' has no value: give it with --set {0}=VALUE", parameter.name));
    } else if (const auto* integer = std::get_if<std::int64_t>(&given->second)) {
      arguments.push_back({parameter.name, parameter.type, *integer});
    } else if (const auto* real = std::get_if<double>(&given->second)) {
      arguments.push_back({parameter.name, parameter.type, *real});
    } else if (std::holds_alternative<std::uint64_t>(given->second)) {
      errors.push_back(
          Message("'{}' is beyond 2^63: such a launch is simulated, but cannot be measured", parameter.name));
    } else {
      errors.push_back(
          Message("parameter '{}' is not a pointer, but a buffer was given for it", parameter.name));
    }
  }
  return arguments;
}

// A product's sizes are the kernel's arguments m, n and k; a kernel without them is held against a copy.
void hold_against(scenario::Reference reference, const sim::Launch& launch, MeasureRequest& request) {
  if (reference == scenario::Reference::Copy) return;
  std::array<std::uint64_t, 3> sizes{};
  const char* const names[] = {"m", "n", "k"};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto given = launch.arguments.find(names[i]);
    const auto* value = given == launch.arguments.end() ? nullptr : std::get_if<std::int64_t>(&given->second);
    if (value == nullptr || *value < 1) return;
    sizes[i] = static_cast<std::uint64_t>(*value);
  }
  request.reference_kind = reference;
  request.product = sizes;
}

}  // namespace

scenario::Outcome<MeasureRequest> make_request(const scenario::Setup& setup, const sim::Program& program,
                                               CompileMode mode) {
  scenario::Outcome<MeasureRequest> outcome;
  MeasureRequest request;
  request.subject = subject_of(setup, mode);
  request.subject.kernel = program.kernel;
  request.subject.arguments = bind(setup, program, outcome.errors);
  std::set<std::string> twice;  // a compiler there is given a header by its name alone
  if (const cuda::HeaderSet& headers = setup.compile.headers)
    for (const auto& [by, header] : headers->found) {
      const auto sent = request.subject.headers.find(by.second.substr(1, by.second.size() - 2));
      if (sent != request.subject.headers.end() &&
          sent->second != headers->files[static_cast<std::size_t>(header)].text)
        twice.insert(sent->first);
    }
  for (const std::string& name : twice)
    outcome.errors.push_back(Message("two headers are called {}: give one of them another name", name));
  if (!setup.values.empty()) request.scenario = setup.name;
  request.parameters = setup.values;
  request.check = setup.check;
  request.useful_bytes = setup.useful_bytes;
  request.operations = setup.operations;
  hold_against(setup.reference, setup.launch, request);
  if (outcome.errors.empty()) outcome.value = std::move(request);
  return outcome;
}

}  // namespace warplens::measure
