// SPDX-License-Identifier: MIT

import { readdirSync } from 'node:fs';
import * as nodeFiles from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { bakedFiles, bakeFile, type WriteOptions, writeBake } from '../../../lib/bake';
import { BakedTable } from '../../../lib/table';
import { CHARACTER } from '../../support/models';
import { runNode } from '../../support/processes';
import { bakeInGlb } from '../../table/small-bake';

type Files = NonNullable<WriteOptions['files']>;

const OUTPUTS = [
    { stem: 'hero.skin0', json: '{"a": "ä"}\n', bin: Uint8Array.of(1, 2, 3) },
    { stem: 'hero.skin1', json: '{}\n', bin: new Uint8Array(0) },
];
const NAMES = ['hero.skin0.bake.bin', 'hero.skin0.bake.json', 'hero.skin1.bake.bin', 'hero.skin1.bake.json'];

let folder: string;
beforeEach(async () => {
    folder = await nodeFiles.mkdtemp(join(tmpdir(), 'poselane-write-'));
});
afterEach(() => nodeFiles.rm(folder, { recursive: true, force: true }));

const { mkdir, open, link, copyFile, rename } = nodeFiles;
const REAL = { mkdir, open, link, copyFile, rename };

/** The real file system with replaced operations. */
const filesWith = (changed: object) => ({ ...nodeFiles, ...changed }) as unknown as Files;

type Write = (bytes: Uint8Array, at: number) => Promise<{ bytesWritten: number }>;

/** The real file system with a replaced write. `one` writes a single byte. */
const filesWriting = (writeWith: (one: Write) => Write) =>
    filesWith({
        async open(path: string, flags: string) {
            const file = await nodeFiles.open(path, flags);
            return { write: writeWith((bytes, at) => file.write(bytes, at, 1)), close: () => file.close() };
        },
    });

const errorOf = (code: string) => Object.assign(new Error(code), { code });

const listing = async (of = folder) => (await nodeFiles.readdir(of)).sort();
const bytesOf = async (name: string) => new Uint8Array(await nodeFiles.readFile(join(folder, name)));

/** The real file system, with a log of renames, and one operation that fails. */
function filesThatFail(fails: (operation: keyof Files, path: string, call: number) => boolean) {
    const placed: string[] = [];
    const calls: Record<string, number> = {};
    const checked = (operation: keyof typeof REAL) => async (from: string, to: string) => {
        const path = operation === 'mkdir' || operation === 'open' ? from : to;
        const call = (calls[operation] ?? 0) + 1;
        calls[operation] = call;
        if (fails(operation, path, call)) throw Object.assign(new Error(`${operation} failed`), { code: 'EIO' });
        if (operation === 'rename' && !basename(path).startsWith('.')) placed.push(basename(path));
        return (REAL[operation] as (from: string, to: string) => Promise<unknown>)(from, to);
    };
    const operations = Object.keys(REAL) as (keyof typeof REAL)[];
    const files = filesWith(Object.fromEntries(operations.map((operation) => [operation, checked(operation)])));
    return { files, placed };
}

test('writes every output, returns the paths, and does not change other files', async () => {
    await nodeFiles.writeFile(join(folder, 'other.txt'), 'x');
    const written = await writeBake(OUTPUTS, folder);
    expect(await listing()).toEqual([...NAMES, 'other.txt']);
    expect(written.flatMap(({ json, bin }) => [bin, json])).toEqual(NAMES.map((name) => join(folder, name)));
    expect(await nodeFiles.readFile(written[0]!.json, 'utf8')).toBe('{"a": "ä"}\n');
    expect([...(await nodeFiles.readFile(written[0]!.bin))]).toEqual([1, 2, 3]);
    expect(await bytesOf(NAMES[2]!)).toHaveLength(0);
});

describe('over files that can have the same bytes', () => {
    const earlier = new Date('2001-01-01');
    const pathOf = (name: string) => join(folder, name);

    /** Writes the outputs with another second bin over old outputs. Returns the renamed files. */
    async function again(bin: Uint8Array): Promise<string[]> {
        await writeBake(OUTPUTS, folder);
        for (const name of NAMES) await nodeFiles.utimes(pathOf(name), earlier, earlier);
        const { files, placed } = filesThatFail(() => false);
        await writeBake([{ ...OUTPUTS[0]!, bin }, OUTPUTS[1]!], folder, { files });
        return placed;
    }

    test('equal files stay, with the current time', async () => {
        const before = Date.now() - 2000;
        expect(await again(Uint8Array.of(1, 2, 3))).toEqual([]);
        for (const name of NAMES) expect((await nodeFiles.stat(pathOf(name))).mtimeMs).toBeGreaterThan(before);
        expect(await listing()).toEqual(NAMES);
    });

    test.each([
        ['other bytes', Uint8Array.of(1, 2, 4)],
        ['more bytes', Uint8Array.of(1, 2, 3, 0)],
        ['fewer bytes', Uint8Array.of(1, 2)],
    ])('with %s, all are written again', async (_, bin) => {
        expect((await again(bin)).sort()).toEqual(NAMES);
        expect(await bytesOf(NAMES[0]!)).toEqual(bin);
    });

    // A user who can write to a file can set its times only as its owner.
    test.each(['utimes', 'read', 'stat'] as const)('if %s fails, all are written again', async (operation) => {
        await writeBake(OUTPUTS, folder);
        const { files, placed } = filesThatFail(() => false);
        const open = async (path: string, flags: string) => {
            const fails = async () => Promise.reject(errorOf('EPERM'));
            return Object.assign(await nodeFiles.open(path, flags), flags === 'r+' ? { [operation]: fails } : {});
        };
        await writeBake(OUTPUTS, folder, { files: filesWith({ ...files, open }) });
        expect(placed).toEqual(NAMES);
    });

    test('differences after the first chunk are found', async () => {
        const bin = new Uint8Array(3 * 2 ** 20 + 5);
        await writeBake([{ ...OUTPUTS[0]!, bin }], folder);
        bin[bin.length - 1] = 1;
        await writeBake([{ ...OUTPUTS[0]!, bin }], folder);
        expect(Buffer.compare(await bytesOf(NAMES[0]!), bin)).toBe(0);
    });
});

describe('files other than the pairs', () => {
    const bake = { outputs: OUTPUTS, files: [{ name: 'hero.baked.glb', bytes: Uint8Array.of(9, 8) }] };
    const ALL = [...NAMES, 'hero.baked.glb'].sort();

    test('are written with them, before the manifests', async () => {
        const { files, placed } = filesThatFail(() => false);
        const written = await writeBake(bake, folder, { files });
        expect(await listing()).toEqual(ALL);
        expect(written).toHaveLength(2);
        expect([...(await bytesOf('hero.baked.glb'))]).toEqual([9, 8]);
        expect(placed).toEqual(['hero.baked.glb', ...NAMES]);
    });

    test('can be the only ones', async () => {
        expect(await writeBake({ outputs: [], files: bake.files }, folder)).toEqual([]);
        expect(await listing()).toEqual(['hero.baked.glb']);
    });

    test('stay unchanged if anything fails', async () => {
        await nodeFiles.writeFile(join(folder, 'hero.baked.glb'), 'old');
        for (let call = 1; call < 12; call++) {
            const { files } = filesThatFail((operation, _, n) => operation === 'rename' && n === call);
            if (await writeBake(bake, folder, { files }).catch(() => null)) break;
            expect(await listing()).toEqual(['hero.baked.glb']);
            expect(await nodeFiles.readFile(join(folder, 'hero.baked.glb'), 'utf8')).toBe('old');
        }
        expect(await listing()).toEqual(ALL);
    });
});

describe('one file for manifest and bin', () => {
    const GLBS = ['hero.skin0.bake.glb', 'hero.skin1.bake.glb'];

    test('each output is written whole, between two outputs with an older file', async () => {
        await nodeFiles.writeFile(join(folder, GLBS[0]!), 'old');
        const { files, placed } = filesThatFail(() => false);
        const written = await writeBake(OUTPUTS, folder, { container: 'glb', files });
        expect(await listing()).toEqual(GLBS);
        expect(placed).toEqual(GLBS);
        expect(written).toEqual(GLBS.map((name) => ({ json: join(folder, name), bin: join(folder, name) })));
        const found = await Promise.all(GLBS.map(async (name) => ({ name, bytes: await bytesOf(name) })));
        expect(bakedFiles(OUTPUTS, { container: 'glb' })).toEqual(found);
        for (let call = 1; call <= 2; call++) {
            const failing = filesThatFail((operation, _, n) => operation === 'rename' && n === call);
            const changed = OUTPUTS.map((output) => ({ ...output, json: '{"b":1}' }));
            const writing = writeBake(changed, folder, { container: 'glb', files: failing.files });
            await expect(writing).rejects.toThrow('rename failed');
            expect(await bytesOf(GLBS[0]!)).toEqual(found[0]!.bytes);
            expect(await listing()).toEqual(GLBS);
        }
    });

    test.each([0, 1, 2, 3, 4, 5])('a bin of %i bytes: the layout of glTF 2.0, 4.4', (length) => {
        const bin = Uint8Array.from({ length }, (_, i) => i + 1);
        const manifest = { a: 'ä' };
        const [file] = bakedFiles([{ stem: 'x', json: JSON.stringify(manifest), bin }], { container: 'glb' });
        const asset = { version: '2.0', generator: 'poselane' };
        const expected = bakeInGlb({ manifest, bin }, { asset, ...(length === 0 ? { buffers: undefined } : {}) });
        // Without bytes there is no second chunk.
        const end = length === 0 ? expected.length - 8 : expected.length;
        expected.writeUInt32LE(end, 8);
        expect(Buffer.from(file!.bytes)).toEqual(expected.subarray(0, end));
    });

    test('is valid, and contains the bytes and the manifest of the pair', async () => {
        const bake = await bakeFile(CHARACTER.path, { emit: ['palette', 'hit', 'bounds'], dtype: 'f16', fps: 30 });
        const [output] = bake.outputs;
        await writeBake(bake, folder, { container: 'glb' });
        const bytes = await bytesOf('character.bake.glb');
        const { issues } = await require('gltf-validator').validateBytes(bytes);
        expect([issues.numErrors, issues.numWarnings]).toEqual([0, 0]);
        expect(issues.messages.map(({ code }: { code: string }) => code)).toEqual(['UNUSED_OBJECT']);
        const table = BakedTable.open(bytes);
        expect(`${JSON.stringify(table.manifest, null, 2)}\n`).toBe(output!.json);
        const end = bytes.length - output!.bin.length;
        expect(Buffer.compare(bytes.subarray(end), output!.bin)).toBe(0);
    });

    test('does not replace a baked file', async () => {
        const input = join(folder, 'hero.bake.glb');
        await nodeFiles.copyFile(CHARACTER.path, input);
        const before = await nodeFiles.readFile(input);
        const bake = { ...(await bakeFile(input, { clips: ['#0'], fps: 1 })) };
        const renamed = { ...bake, outputs: bake.outputs.map((output) => ({ ...output, stem: 'hero' })) };
        await expect(writeBake(renamed, folder, { container: 'glb' })).rejects.toMatchObject({ code: 'USAGE' });
        expect((await nodeFiles.readFile(input)).equals(before)).toBe(true);
        await writeBake(bake, folder, { container: 'glb' });
        expect(await listing()).toEqual(['hero.bake.bake.glb', 'hero.bake.glb']);
    });

    test.each<[string, object, object]>([
        ["options.container must be 'files' or 'glb', got \"zip\"", OUTPUTS, { container: 'zip' }],
        ["options.container must be 'files' or 'glb', got null", OUTPUTS, { container: null }],
        [
            'bake has two files "Hero.skin0.bake.glb", needs different names',
            [OUTPUTS[0], { ...OUTPUTS[0], stem: 'Hero.skin0' }],
            { container: 'glb' },
        ],
        [
            'bake must be what bakeFile gives, got outputs[0].json that is not JSON',
            [{ ...OUTPUTS[0], json: '{' }],
            { container: 'glb' },
        ],
    ])('%s', async (message, outputs, options) => {
        const refused = { name: 'TypeError', code: 'ERR_ARGUMENT_TYPE' };
        await expect(writeBake(outputs as never, folder, options)).rejects.toMatchObject({
            ...refused,
            message: `writeBake: ${message}`,
        });
        expect(() => bakedFiles(outputs as never, options)).toThrow(
            expect.objectContaining({ ...refused, message: `bakedFiles: ${message}` }),
        );
        expect(await listing()).toEqual([]);
    });
});

test('writes the rest after a partial write, as to a pipe or a nearly full disk', async () => {
    await writeBake(OUTPUTS, folder, { files: filesWriting((one) => one) });
    expect([...(await bytesOf(NAMES[0]!))]).toEqual([1, 2, 3]);
});

describe('the folder', () => {
    test('is created, with its parents', async () => {
        const deep = join(folder, 'a', 'b');
        await writeBake(OUTPUTS, deep);
        expect(await listing(deep)).toEqual(NAMES);
    });

    test('that cannot be created is an error, and nothing is left', async () => {
        const { files } = filesThatFail((operation) => operation === 'mkdir');
        await expect(writeBake(OUTPUTS, join(folder, 'new'), { files })).rejects.toMatchObject({ code: 'EIO' });
        expect(await listing()).toEqual([]);
    });

    test('that is a file is an error', async () => {
        const file = join(folder, 'file');
        await nodeFiles.writeFile(file, '');
        await expect(writeBake(OUTPUTS, file)).rejects.toMatchObject({ code: 'EEXIST' });
        await expect(writeBake(OUTPUTS, join(file, 'below'))).rejects.toMatchObject({ code: 'EEXIST' });
    });

    test('in a folder that answers ENOENT to new ones is an error, not an endless search', async () => {
        const files = filesWith({ mkdir: () => Promise.reject(errorOf('ENOENT')) });
        await expect(writeBake(OUTPUTS, join(folder, 'new'), { files })).rejects.toMatchObject({ code: 'ENOENT' });
    });
});

describe('over an earlier bake', () => {
    const NEW = OUTPUTS.map((output) => ({ ...output, json: '{"new": true}\n', bin: new Uint8Array([9]) }));
    const contents = () => Promise.all(NAMES.map((name) => nodeFiles.readFile(join(folder, name), 'latin1')));

    // Without links it copies, without space for copies it renames the old files: four times, then the new ones.
    const KEEPERS: [string, (keyof Files)[], renames: number][] = [
        ['links', [], 4],
        ['copies', ['link'], 4],
        ['other names', ['link', 'copyFile'], 8],
    ];
    describe.each(KEEPERS)('kept by %s', (_, missing, renames) => {
        test.each(Array.from({ length: renames }, (_, i) => i + 1))(
            'a failure at rename %i leaves the earlier bake unchanged',
            async (nth) => {
                await writeBake(OUTPUTS, folder);
                const before = await contents();
                const { files } = filesThatFail(
                    (operation, _, call) => missing.includes(operation) || (operation === 'rename' && call === nth),
                );
                await expect(writeBake(NEW, folder, { files })).rejects.toMatchObject({ code: 'EIO' });
                expect(await listing()).toEqual(NAMES);
                expect(await contents()).toEqual(before);
            },
        );
    });

    test('if it cannot be moved aside either, the error is the first one', async () => {
        const rename = async (from: string, to: string) => {
            if (basename(to) === NAMES[0]) throw errorOf('EPERM');
            return nodeFiles.rename(from, to);
        };
        const written = writeBake(NEW, folder, { files: filesWith({ rename }) });
        await expect(written).rejects.toMatchObject({ code: 'EPERM' });
        expect(await listing()).toEqual([]);
    });

    test.each(['EPERM', 'EBUSY'])('is replaced on Windows while a program has it open: %s', async (code) => {
        await writeBake(OUTPUTS, folder);
        const open = new Set(NAMES);
        const rename = async (from: string, to: string) => {
            open.delete(basename(from));
            if (open.has(basename(to))) throw errorOf(code);
            return nodeFiles.rename(from, to);
        };
        await writeBake(NEW, folder, { files: filesWith({ rename }) });
        expect(await listing()).toEqual(NAMES);
        expect(new Set(await contents())).toEqual(new Set(['{"new": true}\n', '\t']));
    });

    test.each(KEEPERS.slice(0, 2))('kept by %s, it always has a manifest and a bin', async (_, missing) => {
        await writeBake(OUTPUTS, folder);
        const seen: string[][] = [];
        const { files } = filesThatFail((operation) => {
            seen.push(readdirSync(folder).filter((name) => NAMES.includes(name)));
            return missing.includes(operation);
        });
        await writeBake(NEW, folder, { files });
        expect(seen.length).toBeGreaterThanOrEqual(12);
        expect(seen.every((names) => names.length === NAMES.length)).toBe(true);
    });
});

describe('if anything fails, nothing is left', () => {
    test.each<[keyof Files, number]>([
        ['open', 2],
        ['open', 4],
        ['rename', 1],
        ['rename', 2],
        ['rename', 3],
        ['rename', 4],
    ])('%s, call %i', async (failing, nth) => {
        const { files } = filesThatFail((operation, _, call) => operation === failing && call === nth);
        await expect(writeBake(OUTPUTS, folder, { files })).rejects.toMatchObject({ code: 'EIO' });
        expect(await listing()).toEqual([]);
    });

    test('writing in the middle of a file', async () => {
        const files = filesWriting((one) => async (bytes, at) => {
            if (at > 0) throw errorOf('ENOSPC');
            return one(bytes, at);
        });
        const path = join(folder, NAMES[0]!);
        const message = `ENOSPC '${path}'`;
        await expect(writeBake(OUTPUTS, folder, { files })).rejects.toMatchObject({ code: 'ENOSPC', path, message });
        expect(await listing()).toEqual([]);
    });

    test('a folder with the name of an output: rejected before any rename', async () => {
        await nodeFiles.mkdir(join(folder, NAMES[3]!));
        await expect(writeBake(OUTPUTS, folder)).rejects.toMatchObject({ code: 'EISDIR' });
        expect(await listing()).toEqual([NAMES[3]]);
    });

    test.each([new Error('enough'), undefined])('an abort before the renames: %p', async (reason) => {
        const controller = new AbortController();
        const { files } = filesThatFail((operation, _, call) => {
            if (operation === 'open' && call === 4) controller.abort(reason);
            return false;
        });
        const thrown = await writeBake(OUTPUTS, folder, { files, signal: controller.signal }).catch((error) => error);
        expect(thrown).toBe(controller.signal.reason);
        expect(await listing()).toEqual([]);
    });
});

test.each<[unknown, unknown, string]>([
    [undefined, 'out', 'bake must be what bakeFile gives, got undefined'],
    [{}, 'out', 'bake must be what bakeFile gives, got an object'],
    [[], undefined, 'folder must be a path, got undefined'],
])('arguments of the wrong type: %p, %p', async (bake, folder, message) => {
    await expect(writeBake(bake as never, folder as never)).rejects.toMatchObject({
        name: 'TypeError',
        code: 'ERR_ARGUMENT_TYPE',
        message: `writeBake: ${message}`,
    });
});

test('a folder that is removed between its creation and its use is created again', async () => {
    const out = join(folder, 'out');
    let opened = 0;
    const files = filesWith({
        async open(path: string, flags: string) {
            if (opened++ === 0) await nodeFiles.rmdir(out);
            return nodeFiles.open(path, flags);
        },
    });
    await writeBake(OUTPUTS, out, { files });
    expect(await listing(out)).toEqual(NAMES);
});

describe('rejected before anything is written', () => {
    const manifest = (byteLength: number) => JSON.stringify({ binary: { byteLength } });
    const shrunk = () => {
        const buffer = new (ArrayBuffer as unknown as new (length: number, options: object) => ArrayBuffer)(16, {
            maxByteLength: 16,
        });
        const view = new Uint8Array(buffer);
        (buffer as unknown as { resize(length: number): void }).resize(8);
        return view;
    };
    const detached = () => {
        const bytes = new Uint8Array(8);
        structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
        return bytes;
    };
    const output = { stem: 'hero', json: '{}', bin: new Uint8Array(1) };
    const NO_NAME = 'must be the name of a file without its folder, got';

    const live = output.bin;
    const file = (name: string, bytes = live) => ({ name, bytes });
    const WRONG = 'TypeError ERR_ARGUMENT_TYPE';
    const GONE = 'TypeError ERR_DETACHED_BUFFER';
    const two = (name: string) => `bake has two files "${name}", needs different names`;
    const gone = (argument: string) => `${argument} is detached or shrunk, needs a live buffer`;

    test.each<[string, string, object]>([
        [WRONG, `outputs[0].stem ${NO_NAME} "../x"`, { outputs: [{ ...output, stem: '../x' }] }],
        [WRONG, `outputs[0].stem ${NO_NAME} "a/b"`, { outputs: [{ ...output, stem: 'a/b' }] }],
        [WRONG, `outputs[0].stem ${NO_NAME} "/x"`, { outputs: [{ ...output, stem: '/x' }] }],
        [WRONG, `outputs[0].stem ${NO_NAME} "a\\u0000b"`, { outputs: [{ ...output, stem: 'a\0b' }] }],
        [WRONG, `files[1].name ${NO_NAME} "../x.glb"`, { outputs: [], files: [file('x.glb'), file('../x.glb')] }],
        [WRONG, `files[0].name ${NO_NAME} ""`, { outputs: [], files: [file('')] }],
        [WRONG, `files[0].name ${NO_NAME} "."`, { outputs: [], files: [file('.')] }],
        [WRONG, `files[0].name ${NO_NAME} ".."`, { outputs: [], files: [file('..')] }],
        [WRONG, two('Hero.bake.bin'), { outputs: [output, { ...output, stem: 'Hero' }] }],
        [WRONG, two('hero.bake.bin'), { outputs: [output], files: [file('hero.bake.bin')] }],
        [GONE, gone('outputs[0].bin'), { outputs: [{ ...output, bin: detached() }] }],
        [GONE, gone('files[0].bytes'), { outputs: [output], files: [file('x.glb', detached())] }],
        [
            'RangeError ERR_BINARY_DIFFERS',
            'outputs[1].bin has 8 bytes, its manifest states 16',
            { outputs: [output, { stem: 'b', json: manifest(16), bin: shrunk() }] },
        ],
    ])('%s: %s', async (kind, message, bake) => {
        const [name, code] = kind.split(' ');
        const expected = { name, code, message: `writeBake: ${message}` };
        await expect(writeBake(bake as never, join(folder, 'out'))).rejects.toMatchObject(expected);
        expect(await listing()).toEqual([]);
    });

    test('bytes that shrink during the write are not put in place', async () => {
        const bytes = new Uint8Array(8);
        const files = filesWriting((one) => async (data, at) => {
            const written = await one(data, at);
            if (bytes.length > 0) structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
            return written;
        });
        const bake = { outputs: [], files: [{ name: 'x.glb', bytes }] };
        await expect(writeBake(bake, folder, { files })).rejects.toMatchObject({
            code: 'ERR_BUFFER_CHANGED',
            message: `writeBake: the bytes of '${join(folder, 'x.glb')}' shrank from 8 to 0 while they were written`,
        });
        expect(await listing()).toEqual([]);
    });
});

// '.' is the stem of '..glb', and a name can be as long as the file system allows.
test.each(['.', 'x'.repeat(255 - '.bake.json'.length)])('the stem %s', async (stem) => {
    await writeBake([{ ...OUTPUTS[0]!, stem }], folder);
    await writeBake([{ ...OUTPUTS[0]!, stem }], folder);
    expect(await listing()).toEqual([`${stem}.bake.bin`, `${stem}.bake.json`]);
});

test('an error names the output, not its temporary name', async () => {
    const open = (path: string) =>
        Promise.reject(Object.assign(new Error(`EACCES: permission denied, open '${path}'`), { code: 'EACCES', path }));
    const path = join(folder, NAMES[0]!);
    const message = `EACCES: permission denied, open '${path}'`;
    await expect(writeBake(OUTPUTS, folder, { files: filesWith({ open }) })).rejects.toMatchObject({
        code: 'EACCES',
        path,
        message,
    });
});

test('files of a killed process are removed, and none of a living one', async () => {
    let temporary = '';
    const { files } = filesThatFail((operation, path) => {
        if (operation === 'open') temporary = basename(path);
        return false;
    });
    await writeBake(OUTPUTS, folder, { files });
    const own = /^\.poselane-([0-9a-f]{8})-\d+-/.exec(temporary)![1]!;
    const other = '0'.repeat(8);
    const { pid: dead } = runNode(['--version']);
    const name = (place: string, pid: number) => `.poselane-${place}-${pid}-0123456789ab.tmp`;
    const users = ['.poselane-notes.tmp', '.x.bake.bin.0123456789ab.tmp'];
    const living = [name(own, process.ppid), name(other, dead)];
    const leftIn = async (out: string) => {
        await nodeFiles.mkdir(out);
        for (const each of [name(own, dead), ...living, ...users]) await nodeFiles.writeFile(join(out, each), '');
        await writeBake(OUTPUTS, out);
        return (await listing(out)).filter((each) => !NAMES.includes(each));
    };
    expect(await leftIn(join(folder, 'now'))).toEqual([...living, ...users].sort());
    // For a process of another machine, only its age decides.
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 25 * 3600 * 1000);
    try {
        expect(await leftIn(join(folder, 'tomorrow'))).toEqual(users.sort());
        // One that was removed before.
        await nodeFiles.writeFile(join(folder, 'now', name(own, dead)), '');
        await writeBake(OUTPUTS, join(folder, 'now'));
        expect(await listing(join(folder, 'now'))).toEqual([...users, ...NAMES].sort());
    } finally {
        clock.mockRestore();
    }
});
