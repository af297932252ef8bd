// Whatever goes wrong is told in the user's language: a mistake of every stage, in Chinese.
#include <gtest/gtest.h>

#include <regex>

#include "app/language/strings.h"
#include "tests/app/desk.h"

namespace warplens::app::message_test {

namespace fs = std::filesystem;

// A desk that opens texts and files, and what it says of them.
class Messages : public ::testing::Test, protected FileDesk {
 protected:
  // What stands at the text of a kernel, with the fields of its launch form changed.
  std::string of_text(const std::string& text, const std::map<std::string, std::string>& fields = {}) {
    act(OpenText{"/tmp/k.cu", text});
    for (const auto& [field, value] : fields) act(SetFormField{field, value, {}});
    if (seen->problems.empty()) return "nothing is wrong";
    return chinese_(seen->problems.front().message, seen->problems.front().remedy);
  }

  // What the notice says once a file of this text is opened.
  std::string of_file(const std::string& name, const std::string& text) {
    return of_path(folder.write(name, text));
  }
  std::string of_path(const fs::path& file) {
    act(DismissNotice{});
    act(OpenPath{file.string()});
    if (!state.notice) return "nothing is wrong";
    std::string words = chinese_(state.notice->key, {{"words", chinese_(state.notice->words)}});
    const std::string place = folder.path().string() + "/";
    for (std::size_t at = 0; (at = words.find(place)) != std::string::npos;)
      words.replace(at, place.size(), "");
    return words;
  }

  const language::Strings chinese_ = strings_of("zh-CN");
};

std::string kernel(const std::string& body) {
  return "__global__ void k(float* a, int n) {\n" + body + "\n}\n";
}

TEST_F(Messages, OfEveryStageAreChinese) {
  EXPECT_EQ(of_text("#define\n" + kernel("")), "#define 之后缺少名称");
  EXPECT_EQ(of_text("__global__ void k( {}"), "这里应是类型，却是“{”");
  EXPECT_EQ(of_text(kernel("a[0] = 1")), "表达式之后应有“;”");
  EXPECT_EQ(of_text(kernel("for (int i = 0; i < n; ++i { }")), "“for”的最后一部分之后应有“)”，在“{”之前");
  EXPECT_EQ(of_text(kernel("goto end;")), "核函数中不支持 goto — 请用循环、if、break 或 continue");
  EXPECT_EQ(of_text(kernel("a[threadIdx.x] = nn;")), "“nn”在这里没有声明 — 是不是“n”？");
  EXPECT_EQ(of_text("template <int N> __global__ void k(float* a) { a[N] = 1; }", {{"template.N", "1 / 0"}}),
            "启动：template.N：除以零：1 / 0");
  EXPECT_EQ(of_text(kernel("a[threadIdx.x] = 1;"), {{"grid.x", "1"}, {"block.x", "2048"}}),
            "k：block_x = 2048 超出范围 1 到 1024");
  EXPECT_EQ(of_text(kernel("a[threadIdx.x] = 1;"), {{"grid.x", "1"}, {"block.x", "64"}, {"block.y", "64"}}),
            "线程块 64 x 64 有 4096 个线程；sm_90 最多允许 1024 个");
  EXPECT_EQ(
      of_text(kernel("a[threadIdx.x] = 1;"),
              {{"grid.x", "1"}, {"block.x", "32"}, {"elements.a", "20"}, {"scalar.n", "1"}}),
      "在 a[20] 处写入 4 字节越界：a 有 20 个元素（线程 (20, 0, 0)，线程束 0 的通道 20，线程块 (0, 0, 0)）");
}

TEST_F(Messages, OfFilesAreChinese) {
  EXPECT_EQ(of_path(folder.path() / "none.cu"), "none.cu：无法打开：没有那个文件或文件夹");
  EXPECT_EQ(of_file("zero.cu", std::string("a\0b", 3)), "zero.cu：不是文本文件（含有值为 0 的字节）");
  EXPECT_EQ(of_file("host.cu", "int main() {}"), "host.cu：没有核函数：没有带函数体的 __global__ 函数");
  EXPECT_EQ(
      of_file("none.warplens.json", R"({"schema": "warplens.session/2"})"),
      "none.warplens.json:1：schema：是“warplens.session/2”，由更新的 Warplens 写成；当前版本只能读第 1 版");
  EXPECT_EQ(of_file("wrong.warplens.json", R"({"schema": 1})"),
            "wrong.warplens.json:1：schema：必须是文本 \"...\"，而不是数");
}

// English words beside one another, which are no code.
TEST_F(Messages, HaveNoEnglishSentence) {
  const std::regex english("[a-z]{2,} [a-z]{2,} [a-z]{2,}");
  for (const char* body :
       {"int x = ;", "float y = *n;", "n();", "k(a, n);", "__shared__ float s[];", "return 1;", "a->x = 1;",
        "break;", "int i = a;", "switch (a[0]) {}", "new int;", "a = 0 ? a : n;", "void v;", "n + = 1;",
        "__shfl_sync(0xffffffff, a, 0);", "atomicAdd(a);", "goto again;", "while (int i = 0) {}"}) {
    const std::string words = of_text(kernel(body));
    EXPECT_FALSE(std::regex_search(words, english)) << body << ": " << words;
    EXPECT_NE(words, "nothing is wrong") << body;
  }
}

}  // namespace warplens::app::message_test
