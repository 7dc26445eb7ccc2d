// SPDX-License-Identifier: MIT
//
// Makes the values that the addon returns to JavaScript. Any step may fail in an environment that is being closed;
// after the first failure the builder does nothing more.
#pragma once

#define NAPI_VERSION 8
#include <node_api.h>
#include <stddef.h>
#include <stdint.h>

namespace poselane {

class Builder {
public:
    explicit Builder(napi_env env) : env_(env) {}

    napi_value object() {
        return make([this](napi_value* value) { return napi_create_object(env_, value); });
    }
    napi_value array() {
        return make([this](napi_value* value) { return napi_create_array(env_, value); });
    }
    napi_value number(double number) {
        return make([=](napi_value* value) { return napi_create_double(env_, number, value); });
    }
    napi_value string(const char* text) {
        return make([=](napi_value* value) { return napi_create_string_utf8(env_, text, NAPI_AUTO_LENGTH, value); });
    }
    /// @param data Outlives the function.
    napi_value function(const char* name, napi_callback call, const void* data = nullptr) {
        return make([=](napi_value* value) {
            return napi_create_function(env_, name, NAPI_AUTO_LENGTH, call, const_cast<void*>(data), value);
        });
    }
    /// One of closures.h.
    template <size_t N> napi_value closure(napi_value closures, const char* name, const napi_value (&functions)[N]) {
        return make([&](napi_value* value) {
            napi_value maker;
            const napi_status status = napi_get_named_property(env_, closures, name, &maker);
            return status == napi_ok ? napi_call_function(env_, closures, maker, N, functions, value) : status;
        });
    }

    void set(napi_value object, const char* name, napi_value value) {
        ok_ = ok_ && napi_set_named_property(env_, object, name, value) == napi_ok;
    }
    void append(napi_value array, napi_value value) {
        uint32_t length;
        ok_ = ok_ && napi_get_array_length(env_, array, &length) == napi_ok &&
              napi_set_element(env_, array, length, value) == napi_ok;
    }

    /// Null when anything has failed.
    template <typename Create> napi_value make(Create create) {
        napi_value value = nullptr;
        ok_ = ok_ && create(&value) == napi_ok;
        return ok_ ? value : nullptr;
    }

private:
    napi_env env_;
    bool ok_ = true;
};

} // namespace poselane
