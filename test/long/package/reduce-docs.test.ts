// SPDX-License-Identifier: MIT

import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { blocksOf, commandsOf, expectToRun, runPoselane } from '../../support/documents';
import { KNIGHT, testModel } from '../../support/models';
import { runNode } from '../../support/processes';
import { scratchFolder } from '../../support/temporary-folder';

const ROOT = join(__dirname, '../../..');
const EXAMPLE = join(ROOT, 'examples/character.glb');

describe('docs/reduce.md', () => {
    const folder = scratchFolder();

    test('every command runs, one after the other', () => {
        const at = folder();
        mkdirSync(join(at, 'models/more'), { recursive: true });
        for (const name of ['hero', 'models/a', 'models/more/b']) copyFileSync(EXAMPLE, join(at, `${name}.glb`));
        const all = commandsOf('docs/reduce.md');
        expect(all.length).toBeGreaterThan(3);
        expectToRun(all, at);
        // The second batch is that of the first, out of the cache.
        const [first, second] = ['batch/more/b.glb', 'again/b.glb'].map((name) => readFileSync(join(at, name)));
        expect(second).toEqual(first);
    });

    testModel(KNIGHT, 'becomes what it says', () => {
        const [block] = blocksOf('docs/reduce.md')('text');
        const [command, ...said] = block!.trimEnd().split('\n');
        copyFileSync(KNIGHT.path, join(folder(), 'Knight.glb'));
        const { stdout } = runPoselane(command!.replace(/^\$ /, ''), folder());
        const timeless = (line: string) => line.trimEnd().replace(/[^;]+ s$/, '');
        expect(timeless(stdout)).toBe(timeless(said.join(' ')));
    });

    test('every sample runs as printed, and says something', () => {
        const samples = blocksOf('docs/reduce.md')('js');
        expect(samples.length).toBeGreaterThan(1);
        for (const sample of samples) {
            const { stdout, stderr } = runNode(
                ['--input-type=module', '-e', sample.replace("'hero.glb'", JSON.stringify(EXAMPLE))],
                { cwd: ROOT, limit: 600_000 },
            );
            expect(stderr).toBe('');
            expect(stdout).toMatch(/^\d{5,}( true true)?\n$/);
        }
    });
});
