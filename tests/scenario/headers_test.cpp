// Which headers are read for a kernel's file, and which are not.
#include "sim/scenario/headers.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <cstdlib>

#include "sim/lower/lower.h"
#include "tests/scenario/folder.h"

namespace warplens::scenario {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> names(const cuda::HeaderSet& headers) {
  std::vector<std::string> names;
  for (std::size_t i = 0; headers && i < headers->files.size(); ++i) names.push_back(headers->files[i].name);
  return names;
}

std::vector<std::string> refused(const cuda::HeaderSet& headers) {
  if (!headers) return {};
  return {headers->refused.begin(), headers->refused.end()};
}

TEST(Headers, BesideTheFileAndBesideOneAnother) {
  const Folder folder;
  folder.write("lib/inner.h", "#define INNER 1\n");
  folder.write("lib/outer.h", "#pragma once\n#include \"inner.h\"\n");
  const auto file = folder.write("kernel.cu", "#include \"lib/outer.h\"\n#include \"absent.h\"\n");
  const auto headers = gather_headers("#include \"lib/outer.h\"\n#include \"absent.h\"\n", file, {});
  EXPECT_THAT(names(headers), ElementsAre("lib/outer.h", "lib/inner.h"));
  EXPECT_EQ(headers->found.at({cuda::kOwnText, "\"lib/outer.h\""}), 0);
  EXPECT_EQ(headers->found.at({0, "\"inner.h\""}), 1);
  EXPECT_EQ(gather_headers("#include <cuda_runtime.h>\n", file, {}), nullptr);
  EXPECT_EQ(gather_headers("#include \"lib/outer.h\"\n", "-", {}), nullptr);
}

TEST(Headers, FromFoldersThatAreGiven) {
  const Folder folder;
  folder.write("include/a.h", "");
  folder.write("more/a.h", "");
  folder.write("more/b.h", "");
  const auto file = folder.write("source/kernel.cu", "");
  const std::vector<std::filesystem::path> folders{folder.path() / "include", folder.path() / "more"};
  const auto headers = gather_headers("#include <a.h>\n#include \"b.h\"\n", file, folders);
  EXPECT_THAT(names(headers), ElementsAre("../include/a.h", "../more/b.h"));
  const auto beside = folder.write("include/kernel.cu", "");
  EXPECT_THAT(names(gather_headers("#include <a.h>\n", beside, {})), ElementsAre("a.h")) << "beside the file";
  EXPECT_EQ(gather_headers("#include <math.h>\n",
                           folder.write("more/kernel.cu", folder.write("more/math.h", "").string()), {}),
            nullptr)
      << "the toolchain's";
}

TEST(Headers, NothingOutsideOfWhatWasGiven) {
  const Folder folder;
  folder.write("secret.h", "int secret;");
  folder.write("inside/plain.h", "");
  const auto file = folder.write("inside/kernel.cu", "");
  std::filesystem::create_symlink(folder.path() / "secret.h", folder.path() / "inside/link.h");
  const std::string absolute = (folder.path() / "secret.h").string();
  for (const std::string& name : {std::string("../secret.h"), std::string("link.h"), absolute}) {
    const auto headers = gather_headers("#include \"" + name + "\"\n", file, {});
    EXPECT_THAT(names(headers), IsEmpty()) << name;
    EXPECT_THAT(refused(headers), ElementsAre("\"" + name + "\""));
    EXPECT_THAT(names(gather_headers("#include \"" + name + "\"\n", file, {folder.path()})),
                testing::SizeIs(1));
  }
  EXPECT_THAT(names(gather_headers("#include \"../inside/plain.h\"\n", file, {})), testing::SizeIs(1));
}

// A repository's files include one another across its folders, and its build names some of these.
TEST(Headers, FromTheProjectThatTheFileBelongsTo) {
  const Folder folder;
  folder.write("secret.h", "int secret;");
  folder.write("project/.git/config", "");
  folder.write("project/notes.txt", "");
  folder.write("project/common.h", "");
  folder.write("project/utils/tools.h", "");
  folder.write("project/attention/utils/tools.h", "");
  folder.write("project/.git/hidden.h", "");
  folder.write("project/.git/deep/hidden.h", "");
  folder.write("project/attention/.cache/hidden.h", "");
  folder.write("project/attention/a/twice.h", "");
  folder.write("project/attention/b/twice.h", "");
  const auto file = folder.write("project/attention/mma/kernel.cu", "");
  const auto read = [&](const std::string& name) {
    return gather_headers("#include \"" + name + "\"\n", file, {});
  };
  EXPECT_THAT(names(read("../../common.h")), ElementsAre("../../common.h"));
  EXPECT_THAT(names(read("tools.h")), ElementsAre("../utils/tools.h")) << "the nearest";
  EXPECT_THAT(read("tools.h")->of_project, ElementsAre("../utils/tools.h")) << "to be told";
  EXPECT_EQ(read("twice.h"), nullptr) << "which of the two?";
  EXPECT_EQ(gather_headers("#include <tools.h>\n", file, {}), nullptr);
  folder.write("project/Common/shared.h", "");
  EXPECT_THAT(names(gather_headers("#include <shared.h>\n", file, {})), ElementsAre("../../Common/shared.h"));
  folder.write("project/Common/math.h", "");
  folder.write("project/Common/cuda_things.h", "");
  for (const char* of_toolchain : {"<math.h>", "<cuda_things.h>", "<vector>"})
    EXPECT_EQ(gather_headers(std::string("#include ") + of_toolchain + "\n", file, {}), nullptr)
        << of_toolchain;
  EXPECT_EQ(read("hidden.h"), nullptr) << "no search in hidden folders";
  for (const char* outside : {"../../../secret.h", "../../notes.txt", "../../.git/hidden.h"}) {
    EXPECT_THAT(names(read(outside)), IsEmpty()) << outside;
    EXPECT_THAT(refused(read(outside)), testing::SizeIs(1)) << outside;
  }
  EXPECT_THAT(gather_headers("#include \"tools.h\"\n", file, {folder.path() / "project/utils"})->of_project,
              IsEmpty())
      << "the folders that are given come first";
}

TEST(Headers, AProjectWithoutGitIsWhereItsLicenceIs) {
  const Folder folder;
  folder.write("project/LICENSE", "");
  folder.write("project/part/COPYING", "");
  folder.write("project/common.h", "");
  const auto file = folder.write("project/part/source/kernel.cu", "");
  EXPECT_THAT(names(gather_headers("#include \"../../common.h\"\n", file, {})), testing::SizeIs(1));
  std::filesystem::remove(folder.path() / "project/LICENSE");
  EXPECT_THAT(names(gather_headers("#include \"../../common.h\"\n", file, {})), IsEmpty());
}

TEST(Headers, CirclesEndAndNumbersAreBounded) {
  const Folder folder;
  folder.write("a.h", "#include \"b.h\"\n");
  folder.write("b.h", "#include \"a.h\"\n");
  std::string many;
  for (int i = 0; i < 300; ++i) {
    folder.write("h" + std::to_string(i) + ".h", "");
    many += "#include \"h" + std::to_string(i) + ".h\"\n";
  }
  const auto file = folder.write("kernel.cu", "");
  EXPECT_THAT(names(gather_headers("#include \"a.h\"\n", file, {})), ElementsAre("a.h", "b.h"));
  EXPECT_EQ(gather_headers(many, file, {})->files.size(), 256u);
  folder.write("large.h", std::string(std::size_t{4} << 20, ' '));
  EXPECT_THAT(names(gather_headers("#include \"large.h\"\n", file, {})), IsEmpty());
  EXPECT_EQ(gather_headers("#include \".\"\n", file, {}), nullptr);
}

// A header that is there and cannot be read is not one that is absent.
TEST(Headers, WhyOneThatIsThereWasNotRead) {
  const Folder folder;
  folder.write("large.h", std::string(std::size_t{4} << 20, ' '));
  folder.write("binary.h", std::string(4, '\0'));
  const bool has_pipe = ::mkfifo((folder.path() / "pipe.h").c_str(), 0600) == 0 &&
                        std::filesystem::is_fifo(folder.path() / "pipe.h");  // a browser's files know none
  const auto file = folder.write("kernel.cu", "");
  const auto remedy = [&](const std::string& name) {
    sim::CompileRequest request;
    request.text = "#include \"absent.h\"\n#include \"" + name +
                   "\"\n__global__ void k(float* x) { x[threadIdx.x] = kScale; }\n";
    request.headers = gather_headers(request.text, file, {});
    const sim::CompileResult result = sim::compile(request);
    return result.diagnostics.empty() ? std::string() : result.diagnostics[0].remedy.english();
  };
  EXPECT_THAT(remedy("large.h"), testing::HasSubstr("larger than 3145728 bytes together"));
  EXPECT_THAT(remedy("binary.h"), testing::HasSubstr("is not a text file"));
  EXPECT_THAT(remedy("other.h"), testing::HasSubstr("are not here"));
  if (!has_pipe) return;
  EXPECT_THAT(remedy("pipe.h"),
              testing::HasSubstr("\"pipe.h\" may declare kScale, and is here but was not read"));
  EXPECT_THAT(remedy("pipe.h"), testing::HasSubstr("is a pipe, not a file"));
}

// What lies beside the home folder is no project's, whatever is at the top.
TEST(Headers, NoProjectHoldsTheHomeFolder) {
  const Folder folder;
  folder.write("top/.git/config", "");
  folder.write("top/common.h", "");
  folder.write("top/home/notes", "");
  const auto file = folder.write("top/part/kernel.cu", "");
  const char* home = std::getenv("HOME");
  const std::string before = home != nullptr ? home : "";
  ::setenv("HOME", (folder.path() / "top/home").c_str(), 1);
  EXPECT_THAT(names(gather_headers("#include \"../common.h\"\n", file, {})), IsEmpty());
  ::setenv("HOME", before.c_str(), 1);
  EXPECT_THAT(names(gather_headers("#include \"../common.h\"\n", file, {})), testing::SizeIs(1));
}

constexpr const char* kNeedsMain = "__global__ void k(real* x) { x[threadIdx.x] = N; }\n";

cuda::HeaderSet around(const std::filesystem::path& file) {
  return headers_of(kNeedsMain, file, {}, {}, Budget::endless());
}
std::string read_first(const cuda::HeaderSet& headers) {
  const bool any = headers && headers->around != cuda::kNoHeader;
  return any ? headers->files[static_cast<std::size_t>(headers->around)].name : "";
}

bool compiles(const std::string& text, const cuda::HeaderSet& headers) {
  sim::CompileRequest request;
  request.text = text;
  request.headers = headers;
  return sim::compile(request).program.has_value();
}

TEST(Surroundings, WhatTheFileThatIncludesItDeclaresBefore) {
  const Folder folder;
  const auto file = folder.write("kernel.cu", kNeedsMain);
  EXPECT_EQ(around(file), nullptr);
  folder.write("types.h", "typedef float real;\n");
  folder.write("main.cu", "#include \"types.h\"\n#define N 4\n#include \"kernel.cu\"\nint main() {}\n");
  const auto headers = around(file);
  EXPECT_EQ(read_first(headers), "main.cu");
  EXPECT_TRUE(compiles(kNeedsMain, headers));
  EXPECT_FALSE(compiles(kNeedsMain, nullptr));
}

// The header between the two is included by the file that launches, and by a test that does not.
TEST(Surroundings, TheFileAboveAllThatLaunches) {
  const Folder folder;
  const auto file = folder.write("kernel.cu", kNeedsMain);
  folder.write("kernels.cuh", "#pragma once\n#include \"kernel.cu\"\n");
  folder.write("a_test.cu", "typedef int real;\n#define N 1\n#include \"kernels.cuh\"\n");
  EXPECT_EQ(read_first(around(file)), "a_test.cu");
  folder.write(
      "run.cu",
      "typedef float real;\n#define N 4\n#include \"kernels.cuh\"\nint main() { k<<<1, 32>>>(0); }\n");
  EXPECT_EQ(read_first(around(file)), "run.cu");
  folder.write(
      "main.cu",
      "typedef float real;\n#define N 4\n#include \"kernels.cuh\"\nint main() { k<<<1, 32>>>(0); }\n");
  EXPECT_EQ(read_first(around(file)), "main.cu");
}

// What is included is not what a compiler is given, though it launches.
TEST(Surroundings, TheFileThatNoOtherIncludesComesFirst) {
  const Folder folder;
  const auto file = folder.write("kernel.cu", kNeedsMain);
  folder.write("work.cu", "#include \"kernel.cu\"\nvoid work() { k<<<1, 32>>>(0); }\n");
  EXPECT_EQ(read_first(around(file)), "work.cu");
  folder.write("all.cu", "typedef float real;\n#define N 4\n#include \"work.cu\"\n");
  EXPECT_EQ(read_first(around(file)), "all.cu");
}

TEST(Surroundings, TheFileAboveInTheProjectOrTheNextThatKeepsItsKernels) {
  const Folder folder;
  folder.write("project/LICENSE", "");
  folder.write("project/main.cu",
               "#ifdef USE_GPU\n#include \"runner.cuh\"\n#endif\nint main() { k<<<1, 32>>>(0); }\n");
  folder.write("project/runner.cuh", "#define SIDE 16\n#include \"kernels/k.cuh\"\n");
  const std::string text = "__global__ void k(int* x) { x[threadIdx.x] = SIDE; }\n";
  const auto file = folder.write("project/kernels/k.cuh", text);
  const auto around = gather_surroundings(text, file, {}, {}, Budget::endless());
  ASSERT_TRUE(around);
  EXPECT_EQ(around->files[static_cast<std::size_t>(around->around)].name, "runner.cuh");
  std::filesystem::remove(folder.path() / "project/LICENSE");
  EXPECT_EQ(gather_surroundings(text, file, {}, {}, Budget::endless()), nullptr);
}

TEST(Surroundings, AloneWhereTheOtherFileLeavesItsKernelOut) {
  const Folder folder;
  const auto file = folder.write("kernel.cu", kNeedsMain);
  folder.write("main.cu", "#if 0\n#include \"kernel.cu\"\n#endif\n");
  EXPECT_EQ(around(file), nullptr);
  folder.write("main.cu", "#if 1\n#include \"kernel.cu\"\n#endif\n");
  EXPECT_EQ(read_first(around(file)), "main.cu");
  folder.write("main.cu", "#error no\n#include \"kernel.cu\"\n");
  EXPECT_EQ(around(file), nullptr);
}

TEST(Surroundings, FilesThatIncludeOneAnotherEnd) {
  const Folder folder;
  const auto file = folder.write("kernel.cu", std::string("#include \"main.cu\"\n") + kNeedsMain);
  folder.write("main.cu", "#pragma once\ntypedef float real;\n#define N 4\n#include \"kernel.cu\"\n");
  const std::string text = std::string("#include \"main.cu\"\n") + kNeedsMain;
  const auto headers = headers_of(text, file, {}, {}, Budget::endless());
  EXPECT_EQ(read_first(headers), "main.cu");
  EXPECT_TRUE(compiles(text, headers));
}

}  // namespace
}  // namespace warplens::scenario
