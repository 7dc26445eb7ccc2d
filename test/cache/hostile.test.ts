// SPDX-License-Identifier: MIT

/** A forged or prepared cache: the bytes equal those without it, in time, and nothing else changes. */

import {
    existsSync,
    lstatSync,
    mkdirSync,
    readdirSync,
    readFileSync,
    renameSync,
    symlinkSync,
    truncateSync,
    writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { bakeFile, openCache } from '../../lib/bake';
import { pruneFolder } from '../../lib/cache/folder';
import { reduceFile } from '../../lib/reduce';
import { smallGltf } from '../cli/small-gltf';
import { skinnedModel } from '../gltf/support/builder';
import { runProgram } from '../support/processes';
import { describeUnless, NOT_POSIX } from '../support/unless';
import {
    bytesOf,
    expectReplaced,
    filesIn,
    folder,
    HIT,
    hashOf,
    manifestText,
    model,
    pathOf,
    poison,
} from './small-bakes';
import { type StoreServer, startStore } from './store-server';

describe('an entry with valid hashes and invalid contents', () => {
    const NAME = 'small.bake.json';
    /** Sets what a path leads to; undefined removes it. */
    // biome-ignore lint/suspicious/noExplicitAny: any JSON
    function set(json: any, path: string, value: unknown): void {
        const keys = path.split('.');
        const last = keys.pop()!;
        keys.reduce((object, key) => object[key], json)[last] = value;
    }
    const noteHas = (path: string, value: unknown) => poison((entry) => set(entry, path, value));
    const textIs = (change: (text: string) => string) =>
        poison(({ files }) => {
            files[NAME] = Buffer.from(change(files[NAME]!.toString()));
        });
    const manifestHas = (path: string, value: unknown) =>
        textIs((text) => {
            const manifest = JSON.parse(text);
            set(manifest, path, value);
            return manifestText(manifest);
        });
    const fileIs = (name: string, bytes: Buffer) => poison(({ files }) => Object.assign(files, { [name]: bytes }));
    const renamed = (stem: string, skin: unknown = 0) =>
        poison((entry) => {
            Object.assign(entry.note.outputs[0], { stem, skin });
            const manifest = JSON.parse(entry.files[NAME]!.toString());
            manifest.binary.uri = encodeURIComponent(`${stem}.bake.bin`);
            entry.files = {
                [`${stem}.bake.bin`]: entry.files['small.bake.bin']!,
                [`${stem}.bake.json`]: Buffer.from(manifestText(manifest)),
            };
        });
    test.each<[string, (place: string) => void]>([
        ['no clips', manifestHas('clips', [])],
        ['clips that are not a list', manifestHas('clips', { length: 1 })],
        ['a rate as text', manifestHas('clips.0.fps', '30')],
        ['a missing error', manifestHas('clips.0.error.maxLerp', undefined)],
        ['a clip that the input lacks', manifestHas('clips.0.animation', 7)],
        ['another version', manifestHas('version', 2)],
        ['one more member', manifestHas('extra', true)],
        ['the hash of another bin', manifestHas('binary.sha256', '0'.repeat(64))],
        ['the name of another bin', manifestHas('binary.uri', 'other.bake.bin')],
        ['an array beyond the bin', manifestHas('arrays.palette.byteOffset', 256 * 1024)],
        ['another type', manifestHas('arrays.palette.dtype', 'f16')],
        ['another joint', manifestHas('skin.joints.0.node', 1)],
        ['another source', manifestHas('source.name', 'orc.gltf')],
        ['another kernel', manifestHas('recipe.kernel', 'strict@999')],
        ['an infinite number', textIs((text) => text.replace(/"extent": [^,]+/, '"extent": 1e999'))],
        ['the same manifest as different text', textIs((text) => JSON.stringify(JSON.parse(text)))],
        ['no note', noteHas('note', null)],
        ['a count as text', noteHas('note.stats.joints', ['2'])],
        ['another number of frames', noteHas('note.stats.frames', 1)],
        ['warnings that are not a list', noteHas('note.warnings', { length: 0 })],
        ['a warning without a code', noteHas('note.warnings', [{ pointer: '', message: 'x' }])],
        ['a numeric place', noteHas('note.outputs.0.worst', { animation: 0, column: 0, what: 5, time: 0 })],
        ['one more output', noteHas('note.outputs.1', { stem: 'small', skin: 0, worst: null })],
        ['no outputs', poison((entry) => Object.assign(entry, { files: {} }).note.outputs.pop())],
        ['small.skinANYTHING', renamed('small.skinANYTHING', 'ANYTHING')],
        ['a skin in the name of the only output', renamed('small.skin0')],
        ['a name with a folder', renamed('../small')],
        ['an unrequested file', fileIs('small.baked.glb', Buffer.alloc(12))],
        ['an empty bin', fileIs('small.bake.bin', Buffer.alloc(0))],
    ])('%s: a miss with a warning, and replaced', async (_, damage) => {
        await expectReplaced(model(), {}, damage);
    });

    test.each([
        ['a GLB', ['palette', 'glb'], 'small.baked.glb'],
        ['a PVAT file', ['pvat'], 'small.baked.vat'],
    ] as const)('%s that is not one', async (_, emit, name) => {
        const path = model(skinnedModel().toGlb(), 'hero.glb');
        for (const bytes of [Buffer.from('glTF'), Buffer.alloc(0), Buffer.alloc(500, 1)]) {
            await expectReplaced(path, { emit }, fileIs(name, bytes));
        }
    });

    test('another number of skins than in the input', async () => {
        const several = model(smallGltf({ clips: ['Walk'], skins: 2 }));
        const alone = poison((made) => {
            made.note.outputs.pop();
            made.note.outputs[0].stem = 'small';
            made.note.stats.joints.pop();
            made.note.stats.attachments.pop();
            const manifest = JSON.parse(made.files['small.skin0.bake.json']!.toString());
            manifest.binary.uri = 'small.bake.bin';
            made.files = {
                'small.bake.bin': made.files['small.skin0.bake.bin']!,
                [NAME]: Buffer.from(manifestText(manifest)),
            };
        });
        await expectReplaced(several, {}, alone);
    });

    test('the entry of another recipe, and a note that only its seal shows to be changed', async () => {
        const input = model();
        await expectReplaced(input, {}, (place) => {
            const [entry] = filesIn(place, 'ac') as [string];
            const made = JSON.parse(readFileSync(entry, 'utf8'));
            const sealed = JSON.parse(Buffer.from(made.stdoutRaw, 'base64').toString());
            sealed.note.warnings.push({ code: 'NO_SUCH_FAULT', pointer: '', message: 'x' });
            made.stdoutRaw = Buffer.from(JSON.stringify(sealed)).toString('base64');
            writeFileSync(entry, JSON.stringify(made));
        });
        const place = folder();
        const alone = await bakeFile(input, { fps: 10 }, { cache: openCache(place) });
        const [slow] = filesIn(place, 'ac') as [string];
        await bakeFile(input, { fps: 20 }, { cache: openCache(place) });
        const fast = filesIn(place, 'ac').find((path) => path !== slow)!;
        writeFileSync(slow, readFileSync(fast));
        const again = await bakeFile(input, { fps: 10 }, { cache: openCache(place) });
        expect([again.cache!.hit, bytesOf(again)]).toEqual([false, bytesOf(alone)]);
    });

    const GLB = 'reduced.glb';
    const glbIs = (change: (bytes: Buffer) => Buffer) =>
        poison(({ files }) => Object.assign(files, { [GLB]: change(files[GLB]!) }));
    const misspelt = (bytes: Buffer) => {
        const copy = Buffer.from(bytes);
        copy.write('"inpxt"', copy.indexOf('"input"'));
        return copy;
    };
    test.each<[string, (place: string) => void]>([
        ['no GLB', glbIs(() => Buffer.from('no GLB'))],
        ['no bytes', glbIs(() => Buffer.alloc(0))],
        ['a GLB that ends early', glbIs((bytes) => bytes.subarray(0, -8))],
        ['invalid glTF', glbIs(misspelt)],
        ['JSON', glbIs(() => Buffer.from(smallGltf()))],
        ['no clips', noteHas('note.clips', null)],
        ['a key count as text', noteHas('note.clips.0.keysBefore', '2')],
        ['a place without a node', noteHas('note.clips.0.worst', { error: 0, time: 0 })],
        ['missing sizes', noteHas('note.before', undefined)],
    ])('a reduction: %s', async (_, damage) => {
        const [input, place] = [model(skinnedModel().toGlb(), 'hero.glb'), folder()];
        const alone = await reduceFile(input, {}, { cache: openCache(place) });
        damage(place);
        const second = await reduceFile(input, {}, { cache: openCache(place) });
        expect(second.cache).toEqual({
            hit: false,
            warnings: [{ code: 'CACHE_ENTRY_INVALID', message: expect.stringMatching(/; made again$/) }],
        });
        const third = await reduceFile(input, {}, { cache: openCache(place) });
        expect(third.cache).toEqual(HIT);
        for (const { bytes } of [second, third]) expect(Buffer.from(bytes)).toEqual(Buffer.from(alone.bytes));
    });
});

describeUnless(NOT_POSIX, 'a folder with other things than files', () => {
    /** Replacements of a file, which is moved to `away`. A link leads to the right bytes. */
    const THINGS: Record<string, (path: string, away: string) => void> = {
        'a pipe': (path) => runProgram('mkfifo', [path]),
        'a link to an endless device': (path) => symlinkSync('/dev/zero', path),
        'a link to a file': (path, away) => symlinkSync(away, path),
        'a link to nothing': (path) => symlinkSync('nothing', path),
        'a folder': (path) => mkdirSync(path),
        'a folder with a file': (path) => {
            mkdirSync(path);
            writeFileSync(join(path, 'a'), 'a');
        },
    };
    const cases = Object.entries(THINGS).flatMap(([name, put]) =>
        (['ac', 'cas'] as const).map((part) => [name, part, put] as const),
    );
    test.each(cases)('%s in %s', async (_, part, put) => {
        await expectReplaced(model(), {}, (place) => {
            for (const path of filesIn(place, part)) {
                const away = join(folder(), 'away');
                renameSync(path, away);
                put(path, away);
            }
        });
    });

    test('a sparse file of 2 GiB', async () => {
        await expectReplaced(model(), {}, (place) => {
            for (const path of filesIn(place, 'cas')) truncateSync(path, 2 ** 31);
        });
    });

    test.each(['a shard', 'a part'])(
        '%s that is a link: nothing behind it is read, changed or removed',
        async (what) => {
            const [place, outside, input] = [folder(), folder(), model()];
            const alone = await bakeFile(input, {}, { cache: openCache(place) });
            for (const part of ['ac', 'cas'] as const) {
                const from = what === 'a part' ? join(place, part) : dirname(filesIn(place, part)[0]!);
                renameSync(from, join(outside, part));
                symlinkSync(join(outside, part), from);
            }
            const seen = () =>
                readdirSync(outside, { recursive: true, encoding: 'utf8' })
                    .sort()
                    .map((name) => [name, lstatSync(join(outside, name)).mtimeMs]);
            const before = seen();
            const { cache, ...second } = await bakeFile(input, {}, { cache: openCache(place) });
            expect([cache!.hit, bytesOf(second)]).toEqual([false, bytesOf(alone)]);
            expect(cache!.warnings[0]!.message).toMatch(/is a link or a file in place of a folder; remove it$/);
            await pruneFolder(place, 0);
            expect(seen()).toEqual(before);
        },
    );

    test('prune skips things that are not files of a cache, and continues', async () => {
        const place = folder();
        await bakeFile(model(), {}, { cache: openCache(place) });
        const key = (digit: string) => pathOf(place, 'cas', digit.repeat(64));
        const others = ['0', '1', '2', '3'].map(key);
        for (const path of others) mkdirSync(dirname(path), { recursive: true });
        const target = join(folder(), 'file');
        writeFileSync(target, 'mine');
        mkdirSync(others[0]!);
        runProgram('mkfifo', [others[1]!]);
        symlinkSync(target, others[2]!);
        symlinkSync('/dev/zero', others[3]!);
        const { kept, removed } = await pruneFolder(place, 0);
        expect([kept.files, removed.files]).toEqual([0, 3]);
        for (const path of others) expect(lstatSync(path, { throwIfNoEntry: false })).toBeDefined();
        expect(existsSync(target)).toBe(true);
    });
});

test('an entry larger than maxEntryBytes is not stored and not used', async () => {
    const [input, place] = [model(), folder()];
    const large = [{ code: 'CACHE_ENTRY_TOO_LARGE', message: expect.stringMatching(/more than 100 is neither/) }];
    const first = await bakeFile(input, {}, { cache: openCache(place, { maxEntryBytes: 100 }) });
    expect(first.cache).toEqual({ hit: false, warnings: large });
    await bakeFile(input, {}, { cache: openCache(place) });
    const third = await bakeFile(input, {}, { cache: openCache(place, { maxEntryBytes: 100, readOnly: true }) });
    expect(third.cache).toEqual({ hit: false, warnings: large });
});

describe('a server', () => {
    let server: StoreServer;
    beforeEach(async () => {
        server = await startStore();
    });
    afterEach(() => server.close());
    const open = () => openCache(server.url, { timeout: 300 });

    /** The outcome and duration of a bake with a server that has the right entry. */
    async function timed(fault: StoreServer['fault'], input = model(), filled = true) {
        const alone = await bakeFile(input, {}, filled ? { cache: open() } : {});
        server.fault = fault;
        const started = performance.now();
        const { cache, ...made } = await bakeFile(input, {}, { cache: open() });
        expect(bytesOf(made)).toEqual(bytesOf(alone));
        return { ...cache!, took: performance.now() - started };
    }

    test('that claims 1 GiB and sends a few bytes a second: left out in time', async () => {
        const input = model();
        await bakeFile(input, {}, { cache: open() });
        const [url] = [...server.blobs.keys()].filter((one) => one.startsWith('/ac/'));
        const entry = JSON.parse(server.blobs.get(url!)!.toString());
        const { note } = JSON.parse(Buffer.from(entry.stdoutRaw, 'base64').toString());
        entry.outputFiles[0].digest.sizeBytes = String(2 ** 29);
        const files = entry.outputFiles.map((one: { path: string; digest: { hash: string; sizeBytes: string } }) => [
            one.path,
            one.digest.hash,
            Number(one.digest.sizeBytes),
        ]);
        const seal = hashOf(Buffer.from(JSON.stringify([url!.slice(4), files, note])));
        entry.stdoutRaw = Buffer.from(JSON.stringify({ note, seal })).toString('base64');
        server.blobs.set(url!, Buffer.from(JSON.stringify(entry)));
        const timers: NodeJS.Timeout[] = [];
        server.fault = ({ method, url: asked }, response) => {
            if (method !== 'GET' || !asked!.startsWith('/cas/')) return false;
            timers.push(setInterval(() => response.write('12345'), 50));
            return true;
        };
        const before = process.memoryUsage().rss;
        const started = performance.now();
        const { cache } = await bakeFile(input, {}, { cache: open() });
        for (const timer of timers) clearInterval(timer);
        expect(cache!.warnings).toEqual([
            { code: 'CACHE_LEFT_OUT', message: expect.stringMatching(/fewer than 64000 bytes a second for 300 ms$/) },
        ]);
        expect(performance.now() - started).toBeLessThan(3000);
        expect(process.memoryUsage().rss - before).toBeLessThan(2 ** 28);
    });

    test.each([
        ['gzip', gzipSync],
        ['br', (bytes: Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
    ])('that sends a %s bomb: not expanded', async (encoding, compress) => {
        const bomb = compress(Buffer.alloc(2 ** 27));
        const accepted = new Set<string | undefined>();
        const before = process.memoryUsage().rss;
        const { hit, warnings } = await timed((request, response) => {
            if (request.method !== 'GET' || !request.url!.startsWith('/cas/')) return false;
            accepted.add(String(request.headers['accept-encoding']));
            response.writeHead(200, { 'Content-Encoding': encoding }).end(bomb);
            return true;
        });
        expect([hit, warnings[0]!.code]).toEqual([false, 'CACHE_ENTRY_INVALID']);
        expect([...accepted]).toEqual(['identity']);
        expect(process.memoryUsage().rss - before).toBeLessThan(2 ** 27);
    });

    test.each(['nothing', 'slowly'])('that reads %s of an upload: left out in time', async (how) => {
        const timers: NodeJS.Timeout[] = [];
        // 20 MB of rows: more than the system buffers for a server that does not read.
        const long = model(smallGltf({ clips: ['Walk'], duration: 2000 }));
        const alone = await bakeFile(long, { fps: 90 });
        server.paused = (request) => {
            if (request.method !== 'PUT') return false;
            request.pause();
            if (how === 'slowly') timers.push(setInterval(() => request.read(10), 50));
            return true;
        };
        const started = performance.now();
        const { cache, ...made } = await bakeFile(long, { fps: 90 }, { cache: open() });
        const took = performance.now() - started;
        for (const timer of timers) clearInterval(timer);
        expect(bytesOf(made)).toEqual(bytesOf(alone));
        expect(cache!.warnings.map(({ code }) => code)).toEqual(['CACHE_LEFT_OUT']);
        expect(took).toBeLessThan(15_000);
    });

    test('that repeats the token in its status: the warning does not show it', async () => {
        server.fault = ({ headers }, response) => {
            response.writeHead(403, String(headers.authorization)).end(headers.authorization);
            return true;
        };
        const cache = openCache(server.url, { token: 'hunter2', timeout: 300 });
        const { cache: outcome } = await bakeFile(model(), {}, { cache });
        expect(outcome!.warnings).toEqual([
            { code: 'CACHE_LEFT_OUT', message: expect.stringMatching(/it answers 403 Forbidden$/) },
        ]);
    });

    test('that drops connections it had kept open: asked once more', async () => {
        const sockets = new Set<object>();
        const { hit, warnings } = await timed(({ socket }) => {
            const isNew = !sockets.has(socket);
            sockets.add(socket);
            if (!isNew) socket.destroy();
            return !isNew;
        });
        expect({ hit, warnings }).toEqual(HIT);
    });
});
