// Textures and surfaces. What must come out is worked out here, as CUDA's guide has texture fetching.
#include <algorithm>
#include <cmath>

#include "tests/language/language_case.h"

namespace warplens::language {
namespace {

// ---- linear memory

const Register kLinear[] = {
    {LAUNCH("2 128 rows=@201:iota columns=@200:permutation values=@200:random x=@200:random y=@200 n=200",
            texture_fetch, spmv_texture),
     computed([](const void*, const int* columns, const float* values, const float* x, float* y) {
       for (int i = 0; i < 200; ++i) y[i] = values[i] * x[columns[i]];
     }),
     {.totals = {{"global load requests", 7 * 6}}}},
    {LAUNCH("2 64 bodies=@64:random index=@100:permutation out=@100 n=100", texture_fetch, gather_bodies),
     computed([](const float* bodies, const int* index, float* out) {
       for (int i = 0; i < 100; ++i)
         for (int k = 0; k < 4; ++k)
           out[4 * i + k] = bodies[4 * (index[i] & 63) + k] * (k == 3 ? 2.0f : 1.0f);
     })},
    {LAUNCH("1 256 in=@256:random out=@256 n=256 table=@256:random", texture_fetch, look_up),
     computed([](const unsigned char* in, int* out, int, const unsigned char* entries) {
       for (int i = 0; i < 256; ++i) out[i] = entries[in[i]];
     })}};

// Sectors as an H200 counts them: those of each eight lanes by themselves.
const auto strided = [](const float* x, float* out, int stride, int first) {
  for (int i = 0; i < 32; ++i) out[i] = x[i * stride + first];
};
const Register kStrides[] = {
    {LAUNCH("1 32 x=@512:random out=@32 stride=1 first=0", texture_strides, strided_fetch),
     computed(strided),
     {.totals = {{"global load requests", 1}, {"global load sectors", 4}}}},
    {LAUNCH("1 32 x=@512:random out=@32 stride=3 first=0", texture_strides, strided_fetch),
     computed(strided),
     {.totals = {{"global load requests", 1}, {"global load sectors", 12}}}},
    {LAUNCH("1 32 x=@512:random out=@32 stride=8 first=0", texture_strides, strided_fetch),
     computed(strided),
     {.totals = {{"global load requests", 1}, {"global load sectors", 32}}}},
    {LAUNCH("1 32 x=@512:random out=@32 stride=1 first=1", texture_strides, strided_fetch),
     computed(strided),
     {.totals = {{"global load requests", 1}, {"global load sectors", 8}}}},
    {LAUNCH("1 32 x=@32:random out=@32", texture_strides, bytes_fetch),
     computed([](const unsigned char* x, unsigned char* out) { std::copy(x, x + 32, out); }),
     {.totals = {{"global load sectors", 4}}}},
    // Of one float4 for all lanes each four ask by themselves.
    {LAUNCH("1 32 x=@32:random out=@32 stride=0", texture_strides, vectors_fetch),
     computed([](const float* x, float* out) {
       for (int i = 0; i < 128; ++i) out[i] = x[i % 4];
     }),
     {.totals = {{"global load sectors", 8}}}}};

// ---- images

struct Image {
  const float* texels;
  int width, height, depth;
  float at(int x, int y, int z) const {
    x = std::clamp(x, 0, width - 1), y = std::clamp(y, 0, height - 1), z = std::clamp(z, 0, depth - 1);
    return texels[(z * height + y) * width + x];
  }
};

// Rows of 16, two of them a warp; the third block of a row has 8 columns.
const Register kImages[] = {
    {LAUNCH("3,2 16,8 image=@480:random out=@480 width=40 height=12 image.width=40 image.height=12 "
            "image.filter=0 image.address=1",
            texture_images, box_filter),
     computed([](HostBuffers& h) {
       const Image image{h["image"], 40, 12, 1};
       float* out = h["out"];
       for (int y = 0; y < 12; ++y) {
         for (int x = 0; x < 40; ++x) {
           float sum = 0;
           for (int dy = -1; dy <= 1; ++dy)
             for (int dx = -1; dx <= 1; ++dx) sum += image.at(x + dx, y + dy, 0);
           out[y * 40 + x] = sum;
         }
       }
     }),
     {.totals = {{"global load requests", 9 * 3 * (4 + 2)}}, .warnings = 1}},
    // Zeros beyond the border.
    {LAUNCH("2,1 16,8 image=@256:random out=@256 width=32 height=8 image.width=32 image.height=8 "
            "image.filter=0 image.address=3",
            texture_images, box_filter),
     computed([](HostBuffers& h) {
       const Image image{h["image"], 32, 8, 1};
       float* out = h["out"];
       for (int y = 0; y < 8; ++y) {
         for (int x = 0; x < 32; ++x) {
           float sum = 0;
           for (int j = y - 1; j <= y + 1; ++j)
             for (int i = x - 1; i <= x + 1; ++i)
               sum += i < 0 || j < 0 || i > 31 || j > 7 ? 0.0f : image.at(i, j, 0);
           out[y * 32 + x] = sum;
         }
       }
     }),
     {.warnings = 1}},
    // A quarter of the width further, around the edge.
    {LAUNCH("2,1 16,8 out=@256 width=32 height=8 by=0.25 picture=@256:random picture.width=32 "
            "picture.height=8 picture.filter=0 picture.address=0 picture.normalized=1",
            texture_images, shift),
     computed([](float* out, int, int, float, const float* picture) {
       for (int i = 0; i < 32 * 8; ++i) out[i] = picture[i / 32 * 32 + (i + 8) % 32];
     }),
     {.warnings = 1}},
    // To the right of the last column its mirror image.
    {LAUNCH("2,1 16,8 out=@256 width=32 height=8 by=0.265625 picture=@256:random picture.width=32 "
            "picture.height=8 picture.filter=0 picture.address=2 picture.normalized=1",
            texture_images, shift),
     computed([](float* out, int, int, float, const float* picture) {
       for (int i = 0; i < 32 * 8; ++i) {
         const int x = i % 32 + 8;
         out[i] = picture[i / 32 * 32 + (x < 32 ? x : 63 - x)];
       }
     }),
     {.warnings = 1}},
    // Between the texels of a row: u = x / 2 + 1 / 4 lies 3/4 or 1/4 of a texel behind a middle.
    {LAUNCH("8 32 image=@64:random out=@256 width=32 image.width=16 image.height=4 image.filter=1 "
            "image.address=1",
            texture_images, zoom),
     computed([](const float* texels, float* out) {
       const auto at = [&](int x, int y, int part) {
         return texels[2 * (std::clamp(y, 0, 3) * 16 + std::clamp(x, 0, 15)) + part];
       };
       for (int i = 0; i < 32 * 8; ++i) {
         const float u = 0.5f * static_cast<float>(i % 32) + 0.25f - 0.5f;
         const float v = 0.5f * static_cast<float>(i / 32) + 0.5f - 0.5f;
         const int x = static_cast<int>(std::floor(u)), y = static_cast<int>(std::floor(v));
         const float a = u - std::floor(u), b = v - std::floor(v);
         for (int part = 0; part < 2; ++part)
           out[2 * i + part] = (1 - a) * (1 - b) * at(x, y, part) + a * (1 - b) * at(x + 1, y, part) +
                               (1 - a) * b * at(x, y + 1, part) + a * b * at(x + 1, y + 1, part);
       }
     }),
     {.warnings = 1}},
    {LAUNCH("8 16 volume=@512:random out=@128 width=16 z=2.75 volume.width=16 volume.height=8 volume.depth=4 "
            "volume.filter=1",
            texture_images, slice),
     computed([](HostBuffers& h) {
       const Image volume{h["volume"], 16, 8, 4};
       float* out = h["out"];
       for (int i = 0; i < 16 * 8; ++i)
         out[i] = 0.75f * volume.at(i % 16, i / 16, 2) + 0.25f * volume.at(i % 16, i / 16, 3);
     }),
     {.warnings = 1}},
    {LAUNCH("1 32 line=@10:random out=@32 scale=0.5 line.width=10 line.filter=0", texture_images, scan_line),
     computed([](const short* line_, short* out) {
       for (int i = 0; i < 32; ++i) out[i] = line_[std::clamp((i - 4) >> 1, 0, 9)];
     }),
     {.warnings = 1}},
    {LAUNCH("4 32 out=@128 width=32 colours=@128:random colours.width=32 colours.height=4 colours.filter=0",
            texture_images, luminance),
     computed([](float* out, int, const unsigned char* pixels) {
       const auto part = [&](int i, int k) { return static_cast<float>(pixels[4 * i + k]) / 255.0f; };
       for (int i = 0; i < 128; ++i)
         out[i] = 0.25f * part(i, 0) + 0.5f * part(i, 1) + 0.125f * part(i, 2) + part(i, 3);
     }),
     {.warnings = 1}}};

// ---- objects that normalize

const Register kNormalized[] = {
    {LAUNCH("4 32 picture=@128:random out=@128 width=32 picture.width=32 picture.height=4",
            texture_normalized, grey),
     computed([](const unsigned char* pixels, float* out) {
       const auto part = [&](int i, int k) { return static_cast<float>(pixels[4 * i + k]) / 255.0f; };
       for (int i = 0; i < 128; ++i)
         out[i] = 0.5f * part(i, 0) + 0.25f * part(i, 1) + 0.125f * part(i, 2) - part(i, 3);
     }),
     {.warnings = 1}},
    // The least short is -1 too.
    {LAUNCH("1 32 line=@32:random out=@32", texture_normalized, line_of_shorts),
     computed([](const short* line, float* out) {
       for (int i = 0; i < 64; ++i) out[i] = std::max(static_cast<float>(line[i]) / 32767.0f, -1.0f);
     }),
     {.totals = {{"global load requests", 1}, {"global load sectors", 4}}}},
    {LAUNCH("1 32 values=@32:random out=@32", texture_normalized, plain_floats),
     computed([](const float* values, float* out) { std::copy(values, values + 32, out); })},
    {LAUNCH("1 32 out=@32 bytes=@32:random", texture_normalized, reference_of_bytes),
     computed([](float* out, const unsigned char* bytes) {
       for (int i = 0; i < 32; ++i) out[i] = static_cast<float>(bytes[i]) / 255.0f;
     })}};

// ---- surfaces

const Register kSurfaces[] = {
    {LAUNCH("2,2 16,8 from=@360:random to=@360 width=30 height=12 from.width=30 from.height=12 to.width=30 "
            "to.height=12",
            surface_steps, heat_step),
     computed([](HostBuffers& h) {
       const Image from{h["from"], 30, 12, 1};
       float* to = h["to"];
       for (int y = 0; y < 12; ++y) {
         for (int x = 0; x < 30; ++x) {
           const float centre = from.at(x, y, 0), left = from.at(x - 1, y, 0), right = from.at(x + 1, y, 0);
           const float above = y == 0 ? 0.0f : from.at(x, y - 1, 0);
           to[y * 30 + x] = centre + 0.25f * (left + right + above - 3.0f * centre);
         }
       }
     }),
     {.warnings = 1}},
    {LAUNCH("8 32 in=@256:random width=32 target=@256 target.width=8 target.height=32", surface_steps,
            transpose_bytes),
     computed([](const unsigned* in, int, unsigned* target) {
       for (int y = 0; y < 8; ++y)
         for (int x = 0; x < 32; ++x) target[x * 8 + y] = in[y * 32 + x];
     }),
     {.totals = {{"global store requests", 8}}, .warnings = 1}}};

}  // namespace
}  // namespace warplens::language
