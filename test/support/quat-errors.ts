// SPDX-License-Identifier: MIT

/** The sets of pairs of docs/numerics.md, made smaller, and a routine's errors on one of them. */

import type { BlendQuats } from '../../lib/lists';
import { slerpReference } from './joint-reference';
import { drawnPairs, type Pairs, random } from './quat-data';

// Looked up once: in jest's sandbox every look-up of a global is slow.
const { abs, asin, max, min, PI, sqrt } = Math;

const sizeOf = (q: readonly number[]) => sqrt(q[0]! * q[0]! + q[1]! * q[1]! + q[2]! * q[2]! + q[3]! * q[3]!);

/** As in scripts/docs/accuracy: what is left over from groups of 4, 8 and 16 is measured too. */
const LIST = 67;

interface List extends Pairs {
    readonly t: number;
    /** For each pair its right answers, which are two where either way round is right. */
    readonly slerps: readonly (readonly number[][])[];
}

export type Sample = readonly List[];

function list({ from, to }: Pairs, t: number): List {
    const pairs = Array.from({ length: from.length / 4 }, (_, i) => [
        [...from.subarray(i * 4, i * 4 + 4)],
        [...to.subarray(i * 4, i * 4 + 4)],
    ]) as [number[], number[]][];
    const slerps = pairs.map(([a, b]) => {
        const rights = slerpReference(a, b, t);
        // A copy of `to` at the end is right, whatever its sign.
        return t === 1 ? [...rights, b] : rights;
    });
    return { from, to, t, slerps };
}

function drawn(seed: number, lists: number, angle: (next: () => number) => number): Sample {
    const next = random(seed);
    return Array.from({ length: lists }, () => {
        const t = Math.fround(next());
        return list(
            drawnPairs(next, LIST, () => angle(next)),
            t,
        );
    });
}

function swept(): Sample {
    const acute = [0, 1e-7, 1e-5, 1e-3, 3e-3, 1e-2, 0.1, 0.4, 0.8, 1.2, 1.45, PI / 2];
    const angles = [...acute, ...acute.map((angle) => PI - angle)];
    return angles.flatMap((angle, index) => {
        const next = random(2000 + index);
        return [0, 1, 7, 16, 32, 41, 55, 63, 64].map((k) =>
            list(
                drawnPairs(next, 13, () => angle),
                k / 64,
            ),
        );
    });
}

export type SetName = 'a' | 'b' | 'c';

const MAKE: Record<SetName, () => Sample> = {
    a: () => drawn(1000, 240, (next) => PI * next()),
    b: swept,
    c: () => drawn(3000, 100, (next) => 10 ** (-8 + 6 * next())),
};

const made = new Map<SetName | 'near', Sample>();

function once(name: SetName | 'near', make: () => Sample): Sample {
    let found = made.get(name);
    if (!found) {
        found = make();
        made.set(name, found);
    }
    return found;
}

/** (a) random pairs, (b) swept angles and times, (c) tiny angles. */
export const sample = (name: SetName): Sample => once(name, MAKE[name]);

/** For slerps whose error is greatest near a right angle. */
export const nearRightAngle = (): Sample => once('near', () => drawn(5000, 100, (next) => 1.3 + 0.25 * next()));

export interface Errors {
    /** The greatest absolute error of a component. */
    max: number;
    /** The greatest angle between the rotations, in radians. */
    rotation: number;
    /** The greatest relative error of the length. */
    length: number;
    /** How many pairs there were. */
    pairs: number;
}

/** Errors of `blend` on a sample, against slerp in double precision. NaN is an infinite error. */
export function errorsOf(blend: BlendQuats, lists: Sample): Errors {
    const errors: Errors = { max: 0, rotation: 0, length: 0, pairs: 0 };
    let chord = 0;
    for (const { from, to, t, slerps: answers } of lists) {
        const result = new Float32Array(from.length);
        blend(result, from, to, t);
        for (let i = 0; i < answers.length; i++) {
            const x = result[i * 4]!;
            const y = result[i * 4 + 1]!;
            const z = result[i * 4 + 2]!;
            const w = result[i * 4 + 3]!;
            let best = Infinity;
            let right = answers[i]![0]!;
            for (const answer of answers[i]!) {
                const error = max(abs(x - answer[0]!), abs(y - answer[1]!), abs(z - answer[2]!), abs(w - answer[3]!));
                // False for NaN, which leaves the error infinite.
                if (error < best) {
                    best = error;
                    right = answer;
                }
            }
            if (best > errors.max) errors.max = best;
            const length = sqrt(x * x + y * y + z * z + w * w);
            const wanted = sizeOf(right);
            const off = abs(length / wanted - 1);
            if (off > errors.length) errors.length = off;
            const dx = x / length - right[0]! / wanted;
            const dy = y / length - right[1]! / wanted;
            const dz = z / length - right[2]! / wanted;
            const dw = w / length - right[3]! / wanted;
            const square = dx * dx + dy * dy + dz * dz + dw * dw;
            if (square > chord) chord = square;
            errors.pairs++;
        }
    }
    errors.rotation = 4 * asin(min(1, sqrt(chord) / 2));
    return errors;
}
