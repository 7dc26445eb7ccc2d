// SPDX-License-Identifier: MIT
'use strict';

/**
 * The arithmetic that an addon built with -ffast-math turns on for the whole process, set by an addon that does only
 * this; and implementations whose calls all run in it.
 */

/** Sets MXCSR or FPCR, which control rounding and denormals. */
const SOURCE = `
#include <node_api.h>
#if defined(__aarch64__)
static void control(uint64_t value) { __asm__ volatile("msr fpcr, %0" : : "r"(value) : "memory"); }
#else
#include <xmmintrin.h>
static void control(uint64_t value) { _mm_setcsr(static_cast<unsigned>(value)); }
#endif
static napi_value set(napi_env env, napi_callback_info info) {
    size_t count = 1;
    napi_value argument;
    uint32_t value = 0;
    napi_get_cb_info(env, info, &count, &argument, nullptr, nullptr);
    napi_get_value_uint32(env, argument, &value);
    control(value);
    return nullptr;
}
NAPI_MODULE_INIT() {
    napi_value function;
    napi_create_function(env, "set", 3, set, nullptr, &function);
    return function;
}
`;

/**
 * Node's initial value of the register, and one that flushes denormal inputs and results to zero and rounds all results up
 * (and on ARM makes all NaNs one).
 */
const VALUES = {
    x64: { usual: 0x1f80, other: 0x1f80 | 0x8040 | 0x4000 },
    arm64: { usual: 0, other: (1 << 24) | (1 << 25) | (1 << 22) },
};

/** Options for a C++ compiler that reads SOURCE from its standard input. */
function compilerOptions(headers, file) {
    return ['-shared', '-fPIC', '-I', headers, '-x', 'c++', '-', '-o', file];
}

/** The function of the compiled addon that runs another function in the other arithmetic. */
function loadDisturbance(file) {
    const { usual, other } = VALUES[process.arch];
    const set = require(file);
    return (body) => {
        set(other);
        try {
            return body();
        } finally {
            set(usual);
        }
    };
}

/** The same functions, each called with the other arithmetic in force. */
function disturbedFunctions(disturb, functions) {
    return Object.fromEntries(
        Object.entries(functions).map(([name, call]) => [name, (...args) => disturb(() => call(...args))]),
    );
}

/** An implementation of the routines. */
function disturbedRoutines(disturb, { name, kernels }) {
    return { name: `${name}, disturbed`, kernels: disturbedFunctions(disturb, kernels) };
}

/** An implementation of the Rig's kernels. */
function disturbedRig(disturb, implementation) {
    const loading = ({ load }) => ({
        load: (tables) => {
            const loaded = load(tables);
            return { select: (slots) => disturbedFunctions(disturb, loaded.select(slots)) };
        },
    });
    const { name, skinning } = implementation;
    return {
        name: `${name}, disturbed`,
        ...loading(implementation),
        ...(skinning === undefined ? {} : { skinning: loading(skinning) }),
    };
}

module.exports = {
    SOURCE,
    VALUES,
    compilerOptions,
    disturbedRig,
    disturbedRoutines,
    loadDisturbance,
};
