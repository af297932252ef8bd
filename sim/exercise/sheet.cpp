// Claims that stand in a sheet: warplens.claims/1, described in docs/exercises.md.
#include <limits>

#include "sim/exercise/claims.h"
#include "sim/exercise/read_op.h"

namespace warplens::exercise {

namespace {

using scenario::JsonValue;

constexpr std::size_t kMostEntries = 1000;

void read_entry(const JsonValue& entry, std::vector<Claim>* claims) {
  Claim about;
  about.array = entry.text("array");
  about.op = read_op(entry);
  about.nth = static_cast<int>(entry.optional_integer("nth", 0));
  const std::size_t before = claims->size();
  for (const Figure figure : kFigures) {
    const char* name = name_of(figure);
    if (!entry.has(name)) continue;
    Claim claim = about;
    claim.figure = figure;
    claim.value =
        figure == Figure::Coalesced ? (entry.optional_flag(name, false) ? 1 : 0) : entry.integer(name);
    claim.text = std::string(name) + " " + entry.json().at(name).dump();
    claims->push_back(std::move(claim));
  }
  if (claims->size() == before)
    entry.error(Message("claims nothing: coalesced, sectors, lines, ways or wavefronts is needed"));
}

}  // namespace

std::vector<Claim> claims_in(scenario::JsonDocument& sheet) {
  std::vector<Claim> claims;
  if (!sheet.ok() || !sheet.has_schema("claims")) return claims;
  const scenario::JsonList entries = sheet.root().list("claims");
  if (entries.size() > kMostEntries) {
    sheet.add_error("claims", Message("has {} entries; {} are possible", entries.size(), kMostEntries));
    return claims;
  }
  for (const JsonValue& entry : entries)
    if (entry.is_object()) read_entry(entry, &claims);
  return claims;
}

}  // namespace warplens::exercise
