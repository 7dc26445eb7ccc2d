// SPDX-License-Identifier: MIT

/** The quick sweep: every strict implementation that runs here gives the same bits. `npm run sweep` does much more. */

import * as poselane from '../../../lib';
import { nativeSkipReason } from '../../support/implementations';
import { buildDisturbance, type Disturb, disturbedRoutines, noOtherArithmetic } from '../../support/other-arithmetic';
import { scratchFolder } from '../../support/temporary-folder';

interface Implementation {
    name: string;
    kernels: Record<string, (...args: unknown[]) => void>;
}

const sweep = require('../sweep/index.cjs') as {
    ROUTINE_NAMES: readonly string[];
    STRICT: readonly string[];
    strictImplementations(poselane: unknown): Implementation[];
    plainImplementations(poselane: unknown): Implementation[];
    sweepRoutine(routine: string, size: string, all: Implementation[]): { cases: number; elements: number };
};

const here = sweep.strictImplementations(poselane);
const all = [...here, ...sweep.plainImplementations(poselane)];
const names = all.map(({ name }) => name);
const reason = nativeSkipReason();

describe('every strict implementation that runs here has the same bits', () => {
    if (reason === null) {
        test('there is something to compare', () => {
            expect(names).toEqual(expect.arrayContaining(['strict/typescript', 'strict/scalar']));
        });
    }
    for (const routine of sweep.ROUTINE_NAMES) {
        if (reason !== null) {
            test.skip(`${routine} [skipped: ${reason}]`, () => {});
            continue;
        }
        test(`${routine}: ${names.join(', ')}`, () => {
            const { cases, elements } = sweep.sweepRoutine(routine, 'quick', all);
            expect(elements).toBeGreaterThanOrEqual(200_000);
            expect(cases).toBeGreaterThan(1000);
        });
    }
});

describe('the sweep finds what it is there to find', () => {
    const [reference] = here;
    const { transformJoints, slerpQuatsPerQuat } = reference!.kernels;

    /** The first implementation but for one routine. */
    const wrong = (routine: string, kernel: (...args: never[]) => void): [Implementation, Implementation] => [
        reference!,
        { name: 'strict/wrong', kernels: { ...reference!.kernels, [routine]: kernel as never } },
    ];

    function report(routine: string, kernel: (...args: never[]) => void): string {
        try {
            sweep.sweepRoutine(routine, 'quick', wrong(routine, kernel));
        } catch (error) {
            return (error as Error).message;
        }
        return 'nothing found';
    }

    test('the sign of a zero', () => {
        const text = report('transformJoints', (...args: unknown[]) => {
            transformJoints!(...args);
            const result = args[0] as Float32Array;
            for (let i = 0; i < result.length; i++) if (Object.is(result[i], -0)) result[i] = 0;
        });
        expect(text).toMatch(/strict\/wrong 0 \(0x00000000\), strict\/typescript -0 \(0x80000000\)$/);
    });

    test('a write outside of the list', () => {
        const text = report('slerpQuatsPerQuat', (...args: unknown[]) => {
            slerpQuatsPerQuat!(...args);
            const { buffer, byteOffset, length } = args[0] as Float32Array;
            new Float32Array(buffer, byteOffset, length + 1)[length] = 0;
        });
        expect(text).toMatch(/strict\/wrong: word 0 after result was written$/);
    });
});

describe('whatever rounding and flushing another addon has left on, the addon has the same bits', () => {
    const folder = scratchFolder();
    let disturb: Disturb;
    const arithmeticReason = reason ?? noOtherArithmetic;

    if (arithmeticReason !== null) {
        test.skip(`every routine [skipped: ${arithmeticReason}]`, () => {});
        return;
    }
    beforeAll(() => {
        disturb = buildDisturbance(folder());
    });

    test('the other arithmetic is another one', () => {
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
});
