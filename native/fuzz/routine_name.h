// SPDX-License-Identifier: MIT
//
// Which routine an input is for. While fuzzing its first byte says it, counted in a list that grows: a new routine
// gives the inputs of before to other ones. So what is kept is run by name: POSELANE_FUZZ_ROUTINE in the environment
// names the routine of all inputs, whatever the byte, which is taken all the same. Where it is ? each input's routine
// is printed.
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace poselane {

/// The number of the name, or -1. Ends the program if the name is unknown.
inline int numberOfName(const char* name, const char* const* names, int count) {
    if (name == nullptr || strcmp(name, "?") == 0) {
        return -1;
    }
    for (int i = 0; i < count; i++) {
        if (strcmp(name, names[i]) == 0) {
            return i;
        }
    }
    fprintf(stderr, "POSELANE_FUZZ_ROUTINE: there is no routine %s here, only", name);
    for (int i = 0; i < count; i++) {
        fprintf(stderr, " %s", names[i]);
    }
    fputc('\n', stderr);
    // Not exit: to the fuzzer that would be a finding.
    _Exit(2);
}

/// @param drawn The number that the input's first byte says.
/// @param names Names of all routines. Every call must pass the same list.
inline int chosenRoutine(int drawn, const char* const* names, int count) {
    static const char* const name = getenv("POSELANE_FUZZ_ROUTINE");
    static const int named = numberOfName(name, names, count);
    if (named >= 0) {
        return named;
    }
    if (name != nullptr) {
        fprintf(stderr, "routine %s\n", names[drawn]);
    }
    return drawn;
}

} // namespace poselane
