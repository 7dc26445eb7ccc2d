// SPDX-License-Identifier: MIT

import { gzipSync } from 'node:zlib';
import { sourceFormatOf } from '../../lib/convert/format';
import { foreignFormatOf } from '../../lib/gltf/foreign';
import { checkedResolve } from '../../lib/gltf/input';
import { skinnedModel } from './support/builder';
import { expectFault, read } from './support/faults';

const latin1 = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'));
const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 123\n`;

/** A local file header of APPNOTE.TXT, 4.3.7. */
function zipped(name: string, extra = ''): string {
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    header.writeUInt16LE(name.length, 26);
    header.writeUInt16LE(extra.length, 28);
    return `${header.toString('latin1')}${name}${extra}data`;
}

const FILES: readonly (readonly [start: string, what: RegExp, remedy: RegExp])[] = [
    [POINTER, /Git LFS pointer/, /git lfs pull/],
    [zipped('hero.glb'), /ZIP/, /unpack/],
    [zipped('scene/hero.usdc', '\x86\x19\x02\0\0\0'), /USDZ/, /Blender/],
    [zipped('hero.usda'), /USDZ/, /Blender/],
    ['#usda 1.0\n(\n)', /USD file/, /Blender/],
    ['PXR-USDC\0\x08', /USD file/, /Blender/],
    ['BLENDER-v300', /Blender file/, /export glTF/],
    ['\x28\xb5\x2f\xfd\x04', /Zstandard.*blend/, /Blender/],
    [gzipSync('BLENDER').toString('latin1'), /gzip/, /unpack/],
    ['<?xml version="1.0" encoding="utf-8"?>\n<!-- a -->\n<COLLADA xmlns="x">', /COLLADA/, /Blender/],
    ['<?xml version="1.0"?>\n<X3D>', /XML/, /export glTF/],
    ['\n<!DOCTYPE html>\n<title>Log in</title>', /HTML/, /login/],
    ['<html lang="en">', /HTML/, /download/],
    ['# Blender 4.0\n# www.blender.org\nmtllib hero.mtl\no Hero\nv 1 2 3\n', /OBJ/, /no animations/],
    ['v 1.0 2.0 3.0\n', /OBJ/, /Blender/],
    ['ply\nformat ascii 1.0\n', /PLY/, /Blender/],
    ['\x89PNG\r\n\x1a\n', /image/, /model/],
    ['\xff\xd8\xff\xe0', /image/, /model/],
    ['7z\xbc\xaf\x27\x1c', /7z/, /unpack/],
    ['Rar!\x1a\x07\x01', /RAR/, /unpack/],
];

describe('a file of another format is rejected by its bytes, with its name and the next step', () => {
    test.each(FILES)('%j', async (start, what, remedy) => {
        for (const text of [start, start + '\0'.repeat(5000), `\xef\xbb\xbf${start}`]) {
            const bytes = latin1(text);
            await expectFault(bytes, { code: 'NOT_GLTF', pointer: '', rule: what });
            await expectFault(bytes, { code: 'NOT_GLTF', pointer: '', rule: remedy });
        }
    });
});

test.each([
    ['Kaydara FBX Binary  \0\x1a\0\xe8\x1c\0\0', 'FBX'],
    ['; FBX 7.3.0 project file\n; Created by a tool\nFBXHeaderExtension:  {\n', 'FBX'],
    ['FBXHeaderExtension:  {\n', 'FBX'],
    ['HIERARCHY\nROOT Hips\n{\n', 'BVH'],
    ['\r\n hierarchy\r\nroot Hips', 'BVH'],
    ['{"asset":{}}', null],
    ['glTF', null],
])('%j is converted as %s; if that is impossible, the error has the command', (start, format) => {
    for (const text of [start, start + '\0'.repeat(5000), `\xef\xbb\xbf${start}`]) {
        expect(sourceFormatOf(latin1(text))).toBe(format);
        if (format === null) continue;
        expect(foreignFormatOf(latin1(text))).toMatchObject({
            what: expect.stringContaining(format),
            remedy: "convert it to glTF with 'poselane convert'",
        });
    }
});

test.each(['', '{', '{"asset":', 'null', '  {"v": 1}', 'oo', 'version 1', 'og', 'plyx'])(
    '%j has no known format',
    (text) => {
        expect(foreignFormatOf(latin1(text))).toBeNull();
    },
);

test('the time to recognize a format does not depend on the text', () => {
    const texts = ['#', ' ', '\n', '# \n', '<?xml', '<!--', '<!-- -->', 'PK', '; FBX', '\t#\r\n', 'a'].map((part) =>
        part.repeat(4096),
    );
    const started = performance.now();
    for (const text of texts) foreignFormatOf(latin1(text));
    expect(performance.now() - started).toBeLessThan(2000);
});

describe('a buffer file of a glTF', () => {
    const gltf = skinnedModel().toGltf('hero.bin');
    const refused = (data: string, code: string, pointer: string, rule: RegExp) =>
        expectFault(
            gltf,
            { code, pointer, rule },
            checkedResolve('read', async () => latin1(data)),
        );

    test('is rejected if it is a Git LFS pointer or a page, for any stated length', async () => {
        const pointer = '/buffers/0/uri';
        for (const padding of [0, 5000].map((length) => ' '.repeat(length))) {
            await refused(POINTER + padding, 'FILE_UNREADABLE', pointer, /"hero.bin".*Git LFS pointer.*git lfs pull/);
            await refused(`<html>${padding}`, 'FILE_UNREADABLE', pointer, /"hero.bin".*HTML page/);
        }
    });

    test('is named with its format if it is too short, and read if it is long enough', async () => {
        await refused(zipped('hero.bin'), 'GLTF_INVALID', '/buffers/0/byteLength', /"hero.bin" is a ZIP archive/);
        // Bytes of an archive before the model's data, in views that no accessor reads.
        const model = skinnedModel();
        const zip = latin1(zipped('x').padEnd(64));
        for (const view of model.json.bufferViews) view.byteOffset += zip.length;
        model.json.buffers[0].byteLength += zip.length;
        const data = Buffer.concat([zip, model.bin()]);
        const scene = await read(model.toGltf('hero.bin'), async () => data);
        expect(scene.animations).toEqual((await read(skinnedModel().toGlb())).animations);
    });
});
