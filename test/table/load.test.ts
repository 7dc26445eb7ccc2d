// SPDX-License-Identifier: MIT

/** `BakedTable.load` returns a manifest with its own bin, or reports that it cannot. */

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BakedTable } from '../../lib/table';
import { scratchFolder } from '../support/temporary-folder';
import { bakeInGlb, glb, smallBake } from './small-bake';

const folder = scratchFolder();
const URL_OF_MANIFEST = 'http://a.test/models/small.bake.json?v=1';

interface Version {
    readonly json: string;
    readonly bin: Uint8Array;
}

/** Bakes of one number each, with equal lengths. */
function version(number: number): Version {
    const { manifest, bin } = smallBake([{ frameCount: 1, duration: 0, fps: null }], {
        morph: { layout: 'weights', shape: [1], data: Float32Array.of(number) },
    });
    manifest.binary.sha256 = createHash('sha256').update(bin).digest('hex');
    return { json: JSON.stringify(manifest), bin };
}

const [OLD, NEW, OTHER] = [version(1), version(2), version(3)] as const;
const numberOf = (table: BakedTable) => table.arrays.morph!.data[0];

/** Answers with the manifests and bins in turn, repeats the last ones, and counts. */
function answers(manifests: readonly Version[], bins: readonly Version[]) {
    const read = { manifests: 0, bins: 0, urls: new Set<string>() };
    const next = (list: readonly Version[], at: number) => list[Math.min(at, list.length - 1)]!;
    const of = async (url: URL) => {
        read.urls.add(url.href);
        if (url.pathname.endsWith('.bin')) return next(bins, read.bins++).bin;
        return new TextEncoder().encode(next(manifests, read.manifests++).json);
    };
    return { read, of };
}

describe('a pair that is being replaced is read again', () => {
    test.each<[string, Version[], Version[], expected: number, reads: number[]]>([
        ['nothing changes', [OLD], [OLD], 1, [1, 1]],
        ['the new bin exists, its manifest follows', [OLD, OLD, OLD, NEW], [NEW], 2, [4, 1]],
        ['both were replaced after the manifest was read', [OLD, NEW], [NEW], 2, [2, 1]],
        ['and once more before it was read again', [OLD, OTHER], [NEW, OTHER], 3, [2, 2]],
        ['the old bin returns', [OLD], [NEW, OLD], 1, [8, 2]],
    ])('%s', async (_, manifests, bins, expected, reads) => {
        const { read, of } = answers(manifests, bins);
        expect(numberOf(await BakedTable.load(URL_OF_MANIFEST, of))).toBe(expected);
        expect([read.manifests, read.bins]).toEqual(reads);
        expect([...read.urls]).toEqual([URL_OF_MANIFEST, 'http://a.test/models/small.bake.bin']);
    });

    test('for a while; the bin, which can be large, is read at most twice if nothing changes', async () => {
        for (const bin of [NEW.bin, new Uint8Array(3), new Uint8Array(0)]) {
            const { read, of } = answers([OLD], [{ ...NEW, bin }]);
            await expect(BakedTable.load(URL_OF_MANIFEST, of)).rejects.toMatchObject({
                name: 'RangeError',
                code: 'ERR_BINARY_DIFFERS',
                message: `BakedTable.load: ${URL_OF_MANIFEST}: the binary is not the one that the manifest describes: another bake's, or being replaced`,
            });
            expect([read.manifests, read.bins]).toEqual([8, 2]);
        }
    });
});

test('without a hash function, only the length is checked', async () => {
    const { subtle } = crypto;
    Object.defineProperty(crypto, 'subtle', { value: undefined, configurable: true });
    try {
        expect(numberOf(await BakedTable.load(URL_OF_MANIFEST, answers([OLD], [NEW]).of))).toBe(2);
        const short = answers([OLD], [{ ...OLD, bin: new Uint8Array(3) }]).of;
        await expect(BakedTable.load(URL_OF_MANIFEST, short)).rejects.toMatchObject({ code: 'ERR_BINARY_DIFFERS' });
    } finally {
        Object.defineProperty(crypto, 'subtle', { value: subtle, configurable: true });
    }
});

describe('a bake in one file', () => {
    const { json, bin } = version(5);
    const manifest = JSON.parse(json);
    const load = (bytes: Uint8Array, read = jest.fn(async (_: URL) => bytes)) =>
        BakedTable.load('http://a.test/a.bake.glb', read);

    test('is read once, with any name, and gives the table of the pair', async () => {
        const file = bakeInGlb({ manifest, bin });
        const read = jest.fn(async (_: URL) => file);
        const table = await BakedTable.load(URL_OF_MANIFEST, read);
        expect(read.mock.calls.map(([url]) => url.href)).toEqual([URL_OF_MANIFEST]);
        expect([numberOf(table), table.manifest]).toEqual([5, manifest]);
        const odd = new Uint8Array(file.length + 1);
        odd.set(file, 1);
        const shared = new Uint8Array(new SharedArrayBuffer(file.length));
        shared.set(file);
        for (const bytes of [file, new Uint8Array(file).buffer, odd.subarray(1), shared]) {
            const opened = BakedTable.open(bytes);
            expect([numberOf(opened), opened.manifest]).toEqual([5, manifest]);
        }
    });

    test.each([0, 1, 2, 3, 5])('the padding of the chunk is not part of the bin: %p bytes', async (length) => {
        const odd = new Uint8Array(length).fill(7);
        const sha256 = createHash('sha256').update(odd).digest('hex');
        const binary = { ...manifest.binary, byteLength: length, sha256 };
        expect((await load(bakeInGlb({ manifest: { ...manifest, binary, arrays: {} }, bin: odd }))).rows).toBe(1);
    });

    test('with changed bytes is rejected, by hash and by length', async () => {
        const file = bakeInGlb({ manifest, bin });
        file[file.length - 1]! ^= 1;
        const { manifest: longer } = structuredClone({ manifest });
        longer.binary.byteLength++;
        for (const bytes of [file, bakeInGlb({ manifest: longer, bin })]) {
            await expect(load(bytes)).rejects.toMatchObject({ name: 'RangeError', code: 'ERR_BINARY_DIFFERS' });
        }
        expect(() => BakedTable.open(bakeInGlb({ manifest: longer, bin }))).toThrow(
            expect.objectContaining({ code: 'ERR_BINARY_DIFFERS' }),
        );
    });

    test('is the only input that needs no bin', () => {
        const refused = {
            code: 'ERR_BAKE_INVALID',
            message: 'BakedTable.open: the bytes are not a GLB; with a manifest, pass the bin too',
        };
        expect(() => BakedTable.open(bin)).toThrow(expect.objectContaining(refused));
        expect(() => BakedTable.open(json as never)).toThrow(expect.objectContaining({ code: 'ERR_ARGUMENT_TYPE' }));
        const gone = new Uint8Array(8);
        structuredClone(gone.buffer, { transfer: [gone.buffer] });
        expect(() => BakedTable.open(gone)).toThrow(expect.objectContaining({ code: 'ERR_DETACHED_BUFFER' }));
    });

    const TOO_MUCH = 'must be that of the chunk BIN, 4, or up to 3 less (glTF 2.0, 3.6.1.2)';
    test.each<[string, Uint8Array, string]>([
        [
            'a model',
            bakeInGlb({ manifest, bin }, { extras: undefined }),
            '/extras/poselane is not a manifest: this GLB is not a bake; if it is a model, bake it',
        ],
        ['other extras', bakeInGlb({ manifest, bin }, { extras: 7 }), '/extras/poselane is not a manifest: '],
        ['an invalid manifest', bakeInGlb({ manifest: null, bin }), '/extras/poselane is not a manifest'],
        ['no JSON', glb('{', bin), 'the GLB: its JSON cannot be read: SyntaxError'],
        ['JSON without members', glb('null', bin), '/extras/poselane is not a manifest'],
        [
            'nested too deeply',
            glb(`{"extras":{"poselane":${'['.repeat(1e5)}${']'.repeat(1e5)}}}`, bin),
            'the GLB: its JSON cannot be read: RangeError',
        ],
        ...[[], null, ...[5, 0, -1, 1.5, 2 ** 53, '4', null].map((byteLength) => [{ byteLength }])].map(
            (buffers): [string, Uint8Array, string] => [
                `the buffers ${JSON.stringify(buffers)}`,
                bakeInGlb({ manifest, bin }, { buffers }),
                `/buffers/0/byteLength ${TOO_MUCH}, is ${JSON.stringify(buffers?.[0]?.byteLength)}`,
            ],
        ),
        [
            'a file that ends early',
            bakeInGlb({ manifest, bin }).subarray(0, 99),
            'the GLB: truncated GLB: the header states',
        ],
    ])('%s is rejected', async (_, bytes, message) => {
        const refused = { name: 'RangeError', code: 'ERR_BAKE_INVALID' };
        await expect(load(bytes)).rejects.toMatchObject({
            ...refused,
            message: expect.stringContaining(`BakedTable.open: ${message}`),
        });
        expect(() => BakedTable.open(bytes)).toThrow(expect.objectContaining(refused));
    });
});

test('from files, and by fetch', async () => {
    const manifest = JSON.parse(OLD.json);
    manifest.binary.uri = 'a%20%23%3F.bin';
    writeFileSync(join(folder(), 'a #?.json'), JSON.stringify(manifest));
    writeFileSync(join(folder(), 'a #?.bin'), OLD.bin);
    const file = pathToFileURL(join(folder(), 'a #?.json'));
    expect(numberOf(await BakedTable.load(file, readFile))).toBe(1);
    const server = createServer(({ url }, response) => {
        try {
            response.end(readFileSync(join(folder(), decodeURIComponent(url!))));
        } catch {
            response.writeHead(404).end();
        }
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    try {
        const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
        expect(numberOf(await BakedTable.load(`${base}/a%20%23%3F.json`))).toBe(1);
        await expect(BakedTable.load(`${base}/none.json`)).rejects.toMatchObject({
            name: 'InputError',
            code: 'FILE_UNREADABLE',
            message: `${base}/none.json: cannot be read: 404 Not Found`,
        });
    } finally {
        server.close();
    }
});

describe('rejected', () => {
    const named = (uri: unknown) => {
        const manifest = JSON.parse(OLD.json);
        manifest.binary.uri = uri;
        return answers([{ ...OLD, json: JSON.stringify(manifest) }], [OLD]).of;
    };

    test.each(['', '.', '..', '%2e%2e', '../small.bake.bin', 'a/b', 'http://b.test/x', '//b.test/x', '/x', 7])(
        'a bin that is not next to the manifest: %p',
        async (uri) => {
            const message = /^BakedTable\.open: \/binary\/uri must /;
            await expect(BakedTable.load(URL_OF_MANIFEST, named(uri))).rejects.toMatchObject({
                code: 'ERR_BAKE_INVALID',
                message: expect.stringMatching(message),
            });
        },
    );

    test.each<[string, unknown[], string]>([
        ['a path in Node', ['out/hero.bake.json'], 'ERR_ARGUMENT_TYPE'],
        ['no URL', [undefined], 'ERR_ARGUMENT_TYPE'],
        ['an invalid reader', [URL_OF_MANIFEST, 7], 'ERR_ARGUMENT_TYPE'],
        ['a reader that returns text', [URL_OF_MANIFEST, async () => OLD.json], 'ERR_ARGUMENT_TYPE'],
        ['data other than a manifest', [URL_OF_MANIFEST, async () => OLD.bin], 'ERR_BAKE_INVALID'],
        ['a file, by fetch', ['file:///x.bake.json'], 'FILE_UNREADABLE'],
    ])('%s', async (_, args, code) => {
        await expect(BakedTable.load(...(args as [string]))).rejects.toMatchObject({ code });
    });
});
