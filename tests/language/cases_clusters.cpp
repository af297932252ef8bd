// Clusters of blocks. What must come out is worked out here for all blocks at once.
#include "tests/language/language_case.h"

namespace warplens::language {
namespace {

// 500 numbers in two clusters of four blocks; each block keeps a quarter of its cluster's bins.
const Register histogram({.launch = {"clusters.cu", "cluster_histogram", {8}, {64}},
                          .arguments = {buffer("in", 500, I), buffer("bins", 128), number("n", 500)},
                          .host = HOST(),
                          .after =
                              [](HostBuffers& h) {
                                const int* in = h["in"];
                                int* bins = h["bins"];
                                for (int i = 0; i < 500; ++i) ++bins[in[i] & 127];
                              },
                          // Of shared memory what each block does in its own: zeros, and the sums read back.
                          // Of the warps' atomics two of each cluster stay in their block: the first of rank
                          // 0, the last of rank 3.
                          .totals = {{"global load requests", 16},
                                     {"shared store requests", 8},
                                     {"shared load requests", 8},
                                     {"shared atomic requests", 4}},
                          .warnings = 1});
const Register ranks({.launch = {"clusters.cu", "cluster_ranks", {4, 2}},
                      .arguments = {buffer("out", 32)},
                      .host = HOST(),
                      .after =
                          [](HostBuffers& h) {
                            int* out = h["out"];
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
                          },
                      .warnings = 1});
const Register sum({.launch = {"clusters.cu", "cluster_sum", {8}, {32}, 128},
                    .arguments = {buffer("in", 256, R), buffer("out", 128)},
                    .host = HOST(),
                    .after =
                        [](HostBuffers& h) {
                          const float* in = h["in"];
                          float* out = h["out"];
                          for (int i = 0; i < 128; ++i)
                            out[i] = in[i / 32 * 64 + i % 32] + in[i / 32 * 64 + 32 + i % 32];
                        },
                    .totals = {{"shared store requests", 8}, {"shared load requests", 4}},
                    .warnings = 1});
const Register ptx({.launch = {"clusters.cu", "cluster_ptx", {4}},
                    .arguments = {buffer("in", 128, R), buffer("out", 128)},
                    .host = HOST(),
                    .after =
                        [](HostBuffers& h) {
                          const int* in = h["in"];
                          int* out = h["out"];
                          for (int i = 0; i < 128; ++i) out[i] = 1000 * in[i ^ 32] + in[i];
                        },
                    .totals = {{"shared store requests", 0}, {"shared load requests", 4}},
                    .warnings = 1});

}  // namespace
}  // namespace warplens::language
