// SPDX-License-Identifier: MIT

import { checkFloat32Array, checkInt32Array, isArray, lengthOf, wrongType } from '../base/arguments';
import { checkAllFinite, checkApart, checkIndex, checkOptions, checkOut, finiteAt } from '../base/call-arguments';
import { rangeError, typeError } from '../base/errors';
import type { CapsuleTables } from './kernels/contract';
import { notThere } from './pose-checks';
import type { PosesState } from './poses';

/** A capsule: all points within a radius of the segment between two ends. Joints move the ends. */
export interface CapsuleParts {
    /** Slot that moves `from`: index into `rig.slots`. */
    slot: number;
    /** Slot that moves `to`, for example a child of `slot`: index into `rig.slots`. Default: `slot`. */
    toSlot?: number;
    /** One end, 3 numbers, in the space of `slot`. Default: its origin. */
    from?: readonly number[];
    /**
     * The other end, 3 numbers, in the space of `toSlot`. Default: the origin of `toSlot` if given; otherwise `from`,
     * which makes a sphere.
     */
    to?: readonly number[];
    /** Radius in the units of the scene, above 0. The scale of joints does not affect it. */
    radius: number;
}

/** Options of `rig.castRays`. */
export interface CastOptions {
    /**
     * `[pose][7]`, T 3, R 4 (unit quaternion x y z w): position and rotation of each character in the space of the
     * rays. Default: the rays are in the space of the poses.
     */
    placements?: Float32Array;
}

/** Floats of a capsule (two ends and a radius), of a ray and of a placement. */
const FLOATS = 7;

/** Capsules between joints of one rig, for `rig.castRays`. `rig.createCapsules` makes them. */
export class Capsules {
    readonly #owner: object;
    readonly #tables: CapsuleTables;

    /** @internal */
    constructor(owner: object, tables: CapsuleTables) {
        this.#owner = owner;
        this.#tables = tables;
    }

    /** @internal */
    static of(value: unknown, owner: object): CapsuleTables {
        if (typeof value === 'object' && value !== null && #owner in value && (value as Capsules).#owner === owner) {
            return (value as Capsules).#tables;
        }
        if (value instanceof Capsules) {
            throw typeError('ERR_FOREIGN_POSES', "castRays: capsules must be those of this rig, got another rig's");
        }
        throw wrongType('castRays', 'capsules', 'what createCapsules gives', value);
    }

    /** Number of capsules. */
    get count(): number {
        return this.#tables.count;
    }

    /**
     * A copy of the slots that move the capsules, ascending, without repeats. For
     * `rig.createPoses(n, { only: capsules.slots })`.
     */
    get slots(): Int32Array {
        return Int32Array.from(new Set(this.#tables.slots)).sort();
    }
}

/** Checks the argument of `rig.createCapsules` and packs it. */
export function packCapsules(parts: readonly CapsuleParts[], limit: number): CapsuleTables {
    const routine = 'createCapsules';
    if (!isArray(parts)) throw wrongType(routine, 'parts', 'an array', parts);
    const count = parts.length;
    if (count === 0) throw rangeError('ERR_COUNT_RANGE', `${routine}: parts is empty, needs one capsule at least`);
    const slots = new Int32Array(count * 2);
    const ends = new Float32Array(count * FLOATS);
    for (let i = 0; i < count; i++) {
        const at = `parts[${i}]`;
        if (typeof parts[i] !== 'object' || parts[i] === null) throw wrongType(routine, at, 'an object', parts[i]);
        const { slot, toSlot, from = [0, 0, 0], to, radius } = parts[i] as CapsuleParts;
        slots[i * 2] = checkIndex(routine, `${at}.slot`, slot, limit, 'slot');
        slots[i * 2 + 1] = toSlot === undefined ? slot : checkIndex(routine, `${at}.toSlot`, toSlot, limit, 'slot');
        const end = to ?? (toSlot === undefined ? from : [0, 0, 0]);
        ends.set(pointAt(routine, `${at}.from`, from), i * FLOATS);
        ends.set(pointAt(routine, `${at}.to`, end), i * FLOATS + 3);
        ends[i * FLOATS + 6] = finiteAt(routine, `${at}.radius`, radius);
        if (ends[i * FLOATS + 6]! > 0) continue;
        throw rangeError('ERR_COUNT_RANGE', `${routine}: ${at}.radius is ${radius}, needs a number above 0`);
    }
    return { count, slots, ends };
}

function pointAt(routine: string, argument: string, point: unknown): number[] {
    if (!isArray(point) || point.length !== 3) throw wrongType(routine, argument, 'an array of 3 numbers', point);
    return Array.from(point, (value, c) => finiteAt(routine, `${argument}[${c}]`, value));
}

/** Checks the arguments of `castRays` except poses and capsules. Returns the number of rays. */
export function checkCast(
    { data, count, slots: have }: PosesState,
    capsules: CapsuleTables,
    rays: Float32Array,
    outDistances: Float32Array,
    outCapsules: Int32Array,
    placements: Float32Array | null,
): number {
    const routine = 'castRays';
    for (let i = 0; i < capsules.slots.length; i++) {
        if (have.places[capsules.slots[i]!]! < 0) throw notThere(routine, 'capsules', capsules.slots[i]!);
    }
    checkFloat32Array(routine, 'rays', rays);
    const numRays = lengthOf(rays) / FLOATS;
    if (!Number.isInteger(numRays)) {
        const holds = `rays holds ${lengthOf(rays)} floats`;
        throw rangeError('ERR_BUFFER_LENGTH', `${routine}: ${holds}, needs a multiple of ${FLOATS}`);
    }
    checkAllFinite(routine, 'rays', rays, numRays * FLOATS);
    checkOut(routine, 'outDistances', outDistances, numRays * count, 'rays x poses');
    checkInt32Array(routine, 'outCapsules', outCapsules);
    if (lengthOf(outCapsules) < numRays * count) {
        const holds = `outCapsules holds ${lengthOf(outCapsules)} integers`;
        throw rangeError('ERR_BUFFER_LENGTH', `${routine}: ${holds}, needs at least ${numRays * count} (rays x poses)`);
    }
    checkApart(routine, 'outDistances', outDistances, 'poses', data);
    checkApart(routine, 'outCapsules', outCapsules, 'poses', data);
    checkApart(routine, 'outDistances', outDistances, 'outCapsules', outCapsules);
    if (placements !== null) {
        const list = checkOut(routine, 'options.placements', placements, count * FLOATS, 'poses x 7');
        checkAllFinite(routine, 'options.placements', list, count * FLOATS);
        checkApart(routine, 'outDistances', outDistances, 'options.placements', list);
        checkApart(routine, 'outCapsules', outCapsules, 'options.placements', list);
    }
    return numRays;
}

/**
 * Writes rays for the kernels: directions of unit length, computed in double precision and rounded once. A direction of
 * length 0 stays 0.
 */
export function normalizeRays(out: Float32Array, rays: Float32Array, numRays: number): void {
    for (let r = 0; r < numRays * FLOATS; r += FLOATS) {
        const x = rays[r + 3]!;
        const y = rays[r + 4]!;
        const z = rays[r + 5]!;
        const square = x * x + y * y + z * z;
        const length = square > 0 ? Math.sqrt(square) : 1;
        for (let c = 0; c < 3; c++) out[r + c] = rays[r + c]!;
        out[r + 3] = x / length;
        out[r + 4] = y / length;
        out[r + 5] = z / length;
        out[r + 6] = rays[r + 6]!;
    }
}

/** `options.placements`, read once. */
export function placementsOf(options: CastOptions | undefined): Float32Array | null {
    return (checkOptions('castRays', options).placements as Float32Array | null | undefined) ?? null;
}
