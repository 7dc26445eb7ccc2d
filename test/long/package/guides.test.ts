// SPDX-License-Identifier: MIT

/** Every command and sample of the guides to baking and reducing runs, with the output that its page states. */

import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blocksOf, commandsOf, expectToRun, runPoselane } from '../../support/documents';
import { KNIGHT, testModel } from '../../support/models';
import { runNode } from '../../support/processes';
import { clipsAlone, fileOf, meshAlone } from '../../support/split-file';
import { scratchFolder } from '../../support/temporary-folder';

const ROOT = join(__dirname, '../../..');
const EXAMPLE = join(ROOT, 'examples/character.glb');

/** Copies of the example in a folder, under these names. */
function copyTo(folder: string, ...names: string[]): void {
    for (const name of names) copyFileSync(EXAMPLE, join(folder, `${name}.glb`));
}

/** The output of a sample; fails if it prints to stderr. */
function outputOf(sample: string): string {
    const code = sample.replaceAll("'hero.glb'", JSON.stringify(EXAMPLE));
    const { stdout, stderr } = runNode(['--input-type=module', '-e', code], { cwd: ROOT });
    expect(stderr).toBe('');
    return stdout;
}

const PAGES = ['baking', 'layout-and-rate', 'blending-and-ik', 'pipeline'].map((page) => `docs/${page}.md`);

describe('docs/baking.md and the pages that go on from there', () => {
    const folder = scratchFolder();

    test('every command runs, one after the other, and ends as the page says', () => {
        const at = folder();
        for (const name of ['models/more', 'clips', 'project']) mkdirSync(join(at, name), { recursive: true });
        copyTo(at, 'hero', 'models/a', 'models/b', 'models/more/c');
        fileOf(at, 'body.glb', meshAlone(EXAMPLE));
        fileOf(
            at,
            'clips/Moves.glb',
            clipsAlone(EXAMPLE, (name) => `mixamorig:${name}`),
        );
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
        const printed = outputOf(sample!.replace("'out/'", JSON.stringify(join(folder(), 'out'))));
        expect(printed.trim()).toBe(said!.trim());
    });
});

describe('docs/reduce.md', () => {
    const folder = scratchFolder();

    test('every command runs, one after the other', () => {
        const at = folder();
        mkdirSync(join(at, 'models/more'), { recursive: true });
        copyTo(at, 'hero', 'models/a', 'models/more/b');
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

    test('every sample runs as printed, and has output', () => {
        const samples = blocksOf('docs/reduce.md')('js');
        expect(samples.length).toBeGreaterThan(1);
        for (const sample of samples) expect(outputOf(sample)).toMatch(/^\d{5,}( true true)?\n$/);
    });
});
