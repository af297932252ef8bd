// A living figure for a page of one's own: the HTML that is copied, and the sheet that it is copied from.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/storage/link.h"
#include "tests/app/gallery.h"

namespace warplens::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

Figure figure(const std::string& site) {
  return {site, "warplens:transpose_shared?nrows=64&pad=1#block=0,0&warp=3&access=2", "A tile"};
}

TEST(Figure, IsAnIframeOfTheLinkInTheSite) {
  EXPECT_EQ(
      figure_html(figure("https://example.org/gpu/")),
      "<iframe src=\"https://example.org/gpu/?embed#transpose_shared?nrows=64&amp;pad=1!block=0,0&amp;warp="
      "3&amp;access=2\" width=\"800\" height=\"450\" allow=\"fullscreen\" title=\"A tile\"></iframe>");
}

TEST(Figure, TakesASiteAsAPersonTypesOrCopiesIt) {
  for (const char* site : {"https://example.org/gpu", " https://example.org/gpu/\t",
                           "https://example.org/gpu/?embed", "https://example.org/gpu/#copy!warp=3"})
    EXPECT_THAT(figure_html(figure(site)), HasSubstr("\"https://example.org/gpu/?embed#transpose")) << site;
  EXPECT_THAT(figure_html(figure("https://example.org/gpu/index.html")), HasSubstr("gpu/index.html?embed#"));
  EXPECT_THAT(figure_html(figure("")), StartsWith("<iframe src=\"./?embed#")) << "beside the page";
  EXPECT_THAT(figure_html(figure(" ")), StartsWith("<iframe src=\"./?embed#"));
}

TEST(Figure, OffersWhatItsAuthorChose) {
  Figure of = figure("");
  of.controls = {"pad", "nrows"};
  EXPECT_THAT(figure_html(of), HasSubstr("?embed&amp;controls=pad,nrows#"));
}

TEST(Figure, ATitleOrASiteEndsNoAttribute) {
  Figure of = figure("https://example.org/\"><script>");
  of.title = "1 < 2 & \"quoted\" > 0";
  const std::string html = figure_html(of);
  EXPECT_THAT(html, HasSubstr("title=\"1 &lt; 2 &amp; &quot;quoted&quot; &gt; 0\""));
  EXPECT_THAT(html, testing::Not(HasSubstr("<script>")));
}

// The sheet of exports with the figure chosen, which is its last row.
struct Sheet : Unsimulated {
  Sheet() : Unsimulated("transpose_shared") { act(ShowShare{true}).key(Key::End); }
};

TEST(FigureSheet, EnterCopiesIt) {
  Sheet sheet;
  sheet.key(Key::Enter);
  ASSERT_EQ(sheet.state.requests.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<CopyFigure>(sheet.state.requests.back())) << "a file would be written";
}

}  // namespace
}  // namespace warplens::app
