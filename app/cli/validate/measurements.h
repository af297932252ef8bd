// Measurements: what reads well may still say what cannot be.
#pragma once

#include <string>
#include <vector>

#include "sim/scenario/json_document.h"

namespace warplens::cli {

// Errors go into the document, which is a measurement or a pack and has been read as one.
void validate_measurement(const scenario::JsonValue& measurement);
void validate_pack(const scenario::JsonValue& pack);

}  // namespace warplens::cli
