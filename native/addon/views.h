// SPDX-License-Identifier: MIT
//
// Typed arrays as the addon sees them. Lengths and pointers are read in the call that uses them and never kept:
// a view can be detached, shrunk or moved between any two calls.
#pragma once

#define NAPI_VERSION 8
#include <node_api.h>
#include <stddef.h>
#include <stdint.h>

namespace poselane {

template <typename Element> struct View {
    Element* data;
    size_t length;
};

/// False for anything but a non-empty typed array. Empty ones are left to TypeScript, because Node-API cannot tell an
/// empty view from one whose buffer was shrunk away under it.
inline bool readAnyView(napi_env env, napi_value value, napi_typedarray_type* type, View<void>* view) {
    return napi_get_typedarray_info(env, value, type, &view->length, &view->data, nullptr, nullptr) == napi_ok &&
           view->length > 0 && view->data != nullptr;
}

/// The same for an array of that type.
template <typename Element>
inline bool readView(napi_env env, napi_value value, napi_typedarray_type wanted, View<Element>* view) {
    napi_typedarray_type type;
    View<void> any;
    if (!readAnyView(env, value, &type, &any) || type != wanted) {
        return false;
    }
    *view = {static_cast<Element*>(any.data), any.length};
    return true;
}

inline bool readFloats(napi_env env, napi_value value, View<float>* view) {
    return readView(env, value, napi_float32_array, view);
}

/// For a value that was found to be a Float32Array before: an object never changes its type, and asking Node again
/// takes longer than the rest of this function.
inline bool readFloatsAgain(napi_env env, napi_value value, View<float>* view) {
    void* data = nullptr;
    if (napi_get_typedarray_info(env, value, nullptr, &view->length, &data, nullptr, nullptr) != napi_ok) {
        return false;
    }
    view->data = static_cast<float*>(data);
    return true;
}

inline bool readInts(napi_env env, napi_value value, View<const int32_t>* view) {
    return readView(env, value, napi_int32_array, view);
}

/// TypeScript passes this for "as many as the buffers hold".
constexpr int kAll = -1;

/// Reads a whole number that is at least `min`. (napi_get_value_int32 would convert every number, 2^32 + 1 to 1.)
inline bool readInt(napi_env env, napi_value value, int min, int* result) {
    double number;
    if (napi_get_value_double(env, value, &number) != napi_ok || !(number >= min && number <= INT32_MAX)) {
        return false;
    }
    *result = static_cast<int>(number);
    return *result == number;
}

/// The bytes that a call reads or writes.
struct ByteRange {
    uintptr_t begin;
    uintptr_t end;

    ByteRange(const void* data, size_t bytes)
        : begin(reinterpret_cast<uintptr_t>(data)), end(reinterpret_cast<uintptr_t>(data) + bytes) {}
};

inline bool overlap(const ByteRange& a, const ByteRange& b) { return a.begin < b.end && b.begin < a.end; }

} // namespace poselane
