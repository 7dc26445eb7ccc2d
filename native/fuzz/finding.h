// SPDX-License-Identifier: MIT
//
// Reports a fault and ends the fuzz target, so that the fuzzer keeps the input.
#pragma once

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

namespace poselane {

[[noreturn]] __attribute__((format(printf, 1, 2))) inline void fail(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("finding: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    abort();
}

} // namespace poselane
