// Kernels of one's own without a window: facts of a file, the form made from a signature, the launch guessed,
// editing, opening and saving. Expectations can be counted by hand from the texts here.
#include "app/state/user_kernel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "app/readout/verdict.h"
#include "app/simulate/simulator.h"
#include "app/source/text_fixes.h"
#include "app/state/catalog.h"
#include "app/storage/session_file.h"
#include "tests/app/desk.h"

namespace warplens::app::user_kernel_test {

namespace fs = std::filesystem;

constexpr const char* kKernels = WARPLENS_SOURCE_DIR "/kernels";

constexpr const char* kScale = R"(__global__ void scale(float* out, const float* in, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = factor * in[i];
}
)";

constexpr const char* kHost = R"(#include <cstdio>
#define TILE 16
#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))
template <int B>
__global__ void tile(float* out, const float* in, int rows, int cols) {
  __shared__ float t[B][B];
  int r = blockIdx.y * B + threadIdx.y, c = blockIdx.x * B + threadIdx.x;
  if (r < rows && c < cols) t[threadIdx.y][threadIdx.x] = in[r * cols + c];
  __syncthreads();
  if (r < rows && c < cols) out[r * cols + c] = t[threadIdx.y][threadIdx.x];
}
__global__ void other(int* p) { p[threadIdx.x] = 1; }
int main() {
  const int M = 3 * 100, N = M + 20;
  dim3 block(TILE, TILE), grid(CEIL_DIV(N, TILE), CEIL_DIV(M, TILE));
  float *out, *in;
  tile<TILE><<<grid, block>>>(out, in, M, N);
  other<<<1, 64>>>(0);
}
)";

constexpr const char* kIndex = R"(#define INDEX (threadIdx.x * stride)
__global__ void look(const float* in, float* out, int stride) {
  out[threadIdx.x] = in[INDEX];
}
)";

// A session whose requests are carried out, waiting for every number.
struct Desk : FileDesk {
  explicit Desk(const std::string& scenario = "transpose_shared",
                jobs::RunnerOptions jobs = jobs::waits_for_all())
      : FileDesk(scenario, std::move(jobs)) {
    fs::create_directories(places.state);
  }
  struct Text {
    const char* text;
  };
  explicit Desk(const Text& opened) : Desk() { open(opened.text); }
  std::string file(const std::string& name, const std::string& text) const {
    return folder.write(name, text).string();
  }
  void open(const char* text) { act(OpenPath{file("mine.cu", text)}); }
  Desk& type(const std::string& text) override {
    // What Dear ImGui's input says of it: it stands in place of a value that was just selected.
    const bool selected = state.field.text == state.field.before;
    std::string typed = selected ? std::string() : state.field.text;
    for (const char c : text) act(EditField{typed += c});
    return *this;
  }
  const LaunchForm& form() const { return state.settings.own->form; }
  std::string problem() const {
    return seen->problems.empty() ? std::string() : seen->problems.front().message;
  }
};

TEST(Own, OpensWithALaunchThatRuns) {
  Desk d(Desk::Text{kHost});
  ASSERT_TRUE(d.state.settings.own);
  EXPECT_EQ(d.state.settings.own->facts.kernels.size(), 2u);
  ASSERT_TRUE(d.seen->fresh) << d.problem();
  const auto& numbers = d.state.settings.own->values.numbers;
  EXPECT_EQ(numbers.at("scalar.rows"), 300);
  EXPECT_EQ(numbers.at("scalar.cols"), 320);
  EXPECT_EQ(field_text(d.form(), "template.B"), "16");
  EXPECT_EQ(numbers.at("grid.x"), 20);  // ceil(320 / 16)
  // Rows and columns stay names, so that the grid follows when they are turned.
  EXPECT_THAT(field_text(d.form(), "grid.x"), testing::HasSubstr("cols"));
  EXPECT_THAT(field_text(d.form(), "grid.y"), testing::HasSubstr("rows"));
  EXPECT_EQ(numbers.at("grid.y"), 19);  // ceil(300 / 16)
  EXPECT_EQ(numbers.at("block.y"), 16);
  // Each buffer is as long as the kernel needs: rows * cols.
  EXPECT_EQ(numbers.at("elements.in"), 96000);
  EXPECT_THAT(field_text(d.form(), "elements.in"),
              testing::AllOf(testing::HasSubstr("rows"), testing::HasSubstr("cols")));
  EXPECT_EQ(d.seen->compiled->setup.launch.grid, (sim::Dim3{20, 19, 1}));
  ASSERT_TRUE(d.seen->totals);
  EXPECT_FALSE(d.seen->totals->error);
}

// Two functions with variables of the same name; one launch after another change of the name.
TEST(Facts, ALaunchSeesItsOwnVariables) {
  const std::string set = "__global__ void set(float* a, int n) { a[threadIdx.x] = n; }\n";
  FileFacts facts =
      read_facts(set +
                 "void small() { int n = 100; float* a; cudaMalloc(&a, n * 4); set<<<1, 128>>>(a, n); }\n"
                 "void large() { int n = 4000; float* a; cudaMalloc(&a, n * 4); set<<<32, 128>>>(a, n); }");
  ASSERT_EQ(facts.launches.size(), 2u);
  EXPECT_EQ(facts.launches[0].fields.at("scalar.n"), "100");
  EXPECT_EQ(facts.launches[1].fields.at("scalar.n"), "4000");
  facts = read_facts(set +
                     "int main() { float* a; int n = 4096; cudaMalloc(&a, n * 4); set<<<32, 128>>>(a, n);\n"
                     "  n = 1024; cudaMalloc(&a, 512 * 4); set<<<8, 128>>>(a, n); { int n = 7; } }");
  EXPECT_EQ(facts.launches[1].fields.at("scalar.n"), "1024");
  EXPECT_EQ(facts.launches[1].fields.at("elements.a"), "512");
  // A wrapper's parameters are what it is called with first; nothing of them is known where nobody calls it,
  // not even of those that are called as the kernel's.
  const std::string run =
      "template <typename T> void run(T* d, int n, int w) { set<<<(w + 3) / 4, 128>>>(d, n); }\n";
  facts = read_facts(set + run + "int main() { float* d; cudaMalloc(&d, 4000); run<float>(d, 1000, 8); }");
  ASSERT_EQ(facts.launches.size(), 1u);
  EXPECT_EQ(facts.launches[0].fields.at("scalar.n"), "1000");
  EXPECT_EQ(facts.launches[0].fields.at("elements.a"), "1000");
  EXPECT_EQ(facts.launches[0].text("grid.x"), "2");
  facts = read_facts(set + run);
  for (const auto& [field, text] : facts.launches.at(0).fields)
    EXPECT_FALSE(field.starts_with("scalar.") || field.starts_with("elements.")) << field << text;
  EXPECT_EQ(facts.launches[0].text("grid.x"), "");
}

TEST(Own, AStructByValueHasAFieldForEachOfItsNumbers) {
  Desk d;
  d.open(
      "struct Particle { float x, v; };\nstruct Params { float* f; int n; float dt, w[2]; };\n"
      "__global__ void step(Particle* p, Params q, float4 by, int twice) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < q.n) p[i].x += twice * by.x * p[i].v * "
      "q.dt;\n}\n"
      "int main() { Particle* d; float* f; Params q = {f, 4096, 0.1f};\n"
      "  step<<<16, 256>>>(d, q, make_float4(1, 2, 3, 4), 2); }\n");
  EXPECT_TRUE(d.seen->fresh) << d.problem();
  EXPECT_FALSE(d.seen->empty());
  std::vector<std::string> buffers, scalars;
  for (const auto& buffer : d.form().buffers) buffers.push_back(buffer.name);
  for (const auto& scalar : d.form().scalars) scalars.push_back(scalar.name);
  EXPECT_THAT(buffers, testing::ElementsAre("p", "q.f"));
  EXPECT_THAT(scalars, testing::ElementsAre("q.n", "q.dt", "q.w[0]", "q.w[1]", "by.x", "by.y", "by.z", "by.w",
                                            "twice"));
  EXPECT_EQ(field_text(d.form(), "scalar.twice"), "2");
  EXPECT_EQ(field_text(d.form(), "scalar.q.dt"), "0.1");
  d.act(SetFormField{"scalar.q.n", "64", {}});
  EXPECT_EQ(d.problem(), "");
  ASSERT_TRUE(d.seen->totals);
  std::uint64_t lanes = 0;
  for (const auto& site : d.seen->totals->global_sites) lanes += site.active_lanes;
  EXPECT_EQ(lanes, 3u * 64) << "x and v are read, x is written";
  // Nor is anything forgotten while the text has a mistake.
  const std::string text = *d.state.settings.text;
  std::string broken = text;
  broken.replace(broken.find("q.dt;"), 5, "q.dx;");
  d.act(SetText{broken, {}, {}});
  EXPECT_NE(d.problem(), "");
  d.act(SetText{text, {}, {}});
  EXPECT_EQ(d.problem(), "");
  EXPECT_EQ(field_text(d.form(), "scalar.q.n"), "64");
}

TEST(Own, AFieldTakesEveryNumberOfSixtyFourBits) {
  Desk d;
  d.open(
      "__global__ void scatter(float* out, unsigned long long seed, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) out[seed - i] = 1.0f;\n}\n"
      "int main() { float* d; scatter<<<1, 32>>>(d, 31, 32); }\n");
  EXPECT_EQ(d.problem(), "");
  d.act(SetFormField{"scalar.seed", "18446744073709551615", {}});
  EXPECT_NE(d.problem().find("lane 0"), std::string::npos)
      << "it runs, far out of the buffer: " << d.problem();
  d.act(SetFormField{"scalar.seed", "31", {}});
  EXPECT_EQ(d.problem(), "");
  d.act(SetFormField{"scalar.n", "18446744073709551615", {}});
  EXPECT_NE(d.problem(), "") << "an int";
}

// Structures of arrays as they are written: pointers in a struct, in a template of one, by another name, one
// within another, of a template parameter of the kernel.
TEST(Own, AStructureOfArraysByValueIsABufferForEachPointer) {
  const std::string body =
      "__global__ void drift(P p, float dt, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) p.x[i] += p.v[i] * dt;\n}\n";
  const auto with = [&](const std::string& before, const std::string& type) {
    std::string text = before + "\n" + body;
    return text.replace(text.find("(P p"), 4, "(" + type + " p");
  };
  const std::string plain = "struct P { float *x, *v; };",
                    view = "template <typename T> struct View { T *x, *v; };";
  for (const std::string& text :
       {with(plain, "P"), with(plain, "const P"), with(view, "View<float>"),
        with(view + "\nusing P = View<float>;", "P"), with("typedef struct { float *x, *v; } P;", "P"),
        with(view + "\ntemplate <typename T>", "View<T>"),
        with("struct Base { float* x; float* v; };\nusing P = Base;", "P")}) {
    Desk d(Desk::Text{text.c_str()});
    EXPECT_EQ(d.problem(), "") << text;
    ASSERT_EQ(d.form().buffers.size(), 2u) << text;
    EXPECT_EQ(d.form().buffers[0].name, "p.x");
    EXPECT_EQ(d.form().buffers[0].type, "float*") << text;
    EXPECT_EQ(d.form().scalars.size(), 2u) << "dt and n: " << text;
    ASSERT_TRUE(d.seen->totals) << text;
    for (const sim::SiteTotals& site : d.seen->totals->global_sites)
      EXPECT_EQ(site.sectors, 4 * site.requests) << text;
    // The same after the text is edited: nothing of the struct is forgotten.
    d.act(SetText{text + "// more\n", {}, {}});
    EXPECT_EQ(d.problem(), "") << text;
    EXPECT_EQ(d.form().buffers.size(), 2u) << text;
  }
}

// A launch that cannot be made, or fails, is shown as it is: it is the mistake that is looked for.
TEST(Own, NeverReplacesABlockThatTheHostSays) {
  const UserKernel big = opened_kernel(
      "k.cu",
      "__global__ void k(float* d) { d[threadIdx.x] = 1; }\nint main() { float* d; k<<<1, 2048>>>(d); }");
  EXPECT_EQ(big.form.block[0], "2048");
}

// Buffers are as long as the host code makes them: a kernel that leaves them is caught, and the block is not
// to blame.
TEST(Own, TakesTheLengthsThatTheHostAllocates) {
  const std::string kernel =
      "__global__ void shift(float* out, const float* in, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  out[i + EXTRA] = in[i];\n}\n"
      "int main() { int n = 1024; float *a, *b; cudaMalloc(&a, n * sizeof(float)); cudaMalloc(&b, 2 * n * "
      "4);\n"
      "  shift<<<4, 256>>>(a, b, n); }\n";
  for (const bool beyond : {false, true}) {
    std::string text = kernel;
    text.replace(text.find("EXTRA"), 5, beyond ? "1" : "0");
    const UserKernel own = opened_kernel("shift.cu", text);
    EXPECT_EQ(own.form.buffers[0].elements, "n");
    EXPECT_EQ(own.form.buffers[1].elements, "2 * n");
    EXPECT_EQ(own.values.numbers.at("elements.in"), 2048);
    EXPECT_EQ(own.form.block[0], "256");
    Desk d(Desk::Text{text.c_str()});
    EXPECT_EQ(d.problem().empty(), !beyond) << d.problem();
    if (beyond) {
      EXPECT_THAT(d.problem(), testing::HasSubstr("out"));
    }
  }
}

TEST(Own, GuessesARegisterTile) {
  Desk d;
  d.open(R"(template <const int BM, const int BN, const int BK, const int TM, const int TN>
__global__ void gemm(int M, int N, int K, float alpha, const float* A, const float* B, float beta, float* C) {
  __shared__ float a[BM * BK], b[BK * BN];
  int row = threadIdx.x / (BN / TN) * TM, col = threadIdx.x % (BN / TN) * TN;
  for (int i = threadIdx.x; i < BM * BK; i += blockDim.x) a[i] = A[(blockIdx.y * BM + i / BK) * K + i % BK];
  for (int i = threadIdx.x; i < BK * BN; i += blockDim.x) b[i] = B[i / BN * N + blockIdx.x * BN + i % BN];
  __syncthreads();
  float sum[TM * TN] = {0};
  for (int k = 0; k < BK; ++k)
    for (int m = 0; m < TM; ++m)
      for (int n = 0; n < TN; ++n) sum[m * TN + n] += a[(row + m) * BK + k] * b[k * BN + col + n];
  for (int m = 0; m < TM; ++m)
    for (int n = 0; n < TN; ++n) C[(blockIdx.y * BM + row + m) * N + blockIdx.x * BN + col + n] = sum[m * TN + n];
}
)");
  ASSERT_TRUE(d.seen->fresh) << d.problem();
  EXPECT_EQ(d.seen->compiled->setup.launch.block.x, 64u);  // 64 * 64 / (8 * 8)
  EXPECT_EQ(d.seen->compiled->setup.launch.grid, (sim::Dim3{16, 16, 1}));
  EXPECT_EQ(field_text(d.form(), "elements.A"), "M * K");
  EXPECT_EQ(field_text(d.form(), "elements.C"), "M * N");
  d.act(SetFormField{"template.TM", "4", {}});
  EXPECT_EQ(d.seen->compiled->setup.launch.block.x, 128u) << "the block is an expression over the template";
}

TEST(Own, OpensTheGallerysFilesWithoutTheirScenarios) {
  // The hardest of them: template arguments, launch bounds, constants that follow from both, float4.
  for (const char* name :
       {"sgemm_float4", "sgemm_warptiled", "sgemm_register_tiled", "transpose_shared", "histogram_shared"}) {
    Desk d;
    d.act(OpenPath{(fs::path(kKernels) / (std::string(name) + ".cu")).string()});
    ASSERT_TRUE(d.state.settings.own) << name;
    EXPECT_TRUE(d.seen->fresh) << name << ": " << d.problem();
    EXPECT_TRUE(d.seen->problems.empty()) << name << ": " << d.problem();
    EXPECT_GT(d.seen->event_count(), 1) << name;
    d.act(StepAccess{1});
    d.act(GoToBlock{{1, 0, 0}});
    EXPECT_EQ(d.seen->place.block.x, 1u) << name;
  }
}

TEST(Own, AFieldThatIsWrongIsNamedAndThePictureStays) {
  Desk d(Desk::Text{kScale});
  const auto good = d.seen->compiled;
  d.act(SetFormField{"grid.x", "(n + 1", {}});
  EXPECT_FALSE(d.seen->fresh);
  EXPECT_TRUE(d.state.settings.own->values.errors.contains("grid.x"));
  EXPECT_THAT(d.problem(), testing::HasSubstr("grid.x"));
  EXPECT_EQ(d.seen->compiled, good);
  d.act(Undo{});
  EXPECT_TRUE(d.seen->fresh);
}

TEST(Own, ASliderTurnsAField) {
  Desk d(Desk::Text{kScale});
  d.act(StepParameter{"block_x", -1});
  EXPECT_EQ(field_text(d.form(), "block.x"), "128");
  EXPECT_EQ(d.seen->compiled->setup.launch.grid.x, 8192u);
  d.act(SetParameter{"n", 1000, "drag"});
  d.act(SetParameter{"n", 2000, "drag"});
  EXPECT_EQ(d.seen->compiled->setup.launch.grid.x, 16u);  // ceil(2000 / 128)
  d.act(Undo{});
  EXPECT_EQ(field_text(d.form(), "scalar.n"), "1048576") << "a drag is one step";
}

TEST(Own, AKernelIsChosen) {
  Desk d(Desk::Text{kHost});
  EXPECT_EQ(d.form().kernel, "tile");
  d.act(ChooseKernel{"other"});
  EXPECT_EQ(d.seen->compiled->program.kernel, "other");
  EXPECT_EQ(d.seen->compiled->setup.launch.block.x, 64u) << "as the file launches it";
  d.act(UseLaunch{0});
  EXPECT_EQ(d.form().kernel, "tile");
}

TEST(Own, TheFormFollowsTheText) {
  Desk d(Desk::Text{kScale});
  d.act(SetFormField{"scalar.factor", "2.5", {}});
  std::string text = kScale;
  text.replace(text.find("int n)"), 6, "int n, int shift)");
  d.act(SetText{text, {}, "typing"});
  ASSERT_TRUE(d.seen->fresh) << d.problem();
  EXPECT_EQ(field_text(d.form(), "scalar.factor"), "2.5") << "what was filled in stays";
  EXPECT_EQ(field_text(d.form(), "scalar.shift"), "0");
  const LaunchForm before = d.form();
  d.act(SetText{text.substr(0, text.rfind('}')) + "if (", {}, "typing"});
  EXPECT_EQ(d.form(), before) << "an unfinished text changes no form";
  EXPECT_FALSE(d.seen->fresh);
  d.act(Undo{});
  EXPECT_EQ(*d.state.settings.text, kScale) << "a burst of typing is one step";
  EXPECT_EQ(d.form().scalars.size(), 2u);
}

TEST(Own, WhatCannotBeOpenedIsToldAndThePictureStays) {
  Desk d;
  const auto& english = strings_of("en");
  const auto good = d.seen->compiled;
  const auto refuses = [&](const std::string& path, const char* words) {
    d.act(OpenPath{path});
    ASSERT_TRUE(d.state.notice) << words;
    EXPECT_THAT(english(d.state.notice->key, {{"words", d.state.notice->words}}), testing::HasSubstr(words));
    EXPECT_FALSE(d.state.settings.own);
    EXPECT_EQ(d.seen->compiled, good);
    d.act(DismissNotice{});
  };
  refuses((d.folder.path() / "none.cu").string(), "none.cu");
  refuses(d.folder.path().string(), "folder");
  refuses(d.file("zero.cu", std::string("a\0b", 3)), "not a text");
  refuses(d.file("latin.cu", "// \xe9\n__global__ void k() {}"), "UTF-8");
  refuses(d.file("host.cu", "int main() { return 0; }"), "no kernel");
  refuses(d.file("large.cu", std::string(3 << 20, ' ')), "large.cu");
}

// What was saved before it was finished opens as it was left, and is a kernel once it is finished.
TEST(Own, AnUnfinishedTextOpensForMending) {
  for (const char* text :
       {"__global__ void k(float* a {\n  a[threadIdx.x] = 1;\n}\n", "__global__ void k(float* a) {\n",
        "__global__", "#include \"gone.h\"\ntemplate <class T __global__ void k(T* a) {}\n"}) {
    Desk d(Desk::Text{text});
    ASSERT_TRUE(d.state.settings.own) << text;
    EXPECT_EQ(*d.state.settings.text, text);
    EXPECT_FALSE(d.seen->fresh);
    EXPECT_FALSE(d.seen->problems.empty()) << text;
    d.act(SetText{kScale, {}, "typing"});
    ASSERT_TRUE(d.seen->fresh) << d.problem();
    EXPECT_EQ(d.form().kernel, "scale");
    EXPECT_FALSE(d.form().block[0].empty());
  }
}

TEST(Own, IsSavedWholeAndNeverIntoTheGallery) {
  Desk d(Desk::Text{kScale});
  const fs::path file = d.folder.path() / "mine.cu";
  EXPECT_FALSE(is_edited(d.state));
  const std::string text = std::string("// mine\n") + kScale;
  d.act(SetText{text, {}, {}});
  EXPECT_TRUE(is_edited(d.state));
  d.letter('s', false, true);
  EXPECT_EQ(d.folder.read(file), text);
  EXPECT_FALSE(is_edited(d.state));
  d.act(Undo{});
  EXPECT_TRUE(is_edited(d.state)) << "the file holds the newer text";
  d.letter('s', true, true).letter('a', false, true);
  d.type(std::string(kKernels) + "/copy.cu");
  const std::string before = d.folder.read(fs::path(kKernels) / "copy.cu");
  d.key(Key::Enter);
  ASSERT_TRUE(d.state.dialog);
  EXPECT_EQ(d.state.dialog->trouble_key, "files.gallery");
  EXPECT_EQ(d.folder.read(fs::path(kKernels) / "copy.cu"), before);
}

TEST(Own, AGalleryTextIsSavedAsAFileOfOnesOwnWithItsLaunch) {
  Desk d("transpose_shared");
  const sim::Launch launch = d.seen->compiled->setup.launch;
  d.act(SetText{"// changed\n" + gallery().find("transpose_shared")->text, {}, {}});
  d.letter('s', false, true);
  ASSERT_TRUE(d.state.dialog) << "a gallery file is not overwritten: another name is asked for";
  EXPECT_EQ(d.state.field.text, "my_transpose_shared.cu");
  d.letter('a', false, true);
  d.type((d.folder.path() / "t").string());
  d.key(Key::Enter);
  EXPECT_FALSE(d.state.dialog);
  ASSERT_TRUE(d.state.settings.own);
  EXPECT_TRUE(fs::exists(d.folder.path() / "t.cu"));
  ASSERT_TRUE(d.seen->fresh) << d.problem();
  EXPECT_EQ(d.seen->compiled->setup.launch.grid, launch.grid);
  EXPECT_EQ(d.seen->compiled->setup.launch.arguments, launch.arguments);
}

TEST(Chooser, IsDrivenByKeys) {
  Desk d;
  d.file("a.cu", kScale);
  d.file("b.cu", kHost);
  d.file("notes.txt", "");
  fs::create_directories(d.folder.path() / "sub");
  d.open(kScale);
  d.letter('o', false, true);
  ASSERT_TRUE(d.state.dialog);
  std::vector<std::string> labels;
  for (const ShownEntry& entry : shown_entries(d.state)) labels.push_back(entry.label);
  EXPECT_EQ(labels, (std::vector<std::string>{"mine.cu", "..", "state", "sub", "a.cu", "b.cu", "mine.cu"}))
      << "recent files first; no file that is no kernel";
  d.type("B.").key(Key::Enter).letter('o', false, true);
  EXPECT_EQ(shown_entries(d.state).front().label, "b.cu") << "the newest first";
  d.key(Key::Backspace);
  EXPECT_EQ(d.state.dialog->folder, d.folder.path().parent_path().string());
}

TEST(Fields, AreTypedIntoAndCountAtOnce) {
  Desk d(Desk::Text{kScale});
  d.act(FocusField{"scalar.n"});
  d.type("4096");  // in place of the selected value
  EXPECT_EQ(d.seen->compiled->setup.launch.grid.x, 16u);
  d.key(Key::Tab);
  EXPECT_EQ(d.state.field.id, "offset.out");
  d.type("3");  // out + 3
  EXPECT_EQ(std::get<sim::Buffer>(d.seen->compiled->setup.launch.arguments.at("out")).offset, 3u);
  d.type("-4");
  EXPECT_TRUE(d.state.settings.own->values.errors.contains("offset.out")) << "3-4";
  d.key(Key::Escape);
  EXPECT_EQ(field_text(d.form(), "offset.out"), "");
  d.act(FocusField{"offset.out"});
  d.key(Key::Tab, true);
  EXPECT_EQ(d.state.field.id, "scalar.n");
  d.type("8");
  EXPECT_EQ(d.seen->compiled->setup.launch.grid.x, 1u);
  d.key(Key::Escape);
  EXPECT_EQ(field_text(d.form(), "scalar.n"), "4096") << "Esc brings back what stood there";
  EXPECT_TRUE(d.state.field.id.empty());
  const std::size_t steps = d.state.past.size();
  d.act(FocusField{"block.x"});
  d.type("64");
  EXPECT_EQ(d.state.past.size(), steps + 1) << "a run of typing is one step";
  d.key(Key::Enter);
  d.letter('z', false, true);
  EXPECT_EQ(field_text(d.form(), "block.x"), "256");
}

TEST(Index, IsFoundAndPutIn) {
  EXPECT_EQ(find_index(kIndex)->text, "threadIdx.x * stride");
  EXPECT_EQ(find_index("int a;\n  # define INDEX threadIdx.x // here\n")->text, "threadIdx.x");
  EXPECT_FALSE(find_index("#define INDEXED 1\n"));
  EXPECT_EQ(with_index("#define INDEX (a)\nx", "b + 1"), "#define INDEX (b + 1)\nx");
  EXPECT_EQ(with_index("#define INDEX a\nx", "b + 1"), "#define INDEX (b + 1)\nx");
  EXPECT_EQ(find_index(with_index(kIndex, "a // b\nc"))->text, "a / / b c") << "it stays one line";
  EXPECT_TRUE(index_problem("threadIdx.x *"));
  EXPECT_FALSE(index_problem("threadIdx.x * 2"));
}

TEST(Index, OfThePictureIsNamedWhereItIsAnother) {
  EXPECT_EQ(other_index("#define INDEX (i * 4)\n", "#define INDEX (i *)\n"), "i * 4");
  EXPECT_FALSE(other_index("#define INDEX (i)\nx", "#define INDEX i\ny")) << "something else differs";
  EXPECT_FALSE(other_index("int a;", "#define INDEX i"));
}

// What fails is the run, and the text is an expression all the same.
TEST(Index, SaysWhatIsWrongInAWord) {
  Desk d(Desk::Text{kIndex});
  d.act(SetFormField{"block.x", "32", {}});
  d.act(SetFormField{"elements.in", "1024", {}});
  d.letter('i');
  const std::pair<const char*, const char*> words[] = {
      {"threadIdx.x", ""},
      {"threadIdx.x * 4000", "expression.out_of_range"},
      {"threadIdx.x / (threadIdx.x - 3)", "expression.division"},
      {"threadIdx.x * ", "expression.wrong"},
      {"nothing", "expression.fails"}};
  for (const auto& [text, key] : words) {
    d.act(EditField{text});
    EXPECT_EQ(index_trouble(!index_problem(text), *d.seen), key) << text << ": " << d.problem();
  }
  d.key(Key::Enter);
  EXPECT_EQ(d.state.field.id, kIndexInput) << "what is typed next is no command";
  d.act(EditField{"threadIdx.x * 4000"}).key(Key::Enter);
  EXPECT_EQ(d.state.field.id, "") << "an expression, whatever its run does";
  d.letter('z', false, true);
  EXPECT_EQ(find_index(*d.state.settings.text)->text, "threadIdx.x * stride") << "one step back";
}

TEST(Index, SaysThatTwoElementsShareAWord) {
  Desk d("layout_function");
  d.letter('i').act(EditField{"row + column"});
  EXPECT_EQ(index_trouble(false, *d.seen), "expression.wrong");
  EXPECT_EQ(index_trouble(true, *d.seen), "expression.race");
}

TEST(Work, ALongTraceSaysWhatItShowsOfWhat) {
  jobs::Runner runner{jobs::waits_for_all()};
  Simulator simulator(&gallery(), runner, {.trace_events = 1000});
  const char* const text = R"(__global__ void many(float* out, int n) {
  for (int i = 0; i < n; ++i) out[threadIdx.x] = i;
}
)";
  State state;
  UserKernel own = opened_kernel("many.cu", text);
  LaunchForm form = own.form;
  set_field(&form, "scalar.n", "5000");
  set_field(&form, "block.x", "64");
  set_field(&form, "grid.x", "1");
  state.settings = settings_of(with_form(own, form), std::make_shared<const std::string>(text));
  const auto seen = simulator.derive(state);
  ASSERT_TRUE(seen->cut_short()) << (seen->problems.empty() ? "" : seen->problems.front().message.english());
  EXPECT_TRUE(seen->fresh);
  EXPECT_EQ(seen->trace->events.size(), 1000u);
  EXPECT_EQ(seen->trace->total_events, 10000u);  // 2 warps, 5000 stores each
}

TEST(Own, ASessionBringsItBack) {
  Desk d(Desk::Text{kHost});
  d.act(ChooseKernel{"other"});
  for (const std::string fill : sim::kFillNames) {
    d.act(SetFormField{"fill.p", fill, {}});
    EXPECT_EQ(field_text(d.form(), "fill.p"), fill);
    const auto loaded =
        load_session(d.folder.write("s.warplens.json", to_json(d.state, *d.seen).dump()), gallery());
    ASSERT_TRUE(loaded) << loaded.errors.front();
    EXPECT_EQ(loaded.value->settings, d.state.settings);
  }
  d.act(SetFormField{"fill.p", "index", {}});  // what older sessions call it
  EXPECT_EQ(field_text(d.form(), "fill.p"), "iota");
}

// Whatever is typed into fields and files, nothing ends the app.
TEST(Own, AnyTextIsSafe) {
  Desk d("copy", jobs::RunnerOptions{});
  d.open(kHost);
  const std::string whole = kHost;
  for (std::size_t cut = 0; cut < whole.size(); cut += 7) d.act(SetText{whole.substr(0, cut), {}, {}});
  d.act(SetText{whole, {}, {}});
  for (const char* text : {"", " ", "0", "-1", "99999999999999999999", "1/0", "rows", "x.y", "((((", "1e9",
                           "\xe4\xb8\xad", "a[0]"}) {
    const std::vector<std::string> fields = form_fields(*d.state.settings.own);
    ASSERT_FALSE(fields.empty());
    for (const std::string& field : fields) d.act(SetFormField{field, text, {}});
  }
  ASSERT_TRUE(d.state.settings.text);
  EXPECT_EQ(*d.state.settings.text, whole);
}

}  // namespace warplens::app::user_kernel_test
