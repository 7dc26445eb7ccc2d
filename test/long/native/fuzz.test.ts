// SPDX-License-Identifier: MIT

/**
 * Every kernel is in the fuzz targets: without this test, nobody would notice a kernel that is not fuzzed.
 * Stored inputs are named after their routine.
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

// test/long/fuzz-native.mjs runs them by this name: the first number of an input means another routine after one is added.
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

// The fuzz target calls one function for each kernel of the list in rig/kernels.h, and does not compile without it.
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
