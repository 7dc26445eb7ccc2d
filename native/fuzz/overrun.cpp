// SPDX-License-Identifier: MIT
//
// An addon that does what sanitizers are to see, one thing for each function: test/long/sanitizers.mjs proves with it
// that a report ends the process, in the very way in which the tests are run. Part of no other build.
#define NAPI_VERSION 8
#include <limits.h>
#include <node_api.h>
#include <stdlib.h>

namespace {

/// Reads a float behind a list of four.
napi_value readTooFar(napi_env env, napi_callback_info) {
    float* const list = static_cast<float*>(calloc(4, sizeof(float)));
    const volatile float* const element = list;
    napi_value result = nullptr;
    napi_create_double(env, static_cast<double>(element[4]), &result);
    free(list);
    return result;
}

/// Adds 1 to the max int.
napi_value overflow(napi_env env, napi_callback_info) {
    volatile int greatest = INT_MAX;
    napi_value result = nullptr;
    napi_create_int32(env, greatest + 1, &result);
    return result;
}

/// Does nothing wrong.
napi_value nothing(napi_env, napi_callback_info) { return nullptr; }

} // namespace

NAPI_MODULE_INIT() {
    const struct {
        const char* name;
        napi_callback call;
    } functions[] = {{"readTooFar", readTooFar}, {"overflow", overflow}, {"nothing", nothing}};
    for (const auto& [name, call] : functions) {
        napi_value function;
        if (napi_create_function(env, name, NAPI_AUTO_LENGTH, call, nullptr, &function) != napi_ok ||
            napi_set_named_property(env, exports, name, function) != napi_ok) {
            return nullptr;
        }
    }
    return exports;
}
