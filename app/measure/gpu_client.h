// The app's side of warplens-gpu: a worker thread that keeps one child alive, sends it requests and collects
// what it says. Nothing here blocks the caller; no CUDA is called in this process.
//
//   GpuClient client(gpu_command("", error), {});
//   auto ticket = client.submit(request);
//   for (auto& event : client.poll()) ...          // once a frame
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "kernels/protocol/child_process.h"
#include "kernels/protocol/protocol.h"
#include "sim/scenario/scenario.h"

namespace warplens::measure {

// The command that starts warplens-gpu: WARPLENS_GPU where that is set; else the program beside this one;
// else the one on PATH. With `via` ("ssh host", "srun -p gpu") that launcher and then "warplens-gpu", unless
// it names the program itself. Empty, with `error` in words, where there is none.
std::vector<std::string> gpu_command(const std::string& via, Message& error);

struct ClientOptions {
  double hello_seconds = 30;      // a launcher may have to queue
  double grace_seconds = 5;       // beyond a request's own deadline, before the child is killed
  double cancel_seconds = 1;      // for the child to stop by itself after a cancel
  double patience_seconds = 0.5;  // before SIGTERM, and again before SIGKILL
  double longest_back_off_seconds = 30;
  std::function<void()>
      on_event;  // called in the worker's thread after each event, to wake a sleeping frame loop
};

enum class ClientState : std::uint8_t { Starting, Ready, NoGpu, Broken };
struct ClientStatus {
  ClientState state = ClientState::Starting;
  std::optional<DeviceInfo> gpu;
  std::string version;  // of warplens-gpu
  Failure failure;      // NoGpu, Broken: why, in words
};

struct ClientEvent {
  std::uint64_t ticket = 0;
  std::variant<Progress, Measurement, PeakRecord, Failure> what;  // the last three end the ticket
};

class GpuClient {
 public:
  // Starts the child at once. An empty command makes a client that answers every request with Failure Start.
  GpuClient(std::vector<std::string> command, ClientOptions options);
  ~GpuClient();  // cancels everything, ends the child, joins
  GpuClient(const GpuClient&) = delete;
  GpuClient& operator=(const GpuClient&) = delete;

  // Their id is set to the ticket.
  std::uint64_t submit(MeasureRequest request);
  std::uint64_t submit(PeaksRequest request);
  void cancel(std::uint64_t ticket);
  void cancel_all();
  std::vector<ClientEvent> poll();  // what happened since the last call
  std::vector<ClientEvent> wait(
      double seconds);  // the same, waiting for the first; for programs without frames
  ClientStatus status() const;
  ClientStatus wait_for_status(double seconds) const;  // until it is no longer Starting

 private:
  // A request as it is sent.
  struct Job {
    std::uint64_t id = 0;
    std::string line;
    double deadline_seconds = 0;
  };
  using Answer = std::variant<Measurement, PeakRecord, Failure>;
  template <class Request>
  std::uint64_t queue(Request request);
  void work();
  bool ensure_child(Failure& failure);
  bool greet(Failure& failure);
  std::variant<Hello, Failure> read_hello();
  Failure no_hello(ChildProcess::Event event, const std::string& banner);
  Failure no_answer(ChildProcess::Event event, const Job& job);
  Answer carry_out(const Job& job);
  Answer follow(const Job& job);
  bool is_cancelled(std::uint64_t ticket) const;
  void publish(std::uint64_t ticket, std::variant<Progress, Measurement, PeakRecord, Failure> what);
  void set_status(ClientState state, const Failure& failure);
  void drop_child();
  enum class When { Greeting, Asking, Measuring };
  static Message gone_message(When when, const Message& how);
  Failure gone(When when);

  const std::vector<std::string> command_;
  const ClientOptions options_;
  WakePipe wake_;

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::deque<Job> jobs_;
  std::deque<ClientEvent> events_;
  std::set<std::uint64_t> cancelled_;
  std::uint64_t last_ticket_ = 1;  // 1 is the greeting's
  bool stopping_ = false;
  ClientStatus status_;

  // the worker's own
  std::unique_ptr<ChildProcess> child_;
  int failed_starts_ = 0;
  Clock::time_point not_before_{};
  std::thread worker_;
};

// From what a panel or a command shows to what warplens-gpu is asked.

// A GPU needs every buffer's length and every scalar; what is missing is an error in words. `program` is the
// setup's own, compiled: it knows the parameters' types and order.
scenario::Outcome<MeasureRequest> make_request(const scenario::Setup& setup, const sim::Program& program,
                                               CompileMode mode);

}  // namespace warplens::measure
