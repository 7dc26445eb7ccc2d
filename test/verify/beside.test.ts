// SPDX-License-Identifier: MIT

/** The verifier reads what lies in the folder of the manifest or glTF and nothing else, as the baker does. */

import fs, { copyFileSync, mkdirSync, mkdtempSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { bakeFile, writeBake } from '../../lib/bake';
import { diffBakes } from '../../lib/diff';
import { verifyBake } from '../../lib/verify';
import { readBeside } from '../../lib/verify/beside';
import { skinnedModel } from '../gltf/support/builder';
import { runProgram } from '../support/processes';
import { scratchFolder } from '../support/temporary-folder';

const symlinks = process.platform !== 'win32';
const describeLinks = symlinks ? describe : describe.skip;
const scratch = scratchFolder();

/** Two folders side by side, the name of one the beginning of the other's, each with `a.bin`, and one with `a.gltf`. */
function folders(): { root: string; own: string; other: string } {
    const root = mkdtempSync(join(scratch(), 'beside-'));
    const [own, other] = [join(root, 'own'), join(root, 'own other')];
    for (const folder of [own, other]) {
        mkdirSync(join(folder, 'sub'), { recursive: true });
        writeFileSync(join(folder, 'a.bin'), basename(folder));
    }
    writeFileSync(join(own, 'a.gltf'), '');
    return { root, own, other };
}

const read = (file: string, name: string) => readBeside(file, name, '/uri').toString();
const refusal = (rule: RegExp) =>
    expect.objectContaining({ code: 'FILE_UNREADABLE', pointer: '/uri', rule: expect.stringMatching(rule) });

describeLinks(`symbolic links${symlinks ? '' : ' [skipped: needs POSIX links]'}`, () => {
    test('within the folder are followed', () => {
        const { own } = folders();
        symlinkSync('../a.bin', join(own, 'sub/up.bin'));
        symlinkSync(join(own, 'a.bin'), join(own, 'absolute.bin'));
        for (const name of ['a.bin', 'sub/up.bin', 'absolute.bin']) expect(read(join(own, 'a.gltf'), name)).toBe('own');
    });

    test('out of it are refused: of a file, of a folder, over another link', () => {
        const { own } = folders();
        symlinkSync('../own other/a.bin', join(own, 'out.bin'));
        symlinkSync('../own other', join(own, 'folder'));
        symlinkSync('out.bin', join(own, 'twice.bin'));
        for (const name of ['out.bin', 'folder/a.bin', 'twice.bin']) {
            expect(() => read(join(own, 'a.gltf'), name)).toThrow(refusal(/leads out of the folder/));
        }
    });

    test('to the file itself: what it names may be beside the link, and where it really is', () => {
        const { root, own, other } = folders();
        symlinkSync('../own/a.gltf', join(other, 'a.gltf'));
        writeFileSync(join(own, 'b.bin'), 'b');
        symlinkSync('../own/b.bin', join(other, 'b.bin'));
        symlinkSync('own', join(root, 'link'));
        expect(read(join(other, 'a.gltf'), 'a.bin')).toBe('own other');
        expect(read(join(other, 'a.gltf'), 'b.bin')).toBe('b');
        expect(read(join(root, 'link/a.gltf'), 'a.bin')).toBe('own');
    });

    test('that lead nowhere, or in a circle', () => {
        const { own } = folders();
        symlinkSync('nowhere', join(own, 'lost.bin'));
        symlinkSync('circle.bin', join(own, 'circle.bin'));
        expect(() => read(join(own, 'a.gltf'), 'lost.bin')).toThrow(refusal(/ENOENT/));
        expect(() => read(join(own, 'a.gltf'), 'circle.bin')).toThrow(refusal(/ELOOP/));
    });

    /** A glTF with its buffer in a file, and a bake of it. */
    async function bake(): Promise<{ input: string; buffer: string; json: string; bin: string }> {
        const folder = mkdtempSync(join(scratch(), 'bake-'));
        const model = skinnedModel();
        const input = join(folder, 'a.gltf');
        const buffer = join(folder, 'a.bin');
        writeFileSync(buffer, model.bin());
        writeFileSync(input, model.toGltf('a.bin'));
        const [files] = await writeBake(await bakeFile(input, { fps: 4 }), join(folder, 'out'));
        return { input, buffer, json: files!.json, bin: files!.bin };
    }

    /** Puts a file into the folder above its own, and a link to it in its place. */
    function moveOut(path: string): void {
        const away = join(dirname(dirname(path)), `away-${basename(path)}`);
        renameSync(path, away);
        symlinkSync(away, path);
    }

    test("a glTF's buffer and a manifest's bin elsewhere: verifyBake and diffBakes refuse them", async () => {
        const { input, buffer, json, bin } = await bake();
        expect((await verifyBake(input, json)).ok).toBe(true);
        moveOut(buffer);
        await expect(verifyBake(input, json)).rejects.toMatchObject({
            code: 'FILE_UNREADABLE',
            file: input,
            pointer: '/buffers/0/uri',
        });
        const copy = join(dirname(bin), 'copy.bake.json');
        copyFileSync(json, copy);
        moveOut(bin);
        const expected = { code: 'FILE_UNREADABLE', file: json, pointer: '/binary/uri' };
        await expect(verifyBake(input, json)).rejects.toMatchObject(expected);
        await expect(diffBakes(json, copy)).rejects.toMatchObject(expected);
    });
});

describeLinks(`pipes${symlinks ? '' : ' [skipped: needs POSIX pipes]'}`, () => {
    const pipe = (path: string) => expect(runProgram('mkfifo', [path]).status).toBe(0);

    test('are refused, not waited for', () => {
        const { own } = folders();
        pipe(join(own, 'pipe.bin'));
        expect(() => read(join(own, 'a.gltf'), 'pipe.bin')).toThrow(refusal(/it is a pipe or a device/));
    });

    test('even one that takes the place of a file at the moment when it is opened', () => {
        const { own } = folders();
        const { openSync } = fs;
        const open = jest.spyOn(fs, 'openSync').mockImplementation((path, flags) => {
            fs.rmSync(path);
            pipe(String(path));
            return openSync(path, flags);
        });
        try {
            expect(() => read(join(own, 'a.gltf'), 'a.bin')).toThrow(refusal(/it is a pipe or a device/));
        } finally {
            open.mockRestore();
        }
    });
});

test('a folder is no file', () => {
    const { own } = folders();
    expect(() => read(join(own, 'a.gltf'), 'sub')).toThrow(refusal(/cannot be read: EISDIR/));
});
