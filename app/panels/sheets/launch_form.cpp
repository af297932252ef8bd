// The launch of a user's own kernel, as a form made from its signature.
#include <algorithm>

#include "app/panels/widgets/text_input.h"
#include "app/state/user_kernel.h"
#include "sim/base/numbers.h"

namespace warplens::panels {
namespace {

using app::LaunchForm;
using app::UserKernel;

// Lays rows out from above, one after another.
class FormPage {
 public:
  FormPage(const View& view, const UserKernel& own, const Rect& area)
      : view_(view), own_(own), area_(area), y_(area.y), row_(view.px(26)), gap_(view.px(6)) {}

  void draw() {
    choices();
    if (!own_.form.templates.empty()) values("form.template", own_.form.templates, "template.");
    extents("form.grid", "grid.");
    extents("form.block", "block.");
    shared();
    if (!own_.form.scalars.empty()) values("form.scalars", own_.form.scalars, "scalar.");
    if (!own_.form.buffers.empty()) buffers();
  }
  float height() const { return y_ - area_.y; }

 private:
  void caption(const char* key) {
    draw_text(view_, {area_.x, y_ + 0.5f * row_}, view_.strings(key),
              {13, view_.palette.secondary, Align::Left, Face::Words, label_width() - view_.px(8)});
  }
  float label_width() const { return view_.px(84); }
  void code(float x, const std::string& words, const Color& color, float room = 0) {
    draw_text(view_, {x, y_ + 0.5f * row_}, words, {13, color, Align::Left, Face::Code, room});
  }

  // A field with what is wrong with it, or the number that it comes to.
  void input(const std::string& field, const Rect& rect, const std::string& text,
             const std::string& placeholder, const std::string& note) {
    InputLook look;
    look.placeholder = placeholder;
    const auto wrong = own_.values.errors.find(field);
    look.wrong = wrong != own_.values.errors.end();
    const std::string why = look.wrong ? view_.strings(wrong->second) : std::string();
    if (look.wrong) wrong_.push_back(why);
    const auto number = own_.values.numbers.find(field);
    if (!look.wrong && number != own_.values.numbers.end() && std::to_string(number->second) != text &&
        !text.empty())
      look.suffix = "= " + grouped(number->second);
    draw_input(view_, field, rect, text, look);
    if (ImGui::IsItemHovered()) tooltip(view_, note + (look.wrong ? "\n" + why : ""));
    if (has_keyboard(view_, field)) {
      const float top = rect.y - area_.y, shown = ImGui::GetScrollY(), window = ImGui::GetWindowHeight();
      const ImGuiID id = ImGui::GetID("kept");
      if (ImGui::GetStateStorage()->GetInt(id) != static_cast<int>(ImGui::GetID(field.c_str()))) {
        ImGui::GetStateStorage()->SetInt(id, static_cast<int>(ImGui::GetID(field.c_str())));
        if (top < shown) ImGui::SetScrollY(top);
        if (top + rect.height > shown + window) ImGui::SetScrollY(top + rect.height + gap_ - window);
      }
    }
  }

  // What was wrong in the row just drawn, below it.
  void end_row() {
    y_ += row_ + gap_;
    for (const std::string& words : std::exchange(wrong_, {})) remark(words, view_.palette.costly);
  }

  // About the row just drawn, below it.
  void remark(const std::string& words, const Color& color) {
    const Type type{13, color};
    const float x = area_.x + label_width(), step = view_.px(17);
    y_ += view_.px(2) + draw_lines(view_, {x, y_ + view_.px(5) - 0.5f * step},
                                   wrapped(view_, words, area_.width - label_width(), type), step, type);
  }

  void menu_button(const char* id, app::Menu::Of of, const Rect& rect, const std::string& label) {
    const Hit hit = hit_area(id, rect);
    const scene::Palette& p = view_.palette;
    draw_box(rect, hit.hovered ? scene::mix(p.cell, p.text, 0.08f) : p.cell, p.line, view_.px(4));
    draw_text(view_, {rect.x + view_.px(8), middle(rect)}, label,
              {13, p.text, Align::Left, Face::Code, rect.width - view_.px(28)});
    draw_icon(view_, Icon::Down, {right(rect) - view_.px(12), middle(rect)}, view_.px(8), p.secondary);
    if (hit.clicked) view_.act(app::ShowMenu{of});
    draw_menu(view_, of, rect, {of == app::Menu::Of::Launches ? 960.0f : 340.0f, 28, 13, Face::Code});
  }

  // Which kernel of the file, and the launches that its host code makes.
  void choices() {
    const auto choice = [&](const char* key, const char* id, app::Menu::Of of, const std::string& label) {
      caption(key);
      menu_button(id, of, {area_.x + label_width(), y_, area_.width - label_width(), row_}, label);
      end_row();
    };
    const auto& launches = own_.facts.launches;
    if (own_.facts.kernels.size() > 1)
      choice("form.kernel", "kernel", app::Menu::Of::Kernels, own_.form.kernel);
    if (launches.empty()) return;
    choice("form.launches", "launch", app::Menu::Of::Launches,
           own_.launch && *own_.launch < launches.size()
               ? launches[*own_.launch].words()
               : view_.strings("form.launches.choose", {{"n", std::to_string(launches.size())}}));
  }

  void extents(const char* key, const std::string& group) {
    caption(key);
    const auto& texts = group == "grid." ? own_.form.grid : own_.form.block;
    const float left = area_.x + label_width(), letter = view_.px(14);
    const float room = area_.width - label_width() - 2 * gap_;
    // x is what is written as an expression most; y and z are mostly short.
    const auto length = [&](std::size_t i) {
      return std::clamp(static_cast<float>(texts[i].size()), 4.0f, 20.0f);
    };
    const float all = length(0) + length(1) + length(2);
    const float least = letter + view_.px(34);  // one digit between the margins
    float x = left;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::string axis(1, "xyz"[i]);
      const float width = least + (room - 3 * least) * length(i) / all;
      code(x, axis, view_.palette.faint);
      input(group + axis, {x + letter, y_, width - letter, row_}, texts[i], "1",
            view_.strings("form.extent.tip"));
      x += width + gap_;
    }
    end_row();
  }

  void shared() {
    caption("form.shared");
    const auto number = own_.values.numbers.find("shared");
    const float width = 0.5f * (area_.width - label_width());
    input("shared", {area_.x + label_width(), y_, width, row_}, own_.form.shared, "0",
          view_.strings("form.shared.tip"));
    const std::uint64_t bytes = number == own_.values.numbers.end() || number->second < 0
                                    ? 0
                                    : static_cast<std::uint64_t>(number->second);
    code(area_.x + label_width() + width + view_.px(10), bytes_text(bytes), view_.palette.faint);
    end_row();
  }

  float widest_name(const auto& named) const {
    float widest = view_.px(24);
    for (const auto& one : named)
      widest = std::max(widest, text_width(view_, one.name, {13, {}, Align::Left, Face::Code}) + view_.px(8));
    return widest;
  }

  // Two a row: name, input; the type in the tooltip and, where there is room, in the input.
  void values(const char* key, const std::vector<LaunchForm::Value>& list, const std::string& group) {
    caption(key);
    const float left = area_.x + label_width(), room = area_.width - label_width();
    float widest = widest_name(list);
    const bool two = room - gap_ >= 2 * (std::min(widest, 0.25f * room) + view_.px(64)) && list.size() > 1;
    const float cell = two ? 0.5f * (room - gap_) : room;
    widest = std::min(widest, 0.5f * cell);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const auto& value = list[i];
      const float x = left + (two && i % 2 == 1 ? cell + gap_ : 0);
      code(x, value.name, view_.palette.text, widest - view_.px(6));
      input(group + value.name, {x + widest, y_, cell - widest, row_}, value.text, value.type,
            value.type + " " + value.name);
      if (!two || i % 2 == 1 || i + 1 == list.size()) end_row();
    }
  }

  std::string size_of(const LaunchForm::Buffer& buffer) const {
    const auto number = own_.values.numbers.find("elements." + buffer.name);
    if (number == own_.values.numbers.end() || !view_.sim.compiled || number->second < 0) return {};
    for (const auto& parameter : view_.sim.program().parameters) {
      if (parameter.name == buffer.name)
        return bytes_text(static_cast<std::uint64_t>(number->second) *
                          static_cast<std::uint64_t>(parameter.element_bytes));
    }
    return {};
  }

  bool is_typed(const std::string& field) const { return view_.state.field.id == field; }

  // Name + offset, length, fill: the argument points to the buffer's element at the offset.
  void buffers() {
    caption("form.buffers");
    const float left = area_.x + label_width(), room = area_.width - label_width();
    const float fill_width = view_.px(78), offset_width = view_.px(34), plus = view_.px(13);
    const bool has_room =
        room > view_.px(260);  // else it is there for those who go to it: Tab, or one that is set
    const float widest = std::min(widest_name(own_.form.buffers), 0.3f * room);
    for (const auto& buffer : own_.form.buffers) {
      code(left, buffer.name, view_.palette.text, widest - view_.px(6));
      float x = left + widest;
      if (const std::string field = "offset." + buffer.name;
          has_room || !buffer.offset.empty() || is_typed(field)) {
        code(x, "+", view_.palette.faint);
        input(field, {x + plus, y_, offset_width, row_}, buffer.offset, "0",
              view_.strings("form.offset.tip"));
        x += plus + offset_width + gap_;
      }
      const std::string field = "elements." + buffer.name;
      const Rect rect{x, y_, left + room - x - fill_width - gap_, row_};
      std::string note = buffer.type + " " + buffer.name + "\n" + view_.strings("form.buffer.tip");
      if (const std::string size = size_of(buffer); !size.empty()) note += "\n" + size;
      if (app::has_guessed_length(own_, buffer.name)) note += "\n" + view_.strings("form.buffer.guessed.tip");
      input(field, rect, buffer.elements, view_.strings("form.endless"), note);
      const Rect button{right(rect) + gap_, y_, fill_width, row_};
      // Behind the last fill, and before the first, is what the program writes, where that is known.
      const bool is_written = app::holds_written(buffer, own_.values);
      const auto after = is_written ? 0 : static_cast<std::size_t>(buffer.fill) + 1;
      const bool is_last = after == sim::kFillNames.size();
      const char* next =
          is_last ? (buffer.written ? app::kWritten : sim::kFillNames[0]) : sim::kFillNames[after];
      const char* now = is_written ? app::kWritten : sim::name_of(buffer.fill);
      answer(view_,
             pill(view_, ("fill." + buffer.name).c_str(), button,
                  view_.strings(std::string("form.fill.") + now), false),
             is_written ? view_.strings("form.fill.program.tip", {{"what", buffer.written->words}})
                        : view_.strings("form.fill.tip"),
             app::SetFormField{"fill." + buffer.name, next, {}});
      end_row();
      if (app::has_length_of_what_is_read(own_, buffer.name))
        remark(view_.strings("form.buffer.guessed"), view_.palette.secondary);
    }
  }

  const View& view_;
  const UserKernel& own_;
  Rect area_;
  float y_, row_, gap_;
  std::vector<std::string> wrong_;
};

// "8,192 blocks of 256 threads", or how many fields are wrong.
Heading form_heading(const View& view, const UserKernel& own) {
  Heading heading;
  heading.title = view.strings("form.title", {{"kernel", own.form.kernel}});
  if (!own.values.errors.empty()) {
    heading.answer = view.strings("form.wrong", {{"n", std::to_string(own.values.errors.size())}});
    heading.answer_color = view.palette.costly;
    return heading;
  }
  const auto product = [&](const std::string& group) {
    std::int64_t all = 1;
    for (const char* axis : {"x", "y", "z"}) all *= own.values.numbers.at(group + axis);
    return grouped(all);
  };
  const std::string blocks = product("grid.");
  heading.answer = view.strings(blocks == "1" ? "form.summary.one" : "form.summary",
                                {{"blocks", blocks}, {"threads", product("block.")}});
  return heading;
}

}  // namespace

void draw_launch_form(const View& view, const Rect& rect) {
  if (!view.state.settings.own) return;
  const UserKernel& own = *view.state.settings.own;
  Heading heading = form_heading(view, own);
  const bool typing =
      !view.state.field.id.empty() && !view.state.dialog && view.state.field.id != app::kIndexInput;
  const float cross = view.px(26);
  heading.active = typing;
  heading.reserve = cross + view.px(8);
  const Rect inner = draw_panel(view, rect, heading);
  const Rect button{right(rect) - view.px(12) - cross, rect.y + view.px(7), cross, cross};
  answer(view, icon_button(view, "close", button, Icon::Cross, false), view.strings("form.close.tip"),
         app::ShowForm{false});

  Scrolled scrolled("fields", {inner.x, inner.y, inner.width + view.px(10), inner.height});
  const ImVec2 at = scrolled.origin;
  FormPage page(view, own, {at.x, at.y, inner.width - view.px(2), inner.height});
  page.draw();
  scrolled.reach(at.y + page.height() + 1);
}

}  // namespace warplens::panels
