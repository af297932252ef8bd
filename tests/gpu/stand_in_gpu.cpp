// Stands in for warplens-gpu in the client's tests: behaves, or misbehaves, as its first argument says.
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <iostream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <thread>

#include "kernels/protocol/protocol.h"

namespace {

using namespace warplens::measure;

void say(const Reply& reply) {
  std::cout << to_json(reply).dump() << std::endl;
}

Hello greeting(const std::string& how) {
  Hello hello;
  hello.version = how == "older" ? "0.0.9" : "0.1.0";
  hello.reason = warplens::Message("this machine has no NVIDIA driver");
  if (how == "no-gpu") return hello;
  hello.reason = {};
  hello.gpu.emplace();
  hello.gpu->name = "Stand-in GPU";
  hello.gpu->compute_major = 9;
  hello.gpu->driver = "1.2";
  hello.gpu->cuda = "13.0";
  return hello;
}

Measurement measurement_of(const MeasureRequest& request) {
  Measurement m;
  m.subject = request.subject;
  m.key = key_of(m.subject);
  m.device = *greeting("").gpu;
  m.when = "2025-11-03T10:15:00Z";
  m.useful_bytes = request.useful_bytes;
  m.cold = summarise({4e-6, 2e-6, 3e-6});
  m.warm = summarise({2e-6, 1e-6, 1e-6});
  m.check.state = CheckState::Right;
  m.counters.reason = warplens::Message::verbatim("a stand-in has none");
  return m;
}

void sleep_for_ever() {
  while (true) std::this_thread::sleep_for(std::chrono::seconds(1));
}

// A good answer with a few bytes changed, each time others.
void say_mutated(const Reply& reply) {
  static std::minstd_rand random(17);
  std::string line = to_json(reply).dump();
  for (int i = 0; i < 3; ++i) {
    const std::size_t at = random() % line.size();
    switch (random() % 4) {
      case 0:
        line[at] = static_cast<char>(random() % 256);
        break;
      case 1:
        line.erase(at, 1 + random() % 5);
        break;
      case 2:
        line.insert(at, 1, "{}[],:\"-9e"[random() % 10]);
        break;
      default:
        line.resize(at + 1);
        break;
    }
  }
  std::cout << line << std::endl;
}

void measure_as(const std::string& how, const MeasureRequest& request) {
  if (how == "garbage") std::cout << "\x01\x02 not json at all" << std::endl;
  if (how == "garbage") sleep_for_ever();
  if (how == "half-line") std::cout << "{\"schema\": \"warplens.gpu/1\", \"reply\": \"measu" << std::flush;
  if (how == "half-line" || how == "leaves") _exit(7);
  if (how == "crashes") {
    std::cerr << "some library said something\nthe last word" << std::endl;
    raise(SIGKILL);
  }
  if (how == "endless") say({request.id, Progress{"sample", 0.5}});  // it has begun
  if (how == "endless") sleep_for_ever();
  if (how == "sticky") {
    say({request.id, Failure{FailureKind::Kernel,
                             warplens::Message::verbatim("illegal address"),
                             warplens::Message::verbatim("look at the trace"),
                             {},
                             true}});
    _exit(75);
  }
  if (how == "stale")
    say({request.id - 1,
         Failure{FailureKind::Internal, warplens::Message::verbatim("of an older request"), {}, {}, false}});
  if (how == "wrong-field") {
    std::cout << R"({"schema": "warplens.gpu/1", "id": )" << request.id
              << R"(, "reply": "measurement", "measurement": {"subject": 5}})" << std::endl;
    return;
  }
  if (how == "wrong") {
    Measurement m = measurement_of(request);
    m.check = {CheckState::Wrong, "expected values computed on the host", "out", 17, "1", "2", 3, 4096};
    return say({request.id, m});
  }
  if (how == "mutated") return say_mutated({request.id, measurement_of(request)});
  say({request.id, Progress{"sample", 0.5}});
  say({request.id, measurement_of(request)});
}

}  // namespace

int main(int count, char** words) {
  const std::string how = count > 1 ? words[1] : "";
  alarm(1800);  // outlives no test, even one that was killed
  if (how == "silent") sleep_for_ever();
  if (how == "ends-at-once") {
    std::cerr << "ssh: Could not resolve hostname lab" << std::endl;
    return 255;
  }
  if (how == "chatter") std::cout << "Welcome to the lab!\n\nToday: maintenance at noon." << std::endl;
  if (how == "only-chatter")
    for (int i = 0; i < 1000; ++i) std::cout << "no, I am something else" << std::endl;
  for (std::string line; std::getline(std::cin, line);) {
    auto document = warplens::scenario::JsonDocument::parse(line, "request", limits_of_lines());
    if (!document.ok()) return 1;
    const std::string request = document.root().text("request");
    if (request == "hello" && how == "other-version") {
      std::cout << R"({"schema": "warplens.gpu/2", "reply": "hello", "id": 1, "version": "9.0", "gpu": null})"
                << std::endl;
    } else if (request == "hello") {
      say({1, greeting(how)});
    } else if (request == "measure") {
      measure_as(how, warplens::scenario::read_as<MeasureRequest>(document.root()));
    }
  }
  return 0;
}
