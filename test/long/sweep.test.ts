// SPDX-License-Identifier: MIT

/** The command of the sweep does not pass where it has compared nothing. */

import * as path from 'node:path';
import { itNative } from '../support/implementations';
import { runNode } from '../support/processes';

const SCRIPT = path.join(__dirname, 'sweep.mjs');

function run(options: string[], env: Record<string, string> = {}) {
    const all = [SCRIPT, '--routine', 'normalizeJoints', ...options];
    return runNode(all, { env: { ...process.env, ...env } });
}

describe('npm run sweep', () => {
    test('TypeScript alone is nothing to compare, although plain and bound functions run', () => {
        const { status, stdout, stderr } = run([], { POSELANE_BACKEND: 'ts', NODE_OPTIONS: '--jitless' });
        // V8 has a warning of its own before it.
        expect(stderr).toMatch(
            /^sweep: nothing to compare: needs two strict implementations that run here, has strict\/typescript\n$/m,
        );
        expect(stdout).not.toContain('the same bits');
        expect(status).toBe(1);
    });

    test.each(['strict/typescript', 'strict/typescript,strict/typescript'])('nor is %s', (names) => {
        const { status, stderr } = run(['--implementations', names]);
        expect(stderr).toBe('sweep: nothing to compare: needs two different implementations, has strict/typescript\n');
        expect(status).toBe(1);
    });

    itNative('nor are implementations that have no Rig, where the Rig is asked for', () => {
        const names = ['--implementations', 'paper/sse,strict/scalar'];
        const asked = run([...names, '--routine', 'Rig']);
        expect(asked.stdout).toContain(
            '\nRig: nothing to compare: needs two implementations of it, has strict/scalar\n',
        );
        expect(asked.status).toBe(1);
    });

    itNative('the Rig is, alone and by two of its implementations', () => {
        const names = ['--implementations', 'strict/typescript,strict/scalar'];
        const { status, stdout, stderr } = run([...names, '--routine', 'Rig']);
        expect(stderr).toBe('');
        expect(stdout).toMatch(/\nRig\.bounds: \d+ floats in \d+ results\n/);
        expect(stdout).toMatch(/\nRig: 100 rigs, the same bits from strict\/typescript, strict\/scalar \(/);
        expect(status).toBe(0);
    });

    itNative('two of them are', () => {
        const { status, stdout, stderr } = run(['--implementations', 'strict/typescript,strict/scalar']);
        expect(stderr).toBe('');
        expect(stdout).toMatch(/\nsweep: \d{6} joints in each of 2 implementations, 0 routines differ\n$/);
        expect(status).toBe(0);
    });
});
