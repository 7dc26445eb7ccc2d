// SPDX-License-Identifier: MIT
// Twin: native/rig/cast_rays.h

import {
    blockFloats,
    type CapsuleTables,
    GLOBAL_FLOATS,
    LANES,
    LOCAL_FLOATS,
    type RigTables,
    type SlotTables,
} from './contract';

const f = Math.fround;

/** Squares of lengths below which an axis, and the part of a ray across it, have none. */
const NO_AXIS = f(1e-30);
const NO_STEP = f(1e-20);

/**
 * Floats of a capsule where a pose has it: ends, unit axis, its length (-1 where the ends are one), squares of radius
 * and reach.
 */
const PLACED = 12;

/** The nearest capsule of each pose that each ray hits. A comparison with a NaN is false, so what has one is not hit. */
export function createCastRays(tables: RigTables, slots: SlotTables) {
    const block = blockFloats(slots.slots.length, tables.restWeights.length);
    const globals = slots.slots.length * LOCAL_FLOATS * LANES;
    let placed = new Float32Array(0);
    const ray = new Float32Array(6);
    const nearest = new Float64Array(2);
    return (
        data: Float32Array,
        count: number,
        capsules: CapsuleTables,
        rays: Float32Array,
        numRays: number,
        placements: Float32Array | null,
        outDistances: Float32Array,
        outCapsules: Int32Array,
    ): void => {
        const { slots: of, ends, count: numCapsules } = capsules;
        if (placed.length < numCapsules * PLACED) placed = new Float32Array(numCapsules * PLACED);
        for (let pose = 0; pose < count; pose++) {
            const from = (pose >> 4) * block + globals + (pose & 15);
            const globalOf = (end: number) => from + slots.places[of[end]!]! * GLOBAL_FLOATS * LANES;
            for (let i = 0; i < numCapsules; i++) {
                move(placed, i * PLACED, data, globalOf(i * 2), ends, i * 7);
                move(placed, i * PLACED + 3, data, globalOf(i * 2 + 1), ends, i * 7 + 3);
                measure(placed, i * PLACED, ends[i * 7 + 6]!);
            }
            for (let r = 0; r < numRays; r++) {
                for (let c = 0; c < 6; c++) ray[c] = rays[r * 7 + c]!;
                if (placements !== null) intoModel(ray, placements, pose * 7);
                cast(nearest, ray, rays[r * 7 + 6]!, placed, numCapsules);
                outDistances[r * count + pose] = nearest[0]!;
                outCapsules[r * count + pose] = nearest[1]!;
            }
        }
    };
}

/** A point of a slot's space, in that of the pose. */
function move(to: Float32Array, o: number, data: Float32Array, g: number, point: Float32Array, p: number): void {
    const x = point[p]!;
    const y = point[p + 1]!;
    const z = point[p + 2]!;
    for (let row = 0; row < 3; row++) {
        const m = g + row * 4 * LANES;
        const turned = f(f(f(data[m]! * x) + f(data[m + LANES]! * y)) + f(data[m + 2 * LANES]! * z));
        to[o + row] = turned + data[m + 3 * LANES]!;
    }
}

function dot(ax: number, ay: number, az: number, bx: number, by: number, bz: number): number {
    return f(f(f(ax * bx) + f(ay * by)) + f(az * bz));
}

/** An element of a cross product. */
const minor = (a: number, b: number, c: number, d: number): number => f(f(a * b) - f(c * d));

/** Computes the values that depend on the ends at `o`. */
function measure(to: Float32Array, o: number, radius: number): void {
    const x = f(to[o + 3]! - to[o]!);
    const y = f(to[o + 4]! - to[o + 1]!);
    const z = f(to[o + 5]! - to[o + 2]!);
    const square = dot(x, y, z, x, y, z);
    const isLong = square > NO_AXIS;
    const root = f(Math.sqrt(Math.max(square, NO_AXIS)));
    const scale = f(1 / root);
    const reach = f(root + radius);
    to[o + 6] = x * scale;
    to[o + 7] = y * scale;
    to[o + 8] = z * scale;
    to[o + 9] = isLong ? root : -1;
    to[o + 10] = radius * radius;
    to[o + 11] = reach * reach;
}

/** Origin and direction, from the space that the character is placed in to its own. */
function intoModel(ray: Float32Array, placements: Float32Array, p: number): void {
    for (let c = 0; c < 3; c++) ray[c] = ray[c]! - placements[p + c]!;
    turnBack(ray, 0, placements, p);
    turnBack(ray, 3, placements, p);
}

function turnBack(v: Float32Array, o: number, placements: Float32Array, p: number): void {
    const x = placements[p + 3]!;
    const y = placements[p + 4]!;
    const z = placements[p + 5]!;
    const w = placements[p + 6]!;
    const vx = v[o]!;
    const vy = v[o + 1]!;
    const vz = v[o + 2]!;
    const onceX = f(minor(vy, z, vz, y) * 2);
    const onceY = f(minor(vz, x, vx, z) * 2);
    const onceZ = f(minor(vx, y, vy, x) * 2);
    v[o] = f(vx + f(w * onceX)) + minor(onceY, z, onceZ, y);
    v[o + 1] = f(vy + f(w * onceY)) + minor(onceZ, x, onceX, z);
    v[o + 2] = f(vz + f(w * onceZ)) + minor(onceX, y, onceY, x);
}

/** Where a convex body that a line is in from `enter` to `exit` is hit by the ray that starts at 0. */
function entry(enter: number, exit: number): number {
    if (0 > exit) return Infinity;
    return Math.max(0, enter);
}

/** A sphere that the line passes at the square `pp` of a distance, nearest at `s`. */
function hitSphere(s: number, pp: number, rr: number): number {
    const half = f(Math.sqrt(f(rr - pp)));
    return entry(f(s - half), f(s + half));
}

/** Writes the nearest capsule's distance and number; Infinity and -1 where there is none up to `limit`. */
function cast(to: Float64Array, ray: Float32Array, limit: number, placed: Float32Array, count: number): void {
    const ox = ray[0]!;
    const oy = ray[1]!;
    const oz = ray[2]!;
    const dx = ray[3]!;
    const dy = ray[4]!;
    const dz = ray[5]!;
    let distance = Infinity;
    let number = -1;
    for (let i = 0; i < count; i++) {
        const o = i * PLACED;
        // The ray's line comes nearest to the first end at s; p leads there from the end.
        const mx = f(placed[o]! - ox);
        const my = f(placed[o + 1]! - oy);
        const mz = f(placed[o + 2]! - oz);
        const s = dot(mx, my, mz, dx, dy, dz);
        const px = f(f(s * dx) - mx);
        const py = f(f(s * dy) - my);
        const pz = f(f(s * dz) - mz);
        const pp = dot(px, py, pz, px, py, pz);
        if (!(placed[o + 11]! > pp)) continue;
        const rr = placed[o + 10]!;
        let at = Infinity;
        const first = hitSphere(s, pp, rr);
        if (at > first) at = first;

        const nx = f(placed[o + 3]! - ox);
        const ny = f(placed[o + 4]! - oy);
        const nz = f(placed[o + 5]! - oz);
        const otherS = dot(nx, ny, nz, dx, dy, dz);
        const qx = f(f(otherS * dx) - nx);
        const qy = f(f(otherS * dy) - ny);
        const qz = f(f(otherS * dz) - nz);
        const second = hitSphere(otherS, dot(qx, qy, qz, qx, qy, qz), rr);
        if (at > second) at = second;

        // The cylinder's side. Across the axis the ray moves from p x axis by d x axis for each unit of length.
        const ax = placed[o + 6]!;
        const ay = placed[o + 7]!;
        const az = placed[o + 8]!;
        const stepX = minor(dy, az, dz, ay);
        const stepY = minor(dz, ax, dx, az);
        const stepZ = minor(dx, ay, dy, ax);
        const acrossX = minor(py, az, pz, ay);
        const acrossY = minor(pz, ax, px, az);
        const acrossZ = minor(px, ay, py, ax);
        const square = dot(stepX, stepY, stepZ, stepX, stepY, stepZ);
        // A ray parallel to the axis stays at the same distance from it: its nearest point is its origin.
        const steps = Math.max(square, NO_STEP);
        const back = f(dot(stepX, stepY, stepZ, acrossX, acrossY, acrossZ) / steps);
        const hx = f(acrossX - f(back * stepX));
        const hy = f(acrossY - f(back * stepY));
        const hz = f(acrossZ - f(back * stepZ));
        const half = f(Math.sqrt(f(f(rr - dot(hx, hy, hz, hx, hy, hz)) / steps)));
        const before = f(0 - f(back + half));
        const enter = f(s + before);
        const side = entry(enter, f(f(s - back) + half));
        const past = 0 > enter ? f(0 - s) : before;
        const height = f(dot(ax, ay, az, px, py, pz) + f(past * dot(ax, ay, az, dx, dy, dz)));
        if (at > side && !(0 > height) && !(height > placed[o + 9]!)) at = side;

        if (distance > at) {
            distance = at;
            number = i;
        }
    }
    const beyond = distance > limit;
    // +0 for -0.
    to[0] = beyond ? Infinity : distance + 0;
    to[1] = beyond ? -1 : number;
}
