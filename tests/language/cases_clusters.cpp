// Clusters of blocks. What must come out is worked out here for all blocks at once.
#include "tests/language/language_case.h"

namespace warplens::language {
namespace {

// 500 numbers in two clusters of four blocks; each block keeps a quarter of its cluster's bins.
// Of shared memory what each block does in its own: zeros, and the sums read back.
// Of the warps' atomics two of each cluster stay in their block: the first of rank
// 0, the last of rank 3.
const Register kCases[] = {
    {LAUNCH("8 64 in=@500:iota bins=@128 n=500", clusters, cluster_histogram),
     computed([](const int* in, int* bins) {
       for (int i = 0; i < 500; ++i) ++bins[in[i] & 127];
     }),
     {.totals = {{"global load requests", 16},
                 {"shared store requests", 8},
                 {"shared load requests", 8},
                 {"shared atomic requests", 4}},
      .warnings = 1}},
    {LAUNCH("4,2 32 out=@32", clusters, cluster_ranks),
     computed([](int* out) {
       for (int y = 0; y < 2; ++y) {
         for (int x = 0; x < 4; ++x) {
           const int rank = x % 2 + 2 * y, next = (rank + 1) % 4;
           int* of = out + 4 * (4 * y + x);
           of[0] = 100 * (next / 2) + x / 2 * 2 + next % 2;
           of[1] = next;
           of[2] = x % 2 + 10 * y + 2200;
           of[3] = 32 * rank + 128;
         }
       }
     }),
     {.warnings = 1}},
    {LAUNCH("8 32 +128 in=@256:random out=@128", clusters, cluster_sum),
     computed([](const float* in, float* out) {
       for (int i = 0; i < 128; ++i) out[i] = in[i / 32 * 64 + i % 32] + in[i / 32 * 64 + 32 + i % 32];
     }),
     {.totals = {{"shared store requests", 8}, {"shared load requests", 4}}, .warnings = 1}},
    {LAUNCH("4 32 in=@128:random out=@128", clusters, cluster_ptx),
     computed([](const int* in, int* out) {
       for (int i = 0; i < 128; ++i) out[i] = 1000 * in[i ^ 32] + in[i];
     }),
     {.totals = {{"shared store requests", 0}, {"shared load requests", 4}}, .warnings = 1}}};

}  // namespace
}  // namespace warplens::language
