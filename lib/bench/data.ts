// SPDX-License-Identifier: MIT

/** The data of the benchmarks: the same numbers in every run, laid out in memory the same way. */

import { convertJointQuatsToJointMats } from '../lists/functions';

/** How far apart the rotations of a pair are. */
export const ANGLES = {
    random: 'pairs of random unit quaternions, uniform over all rotations (half of them on opposite hemispheres)',
    frames: 'pairs as of neighboring key frames: random unit quaternions, and each turned by 0 to 20 degrees',
} as const;

export type Angles = keyof typeof ANGLES;

/** The interpolation parameter of every list routine. */
export const T = 0.3;

/** The seed of the data, with which the list length is mixed. */
export const SEED = 1;

/** Lists of `n` elements for every routine. Measurements never change lists that routines only read. */
export interface BenchData {
    readonly n: number;
    /** JointQuats, and those of another pose. */
    readonly joints: Float32Array;
    readonly blendJoints: Float32Array;
    /** The same two poses as JointMats. */
    readonly mats: Float32Array;
    readonly blendMats: Float32Array;
    /** Chains with a branch now and then, as a skeleton has them. */
    readonly parents: Int32Array;
    /** The rotations of `joints` and `blendJoints` as plain quaternions. */
    readonly from: Float32Array;
    readonly to: Float32Array;
    /** Times between 0 and 1; also what the functions of one number get. */
    readonly times: Float32Array;
    readonly otherTimes: Float32Array;
    /** Destinations. */
    readonly workJoints: Float32Array;
    readonly workMats: Float32Array;
    readonly workQuats: Float32Array;
    readonly workFloats: Float32Array;
}

/** A seeded generator of numbers from 0 up to 1 (mulberry32). */
export function generator(seed: number): () => number {
    let state = seed | 0;
    return () => {
        state = (state + 0x6d2b79f5) | 0;
        let t = Math.imul(state ^ (state >>> 15), 1 | state);
        t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
}

/** The data for lists of `n` elements. */
export function createData(n: number, angles: Angles): BenchData {
    const random = generator(SEED * 0x9e3779b1 + n);
    const arena = createArena(n);
    const data: BenchData = {
        n,
        joints: arena.floats(n * 8),
        blendJoints: arena.floats(n * 8),
        mats: arena.floats(n * 12),
        blendMats: arena.floats(n * 12),
        parents: arena.ints(n),
        from: arena.floats(n * 4),
        to: arena.floats(n * 4),
        times: arena.floats(n),
        otherTimes: arena.floats(n),
        workJoints: arena.floats(n * 8),
        workMats: arena.floats(n * 12),
        workQuats: arena.floats(n * 4),
        workFloats: arena.floats(n),
    };
    for (let i = 0; i < n; i++) {
        const q = randomQuat(random);
        const blend = angles === 'random' ? randomQuat(random) : turned(q, random() * 20, random);
        data.joints.set(q, i * 8);
        data.blendJoints.set(blend, i * 8);
        data.from.set(q, i * 4);
        data.to.set(blend, i * 4);
        for (let k = 4; k < 7; k++) {
            data.joints[i * 8 + k] = random() * 2 - 1;
            data.blendJoints[i * 8 + k] = random() * 2 - 1;
        }
        data.parents[i] = i === 0 ? -1 : random() < 0.7 ? i - 1 : Math.floor(random() * i);
        data.times[i] = random();
        data.otherTimes[i] = random();
    }
    convertJointQuatsToJointMats(data.mats, data.joints);
    convertJointQuatsToJointMats(data.blendMats, data.blendJoints);
    return data;
}

/**
 * One block for all lists, because the address of a short list changes its time by up to a third, and separate arrays
 * get new addresses in every process. Each list begins on a cache line, and no two at the same place of a page, where a
 * store to one would hold up loads from the other.
 */
function createArena(n: number) {
    const PAGE = 4096;
    const STAGGER = 5 * 64;
    /** glibc and musl keep 16 bytes of their own before a large block. */
    const lead = process.platform === 'linux' ? 48 : 0;
    const listsBytes = n * 4 * (3 * 8 + 3 * 12 + 3 * 4 + 4);
    // Above 32 MB the allocator always asks the system, and untouched pages cost nothing.
    const block = new ArrayBuffer(Math.max(listsBytes + 32 * PAGE, 33 << 20));
    let lists = 0;
    let end = 0;
    const place = (length: number): number => {
        const begin = Math.ceil(end / PAGE) * PAGE + lead + (lists++ % 12) * STAGGER;
        end = begin + length * 4;
        return begin;
    };
    return {
        floats: (length: number) => new Float32Array(block, place(length), length),
        ints: (length: number) => new Int32Array(block, place(length), length),
    };
}

/** Uniform over the unit quaternions (K. Shoemake, Graphics Gems III). */
function randomQuat(random: () => number): number[] {
    const u = random();
    const [a, b] = [Math.sqrt(1 - u), Math.sqrt(u)];
    const [alpha, beta] = [random() * 2 * Math.PI, random() * 2 * Math.PI];
    return [a * Math.sin(alpha), a * Math.cos(alpha), b * Math.sin(beta), b * Math.cos(beta)];
}

/** `q` after a rotation by some degrees about a random axis. */
function turned(q: readonly number[], degrees: number, random: () => number): number[] {
    const z = random() * 2 - 1;
    const around = random() * 2 * Math.PI;
    const half = (degrees * Math.PI) / 360;
    const [s, w] = [Math.sin(half), Math.cos(half)];
    const [x, y] = [s * Math.sqrt(1 - z * z) * Math.cos(around), s * Math.sqrt(1 - z * z) * Math.sin(around)];
    const [qx, qy, qz, qw] = q as [number, number, number, number];
    const zs = z * s;
    return [
        w * qx + x * qw + y * qz - zs * qy,
        w * qy + y * qw + zs * qx - x * qz,
        w * qz + zs * qw + x * qy - y * qx,
        w * qw - x * qx - y * qy - zs * qz,
    ];
}
