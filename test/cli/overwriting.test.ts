// SPDX-License-Identifier: MIT

/** No run writes over what any of its inputs is, or refers to, whatever name that is reached by. */

import { linkSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { bakeFile, writeBake } from '../../lib/bake';
import { filesIn, inNewFolder, poselane, put } from './command-line';
import { smallGltf } from './small-gltf';

inNewFolder();

interface Parts {
    /** URI of the buffer; otherwise a data URI. */
    readonly buffer?: string;
    /** URI of an image. */
    readonly image?: string;
    readonly skins?: number;
}

function gltf(path: string, { buffer, image, skins = 1 }: Parts = {}): void {
    const json = JSON.parse(smallGltf({ skins }));
    if (buffer !== undefined) {
        const bytes = Buffer.from(json.buffers[0].uri.split(',')[1], 'base64');
        put(join(dirname(path), decodeURIComponent(buffer)), bytes);
        json.buffers[0].uri = buffer;
    }
    if (image !== undefined) {
        put(join(dirname(path), image), 'image');
        json.images = [{ uri: image }];
    }
    put(path, JSON.stringify(json));
}

/** Every file, with what is in it. */
const contents = () => Object.fromEntries(filesIn().map((file) => [file, readFileSync(file, 'latin1')]));

type Files = Readonly<Record<string, Parts>>;
/** What `<by>` would overwrite. */
const over = (taken: string, by = 'in/a.gltf') =>
    `baking '${by}' would overwrite ${taken}: choose another folder by --out`;
const buffer = (path: string, of = 'in/a.gltf') => `'${path}', which the input '${of}' refers to`;

test.each<[what: string, files: Files, argv: string, message: string, change?: () => void]>([
    [
        'an input that a pattern finds',
        { 'in/a.gltf': {}, 'in/a.baked.glb': {} },
        'in/* -o in --emit palette,glb --shard 1/2',
        over("the input 'in/a.baked.glb'"),
    ],
    [
        'an input that is not there yet',
        { 'in/a.gltf': {} },
        'in/a.gltf in/a.baked.glb -o in --emit glb',
        over("the input 'in/a.baked.glb'"),
    ],
    [
        'an input with the name of a bake in one file',
        { 'in/a.gltf': { skins: 2 }, 'in/a.skin1.bake.glb': {} },
        'in/a.gltf in/a.skin1.bake.glb -o in --container glb',
        over("the input 'in/a.skin1.bake.glb'"),
    ],
    [
        'a buffer with the name of a vertex animation texture',
        { 'in/a.gltf': { buffer: 'a.baked.vat' } },
        'in/a.gltf -o in --emit pvat',
        over(buffer('in/a.baked.vat')),
    ],
    [
        'a buffer with the name of a bin',
        { 'in/a.gltf': { buffer: 'a.bake.bin' } },
        'in/a.gltf -o in',
        over(buffer('in/a.bake.bin')),
    ],
    [
        'the buffer of an input of another shard, percent-encoded',
        { 'in/knight.gltf': {}, 'in/knight.bake.gltf': { buffer: 'knight%2Ebake.bin' } },
        'in/knight.gltf in/knight.bake.gltf -o in --shard 1/2',
        over(buffer('in/knight.bake.bin', 'in/knight.bake.gltf'), 'in/knight.gltf'),
    ],
    [
        'an image with the name of a manifest',
        { 'in/a.gltf': { image: 'a.bake.json' } },
        'in/a.gltf -o in',
        over(buffer('in/a.bake.json')),
    ],
    [
        'a buffer with the name of the bin of a skin',
        { 'in/a.gltf': { skins: 2 }, 'in/b.gltf': { buffer: 'a.skin1.bake.bin' } },
        'in/a.gltf in/b.gltf -o in',
        over(buffer('in/a.skin1.bake.bin', 'in/b.gltf')),
    ],
    [
        'in another case, which not every file system tells apart',
        { 'in/a.gltf': {}, 'in/b.gltf': { buffer: 'A.Bake.BIN' } },
        'in/a.gltf in/b.gltf -o in',
        over(buffer('in/A.Bake.BIN', 'in/b.gltf')),
    ],
    [
        'a buffer that is a symbolic link to a bin',
        { 'in/a.gltf': { buffer: 'data.bin' } },
        'in/a.gltf -o in',
        over(`${buffer('in/data.bin')} (the same file as 'in/a.bake.bin')`),
        () => {
            renameSync('in/data.bin', 'in/a.bake.bin');
            symlinkSync('a.bake.bin', 'in/data.bin');
        },
    ],
    [
        'a bin that is a symbolic link to a buffer',
        { 'in/a.gltf': { buffer: 'data.bin' }, 'out/b.gltf': {} },
        'in/a.gltf -o out',
        over(`${buffer('in/data.bin')} (the same file as 'out/a.bake.bin')`),
        () => symlinkSync('../in/data.bin', 'out/a.bake.bin'),
    ],
    [
        'a manifest that is a hard link to another input',
        { 'in/a.gltf': {}, 'in/b.gltf': {}, 'out/c.gltf': {} },
        'in/b.gltf in/a.gltf -o out',
        over("the input 'in/b.gltf' (the same file as 'out/a.bake.json')"),
        () => linkSync('in/b.gltf', 'out/a.bake.json'),
    ],
    [
        'a folder that is reached by a link',
        { 'in/a.gltf': { buffer: 'a.bake.bin' } },
        'in/a.gltf -o linked',
        over(`${buffer('in/a.bake.bin')} (the same file as 'linked/a.bake.bin')`),
        () => symlinkSync('in', 'linked'),
    ],
    [
        'an input that is not there yet, in a folder that is reached by a link',
        { 'in/a.gltf': {} },
        'in/a.gltf in/a.baked.glb -o linked --emit glb',
        over("the input 'in/a.baked.glb' (the same file as 'linked/a.baked.glb')"),
        () => symlinkSync('in', 'linked'),
    ],
    [
        'a buffer of another input that is not there yet',
        { 'in/a.gltf': {}, 'in/z.gltf': { buffer: 'a.bake.bin' } },
        'in/a.gltf in/z.gltf -o in',
        over(buffer('in/a.bake.bin', 'in/z.gltf')),
        () => rmSync('in/a.bake.bin'),
    ],
    [
        'a buffer that is the bin of an input in another folder, with --keep-tree, and is not there yet',
        { 'in/a.gltf': { buffer: 'b/a.bake.bin' }, 'in/b/a.gltf': {} },
        'in -o in --keep-tree',
        over(buffer('in/b/a.bake.bin'), 'in/b/a.gltf'),
        () => rmSync('in/b/a.bake.bin'),
    ],
    [
        'the report is a buffer that is not there yet',
        { 'in/a.gltf': { buffer: 'data.bin' } },
        'in/a.gltf -o out --report linked/data.bin',
        "--report: 'linked/data.bin' is a file that the input 'in/a.gltf' refers to",
        () => {
            rmSync('in/data.bin');
            symlinkSync('in', 'linked');
        },
    ],
    [
        'the report is a link to an input',
        { 'in/a.gltf': {} },
        'in/a.gltf -o out --report report.json',
        "--report: 'report.json' is the input 'in/a.gltf'",
        () => symlinkSync('in/a.gltf', 'report.json'),
    ],
])('%s: exit 2, and nothing is touched', async (...[, files, argv, message, change]) => {
    for (const [path, parts] of Object.entries(files)) gltf(path, parts);
    change?.();
    const before = contents();
    for (const how of ['-j 1', '-j 2', '-j 8 --quiet', '--dry-run']) {
        const outcome = await poselane(`bake ${argv} ${how}`);
        expect(outcome).toEqual({ code: 2, stdout: '', stderr: `poselane: ${message}\n` });
        expect(contents()).toEqual(before);
    }
});

describe('what is no input may be overwritten:', () => {
    const bake = async (argv: string) => {
        expect(await poselane(`bake -j 1 ${argv}`)).toMatchObject({ code: 0, stderr: '' });
    };

    test('an earlier bake in the same folder, also of an input with a buffer', async () => {
        gltf('a.gltf', { buffer: 'data.bin' });
        for (let i = 0; i < 2; i++) await bake('a.gltf -o . --emit palette,glb');
        await bake('a.baked.glb a.gltf -o .');
        const bakes = ['a.bake.bin', 'a.bake.json', 'a.baked.bake.bin', 'a.baked.bake.json'];
        expect(filesIn()).toEqual([...bakes, 'a.baked.glb', 'a.gltf', 'data.bin']);
    });

    test('what a bake in the other container would be called', async () => {
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
    test('overwrites nothing that the bake was read from', async () => {
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

    test.each([['a'], [[7]], [null]])('refuses inputs that are not a list of paths: %p', async (inputs) => {
        const message = 'writeBake: bake must be what bakeFile gives, got inputs that are not a list of paths';
        const written = writeBake({ outputs: [], inputs } as never, 'out');
        await expect(written).rejects.toMatchObject({ code: 'ERR_ARGUMENT_TYPE', message });
    });
});
