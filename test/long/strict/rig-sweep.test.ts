// SPDX-License-Identifier: MIT

/** The quick sweep of the Rig: every implementation that runs here gives the same bits. `npm run sweep` does much more. */

import { compiledRigs } from '../../../lib/rig/compiled';
import { typescriptRig, typescriptSkinning } from '../../../lib/rig/kernels';
import { blockFloats } from '../../../lib/rig/kernels/contract';
import type { PoseKernels, RigImplementation } from '../../../lib/rig/kernels/table';
import { Rig } from '../../../lib/rig/rig';
import { sourceOfParts } from '../../../lib/rig/source/from-parts';
import { nativeSkipReason } from '../../support/implementations';
import {
    buildDisturbance,
    type Disturb,
    disturbedFunctions,
    disturbedRig,
    noOtherArithmetic,
} from '../../support/other-arithmetic';
import { scratchFolder } from '../../support/temporary-folder';

interface Implementation {
    readonly name: string;
    create(parts: unknown): Rig;
}

const sweep = require('../sweep/rigs.cjs') as {
    RIG_METHODS: readonly string[];
    rigImplementations(modules: object): Implementation[];
    rigImplementation(modules: object, implementation: RigImplementation): Implementation;
    sweepRigs(
        size: string,
        all: Implementation[],
    ): { cases: number; counts: Record<string, { results: number; floats: number }> };
};

const modules = { Rig, sourceOfParts, compiledRigs, typescriptRig };
const here = sweep.rigImplementations(modules);
const names = here.map(({ name }) => name);
const reason = nativeSkipReason();

describe('every implementation of the Rig that runs here has the same bits', () => {
    if (reason !== null) {
        test.skip(`all methods [skipped: ${reason}]`, () => {});
        return;
    }
    test(`all methods: ${names.join(', ')}`, () => {
        expect(names).toEqual(expect.arrayContaining(['strict/typescript', 'strict/scalar']));
        const { cases, counts } = sweep.sweepRigs('quick', here);
        expect(cases).toBe(100);
        expect(Object.keys(counts)).toEqual([...sweep.RIG_METHODS]);
        for (const { results } of Object.values(counts)) expect(results).toBeGreaterThan(100);
        for (const method of ['evaluate', 'blend', 'toGlobal', 'palettes', 'skinVertices']) {
            expect(counts[method]!.floats).toBeGreaterThan(300_000);
        }
    });
});

/** The kernels in TypeScript, but for some of them. */
function wrong(change: (kernels: PoseKernels, floatsOfBlock: number) => Partial<PoseKernels>) {
    const implementation: RigImplementation = {
        name: 'strict/wrong',
        load: (tables) => {
            const loaded = typescriptRig.load(tables);
            return {
                select: (slots) => {
                    const kernels = loaded.select(slots);
                    const floats = blockFloats(slots.slots.length, tables.restWeights.length);
                    return { ...kernels, ...change(kernels, floats) };
                },
            };
        },
        skinning: typescriptSkinning,
    };
    return sweep.rigImplementation(modules, implementation);
}

describe('the sweep of the Rig finds what it is there to find', () => {
    function report(implementation: Implementation): string {
        try {
            sweep.sweepRigs('golden', [here[0]!, implementation]);
        } catch (error) {
            return (error as Error).message;
        }
        return 'nothing found';
    }

    const bitsOf = ({ buffer, byteOffset, length }: Float32Array) => new Int32Array(buffer, byteOffset, length);
    const DIFFERENCE = /strict\/wrong \S+ \(0x\w{8}\), strict\/typescript \S+ \(0x\w{8}\)$/;

    test('one bit of one pose, in the second block', () => {
        const text = report(
            wrong(({ evaluate }, floatsOfBlock) => ({
                evaluate: (data, count, ...rest) => {
                    evaluate(data, count, ...rest);
                    // The least bit of the Tx of the first slot, in pose 17 alone.
                    if (count > 17) bitsOf(data)[floatsOfBlock + 1]! ^= 1;
                },
            })),
        );
        expect(text).toMatch(
            /^Rig \(case any\/\d+\): data \w+, \d+ nodes, .*\n {2}evaluate, pose 17, component 0 of slot \d+: /,
        );
        expect(text).toMatch(DIFFERENCE);
    });

    test('the sign of a zero', () => {
        const text = report(
            wrong(({ palettes }) => ({
                palettes: (data, count, skin, out, format) => {
                    palettes(data, count, skin, out, format);
                    for (let i = 0; i < out.length; i++) if (Object.is(out[i], -0)) out[i] = 0;
                },
            })),
        );
        expect(text).toMatch(
            /palettes, pose \d+, float \d+ of its palette of skin \d, mat4: strict\/wrong 0 \(0x00000000\), strict\/typescript -0/,
        );
    });

    test('a write outside of the list', () => {
        const text = report(
            wrong(({ joints }) => ({
                joints: (data, count, slots, out) => {
                    joints(data, count, slots, out);
                    new Float32Array(out.buffer, out.byteOffset, out.length + 1)[out.length] = 0;
                },
            })),
        );
        expect(text).toMatch(/strict\/wrong: word 0 after out was written$/);
    });
});

describe('whatever rounding and flushing another addon has left on, the Rig in the addon has the same bits', () => {
    const folder = scratchFolder();
    const skip = reason ?? noOtherArithmetic;
    if (skip !== null) {
        test.skip(`all methods [skipped: ${skip}]`, () => {});
        return;
    }
    let disturb: Disturb;
    beforeAll(() => {
        disturb = buildDisturbance(folder());
    });

    // WebAssembly calculates as JavaScript does.
    const natives = compiledRigs.flatMap(({ implementation }) =>
        implementation?.name === 'strict/wasm' ? [] : (implementation ?? []),
    );

    test(natives.map(({ name }) => name).join(', '), () => {
        const implementations = natives.map((native) => disturbedRig(disturb, native));
        expect(implementations.length).toBeGreaterThan(0);
        const all = implementations.map((implementation) => sweep.rigImplementation(modules, implementation));
        expect(() => sweep.sweepRigs('golden', [here[0]!, ...all])).not.toThrow();
    });

    test('it would be seen: TypeScript in that arithmetic has other bits', () => {
        const implementation = wrong((kernels) => disturbedFunctions(disturb, kernels));
        expect(() => sweep.sweepRigs('golden', [here[0]!, implementation])).toThrow(/\n {2}(evaluate|blend), pose/);
    });
});
