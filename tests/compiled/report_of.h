// The report of a launch document, as of an H100.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>

#include "sim/report/report.h"
#include "sim/scenario/launch_document.h"
#include "sim/scenario/target.h"

namespace warplens {

inline report::Report report_of(const std::filesystem::path& file) {
  auto setup = scenario::load_launch(file);
  EXPECT_TRUE(setup) << (setup.errors.empty() ? "" : setup.errors.front().english());
  if (!setup) return {};
  const auto prepared = scenario::prepare(std::move(*setup.value), *memory::find_gpu_model("sm_90"));
  EXPECT_TRUE(prepared) << (prepared.errors.empty() ? "" : prepared.errors.front().english());
  if (!prepared) return {};
  const sim::Totals totals =
      sim::grid_totals(prepared.value->program, prepared.value->setup.launch, *prepared.value->gpu);
  EXPECT_FALSE(totals.error) << totals.error->message.english();
  report::Report report = report::make_report(*prepared.value, totals);
  const auto error = report::add_assembled(report, *prepared.value);
  EXPECT_FALSE(error) << error->message.english();
  return report;
}

}  // namespace warplens
