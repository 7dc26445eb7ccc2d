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

// The fuzz target calls a function of its own for each kernel of the list in rig/kernels.h: without one it does not compile.
test.each([
    ['streamPalettes', 'fuzz/rig/calls.h'],
    ['playbackError', 'fuzz/rig.cpp'],
    ['fitClip', 'fuzz/rig.cpp'],
    ['boundIntervals', 'fuzz/rig.cpp'],
    ['poseClip', 'fuzz/rig.cpp'],
])('%s, which is in no list, is called by the fuzz target of the Rig', (name, file) => {
    expect(read('rig/kernels.h')).toMatch(new RegExp(`\\b${name}\\b`));
    expect(read(file)).toMatch(new RegExp(`kernels(\\[i\\]->|\\.)${name}\\b`));
});
