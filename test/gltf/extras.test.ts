// SPDX-License-Identifier: MIT

/** Extras of animations, nodes and skins, and their events. */

import { eventsOf } from '../../lib/gltf/clip-events';
import { Rig } from '../../lib/rig';
import { MODEL, skinnedModel } from './support/builder';
import { patched, read } from './support/faults';

const sceneWith = (patch: Readonly<Record<string, unknown>>) => read(patched(skinnedModel(), patch).toGlb());

const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);

test('any JSON value is kept; objects without extras lack the property', async () => {
    const values = [{ a: [1, null, { b: 'c' }] }, 'text', 0, null, [true], nested(32), JSON.parse('{"__proto__":1}')];
    for (const extras of values) {
        const scene = await sceneWith({
            '/animations/0/extras': extras,
            '/skins/0/extras': extras,
            [`/nodes/${MODEL.hip}/extras`]: extras,
        });
        const owners = [scene.animations[0]!, scene.skins[0]!, scene.nodes[MODEL.hip]!];
        for (const owner of owners) expect(JSON.stringify(owner.extras)).toBe(JSON.stringify(extras));
        expect('extras' in scene.nodes[MODEL.knee]!).toBe(false);
        expect(scene.warnings).toEqual([]);
    }
});

test.each([
    [nested(33), 'they are nested more than 32 times: left out'],
    [nested(1000), 'they are nested more than 32 times: left out'],
    ['x'.repeat(16383), 'they have 16385 characters of JSON, more than 16384: left out'],
])('too large extras are left out (%#)', async (extras, message) => {
    const scene = await sceneWith({ '/animations/0/extras': extras, '/skins/0/extras': extras });
    expect([scene.animations[0]!, scene.skins[0]!].map((owner) => 'extras' in owner)).toEqual([false, false]);
    const pointers = ['/skins/0/extras', '/animations/0/extras'];
    expect(scene.warnings).toEqual(
        expect.arrayContaining(pointers.map((pointer) => ({ code: 'EXTRAS_LEFT_OUT', pointer, message }))),
    );
});

test('events and markers, sorted by time; invalid ones get a warning', async () => {
    const events = [
        { name: 'late', time: 1, more: 'x' },
        { name: 'never', time: 99 },
        { time: 0 },
        null,
        { name: 'text', time: '0' },
        { name: 'before', time: -0.1 },
    ];
    const markers = [
        { name: 'early', time: 0 },
        { name: 'also late', time: 1 },
    ];
    const model = patched(skinnedModel(), { '/animations/0/extras': { events, markers } });
    const scene = await read(model.toGlb());
    const found = [
        { name: 'early', time: 0 },
        { name: 'late', time: 1 },
        { name: 'also late', time: 1 },
    ];
    expect(eventsOf(scene.animations[0]!).events).toEqual(found);
    expect(scene.warnings.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual(
        [1, 2, 3, 4, 5].map((i) => `EVENT_IGNORED /animations/0/extras/events/${i}`),
    );
    expect(scene.warnings[0]!.message).toMatch(
        /^this event 'never' is at 99 s, must be within the clip, 0 to [\d.]+ s: ignored$/,
    );
    const rig = await Rig.load(model.toGlb());
    expect(rig.clips[0]!.events).toEqual(found);
    expect((await Rig.deserialize(rig.serialize())).clips[0]!.events).toEqual(found);
});

test('events that are not a list get a warning; other extras get none', async () => {
    const scene = await sceneWith({ '/animations/0/extras': { events: { a: 1 }, markers: 'x', speed: 2 } });
    expect(scene.warnings.map(({ pointer }) => pointer)).toEqual([
        '/animations/0/extras/events',
        '/animations/0/extras/markers',
    ]);
    expect((await sceneWith({ '/animations/0/extras': { speed: 2 } })).warnings).toEqual([]);
});
