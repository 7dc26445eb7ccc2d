// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "../../../native/kernels.h"

extern const std::vector<poselane::Kernels> kVariants;
