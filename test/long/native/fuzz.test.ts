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

/** What the targets call. */
const sources = readdirSync(join(NATIVE, 'fuzz'))
    .filter((file) => file.endsWith('.cpp'))
    .map((file) => read(join('fuzz', file)))
    .join('\n');

/** The functions of a table, `(*name)(…)` and `BlendJoints name;`. */
function functionsOf(table: string, file: string): string[] {
    const [, body] = new RegExp(`\\nstruct ${table} \\{\\n([\\s\\S]*?)\\n\\};`).exec(read(file))!;
    const members = body!.replace(/using \w+ =[\s\S]*?;/g, '').matchAll(/\(\*(\w+)\)\(|^ +Blend\w+ (\w+);/gm);
    return [...members].map(([, pointer, named]) => pointer ?? named!);
}

/** The routines of the fuzz target of the kernels, by its tables. */
const routines = [...sources.matchAll(/^ +POSELANE_BLEND\(\w+, (\w+),|^ +\{"(\w+)",/gm)].map(
    ([, blend, other]) => blend ?? other!,
);

test('every function of Kernels is a routine of the fuzz target, under its own name', () => {
    const functions = functionsOf('Kernels', 'kernels.h');
    expect(functions.sort()).toEqual([...ROUTINES].sort());
    expect([...routines].sort()).toEqual(functions.sort());
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

test('the box of a skin is fuzzed: every function that the addon calls for it', () => {
    const calls = [...read('addon/box_calls.cpp').matchAll(/\b(gathered\.\w+|addSkinnedRows)\(/g)].map(
        ([, call]) => call!,
    );
    expect([...new Set(calls)].sort()).toEqual([
        'addSkinnedRows',
        ...['gathered.add', 'gathered.addTo', 'gathered.cluster', 'gathered.reserve'],
    ]);
    expect(calls.filter((call) => !read('fuzz/skin_box.cpp').includes(`${call}(`))).toEqual([]);
});
