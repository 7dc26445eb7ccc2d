// SPDX-License-Identifier: MIT

/** A thread that waits for its files gets the same results. */

import * as promises from 'node:fs/promises';
import { join } from 'node:path';
import { fileSystem, waitForFiles } from '../../lib/files/file-system';
import { scratchFolder } from '../support/temporary-folder';

const scratch = scratchFolder();

test('by default nothing waits', () => {
    expect(fileSystem().open).toBe(promises.open);
});

describe('waiting', () => {
    beforeAll(waitForFiles);
    const at = (name: string) => join(scratch(), name);

    test.each([0, 1, 2 ** 20 - 1, 2 ** 20, 2 ** 21 + 1])('%d bytes are written and read', async (size) => {
        const bytes = Buffer.alloc(size, `${size}`);
        const written = await fileSystem().open(at('file'), 'w');
        for (let done = 0; done < size; ) done += (await written.write(bytes, done, size - done)).bytesWritten;
        await written.utimes(new Date(1000), new Date(2000));
        await written.close();
        const file = await fileSystem().open(at('file'), 'r');
        expect(await file.stat({ bigint: true })).toMatchObject({ size: BigInt(size), mtimeMs: 2000n });
        expect(bytes.equals(await file.readFile())).toBe(true);
        const part = Buffer.alloc(1);
        const { bytesRead } = await file.read(part, 0, 1, Math.max(size - 1, 0));
        expect([bytesRead, part.subarray(0, bytesRead)]).toEqual([Math.min(size, 1), bytes.subarray(-1)]);
        await file.close();
        expect(bytes.equals(await fileSystem().readFile(at('file')))).toBe(true);
    });

    test('faults reject with the same code, and throw nothing', async () => {
        for (const [name, args] of [
            ['open', [at('none'), 'r']],
            ['readFile', [scratch()]],
            ['realpath', [at('none')]],
            ['rename', [at('none'), at('other')]],
            ['stat', [at('none')]],
            ['mkdir', [scratch()]],
            ['rm', [at('none')]],
            ['link', [at('none'), at('other')]],
            ['copyFile', [at('none'), at('other')]],
        ] as const) {
            const codeOf = (files: object) => {
                const call = (files as Record<string, (...given: readonly string[]) => Promise<unknown>>)[name]!;
                return call(...args).then(
                    () => 'none',
                    ({ code }) => code,
                );
            };
            expect([name, await codeOf(fileSystem())]).toEqual([name, await codeOf(promises)]);
        }
    });
});
