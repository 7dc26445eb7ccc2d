// SPDX-License-Identifier: MIT
//
// A test addon with two kernels of one listing: Intel's as printed, and the port that poselane ships. Both have the
// arguments (result, from, to: Float32Array of whole quaternions and the same length, t: number).
#define NAPI_VERSION 8
#include <node_api.h>

#include "../../../../native/papers/papers.h"
#include "../../../../native/papers/test_only/benefits_of_avx_as_printed.h"

namespace {

using poselane::Quaternion;
using Kernel = void (*)(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count);

constexpr size_t kFloats = sizeof(Quaternion) / sizeof(float);

bool ReadQuats(napi_env env, napi_value value, Quaternion** quats, size_t* length) {
    napi_typedarray_type type;
    void* data;
    if (napi_get_typedarray_info(env, value, &type, length, &data, nullptr, nullptr) != napi_ok) {
        return false;
    }
    *quats = static_cast<Quaternion*>(data);
    return type == napi_float32_array && *length % kFloats == 0;
}

template <Kernel kernel> napi_value Call(napi_env env, napi_callback_info info) {
    size_t count = 4;
    napi_value values[4];
    Quaternion* lists[3];
    size_t lengths[3];
    double t;
    bool good = napi_get_cb_info(env, info, &count, values, nullptr, nullptr) == napi_ok && count == 4 &&
                napi_get_value_double(env, values[3], &t) == napi_ok;
    for (int i = 0; i < 3 && good; i++) {
        good = ReadQuats(env, values[i], &lists[i], &lengths[i]) && lengths[i] == lengths[0];
    }
    if (!good) {
        napi_throw_type_error(env, nullptr, "result, from and to: Float32Arrays of the same length; t: a number");
        return nullptr;
    }
    kernel(lists[0], lists[1], lists[2], static_cast<float>(t), static_cast<int>(lengths[0] / kFloats));
    return nullptr;
}

void Export(napi_env env, napi_value exports, const char* name, napi_callback function) {
    napi_value value;
    if (napi_create_function(env, name, NAPI_AUTO_LENGTH, function, nullptr, &value) == napi_ok) {
        napi_set_named_property(env, exports, name, value);
    }
}

napi_value Init(napi_env env, napi_value exports) {
    Export(env, exports, "asPrinted", Call<poselane::intel_avx_as_printed::SlerpQuats>);
    Export(env, exports, "asShipped", Call<poselane::intel_avx::SlerpQuats>);
    return exports;
}

} // namespace

NAPI_MODULE(NODE_GYP_MODULE_NAME, Init)
