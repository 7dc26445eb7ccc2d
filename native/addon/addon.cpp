// SPDX-License-Identifier: MIT
//
// What JavaScript gets: { implementations: [{ name, unavailable?, kernels: { slerpJoints, … } }] }.
#include <napi.h>

#include "../dispatch.h"
#include "joint_calls.h"

namespace {

Napi::Object describe(Napi::Env env, const poselane::Implementation& implementation) {
    Napi::Object entry = Napi::Object::New(env);
    entry.Set("name", implementation.kernels.name);
    if (implementation.unavailable != nullptr) {
        entry.Set("unavailable", implementation.unavailable);
    }
    Napi::Object kernels = Napi::Object::New(env);
    // A failure leaves an exception pending, which Node throws when the module's initialisation returns.
    if (poselane::defineJointCalls(env, kernels, &implementation.kernels) == napi_ok) {
        entry.Set("kernels", kernels);
    }
    return entry;
}

Napi::Object initialise(Napi::Env env, Napi::Object exports) {
    const poselane::Implementations all = poselane::implementations();
    Napi::Array list = Napi::Array::New(env, all.count);
    for (size_t i = 0; i < all.count; i++) {
        list.Set(static_cast<uint32_t>(i), describe(env, all.list[i]));
    }
    exports.Set("implementations", list);
    return exports;
}

} // namespace

NODE_API_MODULE(poselane, initialise)
