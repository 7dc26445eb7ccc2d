// SPDX-License-Identifier: MIT

/** Clips of other files on the command line: patterns, renames, what fits and what does not, and files that are not written over. */

import { mkdirSync } from 'node:fs';
import { CHARACTER } from '../support/models';
import { clipsAlone, fileOf, meshAlone } from '../support/split-file';
import { inNewFolder, poselane, printed, readJson } from './command-line';

inNewFolder();
beforeEach(() => {
    mkdirSync('clips');
    fileOf('.', 'body.glb', meshAlone(CHARACTER.path));
    const only = (name: string) => (clips: { name?: string }[]) => clips.filter((clip) => clip.name === name);
    fileOf(
        'clips',
        'b.glb',
        clipsAlone(CHARACTER.path, (name) => `mixamorig:${name}`, only('Walk')),
    );
    fileOf(
        'clips',
        'a.glb',
        clipsAlone(CHARACTER.path, (name) => `rig_${name}`, only('Wave')),
    );
});

const CLIPS = ['--animations', 'clips/*.glb', '--rename', 'rig_*=*'];

test('a pattern, in the order of names; proved, and shown on a page', async () => {
    const baked = await poselane(['bake', 'body.glb', '-o', 'out', ...CLIPS, '--quiet']);
    expect(baked).toEqual({ code: 0, stdout: '', stderr: '' });
    const manifest = readJson('out/body.bake.json');
    expect(manifest.clips.map(({ name }: { name: string }) => name)).toEqual(['Wave', 'Walk']);
    expect(manifest.recipe.rename).toEqual({ 'rig_*': '*' });
    const bake = 'out/body.bake.json';
    const there = ['--animations', 'clips/b.glb', '--animations', 'clips/a.glb'];
    expect(await poselane(['verify', 'body.glb', bake, ...there])).toMatchObject({ code: 0 });
    expect(await poselane(`verify body.glb ${bake}`)).toMatchObject({
        code: 3,
        stderr: expect.stringMatching(
            /^poselane: a\.glb: the bake has clips of this file, .+: name it by --animations\n$/,
        ),
    });
    expect(await poselane(['view', 'body.glb', bake, ...there, '--html', 'page.html'])).toMatchObject({
        code: 0,
    });
    const some = ['--animations', 'clips/b.glb', '--html', 'page.html'];
    expect(await poselane(['view', 'body.glb', bake, ...some])).toMatchObject({
        code: 4,
        stderr: "poselane: out/body.bake.json: the clips of 'a.glb' are not those of any file here, or it has changed since\n",
    });
    // A bake that the same model is not of comes first.
    const argv = ['bake', 'body.glb', '-o', 'some', '--animations', 'clips/b.glb', '--quiet'];
    expect(await poselane([...argv])).toMatchObject({ code: 0 });
    const pair = ['diff', 'some/body.bake.json', bake, '--html', 'diff.html', '--model', 'body.glb'];
    expect(await poselane([...pair])).toMatchObject({ stderr: expect.stringMatching(/: name it by --animations\n$/) });
    const diff = await poselane([...pair, ...there.slice(2), '--animations', 'clips/b.glb']);
    expect(diff.stdout).toContain('diff.html: a page of both\n');
    expect(await poselane(['diff', bake, bake, ...there])).toMatchObject({ code: 2 });
});

test('inspect: what fits, and what to do about the rest', async () => {
    const stdout = await printed('inspect body.glb --animations clips/*.glb');
    expect(stdout).toMatch(
        /clips\/a\.glb: 1 clip, 0 of the \d+ nodes that they move are here\n {4}missing: 'rig_Hips', .+ more\n {4}.+--rename\n/,
    );
    expect(stdout).toMatch(
        /clips\/b\.glb: 1 clip, (\d+) of the \1 nodes .+\n {4}'mixamorig:' in names there is '' here\n {4}rest poses: the same\n/,
    );
    const json = await poselane(['inspect', 'body.glb', ...CLIPS, '--json']);
    const [{ animations }] = JSON.parse(json.stdout);
    for (const one of animations) {
        expect(one).toMatchObject({
            clips: 1,
            matched: one.moved,
            missing: [],
            ambiguous: [],
            retarget: 'none',
            rotation: null,
        });
    }
});

test('a file with clips is not written over', async () => {
    fileOf('.', 'body.baked.glb', clipsAlone(CHARACTER.path));
    const argv = ['bake', 'body.glb', '-o', '.', '--emit', 'glb', '--animations', 'body.baked.glb'];
    const { code, stderr } = await poselane([...argv]);
    expect(stderr).toMatch(/^poselane: baking '.*body\.glb' would overwrite the input 'body\.baked\.glb'/);
    expect(code).toBe(2);
});
