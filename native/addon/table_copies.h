// SPDX-License-Identifier: MIT
//
// Copies of JavaScript's tables. This file checks their types; its callers check their contents.
#pragma once

#define NAPI_VERSION 8
#include <node_api.h>
#include <stddef.h>
#include <stdint.h>

#include "arrays.h"

namespace poselane {

/// Maximum floats of a block, and of all keys of a clip: 32-bit numbers count them.
constexpr size_t kMaxFloats = INT32_MAX;

inline bool property(napi_env env, napi_value object, const char* name, napi_value* value) {
    return napi_get_named_property(env, object, name, value) == napi_ok;
}

/// A copy of a typed array, in elements of several of its numbers. It is made at once: reading the next property may
/// run code that detaches this one's buffer. Empty arrays are fine.
template <typename Element>
bool copyArray(napi_env env, Memory& memory, napi_value object, const char* name, napi_typedarray_type wanted,
               Array<Element>* array, size_t padding = 0) {
    // Tables hold 32-bit or 16-bit numbers.
    constexpr size_t kNumber = sizeof(Element) < 4 ? sizeof(Element) : 4;
    static_assert(sizeof(Element) % kNumber == 0, "several whole numbers");
    napi_value value;
    bool isTypedArray = false;
    napi_typedarray_type type;
    size_t length;
    void* data;
    if (!property(env, object, name, &value) || napi_is_typedarray(env, value, &isTypedArray) != napi_ok ||
        !isTypedArray || napi_get_typedarray_info(env, value, &type, &length, &data, nullptr, nullptr) != napi_ok ||
        type != wanted) {
        return false;
    }
    constexpr size_t kNumbers = sizeof(Element) / kNumber;
    return length % kNumbers == 0 && length <= kMaxFloats && (data != nullptr || length == 0) &&
           array->copy(memory, data, length / kNumbers, padding);
}

template <typename Element>
bool copyFloats(napi_env env, Memory& memory, napi_value object, const char* name, Array<Element>* array,
                size_t padding = 0) {
    return copyArray(env, memory, object, name, napi_float32_array, array, padding);
}

template <typename Element>
bool copyInts(napi_env env, Memory& memory, napi_value object, const char* name, Array<Element>* array) {
    return copyArray(env, memory, object, name, napi_int32_array, array);
}

inline bool isObject(napi_env env, napi_value value) {
    napi_valuetype type;
    return napi_typeof(env, value, &type) == napi_ok && (type == napi_object || type == napi_function);
}

/// visit(i, element) for the first `length` elements of an array, until it returns false.
template <typename Visit> bool forEachElement(napi_env env, napi_value array, uint32_t length, Visit visit) {
    for (uint32_t i = 0; i < length; i++) {
        napi_handle_scope scope;
        if (napi_open_handle_scope(env, &scope) != napi_ok) {
            return false;
        }
        napi_value element;
        const bool ok = napi_get_element(env, array, i, &element) == napi_ok && visit(i, element);
        napi_close_handle_scope(env, scope);
        if (!ok) {
            return false;
        }
    }
    return true;
}

/// load(element, &entry) for each element of an array, which are objects. An array's length does not prove that its
/// elements exist, so memory is allocated only after all of them have been seen.
template <typename Entry, typename Load>
bool copyList(napi_env env, Memory& memory, napi_value object, const char* name, Array<Entry>* list, Load load) {
    napi_value array;
    bool isArray = false;
    uint32_t length;
    return property(env, object, name, &array) && napi_is_array(env, array, &isArray) == napi_ok && isArray &&
           napi_get_array_length(env, array, &length) == napi_ok &&
           forEachElement(env, array, length, [&](uint32_t, napi_value element) { return isObject(env, element); }) &&
           list->allocate(memory, length) && forEachElement(env, array, length, [&](uint32_t i, napi_value element) {
               return load(element, &list->data[i]);
           });
}

/// Whether all indices are at least `min` (0 or -1) and below `limit`.
inline bool areIndices(const Array<int32_t>& list, size_t limit, int32_t min) {
    for (int32_t index : list) {
        if (index < min || (index >= 0 && static_cast<size_t>(index) >= limit)) {
            return false;
        }
    }
    return true;
}

} // namespace poselane
