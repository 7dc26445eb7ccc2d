// SPDX-License-Identifier: MIT
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHARACTER } from '../support/models';
import { clipsAlone, meshAlone } from '../support/split-file';
import { expectRun, inNewFolder, poselane, printed, put } from './command-line';
import { smallGltf } from './small-gltf';

const SUPPORT = join(__dirname, '../convert/support');

inNewFolder();
beforeEach(() => {
    mkdirSync('in/mocap', { recursive: true });
    copyFileSync(join(SUPPORT, 'arm.fbx'), 'in/arm.fbx');
    copyFileSync(join(SUPPORT, 'turn.bvh'), 'in/mocap/turn.bvh');
});

describe('poselane convert', () => {
    test('writes a GLB and prints units and axes', async () => {
        expect(await printed('convert in/arm.fbx -o arm.glb')).toMatch(
            /^in\/arm\.fbx -> arm\.glb, 3 nodes, 1 clip, [\d.]+ KiB; from FBX, centimeters, Y up, 30 fps\n$/,
        );
        expect(await printed('inspect arm.glb')).toBe(
            (await printed('inspect in/arm.fbx')).replace('in/arm.fbx', 'arm.glb'),
        );
        expect(await printed('convert in/mocap/turn.bvh -o turn.glb --bvh-scale 0.02')).toMatch(
            /from BVH, units of 0\.02 m \(3\.\d+ m high\), Y up, 4 fps\n$/,
        );
    });

    test('accepts folders and patterns, and continues after a damaged file', async () => {
        put('in/bad.bvh', 'HIERARCHY\nROOT\n');
        await expectRun('convert in -o out --keep-tree', {
            code: 5,
            stdout: /^in\/arm\.fbx -> out\/arm\.glb.+\nin\/mocap\/turn\.bvh -> out\/mocap\/turn\.glb.+\n$/,
            stderr: /^poselane: in\/bad\.bvh: line \d of the BVH file: .+\nposelane: 1 of 3 files could not be converted\n$/,
        });
        await expectRun('convert in/bad.bvh -o out', {
            code: 3,
            stderr: /^poselane: in\/bad\.bvh: line \d of the BVH file: expected \{/,
        });
    });

    test('accepts glTF', async () => {
        put('small.gltf', smallGltf());
        await printed('convert small.gltf -o small.glb');
        expect(readFileSync('small.glb', 'latin1')).toMatch(/^glTF/);
        expect(await printed('inspect small.glb')).toContain('2 clips');
        await printed(`convert ${CHARACTER.path} -o same.glb`);
        expect(Buffer.compare(readFileSync('same.glb'), readFileSync(CHARACTER.path))).toBe(0);
    });

    test('adds clips of other files: a bake of the result has the bytes of a bake with these files', async () => {
        writeFileSync('body.glb', meshAlone(CHARACTER.path));
        writeFileSync('clips.glb', clipsAlone(CHARACTER.path));
        await printed('convert body.glb -o whole.glb --animations clips*.glb');
        expect(await printed('inspect whole.glb')).toContain('3 clips');
        await printed('bake whole.glb -o whole');
        await printed('bake body.glb -o apart --animations clips.glb');
        expect(readFileSync('whole/whole.bake.bin').equals(readFileSync('apart/body.bake.bin'))).toBe(true);
        await expectRun('convert body.glb -o none.glb --animations in/arm.fbx', { code: 3, stderr: /NODES|match/ });
        await expectRun('convert body.glb -o none.glb --retarget humanoid', { code: 2, stderr: /--animations/ });
        expect(existsSync('none.glb')).toBe(false);
    });

    test.each([
        [
            'convert in/arm.fbx in/mocap/turn.bvh -o one.glb',
            /--out: 'one\.glb' is one file: several inputs need a folder/,
        ],
        ['convert same.glb -o same.glb', /--out: 'same\.glb' would overwrite 'same\.glb'/],
        ['convert in/arm.fbx -o out --bvh-scale 0', /--bvh-scale is 0; it must be greater than 0/],
        ['convert in/arm.fbx -o -', /--out: standard output/],
        ['convert in/arm.fbx', /-o, --out/],
    ])('rejects %s', async (line, stderr) => {
        copyFileSync(CHARACTER.path, 'same.glb');
        await expectRun(line, { code: 2, stderr });
        expect(existsSync('one.glb')).toBe(false);
    });
});

describe('other commands accept FBX and BVH like GLB', () => {
    test('bake, verify, reduce and view', async () => {
        await printed('bake in/arm.fbx -o out --fps 30 --emit palette,morph');
        await printed('convert in/arm.fbx -o arm.glb');
        await printed('bake arm.glb -o two --fps 30 --emit palette,morph');
        expect(Buffer.compare(readFileSync('out/arm.bake.bin'), readFileSync('two/arm.bake.bin'))).toBe(0);
        await printed('verify in/arm.fbx out/arm.bake.json');
        expect(await printed('reduce in/arm.fbx -o small')).toMatch(/-> small\/arm\.glb: /);
        expect(await printed('view in/arm.fbx --html page.html --emit palette,morph')).toContain('page.html');
    });

    test('a file with only clips prints how to use them', async () => {
        await expectRun('bake in/mocap/turn.bvh -o out', {
            code: 3,
            stderr: /nothing to bake.+ \(BVH, .+\); export it with its mesh, or bake a model with this file in --animations\n$/,
        });
    });

    test('clips of other files', async () => {
        put(
            'clip.bvh',
            'HIERARCHY ROOT Lower { OFFSET 0 1 0 CHANNELS 1 Zrotation } MOTION Frames: 2 Frame Time: 0.5 0 90',
        );
        const { code, stderr } = await poselane('bake in/arm.fbx -o out --animations clip.bvh --fps 4');
        expect([code, stderr]).toEqual([0, expect.not.stringContaining('poselane: clip')]);
        expect(
            JSON.parse(readFileSync('out/arm.bake.json', 'utf8')).clips.map(({ name }: { name: string }) => name),
        ).toEqual(['Bend', 'clip']);
    });
});
