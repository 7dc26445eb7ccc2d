// SPDX-License-Identifier: MIT

import type { GltfScene, Interpolation, SceneAnimation, SceneChannel } from '../../lib/gltf/scene';
import { packClip } from '../../lib/rig/clip';
import { createEvaluator, evaluateFrames, startClip } from '../../lib/rig/evaluate';
import { rigOfSkin } from '../../lib/rig/skin';
import { random as randomOf, randomRotation } from '../support/random';
import { channel, node, scene, skin } from './scenes';

type Matrix = number[];

/** Column-major product in double precision. */
function multiply(a: Matrix, b: Matrix): Matrix {
    return Array.from({ length: 16 }, (_, i) =>
        [0, 1, 2, 3].reduce((sum, k) => sum + a[k * 4 + (i % 4)]! * b[Math.floor(i / 4) * 4 + k]!, 0),
    );
}

/** T x R x S as in glTF 2.0, 3.5.3, column-major. */
function compose(
    [tx, ty, tz]: ArrayLike<number> & Iterable<number>,
    q: ArrayLike<number>,
    s: ArrayLike<number>,
): Matrix {
    const [x, y, z, w] = [q[0]!, q[1]!, q[2]!, q[3]!];
    const rotation = [
        [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
        [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
        [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
    ];
    return [...rotation.flatMap((column, i) => [...column.map((value) => value * s[i]!), 0]), tx!, ty!, tz!, 1];
}

/** One channel at one time, straight from glTF 2.0, appendix C. */
function sample({ interpolation, path, times, values }: SceneChannel, time: number): number[] {
    const width = path === 'rotation' ? 4 : 3;
    const cubic = interpolation === 'CUBICSPLINE';
    const read = (key: number, part: number) =>
        Array.from(values.slice((key * (cubic ? 3 : 1) + part) * width).slice(0, width));
    const value = (key: number) => read(key, cubic ? 1 : 0);
    const normalised = (v: number[]) => v.map((x) => x / Math.hypot(...v));
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
    if (path !== 'rotation') return a.map((x, i) => x + t * (b[i]! - x));
    const dot = a.reduce((sum, x, i) => sum + x * b[i]!, 0);
    const angle = Math.acos(Math.min(1, Math.abs(dot)));
    const sine = Math.sin(angle);
    const weights = sine === 0 ? [1 - t, t] : [Math.sin((1 - t) * angle) / sine, Math.sin(t * angle) / sine];
    return a.map((x, i) => weights[0]! * x + Math.sign(dot || 1) * weights[1]! * b[i]!);
}

/** Global x inverse bind of every joint in double precision, node by node. */
function referencePalette(s: GltfScene, animation: SceneAnimation, time: number): Matrix[] {
    const global = (index: number): Matrix => {
        const { matrix, parent, ...rest } = s.nodes[index]!;
        const of = (path: 'translation' | 'rotation' | 'scale') => {
            const found = animation.channels.find((c) => c.node === index && c.path === path);
            return found ? sample(found, time) : Array.from(rest[path]);
        };
        const local = matrix ? Array.from(matrix) : compose(of('translation'), of('rotation'), of('scale'));
        return parent < 0 ? local : multiply(global(parent), local);
    };
    const { joints, inverseBindMatrices } = s.skins[0]!;
    return joints.map((joint, i) =>
        multiply(global(joint), Array.from(inverseBindMatrices.subarray(i * 16, i * 16 + 16))),
    );
}

/** The library's palette at all times, batch by batch: `[frame][joint]`, column-major. */
function evaluate(s: GltfScene, animations: SceneAnimation[], times: number[], batch = times.length): Matrix[][][] {
    const rig = rigOfSkin(s, 0);
    const joints = rig.jointNodes.length;
    const evaluator = createEvaluator(rig, batch);
    const frameTimes = Float32Array.from(times);
    return animations.map((animation) => {
        startClip(evaluator, packClip(animation, rig.slots));
        const frames: Matrix[][] = [];
        for (let first = 0; first < times.length; first += evaluator.batchFrames) {
            const count = Math.min(evaluator.batchFrames, times.length - first);
            evaluateFrames(evaluator, frameTimes, first, count);
            for (let frame = 0; frame < count; frame++) {
                frames.push(
                    Array.from({ length: joints }, (_, joint) => {
                        const m = evaluator.palette.subarray(
                            (frame * joints + joint) * 12,
                            (frame * joints + joint) * 12 + 12,
                        );
                        return Array.from({ length: 16 }, (_, i) =>
                            i % 4 === 3 ? (i === 15 ? 1 : 0) : m[(i % 4) * 4 + (i >> 2)]!,
                        );
                    }),
                );
            }
        }
        return frames;
    });
}

function worstDifference(actual: Matrix[][], expected: Matrix[][]): number {
    let worst = 0;
    actual.forEach((frame, f) => {
        frame.forEach((matrix, joint) => {
            matrix.forEach((value, i) => {
                // NaN counts as the greatest difference.
                const difference = Math.abs(value - expected[f]![joint]![i]!);
                worst = difference <= worst ? worst : Number.isNaN(difference) ? Infinity : difference;
            });
        });
    });
    return worst;
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
function randomScene(random: () => number): { s: GltfScene; animations: SceneAnimation[] } {
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
    const animations = Array.from({ length: 2 }, () => {
        const channels = nodes.flatMap(({ matrix }, i) =>
            matrix
                ? []
                : (['translation', 'rotation', 'scale'] as const)
                      .filter(() => random() < 0.4)
                      .map((path) => randomChannel(random, i, path)),
        );
        return { name: '', channels };
    });
    return { s: scene(nodes, [skin(joints, binds)], animations), animations };
}

const TIMES = Array.from({ length: 23 }, (_, i) => Math.fround(i / 10));

test('the palette is that of a double-precision evaluation, for random hierarchies and channels', () => {
    const random = randomOf(1);
    let worst = 0;
    for (let round = 0; round < 100; round++) {
        const { s, animations } = randomScene(random);
        const [actual] = evaluate(s, animations, TIMES);
        const expected = TIMES.map((time) => referencePalette(s, animations[0]!, time));
        const size = expected.flat(2).reduce((most, value) => Math.max(most, Math.abs(value)), 1);
        worst = Math.max(worst, worstDifference(actual!, expected) / size);
    }
    // Up to ten matrices in a chain, each rounded to float32 (6e-8).
    expect(worst).toBeLessThan(1e-6);
});

test('the size of the batches does not change a bit, nor does the clip before', () => {
    const random = randomOf(2);
    for (let round = 0; round < 20; round++) {
        const { s, animations } = randomScene(random);
        const whole = evaluate(s, animations, TIMES);
        expect(evaluate(s, animations, TIMES, 1)).toEqual(whole);
        expect(evaluate(s, animations, TIMES, 7)).toEqual(whole);
        expect(evaluate(s, [animations[1]!], TIMES)[0]).toEqual(whole[1]);
    }
});

test('a large skeleton still gets a batch of at least one frame', () => {
    const chain = Array.from({ length: 20_000 }, (_, i) => node(i - 1, { translation: [0, 1, 0] }));
    const rig = rigOfSkin(scene(chain, [skin([19_999])], []), 0);
    const evaluator = createEvaluator(rig, 10);
    expect(evaluator.batchFrames).toBe(1);
    startClip(evaluator, packClip({ name: '', channels: [] }, rig.slots));
    evaluateFrames(evaluator, new Float32Array(10), 0, 1);
    expect([...evaluator.palette]).toEqual([1, 0, 0, 0, 0, 1, 0, 20_000, 0, 0, 1, 0]);
});

test('the inverse bind matrix multiplies from the right', () => {
    const bind = compose([0, -2, 0], [0, 0, 0, 1], [1, 1, 1]);
    const turned = node(-1, { rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2], translation: [5, 0, 0] });
    const [[[[...matrix]]]] = evaluate(scene([turned], [skin([0], bind)], []), [{ name: '', channels: [] }], [0]) as [
        [[Matrix]],
    ];
    // A quarter turn about z takes -2 y to 2 x; then 5 to the right.
    expect(matrix[12]).toBeCloseTo(7, 6);
    expect(matrix[13]).toBeCloseTo(0, 6);
});
