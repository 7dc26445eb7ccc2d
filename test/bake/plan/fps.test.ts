// SPDX-License-Identifier: MIT

import { bakeScene } from '../../../lib/bake/bake';
import { fpsMeetingAllKeys, rateOfKeys } from '../../../lib/bake/plan/fps';
import { cadenceOf } from '../../../lib/rig/cadence';
import { channel, node, scene, skin } from '../../rig/scenes';

/** A clip of ten keys at `rate` per second. */
function keysAt(rate: number, first = 0) {
    const times = Array.from({ length: 10 }, (_, i) => first + i / rate);
    const values = times.flatMap((t) => [t, 0, 0]);
    return { name: `${rate}`, channels: [channel(0, 'translation', 'LINEAR', times, values)] };
}
const POSE = { name: 'pose', channels: [channel(0, 'translation', 'LINEAR', [0], [0, 0, 0])] };
/** Keys not on a grid. */
const LOOSE = {
    name: 'loose',
    channels: [channel(0, 'translation', 'LINEAR', [0, 0.1, 0.2371], [0, 0, 0, 1, 0, 0, 2, 0, 0])],
};

const CASES: [string, ReturnType<typeof keysAt>[], number | null, number][] = [
    ['30 a second', [keysAt(30)], 30, 30],
    ['24 and 12 a second, and a pose', [keysAt(24), keysAt(12), POSE], 24, 24],
    ['sparse keys: a multiple, at least 24', [keysAt(2)], 24, 24],
    ['sparse keys: a multiple above 24', [keysAt(10)], 30, 30],
    ['20 and 30 a second: both', [keysAt(20), keysAt(30)], 60, 60],
    ['24 and 30 a second: above 60', [keysAt(24), keysAt(30)], 120, 30],
    ['24 and 25 a second: above 240', [keysAt(24), keysAt(25)], null, 30],
    ['not on a grid', [keysAt(24), LOOSE], null, 30],
    ['poses alone', [POSE], null, 30],
];

test.each(CASES)('%s', async (_, clips, suggested, fps) => {
    expect(fpsMeetingAllKeys(clips.map(cadenceOf))).toBe(suggested);
    expect(rateOfKeys(clips)).toEqual([fps, 1]);
    const s = scene([node(-1)], [skin([0])], clips);
    const bakes = [await bakeScene(s, { fps: 'keys' }), await bakeScene(s, { fps })];
    const [keys, given] = bakes.map(({ outputs }) => outputs[0]!.json);
    expect(JSON.parse(given!).recipe.fps).toEqual([fps, 1]);
    // Recorded as the number.
    expect(keys).toBe(given);
});

test('only the baked clips matter', async () => {
    const s = scene([node(-1)], [skin([0])], [keysAt(24), keysAt(25)]);
    const rateOf = async (clip: string) =>
        (await bakeScene(s, { fps: 'keys', clips: [clip] })).outputs[0]!.manifest.recipe.fps;
    expect([await rateOf('24'), await rateOf('25')]).toEqual([
        [24, 1],
        [25, 1],
    ]);
});

test("'auto' with maxRows: a clip that no rate can keep gets one with an error near that of 240, and few rows", async () => {
    // For 0.8 ms a joint has an error of a twentieth of the extent, 1.
    const x = [1, 1, 1.05, 1, 1].flatMap((at) => [at, 0, 0]);
    const blink = channel(1, 'translation', 'LINEAR', [0, 0.4996, 0.5, 0.5004, 1], x);
    const nodes = [node(-1), node(0, { translation: [1, 0, 0] })];
    const s = scene(nodes, [skin([0, 1])], [{ name: 'blink', channels: [blink] }]);
    const { warnings, stats } = await bakeScene(s, { fps: 'auto', maxRows: 50 });
    expect(warnings.map(({ code }) => code)).toEqual(['AUTO_FPS_INEXACT']);
    expect(stats.frames).toBeLessThan(50);
    await expect(bakeScene(s, { fps: 'auto', maxError: 1e-3, maxRows: 50 })).rejects.toMatchObject({
        code: 'OUTPUT_TOO_LARGE',
    });
});
