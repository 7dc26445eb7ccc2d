// SPDX-License-Identifier: MIT

/** A cache gives the bytes of a bake. Any fault of it costs a warning, and never the bake. */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { type BakeFile, type BakeOptions, type BakeResult, bakedFiles, bakeFile, writeBake } from '../../lib/bake';
import { findBakedFile } from '../../lib/bake/bake-file';
import { recipeOf } from '../../lib/bake/plan/options';
import {
    type BakeCache,
    type CacheCode,
    type CacheOptions,
    hashOf,
    isLasting,
    openCache,
    sharedCache,
} from '../../lib/cache/cache';
import { pruneFolder } from '../../lib/cache/folder';
import { findBake } from '../../lib/cli/batch/bake-job';
import { fileSystem } from '../../lib/files/file-system';
import { smallGltf } from '../cli/small-gltf';
import { CHARACTER } from '../support/models';
import { bytesOf, expectReplaced, filesIn, folder, HIT, MISS, model } from './small-bakes';
import { type StoreServer, startStore } from './store-server';

const small = (clips = ['Walk'], duration = 1) => model(smallGltf({ clips, duration }));

const warned = (code: CacheCode, says: RegExp) => ({ code, message: expect.stringMatching(says) });
const invalid = (says: RegExp) => warned('CACHE_ENTRY_INVALID', says);
const leftOut = (says: RegExp) => warned('CACHE_LEFT_OUT', says);

const bake = (input: string, cache: BakeCache, options: BakeOptions = {}) => bakeFile(input, options, { cache });

test('a second bake equals the first, including its warnings and statistics', async () => {
    const cache = openCache(folder());
    const options: BakeOptions = { emit: ['palette', 'bounds', 'root', 'glb'], fps: 24 };
    const alone = await bakeFile(CHARACTER.path, options);
    const first = await bake(CHARACTER.path, cache, options);
    const second = await bake(CHARACTER.path, cache, options);
    expect([alone.cache, first.cache, second.cache]).toEqual([undefined, MISS, HIT]);
    for (const one of [first, second]) {
        expect(bytesOf(one)).toEqual(bytesOf(alone));
        expect(one.outputs.map(({ manifest }) => manifest)).toEqual(alone.outputs.map(({ manifest }) => manifest));
        expect([one.warnings, one.inputs]).toEqual([alone.warnings, alone.inputs]);
        const { milliseconds, evaluationMilliseconds, ...counts } = alone.stats;
        expect(one.stats).toMatchObject(counts);
    }
    const [written] = await writeBake(second, folder());
    expect(readFileSync(written!.bin)).toEqual(Buffer.from(alone.outputs[0]!.bin));
    // Both containers share the stored files.
    expect(bakedFiles(second, { container: 'glb' })).toEqual(bakedFiles(alone, { container: 'glb' }));
});

test('the layout is that of Bazel: an ActionResult in JSON, and blobs under their own hash', async () => {
    const place = folder();
    const { outputs } = await bake(small(), openCache(place));
    const [entry] = filesIn(place, 'ac').map((path) => JSON.parse(readFileSync(path, 'utf8')));
    expect(entry.outputFiles).toEqual(
        [outputs[0]!.bin, outputs[0]!.json].map((bytes, i) => {
            const hash = createHash('sha256').update(bytes).digest('hex');
            const size = String(Buffer.byteLength(bytes));
            return { path: `small.bake.${['bin', 'json'][i]}`, digest: { hash, sizeBytes: size } };
        }),
    );
    for (const path of filesIn(place, 'cas')) {
        expect(path.slice(-64)).toBe(createHash('sha256').update(readFileSync(path)).digest('hex'));
        expect(path.slice(-67, -65)).toBe(path.slice(-64, -62));
    }
});

test('every input and option of the output changes the key; nothing else does', async () => {
    const cache = openCache(folder());
    const input = small();
    const hit = async (path: string, options: BakeOptions = {}) => (await bake(path, cache, options)).cache!.hit;
    expect(await hit(input)).toBe(false);
    const others: BakeOptions[] = [
        { fps: 25 },
        { minFps: 25 },
        { maxError: '2%' },
        { fps: '24000/1001' },
        { layout: 'mat3x4' },
        { dtype: 'f16', maxError: 1 },
        { dtype: 'f16', maxError: 2 },
        { emit: ['hit'] },
        { emit: ['hit'], hitJoints: /hip/ },
        { emit: ['hit'], hitJoints: /HIP/i },
        { from: 0.5 },
        { space: 'skin-root' },
        { strict: true },
    ];
    for (const options of others) expect([options, await hit(input, options)]).toEqual([options, false]);
    for (const options of others) expect([options, await hit(input, options)]).toEqual([options, true]);
    // Defaults, and the order of a set.
    expect(await hit(input, { fps: 'auto', minFps: 15, end: 'clamp', emit: ['palette'] })).toBe(true);
    expect(await hit(input, { emit: ['palette', 'hit'] })).toBe(false);
    expect(await hit(input, { emit: ['hit', 'palette'] })).toBe(true);
    // The name is in the manifest, the folder is not.
    const text = readFileSync(input);
    const renamed = join(folder(), 'other.gltf');
    const moved = join(folder(), 'small.gltf');
    for (const path of [renamed, moved]) writeFileSync(path, text);
    expect([await hit(renamed), await hit(moved)]).toEqual([false, true]);
    writeFileSync(moved, `${text} `);
    expect(await hit(moved)).toBe(false);
});

test('a buffer file is part of the key, an image only if it is part of an output', async () => {
    const cache = openCache(folder());
    const path = small();
    const json = JSON.parse(readFileSync(path, 'utf8'));
    const bin = Buffer.from(json.buffers[0].uri.split(',')[1], 'base64');
    json.buffers[0].uri = 'a%20b.bin';
    json.images = [{ uri: 'skin.png' }];
    writeFileSync(path, JSON.stringify(json));
    const beside = (name: string) => join(path, '..', name);
    writeFileSync(beside('a b.bin'), bin);
    writeFileSync(beside('skin.png'), 'one');
    const hit = async () => (await bake(path, cache)).cache!.hit;
    expect([await hit(), await hit()]).toEqual([false, true]);
    writeFileSync(beside('skin.png'), 'two');
    expect(await hit()).toBe(true);
    bin.writeFloatLE(2, bin.length - 8);
    writeFileSync(beside('a b.bin'), bin);
    expect(await hit()).toBe(false);
    const found = await bake(path, cache);
    expect(found.inputs.map((input) => input.slice(-8)).sort()).toEqual(['/a b.bin', 'all.gltf', 'skin.png']);
    expect(bytesOf(found)).toEqual(bytesOf(await bakeFile(path)));
});

test('a thread has one cache for each place and its options', () => {
    const [place, options] = [folder(), { readOnly: true }];
    const cache = sharedCache({ place, options });
    expect(sharedCache({ place, options: { ...options } })).toBe(cache);
    expect(sharedCache({ place, options: {} })).not.toBe(cache);
});

test('blobs of all sizes have their own hash', async () => {
    for (const size of [0, 1, 2 ** 20 - 1, 2 ** 20, 2 ** 21 + 1]) {
        const bytes = Buffer.alloc(size, `${size}`).subarray(size >> 2);
        expect(await hashOf(bytes)).toBe(createHash('sha256').update(bytes).digest('hex'));
    }
});

test('a log does not show the token', () => {
    const cache = openCache(folder(), { token: 'secret' });
    expect(cache.options.token).toBe('secret');
    expect(inspect(cache, { depth: null }) + JSON.stringify(cache)).not.toContain('secret');
});

test('a file that cannot be baked does not involve the cache', async () => {
    const cache = openCache(folder());
    const path = join(folder(), 'bad.gltf');
    writeFileSync(path, '{');
    await expect(bake(path, cache)).rejects.toMatchObject({ code: 'NOT_GLTF' });
    await expect(bake(`${path}.missing`, cache)).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
    expect(readdirSync(cache.place)).toEqual([]);
});

describe('a folder', () => {
    const rewrite = (part: 'ac' | 'cas', contents: (bytes: Buffer) => Uint8Array | string) => (place: string) => {
        for (const path of filesIn(place, part)) writeFileSync(path, contents(readFileSync(path)));
    };
    /** Adds files to the entry. */
    const list = (...files: object[]) =>
        rewrite('ac', (bytes) => {
            const entry = JSON.parse(bytes.toString());
            entry.outputFiles.push(...files.map((file) => ({ ...entry.outputFiles[0], ...file })));
            return JSON.stringify(entry);
        });
    const digest = (size: number) => ({ hash: '0'.repeat(64), sizeBytes: String(size) });
    const many = (count: number, size: number) =>
        list(...Array.from({ length: count }, (_, i) => ({ path: `${i}`, digest: digest(size) })));
    const NOT_OURS = /entry [0-9a-f]{64} is not one of poselane; made again/;

    const other = (bytes: Buffer) => (bytes[0] === 0x7b ? bytes : Buffer.alloc(bytes.length, 1));
    const noteless = (bytes: Buffer) => JSON.stringify({ outputFiles: JSON.parse(bytes.toString()).outputFiles });
    const OTHER = /has other bytes than it should for 'small\.bake\.bin'; made again/;
    test.each<[string, RegExp, (place: string) => void]>([
        ['a blob with other bytes', OTHER, rewrite('cas', other)],
        ['a blob that is too short', /has other bytes than it should/, rewrite('cas', (bytes) => bytes.subarray(1))],
        ['a blob that is too long', /has \d+ bytes in place of at most \d+;/, rewrite('cas', (bytes) => `${bytes} `)],
        ['no blobs', /has 'small\.bake\.bin' no longer;/, (place) => rmSync(join(place, 'cas'), { recursive: true })],
        ['an entry that is not JSON', NOT_OURS, rewrite('ac', () => '{"outputFiles":[')],
        ['an entry without the note of a bake', NOT_OURS, rewrite('ac', noteless)],
        ['an entry with one more file', NOT_OURS, list({ path: 'small.sh' })],
        ["an entry with another folder's file", NOT_OURS, list({ path: '../small.bake.bin' })],
        ['an entry with more bytes than a bake has', NOT_OURS, many(3, 2 ** 30)],
        ['an entry with more files than a bake has', NOT_OURS, many(5000, 1)],
        ["somebody else's entry", NOT_OURS, rewrite('ac', () => '{"outputFiles":[],"stdoutRaw":"e30="}')],
    ])('%s: a warning, the right bytes, and a whole cache', async (_, says, damage) => {
        await expectReplaced(small(), {}, damage, says);
    });

    test('read-only: nothing is written', async () => {
        const place = folder();
        await bake(small(), openCache(place, { readOnly: true }));
        expect(readdirSync(place)).toEqual([]);
    });

    test('that cannot be created: a warning', async () => {
        const place = join(folder(), 'file');
        writeFileSync(place, '');
        const { cache, outputs } = await bake(small(), openCache(place));
        expect(cache!.hit).toBe(false);
        expect(cache!.warnings.map(({ message }) => message).join()).toMatch(/ENOTDIR|EEXIST/);
        expect(outputs).toHaveLength(1);
    });

    test('many concurrent writers leave it intact', async () => {
        const place = folder();
        const inputs = Array.from({ length: 4 }, (_, i) => small([`Clip ${i % 2}`]));
        await Promise.all(Array.from({ length: 24 }, (_, i) => bake(inputs[i % 4]!, openCache(place))));
        expect(filesIn(place, 'ac')).toHaveLength(2);
        expect(readdirSync(place).sort()).toEqual(['ac', 'cas']);
        for (const input of inputs) expect((await bake(input, openCache(place))).cache).toEqual(HIT);
    });

    test('prune removes the oldest uses first, entries before their blobs, and only its own files', async () => {
        const place = folder();
        const inputs = [1, 2, 3].map((duration) => small(['Walk'], duration));
        for (const input of inputs) await bake(input, openCache(place));
        const all = () => (['ac', 'cas'] as const).flatMap((part) => filesIn(place, part));
        for (const path of all()) {
            const earlier = new Date(statSync(path).mtimeMs - 3600e3);
            utimesSync(path, earlier, earlier);
        }
        await bake(inputs[1]!, openCache(place));
        const used = all()
            .map((path) => statSync(path))
            .filter(({ mtimeMs }) => mtimeMs > Date.now() - 1800e3);
        writeFileSync(join(place, 'README'), 'mine');
        writeFileSync(join(place, 'cas', 'notes'), 'mine');
        const bytes = used.reduce((sum, { size }) => sum + size, 0);
        const { kept, removed } = await pruneFolder(place, bytes);
        expect([kept.files, removed.files]).toEqual([3, 6]);
        expect((await bake(inputs[1]!, openCache(place, { readOnly: true }))).cache).toEqual(HIT);
        expect((await bake(inputs[0]!, openCache(place, { readOnly: true }))).cache).toEqual(MISS);
        for (const name of ['README', 'cas/notes']) expect(readFileSync(join(place, name), 'utf8')).toBe('mine');
        await expect(pruneFolder(join(place, 'missing'), 0)).rejects.toMatchObject({ code: 'ENOENT' });
    });
});

describe('existing outputs', () => {
    /** Bakes to a new folder and a cache, and returns a function that looks for the outputs. */
    async function there(options: BakeOptions = {}) {
        const [input, place, out] = [small(), folder(), folder()];
        const first = await bake(input, openCache(place), options);
        await writeBake(first, out);
        const find = async (signal?: AbortSignal) => {
            const hooks = { cache: openCache(place), signal, placeOf: (name: string) => join(out, name) };
            const search = await findBakedFile(input, recipeOf('test', options), hooks);
            return { ...search, same: search.found !== null && bytesOf(search.found) };
        };
        return { input, place, out, find, first, bin: join(out, 'small.bake.bin') };
    }
    const found = (first: BakeResult, inPlace: boolean) => ({ inPlace, warnings: [], same: bytesOf(first) });
    afterEach(() => jest.restoreAllMocks());

    /** Changes the handles of a path from now on. */
    function change(path: string, changedOf: (file: FileHandle) => object) {
        const { open } = fileSystem();
        return jest.spyOn(fileSystem(), 'open').mockImplementation(async (...args) => {
            const file = await open(...args);
            return args[0] === path ? Object.assign(file, changedOf(file)) : file;
        });
    }

    test.each(['stat', 'read', 'utimes', 'close'])('are not up to date if their %s fails', async (operation) => {
        const { find, first, bin } = await there();
        expect(await find()).toMatchObject(found(first, true));
        change(bin, ({ close }) => ({
            async [operation]() {
                if (operation === 'close') await close();
                throw Object.assign(new Error('EIO'), { code: 'EIO' });
            },
        }));
        expect(await find()).toMatchObject(found(first, false));
    });

    test('are compared until the signal ends it', async () => {
        const { find, bin } = await there();
        const [stop, reason] = [new AbortController(), new Error('enough')];
        change(bin, () => ({ stat: async () => stop.abort(reason) }));
        await expect(find(stop.signal)).rejects.toBe(reason);
    });

    test('are read once, if the cache has the blob', async () => {
        const { find, first, bin } = await there();
        const bytes = readFileSync(bin);
        bytes[bytes.length - 1]! ^= 1;
        writeFileSync(bin, bytes);
        const opened = change(bin, () => ({}));
        expect(await find()).toMatchObject(found(first, false));
        expect(opened.mock.calls.filter(([path]) => path === bin)).toHaveLength(1);
    });

    test('are not compared with a blob of another size', async () => {
        const { place, find, bin } = await there();
        const wrong = Buffer.alloc(statSync(bin).size, 1);
        writeFileSync(bin, wrong);
        for (const blob of filesIn(place, 'cas')) writeFileSync(blob, Buffer.concat([wrong, wrong]));
        expect(await find()).toMatchObject({
            found: null,
            inPlace: false,
            warnings: [{ code: expect.any(String), message: expect.any(String) }],
        });
    });

    test('are not read again for their length', async () => {
        const options: BakeOptions = { emit: ['palette', 'glb'] };
        const { input, place, out, first } = await there(options);
        const [{ name, bytes }] = first.files as [BakeFile];
        change(join(out, name), ({ close }) => ({
            async close() {
                await close();
                rmSync(join(out, name));
            },
        }));
        const job = {
            command: 'bake',
            number: 0,
            input,
            out,
            container: 'files',
            recipe: recipeOf('test', options),
            page: null,
            advise: false,
            cache: null,
        } as const;
        const search = await findBake(job, { cache: openCache(place) });
        expect(search!.inPlace).toBe(true);
        expect(search!.found!.files).toEqual([{ name, byteLength: bytes.byteLength }]);
    });
});

describe('a server', () => {
    let server: StoreServer;
    beforeEach(async () => {
        server = await startStore();
    });
    afterEach(() => server.close());

    const open = (options: CacheOptions = {}) => openCache(`${server.url}/`, { timeout: 300, ...options });

    test('a machine finds the bakes of another one', async () => {
        const first = await bake(small(), open({ token: 'secret' }));
        const second = await bake(small(), open({ token: 'secret' }));
        expect([first.cache, second.cache]).toEqual([MISS, HIT]);
        expect(bytesOf(second)).toEqual(bytesOf(first));
        expect([...server.tokens]).toEqual(['Bearer secret']);
        const kinds = server.requests.map((request) => request.replace(/[0-9a-f]{64}/, '*'));
        expect(kinds).toEqual([
            'GET /ac/*',
            'PUT /cas/*',
            'PUT /cas/*',
            'PUT /ac/*',
            'GET /ac/*',
            'GET /cas/*',
            'GET /cas/*',
        ]);
    });

    /** Faults of every request: one warning for any number of bakes, and no more requests. */
    test.each<[string, RegExp, StoreServer['fault']]>([
        ['that answers 500', /is left out now: it answers 500/, (_, response) => !!response.writeHead(500).end()],
        ['that knows nobody', /is left out now: it answers 401/, (_, response) => !!response.writeHead(401).end()],
        ['that never answers', /is left out now: no answer within 300 ms/, () => true],
        ['that hangs up', /is left out now: /, (request) => !!request.socket.destroy()],
        [
            'that redirects',
            /is left out now: /,
            (_, response) => !!response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end(),
        ],
    ])('%s: one warning, one wait', async (_, says, fault) => {
        server.fault = fault;
        const cache = open();
        const started = performance.now();
        const bakes = [];
        for (let i = 0; i < 4; i++) bakes.push(await bake(small(), cache));
        expect(performance.now() - started).toBeLessThan(1500);
        const warnings = bakes.flatMap((one) => one.cache!.warnings);
        expect(warnings).toEqual([leftOut(says)]);
        expect(warnings.every(isLasting)).toBe(true);
        expect(server.requests).toHaveLength(1);
        expect(bytesOf(bakes[3]!)).toEqual(bytesOf(await bakeFile(small())));
    });

    test('that does not exist: one warning', async () => {
        const cache = open();
        await server.close();
        const bakes = [await bake(small(), cache), await bake(small(), cache)];
        expect(bakes.flatMap((one) => one.cache!.warnings)).toEqual([leftOut(/left out now: .*ECONNREFUSED/)]);
        server = await startStore();
    });

    test.each<[string, RegExp, NonNullable<StoreServer['fault']>]>([
        ['answers 403', /is only read now: it answers 403/, (_, response) => !!response.writeHead(403).end()],
        ['closes the connection', /is only read now: /, ({ socket }) => !!socket.destroy()],
    ])('that %s on writes: one warning, and it is still read', async (_, says, fault) => {
        const [known, other] = [small(), small(['Other'])];
        await bake(known, open());
        server.fault = (request, ...rest) => request.method === 'PUT' && fault(request, ...rest);
        const cache = open();
        const bakes = [await bake(other, cache), await bake(other, cache), await bake(known, cache)];
        expect(bakes.map((one) => one.cache!.hit)).toEqual([false, false, true]);
        const warnings = bakes.flatMap((one) => one.cache!.warnings);
        expect(warnings).toEqual([warned('CACHE_READ_ONLY', says)]);
        expect(warnings.every(isLasting)).toBe(true);
    });

    /** Faults of blobs: each bake warns, and succeeds. */
    const ends = (change: (blob: Buffer) => Buffer) => (blob: Buffer, response: ServerResponse) =>
        void response.writeHead(200).end(change(blob));
    const breaksOff = (blob: Buffer, response: ServerResponse) => {
        response.writeHead(200, { 'Content-Length': blob.length }).write(blob.subarray(0, 10));
        setTimeout(() => response.socket!.destroy(), 20);
    };
    test.each<[string, (blob: Buffer, response: ServerResponse) => void, object]>([
        ['other bytes', ends((blob) => Buffer.alloc(blob.length, 1)), invalid(/; made again$/)],
        ['some of the bytes', ends((blob) => blob.subarray(0, blob.length >> 1)), invalid(/; made again$/)],
        ['more bytes', ends((blob) => Buffer.concat([blob, blob])), invalid(/; made again$/)],
        ['no bytes', ends(() => Buffer.alloc(0)), invalid(/; made again$/)],
        ['an answer that breaks off', breaksOff, { code: expect.any(String), message: expect.any(String) }],
    ])('%s for a blob: a warning, and the right bytes', async (_, answer, warning) => {
        const input = small();
        const first = await bake(input, open());
        server.fault = ({ method, url }, response, blob) => {
            if (method !== 'GET' || !url!.startsWith('/cas/')) return false;
            answer(blob!, response);
            return true;
        };
        const second = await bake(input, open());
        expect(second.cache).toEqual({ hit: false, warnings: [warning] });
        expect(bytesOf(second)).toEqual(bytesOf(first));
    });

    test("the caller's signal ends the wait", async () => {
        server.fault = () => true;
        const reason = new Error('enough');
        const controller = new AbortController();
        setTimeout(() => controller.abort(reason), 30);
        const ended = bakeFile(small(), {}, { cache: open({ timeout: 60e3 }), signal: controller.signal });
        await expect(ended).rejects.toBe(reason);
    });
});

test('a place that would send a token in the clear, or is not a URL, is rejected', () => {
    for (const [place, options, message] of [
        ['http://cache.example/', {}, /in the clear/],
        ['https://me:secret@cache.example/', {}, /^((?!secret).)*use a token$/],
        ['https://cache.example/?a=b', {}, /more than a path/],
        ['https://', {}, /begins with 'https:\/\/' and a host/],
        ['https://:0', {}, /not one/],
        ['https://cache.example', { token: 'a\nb' }, /^[^\n]*token has characters[^\n]*$/],
        ['https://cache.example', { timeout: Infinity }, /timeout must be milliseconds/],
        ['', {}, /empty/],
        ['x', { maxEntryBytes: 0 }, /maxEntryBytes must be bytes from 1/],
        ['x', { timeout: '5' as never }, /options\.timeout must be a number/],
    ] as const) {
        expect(() => openCache(place, options)).toThrow(message);
    }
    expect(openCache('http://cache.example/x/', { insecure: true }).place).toBe('http://cache.example/x');
    expect(openCache('http://[::1]:80').place).toBe('http://[::1]');
});
