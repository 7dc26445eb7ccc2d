// SPDX-License-Identifier: MIT
//
// Memory of our own: an array on the heap, aligned for vectors, that is freed with whatever has it.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <new>

#if defined(__SANITIZE_ADDRESS__)
#define POSELANE_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POSELANE_ADDRESS_SANITIZER 1
#endif
#endif
#ifdef POSELANE_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#endif

namespace poselane {

template <typename Element> struct OwnedArray {
    Element* data = nullptr;
    size_t length = 0;

    OwnedArray() = default;
    OwnedArray(const OwnedArray&) = delete;
    OwnedArray& operator=(const OwnedArray&) = delete;
    ~OwnedArray() {
        for (size_t i = 0; i < length; i++) {
            data[i].~Element();
        }
        free(memory_);
    }

    /// Elements as their constructors leave them, numbers 0, and `padding` bytes behind them. Once. False where there
    /// is no memory.
    bool allocate(size_t elements, size_t padding = 0) {
        if (elements > (SIZE_MAX / 2 - padding - kAlignment) / sizeof(Element)) {
            return false;
        }
        memory_ = calloc(elements * sizeof(Element) + padding + kAlignment, 1);
        if (memory_ == nullptr) {
            return false;
        }
        const size_t past = reinterpret_cast<uintptr_t>(memory_) % kAlignment;
        data = reinterpret_cast<Element*>(static_cast<char*>(memory_) + (kAlignment - past) % kAlignment);
#ifdef POSELANE_ADDRESS_SANITIZER
        // Nothing is in what is left over behind the array, and nothing may be looked for there.
        char* const end = reinterpret_cast<char*>(data) + elements * sizeof(Element) + padding;
        __asan_poison_memory_region(end, kAlignment - (kAlignment - past) % kAlignment);
#endif
        for (size_t i = 0; i < elements; i++) {
            new (data + i) Element();
        }
        length = elements;
        return true;
    }

    bool copy(const void* from, size_t elements, size_t padding = 0) {
        if (!allocate(elements, padding)) {
            return false;
        }
        if (elements > 0) {
            memcpy(static_cast<void*>(data), from, elements * sizeof(Element));
        }
        return true;
    }

    size_t bytes() const { return length * sizeof(Element); }
    Element* begin() const { return data; }
    Element* end() const { return data + length; }

private:
    static constexpr size_t kAlignment = 64;

    void* memory_ = nullptr;
};

} // namespace poselane
