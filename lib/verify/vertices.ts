// SPDX-License-Identifier: MIT

import { type GltfFile, type GltfJson, type GltfPrimitive, refuse } from './gltf';

/** The vertices of a primitive that a skin moves, in the space that palettes are applied to: as they are in the file. */
export interface SkinVertices {
    readonly count: number;
    /** `count * 3` */
    readonly positions: Float64Array;
    /** The number of influences of each vertex. */
    readonly influences: number;
    /** `count * influences` */
    readonly joints: Int32Array;
    /** `count * influences`, 0 or more; each vertex has one above 0. */
    readonly weights: Float64Array;
}

/** A primitive that a skin moves, by its accessors. */
interface SkinnedPrimitive {
    readonly pointer: string;
    readonly position: number;
    readonly sets: readonly (readonly [joints: number, weights: number])[];
}

/** The primitives that a skin moves. Each counts once, however many nodes have its mesh: a skinned mesh's own node plays no part. */
export function skinnedPrimitives(json: GltfJson, skin: number): SkinnedPrimitive[] {
    const nodes = (json.nodes ?? []).filter((node) => node.skin === skin && node.mesh !== undefined);
    return [...new Set(nodes.map(({ mesh }) => mesh!))].flatMap((mesh) =>
        (json.meshes![mesh]!.primitives ?? []).flatMap(({ attributes }, index) => {
            const sets = influenceSets(attributes);
            if (attributes.POSITION === undefined || sets.length === 0) return [];
            return [{ pointer: `/meshes/${mesh}/primitives/${index}`, position: attributes.POSITION, sets }];
        }),
    );
}

function influenceSets(attributes: GltfPrimitive['attributes']): (readonly [number, number])[] {
    const sets: (readonly [number, number])[] = [];
    for (let set = 0; attributes[`JOINTS_${set}`] !== undefined; set++) {
        const weights = attributes[`WEIGHTS_${set}`];
        if (weights !== undefined) sets.push([attributes[`JOINTS_${set}`]!, weights]);
    }
    return sets;
}

/** All vertices that a skin moves, one entry for each primitive; empty where it has no mesh. */
export function verticesOf({ path, json, numbers, maxNumbers }: GltfFile, skin: number): SkinVertices[] {
    const jointCount = json.skins![skin]!.joints.length;
    let total = 0;
    return skinnedPrimitives(json, skin).map(({ pointer, position, sets }) => {
        const positions = numbers.get(position)!;
        const count = positions.length / 3;
        // Primitives may share accessors in any combination.
        total += count * sets.length * 4;
        if (total > maxNumbers) {
            refuse(path, pointer, `the vertices have more than ${maxNumbers} influences, the limit here`);
        }
        return { count, positions, ...influencesOf(count, sets, numbers, jointCount) };
    });
}

/** Weights below 0 count as 0. A vertex without any weight follows its first joint, or the skin's where there is none such. */
function influencesOf(
    count: number,
    sets: SkinnedPrimitive['sets'],
    numbers: GltfFile['numbers'],
    jointCount: number,
): Pick<SkinVertices, 'influences' | 'joints' | 'weights'> {
    const influences = sets.length * 4;
    const joints = new Int32Array(count * influences);
    const weights = new Float64Array(count * influences);
    for (const [set, accessors] of sets.entries()) {
        const [joint, weight] = accessors.map((accessor) => numbers.get(accessor)!);
        for (let k = 0; k < count * 4; k++) {
            const at = Math.floor(k / 4) * influences + set * 4 + (k % 4);
            joints[at] = joint![k]!;
            if (weight![k]! > 0) weights[at] = weight![k]!;
        }
    }
    for (let at = 0; at < weights.length; at += influences) {
        if (weights.subarray(at, at + influences).some((weight) => weight > 0)) continue;
        if (joints[at]! >= jointCount) joints[at] = 0;
        weights[at] = 1;
    }
    return { influences, joints, weights };
}
