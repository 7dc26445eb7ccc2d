// SPDX-License-Identifier: MIT

/** The short form of test/long/flip-indices.mjs. */

import * as lib from '../../../lib';
import { ROUTINES } from '../../../lib/lists/routines';
import { compiledRigs } from '../../../lib/rig/compiled';
import { typescriptRig } from '../../../lib/rig/kernels';
import { sourceOfParts } from '../../../lib/rig/source/from-parts';

const { flipIndices } = require('../flip-indices/flip.cjs') as {
    flipIndices(what: object): Promise<{ calls: number; refused: number; routines: number; implementations: number }>;
};
const { rigImplementations } = require('../sweep/rigs.cjs') as {
    rigImplementations(modules: object): unknown[];
};

const here = lib.implementations().filter(({ available }) => available);
const implementations = here.map(({ name }) => ({ name, kernels: lib.implementation(name) }));
const rigs = rigImplementations({ Rig: lib.Rig, sourceOfParts, compiledRigs, typescriptRig });

test('lists that another thread changes during the call: no crash, and nothing is written outside', async () => {
    const { calls, refused, routines } = await flipIndices({
        implementations,
        rigs,
        routines: ROUTINES,
        milliseconds: 3000,
    });
    expect(routines).toBe(12);
    // However busy the machine is, each was called.
    expect(calls).toBeGreaterThanOrEqual(routines);
    // Some of them have to get past the first look, and some must not.
    expect(refused).toBeGreaterThan(0);
    expect(refused).toBeLessThan(calls);
});

test('a kernel that writes where it is told to is found', async () => {
    const wild = {
        slerpJoints: (joints: Float32Array) => {
            new Float32Array(joints.buffer, joints.byteOffset - 4, 1)[0] = 1;
        },
    };
    const run = flipIndices({
        implementations: [{ name: 'wild', kernels: wild }],
        rigs: [],
        routines: ROUTINES,
        milliseconds: 1,
    });
    await expect(run).rejects.toThrow(/wrote outside of the list/);
});
