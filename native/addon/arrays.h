// SPDX-License-Identifier: MIT
//
// Memory of our own, and arrays in it, aligned for vectors. An array does not own its elements: they live as long as
// the memory that they are in.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <new>
#include <type_traits>

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

/// Allocates zeroed memory, aligned as malloc aligns it, and frees all of it at once.
class Memory {
public:
    Memory() = default;
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    /// Null when memory runs out.
    virtual void* allocate(size_t bytes) = 0;

protected:
    ~Memory() = default;
};

/// Freed at the end of the scope.
class HeapMemory final : public Memory {
public:
    ~HeapMemory() {
        while (last_ != nullptr) {
            Piece* const before = last_->before;
            free(last_);
            last_ = before;
        }
    }

    void* allocate(size_t bytes) override {
        Piece* const piece =
            bytes > SIZE_MAX - sizeof(Piece) ? nullptr : static_cast<Piece*>(calloc(sizeof(Piece) + bytes, 1));
        if (piece == nullptr) {
            return nullptr;
        }
        piece->before = last_;
        last_ = piece;
        return piece + 1;
    }

private:
    struct alignas(max_align_t) Piece {
        Piece* before;
    };

    Piece* last_ = nullptr;
};

template <typename Element> struct Array {
    Element* data = nullptr;
    size_t length = 0;

    /// Allocates default-constructed elements, numbers being 0, and `padding` bytes behind them. An empty array takes
    /// no memory. False when memory runs out.
    bool allocate(Memory& memory, size_t elements, size_t padding = 0) {
        static_assert(std::is_trivially_destructible_v<Element>, "memory is freed without a look at what is in it");
        if (elements == 0 && padding == 0) {
            return true;
        }
        if (elements > (SIZE_MAX / 2 - padding - kAlignment) / sizeof(Element)) {
            return false;
        }
        void* const piece = memory.allocate(elements * sizeof(Element) + padding + kAlignment);
        if (piece == nullptr) {
            return false;
        }
        const size_t past = reinterpret_cast<uintptr_t>(piece) % kAlignment;
        data = reinterpret_cast<Element*>(static_cast<char*>(piece) + (kAlignment - past) % kAlignment);
#ifdef POSELANE_ADDRESS_SANITIZER
        // No code may touch the bytes left over behind the array.
        char* const end = reinterpret_cast<char*>(data) + elements * sizeof(Element) + padding;
        __asan_poison_memory_region(end, kAlignment - (kAlignment - past) % kAlignment);
#endif
        for (size_t i = 0; i < elements; i++) {
            new (data + i) Element();
        }
        length = elements;
        return true;
    }

    bool copy(Memory& memory, const void* from, size_t elements, size_t padding = 0) {
        if (!allocate(memory, elements, padding)) {
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
};

} // namespace poselane
