// Barriers and pipelines as objects, and copies that groups make. The host has none of them: what must come
// out is worked out here.
#include "tests/language/language_case.h"

namespace warplens::language {
namespace {

const Register early({.launch = {"barrier_stages.cu", "early_late", {2}, {128}},
                      .arguments = {buffer("in", 256, R), buffer("out", 200), number("n", 200)},
                      .host = HOST(),
                      .after =
                          [](HostBuffers& h) {
                            const float* in = h["in"];
                            float* out = h["out"];
                            for (int block = 0; block < 2; ++block) {
                              float tile[128], sums[128];
                              for (int i = 0; i < 128; ++i) {
                                tile[i] = in[block * 128 + i];
                                sums[i] = tile[i] * 2;
                              }
                              for (int turn = 0; turn < 3; ++turn) {
                                for (int i = 0; i < 128; ++i) sums[i] += tile[(i + 33 * (turn + 1)) % 128];
                                for (int i = 0; i < 128; ++i) tile[i] = sums[i];
                              }
                              for (int i = 0; i < 128 && block * 128 + i < 200; ++i)
                                out[block * 128 + i] = sums[i];
                            }
                          },
                      // Of the tile alone: one by its own thread, three by others.
                      .totals = {{"shared load requests", 2 * 4 * 4},
                                 {"shared store requests", 2 * 4 * 4},
                                 {"shared atomic requests", 0},
                                 {"barriers", 2 * 4}}});

// Four bytes a thread, as the type promises no more.
const Register waited({.launch = {"barrier_stages.cu", "copy_and_wait", {1}, {64}, 256},
                       .arguments = {buffer("in", 5 * 64, R), buffer("out", 64), number("tiles", 5)},
                       .host = HOST(),
                       .after =
                           [](HostBuffers& h) {
                             const int* in = h["in"];
                             int* out = h["out"];
                             for (int i = 0; i < 64; ++i) {
                               out[i] = 0;
                               for (int tile = 0; tile < 5; ++tile) out[i] += in[tile * 64 + 63 - i];
                             }
                           },
                       .totals = {{"global async requests", 5 * 2},
                                  {"global async sectors", 5 * 2 * 4},
                                  {"shared async requests", 5 * 2}}});

// Warp 0 fills, warp 1 empties, warp 2 arrives alike.
const Register roles({.launch = {"barrier_stages.cu", "producer_consumer", {1}, {96}},
                      .arguments = {buffer("in", 6 * 32, R), buffer("out", 6 * 32), number("tiles", 6)},
                      .host = HOST(),
                      .after =
                          [](HostBuffers& h) {
                            const float* in = h["in"];
                            float* out = h["out"];
                            for (int i = 0; i < 6 * 32; ++i)
                              out[i] = 2.0f * in[i / 32 * 32 + 31 - i % 32] + 1.0f;
                          },
                      .totals = {{"shared store requests", 6}, {"shared load requests", 6}}});

void staged(const int* in, int* out, int batches) {
  for (int i = 0; i < 64; ++i) {
    out[i] = 0;
    for (int batch = 0; batch < batches; ++batch) out[i] += in[batch * 64 + (i + batch) % 64];
  }
}
const Register two_stages({.launch = {"pipeline_blocks.cu", "staged_sum<2>", {1}, {64}, 512},
                           .arguments = {buffer("in", 7 * 64, R), buffer("out", 64), number("batches", 7)},
                           .host = HOST(),
                           .after = HOST(staged(h["in"], h["out"], 7)),
                           .totals = {{"global async requests", 7 * 2},
                                      {"shared async requests", 7 * 2},
                                      {"shared load requests", 7 * 2},
                                      {"barriers", 2}}});
const Register four_stages({.launch = {"pipeline_blocks.cu", "staged_sum<4>", {1}, {64}, 1024},
                            .arguments = {buffer("in", 9 * 64, R), buffer("out", 64), number("batches", 9)},
                            .host = HOST(),
                            .after = HOST(staged(h["in"], h["out"], 9))});
const Register own({.launch = {"pipeline_blocks.cu", "own_pipeline", {1}, {64}},
                    .arguments = {buffer("in", 256, R), buffer("out", 256), number("n", 256)},
                    .host = HOST(),
                    .after =
                        [](HostBuffers& h) {
                          const float* in = h["in"];
                          float* out = h["out"];
                          for (int i = 0; i < 256; ++i)
                            for (int k = 0; k < 4; ++k)
                              out[4 * i + k] = in[4 * (i / 64 * 64 + 63 - i % 64) + 3 - k];
                        },
                    .totals = {{"global async requests", 4 * 2}, {"global async sectors", 4 * 2 * 16}}});
const Register divided({.launch = {"pipeline_blocks.cu", "parts", {1}, {64}},
                        .arguments = {buffer("in", 5 * 32, R), buffer("out", 5 * 32), number("rounds", 5)},
                        .host = HOST(),
                        .after = [](HostBuffers& h) {
                          const float* in = h["in"];
                          float* out = h["out"];
                          for (int i = 0; i < 5 * 32; ++i) out[i] = in[i ^ 1] + static_cast<float>(i / 32);
                        }});

// 100 floats by 64 threads: two turns, the second of 36.
const Register of_block({.launch = {"group_copies.cu", "block_copies", {1}, {64}, 400},
                         .arguments = {buffer("in", 300, R), buffer("out", 300), number("chunk", 100),
                                       number("chunks", 3)},
                         .host = HOST(),
                         .after =
                             [](HostBuffers& h) {
                               const float* in = h["in"];
                               float* out = h["out"];
                               for (int i = 0; i < 300; ++i) out[i] = in[i / 100 * 100 + 99 - i % 100];
                             },
                         .totals = {{"global async requests", 3 * 4}, {"shared async requests", 3 * 4}}});
// 37 vectors by 32 lanes: all of them take part in the second turn, 28 for what another copies too.
const Register of_tile({.launch = {"group_copies.cu", "tile_copies", {1}, {128}},
                        .arguments = {buffer("in", 4 * 37, R), buffer("out", 4 * 37), number("n", 37)},
                        .host = HOST(),
                        .after =
                            [](HostBuffers& h) {
                              const float* in = h["in"];
                              float* out = h["out"];
                              for (int i = 0; i < 4 * 37; ++i)
                                for (int k = 0; k < 4; ++k)
                                  out[4 * i + k] = in[4 * (i / 37 * 37 + 36 - i % 37) + k];
                            },
                        .totals = {{"global async requests", 4 * 2}, {"global async bytes", 4 * 2 * 512}}});
const Register of_bytes({.launch = {"group_copies.cu", "promised", {1}, {256}},
                         .arguments = {buffer("in", 256, R), buffer("out", 256)},
                         .host = HOST(),
                         .after =
                             [](HostBuffers& h) {
                               const signed char* in = h["in"];
                               int* out = h["out"];
                               for (int i = 0; i < 256; ++i) out[i] = in[i] + in[255 - i];
                             },
                         .totals = {{"global async requests", 1}, {"global async sectors", 8}}});

// ---- as inline PTX

const Register bulk_rows({.launch = {"mbarrier_copies.cu", "bulk_rows", {1}, {96}},
                          .arguments = {buffer("in", 7 * 256, R), buffer("out", 7 * 256), number("rows", 7)},
                          .host = HOST(),
                          .after =
                              [](HostBuffers& h) {
                                const float* in = h["in"];
                                float* out = h["out"];
                                for (int i = 0; i < 7 * 256; ++i) out[i] = in[i / 256 * 256 + 255 - i % 256];
                              },
                          // What is copied in bulk is no access of a warp's.
                          .totals = {{"global load requests", 0},
                                     {"shared store requests", 0},
                                     {"shared load requests", 7 * 4 * 2},
                                     {"barriers", 3}},
                          .warnings = 1});
const Register bulk_store({.launch = {"mbarrier_copies.cu", "bulk_store", {3}, {128}},
                           .arguments = {buffer("out", 3 * 128)},
                           .host = HOST(),
                           .after =
                               [](HostBuffers& h) {
                                 float* out = h["out"];
                                 for (int i = 0; i < 3 * 128; ++i)
                                   out[i] = 3.0f * static_cast<float>(i % 128);
                               },
                           .totals = {{"global store requests", 0}, {"shared store requests", 3 * 4}},
                           .warnings = 1});
const Register arriving({.launch = {"mbarrier_copies.cu", "copies_arrive", {1}, {96}},
                         .arguments = {buffer("in", 96, R), buffer("out", 96)},
                         .host = HOST(),
                         .after =
                             [](HostBuffers& h) {
                               const int* in = h["in"];
                               int* out = h["out"];
                               for (int i = 0; i < 96; ++i)
                                 for (int k = 0; k < 4; ++k) out[4 * i + k] = in[4 * (95 - i) + k];
                             },
                         .totals = {{"global async requests", 3}, {"global async sectors", 48}}});

}  // namespace
}  // namespace warplens::language
