// SPDX-License-Identifier: MIT

import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blocksOf, commandsOf, expectToRun } from '../../support/documents';
import { runNode } from '../../support/processes';
import { clipsAlone, fileOf, meshAlone } from '../../support/split-file';
import { scratchFolder } from '../../support/temporary-folder';

const ROOT = join(__dirname, '../../..');
const EXAMPLE = join(ROOT, 'examples/character.glb');

const blocks = blocksOf('docs/baking.md');

describe('docs/baking.md', () => {
    const folder = scratchFolder();

    test('every command runs, one after the other, and ends as the page says', () => {
        const at = folder();
        copyFileSync(EXAMPLE, join(at, 'hero.glb'));
        for (const name of ['models/more', 'clips', 'project']) mkdirSync(join(at, name), { recursive: true });
        fileOf(at, 'body.glb', meshAlone(EXAMPLE));
        fileOf(
            at,
            'clips/Moves.glb',
            clipsAlone(EXAMPLE, (name) => `mixamorig:${name}`),
        );
        for (const name of ['models/a', 'models/b', 'models/more/c']) copyFileSync(EXAMPLE, join(at, `${name}.glb`));
        writeFileSync(join(at, 'project/poselane.config.json'), blocks('json')[0]!);
        const all = commandsOf('docs/baking.md'); // that with a server: test/long/cache/nginx
        expect(all.length).toBeGreaterThan(15);
        expectToRun(all, at);
        for (const name of ['a', 'b', 'c']) {
            const [batch, farm] = ['batch', 'farm'].map((out) => readFileSync(join(at, out, `${name}.bake.json`)));
            expect(farm).toEqual(batch);
        }
        expect(existsSync(join(at, 'nowhere'))).toBe(false);
    });

    test('its sample runs as printed, and prints what the page says', () => {
        const [sample] = blocks('js');
        const [, said] = /\/\/ prints: (.+)/.exec(sample!)!;
        const at = folder();
        const code = sample!.replace("'out/'", JSON.stringify(join(at, 'out')));
        expect(code).not.toBe(sample);
        const args = ['--input-type=module', '-e', code];
        const { stdout, stderr } = runNode(args, { cwd: ROOT });
        expect([stdout.trim(), stderr]).toEqual([said!.trim(), '']);
    });
});
