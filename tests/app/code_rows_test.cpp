// Long lines of kernel text in a narrow pane: where they are broken, and that every place of the text is
// found in its row.
#include "app/readout/code_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "tests/app/desk.h"

namespace warplens::app {
namespace {

using ::testing::ElementsAre;

// Rows as they stand on the screen.
std::vector<std::string> shown(const std::string& text, const RowRequest& request) {
  const CodeText code = read_code_text(text);
  std::vector<std::string> rows;
  for (const CodeRow& row : code_rows(code, request)) {
    std::string words = row.note >= 0 ? "note " + std::to_string(row.note)
                                      : std::string(static_cast<std::size_t>(row.indent), ' ') +
                                            std::string(part(code, row.begin, row.end));
    words.erase(words.find_last_not_of(' ') + 1);
    rows.push_back(words);
  }
  return rows;
}

TEST(CodeRows, ALineThatFitsStaysWhole) {
  EXPECT_THAT(shown("a = b;\nc = d;\n", {10, {}, {}, false}), ElementsAre("a = b;", "c = d;"));
  EXPECT_THAT(shown("", {10, {}, {}, false}), ElementsAre(""));
  EXPECT_THAT(shown("a;\n", {10, {}, {}, true}), ElementsAre("a;", "")) << "who writes there sees the line";
}

TEST(CodeRows, BreaksAfterTheOperatorAndNotInsideBrackets) {
  EXPECT_THAT(shown("    out[col * nrows + row] = in[row * ncols + col];", {46, {}, {}, false}),
              ElementsAre("    out[col * nrows + row] =", "      in[row * ncols + col];"));
  EXPECT_THAT(shown("  float4 v = *(const float4*)&A[(row + i) * k + first + p];", {40, {}, {}, false}),
              ElementsAre("  float4 v = *(const float4*)", "    &A[(row + i) * k + first + p];"));
  EXPECT_THAT(shown("for (int j = first; j < limit; j += step) sum += j;", {32, {}, {}, false}),
              ElementsAre("for (int j = first; j < limit;", "  j += step) sum += j;"));
  EXPECT_THAT(shown("for (int j = 0; j < limit; j += 2) {", {35, {}, {}, false}),
              ElementsAre("for (int j = 0; j < limit;", "  j += 2) {"))
      << "a brace does not stand alone";
}

TEST(CodeRows, CommentsBreakBetweenWords) {
  EXPECT_THAT(shown("  // one two three four five", {16, {}, {}, false}),
              ElementsAre("  // one two", "     three four", "     five"));
  EXPECT_THAT(shown("x = a + b;  // sum of both", {22, {}, {}, false}),
              ElementsAre("x = a + b;", "  // sum of both"))
      << "a comment that fits below stays whole";
  EXPECT_THAT(shown("//   a  b  c       up  a  bb  c", {26, {}, {}, false}),
              ElementsAre("//   a  b  c", "   up  a  bb  c"))
      << "a drawing between its parts";
  EXPECT_THAT(shown("// 一二三四五，六", {10, {}, {}, false}), ElementsAre("// 一二三", "   四五，", "   六"))
      << "full-width characters take two columns, and no row begins with a comma";
}

// Parameters below the first one have no empty row above them; who writes sees every space.
TEST(CodeRows, AWideIndentationIsCutWhereTheLineHasToBreak) {
  const CodeText code =
      read_code_text("__global__ void k(float* out,\n                  int nrows, int ncols) {\n");
  RowRequest request{34, {}, {}, false};
  std::vector<CodeRow> rows = code_rows(code, request);
  ASSERT_EQ(rows.size(), 2u) << "each line is one row";
  EXPECT_EQ(column_in_row(code, rows[1], code.lines[1].begin + 18), 8);
  EXPECT_EQ(offset_in_row(code, rows[1], 8), code.lines[1].begin + 18);
  request.empty_end = true;
  rows = code_rows(code, request);
  EXPECT_EQ(rows[1].indent, 0);
  EXPECT_EQ(column_in_row(code, rows[1], code.lines[1].begin + 18), 18);
}

TEST(CodeRows, ACostHasRoomBesideTheFirstRowOnly) {
  const std::string text = "aaaa = bbbb + cccc + dddd;\neeee;";
  EXPECT_THAT(shown(text, {26, {}, {}, false}), ElementsAre("aaaa = bbbb + cccc + dddd;", "eeee;"));
  EXPECT_THAT(shown(text, {26, {{0, 6}}, {}, false}),
              ElementsAre("aaaa = bbbb +", "  cccc + dddd;", "eeee;"));
  EXPECT_THAT(shown("aa = " + std::string(40, 'x') + " + y;", {30, {{0, 6}}, {}, false}),
              ElementsAre("aa =", "  " + std::string(28, 'x'), "  " + std::string(12, 'x') + " + y;"));
}

TEST(CodeRows, WordsBelowALineFollowItsLastRow) {
  EXPECT_THAT(shown("aaaaaa + bbbbbb;\nc;", {12, {}, {{0, 2}, {1, 1}}, false}),
              ElementsAre("aaaaaa +", "  bbbbbb;", "note 0", "note 0", "c;", "note 1"));
}

TEST(CodeRows, FitsTellsWhetherBreaksAreNeeded) {
  const CodeText code = read_code_text("12345678\n1234\n");
  EXPECT_TRUE(fits_unbroken(code, {8, {}, {}, false}));
  EXPECT_FALSE(fits_unbroken(code, {7, {}, {}, false}));
  EXPECT_TRUE(fits_unbroken(code, {8, {{1, 4}}, {}, false}));
  EXPECT_FALSE(fits_unbroken(code, {8, {{1, 5}}, {}, false}));
  EXPECT_TRUE(fits_unbroken(code, {8, {{70, 5}}, {}, false})) << "costs of a text that is gone";
}

TEST(CodeRows, PlacesAreFoundInTheirRows) {
  const CodeText code = read_code_text("ab\n\tcc = ddddddd + eeeeee;\n");
  const std::vector<CodeRow> rows = code_rows(code, {18, {}, {}, false});
  ASSERT_EQ(rows.size(), 3u);
  const int e = static_cast<int>(code.text.find("eee"));
  EXPECT_EQ(row_of_offset(code, rows, 0), 0);
  EXPECT_EQ(row_of_offset(code, rows, e - 1), 1) << "the space before the break";
  EXPECT_EQ(row_of_offset(code, rows, e), 2);
  EXPECT_EQ(row_of_offset(code, rows, static_cast<int>(code.text.size())), 2);
  EXPECT_EQ(column_in_row(code, rows[1], 4), 4) << "a tab goes to column four";
  EXPECT_EQ(column_in_row(code, rows[2], e), 6);
  EXPECT_EQ(offset_in_row(code, rows[2], 6), e);
  EXPECT_EQ(offset_in_row(code, rows[2], 0), e);
  EXPECT_EQ(offset_in_row(code, rows[1], 99), e - 1) << "beyond a broken row: still that row";
  EXPECT_EQ(offset_in_row(code, rows[2], 99), e + 7);
  EXPECT_EQ(first_row_of(rows, 1), 1);
}

// Of a line with many accesses: so the code keeps its own.
TEST(Margin, ACostKeepsToItsRoom) {
  const MarginWriter writer{scene::light_palette(), english(),
                            [](const std::string& words) { return static_cast<float>(words.size()); }};
  MarginLine line;
  for (const std::uint64_t most : {12u, 34u, 56u})
    line.sites.push_back({memory::Space::Global, "≤ " + std::to_string(most), true, true, 4, most});
  for (const float room : {40.0f, 12.0f}) {
    const MarginLine fits = writer.fitting({line}, room).front();
    EXPECT_LE(writer.text(fits, fits.has_units).width, room);
    EXPECT_EQ(fits.summed, room < 20 ? 3 : 0);
  }
}

// "4" beside one line and "16" beside the next are wavefronts and sectors: so nothing but a word says.
TEST(Margin, FiguresOfTwoMemoriesHaveUnits) {
  const MarginWriter writer{scene::light_palette(), english(),
                            [](const std::string& words) { return static_cast<float>(words.size()); }};
  const MarginLine loads{1, {{memory::Space::Global, "16", true, false, 16, 16}}},
      stores{2, {{memory::Space::Shared, "4", true, false, 4, 4}}};
  EXPECT_FALSE(writer.fitting({loads}, 40).front().has_units) << "of one memory only";
  for (const MarginLine& line : writer.fitting({loads, stores}, 40)) EXPECT_TRUE(line.has_units);
}

// Rows cover the text without a gap, are as narrow as asked for, and every place leads there and back.
void check(const CodeText& code, const RowRequest& request) {
  const std::vector<CodeRow> rows = code_rows(code, request);
  ASSERT_FALSE(rows.empty());
  const int columns = std::max(request.columns, 8);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const CodeRow& row = rows[i];
    const CodeLine& line = code.lines[static_cast<std::size_t>(row.line)];
    if (row.part == 0) {
      ASSERT_EQ(row.begin, line.begin);
      ASSERT_TRUE(i == 0 || rows[i - 1].end == code.lines[static_cast<std::size_t>(row.line) - 1].end);
    } else {
      ASSERT_EQ(row.begin, rows[i - 1].end);
    }
    int end = row.end;
    while (end > row.begin && (code.text[static_cast<std::size_t>(end) - 1] == ' ' ||
                               code.text[static_cast<std::size_t>(end) - 1] == '\t'))
      --end;
    ASSERT_LE(column_in_row(code, row, end), columns + 1)
        << "row " << i;  // one: a wide character in a narrow row
    for (int o = row.begin; o < row.end; ++o) {
      if ((static_cast<unsigned char>(code.text[static_cast<std::size_t>(o)]) & 0xc0u) == 0x80u) continue;
      ASSERT_EQ(row_of_offset(code, rows, o), static_cast<int>(i));
      const int column = column_in_row(code, row, o);
      ASSERT_GE(column, 0);
      // What is not seen of an indentation is at its row's beginning.
      const bool unseen = row.indent < 0 && column == 0;
      if (unseen) continue;
      ASSERT_EQ(offset_in_row(code, row, column), o);
    }
  }
}

TEST(CodeRows, WhateverTheText) {
  std::mt19937 random{7};
  const std::vector<std::string> pieces{"in", "[",    "]",  " + ", "(",    ")",  "float4", "\t", " ",
                                        "  ", "//",   "变", "/*",  "*/",   "\n", ";",      ", ", "\"",
                                        "é",  "//。", "x",  "\r",  "\xe5", "->", "0x7f"};
  for (int i = 0; i < 400; ++i) {
    std::string text;
    for (unsigned n = random() % 120; n > 0; --n) text += pieces[random() % pieces.size()];
    const CodeText code = read_code_text(text);
    check(code, {static_cast<int>(random() % 40), {{0, static_cast<int>(random() % 20)}}, {}, i % 2 == 0});
  }
}

TEST(CodeRows, TheGalleryInANarrowPane) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(WARPLENS_SOURCE_DIR "/kernels")) {
    if (entry.path().extension() != ".cu") continue;
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    check(read_code_text(text.str()), {46, {}, {}, false});
    ++files;
  }
  EXPECT_GT(files, 20);
}

TEST(CodeRows, OneEndlessLineIsNoBurden) {
  const CodeText code =
      read_code_text("int x = " + std::string(300000, '(') + std::string(300000, 'y') + ";");
  EXPECT_GT(code_rows(code, {40, {}, {}, false}).size(), 10000u);
}

}  // namespace
}  // namespace warplens::app
