// SPDX-License-Identifier: MIT
//
// Memory of JavaScript's collector, for the job or tables that a function works on. It needs no finalizer, which Node
// would not run before the event loop turns: the collector frees it like any other buffer, when nobody has the function
// any more.
//
// Functions trust what is in it. The closures that pass it to them (closures.h) keep it alive, and out of reach of all
// others.
#pragma once

#define NAPI_VERSION 8
#include <node_api.h>

#include "arrays.h"

namespace poselane {

class CollectedMemory final : public Memory {
public:
    /// @param allocate What a closure passes: from a number of bytes to an ArrayBuffer, null where there is no memory.
    /// The first buffer, which starts with the first piece, is what the closure passes later.
    /// @param shared Small pieces share buffers of so many bytes: a buffer costs the collector some 200 of its own.
    CollectedMemory(napi_env env, napi_value allocate, size_t shared = 0)
        : env_(env), allocate_(allocate), shared_(shared) {}

    void* allocate(size_t bytes) override {
        constexpr size_t kAlignment = alignof(max_align_t);
        const size_t whole = (bytes + kAlignment - 1) / kAlignment * kAlignment;
        if (whole > left_) {
            if (whole > shared_ / 4) {
                return newBuffer(bytes);
            }
            next_ = static_cast<char*>(newBuffer(shared_));
            left_ = next_ == nullptr ? 0 : shared_;
            if (next_ == nullptr) {
                return nullptr;
            }
        }
        left_ -= whole;
        next_ += whole;
        return next_ - whole;
    }

private:
    void* newBuffer(size_t bytes) {
        napi_value undefined, size, buffer;
        void* data = nullptr;
        const bool ok = napi_get_undefined(env_, &undefined) == napi_ok &&
                        napi_create_double(env_, static_cast<double>(bytes), &size) == napi_ok &&
                        napi_call_function(env_, undefined, allocate_, 1, &size, &buffer) == napi_ok &&
                        napi_get_arraybuffer_info(env_, buffer, &data, nullptr) == napi_ok;
        return ok ? data : nullptr;
    }

    napi_env env_;
    napi_value allocate_;
    size_t shared_;
    char* next_ = nullptr;
    size_t left_ = 0;
};

/// The object that a closure passes, which the first piece was taken for.
template <typename Element> bool readCollected(napi_env env, napi_value value, Element** element) {
    void* data = nullptr;
    const bool ok = napi_get_arraybuffer_info(env, value, &data, nullptr) == napi_ok && data != nullptr;
    *element = static_cast<Element*>(data);
    return ok;
}

} // namespace poselane
