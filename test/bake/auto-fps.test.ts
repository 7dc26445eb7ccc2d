// SPDX-License-Identifier: MIT

import type { BakeOptions } from '../../lib/bake';
import { bakeFile } from '../../lib/bake';
import { bakeScene } from '../../lib/bake/bake';
import type { GltfScene } from '../../lib/gltf/scene';
import { channel, node, scene, skin } from '../rig/scenes';
import { describeModel, FOX } from '../support/models';
import { random as randomOf } from '../support/random';
import { creature } from './baked-scenes';

const rateOf = async (s: GltfScene, options: BakeOptions) => {
    const { outputs } = await bakeScene(s, { fps: 'auto', ...options });
    const rates = new Set(outputs.map(({ manifest }) => manifest.recipe.fps.join('/')));
    expect(rates.size).toBe(1);
    return Number([...rates][0]!.split('/')[0]);
};

/** Whether every clip of every skin is within the error allowed, at a rate given. */
async function holds(s: GltfScene, fps: number, options: BakeOptions, allowed: number): Promise<boolean> {
    const { outputs } = await bakeScene(s, { ...options, fps });
    return outputs.every(({ manifest }) => manifest.clips.every(({ error }) => error.maxLerp <= allowed));
}

test.each<[string, GltfScene, number, BakeOptions]>([
    ['a creature', creature(1), 0.05, { clips: ['walk'] }],
    ['another, with a part of its clips', creature(2), 0.02, { clips: ['walk'], from: 0.3, to: 0.6 }],
    ['fitted', creature(3), 0.05, { clips: ['walk'], end: 'fit' }],
    ['half floats', creature(4), 0.05, { clips: ['walk'], dtype: 'f16' }],
])('the lowest rate that holds: %s', async (_, s, maxError, options) => {
    const found = await rateOf(s, { ...options, maxError });
    expect(found).toBeGreaterThan(1);
    // maxError is no option of a bake at a given rate, but for half floats.
    const other = options.dtype === 'f16' ? { ...options, maxError } : options;
    expect(await holds(s, found, other, maxError)).toBe(true);
    for (let fps = 1; fps < found; fps++) expect([fps, await holds(s, fps, other, maxError)]).toEqual([fps, false]);
});

test('the manifest is that of a bake at the rate found', async () => {
    const s = creature(1);
    const [auto] = (await bakeScene(s, { fps: 'auto', maxError: 0.05, clips: ['walk'] })).outputs;
    const [fps] = auto!.manifest.recipe.fps;
    const [given] = (await bakeScene(s, { fps, clips: ['walk'] })).outputs;
    expect(auto!.json).toBe(given!.json);
    expect(auto!.bin).toEqual(given!.bin);
});

test('straight motion needs one frame a second, and clips of no duration none', async () => {
    const straight = channel(0, 'translation', 'LINEAR', [0, 4], [0, 0, 0, 7, 0, 0]);
    const nodes = [node(-1), node(0, { translation: [0, 1, 0] })];
    const still = channel(0, 'translation', 'LINEAR', [0], [0, 0, 0]);
    expect(await rateOf(scene(nodes, [skin([0, 1])], [{ name: '', channels: [straight] }]), {})).toBe(1);
    expect(await rateOf(scene(nodes, [skin([0, 1])], [{ name: '', channels: [still] }]), {})).toBe(1);
});

test('one rate for all skins: the highest that any of them needs', async () => {
    const s = creature(1);
    const slow = { ...s.skins[0]!, joints: [8], inverseBindMatrices: s.skins[0]!.inverseBindMatrices.slice(0, 16) };
    const two = { ...s, skins: [s.skins[0]!, slow] };
    const options = { clips: ['walk'], maxError: 0.05 };
    expect(await rateOf(two, { ...options, skin: 1 })).toBe(1);
    expect(await rateOf(two, options)).toBe(await rateOf(s, options));
});

test('where no rate holds, it says which clip is in the way', async () => {
    // Jumps all over the place: at every rate up to 240 one of them is seen to be late.
    const random = randomOf(1);
    const times = Array.from({ length: 80 }, (_, i) => i + random());
    const jump = channel(
        0,
        'translation',
        'STEP',
        times,
        times.flatMap((_, i) => [i % 2, 0, 0]),
    );
    const s = scene(
        [node(-1), node(0, { translation: [0, 1, 0] })],
        [skin([0, 1])],
        [{ name: 'leap', channels: [jump] }],
    );
    await expect(bakeScene(s, { fps: 'auto' })).rejects.toMatchObject({
        name: 'ToleranceError',
        code: 'ERR_TOLERANCE',
        message: expect.stringMatching(/clip #0 'leap'.*maxError at 240.*jumps 79 times/),
    });
});

test('an abort while looking for the rate ends the bake', async () => {
    const reason = new Error('enough');
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 60);
    // Nine hours of jumps, each of them missed until 240 frames a second.
    const times = Array.from({ length: 20_000 }, (_, i) => i + 0.1234567);
    const jumps = channel(
        0,
        'translation',
        'STEP',
        times,
        times.flatMap((_, i) => [i % 2, 0, 0]),
    );
    const turns = channel(0, 'rotation', 'LINEAR', [0, 30_000], [0, 0, 0, 1, 0, 0, 1, 0]);
    const s = scene(
        [node(-1), node(0, { translation: [0, 1, 0] })],
        [skin([0, 1])],
        [
            { name: '', channels: [turns] },
            { name: '', channels: [jumps] },
        ],
    );
    await expect(bakeScene(s, { fps: 'auto', maxError: 1e-9 }, { signal: controller.signal })).rejects.toBe(reason);
});

test('too many rows are refused while looking, not allocated', async () => {
    const seconds = 2 ** 29;
    const slow = channel(0, 'translation', 'LINEAR', [0, seconds], [0, 0, 0, 7, 0, 0]);
    const s = scene([node(-1)], [skin([0])], [{ name: '', channels: [slow] }]);
    await expect(bakeScene(s, { fps: 'auto', maxError: 1 })).rejects.toMatchObject({ code: 'OUTPUT_TOO_LARGE' });
    await expect(bakeScene(creature(1), { fps: 'auto', maxError: 0.05, maxRows: 20 })).rejects.toMatchObject({
        code: 'OUTPUT_TOO_LARGE',
    });
});

describeModel(FOX, () => {
    test('by default within a thousandth of the extent', async () => {
        const [output] = (await bakeFile(FOX.path, { fps: 'auto' })).outputs;
        const { clips, extent, recipe } = output!.manifest;
        expect(Math.max(...clips.map(({ error }) => error.maxLerp))).toBeLessThanOrEqual(1e-3 * extent);
        const [lower] = (await bakeFile(FOX.path, { fps: recipe.fps[0] - 1 })).outputs;
        expect(Math.max(...lower!.manifest.clips.map(({ error }) => error.maxLerp))).toBeGreaterThan(1e-3 * extent);
    });
});
