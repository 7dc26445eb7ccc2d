// SPDX-License-Identifier: MIT

/** Poses in double precision, node by node, from the specification (glTF 2.0) and for scenes that tests make up. */

import type { GltfScene, Interpolation, SceneAnimation, SceneChannel } from '../../lib/gltf/scene';
import { randomRotation } from '../support/random';
import { channel, node, scene, skin } from './scenes';

/** Column-major 4x4. */
export type Matrix = number[];

/** Column-major product. */
export function multiply(a: Matrix, b: Matrix): Matrix {
    return Array.from({ length: 16 }, (_, i) =>
        [0, 1, 2, 3].reduce((sum, k) => sum + a[k * 4 + (i % 4)]! * b[Math.floor(i / 4) * 4 + k]!, 0),
    );
}

/** T x R x S as in glTF 2.0, 3.5.3. */
export function compose(t: ArrayLike<number>, q: ArrayLike<number>, s: ArrayLike<number>): Matrix {
    const [x, y, z, w] = [q[0]!, q[1]!, q[2]!, q[3]!];
    const rotation = [
        [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
        [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
        [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
    ];
    const columns = rotation.flatMap((column, i) => [...column.map((value) => value * s[i]!), 0]);
    return [...columns, t[0]!, t[1]!, t[2]!, 1];
}

/** One channel at one time (appendix C). */
export function sample({ interpolation, path, times, values }: SceneChannel, time: number): number[] {
    const cubic = interpolation === 'CUBICSPLINE';
    const width = values.length / times.length / (cubic ? 3 : 1);
    const read = (key: number, part: number) =>
        Array.from(values.slice((key * (cubic ? 3 : 1) + part) * width).slice(0, width));
    const value = (key: number) => read(key, cubic ? 1 : 0);
    const normalised = (v: number[]) => v.map((x) => x / (Math.hypot(...v) || 1));
    const finish = (v: number[]) => (cubic && path === 'rotation' ? normalised(v) : v);
    const key = times.findLastIndex((keyTime) => keyTime <= time);
    if (key < 0) return finish(value(0));
    if (key === times.length - 1 || interpolation === 'STEP') return finish(value(key));
    const seconds = times[key + 1]! - times[key]!;
    const t = (time - times[key]!) / seconds;
    const [a, b] = [value(key), value(key + 1)];
    if (cubic) {
        const [out, into] = [read(key, 2), read(key + 1, 0)];
        return finish(
            a.map(
                (_, i) =>
                    (2 * t ** 3 - 3 * t ** 2 + 1) * a[i]! +
                    seconds * (t ** 3 - 2 * t ** 2 + t) * out[i]! +
                    (-2 * t ** 3 + 3 * t ** 2) * b[i]! +
                    seconds * (t ** 3 - t ** 2) * into[i]!,
            ),
        );
    }
    return path === 'rotation' ? slerp(a, b, t) : a.map((x, i) => x + t * (b[i]! - x));
}

export function slerp(a: readonly number[], b: readonly number[], t: number): number[] {
    const dot = a.reduce((sum, x, i) => sum + x * b[i]!, 0);
    const angle = Math.acos(Math.min(1, Math.abs(dot)));
    const sine = Math.sin(angle);
    const weights = sine === 0 ? [1 - t, t] : [Math.sin((1 - t) * angle) / sine, Math.sin(t * angle) / sine];
    return a.map((x, i) => weights[0]! * x + Math.sign(dot || 1) * weights[1]! * b[i]!);
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

/** Ten nodes in a random order, joints among them, one with a sheared matrix, all kinds of channels. */
export function randomScene(random: () => number, clips = 2): GltfScene {
    const order = Array.from({ length: 10 }, (_, i) => i).sort(() => random() - 0.5);
    const parents: number[] = [];
    order.forEach((index, i) => {
        parents[index] = i > 0 && random() < 0.85 ? order[Math.floor(random() * i)]! : -1;
    });
    const shear = [1, 0.25, 0, 0, 0.5, 1, 0, 0, 0, -0.5, 0, 0, 0.5, 1, -1, 1];
    const nodes = parents.map((parent, i) =>
        i === order[3]
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

/** The greatest difference between two lists; Infinity where there is a NaN or their lengths differ. */
export function worstDifference(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
    if (actual.length !== expected.length) return Infinity;
    let worst = 0;
    for (let i = 0; i < actual.length; i++) {
        const difference = Math.abs(actual[i]! - expected[i]!);
        if (!(difference <= worst)) worst = Number.isNaN(difference) ? Infinity : difference;
    }
    return worst;
}
