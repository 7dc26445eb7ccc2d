// SPDX-License-Identifier: MIT
import {
    nanosecondsPerSlerp,
    PUBLISHED_2005,
    PUBLISHED_EBERLY,
    PUBLISHED_ELEMENTS,
    PUBLISHED_INTEL,
} from '../../lib/bench/published';

/** Routine; C on the P4 of 130 nm and 90 nm, SSE on both: clocks per element. */
const TABLE_OF_2005 = [
    ['SlerpJoints', 1011, 1018, 107, 128],
    ['LerpJoints', 213, 248, 50, 52],
    ['ConvertJointQuatsToJointMats', 54, 62, 30, 34],
    ['ConvertJointMatsToJointQuats', 172, 173, 61, 72],
    ['TransformSkeleton', 130, 163, 53, 53],
    ['UntransformSkeleton', 131, 154, 55, 56],
    ['TransformJoints', 135, 148, 36, 48],
] as const;

describe('published figures', () => {
    test('2005: clocks per element, in the order of the papers', () => {
        expect(
            PUBLISHED_2005.map(({ title, c, sse }) => [
                title,
                c.perElement.p4At130nm,
                c.perElement.p4At90nm,
                sse.perElement.p4At130nm,
                sse.perElement.p4At90nm,
            ]),
        ).toEqual(TABLE_OF_2005);
    });

    test('2005: the printed totals are those figures times 1024, to within one clock, as printed', () => {
        for (const { c, sse } of PUBLISHED_2005) {
            for (const { total, perElement } of [c, sse]) {
                expect(Math.abs(total.p4At130nm / PUBLISHED_ELEMENTS - perElement.p4At130nm)).toBeLessThan(1);
                expect(Math.abs(total.p4At90nm / PUBLISHED_ELEMENTS - perElement.p4At90nm)).toBeLessThan(1);
            }
        }
    });

    test('Intel: 64 quaternions 2.16 times, 67 quaternions 1.86 times', () => {
        expect(PUBLISHED_INTEL).toEqual([
            { quaternions: 64, speedUp: 2.16 },
            { quaternions: 67, speedUp: 1.86 },
        ]);
    });

    test('Eberly: seconds for 2^28 calls, 32-bit and 64-bit', () => {
        expect(PUBLISHED_EBERLY.map((row) => Object.values(row))).toEqual([
            ['Slerp', 55.0, 38.0, 1],
            ['SlerpFPU', 19.8, 17.0, 1],
            ['SlerpSSE1', 6.1, 5.4, 1],
            ['SlerpSSE2', 11.0, 9.8, 2],
            ['SlerpSSE4', 18.0, 17.2, 4],
        ]);
        expect(nanosecondsPerSlerp(55.0, 1)).toBeCloseTo(204.89, 2);
        expect(nanosecondsPerSlerp(17.2, 4)).toBeCloseTo(16.02, 2);
    });
});
