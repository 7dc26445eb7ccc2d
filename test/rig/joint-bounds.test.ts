// SPDX-License-Identifier: MIT

/** Boxes of joints contain every vertex in every pose. */

import { bakeFile } from '../../lib/bake';
import { bakeScene } from '../../lib/bake/bake';
import { Rig } from '../../lib/rig/rig';
import { BakedTable } from '../../lib/table';
import { addPoint, emptyBox } from '../../lib/verify/box';
import { boxCorners, placed } from '../../lib/verify/metric';
import { limbsFile } from '../support/limbs-file';
import { CHARACTER, describeModel, FOX, KNIGHT, ROBOT } from '../support/models';
import { random as randomOf } from '../support/random';
import { scratchFolder } from '../support/temporary-folder';
import { fromMat3x4, type Matrix, multiply } from './double-reference';
import { skinDouble } from './double-skinning';
import { globalsOf, posed, rested } from './scenes';
import { randomSkinnedScene } from './skinned-scenes';

const folder = scratchFolder();

/** The box around the corners of all joints' boxes, moved by their joints. */
function unionOf(boxes: Float32Array, globals: readonly Matrix[]): Float64Array {
    const union = emptyBox();
    for (const [joint, m] of globals.entries()) {
        const box = Float64Array.from(boxes.subarray(joint * 6, joint * 6 + 6));
        if (box[0]! > box[3]!) continue;
        const corners = placed(boxCorners(box), m, 0);
        for (let at = 0; at < 24; at += 3) addPoint(union, corners.subarray(at, at + 3));
    }
    return union;
}

/** Checks that the box contains skinned vertices (double precision) in random blends of three clips. Returns the sizes of both boxes. */
function expectHeld(rig: Rig, random: () => number, poseCount: number): number {
    const randomPoses = () => {
        const clips = Uint16Array.from({ length: poseCount }, () => Math.floor(random() * rig.clips.length));
        const times = Float32Array.from(clips, (clip) => random() * rig.clips[clip]!.duration);
        return posed(rig, times, clips);
    };
    const [a, b, c] = [randomPoses(), randomPoses(), randomPoses()];
    const weights = () => Float32Array.from({ length: poseCount }, random);
    rig.blend(a, a, b, weights());
    rig.blend(a, a, c, weights(), { mask: rig.subtreeMask(Math.floor(random() * rig.slots.length)) });
    rig.toGlobal(a);
    let largest = 0;
    for (const [index, { joints, inverseBinds }] of rig.skins.entries()) {
        const boxes = rig.jointBounds(index);
        const globals = globalsOf(rig, a, joints).map((m) => fromMat3x4(m));
        for (let pose = 0; pose < poseCount; pose++) {
            const own = globals.slice(pose * joints.length, (pose + 1) * joints.length);
            const palette = own.map((m, joint) => multiply(m, fromMat3x4(inverseBinds, joint * 12)));
            const union = unionOf(boxes, own);
            const size = Math.max(1, ...union.map(Math.abs));
            const held = emptyBox();
            for (const mesh of rig.meshes.filter(({ skin }) => skin === index)) {
                const geometry = { ...mesh, normals: null, targets: [], ...unit(mesh) };
                const { positions } = skinDouble(geometry, palette, []);
                for (let at = 0; at < positions.length; at += 3) addPoint(held, positions.slice(at, at + 3));
            }
            for (let axis = 0; axis < 3; axis++) {
                expect(held[axis]).toBeGreaterThanOrEqual(union[axis]! - 1e-6 * size);
                expect(held[axis + 3]).toBeLessThanOrEqual(union[axis + 3]! + 1e-6 * size);
            }
            const diagonal = (box: Float64Array) => Math.hypot(...[0, 1, 2].map((axis) => box[axis + 3]! - box[axis]!));
            largest = Math.max(largest, diagonal(union) / diagonal(held));
        }
    }
    return largest;
}

/** Weights with a sum of 1. A vertex without weights follows its first joint. */
function unit({ weights, influences }: { weights: Float32Array; influences: number }): { weights: Float64Array } {
    const own = Float64Array.from(weights);
    for (let v = 0; v < own.length; v += influences) {
        const some = own.subarray(v, v + influences);
        const sum = some.reduce((a, b) => a + b, 0);
        if (sum === 0) some[0] = 1;
        else for (let k = 0; k < influences; k++) some[k]! /= sum;
    }
    return { weights: own };
}

test('random skins, poses and blends', () => {
    const random = randomOf(77);
    for (let round = 0; round < 20; round++) expectHeld(new Rig(randomSkinnedScene(random)), random, 6);
});

for (const model of [CHARACTER, FOX, KNIGHT]) {
    describeModel(model, () => {
        test('boxes contain blends of clips, and are not much too large', async () => {
            expect(expectHeld(await Rig.load(model.path), randomOf(5), 4)).toBeLessThan(2);
        });
    });
}

for (const model of [CHARACTER, FOX, ROBOT]) {
    describeModel(model, () => {
        test('the Rig and the bake have the same boxes; those of joints without vertices are empty', async () => {
            const { outputs } = await bakeFile(model.path, { fps: 1, emit: ['jointBounds'] });
            const rig = await Rig.load(model.path);
            for (const { json, bin, manifest } of outputs) {
                const boxes = BakedTable.open(json, bin).jointBounds!;
                // Skins with the same joints share the bake.
                const own = manifest.skin!.indices.map((skin) => rig.jointBounds(skin));
                const union = own[0]!.map((_, i) => (i % 6 < 3 ? Math.min : Math.max)(...own.map((list) => list[i]!)));
                expect(boxes.subarray(0, union.length)).toEqual(union);
                expect(union.filter((x, i) => i % 6 === 0 && x < Infinity).length).toBeGreaterThan(1);
            }
        });
    });
}

test('an attachment has the box of its mesh; a joint that moves nothing has an empty one', async () => {
    const { outputs } = await bakeFile(limbsFile(folder(), 1), { emit: ['jointBounds'] });
    const table = BakedTable.open(outputs[0]!.json, outputs[0]!.bin);
    expect(table.columns).toBe(4);
    expect([...table.jointBounds!.subarray(18)]).toEqual([0, -0.5, 0, 1, 1, 1]);
    const rig = Rig.create({
        parents: [-1, 0],
        rest: rested(2),
        skins: [{ joints: [0, 1] }],
        meshes: [{ node: 0, skin: 0, positions: [1, -2, 3], joints: [1, 0, 0, 0], weights: [1, 0, 0, 0] }],
    });
    const empty = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
    expect([...rig.jointBounds(0)]).toEqual([...empty, 1, -2, 3, 1, -2, 3]);
    // Each call returns a new list.
    rig.jointBounds(0).fill(0);
    expect(rig.jointBounds(0)[6]).toBe(1);
});

test('a bake with boxes beyond float32 is rejected', async () => {
    const far = randomSkinnedScene(randomOf(1));
    // Nodes without size: only the boxes are large numbers.
    const nodes = far.nodes.map((node) => ({ ...node, matrix: null, scale: new Float32Array(3) }));
    const animations = far.animations.map((clip) => {
        return { ...clip, channels: clip.channels.filter(({ path }) => path !== 'scale') };
    });
    const skins = far.skins.map((one) => {
        return { ...one, inverseBindMatrices: one.inverseBindMatrices.map((x) => x * 1e38) };
    });
    const baked = bakeScene({ ...far, nodes, animations, skins }, { emit: ['jointBounds'] });
    const message = expect.stringContaining('jointBounds is not finite');
    await expect(baked).rejects.toMatchObject({ code: 'NOT_FINITE', message });
});

test('rejected: no skin, no vertices', async () => {
    const rig = await Rig.load(CHARACTER.path, { meshes: false });
    const code = (of: string) => expect.objectContaining({ code: of });
    expect(() => rig.jointBounds(0)).toThrow(code('ERR_INDEX_RANGE'));
    expect(() => rig.jointBounds(9)).toThrow(code('ERR_INDEX_RANGE'));
    expect(() => rig.jointBounds('0' as never)).toThrow(code('ERR_ARGUMENT_TYPE'));
});
