// SPDX-License-Identifier: MIT
//
// The lists of floats that a routine takes, destination first: how many floats an element of each has, and which of
// them may share memory.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "views.h"

namespace poselane {

/// Whether an operand may overlap the destination: never, or only if both start at the same byte.
enum class Sharing { none, sameStart };

template <size_t floats, Sharing sharing> struct Operand {
    static constexpr size_t kFloats = floats;

    static bool hasRoom(size_t length, size_t elements) { return length / floats >= elements; }
    static bool holds(size_t length, size_t elements) { return length == elements * floats; }
    static bool separate(const ByteRange& destination, const float* data, size_t elements) {
        const ByteRange operand(data, elements * floats * sizeof(float));
        return (sharing == Sharing::sameStart && destination.begin == operand.begin) || !overlap(destination, operand);
    }
};

/// One element, however many the other lists have. It may lie anywhere: the job copies it before it writes.
template <size_t floats> struct SingleOperand {
    static bool hasRoom(size_t length, size_t) { return length >= floats; }
    static bool holds(size_t length, size_t) { return length == floats; }
    static bool separate(const ByteRange&, const float*, size_t) { return true; }
};

template <size_t destinationFloats, typename... Operands> struct FloatLists {
    static constexpr size_t kCount = 1 + sizeof...(Operands);

    View<float> views[kCount];

    bool read(napi_env env, const napi_value* values) {
        for (size_t i = 0; i < kCount; i++) {
            if (!readFloats(env, values[i], &views[i])) {
                return false;
            }
        }
        return true;
    }

    template <typename Element> Element* at(size_t i) const { return reinterpret_cast<Element*>(views[i].data); }

    /// Reads the same lists again, as they are now.
    bool readAgain(napi_env env, const napi_value* values) {
        for (size_t i = 0; i < kCount; i++) {
            if (!readFloatsAgain(env, values[i], &views[i])) {
                return false;
            }
        }
        return true;
    }

    /// How many elements every list holds.
    size_t room() const {
        size_t elements = views[0].length / destinationFloats;
        size_t i = 1;
        ((elements = min(elements, views[i++].length / Operands::kFloats)), ...);
        return elements;
    }

    bool haveRoom(size_t elements) const {
        size_t i = 1;
        return views[0].length / destinationFloats >= elements &&
               (Operands::hasRoom(views[i++].length, elements) && ...);
    }

    /// Without a count every list must hold the same whole number of elements; with one, at least that many.
    bool resolveCount(int* count) const {
        if (*count != kAll) {
            return haveRoom(static_cast<size_t>(*count));
        }
        const size_t elements = views[0].length / destinationFloats;
        *count = static_cast<int>(elements);
        size_t i = 1;
        return elements <= INT32_MAX && views[0].length == elements * destinationFloats &&
               (Operands::holds(views[i++].length, elements) && ...);
    }

    /// Whether the first `elements` elements of the operands overlap those of the destination only as allowed.
    bool areSeparate(size_t elements) const {
        const ByteRange destination(views[0].data, elements * destinationFloats * sizeof(float));
        size_t i = 1;
        return (Operands::separate(destination, views[i++].data, elements) && ...);
    }

    /// Whether none of the first `elements` elements of any list overlaps those bytes.
    bool areSeparateFrom(const ByteRange& bytes, size_t elements) const {
        size_t i = 1;
        return !overlap(bytes, {views[0].data, elements * destinationFloats * sizeof(float)}) &&
               (!overlap(bytes, {views[i++].data, elements * Operands::kFloats * sizeof(float)}) && ...);
    }

private:
    static size_t min(size_t a, size_t b) { return a < b ? a : b; }
};

} // namespace poselane
