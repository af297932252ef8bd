#include "app/storage/link.h"

#include <zlib.h>

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/actions/apply.h"
#include "app/language/strings.h"
#include "app/readout/permalink.h"
#include "app/state/catalog.h"
#include "app/storage/session_file.h"
#include "sim/scenario/permalink.h"
#include "sim/scenario/target.h"
#include "sim/text/scan.h"
#include "sim/text/shown.h"

namespace warplens::app {
namespace {

using nlohmann::json;

constexpr std::string_view kScheme = "warplens:", kVersion = "1.";
constexpr std::size_t kMostView = std::size_t{2} << 20;  // bytes, unpacked

// What a link holds of settings: never where a file lies.
void strip_paths(json* view) {
  for (json* settings : {view, view->contains("a") ? &(*view)["a"] : nullptr}) {
    if (settings == nullptr || !settings->contains("own")) continue;
    json& file = (*settings)["own"]["file"];
    file = std::filesystem::path(file.get<std::string>()).filename().string();
  }
}

// The members of `view` that `base` has otherwise, or not at all; those that only `base` has, as null.
json difference(const json& base, const json& view) {
  json out = json::object();
  for (const auto& [name, value] : view.items()) {
    const auto known = base.find(name);
    if (known == base.end())
      out[name] = value;
    else if (*known != value)
      out[name] = known->is_object() && value.is_object() ? difference(*known, value) : value;
  }
  for (const auto& [name, unused] : base.items())
    if (!view.contains(name)) out[name] = nullptr;
  return out;
}

std::string view_of(const State& state, const Catalog& catalog) {
  json view = to_json(viewpoint_of(state));
  strip_paths(&view);
  // How many wavefronts there are is what may be asked now.
  if (hidden_by(state.classroom).costs) view["position"]["wavefront"] = 0;
  json base = json::object();
  if (!state.settings.own) {
    // As the scenario opens with these parameters, at this place.
    State opened = opening(catalog, state.settings.scenario);
    opened.settings = state.settings;
    opened.settings.text = nullptr;
    opened.position = state.position;
    base = to_json(viewpoint_of(opened));
    view["position"] = base["position"];  // it is told in words
  }
  const json differs = difference(base, view);
  if (differs.empty()) return {};
  return std::string(kVersion) + pack_text(differs.dump(-1, ' ', false, json::error_handler_t::replace));
}

void add_look(const State& state, const Catalog& catalog, std::map<std::string, std::string>* look) {
  (*look)["language"] = state.language;
  (*look)["theme"] = state.theme == Theme::Light ? "light" : "dark";
  if (state.present) (*look)["present"] = "1";
  if (const auto& active = state.classroom.active) {
    (*look)["lesson"] = active->lesson->name;
    (*look)["step"] = std::to_string(active->step + 1);
  }
  if (const std::string view = view_of(state, catalog); !view.empty()) (*look)["view"] = view;
}

std::string fields_of(const std::map<std::string, std::string>& look) {
  std::string out;
  for (const char* name : scenario::kLook) {
    const auto found = look.find(name);
    if (found != look.end()) out += (out.empty() ? "" : "&") + found->first + "=" + found->second;
  }
  return out;
}

// The view's fields, put over how its scenario opens; errors name the field.
scenario::Outcome<Viewpoint> read_view(const std::string& packed, json base, const Catalog& catalog,
                                       const Means& means) {
  if (!packed.starts_with(kVersion))
    return {std::nullopt,
            {Message("view: written by a newer Warplens, or not whole; ask for the link again")}};
  const auto text = unpack_text(std::string_view(packed).substr(kVersion.size()), kMostView);
  const json patch = text ? json::parse(*text, nullptr, false) : json(json::value_t::discarded);
  if (!patch.is_object()) return {std::nullopt, {Message("view: not whole; copy all of the link")}};
  base.merge_patch(patch);
  strip_paths(&base);
  auto document = scenario::JsonDocument::parse(base.dump(), "view");
  if (!document.ok()) return {std::nullopt, document.errors()};
  auto view = read_viewpoint(document.root(), catalog, means);
  if (!view || !document.ok()) return {std::nullopt, document.errors()};
  return {std::move(view), {}};
}

void read_look(const std::map<std::string, std::string>& look, const Catalog& catalog, Link* out,
               std::vector<Message>* errors) {
  for (const auto& field : look) {
    const std::string &name = field.first, &value = field.second;
    if (name == "language") {
      const auto known = language::languages();
      if (std::find(known.begin(), known.end(), value) == known.end())
        errors->push_back(Message("language={}: there is no such language", value));
      out->language = value;
    } else if (name == "theme") {
      if (value != "dark" && value != "light")
        errors->push_back(Message("theme={}: dark or light is needed", value));
      out->theme = value == "light" ? Theme::Light : Theme::Dark;
    } else if (name == "present") {
      out->present = value == "1";
    } else if (name == "lesson") {
      out->lesson = value;
      if (std::ranges::none_of(catalog.lessons, [&](const auto& lesson) { return lesson->name == value; }))
        errors->push_back(Message("lesson={}: there is no such lesson", value));
    } else if (name == "step") {
      const auto step = scenario::parse_whole(value, "step", 1, 1000);
      if (!step) errors->insert(errors->end(), step.errors.begin(), step.errors.end());
      out->step = static_cast<int>(step.value.value_or(1)) - 1;
    }
  }
}

// Its look, and the view it names over `base`.
scenario::Outcome<std::shared_ptr<const Link>> finish(const std::map<std::string, std::string>& look,
                                                      json base, const Catalog& catalog, const Means& means,
                                                      std::string lost = {}) {
  Link link;
  std::vector<Message> errors;
  read_look(look, catalog, &link, &errors);
  const auto packed = look.find("view");
  auto view = packed == look.end() ? read_view(std::string(kVersion) + pack_text("{}"), base, catalog, means)
                                   : read_view(packed->second, base, catalog, means);
  errors.insert(errors.end(), view.errors.begin(), view.errors.end());
  if (!errors.empty() || !view) return {std::nullopt, std::move(errors)};
  link.view = std::move(*view.value);
  if (!lost.empty()) link.view.lost = lost + (link.view.lost.empty() ? "" : ", ") + link.view.lost;
  return {std::make_shared<const Link>(std::move(link)), {}};
}

constexpr std::string_view kBase64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

std::string to_base64(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() * 4 + 2) / 3);
  std::uint32_t held = 0;
  int bits = 0;
  for (const char byte : bytes) {
    held = held << 8 | static_cast<unsigned char>(byte);
    for (bits += 8; bits >= 6;) out += kBase64[held >> (bits -= 6) & 63];
  }
  if (bits > 0) out += kBase64[held << (6 - bits) & 63];
  return out;
}

std::optional<std::string> from_base64(std::string_view text) {
  std::string out;
  out.reserve(text.size() * 3 / 4);
  std::uint32_t held = 0;
  int bits = 0;
  for (const char c : text) {
    const std::size_t digit = kBase64.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    held = held << 6 | static_cast<std::uint32_t>(digit);
    bits += 6;
    if (bits >= 8) out += static_cast<char>(held >> (bits -= 8) & 255);
  }
  return out;
}

// Of what was typed or copied from an address bar: the site alone.
std::string site_of(std::string_view typed) {
  const std::string site(text::trimmed(typed.substr(0, typed.find_first_of("?#"))));
  if (site.empty()) return "./";
  const bool page = site.ends_with(".html") || site.ends_with("/");
  return page ? site : site + "/";
}

}  // namespace

std::string pack_text(std::string_view text) {
  uLongf size = compressBound(static_cast<uLong>(text.size()));
  std::string bytes(size, '\0');
  compress2(reinterpret_cast<Bytef*>(bytes.data()), &size, reinterpret_cast<const Bytef*>(text.data()),
            static_cast<uLong>(text.size()),
            Z_BEST_COMPRESSION);  // fails only without memory: then it is empty
  bytes.resize(size);
  return to_base64(bytes);
}

std::optional<std::string> unpack_text(std::string_view packed, std::size_t most) {
  const auto bytes = from_base64(packed);
  if (!bytes) return std::nullopt;
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) return std::nullopt;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes->data()));
  stream.avail_in = static_cast<uInt>(bytes->size());
  std::string out;
  std::array<char, 16384> part{};
  int state = Z_OK;
  while (state == Z_OK && out.size() <= most) {
    stream.next_out = reinterpret_cast<Bytef*>(part.data());
    stream.avail_out = static_cast<uInt>(part.size());
    state = inflate(&stream, Z_NO_FLUSH);
    out.append(part.data(), part.size() - stream.avail_out);
  }
  const bool whole = state == Z_STREAM_END && stream.avail_in == 0;
  inflateEnd(&stream);
  if (!whole || out.size() > most) return std::nullopt;
  return out;
}

std::string write_link(const State& state, const Simulation& simulation, const Catalog& catalog) {
  std::map<std::string, std::string> look;
  add_look(state, catalog, &look);
  const std::string fields = fields_of(look);
  const std::string place = write_permalink(state, simulation, catalog);
  std::string link = state.settings.own ? std::string(kScheme) + std::string(kOwnKernel) + "#" + fields
                     : place.empty()    ? place
                                        : place + (place.find('#') == std::string::npos ? "#" : "&") + fields;
  return link.size() > kLongestLink ? std::string() : link;
}

std::string address_of(const std::string& link) {
  if (!link.starts_with(kScheme)) return {};
  std::string out = link.substr(kScheme.size());
  if (const std::size_t hash = out.find('#'); hash != std::string::npos) out[hash] = '!';
  return out;
}

bool is_link(std::string_view text) {
  return scenario::is_permalink(text);
}

scenario::Outcome<std::shared_ptr<const Link>> read_link(const std::string& text, const Catalog& catalog,
                                                         const Means& means) {
  if (scenario::is_permalink(text) && scenario::scenario_of_permalink(text) == kOwnKernel &&
      catalog.find(std::string(kOwnKernel)) == nullptr) {
    const scenario::Scenario none;
    const auto read = scenario::read_permalink(text, none);
    if (!read) return {std::nullopt, read.errors};
    if (!read.value->look.contains("view"))
      return {std::nullopt, {Message("view: is missing; copy all of the link")}};
    return finish(read.value->look, json::object(), catalog, means);
  }
  if (!scenario::is_permalink(text))
    return {std::nullopt, {Message("a line such as warplens:transpose_shared?pad=1 is needed")}};
  const std::string name = scenario::scenario_of_permalink(text);
  const scenario::Scenario* s = catalog.find(name);
  if (s == nullptr) {
    std::vector<std::string> names;
    for (const scenario::Scenario& known : catalog.scenarios) names.push_back(known.name);
    return {std::nullopt,
            {Message("there is no scenario \"{}\"{}", name, scenario::did_you_mean(name, names))}};
  }
  const auto read = scenario::read_permalink(text, *s);
  if (!read) return {std::nullopt, read.errors};
  const scenario::Permalink& place = *read.value;
  State opened = opening(catalog, name);
  for (const auto& [parameter, value] : place.values) opened.settings.values[parameter] = value;
  Position& position = opened.position;
  if (place.block) position.block = *place.block;
  position.warp = place.warp.value_or(0);
  if (place.access) position.access = AccessId::numbered(*place.access - 1);
  position.wavefront = place.wavefront.value_or(1) - 1;
  std::string lost;
  for (const Message& gone : place.gone) lost += (lost.empty() ? "" : ", ") + gone.english();
  return finish(place.look, to_json(viewpoint_of(opened)), catalog, means, lost);
}

std::string figure_html(const Figure& figure) {
  std::string address = site_of(figure.site) + "?embed";
  for (std::size_t i = 0; i < figure.controls.size(); ++i)
    address += (i > 0 ? "," : "&controls=") + figure.controls[i];
  address += "#" + address_of(figure.link);
  return "<iframe src=\"" + text::xml(address) + "\" width=\"" + std::to_string(figure.width) +
         "\" height=\"" + std::to_string(figure.height) + "\" allow=\"fullscreen\" title=\"" +
         text::xml(figure.title) + "\"></iframe>";
}

Actions actions_of(const std::shared_ptr<const Link>& link, const State& state, bool pasted) {
  Actions actions;
  if (!link->lesson.empty())
    actions = {OpenLesson{link->lesson}, GoToLessonStep{link->step}};
  else if (state.classroom.active)
    actions = {LeaveLesson{}};
  actions.emplace_back(TakeLink{link, pasted});
  return actions;
}

}  // namespace warplens::app
