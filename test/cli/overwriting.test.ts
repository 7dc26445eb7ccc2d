// SPDX-License-Identifier: MIT

/** No run overwrites its inputs or the files that they refer to, by any name. */

import { linkSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { bakeFile, writeBake } from '../../lib/bake';
import { expectRun, filesIn, inNewFolder, printed, put } from './command-line';
import { smallBytes, smallGltf } from './small-gltf';

inNewFolder();

interface Parts {
    /** URI of the buffer; without it a data URI. */
    readonly buffer?: string;
    /** URI of an image. */
    readonly image?: string;
    readonly skins?: number;
}

function gltf(path: string, { image, ...small }: Parts = {}): void {
    const beside = (uri: string) => join(dirname(path), decodeURIComponent(uri));
    if (small.buffer !== undefined) put(beside(small.buffer), smallBytes());
    if (image !== undefined) put(beside(image), 'image');
    put(path, JSON.stringify({ ...JSON.parse(smallGltf(small)), ...(image && { images: [{ uri: image }] }) }));
}

/** Every file with its content. */
const contents = () => Object.fromEntries(filesIn().map((file) => [file, readFileSync(file, 'latin1')]));

const link = (to: string, path: string) => () => symlinkSync(to, path);
const inA = (what: string) => `baking 'in/a.gltf' would overwrite ${what}: choose another folder by --out`;
const ofA = (path: string, as = '') => inA(`'${path}', which the input 'in/a.gltf' refers to${as}`);
const ofB = (path: string) => inA(`'${path}', which the input 'in/b.gltf' refers to`);
const [A, WITH_BIN] = [{ 'in/a.gltf': {} }, { 'in/a.gltf': { buffer: 'a.bake.bin' } }];
const WITH_DATA = { 'in/a.gltf': { buffer: 'data.bin' } };

test.each<[string, Readonly<Record<string, Parts>>, string, string, (() => void)?]>([
    [
        'an input of a pattern',
        { ...A, 'in/a.baked.glb': {} },
        'in/* -o in --emit palette,glb --shard 1/2',
        inA("the input 'in/a.baked.glb'"),
    ],
    ['a missing input', A, 'in/a.gltf in/a.baked.glb -o in --emit glb', inA("the input 'in/a.baked.glb'")],
    [
        'an input with the name of a bake in one file',
        { 'in/a.gltf': { skins: 2 }, 'in/a.skin1.bake.glb': {} },
        'in/a.gltf in/a.skin1.bake.glb -o in --container glb',
        inA("the input 'in/a.skin1.bake.glb'"),
    ],
    [
        'a buffer with the name of a texture',
        { 'in/a.gltf': { buffer: 'a.baked.vat' } },
        'in/a.gltf -o in --emit pvat',
        ofA('in/a.baked.vat'),
    ],
    ['a buffer with the name of a bin', WITH_BIN, 'in/a.gltf -o in', ofA('in/a.bake.bin')],
    [
        'the buffer of an input of another shard, percent-encoded',
        { ...A, 'in/b.gltf': { buffer: 'a%2Ebake.bin' } },
        'in/a.gltf in/b.gltf -o in --shard 1/2',
        ofB('in/a.bake.bin'),
    ],
    [
        'an image with the name of a manifest',
        { 'in/a.gltf': { image: 'a.bake.json' } },
        'in/a.gltf -o in',
        ofA('in/a.bake.json'),
    ],
    [
        'a buffer with the name of the bin of a skin',
        { 'in/a.gltf': { skins: 2 }, 'in/b.gltf': { buffer: 'a.skin1.bake.bin' } },
        'in/a.gltf in/b.gltf -o in',
        ofB('in/a.skin1.bake.bin'),
    ],
    // Some file systems ignore case.
    [
        'another case',
        { ...A, 'in/b.gltf': { buffer: 'A.Bake.BIN' } },
        'in/a.gltf in/b.gltf -o in',
        ofB('in/A.Bake.BIN'),
    ],
    [
        'a buffer that is a symbolic link to a bin',
        WITH_DATA,
        'in/a.gltf -o in',
        ofA('in/data.bin', " (the same file as 'in/a.bake.bin')"),
        () => {
            renameSync('in/data.bin', 'in/a.bake.bin');
            symlinkSync('a.bake.bin', 'in/data.bin');
        },
    ],
    [
        'a bin that is a symbolic link to a buffer',
        { ...WITH_DATA, 'out/b.gltf': {} },
        'in/a.gltf -o out',
        ofA('in/data.bin', " (the same file as 'out/a.bake.bin')"),
        link('../in/data.bin', 'out/a.bake.bin'),
    ],
    [
        'a manifest that is a hard link to another input',
        { ...A, 'in/b.gltf': {}, 'out/c.gltf': {} },
        'in/b.gltf in/a.gltf -o out',
        inA("the input 'in/b.gltf' (the same file as 'out/a.bake.json')"),
        () => linkSync('in/b.gltf', 'out/a.bake.json'),
    ],
    [
        'a folder reached by a link',
        WITH_BIN,
        'in/a.gltf -o linked',
        ofA('in/a.bake.bin', " (the same file as 'linked/a.bake.bin')"),
        link('in', 'linked'),
    ],
    [
        'a missing input, in a folder reached by a link',
        A,
        'in/a.gltf in/a.baked.glb -o linked --emit glb',
        inA("the input 'in/a.baked.glb' (the same file as 'linked/a.baked.glb')"),
        link('in', 'linked'),
    ],
    [
        'a missing buffer of another input',
        { ...A, 'in/b.gltf': { buffer: 'a.bake.bin' } },
        'in/a.gltf in/b.gltf -o in',
        ofB('in/a.bake.bin'),
        () => rmSync('in/a.bake.bin'),
    ],
    [
        'a missing buffer that is the bin of an input in another folder, with --keep-tree',
        { 'in/a.gltf': { buffer: 'b/a.bake.bin' }, 'in/b/a.gltf': {} },
        'in -o in --keep-tree',
        ofA('in/b/a.bake.bin').replace('in/a.gltf', 'in/b/a.gltf'),
        () => rmSync('in/b/a.bake.bin'),
    ],
    [
        'a report that is a missing buffer',
        WITH_DATA,
        'in/a.gltf -o out --report linked/data.bin',
        "--report: 'linked/data.bin' is a file that the input 'in/a.gltf' refers to",
        () => {
            rmSync('in/data.bin');
            symlinkSync('in', 'linked');
        },
    ],
    [
        'a report that is a link to an input',
        A,
        'in/a.gltf -o out --report report.json',
        "--report: 'report.json' is the input 'in/a.gltf'",
        link('in/a.gltf', 'report.json'),
    ],
])('%s: exit 2, and no file changes', async (...[, files, argv, message, change]) => {
    for (const [path, parts] of Object.entries(files)) gltf(path, parts);
    change?.();
    const before = contents();
    for (const how of ['-j 1', '-j 2', '-j 8 --quiet', '--dry-run']) {
        await expectRun(`bake ${argv} ${how}`, { code: 2, stderr: `poselane: ${message}\n` });
        expect(contents()).toEqual(before);
    }
});

describe('other files can be overwritten:', () => {
    const bake = (argv: string) => printed(`bake -j 1 ${argv}`);

    test('an earlier bake in the same folder, also for an input with a buffer', async () => {
        gltf('a.gltf', { buffer: 'data.bin' });
        for (let i = 0; i < 2; i++) await bake('a.gltf -o . --emit palette,glb');
        await bake('a.baked.glb a.gltf -o .');
        const bakes = ['a.bake.bin', 'a.bake.json', 'a.baked.bake.bin', 'a.baked.bake.json'];
        expect(filesIn()).toEqual([...bakes, 'a.baked.glb', 'a.gltf', 'data.bin']);
    });

    test('the file of a bake in the other container', async () => {
        gltf('a.gltf', { buffer: 'a.bake.bin' });
        await bake('a.gltf -o . --container glb');
        gltf('b.gltf');
        gltf('b.bake.glb');
        await bake('b.gltf b.bake.glb -o .');
        const ofB = ['b.bake.bake.bin', 'b.bake.bake.json', 'b.bake.bin', 'b.bake.glb', 'b.bake.json', 'b.gltf'];
        expect(filesIn()).toEqual(['a.bake.bin', 'a.bake.glb', 'a.gltf', ...ofB]);
    });

    test('a buffer of a file that is not baked', async () => {
        gltf('a.gltf');
        gltf('b.gltf', { buffer: 'a.bake.bin' });
        await bake('a.gltf -o .');
    });
});

describe('writeBake', () => {
    test('does not overwrite the inputs of the bake', async () => {
        gltf('in/a.gltf', { buffer: 'a.bake.bin', image: 'image.png' });
        const before = contents();
        const bake = await bakeFile('in/a.gltf');
        const [model, bin, image] = ['in/a.gltf', 'in/a.bake.bin', 'in/image.png'].map((name) => resolve(name));
        expect(bake.inputs).toEqual([model, bin, image]);
        await expect(writeBake(bake, 'in')).rejects.toMatchObject({
            name: 'UsageError',
            message: `writeBake: 'in/a.bake.bin' is a file that was baked, '${bin}': write into another folder`,
        });
        expect(contents()).toEqual(before);
        await writeBake(bake, 'out');
        expect(readdirSync('out').sort()).toEqual(['a.bake.bin', 'a.bake.json']);
    });

    test.each([['a'], [[7]], [null]])('rejects inputs that are not a list of paths: %p', async (inputs) => {
        const message = 'writeBake: bake must be what bakeFile gives, got inputs that are not a list of paths';
        const written = writeBake({ outputs: [], inputs } as never, 'out');
        await expect(written).rejects.toMatchObject({ code: 'ERR_ARGUMENT_TYPE', message });
    });
});
