// SPDX-License-Identifier: MIT

import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Resolve } from '../../lib/gltf/buffers';
import { scratchFolder } from '../support/temporary-folder';
import { glb, skinnedModel } from './support/builder';
import {
    expectFault,
    expectInvalid,
    type Fault,
    NAME,
    read,
    readGltf,
    testFaults,
    testWarnings,
} from './support/faults';

const sha256 = (...parts: Uint8Array[]) => {
    const hash = createHash('sha256');
    for (const part of parts) hash.update(part);
    return hash.digest('hex');
};

/** Reads a .gltf with a buffer at `uri`, and returns the requested paths. */
async function resolved(uri: string): Promise<string[]> {
    const model = skinnedModel();
    const paths: string[] = [];
    await read(model.toGltf(uri), async (name) => {
        paths.push(name);
        return model.bin();
    });
    return paths;
}

const never: Resolve = () => Promise.reject(new Error('must not be asked for'));
const refused = (uri: string, code: string, rule: RegExp, resolve: Resolve | null = never) =>
    expectFault(skinnedModel().toGltf(uri), { code, pointer: '/buffers/0/uri', rule }, resolve ?? undefined);

test('BIN chunk, data URI and external file give the same scene', async () => {
    const model = skinnedModel();
    const scenes = [
        await read(model.toGlb()),
        await read(model.toGltf()),
        await read(model.toGltf('a.bin'), async () => model.bin()),
    ].map((scene) => ({ ...scene, sha256: '', references: [] }));
    expect(scenes[1]).toEqual(scenes[0]);
    expect(scenes[2]).toEqual(scenes[0]);
});

describe('data URIs', () => {
    const base64 = Buffer.from(skinnedModel().bin()).toString('base64');

    test('any media type is read, in any case', async () => {
        for (const head of ['data:application/gltf-buffer;base64', 'data:;base64', 'DATA:text/plain;Base64']) {
            expect((await read(skinnedModel().toGltf(`${head},${base64}`))).nodes).toHaveLength(4);
        }
    });

    // A length with a remainder of two, so that the text ends with one '='.
    const bin = skinnedModel().bin();
    const padded = Buffer.from([...bin, ...new Uint8Array((5 - (bin.length % 3)) % 3)]).toString('base64');

    test.each([
        ['without base64', 'data:application/octet-stream,AAAA', /must be "data:<type>;base64,<data>"/],
        ['without a comma', 'data:application/octet-stream;base64', /must be "data:<type>;base64,<data>"/],
        ['with a space', `data:;base64,${base64.slice(0, 4)} ${base64.slice(5)}`, /character 4 .* is " "/],
        ['in the URL alphabet', `data:;base64,A_-A${base64.slice(4)}`, /character 1 .* is "_"/],
        ['with padding inside', `data:;base64,AA==${base64.slice(4)}`, /character 2 .* is "="/],
        ['without its padding', `data:;base64,${padded.slice(0, -1)}`, /must be padded to a multiple of 4/],
        ['with too much padding', `data:;base64,${padded}=`, /must be padded to a multiple of 4/],
    ])('%s are rejected', (_what, uri, rule) => refused(uri, 'GLTF_INVALID', rule));
});

describe('relative URIs', () => {
    test.each([
        ['a.bin', 'a.bin'],
        ['my%20model%2ebin', 'my model.bin'],
        ['gr%C3%BCn.bin', 'grün.bin'],
        ['grün.bin', 'grün.bin'],
        ['sub/./a.bin', 'sub/a.bin'],
        ['sub//a.bin', 'sub/a.bin'],
        ['sub/../a.bin', 'a.bin'],
        ['a..bin', 'a..bin'],
        ['./a:b.bin', 'a:b.bin'],
    ])('%s is the file %s', async (uri, file) => {
        expect(await resolved(uri)).toEqual([file]);
    });

    test.each([
        ['a parent', '../a.bin'],
        ['a parent, later', 'sub/../../a.bin'],
        ['a parent, encoded', '%2e%2e%2fa.bin'],
        ['a parent, half encoded', '.%2E/a.bin'],
        ['an absolute path', '/etc/passwd'],
        ['an absolute path, encoded', '%2Fetc/passwd'],
        ['another host', '//example.com/a.bin'],
        ['a web address', 'https://example.com/a.bin'],
        ['a file URI', 'file:///etc/passwd'],
        ['a drive letter', 'C:/a.bin'],
        ['a drive letter, encoded', 'C%3A/a.bin'],
        ['a backslash', '..\\a.bin'],
        ['a backslash, encoded', 'sub%5C..%5C..%5Ca.bin'],
        ['a NUL', 'a.bin%00.png'],
        ['the folder itself', 'sub/..'],
        ['nothing', ''],
    ])('%s is rejected before any request', (_what, uri) => refused(uri, 'FILE_UNREADABLE', /is refused/));

    test('a broken percent-encoding is rejected', () => refused('100%.bin', 'GLTF_INVALID', /percent-encoded/));

    test('a URI that is not a string is rejected', () => refused(7 as never, 'GLTF_INVALID', /must be a string/));

    test('without a resolver external files are rejected', () =>
        refused('a.bin', 'FILE_UNREADABLE', /no way to read it was given/, null));
});

describe('files', () => {
    const folder = scratchFolder();

    test('buffers are found next to the file, from any working directory', async () => {
        const model = skinnedModel();
        mkdirSync(path.join(folder(), 'data dir'));
        writeFileSync(path.join(folder(), 'data dir', 'a.bin'), model.bin());
        writeFileSync(path.join(folder(), 'hero.gltf'), model.toGltf('data%20dir/a.bin'));
        const scene = await readGltf(path.join(folder(), 'hero.gltf'));
        expect(scene.name).toBe('hero.gltf');
        expect(scene.animations[0]!.channels).toHaveLength(2);
    });

    test('a missing buffer is reported with the pointer, the relative path and the reason', async () => {
        const file = path.join(folder(), 'lost.gltf');
        writeFileSync(file, skinnedModel().toGltf('lost.bin'));
        await expect(readGltf(file)).rejects.toMatchObject({
            code: 'FILE_UNREADABLE',
            file,
            pointer: '/buffers/0/uri',
            rule: 'cannot read "lost.bin": ENOENT: there is no such file; check its name and folder',
        });
    });

    test('a missing file is reported', async () => {
        const file = path.join(folder(), 'nowhere.glb');
        await expect(readGltf(file)).rejects.toMatchObject({ code: 'FILE_UNREADABLE', file, pointer: '' });
    });

    test('a folder is reported', async () => {
        await expect(readGltf(folder())).rejects.toMatchObject({ code: 'FILE_UNREADABLE', rule: /EISDIR/ });
    });
});

describe('lengths', () => {
    testFaults([
        [{ '/buffers/0/byteLength': skinnedModel().bin().length + 1 }, /states \d+ bytes, the data has \d+/],
        ...[undefined, 0, -4, 1.5, '4', null].map((byteLength): Fault => {
            return [{ '/buffers/0/byteLength': byteLength }, /must be an integer of 1 or more/];
        }),
    ]);

    test('less than the bytes is valid, and the rest is ignored', async () => {
        const model = skinnedModel();
        const last = model.json.bufferViews.length - 1;
        model.json.buffers[0].byteLength -= 4;
        await expectInvalid(model, `/bufferViews/${last}`, /ends at byte/);
    });

    test('an integer can be written as 1e2', async () => {
        const model = skinnedModel();
        const length = model.bin().length;
        const text = Buffer.from(model.toGltf()).toString();
        const rewritten = text.replace(`"byteLength":${length}`, `"byteLength":${length / 100}e2`);
        expect(rewritten).not.toBe(text);
        expect((await read(new TextEncoder().encode(rewritten))).nodes).toHaveLength(4);
    });
});

test('only the first buffer can be the BIN chunk (3.6.1.2)', async () => {
    const model = skinnedModel();
    model.json.buffers.unshift({ byteLength: 4, uri: 'data:;base64,AAAAAA==' });
    for (const view of model.json.bufferViews) view.buffer = 1;
    await expectInvalid(model, '/bufferViews/0/buffer', /buffer 1 has no data/);
});

test("meshopt's fallback buffers are neither read nor hashed", async () => {
    const model = skinnedModel();
    const plain = (await read(model.toGlb())).sha256;
    const extensions = { KHR_meshopt_compression: { fallback: true } };
    model.json.buffers.push({ uri: 'fallback.bin', byteLength: 8, extensions });
    const bytes = model.toGlb();
    const json = bytes.subarray(20, 20 + new DataView(bytes.buffer).getUint32(12, true));
    const { sha256: hash } = await read(bytes, never);
    expect(hash).toBe(sha256(json, model.bin()));
    expect(hash).not.toBe(plain);
});

testWarnings([['a buffer without data that nothing needs is fine', { '/buffers/1': { byteLength: 1000 } }]]);

describe('the hash', () => {
    test('of a GLB is that of the JSON chunk and the stated bytes of the buffer', async () => {
        const model = skinnedModel();
        model.append(new Uint8Array([1]));
        const bytes = model.toGlb();
        const json = bytes.subarray(20, 20 + new DataView(bytes.buffer).getUint32(12, true));
        expect(model.bin().length % 4).toBe(1);
        expect((await read(bytes)).sha256).toBe(sha256(json, model.bin()));
    });

    test('of a .gltf is that of the file and every buffer, including data URIs, in index order', async () => {
        const model = skinnedModel();
        model.json.buffers.push({ uri: 'data:;base64,AQIDBA==', byteLength: 3 }, { uri: 'b.bin', byteLength: 2 });
        const bytes = model.toGltf('a.bin');
        const second = new Uint8Array([9, 8, 7]);
        const scene = await read(bytes, async (name) => (name === 'a.bin' ? model.bin() : second));
        expect(scene.sha256).toBe(sha256(bytes, model.bin(), new Uint8Array([1, 2, 3]), second.subarray(0, 2)));
    });

    test('changes with one bit of an external buffer, not with the name of the file', async () => {
        const model = skinnedModel();
        const bytes = model.toGltf('a.bin');
        const other = model.bin().slice();
        other[other.length - 1]! ^= 1;
        const [one, two] = [await read(bytes, async () => model.bin()), await read(bytes, async () => other)];
        expect(two.sha256).not.toBe(one.sha256);
        expect(one.name).toBe(NAME);
    });

    test('does not depend on bytes after a GLB, or on unknown chunks', async () => {
        const model = skinnedModel();
        const bytes = model.toGlb();
        const jsonLength = new DataView(bytes.buffer).getUint32(12, true);
        const chunks = [
            [0x4e4f534a, bytes.subarray(20, 20 + jsonLength)],
            [0x004e4942, bytes.subarray(28 + jsonLength)],
            [0x58585858, new Uint8Array(8)],
        ] as const;
        expect((await read(glb(chunks))).sha256).toBe((await read(bytes)).sha256);
    });
});
