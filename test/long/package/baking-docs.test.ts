// SPDX-License-Identifier: MIT

import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blocksOf, commandsOf, expectToRun } from '../../support/documents';
import { runNode } from '../../support/processes';
import { clipsAlone, fileOf, meshAlone } from '../../support/split-file';
import { scratchFolder } from '../../support/temporary-folder';

const ROOT = join(__dirname, '../../..');
const EXAMPLE = join(ROOT, 'examples/character.glb');

const PAGES = ['baking', 'layout-and-rate', 'blending-and-ik', 'pipeline'].map((page) => `docs/${page}.md`);

describe('docs/baking.md and the pages that go on from there', () => {
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
        writeFileSync(join(at, 'project/poselane.config.json'), blocksOf('docs/pipeline.md')('json')[0]!);
        const all = PAGES.flatMap(commandsOf); // that with a server: test/long/cache/nginx
        expect(all.length).toBeGreaterThan(15);
        expectToRun(all, at);
        for (const name of ['a', 'b', 'c']) {
            const [batch, farm] = ['batch', 'farm'].map((out) => readFileSync(join(at, out, `${name}.bake.json`)));
            expect(farm).toEqual(batch);
        }
        expect(existsSync(join(at, 'nowhere'))).toBe(false);
    });

    test('its sample runs as printed, and prints what the page says', () => {
        const [sample] = blocksOf('docs/baking.md')('js');
        const [, said] = /\/\/ prints: (.+)/.exec(sample!)!;
        const code = sample!
            .replace("'out/'", JSON.stringify(join(folder(), 'out')))
            .replaceAll("'hero.glb'", JSON.stringify(EXAMPLE));
        const args = ['--input-type=module', '-e', code];
        const { stdout, stderr } = runNode(args, { cwd: ROOT });
        expect([stdout.trim(), stderr]).toEqual([said!.trim(), '']);
    });
});
