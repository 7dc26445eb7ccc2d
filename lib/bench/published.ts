// SPDX-License-Identifier: MIT

/** The times, claims and errors that the documents published, as printed. */

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

/** Total at 130 nm, per element at 130 nm, total at 90 nm, per element at 90 nm: the columns of the tables. */
function counts(total130: number, each130: number, total90: number, each90: number): Counts {
    return {
        total: { p4At130nm: total130, p4At90nm: total90 },
        perElement: { p4At130nm: each130, p4At90nm: each90 },
    };
}

/** The number of elements in the tables of 2005. */
export const PUBLISHED_ELEMENTS = 1024;

/** "Hot Cache Clock Cycle Counts", 1024 elements. */
export const PUBLISHED_2005: readonly PublishedRoutine[] = [
    {
        routine: 'slerpJoints',
        title: 'SlerpJoints',
        source: SLERPING,
        c: counts(1035248, 1011, 1041893, 1018),
        sse: counts(109112, 107, 131517, 128),
    },
    {
        routine: 'lerpJoints',
        title: 'LerpJoints',
        source: SLERPING,
        c: counts(218996, 213, 253350, 248),
        sse: counts(51080, 50, 52848, 52),
    },
    {
        routine: 'convertJointQuatsToJointMats',
        title: 'ConvertJointQuatsToJointMats',
        source: QUATERNIONS,
        c: counts(55528, 54, 63279, 62),
        sse: counts(30916, 30, 34362, 34),
    },
    {
        routine: 'convertJointMatsToJointQuats',
        title: 'ConvertJointMatsToJointQuats',
        source: QUATERNIONS,
        c: counts(176332, 172, 176553, 173),
        sse: counts(62460, 61, 73710, 72),
    },
    {
        routine: 'transformSkeleton',
        title: 'TransformSkeleton',
        source: SKELETON,
        c: counts(132224, 130, 166176, 163),
        sse: counts(53580, 53, 54297, 53),
    },
    {
        routine: 'untransformSkeleton',
        title: 'UntransformSkeleton',
        source: SKELETON,
        c: counts(133680, 131, 157104, 154),
        sse: counts(55488, 55, 57285, 56),
    },
    {
        routine: 'transformJoints',
        title: 'TransformJoints',
        source: SKELETON,
        c: counts(137980, 135, 151587, 148),
        sse: counts(36520, 36, 48906, 48),
    },
];

/** How much faster AVX is than SSE on plain quaternions, on Sandy Bridge. */
export interface PublishedIntel {
    readonly quaternions: number;
    readonly speedUp: number;
}

export const INTEL_SOURCE =
    'P. Mehrotra and R. Hubbard, "Benefits of Intel Advanced Vector Extensions For Quaternion Spherical Linear Interpolation (Slerp)" (Intel, undated), table 1';

/** A multiple of 16, and one that leaves 3 for the scalar tail of the document. */
export const PUBLISHED_INTEL: readonly PublishedIntel[] = [
    { quaternions: 64, speedUp: 2.16 },
    { quaternions: 67, speedUp: 1.86 },
];

/** What Intel's Architecture Code Analyzer predicted: cycles of one iteration, and on the ports 0 to 5 in it. */
export const INTEL_ANALYZER = {
    sse: { iteration: 47.75, quaternions: 4, for64: 764, ports: [46, 34, 19.5, 19.5, 6, 33] },
    // As printed: 97.2 * 64 / 16 is 388.8.
    avx: { iteration: 97.2, quaternions: 16, for64: 368.5, ports: [96, 68, 33.5, 33.5, 22, 61] },
    speedUp: 2.07,
} as const;

/** Seconds for 2^28 calls: 32-bit code on a Core 2 Quad Q9550 (2.83 GHz), 64-bit code on a Core i7 Q740 (1.73 GHz). */
export interface PublishedEberly {
    readonly title: string;
    readonly seconds32Bit: number;
    readonly seconds64Bit: number;
    readonly slerpsPerCall: number;
}

export const EBERLY_SOURCE =
    'D. Eberly, "A Fast and Accurate Algorithm for Computing SLERP", Journal of Graphics, GPU, and Game Tools 15:3 (2011), Table 2';

export const EBERLY_CALLS = 2 ** 28;

export const PUBLISHED_EBERLY: readonly PublishedEberly[] = [
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

/** What a document says about speed in words. */
export interface PublishedClaim {
    readonly document: string;
    readonly says: string;
    /** The two that it compares, by their titles in the tables; missing where no table has them. */
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
    { document: 'Benefits of Intel AVX', says: 'initial port: 1.58x (here: docs/rejected.md)' },
    { document: 'Benefits of Intel AVX', says: 'unrolled: "another 2.4%", so 1.024x (the same)' },
    { document: 'Benefits of Intel AVX', says: 'shuffles for 8 quaternions: "from 36 to 24" (the same)' },
    {
        document: 'A Fast and Accurate Algorithm',
        says: 'four times of a pair: "10-fold acceleration"',
        slow: 'Slerp',
        fast: 'SlerpSSE4',
    },
];

/** A row of Eberly's Table 1: digits as printed. */
export interface PublishedTerms {
    readonly n: number;
    readonly mu: string;
    /** Of a weight; a slerp is off by at most twice that. */
    readonly e: string;
    readonly t0: string;
    readonly t1: string;
}

export const EBERLY_TABLE_1: readonly PublishedTerms[] = `
     1  0.62943436108234530  5.745259e-3  0.3214  0.8477
     2  0.73965850021313961  1.092666e-3  0.3080  0.8344
     3  0.79701067629566813  2.809387e-4  0.3026  0.8288
     4  0.83291820510335812  8.409177e-5  0.2998  0.8258
     5  0.85772477879039977  2.763477e-5  0.2980  0.8238
     6  0.87596835698904785  9.678992e-6  0.2967  0.8224
     7  0.88998444919711206  3.551215e-6  0.2958  0.8214
     8  0.90110745351730037  1.349968e-6  0.2952  0.8206
     9  0.91015881189952352  5.277561e-7  0.2946  0.8200
    10  0.91767344933047190  2.110597e-7  0.2942  0.8195
    11  0.92401541194159076  8.600881e-8  0.2938  0.8191
    12  0.92944142668012797  3.560875e-8  0.2935  0.8188
    13  0.93413793373091059  1.494321e-8  0.2932  0.8184
    14  0.93824371262559758  6.344653e-9  0.2930  0.8182
    15  0.94186426368404708  2.721482e-9  0.2928  0.8180
    16  0.94508125972497303  1.177902e-9  0.2926  0.8178`
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/))
    .map(([n, mu, e, t0, t1]) => ({ n: Number(n), mu: mu!, e: e!, t0: t0!, t1: t1! }));

/** An error that a document states of its routines. */
export interface PublishedError {
    readonly document: string;
    readonly says: string;
    readonly error: number;
    /** What it is the error of. */
    readonly of: 'sine' | 'arcTangent' | 'sse' | 'eberly';
}

export const PUBLISHED_ERRORS: readonly PublishedError[] = [
    { document: 'Slerping Clock Cycles', says: 'sine, in exact arithmetic', error: 2.308e-9, of: 'sine' },
    { document: 'Slerping Clock Cycles', says: 'arc tangent, in exact arithmetic', error: 1.359e-8, of: 'arcTangent' },
    { document: 'Slerping Clock Cycles', says: 'SlerpJoints by SSE, a component', error: 4.768e-7, of: 'sse' },
    { document: 'A Fast and Accurate Algorithm', says: 'slerp with 8 terms', error: 2.7e-6, of: 'eberly' },
];
