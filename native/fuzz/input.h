// SPDX-License-Identifier: MIT
//
// The fuzzer's bytes as choices and numbers. Where they end, random ones go on that the bytes determine: a few bytes
// are a whole case, and more of them have more of its bits in their hands.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

namespace poselane {

inline float floatOf(uint32_t bits) {
    float result;
    memcpy(&result, &bits, sizeof(result));
    return result;
}

inline uint32_t bitsOf(float number) {
    uint32_t result;
    memcpy(&result, &number, sizeof(result));
    return result;
}

class Input {
public:
    Input(const uint8_t* data, size_t size) : next_(data), end_(data + size), state_(14695981039346656037u) {
        for (size_t i = 0; i < size; i++) {
            state_ = (state_ ^ data[i]) * 1099511628211u;
        }
        state_ |= 1;
    }

    uint32_t word() {
        if (end_ - next_ < 4) {
            next_ = end_;
            return random();
        }
        uint32_t result;
        memcpy(&result, next_, sizeof(result));
        next_ += sizeof(result);
        return result;
    }

    /// 0 ... limit - 1, limit up to 256.
    int choice(int limit) { return static_cast<int>((next_ < end_ ? *next_++ : random() & 0xff) % limit); }

    /// True once in `times` calls, on average.
    bool oneIn(int times) { return choice(times) == times - 1; }

    // The functions below take no bytes from the input. They fill lists that are longer than the fuzzer can use.

    uint32_t random() {
        state_ ^= state_ >> 12;
        state_ ^= state_ << 25;
        state_ ^= state_ >> 27;
        return static_cast<uint32_t>(state_ * 2685821657736338717u >> 32);
    }
    int randomBelow(int limit) { return static_cast<int>(static_cast<uint64_t>(random()) * limit >> 32); }
    /// 0 <= x < 1
    float unit() { return static_cast<float>(random() >> 8) * 0x1p-24f; }
    /// -1 <= x < 1
    float around0() { return static_cast<float>(static_cast<int32_t>(random()) >> 8) * 0x1p-23f; }

private:
    const uint8_t* next_;
    const uint8_t* end_;
    uint64_t state_;
};

} // namespace poselane
