// SPDX-License-Identifier: MIT

import { WHOLE_CLIP } from '../../bake/plan/frames';
import { withSharedSkins } from '../../bake/plan/shared-skins';
import { movingNodes } from '../../gltf/hierarchy';
import type { GltfScene } from '../../gltf/scene';
import { type Character, everyCharacter } from '../../rig/measure/characters';
import { comparedOf, ExtentFinder, extentTimesOf, measureOf } from '../../rig/measure/extent';
import { skinBoxOf } from '../../rig/measure/skin-box';
import { affineOf, multiply } from './affine';
import { posesOf } from './choose-poses';
import type { Skeleton } from './skeleton';

/** The extent of a file, and the first clip in which it is not a finite float32; -1 if there is none. */
export interface Extent {
    readonly extent: number;
    readonly beyond: number;
}

/** Data that measures one character in a pose. */
interface Measured {
    readonly size: ExtentFinder;
    /** Index in the skeleton of each column's node. */
    readonly columns: Int32Array;
    /** Inverse bind matrices of the columns, 12 numbers each. */
    readonly binds: Float64Array;
    /** The palette, or the origins. */
    readonly numbers: Float64Array;
}

/** The extent of the largest character over all clips of a file: docs/format.md. */
export function extentOf(read: GltfScene, skeleton: Skeleton): Extent {
    const scene = withSharedSkins(read);
    const characters = everyCharacter(scene);
    const all =
        characters.length > 0
            ? characters.map((character) => measuredCharacter(scene, character, skeleton))
            : [measuredNodes(scene, skeleton)];
    const compared = new Set(comparedOf(all.map(({ size }) => size)));
    const measured = all.filter(({ size }) => compared.has(size));
    const extentNow = () => measured.reduce((max, { size }) => Math.max(max, size.extent), 0);
    let [finite, beyond] = [true, -1];
    const measurePose = (globals: Float64Array) => {
        for (const one of measured) addPose(one, globals);
        finite &&= globals.every(Number.isFinite);
    };
    if (scene.animations.length === 0) posesOf(skeleton, [])([0], (_, globals) => measurePose(globals));
    for (const [index, animation] of scene.animations.entries()) {
        const times = extentTimesOf(animation, WHOLE_CLIP);
        posesOf(skeleton, animation.channels)(times, (_, globals) => measurePose(globals));
        if (beyond < 0 && !(finite && Math.fround(extentNow()) < Infinity)) beyond = index;
    }
    return { extent: extentNow(), beyond };
}

function measuredCharacter({ skinnedMeshes }: GltfScene, character: Character, { indexOf }: Skeleton): Measured {
    const { skins, joints, attachments, nodes, inverseBindMatrices } = character;
    const meshes = new Map(skinnedMeshes.filter(({ skin }) => skins.includes(skin)).map((mesh) => [mesh.mesh, mesh]));
    const skinned = skinBoxOf(
        [...meshes.values()].flatMap(({ primitives }) => primitives),
        joints,
        nodes.length,
    );
    const measure = measureOf(skinned, attachments, joints);
    const count = measure.by === 'origins' ? joints || nodes.length : nodes.length;
    const binds = new Float64Array(count * 12);
    for (let column = 0; column < count; column++) binds.set(affineOf(inverseBindMatrices, column * 16), column * 12);
    return {
        size: new ExtentFinder(measure),
        columns: Int32Array.from(nodes.slice(0, count), (node) => indexOf[node]!),
        binds,
        numbers: new Float64Array(count * (measure.by === 'origins' ? 3 : 16)),
    };
}

/** For a file without meshes: the origins of the nodes that clips move. */
function measuredNodes(scene: GltfScene, { nodes, indexOf }: Skeleton): Measured {
    const moving = movingNodes(scene);
    const columns = nodes.filter((node) => moving[node] === 1).map((node) => indexOf[node]!);
    return {
        size: new ExtentFinder(measureOf(null, [], 0)),
        columns,
        binds: new Float64Array(0),
        numbers: new Float64Array(columns.length * 3),
    };
}

const product = new Float64Array(12);

function addPose({ size, columns, binds, numbers }: Measured, globals: Float64Array): void {
    for (const [column, node] of columns.entries()) {
        if (size.measure.by === 'origins') {
            for (let c = 0; c < 3; c++) numbers[column * 3 + c] = globals[node * 12 + c * 4 + 3]!;
            continue;
        }
        multiply(product, 0, globals, node * 12, binds, column * 12);
        for (let e = 0; e < 12; e++) numbers[column * 16 + (e % 4) * 4 + (e >> 2)] = product[e]!;
    }
    size.add(numbers);
}
