// SPDX-License-Identifier: MIT

/** Files with odd clips among others: all possible clips are reduced, and the rest stays unchanged. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bakeFile, writeBake } from '../../lib/bake';
import { bakedGlb } from '../../lib/bake/dense/baked-glb';
import { type ReduceOptions, reduceAnimations, reduceFile } from '../../lib/reduce';
import { verifyBake, verifyReduced } from '../../lib/verify';
import type { LooseJson } from '../gltf/support/builder';
import { DYADIC, quantizedModel, ROUNDED } from '../support/quantized-model';
import { scratchFolder } from '../support/temporary-folder';
import { frames, type Keys, keyed, RigBuilder } from './rigs';

const folder = scratchFolder();

/** Needs only 2 keys. */
const straight = (speed = 1) => keyed(0, 'translation', frames(31), (t) => [t * speed, 0, 0]);

/** A single mesh that the clip `walk` moves straight. */
function walking(): RigBuilder {
    const rig = new RigBuilder();
    rig.node(-1, { name: 'box' });
    rig.mesh(0, [-1, 0, 0, 1, 0, 0, 0, 1, 0]);
    rig.clip([straight()], 'walk');
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

describe('a clip in which nothing moves a node stays unchanged', () => {
    const sampler = { input: 0, output: 1 };
    const channels = [{ sampler: 0, target: { path: 'scale' } }];
    test.each<[string, LooseJson, string[]]>([
        ['without channels', { name: 'empty', channels: [], samplers: [] }, []],
        ['without lists', { name: 'empty' }, []],
        ['with samplers that no channel uses', { channels: [], samplers: [sampler, { input: 99 }, null, 'odd'] }, []],
        ['without targets', { channels, samplers: [sampler] }, ['CHANNEL_IGNORED']],
        ['without samplers', { channels, samplers: [null] }, ['CHANNEL_IGNORED']],
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

    test('also if all clips are like that', async () => {
        const rig = walking();
        rig.builder.json.animations = [{ name: 'a', channels: [], samplers: [] }, { name: 'b' }];
        const { json, clips } = await reduced(rig, { maxError: 0.001 });
        expect(json.animations).toEqual([{ name: 'a', channels: [], samplers: [] }, { name: 'b' }]);
        expect(clips).toEqual([]);
    });

    test('strict rejects it, unless it is not chosen', async () => {
        const rig = walking();
        rig.builder.json.animations.push({ name: 'empty', channels: [], samplers: [] });
        const fault = { code: 'CLIP_NOT_ANIMATED', pointer: '/animations/1' };
        await expect(reduced(rig, { strict: true })).rejects.toMatchObject(fault);
        expect((await reduced(rig, { strict: true, clips: ['walk'] })).keysOf(0)).toEqual([2]);
    });
});

/** Ways to break the clip that is not chosen. */
const BROKEN: Record<string, (rig: RigBuilder, clip: LooseJson) => void> = {
    'times that decrease': ({ builder }, { samplers }) => {
        samplers[0].input = builder.accessor(Float32Array.of(1, 0), 'SCALAR');
    },
    'keys of NaN': ({ builder }, { samplers }) => {
        samplers[0].output = builder.accessor(Float32Array.of(0, NaN, 0, 1, 0, 0), 'VEC3');
    },
    'too many values': ({ builder }, { samplers }) => {
        samplers[0].output = builder.accessor(new Float32Array(9), 'VEC3');
    },
    'a count beyond its view': ({ builder }, { samplers }) => {
        samplers[0].output = builder.accessor(new Float32Array(6), 'VEC3', { count: 2 ** 32 - 1 });
    },
    'more zeros than a file can have': ({ builder }, { samplers }) => {
        const { accessors } = builder.json;
        samplers[0].output = accessors.push({ componentType: 5126, count: 2e9, type: 'VEC3' }) - 1;
    },
    'sparse values out of range': ({ builder }, { samplers }) => {
        const { accessors } = builder.json;
        const indices = { bufferView: builder.view(Uint32Array.of(9)), componentType: 5125 };
        const sparse = { count: 1, indices, values: { bufferView: builder.view(new Float32Array(3)) } };
        samplers[0].output = accessors.push({ componentType: 5126, count: 2, type: 'VEC3', sparse }) - 1;
    },
    'a missing accessor': (_, { samplers }) => {
        samplers[0].output = 999;
    },
    'a missing node': (_, { channels }) => {
        channels[0].target.node = 77;
    },
    'a missing sampler': (_, { channels }) => {
        channels[0].sampler = 7;
    },
    'one target twice': (_, { channels }) => {
        channels.push(channels[0]);
    },
};

describe.each(Object.keys(BROKEN))('a clip that is not chosen can have %s', (name) => {
    const broken = () => {
        const rig = walking();
        rig.clip([{ node: 0, path: 'translation', times: [0, 1], values: [0, 0, 0, 1, 0, 0] }], 'broken');
        BROKEN[name]!(rig, rig.builder.json.animations[1]);
        return rig;
    };
    const source = () => {
        const path = join(folder(), 'rig.glb');
        writeFileSync(path, broken().done().builder.toGlb());
        return path;
    };

    test('the other clip is baked and proved', async () => {
        const input = source();
        const bake = await bakeFile(input, { clips: ['walk'], strict: true });
        await writeBake(bake, folder());
        expect(await verifyBake(input, join(folder(), 'rig.bake.json'))).toMatchObject({ ok: true, problems: [] });
        await expect(bakeFile(input)).rejects.toMatchObject({ code: 'GLTF_INVALID' });
        await expect(bakeFile(input, { clips: ['broken'] })).rejects.toMatchObject({ code: 'GLTF_INVALID' });
        expect((await bakedGlb(input, { clips: ['walk'] })).length).toBeGreaterThan(0);
    });

    test('the other clip is reduced, and this one stays unchanged', async () => {
        const rig = broken();
        const { json, keysOf, bytes } = await reduced(rig, { clips: ['walk'], strict: true });
        expect(keysOf(0)).toEqual([2]);
        const own = rig.builder.json;
        const [before, after] = [own, json].map(({ animations, accessors, bufferViews }) => {
            const { channels, samplers } = animations[1];
            const lists = samplers.map(({ input, output }: LooseJson) =>
                [input, output].map((index) => {
                    const { bufferView, byteOffset: _, ...accessor } = accessors[index] ?? {};
                    return [accessor, bufferViews[bufferView]?.byteLength];
                }),
            );
            return { channels, lists };
        });
        expect(after).toEqual(before);
        const input = source();
        const small = join(folder(), 'small.glb');
        writeFileSync(small, bytes);
        expect(await verifyReduced(input, small)).toMatchObject({ ok: true, problems: [], clips: [{ name: 'walk' }] });
        await expect(reduceFile(input)).rejects.toMatchObject({ code: 'GLTF_INVALID' });
    });

    test('in a file with only clips', async () => {
        const input = source();
        const own = { bytes: new Uint8Array(readFileSync(input)), name: 'clips.glb' };
        const rig = walking();
        rig.builder.json.animations[0].name = 'own';
        const model = { bytes: rig.done().builder.toGlb(), name: 'model.glb' };
        const bake = await bakeFile(model, { animations: [own], clips: ['walk'] });
        expect(bake.outputs[0]!.manifest.clips.map((clip) => clip.name)).toEqual(['walk']);
        const refused = bakeFile(model, { animations: [own], clips: ['broken'] });
        await expect(refused).rejects.toMatchObject({ code: 'GLTF_INVALID', file: 'clips.glb' });
    });
});

test('files support clips of other files, Documents do not', () => {
    const refused = () => reduceAnimations({ animations: ['walk.glb'] });
    expect(refused).toThrow(/^reduceAnimations: animations is for files; of a Document, add the clips before$/);
});

test('a clip that is invalid in one of two files is a difference', async () => {
    const [sound, other] = [join(folder(), 'sound.glb'), join(folder(), 'other.glb')];
    const rig = walking();
    writeFileSync(sound, rig.done().builder.toGlb());
    rig.builder.json.animations[0].channels[0].target.node = 9;
    writeFileSync(other, rig.builder.toGlb());
    for (const [source, reducedFile] of [[sound, other] as const, [other, sound] as const]) {
        const { ok, problems } = await verifyReduced(source, reducedFile);
        expect({ ok, codes: problems.map(({ code }) => code) }).toEqual({ ok: false, codes: ['CLIP_DIFFERS'] });
    }
});

describe('clips that share keys', () => {
    /** `count` clips that share the accessors of the legs, and each have their own arm. */
    function sharingRig(count: number): RigBuilder {
        const rig = new RigBuilder();
        for (const node of [0, 1]) rig.mesh(rig.node(), [-1, 0, node, 1, 0, node, 0, 1, node]);
        const wave = (t: number) => [Math.sin(9 * t + 1), 0.5 * Math.sin(23 * t + 2), 0.2 * Math.cos(40 * t)];
        const leg = keyed(1, 'translation', frames(31), wave);
        for (let i = 0; i < count; i++) rig.clip([straight(1 + i / 8), leg]);
        const { animations } = rig.builder.json;
        for (const { samplers } of animations) samplers[1] = animations[0].samplers[1];
        return rig;
    }

    test.each([3, 12])('%d: their own keys are reduced, and they still share the rest', async (count) => {
        const { json, keysOf, before, after } = await reduced(sharingRig(count), { maxError: 1e-5 });
        for (let i = 0; i < count; i++) expect(keysOf(i)).toEqual([2, 31]);
        const leg = ({ samplers, channels }: LooseJson) => samplers[channels[1].sampler].output;
        expect(new Set(json.animations.map(leg)).size).toBe(1);
        expect(after.bytes).toBeLessThan(before.bytes);
    });

    test('also with clips that are not chosen', async () => {
        const { json, keysOf, before, after } = await reduced(sharingRig(3), { maxError: 1e-5, clips: ['clip 1'] });
        expect([0, 1, 2].map(keysOf)).toEqual([
            [31, 31],
            [2, 31],
            [31, 31],
        ]);
        const { samplers } = json.animations[0];
        expect(json.animations[1].samplers.map(({ output }: LooseJson) => output)).toContain(samplers[1].output);
        expect(after.bytes).toBeLessThan(before.bytes);
    });

    test.each([2, 4])('%d: also if separate keys take fewer bytes only by gzip', async (count) => {
        const swing = (node: number, seed: number): Keys =>
            keyed(node, 'rotation', frames(31), (t) => {
                const half = 0.15 * Math.sin(5 * t + seed) + 0.05 * Math.sin(12 * t + 2 * seed);
                return [0, 0, Math.sin(half), Math.cos(half)];
            });
        const rig = new RigBuilder();
        for (let joint = 0; joint < 4; joint++)
            rig.mesh(rig.node(joint - 1, { translation: [0, 1, 0] }), [-0.1, 0, 0, 0.1, 0, 0, 0, 0.1, 0]);
        for (let i = 0; i < count; i++) rig.clip([0, 1, 2, 3].map((node) => swing(node, node < 3 ? node : node + i)));
        const { animations } = rig.builder.json;
        for (const { samplers } of animations) samplers.splice(0, 3, ...animations[0].samplers.slice(0, 3));
        const { keysOf, before, after } = await reduced(rig, { maxError: 0.002, quantize: false });
        for (let i = 0; i < count; i++) expect(keysOf(i)[3]).toBeLessThan(31);
        expect(after.bytes).toBeLessThan(before.bytes);
        expect(after.gzip).toBeLessThan(before.gzip);
    });

    test('clips with the same keys throughout have the same fewer keys', async () => {
        const rig = walking();
        rig.builder.json.animations.push({ ...rig.builder.json.animations[0], name: 'again' });
        const { json, keysOf } = await reduced(rig);
        expect([0, 1].map(keysOf)).toEqual([[2], [2]]);
        expect(json.animations[1].samplers).toEqual(json.animations[0].samplers);
    });
});

describe('work out of proportion to the file is rejected before it starts', () => {
    test('a chain of more nodes than a bake takes', async () => {
        const rig = walking();
        const { nodes } = rig.builder.json;
        for (let i = 0; i < 65536; i++) nodes.push(i < 65535 ? { children: [i + 2] } : {});
        nodes[65536].mesh = nodes[0].mesh;
        nodes[0].children = [1];
        await expect(reduced(rig)).rejects.toMatchObject({ code: 'GLTF_INVALID', pointer: '/nodes' });
    });

    test('few keys of many nodes', async () => {
        const rig = walking();
        const { nodes } = rig.builder.json;
        nodes[0].children = Array.from({ length: 60000 }, (_, i) => i + 1);
        nodes.push(...nodes[0].children.map(() => ({ mesh: nodes[0].mesh })));
        await expect(reduced(rig)).rejects.toMatchObject({ code: 'OUTPUT_TOO_LARGE', pointer: '/animations' });
    });

    test('few keys of each node of a long chain', async () => {
        const chain = (count: number) => {
            const rig = walking();
            const { nodes, animations } = rig.builder.json;
            const [{ channels }] = animations;
            for (let i = 1; i <= count; i++) {
                nodes[i - 1].children = [i];
                nodes.push({ mesh: nodes[0].mesh });
                channels.push({ ...channels[0], target: { ...channels[0].target, node: i } });
            }
            return rig;
        };
        const rule =
            /: 1 clip with .* of 4001 nodes, take \d+ steps, more than 2097152, .*: take nodes out of the file$/;
        const fault = { code: 'OUTPUT_TOO_LARGE', message: expect.stringMatching(rule) };
        await expect(reduced(chain(4000))).rejects.toMatchObject(fault);
        expect((await reduced(chain(100))).clips).toHaveLength(1);
    });

    test('many clips with the same few keys, unless few are chosen', async () => {
        const rig = walking();
        const { animations } = rig.builder.json;
        for (let i = 0; i < 10000; i++) animations.push({ ...animations[0], name: `${i}` });
        await expect(reduced(rig)).rejects.toMatchObject({ code: 'OUTPUT_TOO_LARGE' });
        expect((await reduced(rig, { clips: ['walk'] })).clips).toHaveLength(1);
    });
});

test.each([
    ['without rounding', DYADIC, 12],
    ['with the rounding of tools', ROUNDED, 5],
])('the extent is that of the model before each mesh was quantized: %s', async (_, parts, digits) => {
    const [after, before] = await Promise.all(
        [false, true].map(async (whole) => {
            const path = quantizedModel(folder(), `extent-${whole}`, parts, { whole });
            const result = await reduceFile(path);
            const output = join(folder(), `extent-${whole}.glb`);
            writeFileSync(output, result.bytes);
            const { ok, extent } = await verifyReduced(path, output);
            expect([ok, extent]).toEqual([true, expect.closeTo(result.extent, 5)]);
            return result.extent;
        }),
    );
    expect(after).toBeCloseTo(before!, digits);
    // A single part is smaller.
    expect((await reduceFile(quantizedModel(folder(), 'part', parts.slice(0, 1)))).extent).toBeLessThan(0.95 * after!);
});
