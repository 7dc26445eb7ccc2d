// SPDX-License-Identifier: MIT
//
// Which implementations a fuzz target runs, said once in each process: what nothing was found in depends on the CPU.
#pragma once

#include <stdio.h>

namespace poselane {

template <typename Table> void sayImplementations(const Table* const* tables, int count) {
    fputs("implementations:", stderr);
    for (int i = 0; i < count; i++) {
        fprintf(stderr, " %s", tables[i]->name);
    }
    fputc('\n', stderr);
}

} // namespace poselane
