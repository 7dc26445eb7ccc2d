// SPDX-License-Identifier: MIT

/** The verifier reads only files in the folder of the manifest or glTF, as the baker does (test/gltf/beside.test.ts). */

import { copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { bakeFile, writeBake } from '../../lib/bake';
import { diffBakes, verifyBake } from '../../lib/verify';
import { skinnedModel } from '../gltf/support/builder';
import { runProgram } from '../support/processes';
import { scratchFolder } from '../support/temporary-folder';
import { describeUnless, NOT_POSIX } from '../support/unless';

const scratch = scratchFolder();

/** A glTF with an external buffer, and a bake of it. */
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

function linkElsewhere(path: string): void {
    const away = join(dirname(dirname(path)), `away-${basename(path)}`);
    renameSync(path, away);
    symlinkSync(away, path);
}

function pipe(path: string): void {
    rmSync(path);
    expect(runProgram('mkfifo', [path]).status).toBe(0);
}

function folder(path: string): void {
    rmSync(path);
    mkdirSync(path);
}

/** Replacements of a file that the verifier reads, and their errors. */
const REPLACED = [
    ['a link to a file in another folder', /leads out of the input's folder/, linkElsewhere],
    ['a pipe', /it is a pipe or a device/, pipe],
    ['a folder', /EISDIR/, folder],
] as const;

describeUnless(NOT_POSIX, "in place of a glTF's buffer or of a manifest's bin", () => {
    test.each(REPLACED)('%s', async (_, rule, replace) => {
        const { input, buffer, json, bin } = await bake();
        const copy = join(dirname(bin), 'copy.bake.json');
        copyFileSync(json, copy);
        expect((await diffBakes(json, copy)).equal).toBe(true);
        expect((await verifyBake(input, json)).ok).toBe(true);
        const unreadable = (file: string, pointer: string) => ({
            code: 'FILE_UNREADABLE',
            file,
            pointer,
            message: expect.stringMatching(rule),
        });
        replace(buffer);
        await expect(verifyBake(input, json)).rejects.toMatchObject(unreadable(input, '/buffers/0/uri'));
        replace(bin);
        for (const read of [() => verifyBake(input, json), () => diffBakes(json, copy)]) {
            await expect(read()).rejects.toMatchObject(unreadable(json, '/binary/uri'));
        }
    });
});
