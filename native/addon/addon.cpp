// SPDX-License-Identifier: MIT
//
// What JavaScript gets: { implementations: [{ name, unavailable?, terms, kernels, timed, bind }], rigs, skinBox, timer
// }, where `kernels` has the routines (kernel_calls.h), `timed` their timed forms (call.h), `bind` what makes functions
// that are bound to their lists (bound.h), `rigs` are the implementations of the Rig (rig_calls.h), `skinBox` finds
// boxes (box_calls.h), and `timer` names the unit of timed samples.
#include <napi.h>

#include "../dispatch.h"
#include "box_calls.h"
#include "kernel_calls.h"
#include "rig_calls.h"
#include "timer.h"

namespace {

struct List {
    Napi::Env env;
    Napi::Array array;
};

void append(void* context, const poselane::Kernels& kernels, const char* unavailable) {
    List& list = *static_cast<List*>(context);
    Napi::Object entry = Napi::Object::New(list.env);
    entry.Set("name", kernels.name);
    if (unavailable != nullptr) {
        entry.Set("unavailable", unavailable);
    }
    entry.Set("terms", Napi::Number::New(list.env, kernels.maxTerms));
    Napi::Object calls = Napi::Object::New(list.env);
    Napi::Object timed = Napi::Object::New(list.env);
    Napi::Object bind = Napi::Object::New(list.env);
    // A failure leaves an exception pending, which Node throws when the module's initialisation returns. What this CPU
    // cannot run gets no functions at all.
    if (unavailable == nullptr && poselane::defineKernelCalls(list.env, {calls, timed, bind}, &kernels) != napi_ok) {
        return;
    }
    entry.Set("kernels", calls);
    entry.Set("timed", timed);
    entry.Set("bind", bind);
    list.array.Set(list.array.Length(), entry);
}

#define TEXT_OF(token) #token
#define TEXT(macro) TEXT_OF(macro)

Napi::Object initialise(Napi::Env env, Napi::Object exports) {
    // package.json's, from the build.
    exports.Set("version", TEXT(POSELANE_VERSION));
    List list = {env, Napi::Array::New(env)};
    poselane::forEachImplementation(append, &list);
    exports.Set("implementations", list.array);
    napi_value rigs;
    // As above: a failure leaves an exception pending.
    if (poselane::listRigs(env, &rigs) != napi_ok) {
        return exports;
    }
    exports.Set("rigs", rigs);
    if (poselane::defineBoxCalls(env, exports) != napi_ok) {
        return exports;
    }
#ifdef POSELANE_HAVE_TSC
    exports.Set("timer", "tsc");
#else
    exports.Set("timer", "ns");
#endif
    return exports;
}

} // namespace

NODE_API_MODULE(poselane, initialise)
