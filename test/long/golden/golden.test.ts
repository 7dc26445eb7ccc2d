// SPDX-License-Identifier: MIT

/** npm run golden: what is in the file is replaced only by force. */

import * as fs from 'node:fs';
import * as path from 'node:path';
import { runNode } from '../../support/processes';
import { scratchFolder } from '../../support/temporary-folder';

const ROOT = path.join(__dirname, '../../..');
const FILE = path.join(ROOT, 'test/golden/strict@1.json');
const golden = JSON.parse(fs.readFileSync(FILE, 'utf8')) as Record<'inputs' | 'outputs', Record<string, string>> & {
    rig: { outputs: Record<string, string> };
};

describe('npm run golden', () => {
    const folder = scratchFolder();
    /** The first run makes the hashes, all others take them. */
    const run = (...options: string[]) => {
        const script = path.join(ROOT, 'test/golden/golden.mjs');
        const kept = ['--measurement', path.join(folder(), 'measured')];
        const args = [script, '--implementations', 'strict/typescript', ...kept, ...options];
        return runNode(args);
    };

    test('it writes what is there, and does not replace what says something else unless it must', () => {
        const file = path.join(folder(), 'golden.json');
        expect(run('--file', file, '--write').status).toBe(0);
        expect(fs.readFileSync(file, 'utf8')).toBe(fs.readFileSync(FILE, 'utf8'));

        const { outputs, rig } = golden;
        const other = {
            ...golden,
            outputs: { ...outputs, slerpJoints: outputs.lerpJoints },
            rig: { ...rig, outputs: { ...rig.outputs, bounds: rig.outputs.blend } },
        };
        fs.writeFileSync(file, JSON.stringify(other));
        const checked = run('--file', file);
        expect(checked.stderr).toBe(
            ['slerpJoints', 'Rig.bounds']
                .map((what) => `golden: ${what}: strict/typescript does not have the golden bits\n`)
                .join(''),
        );
        expect(checked.status).toBe(1);

        const refused = run('--file', file, '--write');
        expect(refused.stderr).toContain('golden.json says something else, and was left as it is.');
        expect(refused.stderr).toContain('Other bits are another interface');
        expect(refused.status).toBe(1);
        expect(fs.readFileSync(file, 'utf8')).toBe(JSON.stringify(other));

        expect(run('--file', file, '--write', '--force').status).toBe(0);
        expect(fs.readFileSync(file, 'utf8')).toBe(fs.readFileSync(FILE, 'utf8'));
    });
});
