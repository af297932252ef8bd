// The architecture that was asked for is the one that kernels are compiled and launched for.
#include <gtest/gtest.h>

#include "app/simulate/simulator.h"
#include "app/source/programs.h"
#include "app/state/catalog.h"
#include "tests/app/gallery.h"

namespace warplens::app {
namespace {

Compilation compiled(const char* name) {
  const State state = opening(gallery(), name);
  return compile_settings(state.settings, scenario_of(gallery(), state.settings), {});
}

TEST(PredictedGpu, IsSm90UntilAnotherIsChosen) {
  EXPECT_EQ(predicted_gpu().name, "sm_90");
  EXPECT_EQ(compiled("transpose_shared").compiled->gpu->name, "sm_90");
  predict_for(*memory::find_gpu_model("sm_61"));
  const Compilation pascal = compiled("transpose_shared");
  predict_for(memory::default_gpu_model());
  ASSERT_TRUE(pascal.compiled);
  EXPECT_EQ(pascal.compiled->gpu->name, "sm_61");
}

}  // namespace
}  // namespace warplens::app
