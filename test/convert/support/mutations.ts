// SPDX-License-Identifier: MIT

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { convertFile } from '../../../lib/bake';
import { InputError } from '../../../lib/base/errors';
import { random } from '../../support/random';

/** A damaged copy of a file: bytes changed, removed, repeated or cut off, or a number replaced. */
function mutated(bytes: Uint8Array, random: () => number): Uint8Array {
    const result = [...bytes];
    const below = (limit: number) => Math.floor(random() * limit);
    for (let changes = 1 + below(3); changes > 0; changes--) {
        const at = below(result.length);
        const length = 1 + below(below(4) === 0 ? 2000 : 20);
        const kind = below(8);
        if (kind === 0) result[at] = below(256);
        else if (kind === 1) result[at] = result[at]! ^ (1 << below(8));
        else if (kind === 2) result.splice(at, length);
        else if (kind === 3) result.splice(at, 0, ...result.slice(at, at + length));
        else if (kind === 4) result.splice(at, 0, ...result.slice(below(result.length)).slice(0, length));
        else if (kind === 5) result.length = Math.max(1, below(8) === 0 ? at : result.length);
        else if (kind === 6) replaceNumber(result, at, below);
        else result.splice(at, 4, ...Buffer.from(WORDS[below(WORDS.length)]!, 'latin1'));
    }
    return Uint8Array.from(result);
}

/** Replaces the first number at or after a byte of a text, or eight bytes of a double. */
function replaceNumber(bytes: number[], at: number, below: (limit: number) => number): void {
    const number = NUMBERS[below(NUMBERS.length)]!;
    const double = Buffer.alloc(8);
    double.writeDoubleLE(number);
    const isText = !bytes.slice(0, 24).includes(0);
    const found = /-?\d+(\.\d+)?/.exec(String.fromCharCode(...bytes.slice(at, at + 40)));
    if (!isText) bytes.splice(at, 8, ...double);
    else if (found !== null) bytes.splice(at + found.index, found[0].length, ...Buffer.from(String(number)));
}

const NUMBERS = [0, -1, 1, 0.5, 1e9, 1e38, -1e300, 1e-300, 4294967295, 999999999999, 46186158000e6, Infinity];

const WORDS = [
    '1e38',
    '-1',
    '999999999999',
    '0',
    'nan',
    '{',
    '}',
    '"',
    '\xff\xff\xff\xff',
    '\0\0\0\0',
    'C: "OO",11,12\n',
    '1,',
];

/** Time limit of a file in milliseconds, for a busy machine. */
const LONGEST = 10_000;

/** Converts damaged copies of the files. Each must be converted, or rejected with a typed error. Returns the counts by code. */
export async function convertDamaged(
    paths: readonly string[],
    count: number,
    seed: number,
): Promise<Record<string, number>> {
    const next = random(seed);
    const found: Record<string, number> = {};
    for (let i = 0; i < count; i++) {
        const path = paths[i % paths.length]!;
        const bytes = mutated(readFileSync(path), next);
        const [started, usage] = [performance.now(), process.cpuUsage()];
        const code = await convertFile({ name: basename(path), bytes }).then(
            () => 'converted',
            (error: unknown) => (error instanceof InputError ? error.code : `mutation ${i} of ${path}: ${error}`),
        );
        const { user, system } = process.cpuUsage(usage);
        const took = Math.min(performance.now() - started, (user + system) / 1000);
        const key = took > LONGEST ? `mutation ${i} of ${path} took ${took} ms` : code;
        found[key] = (found[key] ?? 0) + 1;
    }
    return found;
}
