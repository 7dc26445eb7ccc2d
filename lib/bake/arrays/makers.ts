// SPDX-License-Identifier: MIT

/** The arrays of a bake that are made from evaluated poses. Boxes are in bounds.ts. */

import { halfOf } from '../../format/half';
import type { ManifestMorph, ManifestSlot } from '../../format/manifest';
import { PIVOT_FLOATS, qtsRowFloats, TEXEL } from '../../format/qts';
import type { SceneNode } from '../../gltf/scene';
import { GLOBAL_FLOATS } from '../../rig/kernels/contract';
import type { Rig } from '../../rig/rig';
import { COLUMN_NUMBERS, type Recipe } from '../plan/options';
import { readGlobals, readLocals, readWeights } from '../rows/batch-size';
import type { Motion } from '../rows/motion';
import type { Space } from '../rows/space';
import { type BakedArray, type Batch, floatArray } from './array';

/**
 * Skinning matrices, `[row][column]`: global x inverse bind.
 *
 * @param pivots For `qts16`: lib/format/qts.ts.
 */
export function paletteArray(
    columns: number,
    { layout, dtype }: Pick<Recipe, 'layout' | 'dtype'>,
    pivots: Float32Array | null,
): BakedArray {
    const width = pivots === null ? columns * COLUMN_NUMBERS[layout] : qtsRowFloats(pivots);
    const stated = pivots && {
        pivots: Array.from({ length: columns }, (_, c) => {
            const [x, y, z, third] = pivots.subarray(c * PIVOT_FLOATS) as unknown as readonly number[];
            return third! > 0 ? [x, y, z, third] : [x, y, z];
        }),
    };
    const isStretched = width > columns * COLUMN_NUMBERS[layout];
    const row = isStretched ? [width / TEXEL, TEXEL] : [columns, width / columns];
    const about = { name: 'palette', layout, row, ...(stated && { about: stated }) } as const;
    const convert = layout === 'mat3x4' ? toMat3x4 : (_: Float32Array, mixed: Float32Array) => mixed;
    if (dtype === 'f32') {
        return floatArray(about, (rows, { palette }) => {
            // Matrices of 4x4 floats were evaluated in place.
            if (layout === 'mat3x4') toMat3x4(rows, palette);
            else if (palette.buffer !== rows.buffer) rows.set(palette);
        });
    }
    return {
        ...about,
        dtype,
        open(view) {
            let converted = new Float32Array(0);
            return ({ row, count, mixed }: Batch) => {
                if (layout === 'mat3x4' && converted.length < count * width)
                    converted = new Float32Array(count * width);
                const floats = convert(converted, mixed);
                for (let i = 0; i < count * width; i++) view[row * width + i] = halfOf(floats[i]!);
            };
        },
    };
}

/** Column-major 4x4 to row-major 3x4. */
function toMat3x4(to: Float32Array, from: Float32Array): Float32Array {
    let t = 0;
    for (let f = 0; f < from.length; f += 16) {
        for (let row = 0; row < 3; row++) {
            to[t++] = from[f + row]!;
            to[t++] = from[f + row + 4]!;
            to[t++] = from[f + row + 8]!;
            to[t++] = from[f + row + 12]!;
        }
    }
    return to;
}

/** Global matrices of some columns, `[row][k]`, row-major 3x4, without inverse bind. For hit boxes and sockets. */
export function hitArray(rig: Rig, joints: readonly number[], space: Space): BakedArray {
    const slots = Int32Array.from(joints, (joint) => rig.skins[0]!.joints[joint]!);
    const about = { name: 'hit', layout: 'mat3x4', row: [joints.length, 12], about: { joints } } as const;
    return floatArray(about, (rows, { poses }) => {
        readGlobals(rows, poses, slots);
        space.toMat3x4(rows);
    });
}

/** Indices of the joints whose name matches, or of all joints if `pattern` is null. */
export function matchingJoints(names: readonly string[], pattern: RegExp | null): number[] {
    return names.flatMap((name, joint) => (pattern === null || pattern.test(name) ? [joint] : []));
}

/** Local transforms of the joints and all their ancestors, `[row][slot]`: translation, rotation, scale. */
export function localArray(rig: Rig, motion: Motion | null): BakedArray {
    const all = Int32Array.from(rig.slots.keys());
    const slots = rig.slots.map(({ node, name, parent, hasMatrix }, slot): ManifestSlot => {
        if (!hasMatrix) return { node, name, parent };
        const at = slot * GLOBAL_FLOATS;
        return { node, name, parent, matrix: Array.from(rig.rest.matrices.subarray(at, at + GLOBAL_FLOATS)) };
    });
    const about = { name: 'local', layout: 'trs', row: [slots.length, 10], about: { slots } } as const;
    return floatArray(about, (rows, { animation, poses }) => {
        motion?.refuseLong(animation);
        readLocals(rows, poses, all);
    });
}

/**
 * Morph weights, `[row][weight]`.
 *
 * @param morphs The nodes with weights that the rig evaluates, in file order.
 */
export function morphArray(nodes: readonly SceneNode[], morphs: readonly number[]): BakedArray {
    let first = 0;
    const meshes = morphs.map((node): ManifestMorph => {
        const { name, weights } = nodes[node]!;
        const mesh = { node, name, first, count: weights.length };
        first += weights.length;
        return mesh;
    });
    const about = { name: 'morph', layout: 'weights', row: [first], about: { meshes } } as const;
    return floatArray(about, (rows, { poses }) => readWeights(rows, poses, first));
}

/** Root motion since the clip's first frame. Consecutive rotations are in the same hemisphere. */
export function rootArray(motion: Motion): BakedArray {
    const about = { name: 'root', layout: 'tr', row: [7], about: { joint: motion.joint } } as const;
    const before = new Float32Array(4);
    return floatArray(about, (rows, { frame, count }) => {
        motion.read(rows);
        for (let row = 0; row < count; row++) {
            const rotation = rows.subarray(row * 7 + 3, row * 7 + 7);
            const dot = rotation.reduce((sum, x, c) => sum + x * before[c]!, 0);
            if (frame + row > 0 && dot < 0) for (let c = 0; c < 4; c++) rotation[c] = -rotation[c]! + 0;
            before.set(rotation);
        }
    });
}
