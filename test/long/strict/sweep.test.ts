// SPDX-License-Identifier: MIT

/**
 * The quick sweep: every strict implementation of the routines and of the Rig that runs here has the same bits, also after
 * another addon changed the rounding. `npm run sweep` does much more.
 */

import * as poselane from '../../../lib';
import { compiledRigs } from '../../../lib/rig/compiled';
import { typescriptRig } from '../../../lib/rig/kernels';
import type { RigImplementation } from '../../../lib/rig/kernels/table';
import { Rig } from '../../../lib/rig/rig';
import { sourceOfParts } from '../../../lib/rig/source/from-parts';
import { nativeSkipReason } from '../../support/implementations';
import {
    buildDisturbance,
    type Disturb,
    disturbedRig,
    disturbedRoutines,
    noOtherArithmetic,
} from '../../support/other-arithmetic';
import { scratchFolder } from '../../support/temporary-folder';
import { describeUnless } from '../../support/unless';

interface Implementation {
    name: string;
    kernels: Record<string, (...args: unknown[]) => void>;
}

const sweep = require('../sweep/index.cjs') as {
    ROUTINE_NAMES: readonly string[];
    strictImplementations(poselane: unknown): Implementation[];
    plainImplementations(poselane: unknown): Implementation[];
    sweepRoutine(routine: string, size: string, all: Implementation[]): { cases: number; elements: number };
};
const rigSweep = require('../sweep/rigs.cjs') as {
    RIG_METHODS: readonly string[];
    rigImplementations(modules: object): { name: string }[];
    rigImplementation(modules: object, implementation: RigImplementation): { name: string };
    sweepRigs(
        size: string,
        all: { name: string }[],
    ): { cases: number; counts: Record<string, { results: number; floats: number }> };
};

const here = sweep.strictImplementations(poselane);
const modules = { Rig, sourceOfParts, compiledRigs, typescriptRig };
const rigs = rigSweep.rigImplementations(modules);

const reason = nativeSkipReason();

describeUnless(reason, 'every strict implementation that runs here has the same bits', () => {
    const all = [...here, ...sweep.plainImplementations(poselane)];

    test('there is something to compare', () => {
        for (const list of [all, rigs]) {
            const names = list.map(({ name }) => name);
            expect(names).toEqual(expect.arrayContaining(['strict/typescript', 'strict/scalar']));
        }
    });

    test('detects a kernel that writes after its result', () => {
        const [reference] = here;
        const slerpQuatsPerQuat = (...args: unknown[]) => {
            reference!.kernels.slerpQuatsPerQuat!(...args);
            const { buffer, byteOffset, byteLength } = args[0] as Float32Array;
            new Int32Array(buffer, byteOffset + byteLength, 1)[0]!++;
        };
        const wrong = { name: 'strict/wrong', kernels: { ...reference!.kernels, slerpQuatsPerQuat } };
        const run = () => sweep.sweepRoutine('slerpQuatsPerQuat', 'quick', [reference!, wrong]);
        expect(run).toThrow(/word 0 after result was written/);
    });

    test.each(sweep.ROUTINE_NAMES)('%s', (routine) => {
        const { cases, elements } = sweep.sweepRoutine(routine, 'quick', all);
        expect(elements).toBeGreaterThanOrEqual(200_000);
        expect(cases).toBeGreaterThan(1000);
    });

    test('all methods of the Rig', () => {
        const { cases, counts } = rigSweep.sweepRigs('quick', rigs);
        expect(cases).toBe(100);
        expect(Object.keys(counts)).toEqual([...rigSweep.RIG_METHODS]);
        for (const { results } of Object.values(counts)) expect(results).toBeGreaterThan(100);
        for (const method of ['evaluate', 'blend', 'toGlobal', 'palettes', 'skinVertices']) {
            expect(counts[method]!.floats).toBeGreaterThan(300_000);
        }
    });
});

const title = 'whatever rounding and flushing another addon has left on, the addon has the same bits';
describeUnless(reason ?? noOtherArithmetic, title, () => {
    const folder = scratchFolder();
    let disturb: Disturb;
    beforeAll(() => {
        disturb = buildDisturbance(folder());
    });

    test('the other arithmetic has other results', () => {
        const sum = () => Number('1') + 2 ** -60;
        expect(sum()).toBe(1);
        expect(disturb(sum)).toBe(1 + 2 ** -52);
        expect(sum()).toBe(1);
    });

    test.each(sweep.ROUTINE_NAMES)('%s', (routine) => {
        const natives = here
            .filter(({ name }) => !/\/(typescript|wasm)$/.test(name))
            .map((one) => disturbedRoutines(disturb, one));
        expect(natives.length).toBeGreaterThan(0);
        expect(() => sweep.sweepRoutine(routine, 'golden', [here[0]!, ...natives])).not.toThrow();
    });

    test('all methods of the Rig', () => {
        // WebAssembly calculates as JavaScript does.
        const natives = compiledRigs.flatMap(({ implementation }) =>
            implementation?.name === 'strict/wasm' ? [] : (implementation ?? []),
        );
        expect(natives.length).toBeGreaterThan(0);
        const disturbed = natives.map((one) => rigSweep.rigImplementation(modules, disturbedRig(disturb, one)));
        expect(() => rigSweep.sweepRigs('golden', [rigs[0]!, ...disturbed])).not.toThrow();
    });
});
