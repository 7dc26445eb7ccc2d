// SPDX-License-Identifier: MIT

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { addBakeOptions } from '../../lib/cli/bake-options';
import { runNode } from '../support/processes';
import { expectRun, inNewFolder, poselane, printed, readJson, put as write } from './command-line';
import { smallGltf } from './small-gltf';

const MAIN = join(__dirname, '../../dist/cli/main.js');
const CONFIG = 'poselane.config.json';

inNewFolder();
beforeEach(() => {
    for (const name of ['hero', 'boss/dragon', 'boss/ogre']) write(`models/${name}.gltf`, smallGltf());
});

/** The error with a config; the exit code must be 2. */
async function refused(config: unknown, ...argv: string[]): Promise<string> {
    write(CONFIG, typeof config === 'string' ? config : JSON.stringify(config));
    return (await expectRun(['bake', ...argv], { code: 2, stderr: null })).stderr;
}

const fpsOf = (name: string) => readJson(`out/${name}.bake.json`).clips[0].fps;

const RECIPES = {
    inputs: ['models/**/*.gltf'],
    out: 'out',
    fps: 24,
    clips: ['Walk'],
    recipes: [
        { files: 'models/boss/**', fps: 30, emit: ['palette', 'bounds'] },
        { files: ['models/nobody.gltf', 'models/boss/ogre.gltf'], fps: '60', clips: ['Run', 'Walk'] },
    ],
};

test('precedence: a flag, the last recipe that matches, the top level, the default', async () => {
    write(CONFIG, JSON.stringify(RECIPES));
    await expectRun('bake --quiet');
    expect(['hero', 'dragon', 'ogre'].map(fpsOf)).toEqual([24, 30, 60]);
    const manifests = ['hero', 'dragon', 'ogre'].map((name) => readJson(`out/${name}.bake.json`));
    expect(manifests.map(({ arrays }) => 'bounds' in arrays)).toEqual([false, true, true]);
    expect(manifests.map(({ clips }) => clips.length)).toEqual([1, 1, 2]);
    // Inputs in the command replace those of the config. So do lists.
    rmSync('out', { recursive: true });
    await poselane('bake models/boss/ogre.gltf --quiet --fps 12 --clips Run');
    expect([fpsOf('ogre'), readJson('out/ogre.bake.json').clips.length]).toEqual([12, 1]);
    expect(existsSync('out/hero.bake.json')).toBe(false);
    rmSync('out', { recursive: true });
    const stderr = "poselane: required option '-o, --out <folder>' not specified\n";
    await expectRun('bake --no-config', { code: 2, stderr });
});

test('a switch that is false in a recipe overrides a true one above', async () => {
    const recipes = [{ files: 'models/hero.gltf', renormalize: false }];
    write(CONFIG, JSON.stringify({ inputs: 'models/**/*.gltf', out: 'out', renormalize: true, recipes }));
    await printed('bake');
    const made = ['hero', 'ogre'].map((name) => readJson(`out/${name}.bake.json`).recipe.renormalize);
    expect(made).toEqual([undefined, true]);
});

test('paths are relative to the config, from any folder', async () => {
    const recipes = RECIPES.recipes.map((one) => ({ ...one, files: [one.files].flat().map((name) => `../${name}`) }));
    const paths = { inputs: ['../models/**/*.gltf'], report: 'report.json', cache: 'cache' };
    write('[project]/poselane.json', JSON.stringify({ ...RECIPES, ...paths, recipes }));
    write('below/here.txt', '');
    process.chdir('below');
    await expectRun('bake --config ../[project]/poselane.json --quiet');
    const { inputs } = readJson('../[project]/report.json');
    const named = ['boss/dragon', 'boss/ogre', 'hero'].map((name) => `../models/${name}.gltf`);
    expect(inputs.map(({ input }: { input: string }) => input)).toEqual(named);
    expect(readJson('../[project]/out/ogre.bake.json').clips[0].fps).toBe(60);
    expect(existsSync('../[project]/cache')).toBe(true);
});

// The checks of flags and of the library, with the names of the config.
test.each<[key: string, value: unknown, flag: string[]]>([
    ['fps', 'fast', ['--fps', 'fast']],
    ['fps', -1, ['--fps=-1']],
    ['jobs', 0, ['--jobs', '0']],
    ['shard', '3/2', ['--shard', '3/2']],
    ['layout', 'mat5', ['--layout', 'mat5']],
    ['maxRows', 1.5, ['--max-rows', '1.5']],
    ['emit', ['pallete'], ['--emit', 'pallete']],
    ['hitJoints', 'Head', ['--hit-joints', 'Head']],
    ['rename', { Hips: '' }, ['--rename', 'Hips=']],
    ['rename', { pelvis: 'Hips' }, ['--rename', 'pelvis=Hips']],
    ['animations', ['clips/*.glb'], ['--animations', 'clips/*.glb']],
    ['cacheReadOnly', true, ['--cache-read-only']],
    ['html', '-', ['--html', '-']],
])('%s: %j is rejected in the words of the flag', async (key, value, flag) => {
    const asFlag = await poselane(['bake', 'models/hero.gltf', '-o', 'out', ...flag]);
    write(CONFIG, JSON.stringify({ inputs: 'models/hero.gltf', out: 'out', [key]: value }));
    const asKey = await poselane('bake');
    const start = /^poselane: (option '.*?' argument |--[a-z-]+)/;
    const named = (_: string, flag: string) => `poselane: ${CONFIG}: ${key}${flag.startsWith('--') ? '' : ': '}`;
    // A pattern without a match is an error of its own, as on the command line.
    if (asFlag.code === 2) expect(asFlag.stderr).toMatch(start);
    expect(asKey).toEqual({ ...asFlag, stderr: asFlag.stderr.replace(start, named) });
    expect(asKey.code).toBeGreaterThan(1);
    expect(existsSync('out')).toBe(false);
});

test.each<[unknown, string]>([
    ['{', 'this is not JSON: '],
    [[], 'needs an object, got an Array'],
    [{ fsp: 30 }, "fsp: there is no such key, has 'fps', "],
    [{ 'max-rows': 3 }, 'max-rows: there is no such key, has '],
    [{ config: 'other.json' }, 'config: there is no such key, has '],
    [{ inputs: 3 }, 'inputs: needs a string or a list of strings, got 3'],
    [{ clips: [] }, 'clips is an empty list; leave it out for all'],
    [{ rename: { 'a=b': 'c' } }, "rename: 'a=b' has a '=', where the name would end"],
    [{ events: { Walk: 'step' } }, 'events: needs a list of events for each clip: '],
    [{ rename: {} }, 'rename has no effect without --animations; add files there'],
    [{ fps: true }, 'fps: needs a string or a number, got true'],
    [{ fps: [30] }, 'fps: needs a string or a number, got an Array'],
    [{ clips: [1] }, 'clips: needs a string or a list of strings, got an Array'],
    [{ strict: 'yes' }, 'strict: needs true or false, got '],
    [
        { inputs: 'models/**/*.gltf', container: 'glb', recipes: [{ files: 'models/boss/*', emit: 'pvat' }] },
        "container has no effect: '--emit pvat' has no arrays; leave it out",
    ],
    [{ recipes: {} }, 'recipes: needs a list, got an object'],
    [{ recipes: [3] }, 'recipes[0]: needs an object, got 3'],
    [{ recipes: [{ fps: 3 }] }, 'recipes[0].files: needs a string or a list of strings, got undefined'],
    [{ recipes: [{ files: 'a', out: 'b' }] }, 'recipes[0].out: this is for all files: needs to be at the top level'],
    [{ recipes: [{ files: 'a', ofps: 3 }] }, 'recipes[0].ofps: there is no such key, has '],
    [{ recipes: [{ files: 'a', fps: 'x', from: -1 }] }, "recipes[0].from: '-1' is invalid. Needs a number, 0 or more."],
])('%j: %s', async (config, message) => {
    const isObject = typeof config === 'object' && !Array.isArray(config);
    const all = isObject ? { out: 'out', inputs: 'models/hero.gltf', ...config } : config;
    expect(await refused(all)).toMatch(`poselane: ${CONFIG}: ${message}`);
});

test('events are those of flags; the error of a wrong one names the file', async () => {
    const config = (events: unknown) =>
        write(CONFIG, JSON.stringify({ inputs: 'models/hero.gltf', out: 'out', fps: 10, events }));
    const walk = [{ name: 'a@b', time: 0.5 }];
    config({ Walk: walk });
    await expectRun('bake --quiet');
    const asKey = readJson('out/hero.bake.json');
    expect(asKey.clips[0].events).toEqual(walk);
    await expectRun('bake models/hero.gltf --no-config -o flags --fps 10 --quiet --events Walk=a@b@0.5');
    expect(readJson('flags/hero.bake.json')).toEqual(asKey);
    const wrong = (message: string) => ({ code: 2, stderr: `poselane: models/hero.gltf: ${message}\n` });
    config({ Walk: [{ name: 'step', time: 9 }] });
    const outside = "--events: of clip 'Walk', 'step' is at 9 s, must be within the clip, 0 to 1 s";
    await expectRun('bake', wrong(outside));
    config({ Fly: [] });
    await expectRun('bake', wrong("no clip 'Fly', has 'Walk', 'Run'"));
    for (const flag of ['Walk=step', 'Walk@1', '=step@1', 'Walk=step@x']) {
        await expectRun(['bake', '--events', flag], {
            code: 2,
            stderr: /^poselane: option '--events <clip=name@seconds>' /,
        });
    }
});

test('a combination in a single file is rejected with the name of its recipe; a flag keeps its name', async () => {
    const recipes = [{ files: 'models/hero.gltf' }, { files: 'models/boss/*', hitJoints: 'Head' }];
    const config = { inputs: 'models/**/*.gltf', out: 'out', recipes };
    const message = "has no effect without --emit 'hit'; add it, or leave this out\n";
    expect(await refused(config)).toBe(`poselane: ${CONFIG}: recipes[1].hitJoints ${message}`);
    expect(await refused(config, '--hit-joints', 'Hand')).toBe(`poselane: --hit-joints ${message}`);
});

test('two configs are rejected, and a named config must exist', async () => {
    write('poselane.config.cjs', '');
    expect(await refused({})).toBe(`poselane: both ${CONFIG} and poselane.config.cjs are here: name one by --config\n`);
    expect(await refused({}, '--config', 'none.json')).toMatch(/^poselane: none\.json: ENOENT.*; check the path\n$/);
});

test('no output overwrites the config', async () => {
    const text = JSON.stringify({ inputs: 'models/hero.gltf', out: 'out', report: CONFIG });
    expect(await refused(text)).toMatch(`poselane: ${CONFIG}: report: '${CONFIG}' is the input '${CONFIG}'`);
    expect(readFileSync(CONFIG, 'utf8')).toBe(text);
});

test('a config can be a module of either kind', () => {
    const config = "{ inputs: 'models/hero.gltf', out: 'out', fps: 6 * 7, clips: ['Walk'] }";
    const kinds = { js: 'module.exports =', cjs: 'module.exports =', mjs: 'export default' };
    for (const [extension, start] of Object.entries(kinds)) {
        const path = `poselane.config.${extension}`;
        write(path, `${start} ${config}`);
        const { status, stderr } = runNode([MAIN, 'bake']);
        expect([extension, status, stderr]).toEqual([extension, 0, '']);
        expect(fpsOf('hero')).toBe(42);
        rmSync(path);
        rmSync('out', { recursive: true });
    }
    write('poselane.config.mjs', "throw new Error('no config');");
    const { status, stderr } = runNode([MAIN, 'bake']);
    expect([status, stderr]).toEqual([2, 'poselane: poselane.config.mjs: no config\n']);
});

test('every option but --config is a key', async () => {
    for (const option of addBakeOptions(new Command()).options) {
        const key = option.attributeName();
        if (key === 'config') continue;
        expect(await refused({ [key]: null })).toMatch(`${CONFIG}: ${key}: needs `);
    }
});
