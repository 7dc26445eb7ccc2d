// SPDX-License-Identifier: MIT

/** Clips of other files on the command line: patterns, renames, clips that fit or not, and inputs that are not overwritten. */

import { mkdirSync } from 'node:fs';
import { CHARACTER } from '../support/models';
import { clipsAlone, fileOf, meshAlone } from '../support/split-file';
import { expectRun, inNewFolder, poselane, printed, readJson } from './command-line';

inNewFolder();
beforeEach(() => {
    mkdirSync('clips');
    fileOf('.', 'body.glb', meshAlone(CHARACTER.path));
    for (const [file, prefix, clip] of [
        ['b.glb', 'mixamorig:', 'Walk'],
        ['a.glb', 'rig_', 'Wave'],
    ] as const) {
        const only = (clips: { name?: string }[]) => clips.filter(({ name }) => name === clip);
        fileOf(
            'clips',
            file,
            clipsAlone(CHARACTER.path, (name) => `${prefix}${name}`, only),
        );
    }
});

const CLIPS = '--animations clips/*.glb --rename rig_*=*';

test('a pattern, in name order; proved, and shown on a page', async () => {
    await expectRun(`bake body.glb -o out ${CLIPS} --quiet`);
    const bake = 'out/body.bake.json';
    const manifest = readJson(bake);
    expect(manifest.clips.map(({ name }: { name: string }) => name)).toEqual(['Wave', 'Walk']);
    expect(manifest.recipe.rename).toEqual({ 'rig_*': '*' });
    const [a, b] = ['--animations clips/a.glb', '--animations clips/b.glb'];
    await printed(`verify body.glb ${bake} ${b} ${a}`);
    const absent = /^poselane: a\.glb: the bake has clips of this file, .+: name it by --animations\n$/;
    await expectRun(`verify body.glb ${bake}`, { code: 3, stderr: absent });
    await printed(`view body.glb ${bake} ${b} ${a} --html page.html`);
    const stderr = `poselane: ${bake}: the clips of 'a.glb' are not those of any file here, or it has changed since\n`;
    await expectRun(`view body.glb ${bake} ${b} --html page.html`, { code: 4, stderr });
    // A bake of another model comes first.
    await expectRun(`bake body.glb -o some ${b} --quiet`);
    const pair = `diff some/body.bake.json ${bake} --html diff.html --model body.glb`;
    await expectRun(pair, { code: 3, stderr: /: name it by --animations\n$/ });
    const { stdout } = await poselane(`${pair} ${a} ${b}`);
    expect(stdout).toContain('diff.html: a page of both\n');
    await expectRun(`diff ${bake} ${bake} ${b} ${a}`, { code: 2, stderr: null });
});

test('inspect: clips that fit, and advice for the rest', async () => {
    const told = await printed('inspect body.glb --animations clips/*.glb');
    expect(told).toMatch(
        /clips\/a\.glb: 1 clip, 0 of the \d+ nodes that they move are here\n {4}missing: 'rig_Hips', .+ more\n {4}.+--rename\n/,
    );
    expect(told).toMatch(
        /clips\/b\.glb: 1 clip, (\d+) of the \1 nodes .+\n {4}'mixamorig:' in names there is '' here\n {4}rest poses: the same\n/,
    );
    const [{ animations }] = JSON.parse(await printed(`inspect body.glb ${CLIPS} --json`));
    const fits = { clips: 1, missing: [], ambiguous: [], retarget: 'none', rotation: null };
    for (const one of animations) expect(one).toMatchObject({ ...fits, matched: one.moved });
});

test('a file with clips is not overwritten', async () => {
    fileOf('.', 'body.baked.glb', clipsAlone(CHARACTER.path));
    const stderr = /^poselane: baking '.*body\.glb' would overwrite the input 'body\.baked\.glb'/;
    await expectRun('bake body.glb -o . --emit glb --animations body.baked.glb', { code: 2, stderr });
});
