// Why a launch takes as long as it does, in sentences. Least times are told as such, never as a prediction.
#pragma once

#include <string>
#include <vector>

#include "app/language/strings.h"
#include "sim/report/why.h"

namespace warplens::app {

// The first says what holds the launch back; the others what became of conflicts, of sectors asked for in
// vain, and of atomics. Never empty.
std::vector<std::string> why_sentences(const report::Why& why, const language::Strings& strings);

// Whether no resource is busy for long enough to be what the launch waits for.
bool is_latency(const report::Why& why);

// "the bound: DRAM", "latency"; empty: it is not known.
std::string why_answer(const report::Why& why, const language::Strings& strings);

// "DRAM", "shared memory"
std::string resource_words(report::Resource resource, const language::Strings& strings);

}  // namespace warplens::app
