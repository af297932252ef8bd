// What a launch is told of what arrays of host code hold.
#include <algorithm>
#include <cstring>
#include <utility>

#include "app/source/host_run.h"
#include "sim/scalar/bits.h"

namespace warplens::app::host {
namespace {

using Numbers = std::vector<std::int64_t>;

constexpr int kDeepestLaid = 64;  // structs in one another

}  // namespace

// Of an array: nothing is in it yet, or zeros.
void HostRun::empty(int object, bool is_zero) {
  note(object);
  static_cast<Held&>(at(object)) = {};
  at(object).parts.clear();
  at(object).is_zero = is_zero;
}

std::optional<Written> HostRun::written_of(const Value& pointer, const Type* taken,
                                           std::optional<std::uint64_t> elements) {
  if (pointer.kind != Kind::Pointer) return {};
  Object& array = at(pointer.object);
  const bool is_one = array.kind == Object::Kind::Scalar && array.value.kind == Kind::Integer;
  if (array.is_shared || !array.is_known || !is_integer(array.type) || !(array.is_list() || is_one) ||
      !array.extents.empty())
    return {};
  const ScalarType element = *array.type->scalar;
  const std::shared_ptr<const Numbers> numbers =
      is_one ? std::make_shared<Numbers>(1, array.value.integer) : array.numbers;
  const std::int64_t all = is_one                              ? 1
                           : array.bytes.kind == Kind::Integer ? array.bytes.integer / sim::size_of(element)
                                                               : 0;
  if (all <= 0 || (!is_one && array.length() < all && (!array.is_zero || array.is_drawn()))) return {};
  Written out;
  out.elements = elements.value_or(static_cast<std::uint64_t>(all));
  const bool is_alike =
      taken == nullptr || (is_integer(taken) && sim::size_of(*taken->scalar) == sim::size_of(element));
  if (array.is_drawn() && is_alike) {
    out.fill = sim::Fill::Random;
    out.range = {std::to_string(array.least), std::to_string(array.most)};
    out.is_guessed = array.drawn_length == Held::kSome;
  }
  if (array.is_drawn() || !numbers) return out;
  std::int64_t least = *std::ranges::min_element(*numbers), most = *std::ranges::max_element(*numbers);
  if (std::cmp_less(numbers->size(), all))
    least = std::min<std::int64_t>(least, 0), most = std::max<std::int64_t>(most, 0);
  if (least == 0 && most == 0) return out;
  out.fill = sim::Fill::Iota;
  std::int64_t next = 0;
  const bool is_iota = std::ranges::all_of(*numbers, [&](std::int64_t number) { return number == next++; });
  if (is_iota && is_alike && next == all) return out;
  out.words = least == most ? std::to_string(least)
                            : std::to_string(all) + " values from " + std::to_string(least) + " to " +
                                  std::to_string(most);
  const auto size = static_cast<std::size_t>(sim::size_of(element));
  std::string bytes(numbers->size() * size, '\0');
  for (std::size_t i = 0; i < numbers->size(); ++i)
    std::memcpy(bytes.data() + i * size, &(*numbers)[i], size);  // the low bytes come first
  out.bytes = std::make_shared<const std::string>(std::move(bytes));
  return out;
}

bool HostRun::holds_pointers(const Type* type) {
  if (type == nullptr || type->pointee != nullptr) return type != nullptr;
  if (depth_ > kDeepestLaid) return false;
  const Within deeper(depth_, depth_ + 1);
  return std::ranges::any_of(layout_of(type).fields,
                             [&](const Field& field) { return holds_pointers(field.type); });
}

std::optional<HostRun::Image> HostRun::image_of(int object) {
  constexpr std::int64_t kMostBytes = std::int64_t{1} << 23;
  if (at(object).leads_to < 0 && !holds_pointers(at(object).type)) return {};
  const Value& bytes = at(object).bytes;
  const auto size = at(object).is_list()
                        ? bytes.kind == Kind::Integer ? std::optional(bytes.integer) : std::nullopt
                        : size_of(at(object).type);
  if (!size || *size <= 0 || *size > kMostBytes || steps_ > kAllSteps) return {};
  Image image;
  image.bytes.resize(static_cast<std::size_t>(*size));
  lay(object, 0, "", &image);
  if (image.addresses.empty()) return {};
  steps_ += *size / (8 * kNumbersOfAStep);
  std::ranges::sort(image.addresses, {}, &Image::Address::at);
  return image;
}

// One that is not known leads to memory of its own, so that there is something to look at.
void HostRun::lay_pointer(Value value, const Type* pointee, std::uint64_t begin, const std::string& path,
                          Image* image) {
  constexpr std::int64_t kGuessed = std::int64_t{1} << 20;  // elements
  if (value.kind == Kind::Null || begin % 8 != 0 || begin + 8 > image->bytes.size()) return;
  const bool is_known =
      value.kind == Kind::Pointer && value.has_offset && at(value.object).kind != Object::Kind::Opaque;
  const auto size = size_of(pointee);
  image->is_whole &= is_known;
  if (!is_known && pointee == nullptr)
    value.integer = 0;  // of all addresses the object's begin
  else if (!is_known && !size)
    return;
  else if (!is_known)
    value = pointer(make_allocation(pointee, integer(kGuessed * *size, ScalarType::U64), false), 0, nullptr);
  std::memcpy(image->bytes.data() + begin, &value.integer, 8);
  image->addresses.push_back({begin, value.object, path});
}

// What an object holds, from that byte on; floating numbers of arrays, which are not kept, are zeros.
void HostRun::lay(int object, std::uint64_t begin, const std::string& path, Image* image) {
  if (depth_ > kDeepestLaid || ++steps_ > kAllSteps) return;
  const Within deeper(depth_, depth_ + 1);
  pace_.step();
  const Object& of = at(object);
  const auto put = [&](const Value& value, ScalarType type, std::uint64_t at) {
    const auto size = static_cast<std::size_t>(sim::size_of(type));
    const std::uint64_t bits = sim::is_floating(type)
                                   ? sim::bits_of(type, value.real())
                                   : sim::bits_of_integer(type, static_cast<std::uint64_t>(value.integer));
    if (at + size <= image->bytes.size()) std::memcpy(image->bytes.data() + at, &bits, size);
  };
  if (of.kind == Object::Kind::Scalar) {
    const Type* pointee = of.type != nullptr ? of.type->pointee : nullptr;
    if (pointee != nullptr)
      return lay_pointer(of.is_shared ? Value{} : of.value, pointee, begin, path, image);
    if (is_number(of.type) && of.value.is_number()) put(of.value, *of.type->scalar, begin);
  } else if (of.kind == Object::Kind::Struct) {
    for (const Field& field : layout_of(of.type).fields)
      if (field.offset >= 0)
        lay(part(object, field.name), begin + static_cast<std::uint64_t>(field.offset),
            path + (path.empty() ? "->" : ".") + field.name, image);
  } else if (of.kind == Object::Kind::Array) {
    std::int64_t size = size_of(of.type).value_or(0);
    for (const std::int64_t extent : of.extents) size *= extent;
    const auto place = [&](std::int64_t i) { return begin + static_cast<std::uint64_t>(i * size); };
    const auto element = [&](const std::string& i) { return path + "[" + i + "]"; };
    for (std::size_t i = 0; of.is_known && of.is_plain() && of.numbers && i < of.numbers->size(); ++i) {
      const auto index = static_cast<std::int64_t>(i);
      put(read({object, index}), *of.type->scalar, place(index));
    }
    for (std::uint64_t i = 0; of.leads_to >= 0 && i < image->bytes.size() / 8; ++i)
      lay_pointer({.kind = Kind::Pointer, .has_offset = false, .object = of.leads_to}, nullptr, begin + 8 * i,
                  element(std::to_string(i)), image);
    if (is_number(of.type) || of.type == nullptr) return;
    if (!of.is_known) forget_parts(object);
    constexpr std::uint64_t kMostLaid = 1024;  // elements
    const std::uint64_t count = size > 0 ? image->bytes.size() / static_cast<std::uint64_t>(size) : 0;
    for (std::uint64_t i = 0; i < std::min(count, kMostLaid); ++i) (void)part(object, std::to_string(i));
    const std::map<std::string, int, std::less<>> parts = of.parts;
    const bool is_one = path.empty() && std::cmp_equal(image->bytes.size(), size) && find_struct(of.type);
    for (const auto& [name, one] : parts)
      lay(one, place(std::atoll(name.c_str())), is_one ? path : element(name), image);
  }
}

}  // namespace warplens::app::host
