// SPDX-License-Identifier: MIT

import * as nodeFiles from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type WriteOptions, writeBake } from '../../lib/bake';

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

const listing = async () => (await nodeFiles.readdir(folder)).sort();

/** The real file system, with a log of its renames and one operation that fails. */
function filesThatFail(fails: (operation: keyof Files, path: string, call: number) => boolean) {
    const renamed: string[] = [];
    const calls = new Map<string, number>();
    const check = (operation: keyof Files, path: string) => {
        const call = (calls.get(operation) ?? 0) + 1;
        calls.set(operation, call);
        if (fails(operation, path, call)) throw Object.assign(new Error(`${operation} failed`), { code: 'EIO' });
    };
    const files = {
        ...nodeFiles,
        async mkdir(path: string, options: object) {
            check('mkdir', path);
            return nodeFiles.mkdir(path, options);
        },
        async open(path: string, flags: string) {
            check('open', path);
            return nodeFiles.open(path, flags);
        },
        async rename(from: string, to: string) {
            check('rename', to);
            renamed.push(to);
            return nodeFiles.rename(from, to);
        },
    } as unknown as Files;
    return { files, renamed };
}

test('writes every output and returns the paths', async () => {
    const written = await writeBake(OUTPUTS, folder);
    expect(await listing()).toEqual(NAMES);
    expect(written.flatMap(({ json, bin }) => [bin, json])).toEqual(NAMES.map((name) => join(folder, name)));
    expect(await nodeFiles.readFile(written[0]!.json, 'utf8')).toBe('{"a": "ä"}\n');
    expect([...(await nodeFiles.readFile(written[0]!.bin))]).toEqual([1, 2, 3]);
    expect((await nodeFiles.readFile(written[1]!.bin)).length).toBe(0);
});

describe('files besides the pairs', () => {
    const bake = { outputs: OUTPUTS, files: [{ name: 'hero.baked.glb', bytes: Uint8Array.of(9, 8) }] };
    const ALL = [...NAMES, 'hero.baked.glb'].sort();

    test('are written with them, before the manifests', async () => {
        const { files, renamed } = filesThatFail(() => false);
        const written = await writeBake(bake, folder, { files });
        expect(await listing()).toEqual(ALL);
        expect(written).toHaveLength(2);
        expect([...(await nodeFiles.readFile(join(folder, 'hero.baked.glb')))]).toEqual([9, 8]);
        const placed = renamed.map((path) => path.slice(folder.length + 1)).filter((name) => !name.startsWith('.'));
        expect(placed).toEqual([NAMES[0], NAMES[2], 'hero.baked.glb', NAMES[1], NAMES[3]]);
    });

    test('may be all there is', async () => {
        expect(await writeBake({ outputs: [], files: bake.files }, folder)).toEqual([]);
        expect(await listing()).toEqual(['hero.baked.glb']);
    });

    test('are as they were where anything fails', async () => {
        await nodeFiles.writeFile(join(folder, 'hero.baked.glb'), 'old');
        for (let call = 1; call < 12; call++) {
            const { files } = filesThatFail((operation, _, n) => operation === 'rename' && n === call);
            const failed = await writeBake(bake, folder, { files }).then(
                () => false,
                () => true,
            );
            if (!failed) break;
            expect(await listing()).toEqual(['hero.baked.glb']);
            expect(await nodeFiles.readFile(join(folder, 'hero.baked.glb'), 'utf8')).toBe('old');
        }
        expect(await listing()).toEqual(ALL);
    });
});

test('creates the folder, and those above it', async () => {
    await writeBake(OUTPUTS, join(folder, 'a/b'));
    expect((await nodeFiles.readdir(join(folder, 'a/b'))).length).toBe(4);
});

test('replaces what an earlier bake wrote, and leaves other files alone', async () => {
    await nodeFiles.writeFile(join(folder, 'other.txt'), 'x');
    await nodeFiles.writeFile(join(folder, NAMES[1]!), 'old');
    await writeBake(OUTPUTS, folder);
    expect(await listing()).toEqual([...NAMES, 'other.txt']);
    expect(await nodeFiles.readFile(join(folder, NAMES[1]!), 'utf8')).toBe('{"a": "ä"}\n');
});

test('the manifests are put in place last', async () => {
    const { files, renamed } = filesThatFail(() => false);
    await writeBake(OUTPUTS, folder, { files });
    const placed = renamed.map((path) => path.slice(folder.length + 1)).filter((name) => !name.startsWith('.'));
    expect(placed).toEqual([NAMES[0], NAMES[2], NAMES[1], NAMES[3]]);
});

test('writes in chunks what one write does not take', async () => {
    const short = {
        ...nodeFiles,
        async open(path: string, flags: string) {
            const file = await nodeFiles.open(path, flags);
            // Like a pipe or a nearly full disk: one byte at a time.
            return {
                write: (bytes: Uint8Array, at: number) => file.write(bytes, at, 1),
                close: () => file.close(),
            };
        },
    } as unknown as Files;
    await writeBake(OUTPUTS, folder, { files: short });
    expect([...(await nodeFiles.readFile(join(folder, NAMES[0]!)))]).toEqual([1, 2, 3]);
});

describe('the folder', () => {
    test('is made, with those above it', async () => {
        const deep = join(folder, 'a', 'b');
        await writeBake(OUTPUTS, deep);
        expect((await nodeFiles.readdir(deep)).sort()).toEqual(NAMES);
    });

    test('that cannot be made is an error, and nothing is left', async () => {
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
        const files = {
            ...nodeFiles,
            async mkdir() {
                throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' });
            },
        } as unknown as Files;
        await expect(writeBake(OUTPUTS, join(folder, 'new'), { files })).rejects.toMatchObject({ code: 'ENOENT' });
    });
});

describe('over an earlier bake', () => {
    const NEW = OUTPUTS.map((output) => ({ ...output, json: '{"new": true}\n', bin: new Uint8Array([9]) }));
    const contents = () => Promise.all(NAMES.map((name) => nodeFiles.readFile(join(folder, name), 'latin1')));

    test('nothing but the new files is left', async () => {
        await writeBake(OUTPUTS, folder);
        await writeBake(NEW, folder);
        expect(await listing()).toEqual(NAMES);
        expect(new Set(await contents())).toEqual(new Set(['{"new": true}\n', '\t']));
    });

    // Renames: four old files aside, then four new ones into place.
    test.each([1, 2, 3, 4, 5, 6, 7, 8])('a failure at rename %i leaves the earlier bake as it was', async (nth) => {
        await writeBake(OUTPUTS, folder);
        const before = await contents();
        const { files } = filesThatFail((operation, _, call) => operation === 'rename' && call === nth);
        await expect(writeBake(NEW, folder, { files })).rejects.toMatchObject({ code: 'EIO' });
        expect(await listing()).toEqual(NAMES);
        expect(await contents()).toEqual(before);
    });
});

describe('where anything fails, nothing is left', () => {
    test.each<[string, (operation: keyof Files, path: string, call: number) => boolean]>([
        ['opening the first file', (operation) => operation === 'open'],
        ['opening the last file', (operation, _, call) => operation === 'open' && call === 4],
        // Four attempts to move an earlier file aside come first.
        ['renaming the first file', (operation, _, call) => operation === 'rename' && call === 5],
        ['renaming the last bin', (operation, _, call) => operation === 'rename' && call === 6],
        ['renaming the first manifest', (operation, _, call) => operation === 'rename' && call === 7],
        ['renaming the last manifest', (operation, _, call) => operation === 'rename' && call === 8],
    ])('%s', async (_, fails) => {
        const { files } = filesThatFail(fails);
        await expect(writeBake(OUTPUTS, folder, { files })).rejects.toMatchObject({ code: 'EIO' });
        expect(await listing()).toEqual([]);
    });

    test('writing in the middle of a file', async () => {
        const files = {
            ...nodeFiles,
            async open(path: string, flags: string) {
                const file = await nodeFiles.open(path, flags);
                return {
                    async write(bytes: Uint8Array, at: number) {
                        if (at > 0) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
                        return file.write(bytes, at, 1);
                    },
                    close: () => file.close(),
                };
            },
        } as unknown as Files;
        const path = join(folder, NAMES[0]!);
        const message = `ENOSPC '${path}'`;
        await expect(writeBake(OUTPUTS, folder, { files })).rejects.toMatchObject({ code: 'ENOSPC', path, message });
        expect(await listing()).toEqual([]);
    });

    test('a folder of the name of an output: refused before anything is in place', async () => {
        await nodeFiles.mkdir(join(folder, NAMES[3]!));
        await expect(writeBake(OUTPUTS, folder)).rejects.toMatchObject({ code: 'EISDIR' });
        expect(await listing()).toEqual([NAMES[3]]);
    });

    test('a file where the folder should be', async () => {
        const file = join(folder, 'file');
        await nodeFiles.writeFile(file, 'x');
        await expect(writeBake(OUTPUTS, file)).rejects.toMatchObject({ code: 'EEXIST' });
        expect(await nodeFiles.readFile(file, 'utf8')).toBe('x');
    });

    test('an abort before the files are put in place', async () => {
        const reason = new Error('enough');
        const controller = new AbortController();
        const { files } = filesThatFail((operation, _, call) => {
            if (operation === 'open' && call === 4) controller.abort(reason);
            return false;
        });
        await expect(writeBake(OUTPUTS, folder, { files, signal: controller.signal })).rejects.toBe(reason);
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

test('a folder that is taken away between its making and its use is made again', async () => {
    const out = join(folder, 'out');
    let opened = 0;
    const files = {
        ...nodeFiles,
        async open(path: string, flags: string) {
            if (opened++ === 0) await nodeFiles.rmdir(out);
            return nodeFiles.open(path, flags);
        },
    } as unknown as Files;
    await writeBake(OUTPUTS, out, { files });
    expect((await nodeFiles.readdir(out)).sort()).toEqual(NAMES);
});
