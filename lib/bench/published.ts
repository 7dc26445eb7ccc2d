// SPDX-License-Identifier: MIT

/** The times and claims that the documents published, as printed. */

import type { Routine } from '../lists/routines';

/** Clock cycles on two Pentium 4: 130 nm and 90 nm technology. */
export interface Pentium4 {
    readonly p4At130nm: number;
    readonly p4At90nm: number;
}

/** Clock cycles in all, and divided by the 1024 elements as printed. */
interface Counts {
    readonly total: Pentium4;
    readonly perElement: Pentium4;
}

export interface PublishedRoutine {
    readonly routine: Routine;
    /** The name in the document. */
    readonly title: string;
    readonly source: string;
    readonly c: Counts;
    readonly sse: Counts;
}

const SLERPING = 'J.M.P. van Waveren, "Slerping Clock Cycles" (2005), section 7';
const QUATERNIONS = 'J.M.P. van Waveren, "From Quaternion to Matrix and Back" (2005), section 5';
const SKELETON = 'J.M.P. van Waveren, "The Skeleton Assembly Line" (2005), section 6';

/** @param columns In the order of the documents: total and per element at 130 nm, then at 90 nm. */
function counts([total130, each130, total90, each90]: readonly [number, number, number, number]): Counts {
    return {
        total: { p4At130nm: total130, p4At90nm: total90 },
        perElement: { p4At130nm: each130, p4At90nm: each90 },
    };
}

/** The number of elements in the tables of 2005. */
export const PUBLISHED_ELEMENTS = 1024;

/** "Hot Cache Clock Cycle Counts", 1024 elements: C, then SSE. */
export const PUBLISHED_2005: readonly PublishedRoutine[] = (
    [
        ['slerpJoints', SLERPING, [1035248, 1011, 1041893, 1018], [109112, 107, 131517, 128]],
        ['lerpJoints', SLERPING, [218996, 213, 253350, 248], [51080, 50, 52848, 52]],
        ['convertJointQuatsToJointMats', QUATERNIONS, [55528, 54, 63279, 62], [30916, 30, 34362, 34]],
        ['convertJointMatsToJointQuats', QUATERNIONS, [176332, 172, 176553, 173], [62460, 61, 73710, 72]],
        ['transformSkeleton', SKELETON, [132224, 130, 166176, 163], [53580, 53, 54297, 53]],
        ['untransformSkeleton', SKELETON, [133680, 131, 157104, 154], [55488, 55, 57285, 56]],
        ['transformJoints', SKELETON, [137980, 135, 151587, 148], [36520, 36, 48906, 48]],
    ] as const
).map(([routine, source, c, sse]) => {
    const title = routine[0]!.toUpperCase() + routine.slice(1);
    return { routine, title, source, c: counts(c), sse: counts(sse) };
});

export const INTEL_SOURCE =
    'P. Mehrotra and R. Hubbard, "Benefits of Intel Advanced Vector Extensions For Quaternion Spherical Linear Interpolation (Slerp)" (Intel, undated), table 1';

/**
 * How much faster AVX is than SSE on plain quaternions, on Sandy Bridge: a multiple of 16, and a length that leaves 3 elements for the
 * document's scalar code.
 */
export const PUBLISHED_INTEL = [
    { quaternions: 64, speedUp: 2.16 },
    { quaternions: 67, speedUp: 1.86 },
];

/** Predictions of Intel's Architecture Code Analyzer: cycles of one iteration, in total and on ports 0 to 5. */
export const INTEL_ANALYZER = {
    sse: { iteration: 47.75, quaternions: 4, for64: 764, ports: [46, 34, 19.5, 19.5, 6, 33] },
    // As printed: 97.2 * 64 / 16 is 388.8.
    avx: { iteration: 97.2, quaternions: 16, for64: 368.5, ports: [96, 68, 33.5, 33.5, 22, 61] },
    speedUp: 2.07,
} as const;

export const EBERLY_SOURCE =
    'D. Eberly, "A Fast and Accurate Algorithm for Computing SLERP", Journal of Graphics, GPU, and Game Tools 15:3 (2011), Table 2';

const EBERLY_CALLS = 2 ** 28;

/** Seconds for 2^28 calls: 32-bit code on a Core 2 Quad Q9550 (2.83 GHz), 64-bit code on a Core i7 Q740 (1.73 GHz). */
export const PUBLISHED_EBERLY = [
    { title: 'Slerp', seconds32Bit: 55.0, seconds64Bit: 38.0, slerpsPerCall: 1 },
    { title: 'SlerpFPU', seconds32Bit: 19.8, seconds64Bit: 17.0, slerpsPerCall: 1 },
    { title: 'SlerpSSE1', seconds32Bit: 6.1, seconds64Bit: 5.4, slerpsPerCall: 1 },
    { title: 'SlerpSSE2', seconds32Bit: 11.0, seconds64Bit: 9.8, slerpsPerCall: 2 },
    { title: 'SlerpSSE4', seconds32Bit: 18.0, seconds64Bit: 17.2, slerpsPerCall: 4 },
];

/** Seconds of the table as nanoseconds per slerp. */
export function nanosecondsPerSlerp(seconds: number, slerpsPerCall: number): number {
    return (seconds * 1e9) / EBERLY_CALLS / slerpsPerCall;
}

/** A sentence of a document about speed. */
export interface PublishedClaim {
    readonly document: string;
    readonly says: string;
    /** Titles of the two rows that it compares. Missing if no table has them. */
    readonly slow?: string;
    readonly fast?: string;
}

const cToSse = (document: string, routine: string, says: string): PublishedClaim => ({
    document,
    says: `${routine}: ${says}`,
    slow: `${routine} (C)`,
    fast: `${routine} (SSE)`,
});

export const PUBLISHED_CLAIMS: readonly PublishedClaim[] = [
    cToSse('Slerping Clock Cycles', 'SlerpJoints', '"more than 7 times faster", "well over 7 times"'),
    {
        document: 'Slerping Clock Cycles',
        says: 'SlerpJoints: "two times faster" than LerpJoints (C)',
        slow: 'LerpJoints (C)',
        fast: 'SlerpJoints (SSE)',
    },
    cToSse('From Quaternion to Matrix', 'ConvertJointQuatsToJointMats', '"over 44% less clock cycles", so 1.79x'),
    cToSse('From Quaternion to Matrix', 'ConvertJointMatsToJointQuats', '"more than two times faster"'),
    cToSse('The Skeleton Assembly Line', 'TransformSkeleton', '"well over two", "close to three times"'),
    cToSse('The Skeleton Assembly Line', 'UntransformSkeleton', '"well over two", "at least two times"'),
    cToSse('The Skeleton Assembly Line', 'TransformJoints', '"well over two", "close to three times"'),
    { document: 'Benefits of Intel AVX', says: 'initial port: 1.58x (here: docs/tables/rejected.md)' },
    { document: 'Benefits of Intel AVX', says: 'unrolled: "another 2.4%", so 1.024x (the same)' },
    { document: 'Benefits of Intel AVX', says: 'shuffles for 8 quaternions: "from 36 to 24" (the same)' },
    {
        document: 'A Fast and Accurate Algorithm',
        says: 'four times of a pair: "10-fold acceleration"',
        slow: 'Slerp',
        fast: 'SlerpSSE4',
    },
];
