// SPDX-License-Identifier: MIT
//
// The addon exports { implementations, rigs, coverPoints, deflatedSize, timer, version }. An entry of `implementations`
// is { name, unavailable?, terms, kernels, timed, bind }: `kernels` has the routines (kernel_calls.h), `timed` their
// timed forms (call.h), `bind` the makers of functions that are bound to their lists (bound.h). `rigs` are the
// implementations of the Rig (rig_calls.h), and `timer` names the unit of timed samples.
//
// The addon uses only those classes of node-addon-api that cannot fail: a method that fails, in an environment that is
// being closed, ends the process.
#include <napi.h>

#include "../core/dispatch.h"
#include "baker_calls.h"
#include "builder.h"
#include "closures.h"
#include "kernel_calls.h"
#include "rig_calls.h"
#include "timer.h"

namespace {

struct List {
    poselane::Builder& builder;
    napi_value closures;
    napi_value array;
};

void append(void* context, const poselane::Kernels& kernels, const char* unavailable) {
    const List& list = *static_cast<List*>(context);
    poselane::Builder& builder = list.builder;
    const napi_value entry = builder.object();
    builder.set(entry, "name", builder.string(kernels.name));
    if (unavailable != nullptr) {
        builder.set(entry, "unavailable", builder.string(unavailable));
    }
    builder.set(entry, "terms", builder.number(kernels.maxTerms));
    const poselane::Functions functions = {builder.object(), builder.object(), builder.object()};
    // An implementation that this CPU cannot run gets no functions.
    if (unavailable == nullptr) {
        poselane::defineKernelCalls(builder, list.closures, functions, &kernels);
    }
    builder.set(entry, "kernels", functions.kernels);
    builder.set(entry, "timed", functions.timed);
    builder.set(entry, "bind", functions.bind);
    builder.append(list.array, entry);
}

#define TEXT_OF(token) #token
#define TEXT(macro) TEXT_OF(macro)

Napi::Object initialise(Napi::Env env, Napi::Object exports) {
    poselane::Builder builder(env);
    const napi_value closures = builder.make([=](napi_value* value) { return poselane::makeClosures(env, value); });
    List list = {builder, closures, builder.array()};
    poselane::forEachImplementation(append, &list);
    builder.set(exports, "implementations", list.array);
    builder.set(exports, "rigs", poselane::listRigs(builder, closures));
    builder.set(exports, "coverPoints", builder.function("coverPoints", poselane::coverPoints));
    builder.set(exports, "deflatedSize", builder.function("deflatedSize", poselane::deflatedSize));
#ifdef POSELANE_HAVE_TSC
    builder.set(exports, "timer", builder.string("tsc"));
#else
    builder.set(exports, "timer", builder.string("ns"));
#endif
    // The version in package.json, passed by the build. It is exported last: an addon without it is incomplete, and
    // lib/addon/load.ts refuses it.
    builder.set(exports, "version", builder.string(TEXT(POSELANE_VERSION)));
    return exports;
}

} // namespace

NODE_API_MODULE(poselane, initialise)
