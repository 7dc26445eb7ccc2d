// SPDX-License-Identifier: MIT

/** Events and extras in manifests, and attachments chosen by name. */

import { readFileSync, writeFileSync } from 'node:fs';
import { WebIO } from '@gltf-transform/core';
import Ajv2020 from 'ajv/dist/2020';
import { type BakeOptions, bakeDocument, bakeFile, writeBake } from '../../lib/bake';
import schema from '../../lib/format/manifest.schema.json';
import { BakedTable } from '../../lib/table';
import { verifyBake } from '../../lib/verify';
import { GltfBuilder, keyed, type NodeSpec } from '../support/gltf-builder';
import { knightFile } from '../support/rigid-files';
import { scratchFolder } from '../support/temporary-folder';

const folder = scratchFolder();
const validate = new Ajv2020({ strictTypes: false, strictTuples: false, validateFormats: false }).compile(schema);

const step = { name: 'step', time: 0.25 };
const jump = { name: 'jump', time: 0.75 };
const EXTRAS = { z: 1, events: [jump], a: { b: [1, 'x', null] } };

/** A joint and a swinging mesh, with a clip of one second. */
function walker(): string {
    const nodes: NodeSpec[] = [
        { name: 'hips', extras: { socket: 'belt' } },
        { name: 'door', extras: 3 },
    ];
    const builder = new GltfBuilder(nodes);
    builder.skin([0], { extras: ['skin'] });
    nodes[1]!.mesh = builder.rigidMesh([
        [0, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
    ]);
    const channels = [
        keyed(0, 'translation', [0, 1], [0, 0, 0], [1, 0, 0]),
        keyed(1, 'translation', [0, 1], [0, 0, 0], [0, 1, 0]),
    ];
    builder.animation('Walk', channels, { extras: EXTRAS }).animation('Idle', channels);
    return builder.write(folder(), 'walker');
}

const manifestOf = async (options: BakeOptions = {}) =>
    (await bakeFile(walker(), { fps: 10, ...options })).outputs[0]!.manifest;

test('events of the file and of the option, ordered by time, and extras of clip, skin, joint and attachment', async () => {
    const manifest = await manifestOf({ events: { Walk: [step], '#1': [{ ...jump, more: 1 } as typeof jump] } });
    const [walk, idle] = manifest.clips;
    expect(walk!.events).toEqual([step, jump]);
    expect(walk!.extras).toEqual(EXTRAS);
    expect(idle!.events).toEqual([jump]);
    expect(idle!.extras).toBeUndefined();
    expect(manifest.recipe.events).toEqual({ Walk: [step], '#1': [jump] });
    expect(manifest.skin!.extras).toEqual(['skin']);
    expect(manifest.skin!.joints[0]!.extras).toEqual({ socket: 'belt' });
    expect(manifest.attachments[0]!.extras).toBe(3);
    validate(JSON.parse(JSON.stringify(manifest)));
    expect(validate.errors ?? []).toEqual([]);
});

test('a part of the clips: its events, in seconds from its first frame', async () => {
    const events = { Walk: [{ name: 'start', time: 0.5 }, { name: 'end', time: 0.9 }, step, { name: 'out', time: 1 }] };
    const { clips } = await manifestOf({ events, from: 0.5, to: 0.9 });
    expect(clips[0]!.events).toEqual([
        { name: 'start', time: 0 },
        { name: 'jump', time: 0.25 },
        { name: 'end', time: expect.closeTo(0.4, 6) },
    ]);
    expect(clips[0]!.events![2]!.time).toBeLessThanOrEqual(clips[0]!.duration);
});

test('without events and extras, the manifest has none', async () => {
    const manifest = await manifestOf({ clips: ['Idle'] });
    expect(manifest.clips[0]!.events).toBeUndefined();
    expect(JSON.stringify(manifest.recipe)).not.toContain('events');
});

test.each([
    [{ Run: [step] }, 'USAGE', "no clip 'Run', has 'Walk', 'Idle'"],
    [
        { Walk: [{ name: 'x', time: 1.5 }] },
        'USAGE',
        "events: of clip 'Walk', 'x' is at 1.5 s, must be within the clip, 0 to 1 s",
    ],
    [{ Walk: [{ name: 'x', time: Number.NaN }] }, 'USAGE', 'is at NaN s, must be within the clip'],
    [
        { Walk: [{ name: 'x' }] },
        'ERR_ARGUMENT_TYPE',
        'options.events must be an object with a list of events for each clip',
    ],
    [{ Walk: step }, 'ERR_ARGUMENT_TYPE', 'options.events must be an object'],
    [[step], 'ERR_ARGUMENT_TYPE', 'options.events must be an object'],
])('events %j are rejected', async (events, code, message) => {
    const baked = manifestOf({ events: events as unknown as BakeOptions['events'] });
    await expect(baked).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
});

test('verify proves them, and finds faults', async () => {
    const path = walker();
    const options: BakeOptions = { fps: 10, events: { Walk: [step] }, from: 0.1 };
    const [written] = await writeBake(await bakeFile(path, options), folder());
    const { json } = written!;
    expect(await verifyBake(path, json)).toMatchObject({ ok: true, problems: [] });
    const text = readFileSync(json, 'utf8');
    type Change = (manifest: ReturnType<typeof JSON.parse>) => void;
    const changes: [Change, string][] = [
        [(m) => m.clips[0].events.pop(), '/clips/0/events'],
        [(m) => (m.clips[0].events[0].time += 0.1), '/clips/0/events'],
        [(m) => (m.clips[1].events = [step]), '/clips/1/events'],
        [(m) => (m.clips[0].extras.a.b[2] = 0), '/clips/0/extras'],
        [(m) => delete m.clips[0].extras.z, '/clips/0/extras'],
        [(m) => (m.clips[1].extras = {}), '/clips/1/extras'],
        [(m) => (m.recipe.events.Walk[0].name = 'x'), '/clips/0/events'],
    ];
    for (const [change, pointer] of changes) {
        const manifest = JSON.parse(text);
        change(manifest);
        writeFileSync(json, JSON.stringify(manifest));
        const { ok, problems } = await verifyBake(path, json);
        expect([ok, problems.map((one) => `${one.code} ${one.pointer}`)]).toEqual([false, [`CLIP_DIFFERS ${pointer}`]]);
    }
});

test("table.events: by default with the clip's loop", async () => {
    const { outputs } = await bakeFile(walker(), { fps: 10, events: { Walk: [step] } });
    const table = BakedTable.open(outputs[0]!.json, outputs[0]!.bin);
    expect(table.clips.map(({ events }) => events)).toEqual([[step, jump], []]);
    const names = (...args: Parameters<BakedTable['events']>) => table.events(...args).map(({ name }) => name);
    expect(table.clips[0]!.loop).toBe(false);
    expect(names(0, 0.5, 1.5)).toEqual(['jump']);
    expect(names(0, 0.5, 1.5, { loop: 'wrap' })).toEqual(['jump', 'step']);
    const looping = JSON.parse(outputs[0]!.json);
    looping.clips[0].loop = true;
    const other = BakedTable.open(looping, outputs[0]!.bin);
    expect(other.events(0, 1.5, 0.5).map(({ name }) => name)).toEqual(['step', 'jump']);
    expect(other.events(0, 1.5, 0.5, { loop: 'clamp' })).toEqual([jump]);
    expect(() => table.events(2, 0, 1)).toThrow(expect.objectContaining({ code: 'ERR_INDEX_RANGE' }));
    for (const events of ['x', [{ name: 'x', time: 2 }], [jump, step], [null]]) {
        looping.clips[0].events = events;
        const message = expect.stringContaining('/clips/0/events');
        expect(() => BakedTable.open(looping, outputs[0]!.bin)).toThrow(
            expect.objectContaining({ code: 'ERR_BAKE_INVALID', message }),
        );
    }
});

test('a Document has them, too', async () => {
    const json = JSON.parse(readFileSync(walker(), 'utf8'));
    const document = await new WebIO().readJSON({ json, resources: {} });
    const { outputs } = await bakeDocument(document, { fps: 10 });
    const { clips, skin, attachments } = outputs[0]!.manifest;
    expect([clips[0]!.events, clips[0]!.extras]).toEqual([[jump], EXTRAS]);
    expect(clips[1]!.extras).toBeUndefined();
    expect(skin!.joints[0]!.extras).toEqual({ socket: 'belt' });
    expect(attachments).toHaveLength(1);
});

describe('attachments by name', () => {
    const namesOf = async (attachments: BakeOptions['attachments']) => {
        const result = await bakeFile(knightFile(folder()), { fps: 10, attachments, emit: ['palette', 'bounds'] });
        return { result, names: result.outputs.map(({ manifest }) => manifest.attachments.map(({ name }) => name)) };
    };

    test.each<[BakeOptions['attachments'], string[][]]>([
        ['sword|door', [['sword', 'door'], []]],
        [/^[A-Z]IBBON$|GEM/i, [['gem'], ['ribbon']]],
        ['all', [['hand', 'sword', 'gem', 'door', 'handle'], ['ribbon']]],
        ['none', [[], []]],
    ])('%s', async (attachments, expected) => {
        const { result, names } = await namesOf(attachments);
        expect(names).toEqual(expected);
        const stated = { all: undefined, none: 'none' }[String(attachments)];
        const isNamed = attachments !== 'all' && attachments !== 'none';
        for (const { manifest } of result.outputs) {
            expect(manifest.recipe.attachments).toBe(isNamed ? 'named' : stated);
            for (const [i, { column }] of manifest.attachments.entries())
                expect(column).toBe(manifest.skin!.joints.length + i);
        }
        for (const { json } of await writeBake(result, folder())) {
            expect(await verifyBake(knightFile(folder()), json)).toMatchObject({ ok: true, problems: [] });
        }
    });

    test('a pattern without a match, or that is invalid', async () => {
        const nothing = {
            code: 'USAGE',
            message: expect.stringContaining('attachments: no moving mesh without a skin matches /swrd/u'),
        };
        await expect(namesOf('swrd')).rejects.toMatchObject(nothing);
        await expect(namesOf('(')).rejects.toThrow("attachments is '(', which is not a regular expression");
        await expect(namesOf(3 as never)).rejects.toMatchObject({ code: 'ERR_ARGUMENT_TYPE' });
    });
});

test('root motion with only turns: verify proves it, and its translation is 0', async () => {
    const builder = new GltfBuilder([
        { name: 'hips', children: [1], translation: [1, 1, 2] },
        { name: 'leg', translation: [0, -1, 0] },
    ]);
    builder.skinnedMesh(builder.skin([0, 1]));
    const times = Array.from({ length: 9 }, (_, i) => i / 8);
    const about = (t: number) => [0, Math.sin(t), 0, Math.cos(t)];
    builder.animation('Turn', [
        keyed(0, 'rotation', times, ...times.map(about)),
        keyed(0, 'translation', times, ...times.map((t) => [1 + t, 1, 2 - t])),
    ]);
    const path = builder.write(folder(), 'turner');
    const options: BakeOptions = { fps: 24, emit: ['palette', 'local', 'bounds'], rootMotion: 'yaw' };
    const { outputs, ...rest } = await bakeFile(path, { ...options, root: 'extract' });
    const table = BakedTable.open(outputs[0]!.json, outputs[0]!.bin);
    const motion = new Float32Array(7);
    for (const t of [0, 0.3, 1]) {
        table.sample('root', 0, Float64Array.of(t), motion);
        expect([...motion.subarray(0, 3)]).toEqual([0, 0, 0]);
        // Twice the angle of the sine and cosine in the keys, about y.
        expect(motion[4]! / motion[6]!).toBeCloseTo(Math.tan(t), 2);
    }
    for (const root of ['extract', 'in-place', 'keep'] as const) {
        const baked =
            root === 'extract'
                ? { outputs, ...rest }
                : await bakeFile(path, {
                      ...options,
                      root,
                      emit: root === 'keep' ? ['palette', 'root'] : options.emit!,
                  });
        const [written] = await writeBake(baked, folder());
        expect(await verifyBake(path, written!.json)).toMatchObject({ ok: true, problems: [] });
    }
});
