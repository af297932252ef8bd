// PTX in the window: launch documents open as kernels of one's own, sessions keep PTX with its source and all
// that its launch says, and the view of the instructions lights the one that is looked at.
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/readout/code_rows.h"
#include "app/scene/palette.h"
#include "app/scene/scene.h"
#include "app/simulate/simulation.h"
#include "app/state/user_kernel.h"
#include "app/storage/files.h"
#include "app/storage/session_file.h"
#include "app/storage/teaching_files.h"
#include "app/views/inputs.h"
#include "app/views/views.h"
#include "sim/scenario/launch_document.h"
#include "tests/app/gallery.h"
#include "tests/scenario/folder.h"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const fs::path kCompiled = fs::path(WARPLENS_SOURCE_DIR) / "tests/compiled/data";

// Arguments with what they hold.
std::map<std::string, std::string> told(const sim::Launch& launch) {
  std::map<std::string, std::string> all;
  for (const auto& [name, argument] : launch.arguments) {
    std::string& words = all[name];
    if (const auto* whole = std::get_if<std::int64_t>(&argument)) words = std::to_string(*whole);
    if (const auto* real = std::get_if<double>(&argument)) words = std::to_string(*real);
    const auto* b = std::get_if<sim::Buffer>(&argument);
    if (b == nullptr) continue;
    words = std::to_string(b->elements) + " " + sim::name_of(b->fill) + " +" + std::to_string(b->offset) +
            " +" + std::to_string(b->offset_bytes) + " " + b->same_as + (b->is_null ? " null" : "") +
            (b->element ? std::string(" ") + sim::name_of(*b->element) : "") +
            (b->range ? " " + std::to_string((*b->range)[0]) + ".." + std::to_string((*b->range)[1]) : "") +
            (b->data ? " " + *b->data : "");
  }
  return all;
}

class GivenKernel : public testing::Test {
 protected:
  void SetUp() override {
    fs::copy_file(kCompiled / "triton_matmul_sm80.ptx", folder_ / "matmul.ptx");
    fs::copy_file(kCompiled / "triton_kernels.py", folder_ / "triton_kernels.py");
    own_.write("b.bin", std::string(2 * 65536, '\1'));
    own_.write("matmul.launch.json", R"json({"schema": "warplens.launch/1", "code": "matmul.ptx",
      "kernel": "matmul", "grid": [4, 4], "block": [128], "shared_bytes": 8192, "arguments": [
      {"buffer": "f16", "elements": 65536, "name": "both", "contents": {"fill": "random(0,63)"}},
      {"buffer": "f16", "elements": 65536, "contents": {"file": "b.bin"}},
      {"buffer": "f16", "name": "both", "offset": 64}, {"i32": 256}, {"i32": 256}, {"i32": 256}]})json");
  }

  Settings opened() {
    auto source = opened_source(folder_ / "matmul.launch.json", "", {}, {});
    EXPECT_TRUE(source) << (source.errors.empty() ? "" : source.errors.front().english());
    if (!source) return {};
    return settings_of(*source.value->kernel, std::make_shared<const std::string>(source.value->text));
  }
  static scenario::Setup setup_of(const Settings& settings) {
    auto setup = scenario::make_setup(settings.own->scenario, settings.values, *settings.text);
    EXPECT_TRUE(setup) << (setup.errors.empty() ? "" : setup.errors.front().english());
    return setup ? std::move(*setup.value) : scenario::Setup{};
  }

  const scenario::Folder own_;
  const fs::path folder_ = own_.path();
};

TEST_F(GivenKernel, ALaunchDocumentOpensWithAllThatItSays) {
  const Settings settings = opened();
  ASSERT_TRUE(settings.own);
  EXPECT_EQ(settings.own->file, folder_ / "matmul.ptx");
  EXPECT_THAT(settings.own->facts.source, HasSubstr("tl.load(a"));
  const auto document = scenario::load_launch(folder_ / "matmul.launch.json");
  ASSERT_TRUE(document);
  const scenario::Setup setup = setup_of(settings);
  const sim::Launch& launch = document.value->launch;
  EXPECT_EQ(setup.launch.arguments.size(), 5u);  // what the kernel uses
  for (const auto& [name, words] : told(setup.launch)) EXPECT_EQ(words, told(launch)[name]) << name;
  EXPECT_EQ(setup.launch.grid, launch.grid);
  EXPECT_EQ(setup.launch.shared_bytes, 8192u);
  EXPECT_TRUE(setup.compile.buffers_overlap);
}

// As a compiler mangles it, and as people write it: the launch is the document's, never a guess.
TEST_F(GivenKernel, IsTheOneThatTheDocumentNames) {
  const auto entry = [](const std::string& name) {
    return ".visible .entry " + name +
           "(.param .u64 p) { .reg .b64 %rd<3>; .reg .b32 %r<2>; ld.param.u64 %rd1, [p]; " +
           "mov.u32 %r1, 1; st.global.u32 [%rd1], %r1; ret; }\n";
  };
  own_.write("two.ptx", ".version 8.0\n.target sm_90\n.address_size 64\n" + entry("_ZN1b5otherEPf") +
                            entry("_ZN1a4scanILi32EEEvPf"));
  own_.write("two.cu",
             "namespace b { __global__ void other(float* p) { p[0] = 1; } }\nnamespace a { template <int N> "
             "__global__ void scan(float* p) { p[threadIdx.x % N] = 1; } }\n");
  const auto opened = [&](const std::string& code, const std::string& kernel) {
    const fs::path file =
        own_.write("two.launch.json",
                   R"({"schema": "warplens.launch/1", "code": ")" + code + R"(", "kernel": ")" + kernel +
                       R"(", "grid": [5], "block": [32], "arguments": [{"buffer": "f32", "elements": 64}]})");
    return opened_source(file, "", {}, {});
  };
  for (const auto& [code, kernel] :
       std::vector<std::pair<std::string, std::string>>{{"two.ptx", "_ZN1a4scanILi32EEEvPf"},
                                                        {"two.ptx", "scan"},
                                                        {"two.ptx", "a::scan"},
                                                        {"two.ptx", "scan<32>"},
                                                        {"two.ptx", "a::scan<32>"},
                                                        {"two.cu", "scan<32>"},
                                                        {"two.cu", "a::scan<32>"}}) {
    const auto source = opened(code, kernel);
    ASSERT_TRUE(source) << kernel << ": " << source.errors.at(0).english();
    EXPECT_THAT(source.value->kernel->form.kernel, HasSubstr("scan")) << code << " " << kernel;
    EXPECT_EQ(source.value->kernel->form.grid[0], "5") << code << " " << kernel;
  }
  for (const char* code : {"two.ptx", "two.cu"}) {
    const auto none = opened(code, "scam");
    ASSERT_FALSE(none) << code;
    EXPECT_THAT(none.errors.at(0).english(), HasSubstr("has no kernel 'scam'"));
  }
}

TEST_F(GivenKernel, ASessionAndASceneOfALectureKeepItWithoutTheFiles) {
  State state;
  state.settings = opened();
  ASSERT_TRUE(state.settings.own);
  Lecture lecture;
  lecture.title["en"] = "Triton";
  lecture.scenes.resize(1);
  lecture.scenes[0].name["en"] = "A product";
  lecture.scenes[0].view.settings = state.settings;
  const scenario::Setup before = setup_of(state.settings);
  const fs::path session = own_.write("kept.warplens.json", to_json(state, Simulation{}).dump()),
                 scenes = own_.write("mine.lecture.json", lecture_text(lecture));
  for (const char* gone : {"matmul.ptx", "triton_kernels.py", "b.bin", "matmul.launch.json"})
    fs::remove(folder_ / gone);
  const auto loaded = load_session(session, gallery(), {});
  ASSERT_TRUE(loaded) << loaded.errors.front().english();
  const auto taught = load_lecture(scenes, gallery());
  ASSERT_TRUE(taught) << taught.errors.front().english();
  ASSERT_EQ((*taught.value)->scenes.size(), 1u);
  for (const Settings& kept : {loaded.value->settings, (*taught.value)->scenes[0].view.settings}) {
    const scenario::Setup after = setup_of(kept);
    EXPECT_EQ(told(after.launch), told(before.launch));
    EXPECT_EQ(after.compile.text, before.compile.text);
    EXPECT_EQ(after.compile.source, before.compile.source);
    EXPECT_EQ(after.compile.kernel, before.compile.kernel);
  }
}

TEST_F(GivenKernel, TheInstructionLookedAtIsLitBesideItsSource) {
  const Settings settings = opened();
  ASSERT_TRUE(settings.own);
  const auto made = look_at(gallery(), settings, {}, {});
  ASSERT_TRUE(made.simulation && made.simulation->now);
  const sim::AccessSite& site = *made.simulation->now->site;
  ASSERT_GE(site.instruction, 0);
  const std::string& text = *settings.text;
  const auto at = static_cast<std::size_t>(site.instruction);
  const std::string line = text.substr(at, text.find('\n', at) - at);
  EXPECT_THAT(line, HasSubstr(site.space == sim::SiteSpace::Shared ? "shared" : "global"));
  const auto number = std::count(text.begin(), text.begin() + site.instruction, '\n') + 1;
  const views::Inputs in{.simulation = made.simulation.get()};
  const scene::Scene drawn =
      views::row_of(ViewId::Ptx).draw(in, {900, 600, 1, &scene::dark_palette(), &english()});
  bool is_lit = false;
  for (const scene::Layer& layer : drawn.layers)
    for (const scene::Label& label : layer.labels)
      is_lit |= label.bold && label.text == std::to_string(number);
  EXPECT_TRUE(is_lit) << "line " << number;
}

TEST(Opening, ATextWhoseLaunchTakesLongComesWithoutIt) {
  const char* endless =
      "__global__ void k(int* a, unsigned n) { for (unsigned i = 0;; i = 5 * i + 1) a[i % n] = 1; }\n";
  const auto opened = opened_source("/k.cu", endless, {}, {}, 0);
  ASSERT_TRUE(opened);
  EXPECT_TRUE(opened.value->kernel->wish) << "it is looked for with the text on screen";
}

TEST(PythonText, HasPlainColours) {
  const std::string text = "import triton\n@triton.jit\ndef k(a):  # adds\n    return '''x\ny''' + 1.5\n";
  std::map<std::string, cuda::TokenClass> of;
  for (const auto& token : read_code_text(text).tokens)
    of[text.substr(static_cast<std::size_t>(token.begin),
                   static_cast<std::size_t>(token.end - token.begin))] = token.token_class;
  using Class = cuda::TokenClass;
  EXPECT_EQ(of["import"], Class::Keyword);
  EXPECT_EQ(of["@triton.jit"], Class::Builtin);
  EXPECT_EQ(of["# adds"], Class::Comment);
  EXPECT_EQ(of["'''x\ny'''"], Class::String);
  EXPECT_EQ(of["1.5"], Class::Number);
  EXPECT_EQ(of["triton"], Class::Plain);
  EXPECT_EQ(read_code_text("#include <x>\nint from = 1;\n").tokens.front().token_class, Class::Preprocessor);
}

}  // namespace
}  // namespace warplens::app
