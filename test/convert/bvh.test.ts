// SPDX-License-Identifier: MIT
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { convertFile } from '../../lib/bake';
import { sinCosDegrees } from '../../lib/convert/bvh/turns';
import { runNode } from '../support/processes';
import { testUnless } from '../support/unless';
import { poser } from './support/pose';

const PATH = join(__dirname, 'support/turn.bvh');
const TURN = readFileSync(PATH, 'latin1');
const FOLDER = join(__dirname, '../../../shared/models/humanoids');

const read = (text: string, options = {}) => convertFile({ name: 'turn.bvh', bytes: Buffer.from(text) }, options);

type Places = Record<string, number[]>;

/** Positions of joints at some times, in the file's units, by the readers of three.js and Babylon.js. */
function byOthers(path: string, times: readonly number[]): Record<'three' | 'babylon', Places[]> {
    const { stdout, stderr } = runNode([join(__dirname, 'support/bvh-oracle.mjs'), path, ...times.map(String)]);
    if (stdout === '') throw new Error(stderr);
    return JSON.parse(stdout);
}

async function expectOthers(path: string, frames: readonly number[], frameTime: number, unit: number, zUp: boolean) {
    const times = frames.map((frame) => frame * frameTime);
    const pose = await poser((await convertFile(path)).bytes);
    for (const [reader, wanted] of Object.entries(byOthers(path, times))) {
        for (const [i, places] of wanted.entries()) {
            const got = pose.places(pose.clips[0]!, times[i]!);
            for (const [name, [x, y, z]] of Object.entries(places)) {
                const turned = zUp ? [x!, z!, -y!] : [x!, y!, z!];
                const far = Math.hypot(...turned.map((part, c) => part * unit - got.get(name)![c]!));
                expect([reader, name, times[i], far < 2e-5]).toEqual([reader, name, times[i], true]);
            }
        }
        expect(Object.keys(wanted[0]!).length).toBeGreaterThan(3);
    }
}

test('rotations apply in channel order, as in other readers', () => expectOthers(PATH, [0, 1, 2], 0.25, 0.01, false));

testUnless(
    !existsSync(FOLDER) && '../shared/models/humanoids is absent',
    'mocap files are read as by other readers',
    async () => {
        await expectOthers(join(FOLDER, 'knight_chop.bvh'), [0, 7, 30], 0.0166667, 0.01, false);
        await expectOthers(join(FOLDER, 'zup_walk.bvh'), [0, 10, 74], 0.033333, 0.0254, true);
    },
);

test('nodes have the pose without rotations, and the clip has the name of the file', async () => {
    const { bytes, source, clips, nodes } = await read(TURN);
    expect([clips, nodes, source]).toEqual([
        1,
        6,
        expect.stringMatching(/^BVH, centimeters \(1\.\d+ m high\), Y up, 4 fps$/),
    ]);
    const pose = await poser(bytes);
    expect(pose.clips).toEqual(['turn']);
    expect(
        pose
            .places(null, 0)
            .get('Head')!
            .map((x) => Math.round(x * 1000)),
    ).toEqual([10, 700, 20]);
    expect(pose.places(null, 0).get('Head_end')![1]).toBeCloseTo(0.9, 6);
});

test.each([
    ['CRLF', (text: string) => text.replaceAll('\n', '\r\n')],
    ['tabs', (text: string) => text.replaceAll(/ +/g, '\t')],
    ['values directly after colons', (text: string) => text.replaceAll(/: /g, ':')],
    ['exponents', (text: string) => text.replaceAll(/(?<=\s)(-?\d+)\.?0*(?=\s*$)/gm, '$1.0E+00')],
    [
        'lowercase',
        (text: string) => text.replaceAll(/OFFSET|CHANNELS|\w(?:position|rotation)/g, (word) => word.toLowerCase()),
    ],
])('reads %s', async (_, change) => {
    expect(change(TURN)).not.toBe(TURN);
    expect(Buffer.compare((await read(change(TURN))).bytes, (await read(TURN)).bytes)).toBe(0);
});

test.each([
    ['meters', 0.01, 1],
    ['inches', 0.4, 0.0254],
    ['centimeters', 1, 0.01],
    ['millimeters', 10, 0.001],
])('a skeleton in %s is recognized by its height', async (name, factor, meters) => {
    const [hierarchy, motion] = TURN.split('MOTION');
    const scaled = hierarchy!.replace(/OFFSET (.+)/g, (_, list: string) => {
        return `OFFSET ${list
            .split(' ')
            .map((x) => Number(x) * factor)
            .join(' ')}`;
    });
    const frame = Array.from({ length: 15 }, (_, i) => (i === 1 ? 95 * factor : 0)).join(' ');
    const text = `${scaled}MOTION\n${motion!.split('\n').slice(1, 3).join('\n').replace('3', '1')}\n${frame}\n`;
    const { source, bytes } = await read(text);
    expect(source).toContain(`BVH, ${name} (`);
    const { places } = await poser(bytes);
    expect(places('turn', 0).get('Hips')![1]).toBeCloseTo(95 * factor * meters, 5);
    const given = await read(text, { bvhScale: 2 });
    expect((await poser(given.bytes)).places('turn', 0).get('Hips')![1]).toBeCloseTo(190 * factor, 4);
});

test('a position channel replaces its part of the offset', async () => {
    const text = 'HIERARCHY ROOT A { OFFSET 1 2 3 CHANNELS 1 Yposition } MOTION Frames: 1 Frame Time: 1 7';
    const { bytes } = await read(text, { bvhScale: 1 });
    expect((await poser(bytes)).places('turn', 0).get('A')).toEqual([1, 7, 3]);
});

test('several roots, keywords in any case, and names with spaces are read', async () => {
    const text = `hierarchy root Bip01 Pelvis { offset 0 1 0 channels 1 zrotation end site { offset 0 1 0 } }
root Prop{offset 1 0 0 channels 0 end site { offset 0 0 1 } } motion frames: 2 frame time: .5 0 90`.replace(
        /(\w)\{/g,
        '$1 {',
    );
    const { bytes } = await read(text, { bvhScale: 1 });
    const pose = await poser(bytes);
    expect([...pose.places('turn', 0.5).keys()].sort()).toEqual([
        'Bip01 Pelvis',
        'Bip01 Pelvis_end',
        'Prop',
        'Prop_end',
    ]);
    expect(
        pose
            .places('turn', 0.5)
            .get('Bip01 Pelvis_end')!
            .map((x) => Math.round(x * 1e6) / 1e6),
    ).toEqual([-1, 1, 0]);
});

test('a file without frames has a pose and no clip', async () => {
    const { clips, nodes, source } = await read(`${TURN.split('MOTION')[0]}MOTION Frames: 0 Frame Time: 0`);
    expect([clips, nodes, source]).toEqual([0, 6, expect.stringMatching(/ high\), Y up$/)]);
});

test('the same file gives the same bytes', async () => {
    const first = await read(TURN);
    await read(TURN.replace('Spine', 'Chest'));
    expect(Buffer.compare((await read(TURN)).bytes, first.bytes)).toBe(0);
});

describe('a malformed file is rejected with the line of its fault', () => {
    test.each([
        ['HIERARCHY', 'HIERARCH', "line 1 of the BVH file: expected HIERARCHY, found 'HIERARCH'"],
        ['OFFSET 0 0 0', 'OFFSET 0 x 0', "line 4 of the BVH file: an offset must be a number, found 'x'"],
        ['OFFSET 0 0 0', 'OFFSET 0 1e31 0', 'line 4 of the BVH file: an offset is 1e+31; it must be at most 1e+30'],
        ['CHANNELS 6', 'CHANNELS 7', 'line 5 of the BVH file: the number of channels is 7; it must be from 0 to 6'],
        [
            'Yposition Zposition Zrotation',
            'Yposition Wposition Zrotation',
            "line 5 of the BVH file: expected a channel such as Xrotation, found 'Wposition'",
        ],
        ['Xposition Yposition', 'Xposition Xposition', 'line 5 of the BVH file: the channel Xposition comes twice'],
        ['JOINT Spine\n  {', 'JOINT Spine\n', "line 8 of the BVH file: expected {, found 'OFFSET'"],
        ['MOTION', 'NOTION', "line 30 of the BVH file: expected ROOT or MOTION, found 'NOTION'"],
        [
            'Frames: 3',
            'Frames: 4',
            'line 35 of the BVH file: frame 4 of 4: channel 1 of 15 must be a number, found the end of the file',
        ],
        ['Frames: 3', 'Frames: 2', "line 35 of the BVH file: expected the end of the file after 2 frames, found '20'"],
        [
            'Frames: 3',
            'Frames: 5000001',
            'line 31 of the BVH file: 5000001 frames of 4 joints with channels; the product must be at most 20000000',
        ],
        [
            'Frame Time: 0.25',
            'Frame Time: 0',
            'line 32 of the BVH file: the frame time is 0; it must be greater than 0',
        ],
        [
            '0 95 0 0',
            '0 95 NaN 0',
            "line 33 of the BVH file: frame 1 of 3: channel 3 of 15 must be a number, found 'NaN'",
        ],
        ['End Site', 'Start Site', "line 14 of the BVH file: expected CHANNELS, JOINT, End Site or '}', found 'Start'"],
    ])('%s -> %s', async (from, to, message) => {
        await expect(read(TURN.replace(from, to))).rejects.toMatchObject({
            code: 'SOURCE_INVALID',
            message: `turn.bvh: ${message}`,
        });
    });
});

test('sines and cosines are within two units in the last place', () => {
    for (let degrees = -800; degrees < 800; degrees += 0.37) {
        const angle = ((degrees % 360) * Math.PI) / 180;
        const [sin, cos] = sinCosDegrees(degrees);
        expect(Math.abs(sin - Math.sin(angle)) + Math.abs(cos - Math.cos(angle))).toBeLessThan(2e-15);
    }
    expect(sinCosDegrees(180)).toEqual([-0, -1]);
});
