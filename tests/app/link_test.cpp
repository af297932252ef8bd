// Links: what is on screen as one line, and back; and texts that are none.
#include "app/storage/link.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "app/actions/apply.h"
#include "app/state/catalog.h"
#include "app/state/user_kernel.h"
#include "app/storage/session_file.h"
#include "sim/scenario/permalink.h"
#include "tests/app/gallery.h"

namespace warplens::app::link_test {

using ::testing::HasSubstr;
using ::testing::Not;

std::string link_of(const State& state) {
  return write_link(state, Simulation{}, gallery());
}

std::shared_ptr<const Link> read(const std::string& text) {
  const auto link = read_link(text, gallery());
  EXPECT_TRUE(link) << text << "\n" << ::testing::PrintToString(link.errors);
  return link ? *link.value : nullptr;
}

std::string error_of(const std::string& text) {
  const auto link = read_link(text, gallery());
  EXPECT_FALSE(link) << text;
  return link.errors.empty() ? std::string() : link.errors.front().english();
}

// What the view of a link says, unpacked; empty: it says nothing.
std::string view_in(const std::string& link) {
  const std::size_t at = link.find("view=1.");
  if (at == std::string::npos) return {};
  return unpack_text(std::string_view(link).substr(at + 7), 1 << 20).value_or("not whole");
}

class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}
  int upto(int most) { return std::uniform_int_distribution<int>(0, most)(engine_); }
  bool coin() { return upto(1) == 1; }

 private:
  std::mt19937 engine_;
};

Settings some_settings(const scenario::Scenario& s, Dice* dice) {
  Settings settings = opening(gallery(), s.name).settings;
  for (const auto& p : s.parameters) {
    if (!p.choices.empty())
      settings.values[p.name] =
          p.choices[static_cast<std::size_t>(dice->upto(static_cast<int>(p.choices.size()) - 1))];
    else if (dice->coin())
      settings.values[p.name] =
          p.minimum + dice->upto(static_cast<int>(std::min<std::int64_t>(p.maximum - p.minimum, 1000)));
  }
  if (dice->upto(3) == 0) settings.text = std::make_shared<const std::string>(s.text + "// é \"'&=#! \n");
  return settings;
}

State some_state(const scenario::Scenario& s, Dice* dice) {
  State state = opening(gallery(), s.name);
  state.settings = some_settings(s, dice);
  state.position = {};
  state.position.block = {static_cast<unsigned>(dice->upto(5)), static_cast<unsigned>(dice->upto(5)), 0};
  state.position.warp = dice->upto(7);
  state.language = dice->coin() ? "en" : "zh-CN";
  state.theme = dice->coin() ? Theme::Light : Theme::Dark;
  state.present = dice->coin();
  state.optimised = dice->coin();
  state.grid_tab = static_cast<GridTab>(dice->upto(2));
  state.time_unit = static_cast<scene::TimeUnit>(dice->upto(2));
  if (dice->coin()) {
    state.shown = ViewId::Map;
    state.plot.map.scope = static_cast<MapScope>(dice->upto(1));
    state.plot.map.array = dice->coin() ? "in" : "";
    state.plot.map.moved = dice->coin();
    state.plot.map.position = {0.25, 0.75, 1.0 + dice->upto(5)};
  } else if (dice->coin()) {
    state.shown = static_cast<ViewId>(static_cast<int>(ViewId::Phases) + dice->upto(6));
    if (state.shown == ViewId::Phases) state.shown = ViewId::Memory;
    state.plot.measure = static_cast<LandscapeMeasure>(dice->upto(2));
    if (s.parameters.size() > 1) state.plot.x = s.parameters[0].name, state.plot.y = s.parameters[1].name;
  } else {
    const ViewId some[] = {ViewId::Phases, ViewId::Reuse, ViewId::Memory};
    state.shown = some[dice->upto(2)];
  }
  if (dice->upto(2) == 0) state.pinned = some_settings(s, dice);
  return state;
}

TEST(Link, HoldsWhatIsOnScreenOfEveryScenario) {
  Dice dice(2026);
  for (const scenario::Scenario& s : gallery().scenarios) {
    for (int round = 0; round < 40; ++round) {
      const State state = some_state(s, &dice);
      const std::string text = link_of(state);
      ASSERT_FALSE(text.empty()) << s.name;
      const auto link = read(text);
      ASSERT_NE(link, nullptr);
      EXPECT_EQ(to_json(link->view), to_json(viewpoint_of(state))) << text;
      EXPECT_EQ(link->language, state.language);
      EXPECT_EQ(link->theme, state.theme);
      EXPECT_EQ(link->present, state.present);
    }
  }
}

TEST(Link, IsShortAndReadableWhereTheScenarioIsAsItOpens) {
  scenario::Permalink place;
  place.block = sim::Dim3{0, 0, 0};
  place.warp = 0;
  EXPECT_EQ(link_of(opening(gallery(), "copy")),
            scenario::write_permalink(place, *gallery().find("copy")) + "&language=en&theme=dark");
}

TEST(Link, TakesOverAllOfIt) {
  Dice dice(7);
  const State there = some_state(*gallery().find("transpose_shared"), &dice);
  State here = opening(gallery(), "histogram_shared");
  here = apply(std::move(here), TakeLink{read(link_of(there))}, Simulation{}, gallery());
  EXPECT_EQ(to_json(viewpoint_of(here)), to_json(viewpoint_of(there)));
  EXPECT_EQ(here.language, there.language);
  EXPECT_EQ(here.theme, there.theme);
  EXPECT_EQ(link_of(here), link_of(there));
}

// Who opens the place of a lecturer who asks is asked, and sees no cost; and no longer, where the next place
// does not ask.
TEST(Link, AsksWhatIsAskedThere) {
  State there = opening(gallery(), "transpose_shared");
  there.classroom.predicting = Predicting{1, {}};
  there.classroom.predicting->guess.typed = "31", there.classroom.predicting->guess.locked = true;
  State here = opening(gallery(), "copy");
  here = apply(std::move(here), TakeLink{read(link_of(there))}, Simulation{}, gallery());
  ASSERT_TRUE(here.classroom.predicting);
  EXPECT_EQ(here.classroom.predicting->question, 1);
  EXPECT_TRUE(here.classroom.predicting->guess.empty()) << "no answer is in a link";
  there.classroom.predicting.reset();
  here = apply(std::move(here), TakeLink{read(link_of(there))}, Simulation{}, gallery());
  EXPECT_FALSE(here.classroom.predicting);
}

TEST(Link, NamesTheLessonAndItsStep) {
  for (const auto& lesson : gallery().lessons) {
    for (int step = 0; step <= static_cast<int>(lesson->steps.size()); ++step) {
      State state = opening(gallery(), "copy");
      for (const Action& action : Actions{OpenLesson{lesson->name}, GoToLessonStep{step}})
        state = apply(std::move(state), action, Simulation{}, gallery());
      const auto link = read(link_of(state));
      ASSERT_NE(link, nullptr);
      EXPECT_EQ(link->lesson, lesson->name);
      EXPECT_EQ(link->step, state.classroom.active->step);
    }
  }
}

TEST(Link, HoldsAnOwnKernelButNotItsFolder) {
  const std::string text =
      "__global__ void mine(float* out, const float* in, int n) {\n  int i = blockIdx.x * blockDim.x + "
      "threadIdx.x;\n"
      "  if (i < n) out[i] = in[n - 1 - i];  // 中文\n}\n";
  UserKernel own = opened_kernel("/home/ada/exam/mine.cu", text);
  const std::string field = form_fields(own).front();
  ASSERT_TRUE(set_field(&own.form, field, "64"));
  State state = opening(gallery(), "copy");
  state.settings = settings_of(with_form(own, own.form), std::make_shared<const std::string>(text));
  const std::string line = link_of(state);
  EXPECT_THAT(line, ::testing::StartsWith("warplens:kernel#"));
  EXPECT_THAT(view_in(line), Not(HasSubstr("ada"))) << "where a file lies is nobody else's";
  const auto link = read(line);
  ASSERT_NE(link, nullptr);
  ASSERT_NE(link->view.settings.own, nullptr);
  EXPECT_EQ(*link->view.settings.text, text);
  EXPECT_EQ(field_text(link->view.settings.own->form, field), "64");
  EXPECT_EQ(link->view.settings.own->file, "mine.cu");
  // A class that is asked how many wavefronts there are is not told by where the lecturer was.
  state.classroom.predicting = Predicting{};
  state.position.wavefront = 15;
  EXPECT_THAT(view_in(link_of(state)), Not(HasSubstr("15")));
  state.classroom.predicting->guess.typed = "2", state.classroom.predicting->guess.locked = true;
  EXPECT_THAT(view_in(link_of(state)), HasSubstr("15")) << "once it is answered, it is";
}

TEST(Link, ThatIsTooLongIsNotWritten) {
  std::string text = "__global__ void mine(float* out) { out[threadIdx.x] = 1; }\n// ";
  std::mt19937 noise(3);
  while (text.size() < 200'000) text += static_cast<char>('!' + noise() % 90);
  State state = opening(gallery(), "copy");
  state.settings = settings_of(opened_kernel("", text), std::make_shared<const std::string>(text));
  EXPECT_EQ(link_of(state), "");
}

TEST(Link, AnAddressSaysTheSame) {
  Dice dice(11);
  for (const scenario::Scenario& s : gallery().scenarios) {
    const std::string text = link_of(some_state(s, &dice)), behind = address_of(text);
    EXPECT_EQ(behind.find('#'), std::string::npos);
    const auto link = read(text), address = read("https://example.org/gpu/?x=1#" + behind),
               scheme = read("warplens:" + behind);
    ASSERT_TRUE(link && address && scheme);
    EXPECT_EQ(to_json(link->view), to_json(address->view));
    EXPECT_EQ(to_json(link->view), to_json(scheme->view));
  }
}

TEST(Link, WhatIsWrongIsToldByItsField) {
  EXPECT_THAT(error_of("warplens:no_such"), HasSubstr("no scenario \"no_such\""));
  EXPECT_THAT(error_of("warplens:copy#language=xx"), HasSubstr("language=xx"));
  EXPECT_THAT(error_of("warplens:copy#theme=pink"), HasSubstr("theme=pink"));
  EXPECT_THAT(error_of("warplens:copy#lesson=none"), HasSubstr("lesson=none"));
  EXPECT_THAT(error_of("warplens:copy#step=-1"), HasSubstr("step"));
  EXPECT_THAT(error_of("warplens:copy#view=2.AAAA"), HasSubstr("newer"));
  EXPECT_THAT(error_of("warplens:copy#view=1.%%"), HasSubstr("not whole"));
  EXPECT_THAT(error_of("warplens:kernel"), HasSubstr("view"));
  EXPECT_THAT(error_of("warplens:copy#view=1." + pack_text(R"({"scenario": "gone"})")), HasSubstr("gone"));
  EXPECT_THAT(error_of("warplens:transpose_shared#view=1." + pack_text(R"({"values": {"padd": 1}})")),
              HasSubstr("padd"));
  EXPECT_FALSE(is_link("https://example.org/"));
  EXPECT_FALSE(is_link("copy"));
}

TEST(Link, HostileOnesAreRefusedOrRead) {
  const std::string whole = link_of([] {
    Dice dice(5);
    return some_state(*gallery().find("transpose_shared"), &dice);
  }());
  for (std::size_t cut = 0; cut < whole.size(); ++cut) read_link(whole.substr(0, cut), gallery());
  std::mt19937 noise(9);
  for (int round = 0; round < 3000; ++round) {
    std::string text = whole;
    for (unsigned n = noise() % 4; n-- > 0;)
      text[9 + noise() % (text.size() - 9)] = static_cast<char>(noise() % 256);
    const auto link = read_link(text, gallery());
    EXPECT_TRUE(link || !link.errors.empty()) << text;
  }
  const std::string bomb = pack_text(std::string(std::size_t{64} << 20, ' '));
  EXPECT_FALSE(unpack_text(bomb, 1 << 20));
  EXPECT_THAT(error_of("warplens:copy#view=1." + bomb.substr(0, 60'000)), Not(HasSubstr("newer")));
  std::string deep = pack_text(std::string(400'000, '['));
  EXPECT_THAT(error_of("warplens:copy#view=1." + deep), HasSubstr("not whole"));
}

TEST(PackedText, IsWhatItWas) {
  std::mt19937 noise(1);
  for (const std::size_t size : {0u, 1u, 2u, 3u, 4u, 255u, 70'000u}) {
    std::string text;
    for (std::size_t i = 0; i < size; ++i) text += static_cast<char>(noise() % 256);
    const std::string packed = pack_text(text);
    EXPECT_EQ(packed.find_first_of("+/=&#!%"), std::string::npos);
    EXPECT_EQ(unpack_text(packed, size), text);
    if (size > 0) {
      EXPECT_FALSE(unpack_text(packed, size - 1)) << "longer than it may be";
      EXPECT_FALSE(unpack_text(packed.substr(0, packed.size() - 1), size)) << "cut";
    }
  }
}

// What was written once stays readable; tests/frozen opens those of older versions.
TEST(Link, OldOnesAreReadForEver) {
  const auto link = read("warplens:transpose_shared?pad=1#block=0,2&warp=3&access=4&wavefront=2");
  ASSERT_NE(link, nullptr);
  EXPECT_EQ(link->view.settings.values.at("pad"), 1);
  EXPECT_EQ(link->view.position.block.y, 2u);
  EXPECT_EQ(link->view.position.warp, 3);
  EXPECT_EQ(link->view.position.access.number, 3);
  EXPECT_EQ(link->view.position.wavefront, 1);
  EXPECT_EQ(link->language, "");
}

}  // namespace warplens::app::link_test
