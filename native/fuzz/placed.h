// SPDX-License-Identifier: MIT
//
// A list in its own heap block of exactly the needed size, so that AddressSanitizer detects accesses past its end. It
// starts some elements into its memory, because lists from JavaScript are only aligned to their elements. The
// destructor checks the bytes before it.
#pragma once

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "finding.h"

namespace poselane {

template <typename Element> class Placed {
public:
    /// @param isThere False: no memory at all.
    Placed(const Element* values, size_t count, size_t offset, bool isThere = true)
        : memory_(isThere ? static_cast<Element*>(malloc((offset + count) * sizeof(Element))) : nullptr),
          offset_(isThere ? offset : 0), count_(isThere ? count : 0) {
        if (!isThere) {
            return;
        }
        memset(static_cast<void*>(memory_), kFront, offset * sizeof(Element));
        if (count > 0) {
            memcpy(data(), values, count * sizeof(Element));
        }
    }
    Placed(const Placed&) = delete;
    Placed& operator=(const Placed&) = delete;
    ~Placed() {
        const unsigned char* const front = reinterpret_cast<const unsigned char*>(memory_);
        for (size_t i = 0; i < offset_ * sizeof(Element); i++) {
            if (front[i] != kFront) {
                fail("written in front of a list of %zu, byte %zu of %zu", count_, i, offset_ * sizeof(Element));
            }
        }
        free(memory_);
    }

    Element* data() const { return memory_ + offset_; }
    size_t count() const { return count_; }
    bool holds(const Element* values) const {
        return count_ == 0 || memcmp(data(), values, count_ * sizeof(Element)) == 0;
    }

private:
    static constexpr unsigned char kFront = 0xa5;

    Element* memory_;
    size_t offset_;
    size_t count_;
};

} // namespace poselane
