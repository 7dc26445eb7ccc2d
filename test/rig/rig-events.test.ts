// SPDX-License-Identifier: MIT

import { Rig } from '../../lib/rig';
import type { ClipParts } from '../../lib/rig/types';

const walk: ClipParts = {
    name: 'Walk',
    channels: [{ node: 0, path: 'translation', times: [0, 1], values: [0, 0, 0, 1, 0, 0] }],
};
const rigOf = (events?: unknown) =>
    Rig.create({
        parents: [-1],
        rest: [0, 0, 0, 0, 0, 0, 1, 1, 1, 1],
        clips: [{ ...walk, ...(events === undefined ? {} : { events: events as ClipParts['events'] }) }],
    });

const [left, right] = [
    { name: 'left', time: 0.25 },
    { name: 'right', time: 0.75 },
];

test('a walk of two seconds in steps of a frame has four steps', () => {
    const rig = rigOf([right, left]);
    expect(rig.clips[0]!.events).toEqual([left, right]);
    const names: string[] = [];
    for (let frame = 0; frame < 120; frame++) {
        const crossed = rig.events(0, frame / 60, (frame + 1) / 60, { loop: 'wrap' });
        names.push(...crossed.map(({ name }) => name));
    }
    expect(names).toEqual(['left', 'right', 'left', 'right']);
    expect(rig.events(0, -5, 5)).toEqual([left, right]);
    expect(rig.events(0, 5, -5)).toEqual([right, left]);
    expect(rigOf().events(0, 0, 9, { loop: 'wrap' })).toEqual([]);
});

test.each([
    [['x', 0, 1], 'ERR_ARGUMENT_TYPE', 'clip'],
    [[1, 0, 1], 'ERR_INDEX_RANGE', 'clip'],
    [[0, '0', 1], 'ERR_ARGUMENT_TYPE', 't0'],
    [[0, 0, Number.NaN], 'ERR_NOT_FINITE', 't1'],
    [[0, 0, 1, { loop: 'forever' }], 'ERR_ARGUMENT_TYPE', 'options.loop'],
    [[0, 0, 1, 3], 'ERR_ARGUMENT_TYPE', 'options'],
    [[0, 0, 1e9, { loop: 'wrap' }], 'ERR_COUNT_RANGE', '65536'],
])('events(...%j) throws %s', (args, code, message) => {
    const rig = rigOf([left]);
    expect(() => rig.events(...(args as Parameters<Rig['events']>))).toThrow(
        expect.objectContaining({ code, message: expect.stringMatching(new RegExp(`^events: .*${message}`)) }),
    );
});

test.each([
    ['x', 'ERR_ARGUMENT_TYPE', 'clips[0].events must be an array'],
    [
        [left, { name: 'x', time: 2 }],
        'ERR_RIG_INVALID',
        "clips[0].events[1] 'x' is at 2 s, must be within the clip, 0 to 1 s",
    ],
    [[{ time: 0 }], 'ERR_RIG_INVALID', 'clips[0].events[0] must be an object with a name and a time in seconds'],
])('Rig.create refuses events %j', (events, code, message) => {
    expect(() => rigOf(events)).toThrow(
        expect.objectContaining({ code, message: expect.stringContaining(`Rig.create: ${message}`) }),
    );
});
