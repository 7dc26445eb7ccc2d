// SPDX-License-Identifier: MIT

/** Detects the WebAssembly support of Node and of browsers. */

import { describe } from '../base/arguments';
import { typeError } from '../base/errors';
import { type Module, webassembly } from './api';
import { hasWebAssembly } from './decoders';
import { STRICT_SOURCES } from './strict-bytes';

/** A module with one instruction of SIMD128: () -> v128, i32.const 0, i8x16.splat. */
const SIMD = Uint8Array.of(
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 5, 1, 0x60, 0, 1, 0x7b, 3, 2, 1, 0],
    ...[10, 8, 1, 6, 0, 0x41, 0, 0xfd, 15, 0x0b],
);

/** @returns The reason why WebAssembly kernels cannot run here; undefined if they can. */
export function whyUnavailable(missing: string, bytes: string): string | undefined {
    if (!hasWebAssembly()) return missing;
    if (!webassembly().validate(SIMD)) return 'WebAssembly has no SIMD here: SSE4.1 is missing';
    return bytes === '' ? 'this build of poselane has no module' : undefined;
}

/** Checks the argument of `useModule`. Throws TypeError `ERR_ARGUMENT_TYPE` unless it is the kernels' module. */
export function checkModule(module: unknown): Module {
    const needs = 'useModule: module must be what compiledModule() returns';
    if (!hasWebAssembly() || !(module instanceof webassembly().Module)) {
        throw typeError('ERR_ARGUMENT_TYPE', `${needs}, got ${describe(module)}`);
    }
    const [sources] = webassembly().Module.customSections(module, 'poselane');
    if (sources !== undefined && new TextDecoder().decode(sources) === STRICT_SOURCES) return module;
    throw typeError('ERR_ARGUMENT_TYPE', `${needs} in the same version of poselane, got another module`);
}
