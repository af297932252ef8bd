#include <algorithm>
#include <charconv>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/layout/layout_output.h"
#include "app/cli/output.h"
#include "app/cli/target/options.h"

namespace warplens::cli {

namespace {

struct LayoutOptions {
  std::string layout, swizzle, fragment, show = "places";
  int element_bytes = 4;
  SimulationOptions simulation;  // its budget
  FormatOptions format;
};

[[noreturn]] void fail_layout(const std::string& text, const layout::ParsedLayout& parsed) {
  throw CommandFailure(kInputWrong, parsed.error.english() + "\n  " + text + "\n  " +
                                        std::string(std::min(parsed.at, text.size()), ' ') + "^");
}

// "3,4,3", of elements' indices; "128B", TMA's of bytes.
layout::Swizzle swizzle_of(const std::string& text) {
  for (const int row_bytes : {32, 64, 128})
    if (text == std::to_string(row_bytes) + "B") return layout::tma_swizzle(row_bytes);
  int numbers[3] = {};
  const char *at = text.data(), *end = at + text.size();
  for (int i = 0; i < 3; ++i) {
    if (i > 0 && (at == end || *at++ != ',')) break;
    const auto [behind, error] = std::from_chars(at, end, numbers[i]);
    if (error != std::errc()) break;
    at = behind;
    if (i == 2 && at == end && layout::is_swizzle(numbers[0], numbers[1], numbers[2]))
      return {numbers[0], numbers[1], numbers[2], false};
  }
  throw CommandFailure(
      kInputWrong,
      "--swizzle " + text + ": B,M,S with 0 <= B <= |S| and 0 <= M is expected, or 32B, 64B, 128B");
}

LayoutSubject subject_of(const LayoutOptions& options) {
  layout::ParsedLayout parsed = layout::parse_layout(options.layout);
  if (!parsed.layout) fail_layout(options.layout, parsed);
  LayoutSubject subject{std::move(*parsed.layout), options.element_bytes, options.show == "banks"};
  if (!options.swizzle.empty()) {
    if (subject.layout.swizzle.bits > 0)
      throw CommandFailure(kInputWrong, "--swizzle: the layout has one already");
    subject.layout.swizzle = swizzle_of(options.swizzle);
  }
  if (!subject.layout.swizzle.fits(subject.element_bytes))
    throw CommandFailure(kInputWrong, "the swizzle would tear elements of " +
                                          std::to_string(subject.element_bytes) + " bytes apart");
  return subject;
}

template <typename Text, typename Csv, typename Json>
ExitCode print_as(const FormatOptions& format, Text text, Csv csv, Json json) {
  if (format.csv)
    print_csv(csv());
  else if (format.json)
    print_json(json());
  else
    print(text());
  return kDone;
}

ExitCode run_fragment(const LayoutOptions& options) {
  const layout::MmaShape* shape = layout::find_mma_shape(options.fragment);
  if (shape == nullptr) {
    std::string known;
    for (const layout::MmaShape& each : layout::mma_shapes())
      known += (known.empty() ? "" : ", ") + each.name;
    known += ", m64n8k16.f16 to m64n256k16.f16 and their like";
    throw CommandFailure(kInputWrong, "--fragment " + options.fragment + ": there are " + known);
  }
  return print_as(
      options.format, [&] { return fragment_text(*shape); }, [&] { return fragment_csv(*shape); },
      [&] { return fragment_json(*shape); });
}

ExitCode run_layout(const LayoutOptions& options) {
  if (options.layout.empty() == options.fragment.empty())
    throw CommandFailure(kInputWrong, "a LAYOUT is needed, \"(8,(4,2)):(1,(8,64))\", or --fragment");
  if (!options.fragment.empty()) return run_fragment(options);
  Budget& budget = options.simulation.budget();
  const LayoutSubject subject = subject_of(options);
  return print_as(
      options.format, [&] { return layout_text(subject, budget); },
      [&] { return layout_csv(subject, budget); }, [&] { return layout_json(subject, budget); });
}

}  // namespace

Command add_layout(CLI::App& app) {
  auto options = std::make_shared<LayoutOptions>();
  CLI::App* command = app.add_subcommand(
      "layout", "Where the elements of a tile lie, and what reading it costs; who holds a fragment of mma");
  command->add_option("LAYOUT", options->layout,
                      "As CuTe writes it: \"(8,(4,2)):(1,(8,64))\", \"Swizzle<3,3,3> o (8,64):(64,1)\", "
                      "\"SW128 o (8,64):(64,1)\"");
  command->add_option("--element", options->element_bytes, "Bytes of an element")
      ->check(CLI::IsMember({1, 2, 4, 8, 16}))
      ->capture_default_str();
  command->add_option("--swizzle", options->swizzle, "B,M,S over the elements, or TMA's 32B, 64B, 128B");
  command->add_option("--show", options->show, "What the table has: places or banks")
      ->check(CLI::IsMember({"places", "banks"}))
      ->capture_default_str();
  command->add_option(
      "--fragment", options->fragment,
      "Who holds which element of an mma.sync or a wgmma instead: m16n8k16.f16, m64n64k16.f16");
  options->simulation.add_seconds(*command);
  options->format.add_to(*command);
  return {command, [options] { return run_layout(*options); }};
}

}  // namespace warplens::cli
