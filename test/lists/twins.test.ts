// SPDX-License-Identifier: MIT

/** Implementations that must have the same bits, or nearly the same numbers, for all input. */

import type { BlendQuats, Convention, JointKernels, QuatKernels } from '../../lib/lists';
import { implementation } from '../../lib/lists';
import { expectSameBits } from '../support/bytes';
import { describeImplementation, type ImplementationName } from '../support/implementations';
import { borderMats, jointMats, jointQuats } from '../support/joint-data';
import {
    awkwardFloats,
    awkwardPairs,
    drawnPairs,
    ordinaryPairs,
    type Pairs,
    random,
    TIMES,
} from '../support/quat-data';

const COUNTS = [...Array(20).keys(), 33, 64, 67, 1024];

/** Ordinary and awkward pairs in turn: NaN, infinities, denormals, -0, quaternions of any length. */
const pairsOf = (n: number, seed: number): Pairs => (n % 2 === 0 ? ordinaryPairs : awkwardPairs)(random(seed + n), n);

/** The same bits from two implementations for every count, pair and time. */
function expectTwins(what: string, one: BlendQuats, other: BlendQuats, seed: number): void {
    for (const n of COUNTS) {
        const pairs = [pairsOf(n, seed), pairsOf(n + 1, seed)];
        for (const t of TIMES) {
            for (const { from, to } of pairs) {
                const [a, b] = [new Float32Array(from.length), new Float32Array(from.length)];
                one(a, from, to, t);
                other(b, from, to, t);
                expectSameBits(a, b, 4, () => `${what}, N = ${n}, t = ${t}`);
            }
        }
    }
}

describeImplementation('paper/typescript', (typescript) => {
    describeImplementation('paper/c', (c) => {
        it.each(['slerpOptimized', 'slerpOptimizedExact', 'lerp', 'lerpQuats'] as const)(
            '%s: the same bits',
            (routine) => {
                expectTwins(routine, typescript[routine], c[routine], 100);
            },
        );

        // One float32 for each exponent and sign, and values without an exponent.
        const everyKind = (seed: number) =>
            Float32Array.from([
                ...Array.from({ length: 2048 }, (_, i) => {
                    const value = (1 + ((i * 7919) % 1013) / 1013) * 2 ** ((i % 278) - 150);
                    return i % 5 === 0 ? -value : value;
                }),
                ...awkwardFloats(random(seed), 2048, 0.5),
            ]);

        it.each(['reciprocalSqrt', 'sinZeroHalfPI'] as const)('%s: the same bits', (routine) => {
            const x = everyKind(200);
            const [a, b] = [new Float32Array(x.length), new Float32Array(x.length)];
            typescript[routine](a, x);
            c[routine](b, x);
            expectSameBits(a, b, 1, () => routine);
        });

        it('atanPositive: the same bits', () => {
            const [y, x] = [everyKind(201), everyKind(202).reverse()];
            const [a, b] = [new Float32Array(x.length), new Float32Array(x.length)];
            for (const [one, two] of [
                [y, x],
                [x, y],
                [x, x],
            ] as const) {
                typescript.atanPositive(a, one, two);
                c.atanPositive(b, one, two);
                expectSameBits(a, b, 1, () => 'atanPositive');
            }
        });

        // The C library's sine and arc cosine against JavaScript's.
        it.each(['slerp', 'slerpTransformed', 'slerpQuats'] as const)('%s: within 1.2e-7 of each other', (routine) => {
            for (const n of COUNTS) {
                const { from, to } = ordinaryPairs(random(300 + n), n);
                for (const t of TIMES.filter((time) => time >= 0 && time <= 1)) {
                    const [a, b] = [new Float32Array(from.length), new Float32Array(from.length)];
                    typescript[routine](a, from, to, t);
                    c[routine](b, from, to, t);
                    expectNear(a, b, 1.2e-7, `${routine}, N = ${n}, t = ${t}`);
                }
            }
        });
    });
});

function expectNear(actual: Float32Array, expected: Float32Array, tolerance: number, what: string): void {
    for (const [i, x] of actual.entries()) {
        if (!(Math.abs(x - expected[i]!) <= tolerance)) {
            throw new Error(`${what}: pair ${i >> 2} is ${x}, expected ${expected[i]}`);
        }
    }
}

/** One call for many times against one call for each. */
function expectTimesLikeLists(what: string, { slerpQuatTimes, slerpQuats }: QuatKernels, seed: number): void {
    const next = random(seed);
    for (const n of COUNTS.filter((count) => count < 100)) {
        for (const { from, to } of [ordinaryPairs(next, 1), awkwardPairs(next, 1)]) {
            const times = Float32Array.from({ length: n }, (_, i) =>
                i % 3 === 0 ? TIMES[(i + seed) % TIMES.length]! : next(),
            );
            const atOnce = new Float32Array(n * 4);
            slerpQuatTimes(atOnce, from, to, times);
            for (const [i, t] of times.entries()) {
                const alone = new Float32Array(4);
                slerpQuats(alone, from, to, t);
                expectSameBits(atOnce.subarray(i * 4, i * 4 + 4), alone, 4, () => `${what}, N = ${n}, t = ${t}`);
            }
        }
    }
}

const EBERLY = ['eberly/fpu', 'eberly/sse1', 'eberly/sse2', 'eberly/sse4'] as const;
const ALL_TERMS = Array.from({ length: 16 }, (_, i) => i + 1);

const withTerms = (name: ImplementationName, terms: number) => implementation(name, { terms }) as QuatKernels;

describeImplementation('eberly/typescript', () => {
    for (const name of EBERLY) {
        describeImplementation(name, () => {
            it('slerpQuats: the same bits for 1 … 16 terms', () => {
                for (const terms of ALL_TERMS) {
                    const [typescript, native] = (['eberly/typescript', name] as const).map(
                        (which) => withTerms(which, terms).slerpQuats,
                    );
                    expectTwins(`${terms} terms`, typescript!, native!, 400 + terms);
                }
            });
        });
    }
});

for (const name of [...EBERLY, 'eberly/typescript'] as const) {
    describeImplementation(name, () => {
        it('slerpQuatTimes: the bits of slerpQuats for each time, for 1 … 16 terms', () => {
            for (const terms of ALL_TERMS) {
                expectTimesLikeLists(`${terms} terms`, withTerms(name, terms), 500 + terms);
            }
        });
    });
}

describeImplementation('paper/typescript', (kernels) => {
    it('slerpQuatTimes: the bits of slerpQuats for each time', () => {
        for (let seed = 600; seed < 605; seed++) expectTimesLikeLists('slerpQuatTimes', kernels, seed);
    });
});

describeImplementation('blueprint/c', (blueprint) => {
    const CONVENTIONS = ['id', 'gltf'] as const;
    const convert = (kernels: JointKernels, list: Float32Array, convention: Convention) => {
        const mats = new Float32Array((list.length / 8) * 12);
        kernels.convertJointQuatsToJointMats(mats, list, { convention });
        return mats;
    };
    const back = (kernels: JointKernels, mats: Float32Array, convention: Convention) => {
        const list = new Float32Array((mats.length / 12) * 8);
        kernels.convertJointMatsToJointQuats(list, mats, { convention });
        return list;
    };

    describeImplementation('blueprint/typescript', (typescript) => {
        it.each(CONVENTIONS)('both conversions (%s): the same bits, whatever the input', (convention) => {
            const lists = [jointQuats(random(900), 1500), awkwardFloats(random(901), 1500 * 8, 0.3)];
            for (const list of lists) {
                const mats = convert(blueprint, list, convention);
                expectSameBits(convert(typescript, list, convention), mats, 12, () => 'to matrices');
            }
            for (const mats of [jointMats(random(902), 1500), awkwardFloats(random(903), 1500 * 12, 0.3)]) {
                const list = back(blueprint, mats, convention);
                expectSameBits(back(typescript, mats, convention), list, 8, () => 'to quaternions');
            }
        });
    });

    describeImplementation('paper/c', (optimised) => {
        it.each(CONVENTIONS)('to quaternions (%s): the bits of the optimised form', (convention) => {
            for (const mats of [jointMats(random(904), 1500), borderMats(random(905), 1500)]) {
                const list = back(optimised, mats, convention);
                expectSameBits(back(blueprint, mats, convention), list, 8, () => convention);
            }
        });
    });

    for (const name of ['paper/c', 'paper/sse'] as const) {
        describeImplementation(name, (optimised) => {
            it.each(CONVENTIONS)(
                'to matrices (%s): only the diagonal is rounded otherwise, by at most 2^-24',
                (convention) => {
                    const { from } = drawnPairs(random(906), 20_000, () => 1);
                    const list = Float32Array.from({ length: 20_000 * 8 }, (_, i) =>
                        (i & 7) < 4 ? from[(i >> 3) * 4 + (i & 3)]! : 1,
                    );
                    const [one, other] = [blueprint, optimised].map((kernels) => convert(kernels, list, convention));
                    const off = one!.map((x, i) => Math.abs(x - other![i]!));
                    const places = [...off.keys()].filter((i) => off[i]! > 0);
                    expect([...new Set(places.map((i) => i % 12))].sort((i, k) => i - k)).toEqual([0, 5, 10]);
                    expect(Math.max(...places.map((i) => off[i]!))).toBeLessThanOrEqual(2 ** -24);
                    // The share of different entries in the matrices of uniform rotations.
                    expect(places.length / (9 * 20_000)).toBeCloseTo(0.1407, 2);
                },
            );
        });
    }
});

describeImplementation('intel/typescript', (typescript) => {
    describeImplementation('intel/avx', (avx) => {
        it('slerpQuats: within 1e-6 of each other from 0 to 1', () => {
            for (const n of COUNTS) {
                const { from, to } = ordinaryPairs(random(700 + n), n);
                for (const t of TIMES.filter((time) => time >= 0 && time <= 1)) {
                    const [a, b] = [new Float32Array(from.length), new Float32Array(from.length)];
                    typescript.slerpQuats(a, from, to, t);
                    avx.slerpQuats(b, from, to, t);
                    expectNear(a, b, 1e-6, `N = ${n}, t = ${t}`);
                }
            }
        });

        it('slerpQuats: finite where the other is, for quaternions of any length', () => {
            for (const n of COUNTS) {
                const { from, to } = awkwardPairs(random(800 + n), n);
                for (const t of [0, 0.3, 1, Number.NaN]) {
                    const [a, b] = [new Float32Array(from.length), new Float32Array(from.length)];
                    typescript.slerpQuats(a, from, to, t);
                    avx.slerpQuats(b, from, to, t);
                    for (const [i, x] of a.entries()) {
                        if (Number.isFinite(x) && Math.abs(x) < 1e3 && !Number.isFinite(b[i]!)) {
                            const pair = [from, to].map((list) => [...list.subarray((i >> 2) * 4, (i >> 2) * 4 + 4)]);
                            throw new Error(`N = ${n}, t = ${t}, ${pair.join(' and ')}: ${b[i]}, expected ${x}`);
                        }
                    }
                }
            }
        });
    });
});
