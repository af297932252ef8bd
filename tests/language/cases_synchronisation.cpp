// Barriers and pipelines as objects, and copies that groups make. The host has none of them: what must come
// out is worked out here.
#include "tests/language/language_case.h"

namespace warplens::language {
namespace {

// Of the tile alone: one by its own thread, three by others.
const Register kBarriers[] = {
    {LAUNCH("2 128 in=@256:random out=@200 n=200", barrier_stages, early_late),
     computed([](const float* in, float* out) {
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
         for (int i = 0; i < 128 && block * 128 + i < 200; ++i) out[block * 128 + i] = sums[i];
       }
     }),
     {.totals = {{"shared load requests", 2 * 4 * 4},
                 {"shared store requests", 2 * 4 * 4},
                 {"shared atomic requests", 0},
                 {"barriers", 2 * 4}}}},
    // Four bytes a thread, as the type promises no more.
    {LAUNCH("1 64 +256 in=@320:random out=@64 tiles=5", barrier_stages, copy_and_wait),
     computed([](const int* in, int* out) {
       for (int i = 0; i < 64; ++i) {
         out[i] = 0;
         for (int tile = 0; tile < 5; ++tile) out[i] += in[tile * 64 + 63 - i];
       }
     }),
     {.totals = {{"global async requests", 5 * 2},
                 {"global async sectors", 5 * 2 * 4},
                 {"shared async requests", 5 * 2}}}},
    // Warp 0 fills, warp 1 empties, warp 2 arrives alike.
    {LAUNCH("1 96 in=@192:random out=@192 tiles=6", barrier_stages, producer_consumer),
     computed([](const float* in, float* out) {
       for (int i = 0; i < 6 * 32; ++i) out[i] = 2.0f * in[i / 32 * 32 + 31 - i % 32] + 1.0f;
     }),
     {.totals = {{"shared store requests", 6}, {"shared load requests", 6}}}}};

void staged(const int* in, int* out, int batches) {
  for (int i = 0; i < 64; ++i) {
    out[i] = 0;
    for (int batch = 0; batch < batches; ++batch) out[i] += in[batch * 64 + (i + batch) % 64];
  }
}
const Register kPipelines[] = {
    {LAUNCH("1 64 +512 in=@448:random out=@64 batches=7", pipeline_blocks, staged_sum<2>),
     computed(staged),
     {.totals = {{"global async requests", 7 * 2},
                 {"shared async requests", 7 * 2},
                 {"shared load requests", 7 * 2},
                 {"barriers", 2}}}},
    {LAUNCH("1 64 +1024 in=@576:random out=@64 batches=9", pipeline_blocks, staged_sum<4>), computed(staged)},
    {LAUNCH("1 64 in=@256:random out=@256 n=256", pipeline_blocks, own_pipeline),
     computed([](const float* in, float* out) {
       for (int i = 0; i < 256; ++i)
         for (int k = 0; k < 4; ++k) out[4 * i + k] = in[4 * (i / 64 * 64 + 63 - i % 64) + 3 - k];
     }),
     {.totals = {{"global async requests", 4 * 2}, {"global async sectors", 4 * 2 * 16}}}},
    {LAUNCH("1 64 in=@160:random out=@160 rounds=5", pipeline_blocks, parts),
     computed([](const float* in, float* out) {
       for (int i = 0; i < 5 * 32; ++i) out[i] = in[i ^ 1] + static_cast<float>(i / 32);
     })},
    // 100 floats by 64 threads: two turns, the second of 36.
    {LAUNCH("1 64 +400 in=@300:random out=@300 chunk=100 chunks=3", group_copies, block_copies),
     computed([](const float* in, float* out) {
       for (int i = 0; i < 300; ++i) out[i] = in[i / 100 * 100 + 99 - i % 100];
     }),
     {.totals = {{"global async requests", 3 * 4}, {"shared async requests", 3 * 4}}}},
    // 37 vectors by 32 lanes: all of them take part in the second turn, 28 for what another copies too.
    {LAUNCH("1 128 in=@148:random out=@148 n=37", group_copies, tile_copies),
     computed([](const float* in, float* out) {
       for (int i = 0; i < 4 * 37; ++i)
         for (int k = 0; k < 4; ++k) out[4 * i + k] = in[4 * (i / 37 * 37 + 36 - i % 37) + k];
     }),
     {.totals = {{"global async requests", 4 * 2}, {"global async bytes", 4 * 2 * 512}}}},
    {LAUNCH("1 256 in=@256:random out=@256", group_copies, promised),
     computed([](const signed char* in, int* out) {
       for (int i = 0; i < 256; ++i) out[i] = in[i] + in[255 - i];
     }),
     {.totals = {{"global async requests", 1}, {"global async sectors", 8}}}}};

// ---- as inline PTX

// What is copied in bulk is no access of a warp's.
const Register kInPtx[] = {
    {LAUNCH("1 96 in=@1792:random out=@1792 rows=7", mbarrier_copies, bulk_rows),
     computed([](const float* in, float* out) {
       for (int i = 0; i < 7 * 256; ++i) out[i] = in[i / 256 * 256 + 255 - i % 256];
     }),
     {.totals = {{"global load requests", 0},
                 {"shared store requests", 0},
                 {"shared load requests", 7 * 4 * 2},
                 {"barriers", 3}},
      .warnings = 1}},
    {LAUNCH("3 128 out=@384", mbarrier_copies, bulk_store),
     computed([](float* out) {
       for (int i = 0; i < 3 * 128; ++i) out[i] = 3.0f * static_cast<float>(i % 128);
     }),
     {.totals = {{"global store requests", 0}, {"shared store requests", 3 * 4}}, .warnings = 1}},
    {LAUNCH("1 96 in=@96:random out=@96", mbarrier_copies, copies_arrive),
     computed([](const int* in, int* out) {
       for (int i = 0; i < 96; ++i)
         for (int k = 0; k < 4; ++k) out[4 * i + k] = in[4 * (95 - i) + k];
     }),
     {.totals = {{"global async requests", 3}, {"global async sectors", 48}}}}};

}  // namespace
}  // namespace warplens::language
