// SPDX-License-Identifier: MIT

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLedger } from '../../lib/threads/ledger';
import { openThreads } from '../../lib/threads/threads';

test('a task that no thread could start has an error with a code, and its cause', async () => {
    const threads = openThreads(join(__dirname, 'missing.js'), 1, { atOnce: false, ahead: 1 })!;
    const refused = await threads.run(null, createLedger()).then(
        () => null,
        (error) => error,
    );
    expect(refused).toMatchObject({ code: 'ERR_NO_THREAD', message: 'no thread could be started' });
    expect(refused.cause.message).toContain('missing.js');
    await threads.close();
});

test('no thread starts after a second close', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'poselane-threads-'));
    const [worker, log] = [join(folder, 'worker.js'), join(folder, 'log')];
    writeFileSync(worker, `require('fs').appendFileSync(${JSON.stringify(log)}, '.'); module.exports = () => 0;`);
    for (let round = 0; round < 2; round++) {
        const threads = openThreads(worker, 1, { atOnce: true, ahead: 1 })!;
        await threads.run(null, createLedger());
        void threads.close();
        await threads.close();
    }
    expect(readFileSync(log, 'utf8')).toBe('..');
    rmSync(folder, { recursive: true });
});
