// A launch of the host code, as far as its text says what it is: see KnownLaunch.
#pragma once

#include <string>

#include "app/source/host/values.h"
#include "app/source/kernel_facts.h"
#include "sim/cuda/parse/syntax.h"

namespace warplens::app {

// `file`: words_of_file() of the text. `constants`: of the headers, by name. Without its label.
KnownLaunch known_launch(const cuda::HostLaunch& launch, const KernelFacts& kernel, const std::string& text,
                         const FileWords& file, const Names& constants, Budget& budget);

}  // namespace warplens::app
