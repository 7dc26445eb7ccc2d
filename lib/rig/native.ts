// SPDX-License-Identifier: MIT

/** The Rig's kernels in the addon and in WebAssembly. */

import type { NativeRig } from '../addon/addon';
import { addon } from '../addon/load';
import { lengthOf } from '../base/arguments';
import { rangeError } from '../base/errors';
import { changedMeanwhile } from '../lists/calls';
import { STRICT_WASM } from '../lists/implementations';
import { strictModule, webassemblyUnavailable } from '../webassembly/module';
import type { PoseKernels, RigImplementation, RigTables, SkinningKernels, SlotTables } from './kernels/contract';
import { once } from './once';
import { webassemblyRig } from './webassembly';

type NativeCall = (...args: unknown[]) => unknown;

/**
 * Functions that the addon makes for a rig's tables and slots. Each returns its result, or `undefined` when the work is
 * done, and `false` when it refused. Each checks in the call every length and number that memory depends on.
 */
interface NativeKernels {
    /** (data, count, clips, times, wrap) */
    readonly evaluate: NativeCall;
    /** (out, a, b, count, weights, mask, additive) */
    readonly blend: NativeCall;
    /** (data, count) */
    readonly toGlobal: NativeCall;
    /** (data, count, skin, out, mat4) */
    readonly palettes: NativeCall;
    /** (data, count, slots, out) */
    readonly joints: NativeCall;
    /** (data, count, slots, ends, rays, numRays, placements, outDistances, outCapsules) */
    readonly castRays: NativeCall;
    /** (data, count, mesh, outPositions, outNormals) */
    readonly skinVertices: NativeCall;
    /** (data, count, mesh, out) */
    readonly bounds: NativeCall;
    /** (data, capacity, clips, times, wrap, count, skin, out, mat4) */
    readonly bakePalettes: NativeCall;
}

/** An implementation, or why this machine has none of that name. */
export interface NativeRigEntry {
    readonly name: string;
    readonly implementation: RigImplementation | null;
    readonly reason?: string;
}

/** The addon's implementations, best first, of which there are none when it did not load or was not wanted; then WebAssembly. */
export const nativeRigs: readonly NativeRigEntry[] = [
    ...(addon?.rigs ?? []).map((rig) =>
        rig.load === undefined
            ? { name: rig.name, implementation: null, reason: rig.unavailable }
            : { name: rig.name, implementation: implementationOf(rig.name, rig.load) },
    ),
    webassemblyUnavailable === undefined
        ? { name: STRICT_WASM, implementation: webassemblyRig(STRICT_WASM, strictModule) }
        : { name: STRICT_WASM, implementation: null, reason: webassemblyUnavailable },
];

function implementationOf(name: string, load: NonNullable<NativeRig['load']>): RigImplementation {
    const loaded = once((tables: RigTables) => {
        const select = load(tables);
        if (select === false) throw refusedTables(name, 'tables');
        return once((slots: SlotTables) => {
            const kernels = select(slots);
            if (kernels === false) throw refusedTables(name, 'slots');
            return kernels as NativeKernels;
        });
    });
    return {
        name,
        load: (tables) => {
            const select = loaded(tables);
            return { select: (slots) => poseKernels(select(slots)) };
        },
        skinning: {
            load: (tables) => {
                const select = loaded(tables);
                return { select: (slots) => skinningKernels(select(slots)) };
            },
        },
    };
}

function poseKernels({
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
        toGlobal: (data, count) => {
            if (toGlobal(data, count) !== undefined) throw changedMeanwhile('toGlobal');
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

function skinningKernels({ skinVertices, bounds }: NativeKernels): SkinningKernels {
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

function refusedTables(name: string, what: string): Error {
    return rangeError('ERR_RIG_INVALID', `${name}: the ${what} do not fit together, or there is no memory for them`);
}
