// SPDX-License-Identifier: MIT
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

export interface ThreeRequest {
    readonly file: string;
    readonly skin: number;
    readonly clips: readonly { animation: number; times: readonly number[] }[];
}

/** three.js's palettes: per request, per clip, `times * joints * 16` doubles, column-major, in scene space. */
export function threePalettes(requests: readonly ThreeRequest[], jointsOf: readonly number[]): Float64Array[][] {
    const bytes = execFileSync(process.execPath, [join(__dirname, 'three-oracle.mjs')], {
        input: JSON.stringify(requests),
        maxBuffer: 2 ** 30,
        stdio: ['pipe', 'pipe', 'pipe'],
    });
    const all = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
    let at = 0;
    const take = (length: number): Float64Array => {
        at += length;
        if (at > all.length) throw new Error(`three.js gave ${all.length} numbers, too few`);
        return all.subarray(at - length, at);
    };
    const palettes = requests.map(({ clips }, r) => clips.map(({ times }) => take(times.length * jointsOf[r]! * 16)));
    if (at !== all.length) throw new Error(`three.js gave ${all.length} numbers where ${at} were asked for`);
    return palettes;
}
