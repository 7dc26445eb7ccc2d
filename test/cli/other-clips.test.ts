// SPDX-License-Identifier: MIT

/** Clips of other files on the command line: patterns, renames, what fits and what does not, and files that are not written over. */

import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../lib/cli/main';
import { CHARACTER } from '../support/models';
import { clipsAlone, fileOf, meshAlone } from '../support/split-file';
import { scratchFolder } from '../support/temporary-folder';

const folder = scratchFolder();
const at = (...names: string[]) => join(folder(), ...names);

beforeAll(() => {
    mkdirSync(at('clips'));
    fileOf(folder(), 'body.glb', meshAlone(CHARACTER.path));
    const only = (name: string) => (clips: { name?: string }[]) => clips.filter((clip) => clip.name === name);
    fileOf(
        at('clips'),
        'b.glb',
        clipsAlone(CHARACTER.path, (name) => `mixamorig:${name}`, only('Walk')),
    );
    fileOf(
        at('clips'),
        'a.glb',
        clipsAlone(CHARACTER.path, (name) => `rig_${name}`, only('Wave')),
    );
});

async function poselane(...argv: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    const written = { stdout: '', stderr: '' };
    const to = (name: 'stdout' | 'stderr') => ({
        write: (text: string) => {
            written[name] += text.replaceAll(`${folder()}/`, '');
        },
    });
    const code = await run(argv, { stdout: to('stdout'), stderr: to('stderr') });
    return { code, ...written };
}

const clips = () => ['--animations', at('clips/*.glb'), '--rename', 'rig_*=*'];

test('a pattern, in the order of names; proved, and shown on a page', async () => {
    const baked = await poselane('bake', at('body.glb'), '-o', at('out'), ...clips(), '--quiet');
    expect(baked).toEqual({ code: 0, stdout: '', stderr: '' });
    const manifest = JSON.parse(readFileSync(at('out/body.bake.json'), 'utf8'));
    expect(manifest.clips.map(({ name }: { name: string }) => name)).toEqual(['Wave', 'Walk']);
    expect(manifest.recipe.rename).toEqual({ 'rig_*': '*' });
    const bake = at('out/body.bake.json');
    const there = ['--animations', at('clips/b.glb'), '--animations', at('clips/a.glb')];
    expect(await poselane('verify', at('body.glb'), bake, ...there)).toMatchObject({ code: 0 });
    expect(await poselane('verify', at('body.glb'), bake)).toMatchObject({
        code: 3,
        stderr: expect.stringMatching(
            /^poselane: a\.glb: the bake has clips of this file, .+: name it by --animations\n$/,
        ),
    });
    expect(await poselane('view', at('body.glb'), bake, ...there, '--html', at('page.html'))).toMatchObject({
        code: 0,
    });
    const some = ['--animations', at('clips/b.glb'), '--html', at('page.html')];
    expect(await poselane('view', at('body.glb'), bake, ...some)).toMatchObject({
        code: 4,
        stderr: "poselane: out/body.bake.json: the clips of 'a.glb' are not those of any file here, or it has changed since\n",
    });
    // A bake that the same model is not of comes first.
    const argv = ['bake', at('body.glb'), '-o', at('some'), '--animations', at('clips/b.glb'), '--quiet'];
    expect(await poselane(...argv)).toMatchObject({ code: 0 });
    const pair = ['diff', at('some/body.bake.json'), bake, '--html', at('diff.html'), '--model', at('body.glb')];
    expect(await poselane(...pair)).toMatchObject({ stderr: expect.stringMatching(/: name it by --animations\n$/) });
    const diff = await poselane(...pair, ...there.slice(2), '--animations', at('clips/b.glb'));
    expect(diff.stdout).toContain('diff.html: a page of both\n');
    expect(await poselane('diff', bake, bake, ...there)).toMatchObject({ code: 2 });
});

test('inspect: what fits, and what to do about the rest', async () => {
    const { code, stdout } = await poselane('inspect', at('body.glb'), '--animations', at('clips/*.glb'));
    expect(code).toBe(0);
    expect(stdout).toMatch(
        /clips\/a\.glb: 1 clip, 0 of the \d+ nodes that they move are here\n {4}missing: 'rig_Hips', .+ more\n {4}.+--rename\n/,
    );
    expect(stdout).toMatch(
        /clips\/b\.glb: 1 clip, (\d+) of the \1 nodes .+\n {4}'mixamorig:' in names there is '' here\n {4}rest poses: the same\n/,
    );
    const json = await poselane('inspect', at('body.glb'), ...clips(), '--json');
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

test('with a page, too, what was baked before is taken from the cache', async () => {
    const argv = ['bake', at('body.glb'), '-o', at('out'), ...clips(), '--cache', at('cache')];
    expect((await poselane(...argv)).stdout).not.toContain('from the cache');
    expect((await poselane(...argv, '--html', at('cached.html'))).stdout).toContain(', from the cache');
});

test('a file with clips is not written over', async () => {
    fileOf(folder(), 'body.resampled.glb', clipsAlone(CHARACTER.path));
    const argv = ['bake', at('body.glb'), '-o', folder(), '--emit', 'glb', '--animations', at('body.resampled.glb')];
    const { code, stderr } = await poselane(...argv);
    expect(stderr).toMatch(/^poselane: baking '.*body\.glb' would overwrite the input 'body\.resampled\.glb'/);
    expect(code).toBe(2);
});
