// SPDX-License-Identifier: MIT

/** The arithmetic that an addon built with -ffast-math leaves on for the whole process. */

import { spawnSync } from 'node:child_process';
import * as path from 'node:path';

/** Sets MXCSR, which holds the way of rounding and what becomes of denormals. */
const MXCSR = `
#include <node_api.h>
#include <xmmintrin.h>
static napi_value set(napi_env env, napi_callback_info info) {
    size_t count = 1;
    napi_value argument;
    uint32_t value = 0x1f80;
    napi_get_cb_info(env, info, &count, &argument, nullptr, nullptr);
    napi_get_value_uint32(env, argument, &value);
    _mm_setcsr(value);
    return nullptr;
}
NAPI_MODULE_INIT() {
    napi_value function;
    napi_create_function(env, "set", 3, set, nullptr, &function);
    return function;
}
`;

const DEFAULT_ARITHMETIC = 0x1f80;
/** Denormals are zeros, results that would be denormal too, and all results are rounded up. */
const OTHER_ARITHMETIC = DEFAULT_ARITHMETIC | 0x8040 | 0x4000;

/** Why it cannot be had here, or null. */
export const noOtherArithmetic: string | null =
    process.platform === 'linux' && process.arch === 'x64' ? null : 'needs x86-64 Linux';

/** Runs a function in the other arithmetic. */
export type Disturb = <T>(body: () => T) => T;

/** Builds the addon that changes the arithmetic, into a folder. */
export function buildDisturbance(folder: string): Disturb {
    const { findCompiler } = require('../../scripts/compiler.cjs') as { findCompiler(): string };
    const headers = (require('node-api-headers') as { include_dir: string }).include_dir;
    const file = path.join(folder, 'mxcsr.node');
    const [command, ...options] = findCompiler().split(' ');
    const { status, stderr } = spawnSync(
        command!,
        [...options, '-shared', '-fPIC', '-I', headers, '-x', 'c++', '-', '-o', file],
        { input: MXCSR, encoding: 'utf8' },
    );
    expect([status, stderr]).toEqual([0, '']);
    const set = require(file) as (mxcsr: number) => void;
    return (body) => {
        set(OTHER_ARITHMETIC);
        try {
            return body();
        } finally {
            set(DEFAULT_ARITHMETIC);
        }
    };
}
