// SPDX-License-Identifier: MIT

import { charactersOf } from '../../../lib/bake/plan/character';
import { recipeOf } from '../../../lib/bake/plan/options';
import { centredBoxes, squaredDistance } from '../../../lib/bake/rows/displacement';
import { modelOfCharacter } from '../../../lib/bake/rows/skin-model';
import { readGltf } from '../../../lib/gltf/read';
import { DoubleEvaluator } from '../../../lib/verify/evaluator';
import { yardstick } from '../../support/displacement';
import { CHARACTER, describeModel, FOX, KNIGHT, RIGGED_FIGURE, SIMPLE_SKIN } from '../../support/models';
import { random as randomOf } from '../../support/random';

const affine = (values: readonly number[]) =>
    Float32Array.from({ length: 16 }, (_, i) => (i % 4 === 3 ? (i === 15 ? 1 : 0) : values[(i >> 2) * 3 + (i % 4)]!));

test('two poses are as far apart as the corner that is farthest', () => {
    const random = randomOf(1);
    const number = () => random() * 2 - 1;
    for (let round = 0; round < 200; round++) {
        const low = [number(), number(), number()];
        const box = Float64Array.from([...low, ...low.map((least) => least + random())]);
        const joints = 1 + (round % 3);
        const list = () => Array.from({ length: joints }, () => affine(Array.from({ length: 12 }, number)));
        const [a, b] = [list(), list()];
        let expected = 0;
        for (let joint = 0; joint < joints; joint++) {
            for (let corner = 0; corner < 8; corner++) {
                const point = [0, 1, 2].map((axis) => box[axis + (corner & (1 << axis) ? 3 : 0)]!);
                const places = [a[joint]!, b[joint]!].map((m) =>
                    [0, 1, 2].map((row) => point.reduce((sum, x, c) => sum + m[c * 4 + row]! * x, m[12 + row]!)),
                );
                expected = Math.max(
                    expected,
                    Math.hypot(...[0, 1, 2].map((row) => places[0]![row]! - places[1]![row]!)),
                );
            }
        }
        const flat = (mats: Float32Array[]) => Float32Array.from(mats.flatMap((m) => [...m]));
        const squared = squaredDistance(centredBoxes(box), flat(a), flat(b));
        expect(Math.abs(Math.sqrt(squared) - expected)).toBeLessThan(1e-12 * expected);
        expect(squaredDistance(centredBoxes(box), flat(a), flat(b), squared * 2)).toBe(squared * 2);
        expect(squaredDistance(centredBoxes(box), flat(a), flat(a))).toBe(0);

        // With a box for each joint: those of the joint that is alone in having one.
        const alone = round % joints;
        const boxes = new Float64Array(joints * 6).fill(-1);
        boxes.set(centredBoxes(box), alone * 6);
        const own = squaredDistance(centredBoxes(box), a[alone]!, b[alone]!);
        expect(squaredDistance(boxes, flat([...a, ...a]), flat([...a, ...b]))).toBe(own);
    }
});

for (const model of [CHARACTER, FOX, KNIGHT, RIGGED_FIGURE, SIMPLE_SKIN]) {
    describeModel(model, () => {
        test("the corners, sent through each joint at rest, are those of the rest pose's box in the scene", async () => {
            const scene = await readGltf(model.path);
            const recipe = recipeOf('test', { attachments: 'none' });
            const [character] = charactersOf(scene, recipe, model.path);
            const { wholeBoxes: box } = modelOfCharacter({ scene, file: model.path, recipe, clips: [] }, character!, 1);
            const evaluator = await DoubleEvaluator.load(model.path);
            const { corners, extent } = yardstick(evaluator, 0);
            const sides = (points: number[][]) =>
                [Math.min, Math.max].flatMap((best) => [0, 1, 2].map((axis) => best(...points.map((p) => p[axis]!))));
            const expected = sides(Array.from({ length: 8 }, (_, c) => [...corners.subarray(c * 3, c * 3 + 3)]));
            const palette = evaluator.palette(0, null, 0);
            for (let m = 0; m < palette.length; m += 16) {
                const points = Array.from({ length: 8 }, (_, corner) => {
                    const at = [0, 1, 2].map((axis) => box[axis]! + (corner & (1 << axis) ? 1 : -1) * box[axis + 3]!);
                    return [0, 1, 2].map((row) =>
                        at.reduce((sum, x, c) => sum + palette[m + c * 4 + row]! * x, palette[m + 12 + row]!),
                    );
                });
                for (const [side, value] of sides(points).entries()) {
                    expect(Math.abs(value - expected[side]!)).toBeLessThan(1e-5 * extent);
                }
            }
        });
    });
}
