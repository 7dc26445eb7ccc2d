// SPDX-License-Identifier: MIT

/** `verifyFolder` proves the baker's folders for engines, and finds changes. */

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type BakeOptions, bakeFile, writeBake } from '../../lib/bake';
import { verifyFolder } from '../../lib/verify';
import { readImage } from '../../lib/verify/engines/images';
import type { LooseJson } from '../gltf/support/builder';
import { CHARACTER } from '../support/models';
import { DYADIC, quantizedModel } from '../support/quantized-model';
import { scratchFolder } from '../support/temporary-folder';
import { readExr } from '../support/textures';
import { wholeScene } from '../support/whole-scene';

const folder = scratchFolder();
let source: string;
let count = 0;

beforeAll(() => {
    source = join(folder(), 'whole.glb');
    writeFileSync(source, wholeScene().toGlb());
});

/** Bakes to a new folder, and returns a function that gives the path of a file in it. */
async function baked(options: BakeOptions = {}, path = source): Promise<(end: string) => string> {
    const out = join(folder(), `out${count++}`);
    const made = await bakeFile(path, { emit: ['openvat'], fps: 10, ...options });
    await writeBake(made, out);
    const stem = basename(path).replace(/\.\w+$/, '');
    return (end) => join(out, dirname(made.files[0]!.name), `${stem}${end}`);
}

const INFO = '-remap_info.json';
const PALETTE = '_palette.exr';
const GODOT: BakeOptions = { emit: ['godot'] };

const renamed = (clips: LooseJson) =>
    Object.fromEntries(Object.entries(clips).map(([name, clip]) => [`${name} `, clip]));

test.each<BakeOptions>([
    {},
    { openvat: 'png' },
    { fps: 'auto', maxError: '0.05%' },
    { from: 0.2, to: 0.7 },
    { skin: 1 },
    GODOT,
    { ...GODOT, godot: '3' },
    { ...GODOT, skin: 1 },
])('a folder of %j is proved', async (options) => {
    const file = await baked(options);
    const { ok, problems, rows, worst, worstNormal, stated } = await verifyFolder(
        source,
        file(options.emit ? PALETTE : INFO),
    );
    expect({ ok, problems }).toEqual({ ok: true, problems: [] });
    expect(rows).toBeGreaterThan(8);
    expect(worst!.error).toBeGreaterThan(0);
    expect(worst!.error).toBeLessThanOrEqual(stated.frames);
    expect(worstNormal!.angle).toBeGreaterThan(0);
    expect(worstNormal!.angle).toBeLessThanOrEqual(worstNormal!.allowed);
    expect(worstNormal!.allowed).toBeLessThan(0.5);
});

test('quantized skins that share a palette', async () => {
    const path = quantizedModel(folder(), 'quantized', DYADIC);
    const file = await baked({}, path);
    expect(await verifyFolder(path, file(INFO))).toMatchObject({ ok: true, problems: [] });
});

test('clips of other files are found by their hashes', async () => {
    const model = wholeScene();
    for (const animation of model.json.animations) animation.name = `Other ${animation.name}`;
    model.json.nodes[1].translation = [-0.5, 0.3, 0];
    const other = join(folder(), 'moves.glb');
    writeFileSync(other, model.toGlb());
    const file = await baked({ animations: [other] });
    const { ok, rows } = await verifyFolder(source, file(INFO), { animations: [other] });
    expect([ok, rows]).toEqual([true, JSON.parse(readFileSync(file(INFO), 'utf8'))['os-remap'].Frames]);
});

test('a changed range is found, with the place of the max error', async () => {
    const file = await baked({ openvat: 'png' });
    const info = JSON.parse(readFileSync(file(INFO), 'utf8'));
    info['os-remap'].Max[1] += 0.01;
    writeFileSync(file(INFO), JSON.stringify(info));
    const { ok, problems, worst } = await verifyFolder(source, file(INFO));
    expect({ ok, problems }).toEqual({ ok: false, problems: [] });
    expect(worst).toMatchObject({
        error: expect.closeTo(0.01, 3),
        vertex: expect.stringMatching(/^node \d+, primitive \d, vertex \d+$/),
    });
});

test('a changed normal is found', async () => {
    const file = await baked({ openvat: 'png' });
    const { decode, encode } = await import('fast-png');
    const { data, ...image } = decode(readFileSync(file('_vat.png')));
    const pixel = (image.height * 0.75 * image.width + 3) * 3;
    for (let c = 0; c < 3; c++) data[pixel + c] = 65535 - data[pixel + c]!;
    writeFileSync(file('_vat.png'), encode({ ...image, data } as Parameters<typeof encode>[0]));
    const { ok, worst, worstNormal, stated } = await verifyFolder(source, file(INFO));
    expect([ok, worst!.error <= stated.frames]).toEqual([false, true]);
    expect(worstNormal).toMatchObject({ angle: expect.closeTo(180, 1), allowed: expect.closeTo(0.06, 2) });
});

test('a missing skin is found, unless the bake has only one', async () => {
    const model = wholeScene();
    model.json.skins[1].joints = [2, 1]; // skins with the same joints are one character
    const path = join(folder(), 'two.glb');
    writeFileSync(path, model.toGlb());
    const file = await baked({ skin: 1 }, path);
    expect(await verifyFolder(path, file(INFO))).toMatchObject({ ok: true });
    const info = JSON.parse(readFileSync(file(INFO), 'utf8'));
    delete info.poselane.skin;
    writeFileSync(file(INFO), JSON.stringify(info));
    const { ok, problems } = await verifyFolder(path, file(INFO));
    expect(ok).toBe(false);
    expect(problems[0]).toMatchObject({
        code: 'ARRAY_INVALID',
        message: expect.stringMatching(/moves, and is not in/),
    });
});

test('a clip marked as a loop that does not close is a problem, in both folders', async () => {
    const vat = await baked({ clips: ['Walk'] }, CHARACTER.path);
    const info = JSON.parse(readFileSync(vat(INFO), 'utf8'));
    info.animations.Walk.looping = false;
    writeFileSync(vat(INFO), JSON.stringify(info));
    const godot = await baked({ ...GODOT, clips: ['Walk'] }, CHARACTER.path);
    writeFileSync(godot('.gd'), readFileSync(godot('.gd'), 'utf8').replace(', true]', ', false]'));
    for (const file of [vat(INFO), godot(PALETTE)]) {
        const { ok, problems } = await verifyFolder(CHARACTER.path, file);
        expect([ok, problems]).toEqual([
            false,
            [
                {
                    code: 'CLIP_DIFFERS',
                    pointer: '/animations',
                    message: expect.stringMatching(/'Walk' has looping false/),
                },
            ],
        ]);
    }
});

test.each<[string, string, (text: string) => string, 'CLIP_DIFFERS' | null]>([
    ['another first row', '.gd', (text) => text.replace(': [0, ', ': [1, '), 'CLIP_DIFFERS'],
    ['another rate', '.gd', (text) => text.replace(', 10.0, ', ', 9.0, '), 'CLIP_DIFFERS'],
    ['another number of columns', '.gdshader', (text) => text.replace(/(COLUMNS = )\d+/, '$11'), 'CLIP_DIFFERS'],
    ['other numbers of vertices', '.gdshader', (text) => text.replace('PLACES = 1024', 'PLACES = 1023'), null],
])('in a folder for Godot, %s is found', async (_, end, change, code) => {
    const path = end === '.gdshader' ? CHARACTER.path : source; // allows more combinations of joints
    const file = await baked({ ...GODOT, clips: [path === source ? 'bend' : 'Walk'] }, path);
    writeFileSync(file(end), change(readFileSync(file(end), 'utf8')));
    const { ok, problems } = await verifyFolder(path, file(PALETTE));
    expect([ok, problems.map((one) => one.code)[0] ?? null]).toEqual([false, code]);
});

test.each<[string, string, (bytes: Buffer) => Buffer | string, RegExp]>([
    [
        'a palette without alpha',
        PALETTE,
        (bytes) => Buffer.from(bytes.toString('latin1').replace('A\0', 'X\0'), 'latin1'),
        /4 channels/,
    ],
    ['a script without clips', '.gd', () => '', /its constant MESH is not what poselane writes/],
    [
        'a script of another mesh',
        '.gd',
        (bytes) => bytes.toString().replace('whole.glb', 'other.glb'),
        /MESH is another file/,
    ],
    ['clips of another shape', '.gd', (bytes) => bytes.toString().replace(/: \[0, \d+/, ': [0'), /CLIPS is not what/],
    ['a mesh of another tool', '.glb', () => Buffer.from(wholeScene().toGlb()), /another tool made this folder/],
    ['a PNG', PALETTE, () => Buffer.from('\x89PNG', 'latin1'), /does not have 4 channels/],
    ['another shader', '.gdshader', () => '', /constants of the shader/],
    ...[
        ['COLUMNS', '2.5'],
        ['WIDTH', '64.5'],
        ['SKINNING', '66.1'],
        ['SETS', '1.3'],
        ['SETS', '64'],
        ['PLACES', '0.3'],
        ['PLACES', '0'],
    ].map(([name, value]): [string, string, (bytes: Buffer) => string, RegExp] => [
        `the constant ${name} ${value}`,
        '.gdshader',
        (bytes) => bytes.toString().replace(new RegExp(`(?<= ${name} = )\\d+`), value!),
        /constants of the shader/,
    ]),
])('in a folder for Godot, %s is an error', async (_, end, change, message) => {
    const file = await baked(GODOT);
    writeFileSync(file(end), change(readFileSync(file(end))));
    await expect(verifyFolder(source, file(PALETTE))).rejects.toMatchObject({
        code: 'BAKE_INVALID',
        message: expect.stringMatching(message),
    });
});

test.each<[string, (info: LooseJson) => void, string]>([
    ['another source', ({ poselane }) => Object.assign(poselane.source, { sha256: 'f' }), 'SOURCE_DIFFERS'],
    ['one frame less', (info) => Object.assign(info['os-remap'], { Frames: 21 }), 'CLIP_DIFFERS'],
    [
        'another rate',
        ({ animations }) => Object.assign(animations[Object.keys(animations)[0]!], { framerate: 11 }),
        'CLIP_DIFFERS',
    ],
    ['another clip', ({ poselane }) => Object.assign(poselane.clips[0], { animation: 7 }), 'CLIP_DIFFERS'],
    ['one clip more', ({ animations }) => Object.assign(animations, { More: animations.bend }), 'CLIP_DIFFERS'],
    ['another name', (info) => Object.assign(info, { animations: renamed(info.animations) }), 'CLIP_DIFFERS'],
    [
        'two clips with the same rows',
        ({ animations, poselane }) => {
            const [first, second] = Object.values<LooseJson>(animations);
            Object.assign(second, { startFrame: first.startFrame, endFrame: first.endFrame });
            poselane.clips[1].firstRow = 0;
        },
        'CLIP_DIFFERS',
    ],
    [
        'a loop whose ends differ',
        ({ animations }) => {
            for (const one of Object.values<LooseJson>(animations)) one.looping = true;
        },
        'CLIP_DIFFERS',
    ],
    ['other parts', ({ poselane }) => poselane.parts[0].pop(), 'ARRAY_INVALID'],
])('%s is a problem', async (_, change, code) => {
    const file = await baked();
    const info = JSON.parse(readFileSync(file(INFO), 'utf8'));
    change(info);
    writeFileSync(file(INFO), JSON.stringify(info));
    const { ok, problems } = await verifyFolder(source, file(INFO));
    expect(ok).toBe(false);
    expect(problems.map((one) => one.code)).toContain(code);
});

test.each<[string, string, (bytes: Buffer) => Buffer | string, RegExp]>([
    ['no JSON', INFO, () => '{', /it is not JSON/],
    ['JSON of another tool', INFO, () => '{"os-remap": {}}', /another tool made this/],
    ['a wrong type', INFO, (bytes) => bytes.toString().replace(/"Frames": \d+/, '"Frames": "x"'), /must be an integer/],
    ['an empty texture', '_vat.exr', () => Buffer.alloc(0), /neither OpenEXR nor PNG/],
    ['a truncated texture', '_vat.exr', (bytes) => bytes.subarray(0, bytes.length / 2), /cannot read the texture/],
    ['a damaged block', '_vat.exr', (bytes) => bytes.fill(7, bytes.length - 400), /cannot read the texture/],
    [
        'blocks out of order',
        '_vat.exr',
        (bytes) => {
            // The first block, after the table, begins with its line.
            const table = bytes.indexOf('screenWindowWidth\0float\0') + 'screenWindowWidth\0float\0'.length + 8 + 1;
            bytes.writeInt32LE(-5, Number(bytes.readBigUInt64LE(table)));
            return bytes;
        },
        /block 0 begins with line -5/,
    ],
    [
        'an unknown compression',
        '_vat.exr',
        (bytes) => {
            bytes[bytes.indexOf('compression\0compression\0') + 28] = 9;
            return bytes;
        },
        /compression 9/,
    ],
])('%s is an error', async (_, end, change, message) => {
    const file = await baked();
    writeFileSync(file(end), change(readFileSync(file(end))));
    await expect(verifyFolder(source, file(INFO))).rejects.toMatchObject({
        code: 'BAKE_INVALID',
        message: expect.stringMatching(message),
    });
});

test('a moving primitive that is not in the mesh is a problem', async () => {
    const file = await baked();
    // The same bake, for an input whose skinned mesh has one more primitive.
    const model = wholeScene();
    const mesh = model.json.meshes[model.json.nodes.find(({ skin }: LooseJson) => skin !== undefined).mesh];
    mesh.primitives.push(mesh.primitives[0]);
    const more = join(folder(), 'more.glb');
    writeFileSync(more, model.toGlb());
    const info = JSON.parse(readFileSync(file(INFO), 'utf8'));
    info.poselane.source.sha256 = JSON.parse(
        readFileSync((await baked({}, more))(INFO), 'utf8'),
    ).poselane.source.sha256;
    writeFileSync(file(INFO), JSON.stringify(info));
    const { ok, problems } = await verifyFolder(more, file(INFO));
    expect(ok).toBe(false);
    expect(problems[0]).toMatchObject({
        code: 'ARRAY_INVALID',
        message: expect.stringMatching(/primitive 1 moves, and/),
    });
});

test('two textures are rejected: one is from an earlier bake', async () => {
    const file = await baked();
    writeFileSync(file('_vat.png'), '');
    await expect(verifyFolder(source, file(INFO))).rejects.toMatchObject({
        code: 'BAKE_INVALID',
        message: expect.stringMatching(/whole_vat\.exr: 'whole_vat\.png' is beside it.* remove the older one/),
    });
});

test('its decoder and that of three.js agree', async () => {
    for (const maxError of ['1%', '0.05%']) {
        const { files } = await bakeFile(CHARACTER.path, { emit: ['openvat'], clips: ['Wave'], to: 0.1, maxError });
        const bytes = Buffer.from(files[1]!.bytes);
        const [own, other] = [readImage('a.exr', bytes), readExr(bytes)];
        expect([own.width, own.height]).toEqual([other.width, other.height]);
        for (let y = 0; y < own.height; y += 5) {
            for (let x = 0; x < own.width; x += 7) {
                for (const c of [0, 1, 2]) if (own.at(x, y, c) !== other.at(x, y, c)) throw new Error(`${x} ${y} ${c}`);
            }
        }
    }
});

test('the folder next to other files', async () => {
    const file = await baked();
    mkdirSync(join(folder(), 'elsewhere'));
    copyFileSync(file(INFO), join(folder(), `elsewhere/whole${INFO}`));
    await expect(verifyFolder(source, join(folder(), `elsewhere/whole${INFO}`))).rejects.toMatchObject({
        code: 'FILE_UNREADABLE',
    });
    await expect(verifyFolder(source, 3 as never)).rejects.toMatchObject({ code: 'ERR_ARGUMENT_TYPE' });
});
