// SPDX-License-Identifier: MIT
// Twin: native/rig/table.h

/**
 * The kernels of the Rig: their signatures, and how TypeScript and the addon implement them. A new kernel is three
 * entries in this file: its signature, its factory in `typescriptRig`, and its call of the addon. Its layout:
 * contract.ts. Its WebAssembly: ../webassembly.
 */

import { lengthOf } from '../../base/arguments';
import type { Wrap } from '../../base/call-arguments';
import { changedMeanwhile } from '../../lists/targets';
import { createAimIk } from './aim-ik';
import { createBakePalettes } from './bake-palettes';
import { createBlend } from './blend';
import { createCastRays } from './cast-rays';
import {
    blockFloats,
    type CapsuleTables,
    type PaletteFormat,
    type RigTables,
    type SkinningTables,
    type SlotList,
    type SlotTables,
} from './contract';
import { createEvaluate } from './evaluate';
import { createJoints, createPalettes } from './gather';
import { createBounds } from './skin-bounds';
import { createSkinScratch } from './skin-matrices';
import { createSkinVertices } from './skin-vertices';
import { createToGlobal } from './to-global';
import { createTwoBoneIk } from './two-bone-ik';

/** The kernels, bound to the slots of some poses. They do not allocate. */
export interface PoseKernels {
    /**
     * Computes locals and weights of `count` poses. Slots with a matrix get the identity from `base`.
     *
     * @param clips One for all, or one for each pose.
     * @param times Finite.
     * @param wrap Whether to map times to [0, duration): see `wrapTime`.
     */
    evaluate(
        data: Float32Array,
        count: number,
        clips: number | Uint16Array,
        times: Float32Array | Float64Array,
        wrap: Wrap,
    ): void;
    /**
     * Blends locals and weights of `a` and `b` into `out`. Both may be `out`. Slots with a matrix do not change.
     *
     * @param weights Finite in float32. One for all, which the kernel rounds to float32, or one for each pose.
     * @param mask One for each slot of the Rig, finite. Morph weights are blended by `weights` without the mask.
     * @param reference The poses that `additive` takes the difference from; null: the rest pose.
     * @param each Whether the reference has `count` poses, and may be `out`. Otherwise it has one.
     */
    blend(
        out: Float32Array,
        a: Float32Array,
        b: Float32Array,
        count: number,
        weights: number | Float32Array,
        mask: Float32Array | null,
        additive: boolean,
        reference: Float32Array | null,
        each: boolean,
    ): void;
    /**
     * Computes globals from locals.
     *
     * @param from Place of a slot: its globals and those of the slots below it. -1: all globals.
     */
    toGlobal(data: Float32Array, count: number, from: number): void;
    /** Global x inverse bind of each joint, `[pose][joint][16 or 12]`. The poses have all slots of the skin. */
    palettes(data: Float32Array, count: number, skin: number, out: Float32Array, format: PaletteFormat): void;
    /** Globals of some slots, `[pose][k][12]`; `slots` are those of the Rig, and the poses have them all. */
    joints(data: Float32Array, count: number, slots: SlotList, out: Float32Array): void;
    /**
     * The nearest capsule of each pose that each ray hits: `outDistances` and `outCapsules`, `[ray][pose]`; Infinity
     * and -1 if a ray hits none. The poses have all slots of the capsules. There is at least one capsule.
     *
     * @param rays `[ray][7]`: origin, direction of length 1 or 0, maximum distance.
     * @param placements `[pose][7]`: T 3, R 4 of each character; null if the rays are in the space of the poses.
     */
    castRays(
        data: Float32Array,
        count: number,
        capsules: CapsuleTables,
        rays: Float32Array,
        numRays: number,
        placements: Float32Array | null,
        outDistances: Float32Array,
        outCapsules: Int32Array,
    ): void;
    /**
     * Turns the first two joints of limbs, so that their ends reach targets. Reads globals, writes locals. Rotations
     * that are not finite are not stored.
     *
     * @param chain Places of start, mid and end, each below the one before; the first two have no matrix.
     * @param settings Softness, cosine and sine of the twist, hinged (0 or 1), axis 3.
     * @param targets `[pose][3]`, as `poles`.
     * @param weights As for `blend`.
     * @param reached One for each pose, written: 1 if the end is at the target.
     */
    twoBoneIk(
        data: Float32Array,
        count: number,
        chain: Int32Array,
        settings: Float32Array,
        targets: Float32Array,
        poles: Float32Array | null,
        weights: number | Float32Array,
        reached: Uint8Array | null,
    ): void;
    /**
     * Turns one joint after another, so that the last one aims. Reads globals, writes locals, and globals of `path`
     * between two turns.
     *
     * @param path Places, each the parent of the next, `length` of them: 1 ... `AIM_PATH`.
     * @param until The part of the turn, 0 ... 1, that each has completed. Where it grows, the place has no matrix.
     * @param settings Forward 3, up 3, offset 3, pole 3.
     */
    aimIk(
        data: Float32Array,
        count: number,
        path: Int32Array,
        until: Float32Array,
        length: number,
        settings: Float32Array,
        targets: Float32Array,
        weights: number | Float32Array,
    ): void;
    /**
     * `evaluate`, `toGlobal` and `palettes` for `count` poses, `capacity` poses at a time. Afterward `data` holds the
     * last poses, at most `capacity`. Null: no poses are kept; the kernels are those of all slots, and the capacity is
     * `LANES`.
     */
    bakePalettes(
        data: Float32Array | null,
        capacity: number,
        clips: number | Uint16Array,
        times: Float32Array | Float64Array,
        wrap: Wrap,
        count: number,
        skin: number,
        out: Float32Array,
        format: PaletteFormat,
    ): void;
}

/**
 * The skinning kernels, bound to the slots of some poses. The poses have all joints of the mesh. They do not allocate.
 */
export interface SkinningKernels {
    /**
     * Computes the vertices of a mesh in `count` poses, `[pose][vertex][3]` each. docs/tables/rig-orders.md lists the
     * order of operations.
     *
     * @param outNormals Must be null if the mesh has no normals.
     */
    skinVertices(
        data: Float32Array,
        count: number,
        mesh: number,
        outPositions: Float32Array,
        outNormals: Float32Array | null,
    ): void;
    /** Computes min x y z and max x y z of the positions of `skinVertices`, `[pose][6]`. The mesh has vertices. */
    bounds(data: Float32Array, count: number, mesh: number, out: Float32Array): void;
}

/** The kernels, bound to a rig. */
export interface RigKernels {
    select(slots: SlotTables): PoseKernels;
    /**
     * Allocates zeros for poses that the kernels use without a copy, and selects kernels for them. If undefined, poses
     * can be in any memory. Throws if there is not enough memory.
     */
    allocate?(slots: SlotTables, floats: number): { readonly data: Float32Array; readonly kernels: PoseKernels };
}

/** An implementation. */
export interface RigImplementation {
    readonly name: string;
    load(tables: RigTables): RigKernels;
    /** Skinning. Default: the kernels in TypeScript. */
    readonly skinning?: SkinningImplementation;
}

/** An implementation of skinning. */
export interface SkinningImplementation {
    load(tables: SkinningTables): { select(slots: SlotTables): SkinningKernels };
}

/** Skinning in TypeScript. */
export const typescriptSkinning: SkinningImplementation = {
    load: (tables) => {
        const scratch = createSkinScratch(tables);
        return {
            select: (slots) => ({
                skinVertices: createSkinVertices(tables, slots, scratch),
                bounds: createBounds(tables, slots, scratch),
            }),
        };
    },
};

/** The kernels in TypeScript, one file for each. */
export const typescriptRig: RigImplementation = {
    name: 'strict/typescript',
    load: (tables) => ({
        select: (slots) => {
            const evaluate = createEvaluate(tables, slots);
            const toGlobal = createToGlobal(tables, slots);
            const palettes = createPalettes(tables, slots);
            const block = blockFloats(slots.slots.length, tables.restWeights.length);
            return {
                evaluate,
                blend: createBlend(tables, slots),
                toGlobal,
                palettes,
                joints: createJoints(tables, slots),
                castRays: createCastRays(tables, slots),
                twoBoneIk: createTwoBoneIk(tables, slots),
                aimIk: createAimIk(tables, slots),
                bakePalettes: createBakePalettes(block, evaluate, toGlobal, palettes),
            };
        },
    }),
    skinning: typescriptSkinning,
};

/**
 * Functions that the addon makes for the tables and slots of a rig. native/addon documents their arguments. Each checks
 * every length and number that memory accesses depend on. It returns `undefined` when the work is done, and `false`
 * when it refused.
 */
export type NativeKernels = Record<keyof PoseKernels | keyof SkinningKernels, (...args: unknown[]) => unknown>;

/** The kernels that call the addon. Each has its own call site, so that V8 calls the addon directly. */
export function nativePoseKernels({
    evaluate,
    blend,
    toGlobal,
    palettes,
    joints,
    castRays,
    twoBoneIk,
    aimIk,
    bakePalettes,
}: NativeKernels): PoseKernels {
    return {
        evaluate: (data, count, clips, times, wrap) => {
            if (evaluate(data, count, clips, times, wrap) !== undefined) throw changedMeanwhile('evaluate');
        },
        blend: (out, a, b, count, weights, mask, additive, reference, each) => {
            const answer = blend(out, a, b, count, weights, mask, additive, reference, each);
            if (answer !== undefined) throw changedMeanwhile('blend');
        },
        toGlobal: (data, count, from) => {
            if (toGlobal(data, count, from) !== undefined) throw changedMeanwhile('toGlobal');
        },
        palettes: (data, count, skin, out, format) => {
            if (palettes(data, count, skin, out, format === 'mat4') !== undefined) throw changedMeanwhile('palettes');
        },
        joints: (data, count, slots, out) => {
            if (lengthOf(slots) > 0 && joints(data, count, slots, out) !== undefined) throw changedMeanwhile('joints');
        },
        castRays: (data, count, { slots, ends }, rays, numRays, placements, distances, capsules) => {
            const answer = castRays(data, count, slots, ends, rays, numRays, placements, distances, capsules);
            if (answer !== undefined) throw changedMeanwhile('castRays');
        },
        twoBoneIk: (data, count, chain, settings, targets, poles, weights, reached) => {
            const answer = twoBoneIk(data, count, chain, settings, targets, poles, weights, reached);
            if (answer !== undefined) throw changedMeanwhile('twoBoneIk');
        },
        aimIk: (data, count, path, until, length, settings, targets, weights) => {
            const answer = aimIk(data, count, path, until, length, settings, targets, weights);
            if (answer !== undefined) throw changedMeanwhile('aimIk');
        },
        bakePalettes: (data, capacity, clips, times, wrap, count, skin, out, format) => {
            const mat4 = format === 'mat4';
            const answer = bakePalettes(data, capacity, clips, times, wrap, count, skin, out, mat4);
            if (answer !== undefined) throw changedMeanwhile('bakePalettes');
        },
    };
}

/** The same for skinning. */
export function nativeSkinningKernels({ skinVertices, bounds }: NativeKernels): SkinningKernels {
    return {
        skinVertices: (data, count, mesh, outPositions, outNormals) => {
            const answer = skinVertices(data, count, mesh, outPositions, outNormals);
            if (answer !== undefined) throw changedMeanwhile('skinVertices');
        },
        bounds: (data, count, mesh, out) => {
            if (bounds(data, count, mesh, out) !== undefined) throw changedMeanwhile('bounds');
        },
    };
}
