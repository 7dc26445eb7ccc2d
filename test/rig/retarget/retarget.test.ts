// SPDX-License-Identifier: MIT

/**
 * A skeleton with other axes, another size and another root has other numbers and the same motion. `rotation` converts its clips back to the
 * original's. The test changes the axes with its own quaternions.
 */

import { readGltf } from '../../../lib/gltf/read';
import type { GltfScene, SceneChannel, SceneNode } from '../../../lib/gltf/scene';
import { withClips } from '../../../lib/rig/retarget/merge';
import { times } from '../../support/joint-reference';
import { CHARACTER, describeModel, KNIGHT, type Model } from '../../support/models';
import { random, randomRotation } from '../../support/random';
import { channel, node, scene } from '../scenes';

type Q = readonly number[];

const inverse = ([x, y, z, w]: Q) => [-x!, -y!, -z!, w!];
const turned = (q: Q, v: ArrayLike<number>) => times(times(q, [v[0]!, v[1]!, v[2]!, 0]), inverse(q)).slice(0, 3);

/** The same skeleton and clips, with the axes of node j turned by `axes[j]`, and `size` times as large. */
function withOtherAxes(original: GltfScene, seed: number, size: number): GltfScene {
    const next = random(seed);
    const axes = original.nodes.map(() => randomRotation(next));
    const above = (index: number) => {
        const { parent } = original.nodes[index]!;
        return parent < 0 ? [0, 0, 0, 1] : axes[parent]!;
    };
    const rotation = (index: number, q: Q) => times(times(inverse(above(index)), q), axes[index]!);
    const place = (index: number, v: ArrayLike<number>) => turned(inverse(above(index)), v).map((x) => x * size);
    const nodes = original.nodes.map(
        (one, index): SceneNode => ({
            name: one.name,
            parent: one.parent,
            matrix: null,
            scale: one.scale,
            weights: one.weights,
            translation: Float32Array.from(place(index, one.translation)),
            rotation: Float32Array.from(rotation(index, Array.from(one.rotation))),
        }),
    );
    const retold = ({ node: index, path, values, ...rest }: SceneChannel): SceneChannel => {
        const width = path === 'rotation' ? 4 : 3;
        const all: number[] = [];
        for (let at = 0; at < values.length; at += width) {
            const value = Array.from(values.subarray(at, at + width));
            if (path === 'rotation') all.push(...rotation(index, value));
            else all.push(...(path === 'translation' ? place(index, value) : value));
        }
        return { ...rest, node: index, path, values: Float32Array.from(all) };
    };
    const animations = original.animations.map(({ name, channels }) => ({ name, channels: channels.map(retold) }));
    return { ...original, name: 'other.glb', sha256: 'other', nodes, animations };
}

const RECIPE = {
    rename: [],
    unmatched: 'error',
    retarget: 'rotation',
    feet: 'hold',
    travel: 'scale',
    roles: {},
} as const;

function taken(original: GltfScene, other: GltfScene): readonly { channels: readonly SceneChannel[] }[] {
    const hero = { ...original, animations: [] };
    return withClips(hero, [{ scene: other, file: 'other.glb' }], RECIPE).animations;
}

function expectNear(values: Float32Array, wanted: Float32Array, tolerance: number): void {
    expect(values.length).toBe(wanted.length);
    const off = values.reduce((max, value, i) => Math.max(max, Math.abs(value - wanted[i]!)), 0);
    expect(off).toBeLessThanOrEqual(tolerance);
}

const MODELS: [Model, string][] = [
    [CHARACTER, 'Hips'],
    [KNIGHT, 'hips'],
];

for (const [model, hips] of MODELS) {
    describeModel(model, () => {
        let original: GltfScene;
        beforeAll(async () => {
            original = await readGltf(model.path, { vertices: false });
        });

        test.each([0.01, 7.5])('rotations, their tangents, and hip translations are restored from size %p', (size) => {
            const clips = taken(original, withOtherAxes(original, 3, size));
            const extent = 100;
            let compared = 0;
            for (const [index, { channels }] of original.animations.entries()) {
                const found = new Map(clips[index]!.channels.map((one) => [`${one.node} ${one.path}`, one]));
                for (const { node: target, path, interpolation, times: keys, values } of channels) {
                    const one = found.get(`${target} ${path}`);
                    if (path === 'scale') continue; // its axes differ
                    if (path === 'translation' && original.nodes[target]!.name !== hips) continue;
                    expect(one).toMatchObject({ interpolation, times: keys });
                    // Tangents of a spline are proportional to the speed of the clip.
                    const greatest = values.reduce((max, value) => Math.max(max, Math.abs(value)), 1);
                    expectNear(one!.values, values, greatest * 4e-6);
                    compared++;
                }
            }
            expect(compared).toBeGreaterThan(extent / 2);
        });

        test('translations of other nodes stay those of this file', () => {
            const carried = new Set(
                taken(original, withOtherAxes(original, 4, 2)).flatMap(({ channels }) =>
                    channels
                        .filter(({ path }) => path === 'translation')
                        .map(({ node: target }) => original.nodes[target]!.name),
                ),
            );
            carried.delete(hips);
            expect([...carried].filter((name) => name !== 'root')).toEqual([]);
        });

        test('with equal rest poses no bit changes', () => {
            const clips = taken(original, { ...original, sha256: 'other' });
            for (const [index, { channels }] of clips.entries()) {
                for (const one of channels) {
                    const { node: target, path } = one;
                    const own = original.animations[index]!.channels.find((c) => c.node === target && c.path === path);
                    expect(one.values).toBe(own!.values);
                }
            }
        });
    });
}

describe('how the hips are found', () => {
    const still = { name: 'Root', translation: [0, 0, 0] };
    /** The root and a foot are on the ground, the hips above it, and a prop at the side. */
    const body = (height: number, scale = 1) => [
        node(-1, { ...still, scale: [scale, scale, scale] }),
        node(0, { name: 'Hips', translation: [0, height / scale, 0] }),
        node(1, { name: 'Foot', translation: [0, -height / scale, 0] }),
        node(0, { name: 'Prop', translation: [0, 5 / scale, 0] }),
    ];
    const clip = (...values: number[]) => ({
        name: 'move',
        channels: [
            channel(0, 'translation', 'LINEAR', [0], [1, 0, 0]),
            channel(1, 'translation', 'CUBICSPLINE', [0], values),
            channel(2, 'rotation', 'LINEAR', [0], [0, 0, 0, 1]),
            channel(3, 'translation', 'LINEAR', [0], [9, 9, 9]),
        ],
    });

    test.each([
        [1, 1],
        [1, 100],
        [100, 1],
        [0.01, 0.01],
    ])('hip translations scale with the hip height, for any scale above (%p there, %p here)', (there, here) => {
        const other = { ...scene(body(2, there), [], [clip(2, 0, 0, 0, 3 / there, 0, 0, 2, 0)]), sha256: 'other' };
        const hero = scene(body(1, here), [], []);
        const [{ channels }] = taken(hero, other) as [{ channels: readonly SceneChannel[] }];
        const found = channels.map(({ node: target, path }) => [target, path]);
        // The prop is not on the path from the root to the hips.
        expect(found).toEqual([
            [0, 'translation'],
            [1, 'translation'],
            [2, 'rotation'],
        ]);
        expectNear(channels[0]!.values, Float32Array.of(0.5, 0, 0), 1e-6);
        const factor = (0.5 * there) / here;
        // An in-tangent, a value 1 above rest (2) in the other file, an out-tangent.
        const wanted = [2 * factor, 0, 0, 0, 1 / here + 0.5 / here, 0, 0, 2 * factor, 0];
        expectNear(channels[1]!.values, Float32Array.from(wanted), 1e-5 * Math.max(1, factor, 1 / here));
    });

    test.each([
        ['the hips and their ancestors', [1], 0.5],
        ['an arm', [4], null],
    ])('a clip of only %s: the skeleton identifies the hips', (_, moved, factor) => {
        /** Toes are below the ground, and a chest just above the hips. */
        const whole = (height: number, chest: number) => [
            ...body(height),
            node(1, { name: 'Chest', translation: [0, chest, 0] }),
            node(2, { name: 'Toe', translation: [0, -0.01 * height, 0] }),
        ];
        const channels = moved.map((target) => channel(target, 'translation', 'LINEAR', [0], [3, 2, 0]));
        const other = { ...scene(whole(2, 0.5), [], [{ name: 'move', channels }]), sha256: 'other' };
        const { animations, warnings } = withClips(scene(whole(1, 0.4), [], []), [{ scene: other, file: 'o' }], RECIPE);
        const found = animations[0]!.channels;
        expect(found).toHaveLength(factor === null ? 0 : 1);
        if (factor !== null) expectNear(found[0]!.values, Float32Array.of(3 * factor, 1, 0), 1e-6);
        const told = `test.glb: retarget 'rotation' leaves out translations of a node that is not the hips, up to 3.35 from the rest pose ('Chest')`;
        const left = { code: 'TRANSLATIONS_LEFT_OUT', pointer: '', message: told };
        expect(warnings).toEqual(factor === null ? [left] : []);
    });

    test('translations at rest, within rounding, give no warning', () => {
        const other = { ...scene(body(2), [], [clip(0, 0, 0, 0, 2, 0, 0, 0, 0)]), sha256: 'other' };
        const prop = (x: number) => {
            const channels = [channel(3, 'translation', 'LINEAR', [0, 1], [0, 5, 0, x, 5, 0])];
            const moved = { ...other, animations: [{ name: 'move', channels }] };
            return withClips(scene(body(1), [], []), [{ scene: moved, file: 'o' }], RECIPE).warnings.length;
        };
        expect([prop(4e-5), prop(6e-5)]).toEqual([0, 1]);
    });

    test('scales are relative to those at rest', () => {
        const at = (scale: number[]) => [node(-1, { name: 'a', scale })];
        const moved = { name: 'grow', channels: [channel(0, 'scale', 'STEP', [0], [2, 2, 3])] };
        const other = { ...scene(at([1, 2, 0]), [], [moved]), sha256: 'other' };
        const [{ channels }] = taken(scene(at([3, 3, 3]), [], []), other) as [{ channels: readonly SceneChannel[] }];
        expect(Array.from(channels[0]!.values)).toEqual([6, 3, 3]);
    });
});
