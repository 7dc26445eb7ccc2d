// SPDX-License-Identifier: MIT
// Twin: native/rig/table.h

/**
 * How TypeScript and the addon implement the kernels of the Rig. A new kernel is two entries in this file: its factory
 * in `typescriptRig`, and its call of the addon. Its signature and its layout: contract.ts. Its WebAssembly:
 * ../webassembly.
 */

import { lengthOf } from '../../base/arguments';
import { changedMeanwhile } from '../../lists/targets';
import { createBakePalettes } from './bake-palettes';
import { createBlend } from './blend';
import { createCastRays } from './cast-rays';
import type { PoseKernels, RigTables, SkinningKernels, SkinningTables, SlotTables } from './contract';
import { createEvaluate } from './evaluate';
import { createJoints, createPalettes } from './gather';
import { createBounds } from './skin-bounds';
import { createSkinScratch } from './skin-matrices';
import { createSkinVertices } from './skin-vertices';
import { createToGlobal } from './to-global';

export type { PoseKernels, SkinningKernels };

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
            return {
                evaluate,
                blend: createBlend(tables, slots),
                toGlobal,
                palettes,
                joints: createJoints(tables, slots),
                castRays: createCastRays(tables, slots),
                bakePalettes: createBakePalettes(evaluate, toGlobal, palettes),
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
    bakePalettes,
}: NativeKernels): PoseKernels {
    return {
        evaluate: (data, count, clips, times, wrap) => {
            if (evaluate(data, count, clips, times, wrap) !== undefined) throw changedMeanwhile('evaluate');
        },
        blend: (out, a, b, count, weights, mask, additive) => {
            if (blend(out, a, b, count, weights, mask, additive) !== undefined) throw changedMeanwhile('blend');
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
