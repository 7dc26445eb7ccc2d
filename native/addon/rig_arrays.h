// SPDX-License-Identifier: MIT
//
// Memory of our own: an array on the heap, aligned for vectors, that is freed with whatever has it.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <new>

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
