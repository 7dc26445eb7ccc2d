// SPDX-License-Identifier: MIT

/** Test scenes, evaluated in double precision with the arithmetic of the verifier. */

import type { GltfScene, Interpolation, SceneAnimation, SceneChannel } from '../../lib/gltf/scene';
import { compose as composeInto, multiply as multiplyInto } from '../../lib/verify/matrix';
import { sampleAt } from '../../lib/verify/sampler';
import { randomRotation } from '../support/random';
import { channel, node, scene, skin } from './scenes';

/** Column-major 4x4. */
export type Matrix = number[];

/** Column-major product. */
export function multiply(a: Matrix, b: Matrix): Matrix {
    const out = new Float64Array(16);
    multiplyInto(out, 0, a, 0, b, 0);
    return [...out];
}

/** Column-major 4x4 of a row-major 3x4. */
export function fromMat3x4(list: ArrayLike<number>, at = 0): Matrix {
    return [0, 1, 2, 3].flatMap((c) => [list[at + c]!, list[at + 4 + c]!, list[at + 8 + c]!, c === 3 ? 1 : 0]);
}

/** T x R x S. */
export function compose(t: ArrayLike<number>, q: ArrayLike<number>, s: ArrayLike<number>): Matrix {
    const out = new Float64Array(16);
    composeInto(
        out,
        0,
        [t, q, s].flatMap((list) => Array.from(list)),
        0,
    );
    return [...out];
}

/** One channel at one time. */
export function sample({ interpolation, path, times, values }: SceneChannel, time: number): number[] {
    const width = values.length / times.length / (interpolation === 'CUBICSPLINE' ? 3 : 1);
    const keys = { times: Float64Array.from(times), values: Float64Array.from(values) };
    return sampleAt({ ...keys, interpolation, width, rotation: path === 'rotation' }, time);
}

/** The local transform of a node: T 3, R 4, S 3. Not for nodes with a matrix. */
export function localOf(s: GltfScene, animation: SceneAnimation, index: number, time: number): number[] {
    const rest = s.nodes[index]!;
    return (['translation', 'rotation', 'scale'] as const).flatMap((path) => {
        const found = animation.channels.find((c) => c.node === index && c.path === path);
        return found ? sample(found, time) : Array.from(rest[path]);
    });
}

export function globalOf(s: GltfScene, animation: SceneAnimation, index: number, time: number): Matrix {
    const { matrix, parent } = s.nodes[index]!;
    const trs = localOf(s, animation, index, time);
    const local = matrix ? Array.from(matrix) : compose(trs.slice(0, 3), trs.slice(3, 7), trs.slice(7));
    return parent < 0 ? local : multiply(globalOf(s, animation, parent, time), local);
}

/** Global x inverse bind of every joint of skin 0. */
export function paletteOf(s: GltfScene, animation: SceneAnimation, time: number): Matrix[] {
    const { joints, inverseBindMatrices } = s.skins[0]!;
    return joints.map((joint, i) =>
        multiply(globalOf(s, animation, joint, time), Array.from(inverseBindMatrices.subarray(i * 16, i * 16 + 16))),
    );
}

function randomChannel(random: () => number, target: number, path: 'translation' | 'rotation' | 'scale'): SceneChannel {
    const kinds: Interpolation[] = ['LINEAR', 'STEP', 'CUBICSPLINE'];
    const interpolation = kinds[Math.floor(random() * 3)]!;
    const keys = 1 + Math.floor(random() * 5);
    const times = Array.from({ length: keys }, () => Math.fround(random() * 2)).sort((a, b) => a - b);
    const vector = () => Array.from({ length: 3 }, () => Math.fround(random() * 2 - (path === 'scale' ? 0.5 : 1)));
    const value = () => (path === 'rotation' ? randomRotation(random) : vector());
    const parts = interpolation === 'CUBICSPLINE' ? 3 : 1;
    return channel(target, path, interpolation, times, Array.from({ length: keys * parts }, value).flat());
}

/** Ten nodes in a random order, joints among them, one in 40 with a sheared matrix, all kinds of channels. */
export function randomScene(random: () => number, clips = 2, count = 10): GltfScene {
    const order = Array.from({ length: count }, (_, i) => i).sort(() => random() - 0.5);
    const parents: number[] = [];
    order.forEach((index, i) => {
        parents[index] = i > 0 && random() < 0.85 ? order[Math.floor(random() * i)]! : -1;
    });
    const shear = [1, 0.25, 0, 0, 0.5, 1, 0, 0, 0, -0.5, 0, 0, 0.5, 1, -1, 1];
    const nodes = parents.map((parent, i) =>
        order.indexOf(i) % 40 === 3
            ? node(parent, { matrix: shear })
            : node(parent, {
                  translation: [random(), random(), random()],
                  rotation: randomRotation(random),
                  scale: random() < 0.5 ? [1, 1, 1] : [random() + 0.5, -1, random() + 0.5],
              }),
    );
    const joints = order.filter(() => random() < 0.5).reverse();
    if (joints.length === 0) joints.push(order[5]!);
    const binds = joints.flatMap(() => compose([random(), random(), random()], randomRotation(random), [1, 2, 0.5]));
    const animations = Array.from({ length: clips }, () => {
        const channels = nodes.flatMap(({ matrix }, i) =>
            matrix
                ? []
                : (['translation', 'rotation', 'scale'] as const)
                      .filter(() => random() < 0.4)
                      .map((path) => randomChannel(random, i, path)),
        );
        return { name: '', channels };
    });
    return scene(nodes, [skin(joints, binds)], animations);
}

/** The max difference of two lists; Infinity if there is a NaN or their lengths differ. */
export function worstDifference(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
    if (actual.length !== expected.length) return Infinity;
    let worst = 0;
    for (let i = 0; i < actual.length; i++) {
        const difference = Math.abs(actual[i]! - expected[i]!);
        if (!(difference <= worst)) worst = Number.isNaN(difference) ? Infinity : difference;
    }
    return worst;
}
