// Every measurement of a recorded pack against its prediction: requests and sectors of global memory,
// wavefronts of shared memory. As a page for people, as data, and as a plot. And whether what compilers make
// of the accesses in the text is what makes them equal (issued_section.h).
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <vector>

#include "app/measure/pack.h"
#include "sim/report/report.h"

namespace warplens::cli {

enum class Quantity : std::uint8_t { Requests, Sectors, Wavefronts };

// One count of one measurement: a quantity of one operation.
struct Point {
  Quantity quantity = Quantity::Requests;
  std::string what;  // "load requests"
  double predicted = 0, measured = 0;
  bool explained = false;  // a difference with a known cause, within that cause's bound
  std::string cause;       // of a difference, in words
  double literal = 0;      // predicted where every access in the text counts; of requests and sectors
  bool is_equal() const { return predicted == measured; }
  bool holds() const { return is_equal() || explained; }
};

struct CorrelationRow {
  const measure::Measurement* measurement = nullptr;
  std::string kernel;      // its scenario, or the file and the kernel: "members.cu quad_sum"
  std::string parameters;  // "nrows 1024, ncols 1024, block 32 x 16, pad 0"
  // What compilers do with its accesses to global memory: report::name_of of those that they leave out, and
  // kJoined. Empty: they make each that is in the text.
  std::set<std::string> made;
  std::vector<Point> points;
  double pipe_wavefronts = -1;  // the pipe's own counters, with arbitration; negative: not measured
  bool holds() const;
};

inline constexpr const char* kJoined = "joined";  // members of one object are one access

// A kernel's file outside of the gallery, of which measurements in a pack may be.
struct KernelFile {
  std::string name, text, hash;  // hash: as measure::hash_text gives it
};
// The kernel files in the folders, by name.
std::vector<KernelFile> kernel_files(const std::vector<std::string>& folders, Budget& budget);

struct Correlation {
  const measure::Pack* pack = nullptr;
  std::string files;                  // the packs' names, as on a command line
  std::vector<CorrelationRow> rows;   // by kernel, parameters and mode
  std::vector<std::string> left_out;  // measurements that cannot be compared, in words
  std::size_t failed() const;
};

// `simulate` counts the whole grid of a setup; an exception leaves the measurement out, with its words.
// Throws Stopped where the budget ends.
using Simulate = std::function<report::Report(const scenario::Setup&)>;
Correlation correlate(const measure::Pack& pack, const std::vector<scenario::Scenario>& scenarios,
                      const std::vector<KernelFile>& files, const Simulate& simulate, Budget& budget);

nlohmann::ordered_json correlation_json(const Correlation& correlation);  // warplens.correlation/1
// Markdown. `picture`: the plot's address as the page sees it; empty: none.
std::string correlation_page(const Correlation& correlation, const std::string& picture);
std::string correlation_svg(
    const Correlation& correlation);  // predicted across, measured up, both logarithmic
std::string correlation_summary(const Correlation& correlation);

// "n=1024 pad=1"
std::string parameters_of(const measure::Measurement& m);

}  // namespace warplens::cli
