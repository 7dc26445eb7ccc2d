// SPDX-License-Identifier: MIT

/** Files whose clips are odd beside others: what can be reduced is, and the rest stays as it is. */

import { type ReduceOptions, reduceFile } from '../../lib/reduce';
import type { LooseJson } from '../gltf/support/builder';
import { type Keys, RigBuilder } from './rigs';

const times = Array.from({ length: 31 }, (_, i) => i / 30);
/** 2 keys of it are enough. */
const straight: Keys = { node: 0, path: 'translation', times, values: times.flatMap((t) => [t, 0, 0]) };

/** A lone mesh whose clip `walk` moves straight on. */
function walking(): RigBuilder {
    const rig = new RigBuilder();
    rig.node();
    rig.mesh(0, [-1, 0, 0, 1, 0, 0, 0, 1, 0]);
    rig.clip([straight], 'walk');
    return rig;
}

async function reduced(rig: RigBuilder, options: ReduceOptions = {}) {
    const result = await reduceFile({ bytes: rig.done().builder.toGlb(), name: 'rig.glb' }, options);
    const { buffer, byteOffset } = result.bytes;
    const length = new DataView(buffer, byteOffset).getUint32(12, true);
    const json: LooseJson = JSON.parse(Buffer.from(buffer, byteOffset + 20, length).toString());
    const keysOf = (clip: number) =>
        json.animations[clip].channels.map(
            ({ sampler }: { sampler: number }) => json.accessors[json.animations[clip].samplers[sampler].input].count,
        );
    return { ...result, json, keysOf };
}

describe('a clip in which nothing moves a node stays as it is', () => {
    const sampler = { input: 0, output: 1 };
    test.each<[string, LooseJson, string[]]>([
        ['without channels', { name: 'empty', channels: [], samplers: [] }, []],
        ['without lists', { name: 'empty' }, []],
        ['with samplers that no channel has', { channels: [], samplers: [sampler, { input: 99 }, null, 'odd'] }, []],
        [
            'without targets',
            { channels: [{ sampler: 0, target: { path: 'scale' } }], samplers: [sampler] },
            ['CHANNEL_IGNORED'],
        ],
        [
            'without samplers',
            { channels: [{ sampler: 0, target: { path: 'scale' } }], samplers: [null] },
            ['CHANNEL_IGNORED'],
        ],
    ])('%s', async (_, clip, codes) => {
        const rig = walking();
        rig.builder.json.animations.push(clip);
        const { json, keysOf, clips, warnings } = await reduced(rig);
        expect(keysOf(0)).toEqual([2]);
        const { samplers = [], ...rest } = json.animations[1];
        expect(rest).toEqual((({ samplers: _, ...others }) => others)(clip));
        expect(samplers).toHaveLength(clip.samplers?.length ?? 0);
        expect(warnings.map(({ code }) => code)).toEqual([...codes, 'CLIP_NOT_ANIMATED']);
        expect(clips.map(({ keysAfter, kept }) => [keysAfter, kept])).toEqual([
            [2, false],
            [0, true],
        ]);
    });

    test('also where all clips are such', async () => {
        const rig = walking();
        rig.builder.json.animations = [{ name: 'a', channels: [], samplers: [] }, { name: 'b' }];
        const { json, clips } = await reduced(rig, { maxError: 0.001 });
        expect(json.animations).toEqual([{ name: 'a', channels: [], samplers: [] }, { name: 'b' }]);
        expect(clips).toEqual([]);
    });

    test('strict refuses it, unless it is not chosen', async () => {
        const withEmpty = () => {
            const rig = walking();
            rig.builder.json.animations.push({ name: 'empty', channels: [], samplers: [] });
            return rig;
        };
        await expect(reduced(withEmpty(), { strict: true })).rejects.toMatchObject({
            code: 'CLIP_NOT_ANIMATED',
            pointer: '/animations/1',
        });
        expect((await reduced(withEmpty(), { strict: true, clips: ['walk'] })).keysOf(0)).toEqual([2]);
    });
});
