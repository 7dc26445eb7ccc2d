// SPDX-License-Identifier: MIT
//
// Memory owned by JavaScript's collector, for the job or tables that a function works on. The collector frees it like
// any other buffer once the function is unreachable. It needs no finalizer, which Node would not run before the next
// turn of the event loop.
//
// Functions trust its contents. The closures (closures.h) that pass it to them keep it alive and out of reach of all
// other code.
#pragma once

#define NAPI_VERSION 8
#include <node_api.h>

#include "arrays.h"

namespace poselane {

class CollectedMemory final : public Memory {
public:
    /// @param allocate Passed by a closure: makes an ArrayBuffer of a number of bytes, or null when memory runs out.
    /// The closure later passes the first buffer, which starts with the first piece.
    /// @param shared Small pieces share buffers of this many bytes, because each buffer costs the collector some 200
    /// bytes more.
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

/// The object in the first piece of memory, which a closure passes.
template <typename Element> bool readCollected(napi_env env, napi_value value, Element** element) {
    void* data = nullptr;
    const bool ok = napi_get_arraybuffer_info(env, value, &data, nullptr) == napi_ok && data != nullptr;
    *element = static_cast<Element*>(data);
    return ok;
}

} // namespace poselane
