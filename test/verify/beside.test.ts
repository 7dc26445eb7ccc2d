// SPDX-License-Identifier: MIT

/** The verifier reads what lies in the folder of the manifest or glTF and nothing else, as the baker does (test/gltf/beside.test.ts). */

import { copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { bakeFile, writeBake } from '../../lib/bake';
import { diffBakes, verifyBake } from '../../lib/verify';
import { skinnedModel } from '../gltf/support/builder';
import { runProgram } from '../support/processes';
import { scratchFolder } from '../support/temporary-folder';

const symlinks = process.platform !== 'win32';
const scratch = scratchFolder();

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

/** What takes the place of a file that the verifier is to read, and what is then said of it. */
const REPLACEMENTS: [string, RegExp, (path: string) => void][] = [
    [
        'a link to a file elsewhere',
        /leads out of the input's folder/,
        (path) => {
            const away = join(dirname(dirname(path)), `away-${basename(path)}`);
            renameSync(path, away);
            symlinkSync(away, path);
        },
    ],
    [
        'a pipe',
        /it is a pipe or a device/,
        (path) => {
            rmSync(path);
            expect(runProgram('mkfifo', [path]).status).toBe(0);
        },
    ],
    [
        'a folder',
        /EISDIR/,
        (path) => {
            rmSync(path);
            mkdirSync(path);
        },
    ],
];

describe.each(REPLACEMENTS)(`%s${symlinks ? '' : ' [skipped: needs POSIX files]'}`, (_, rule, replace) => {
    const it = symlinks ? test : test.skip;

    it("in place of a glTF's buffer", async () => {
        const { input, buffer, json } = await bake();
        expect((await verifyBake(input, json)).ok).toBe(true);
        replace(buffer);
        const expected = { code: 'FILE_UNREADABLE', file: input, pointer: '/buffers/0/uri' };
        const refused = verifyBake(input, json);
        await expect(refused).rejects.toMatchObject(expected);
        await expect(refused).rejects.toThrow(rule);
    });

    it("in place of a manifest's bin", async () => {
        const { input, json, bin } = await bake();
        const copy = join(dirname(bin), 'copy.bake.json');
        copyFileSync(json, copy);
        expect((await diffBakes(json, copy)).equal).toBe(true);
        replace(bin);
        const expected = { code: 'FILE_UNREADABLE', file: json, pointer: '/binary/uri' };
        for (const read of [() => verifyBake(input, json), () => diffBakes(json, copy)]) {
            // Started here: a promise that rejects before anybody awaits it would fail the test.
            const refused = read();
            await expect(refused).rejects.toMatchObject(expected);
            await expect(refused).rejects.toThrow(rule);
        }
    });
});
