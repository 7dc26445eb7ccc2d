// SPDX-License-Identifier: MIT
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that lasts as long as the tests of the block that asks for it. */
export function scratchFolder(): () => string {
    let folder: string;
    beforeAll(() => {
        folder = mkdtempSync(join(tmpdir(), 'poselane-oracle-'));
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));
    return () => folder;
}
