// SPDX-License-Identifier: MIT

import { bakeScene } from '../../lib/bake/bake';
import type { BakeOutput } from '../../lib/bake/skin';
import type { GltfScene } from '../../lib/gltf/scene';
import { typescriptRig } from '../../lib/rig/kernels';
import { MAX_SLOTS } from '../../lib/rig/measure/characters';
import { Rig } from '../../lib/rig/rig';
import { channel, node, scene, skin } from '../rig/scenes';
import { frameTimes } from '../support/frame-times';
import { random as randomOf, randomRotation } from '../support/random';

/** Frames are evaluated in batches, which must not affect the rows. */

const JOINTS = 30;
const FPS = 60;

/** A chain; each clip turns some of its joints and scales one. */
function chain(random: () => number, durations: readonly number[]): GltfScene {
    const nodes = Array.from({ length: JOINTS }, (_, i) =>
        node(i - 1, { translation: [random(), 0, 0], rotation: randomRotation(random) }),
    );
    const animations = durations.map((duration, a) => {
        const times = Array.from({ length: 9 }, (_, key) => (duration * key) / 8);
        const turned = nodes.flatMap((_, i) => (i % durations.length === a || random() < 0.3 ? [i] : []));
        const rotations = () => times.flatMap(() => randomRotation(random));
        const turns = turned.map((i) => channel(i, 'rotation', 'LINEAR', times, rotations()));
        return { name: '', channels: [...turns, channel(a, 'scale', 'LINEAR', [0, duration], [1, 1, 1, 2, 0.5, -1])] };
    });
    return scene(nodes, [skin(Array.from({ length: JOINTS }, (_, i) => JOINTS - 1 - i))], animations);
}

function rowsOf({ bin }: BakeOutput): Float32Array {
    return new Float32Array(bin.buffer, bin.byteOffset, bin.byteLength / 4);
}

test('every row depends only on its time, in clips of one frame and of many batches', async () => {
    // 1 frame, 16, 17 and 601: less than a block, a block, a little more, several batches.
    const durations = [0, 15 / FPS, 16 / FPS, 10];
    const s = chain(randomOf(1), durations);
    const [output] = (await bakeScene(s, { fps: FPS })).outputs;
    const rows = rowsOf(output!);
    expect(output!.manifest.clips.map(({ frameCount }) => frameCount)).toEqual([1, 16, 17, 601]);
    const rig = new Rig(s, undefined, typescriptRig);
    const poses = rig.createPoses(1);
    const width = JOINTS * 16;
    const expected = new Float32Array(width);
    for (const { animation, firstRow, duration } of output!.manifest.clips) {
        for (const [frame, time] of frameTimes(duration, FPS).entries()) {
            rig.evaluate(poses, animation, Float32Array.of(time));
            rig.toGlobal(poses);
            rig.palettes(poses, 0, expected, 'mat4');
            const row = rows.subarray((firstRow + frame) * width, (firstRow + frame + 1) * width);
            expect(Buffer.from(row.slice().buffer).equals(Buffer.from(expected.buffer))).toBe(true);
        }
    }
});

test('a chain with the max number of nodes of a skin', async () => {
    const length = MAX_SLOTS;
    const nodes = Array.from({ length }, (_, i) => node(i - 1, { translation: [0, 1, 0] }));
    const rise = channel(0, 'translation', 'LINEAR', [0, 1], [0, 0, 0, 0, 2, 0]);
    const s = scene(nodes, [skin([length - 1])], [{ name: 'rise', channels: [rise] }]);
    const [output] = (await bakeScene(s, { fps: 1 })).outputs;
    expect([...rowsOf(output!)]).toEqual(
        [length - 1, length + 1].flatMap((y) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, y, 0, 1]),
    );
    expect(output!.manifest.clips[0]!.bounds).toEqual([0, length - 1, 0, 0, length + 1, 0]);
});

test('only the part of a scene that the skin depends on is evaluated', async () => {
    const s = chain(randomOf(3), [1]);
    const [alone] = (await bakeScene(s, { fps: FPS })).outputs;
    // Another skeleton whose keys would not be finite, and morph weights on a joint.
    const far = channel(JOINTS, 'scale', 'LINEAR', [0, 1], [3e38, 1, 1, -3e38, 1, 1]);
    const nodes = s.nodes.map((one, i) => (i === 3 ? { ...one, weights: Float32Array.of(0, 0) } : one));
    const weights = channel(3, 'weights', 'LINEAR', [0, 1], [0, 0, 1, 1]);
    const more = {
        ...s,
        nodes: [...nodes, node(-1), node(JOINTS)],
        skins: [skin([JOINTS + 1]), ...s.skins],
        animations: s.animations.map(({ name, channels }) => ({ name, channels: [far, weights, ...channels] })),
    };
    const [beside] = (await bakeScene(more, { fps: FPS, skin: 1 })).outputs;
    expect(beside!.bin).toEqual(alone!.bin);
});
