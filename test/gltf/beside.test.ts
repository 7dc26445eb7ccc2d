// SPDX-License-Identifier: MIT

import { linkSync, mkdirSync, mkdtempSync, promises, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileSystem } from '../../lib/files/file-system';
import { besideReader } from '../../lib/gltf/files';
import { readGltf } from '../../lib/gltf/read';
import { RefusedFile } from '../../lib/gltf/references';
import { runProgram } from '../support/processes';
import { describeUnless, NOT_POSIX } from '../support/unless';
import { skinnedModel } from './support/builder';

const readBeside = (file: string, relative: string) => besideReader(file)(relative);

let root: string;
beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'poselane-beside-'));
    writeFileSync(join(root, 'a.gltf'), '');
});
afterEach(() => rmSync(root, { recursive: true }));

describeUnless(NOT_POSIX, 'symbolic links', () => {
    /** The folder of the glTF, with `a.gltf` and `a.bin`, and another folder with `a.bin`. */
    let own: string;
    let other: string;
    beforeEach(() => {
        [own, other] = [join(root, 'own'), join(root, 'own other')];
        for (const [folder, text] of [
            [own, 'own'],
            [other, 'other'],
        ] as const) {
            mkdirSync(join(folder, 'sub'), { recursive: true });
            writeFileSync(join(folder, 'a.bin'), text);
        }
        writeFileSync(join(own, 'a.gltf'), '');
    });

    const text = async (file: string, relative: string) => Buffer.from(await readBeside(file, relative)).toString();

    test('inside the folder are followed, from any folder', async () => {
        symlinkSync('../a.bin', join(own, 'sub/up.bin'));
        symlinkSync(join(own, 'a.bin'), join(own, 'absolute.bin'));
        symlinkSync('.', join(own, 'here'));
        for (const name of ['a.bin', 'sub/up.bin', 'absolute.bin', 'here/a.bin', 'here/here/sub/up.bin']) {
            expect(await text(join(own, 'a.gltf'), name)).toBe('own');
        }
    });

    test('out of the folder are rejected: of a file, of a folder, over another link, to a folder with a longer name', async () => {
        symlinkSync('../own other/a.bin', join(own, 'out.bin'));
        symlinkSync('../own other', join(own, 'folder'));
        symlinkSync('out.bin', join(own, 'twice.bin'));
        for (const name of ['out.bin', 'folder/a.bin', 'twice.bin']) {
            await expect(readBeside(join(own, 'a.gltf'), name)).rejects.toThrow(RefusedFile);
        }
    });

    test('to the glTF: its buffers can be next to the link, or next to the file', async () => {
        symlinkSync('../own/a.gltf', join(other, 'a.gltf'));
        writeFileSync(join(own, 'b.bin'), 'b');
        symlinkSync('../own/b.bin', join(other, 'b.bin'));
        expect(await text(join(other, 'a.gltf'), 'a.bin')).toBe('other');
        expect(await text(join(other, 'a.gltf'), 'b.bin')).toBe('b');
    });

    test('to the folder of the glTF do not count', async () => {
        symlinkSync('own', join(root, 'link'));
        expect(await text(join(root, 'link/a.gltf'), 'a.bin')).toBe('own');
    });

    test('to missing files, or in a circle, are errors of the file system', async () => {
        symlinkSync('nowhere', join(own, 'lost.bin'));
        symlinkSync('circle.bin', join(own, 'circle.bin'));
        await expect(readBeside(join(own, 'a.gltf'), 'lost.bin')).rejects.toMatchObject({ code: 'ENOENT' });
        await expect(readBeside(join(own, 'a.gltf'), 'circle.bin')).rejects.toMatchObject({ code: 'ELOOP' });
    });
});

describeUnless(NOT_POSIX, 'many names of a file', () => {
    beforeEach(() => {
        writeFileSync(join(root, 'a.bin'), 'same');
        writeFileSync(join(root, 'b.bin'), 'same');
        for (const i of [0, 1]) {
            symlinkSync('a.bin', join(root, `symbolic${i}.bin`));
            linkSync(join(root, 'a.bin'), join(root, `hard${i}.bin`));
        }
    });

    test('links of both kinds return the bytes that were read', async () => {
        const read = besideReader(join(root, 'a.gltf'));
        const first = await read('hard0.bin');
        for (const name of ['a.bin', 'symbolic0.bin', 'hard1.bin', 'symbolic1.bin', 'hard0.bin']) {
            expect(await read(name)).toBe(first);
        }
    });

    test('other files are read, even with equal bytes; another glTF reads again', async () => {
        const read = besideReader(join(root, 'a.gltf'));
        const first = await read('a.bin');
        expect(await read('b.bin')).not.toBe(first);
        expect(await read('b.bin')).toBe(await read('b.bin'));
        expect(await besideReader(join(root, 'a.gltf'))('a.bin')).not.toBe(first);
    });

    test('the file counts once', async () => {
        const model = skinnedModel();
        const { length } = model.bin();
        writeFileSync(join(root, 'a.bin'), model.bin());
        for (const name of ['symbolic0', 'symbolic1', 'hard0', 'hard1']) {
            model.json.buffers.push({ uri: `${name}.bin`, byteLength: length });
        }
        writeFileSync(join(root, 'a.gltf'), model.toGltf('a.bin'));
        expect((await readGltf(join(root, 'a.gltf'))).ownBytes).toEqual({ stored: length, expanded: 0 });
    });
});

/** A later call with the same name gets the earlier answer. */
describeUnless(NOT_POSIX, 'a pipe that takes the place of a file', () => {
    test.each(['realpath', 'stat', 'lstat'] as const)('after %s is not waited for', async (asked) => {
        const place = join(root, 'a.bin');
        writeFileSync(place, 'a');
        const asker = (asked === 'realpath' ? fileSystem() : promises) as typeof promises;
        const ask = asker[asked] as (path: string) => Promise<unknown>;
        let isPipe = false;
        const spy = jest.spyOn(asker, asked).mockImplementation((async (path: string) => {
            const found = await ask(path);
            if (path === place && !isPipe) {
                rmSync(place);
                runProgram('mkfifo', [place]);
                isPipe = true;
            }
            return found;
        }) as never);
        const outcome = await readBeside(join(root, 'a.gltf'), 'a.bin').then(String, (error) => error);
        spy.mockRestore();
        if (isPipe) expect(outcome).toEqual(new RefusedFile('it is a pipe or a device, not a file'));
        else expect(outcome).toBe('a');
        expect(isPipe || asked !== 'realpath').toBe(true);
    });
});

test('a folder is rejected', async () => {
    mkdirSync(join(root, 'sub'));
    await expect(readBeside(join(root, 'a.gltf'), 'sub')).rejects.toMatchObject({ code: 'EISDIR' });
});
