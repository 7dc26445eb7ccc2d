// SPDX-License-Identifier: MIT

/** The kernels' module in Node, compiled when it is first asked for. */

import { gunzipSync } from 'node:zlib';
import { type Module, webassembly } from './api';
import { hasWebAssembly } from './decoders';
import { STRICT_BYTES } from './strict-bytes';

/** A module with one instruction of SIMD128: () -> v128, i32.const 0, i8x16.splat. */
const SIMD = Uint8Array.of(
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 5, 1, 0x60, 0, 1, 0x7b, 3, 2, 1, 0],
    ...[10, 8, 1, 6, 0, 0x41, 0, 0xfd, 15, 0x0b],
);

/** Why the kernels cannot run as WebAssembly here; undefined where they can. */
export const webassemblyUnavailable: string | undefined = findReason();

function findReason(): string | undefined {
    if (!hasWebAssembly()) return 'this process has no WebAssembly (node --jitless switches it off)';
    if (!webassembly().validate(SIMD)) return 'WebAssembly has no SIMD here, as on processors without SSE4.1';
    if (STRICT_BYTES === '') return 'this build of poselane has no module';
    try {
        new (webassembly().Memory)({ initial: 1 });
        return undefined;
    } catch {
        return 'this process may not reserve the addresses that a WebAssembly memory takes (ulimit -v)';
    }
}

let compiled: Module | undefined;

/** Call it only where WebAssembly is available. */
export function strictModule(): Module {
    compiled ??= new (webassembly().Module)(gunzipSync(Buffer.from(STRICT_BYTES, 'base64')));
    return compiled;
}
