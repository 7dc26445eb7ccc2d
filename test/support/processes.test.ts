// SPDX-License-Identifier: MIT

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { outputOfNode, runNode, runProgram, untilGone } from './processes';
import { scratchFolder } from './temporary-folder';

const folder = scratchFolder();
const posix = process.platform !== 'win32';
const testPosix = posix ? test : test.skip;
const note = posix ? '' : ' [skipped: needs a POSIX shell]';

testPosix(
    `a program that does not end is killed with what it has started, and what it printed is told${note}`,
    async () => {
        const script = 'mkfifo pipe; cat pipe & echo $! > pid; echo "waiting for a writer"; wait';
        // On a busy machine a process may take that long to begin at all.
        for (let limit = 500; limit < 30_000; limit *= 2) {
            const cwd = folder();
            const ask = () => runProgram('sh', ['-c', `rm -f pipe; ${script}`], { cwd, limit });
            let message = '';
            try {
                ask();
            } catch (error) {
                message = (error as Error).message;
            }
            expect(message).toContain(`did not end within ${limit} ms: killed`);
            if (!message.endsWith('It had printed: waiting for a writer\n')) continue;
            await untilGone(Number(readFileSync(join(cwd, 'pid'), 'utf8')));
            return;
        }
        throw new Error('what it printed is not told');
    },
);

testPosix(`nothing that a program leaves behind outlives it${note}`, async () => {
    const { stdout } = runProgram('sh', ['-c', 'sleep 1000 > /dev/null 2>&1 & echo $!']);
    await untilGone(Number(stdout));
});

test('a program that fails, or is not there', () => {
    expect(runNode(['-e', 'process.exit(3)']).status).toBe(3);
    expect(() => outputOfNode(['-e', 'console.error("why"); process.exit(3)'])).toThrow('ended with 3: why');
    for (const absent of ['no-such-program', folder()]) expect(runProgram(absent, []).status).toBe(null);
});
