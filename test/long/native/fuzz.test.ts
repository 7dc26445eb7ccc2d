// SPDX-License-Identifier: MIT

/**
 * Every kernel is in the fuzz targets: a new one that is forgotten there would never be fuzzed, and nothing would say so.
 * What they found stays with the routine that it was found in.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROUTINE_NAMES as ROUTINES } from '../../../lib/lists/routines';

const NATIVE = join(__dirname, '../../../native');
const read = (file: string) => readFileSync(join(NATIVE, file), 'utf8');

/** The functions of a struct of them, `(*name)(…)`. */
function functionsOf(table: string, file: string): string[] {
    const [, body] = new RegExp(`\\nstruct ${table} \\{\\n([\\s\\S]*?)\\n\\};`).exec(read(file))!;
    return [...body!.matchAll(/\(\*(\w+)\)\(/g)].map(([, pointer]) => pointer!);
}

/** The table that Kernels and the fuzz target of the kernels are made from. */
const routines = [...read('kernels.h').matchAll(/^ +X\((\w+), /gm)].map(([, name]) => name!);

test('the table of routines in C++ has those of TypeScript', () => {
    expect([...routines].sort()).toEqual([...ROUTINES].sort());
});

// Run by that name (test/long/fuzz-native.mjs): the number that an input begins with means another routine when one is added.
test.each([
    ['kernels', routines],
    [
        'rig',
        [
            ...read('fuzz/rig.cpp')
                .match(/names\[\] = \{(.*)\}/)![1]!
                .matchAll(/"(\w+)"/g),
        ].map(([, name]) => name!),
    ],
])('every input that is kept for the fuzz target of %s is named after one of its routines', (target, known) => {
    const kept = readdirSync(join(NATIVE, 'fuzz/regressions', target));
    expect(kept.filter((name) => !/^\w+-.+$/.test(name) || !known.includes(name.split('-')[0]!))).toEqual([]);
    expect(kept.length).toBeGreaterThan(0);
});

test('every function of RigKernels is called by the fuzz target of the Rig', () => {
    const functions = functionsOf('RigKernels', 'rig/rig.h');
    expect(functions.length).toBeGreaterThan(8);
    expect(functions.filter((name) => !new RegExp(`(\\.|->)${name}\\(`).test(read('fuzz/rig.cpp')))).toEqual([]);
});
