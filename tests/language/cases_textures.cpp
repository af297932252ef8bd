// Textures and surfaces. What must come out is worked out here, as CUDA's guide has texture fetching.
#include <algorithm>
#include <cmath>

#include "tests/language/language_case.h"

namespace warplens::language {
namespace {

// ---- linear memory

const Register spmv({.launch = {"texture_fetch.cu", "spmv_texture", {2}, {128}},
                     .arguments = {buffer("rows", 201, I), buffer("columns", 200, Fill::Permutation),
                                   buffer("values", 200, R), buffer("x", 200, R), buffer("y", 200),
                                   number("n", 200)},
                     .host = HOST(),
                     .after =
                         [](HostBuffers& h) {
                           const int* columns = h["columns"];
                           const float *values = h["values"], *x = h["x"];
                           float* y = h["y"];
                           for (int i = 0; i < 200; ++i) y[i] = values[i] * x[columns[i]];
                         },
                     .totals = {{"global load requests", 7 * 6}}});
const Register gather({.launch = {"texture_fetch.cu", "gather_bodies", {2}, {64}},
                       .arguments = {buffer("bodies", 64, R), buffer("index", 100, Fill::Permutation),
                                     buffer("out", 100), number("n", 100)},
                       .host = HOST(),
                       .after = [](HostBuffers& h) {
                         const int* index = h["index"];
                         const float* bodies = h["bodies"];
                         float* out = h["out"];
                         for (int i = 0; i < 100; ++i)
                           for (int k = 0; k < 4; ++k)
                             out[4 * i + k] = bodies[4 * (index[i] & 63) + k] * (k == 3 ? 2.0f : 1.0f);
                       }});
const Register table({.launch = {"texture_fetch.cu", "look_up", {1}, {256}},
                      .arguments = {buffer("in", 256, R), buffer("out", 256), number("n", 256),
                                    buffer("table", 256, R)},
                      .host = HOST(),
                      .after = [](HostBuffers& h) {
                        const unsigned char *in = h["in"], *entries = h["table"];
                        int* out = h["out"];
                        for (int i = 0; i < 256; ++i) out[i] = entries[in[i]];
                      }});

// Sectors as an H200 counts them: those of each eight lanes by themselves.
Case strided_fetch(int stride, int first, std::uint64_t sectors) {
  return {
      .launch = {"texture_strides.cu", "strided_fetch"},
      .arguments = {buffer("x", 512, R), buffer("out", 32), number("stride", stride), number("first", first)},
      .host = HOST(),
      .after =
          [=](HostBuffers& h) {
            const float* x = h["x"];
            float* out = h["out"];
            for (int i = 0; i < 32; ++i) out[i] = x[i * stride + first];
          },
      .totals = {{"global load requests", 1}, {"global load sectors", sectors}}};
}
const Register stride_of_one(strided_fetch(1, 0, 4));
const Register stride_of_three(strided_fetch(3, 0, 12));
const Register stride_of_eight(strided_fetch(8, 0, 32));
const Register one_float_later(strided_fetch(1, 1, 8));
const Register bytes_fetch({.launch = {"texture_strides.cu", "bytes_fetch"},
                            .arguments = {buffer("x", 32, R), buffer("out", 32)},
                            .host = HOST(),
                            .after =
                                [](HostBuffers& h) {
                                  const unsigned char* x = h["x"];
                                  unsigned char* out = h["out"];
                                  std::copy(x, x + 32, out);
                                },
                            .totals = {{"global load sectors", 4}}});
// Of one float4 for all lanes each four ask by themselves.
const Register vectors_fetch({.launch = {"texture_strides.cu", "vectors_fetch"},
                              .arguments = {buffer("x", 32, R), buffer("out", 32), number("stride", 0)},
                              .host = HOST(),
                              .after =
                                  [](HostBuffers& h) {
                                    const float* x = h["x"];
                                    float* out = h["out"];
                                    for (int i = 0; i < 128; ++i) out[i] = x[i % 4];
                                  },
                              .totals = {{"global load sectors", 8}}});

// ---- images

struct Image {
  const float* texels;
  int width, height, depth;
  float at(int x, int y, int z) const {
    x = std::clamp(x, 0, width - 1), y = std::clamp(y, 0, height - 1), z = std::clamp(z, 0, depth - 1);
    return texels[(z * height + y) * width + x];
  }
};

const Register box({.launch = {"texture_images.cu", "box_filter", {3, 2}, {16, 8}},
                    .arguments = {buffer("image", 40 * 12, R), buffer("out", 40 * 12), number("width", 40),
                                  number("height", 12), number("image.width", 40), number("image.height", 12),
                                  number("image.filter", 0), number("image.address", 1)},
                    .host = HOST(),
                    .after =
                        [](HostBuffers& h) {
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
                        },
                    // Rows of 16, two of them a warp; the third block of a row has 8 columns.
                    .totals = {{"global load requests", 9 * 3 * (4 + 2)}},
                    .warnings = 1});
// Zeros beyond the border.
const Register bordered({.launch = {"texture_images.cu", "box_filter", {2, 1}, {16, 8}},
                         .arguments = {buffer("image", 32 * 8, R), buffer("out", 32 * 8), number("width", 32),
                                       number("height", 8), number("image.width", 32),
                                       number("image.height", 8), number("image.filter", 0),
                                       number("image.address", 3)},
                         .host = HOST(),
                         .after =
                             [](HostBuffers& h) {
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
                             },
                         .warnings = 1});

// A quarter of the width further, around the edge.
const Register wrapped({.launch = {"texture_images.cu", "shift", {2, 1}, {16, 8}},
                        .arguments = {buffer("out", 32 * 8), number("width", 32), number("height", 8),
                                      real("by", 0.25), buffer("picture", 32 * 8, R),
                                      number("picture.width", 32), number("picture.height", 8),
                                      number("picture.filter", 0), number("picture.address", 0),
                                      number("picture.normalized", 1)},
                        .host = HOST(),
                        .after =
                            [](HostBuffers& h) {
                              const float* picture = h["picture"];
                              float* out = h["out"];
                              for (int i = 0; i < 32 * 8; ++i) out[i] = picture[i / 32 * 32 + (i + 8) % 32];
                            },
                        .warnings = 1});
// To the right of the last column its mirror image.
const Register mirrored({.launch = {"texture_images.cu", "shift", {2, 1}, {16, 8}},
                         .arguments = {buffer("out", 32 * 8), number("width", 32), number("height", 8),
                                       real("by", 0.265625), buffer("picture", 32 * 8, R),
                                       number("picture.width", 32), number("picture.height", 8),
                                       number("picture.filter", 0), number("picture.address", 2),
                                       number("picture.normalized", 1)},
                         .host = HOST(),
                         .after =
                             [](HostBuffers& h) {
                               const float* picture = h["picture"];
                               float* out = h["out"];
                               for (int i = 0; i < 32 * 8; ++i) {
                                 const int x = i % 32 + 8;
                                 out[i] = picture[i / 32 * 32 + (x < 32 ? x : 63 - x)];
                               }
                             },
                         .warnings = 1});

// Between the texels of a row: u = x / 2 + 1 / 4 lies 3/4 or 1/4 of a texel behind a middle.
const Register zoomed({.launch = {"texture_images.cu", "zoom", {8}, {32}},
                       .arguments = {buffer("image", 16 * 4, R), buffer("out", 32 * 8), number("width", 32),
                                     number("image.width", 16), number("image.height", 4),
                                     number("image.filter", 1), number("image.address", 1)},
                       .host = HOST(),
                       .after =
                           [](HostBuffers& h) {
                             const float* texels = h["image"];
                             float* out = h["out"];
                             const auto at = [&](int x, int y, int part) {
                               return texels[2 * (std::clamp(y, 0, 3) * 16 + std::clamp(x, 0, 15)) + part];
                             };
                             for (int i = 0; i < 32 * 8; ++i) {
                               const float u = 0.5f * static_cast<float>(i % 32) + 0.25f - 0.5f;
                               const float v = 0.5f * static_cast<float>(i / 32) + 0.5f - 0.5f;
                               const int x = static_cast<int>(std::floor(u)),
                                         y = static_cast<int>(std::floor(v));
                               const float a = u - std::floor(u), b = v - std::floor(v);
                               for (int part = 0; part < 2; ++part)
                                 out[2 * i + part] =
                                     (1 - a) * (1 - b) * at(x, y, part) + a * (1 - b) * at(x + 1, y, part) +
                                     (1 - a) * b * at(x, y + 1, part) + a * b * at(x + 1, y + 1, part);
                             }
                           },
                       .warnings = 1});
const Register sliced({.launch = {"texture_images.cu", "slice", {8}, {16}},
                       .arguments = {buffer("volume", 16 * 8 * 4, R), buffer("out", 16 * 8),
                                     number("width", 16), real("z", 2.75), number("volume.width", 16),
                                     number("volume.height", 8), number("volume.depth", 4),
                                     number("volume.filter", 1)},
                       .host = HOST(),
                       .after =
                           [](HostBuffers& h) {
                             const Image volume{h["volume"], 16, 8, 4};
                             float* out = h["out"];
                             for (int i = 0; i < 16 * 8; ++i)
                               out[i] = 0.75f * volume.at(i % 16, i / 16, 2) +
                                        0.25f * volume.at(i % 16, i / 16, 3);
                           },
                       .warnings = 1});
const Register line({.launch = {"texture_images.cu", "scan_line"},
                     .arguments = {buffer("line", 10, R), buffer("out", 32), real("scale", 0.5),
                                   number("line.width", 10), number("line.filter", 0)},
                     .host = HOST(),
                     .after =
                         [](HostBuffers& h) {
                           const short* line_ = h["line"];
                           short* out = h["out"];
                           for (int i = 0; i < 32; ++i) out[i] = line_[std::clamp((i - 4) >> 1, 0, 9)];
                         },
                     .warnings = 1});
const Register colours(
    {.launch = {"texture_images.cu", "luminance", {4}},
     .arguments = {buffer("out", 128), number("width", 32), buffer("colours", 128, R),
                   number("colours.width", 32), number("colours.height", 4), number("colours.filter", 0)},
     .host = HOST(),
     .after =
         [](HostBuffers& h) {
           const unsigned char* pixels = h["colours"];
           float* out = h["out"];
           const auto part = [&](int i, int k) { return static_cast<float>(pixels[4 * i + k]) / 255.0f; };
           for (int i = 0; i < 128; ++i)
             out[i] = 0.25f * part(i, 0) + 0.5f * part(i, 1) + 0.125f * part(i, 2) + part(i, 3);
         },
     .warnings = 1});

// ---- objects that normalize

const Register grey({.launch = {"texture_normalized.cu", "grey", {4}},
                     .arguments = {buffer("picture", 128, R), buffer("out", 128), number("width", 32),
                                   number("picture.width", 32), number("picture.height", 4)},
                     .host = HOST(),
                     .after =
                         [](HostBuffers& h) {
                           const unsigned char* pixels = h["picture"];
                           float* out = h["out"];
                           const auto part = [&](int i, int k) {
                             return static_cast<float>(pixels[4 * i + k]) / 255.0f;
                           };
                           for (int i = 0; i < 128; ++i)
                             out[i] =
                                 0.5f * part(i, 0) + 0.25f * part(i, 1) + 0.125f * part(i, 2) - part(i, 3);
                         },
                     .warnings = 1});
// The least short is -1 too.
const Register line_of_shorts({.launch = {"texture_normalized.cu", "line_of_shorts"},
                               .arguments = {buffer("line", 32, R), buffer("out", 32)},
                               .host = HOST(),
                               .after =
                                   [](HostBuffers& h) {
                                     const short* line = h["line"];
                                     float* out = h["out"];
                                     for (int i = 0; i < 64; ++i)
                                       out[i] = std::max(static_cast<float>(line[i]) / 32767.0f, -1.0f);
                                   },
                               .totals = {{"global load requests", 1}, {"global load sectors", 4}}});
const Register plain_floats({.launch = {"texture_normalized.cu", "plain_floats"},
                             .arguments = {buffer("values", 32, R), buffer("out", 32)},
                             .host = HOST(),
                             .after = [](HostBuffers& h) {
                               const float* values = h["values"];
                               float* out = h["out"];
                               std::copy(values, values + 32, out);
                             }});
const Register reference_of_bytes({.launch = {"texture_normalized.cu", "reference_of_bytes"},
                                   .arguments = {buffer("out", 32), buffer("bytes", 32, R)},
                                   .host = HOST(),
                                   .after = [](HostBuffers& h) {
                                     const unsigned char* bytes = h["bytes"];
                                     float* out = h["out"];
                                     for (int i = 0; i < 32; ++i)
                                       out[i] = static_cast<float>(bytes[i]) / 255.0f;
                                   }});

// ---- surfaces

const Register heat({.launch = {"surface_steps.cu", "heat_step", {2, 2}, {16, 8}},
                     .arguments = {buffer("from", 30 * 12, R), buffer("to", 30 * 12), number("width", 30),
                                   number("height", 12), number("from.width", 30), number("from.height", 12),
                                   number("to.width", 30), number("to.height", 12)},
                     .host = HOST(),
                     .after =
                         [](HostBuffers& h) {
                           const Image from{h["from"], 30, 12, 1};
                           float* to = h["to"];
                           for (int y = 0; y < 12; ++y) {
                             for (int x = 0; x < 30; ++x) {
                               const float centre = from.at(x, y, 0), left = from.at(x - 1, y, 0),
                                           right = from.at(x + 1, y, 0);
                               const float above = y == 0 ? 0.0f : from.at(x, y - 1, 0);
                               to[y * 30 + x] = centre + 0.25f * (left + right + above - 3.0f * centre);
                             }
                           }
                         },
                     .warnings = 1});
const Register turned({.launch = {"surface_steps.cu", "transpose_bytes", {8}},
                       .arguments = {buffer("in", 32 * 8, R), number("width", 32), buffer("target", 8 * 32),
                                     number("target.width", 8), number("target.height", 32)},
                       .host = HOST(),
                       .after =
                           [](HostBuffers& h) {
                             const unsigned* in = h["in"];
                             unsigned* target = h["target"];
                             for (int y = 0; y < 8; ++y)
                               for (int x = 0; x < 32; ++x) target[x * 8 + y] = in[y * 32 + x];
                           },
                       .totals = {{"global store requests", 8}},
                       .warnings = 1});

}  // namespace
}  // namespace warplens::language
