// SPDX-License-Identifier: MIT

import { join } from 'node:path';
import { createLedger } from '../../lib/threads/ledger';
import { openThreads } from '../../lib/threads/threads';

test('a task that no thread could begin has an error with a code, and its cause', async () => {
    const threads = openThreads(join(__dirname, 'missing.js'), 1, { atOnce: false, ahead: 1 })!;
    const refused = await threads.run(null, createLedger()).then(
        () => null,
        (error) => error,
    );
    expect(refused).toMatchObject({ code: 'ERR_NO_THREAD', message: 'no thread could be started' });
    expect(refused.cause.message).toContain('missing.js');
    await threads.close();
});
