// SPDX-License-Identifier: MIT
//
// The little of the C++ runtime that node-addon-api refers to, so that the addon needs no libstdc++: one binary then
// serves every Linux, glibc or musl, whatever its compiler. None of it runs on a hot path.
#include <stdlib.h>

#include <new>

#if !defined(_MSC_VER)

void* operator new(size_t size) {
    void* memory = malloc(size == 0 ? 1 : size);
    if (memory == nullptr) {
        abort();
    }
    return memory;
}

void* operator new[](size_t size) { return operator new(size); }
void operator delete(void* memory) noexcept { free(memory); }
void operator delete[](void* memory) noexcept { free(memory); }
void operator delete(void* memory, size_t) noexcept { free(memory); }
void operator delete[](void* memory, size_t) noexcept { free(memory); }

// The name that compilers call. NOLINTNEXTLINE(bugprone-reserved-identifier)
extern "C" void __cxa_pure_virtual() { abort(); }

#endif
