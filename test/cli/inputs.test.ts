// SPDX-License-Identifier: MIT

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { expandInputs, findInputs, JUDGED, takeShard } from '../../lib/cli/inputs';
import { refuseCollisions, targetsOf, withoutSkin } from '../../lib/cli/output-folders';
import { shardFromEnvironment } from '../../lib/cli/shard';
import { NOT_POSIX, testUnless } from '../support/unless';

let folder: string;
beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'poselane-inputs-'));
    mkdirSync(join(folder, 'deep/er'), { recursive: true });
    for (const name of ['b.glb', 'a.glb', 'B.gltf', 'x[1].glb', 'deep/c.glb', 'deep/er/d.glb', 'notes.txt']) {
        writeFileSync(join(folder, name), '');
    }
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (...names: string[]) => names.map((name) => join(folder, name));

describe('expandInputs', () => {
    test.each([
        ['*.glb', ['a.glb', 'b.glb', 'x[1].glb']],
        ['**/*.glb', ['a.glb', 'b.glb', 'deep/c.glb', 'deep/er/d.glb', 'x[1].glb']],
        ['*.{glb,gltf}', ['B.gltf', 'a.glb', 'b.glb', 'x[1].glb']],
        ['deep/?.glb', ['deep/c.glb']],
    ])('%s, sorted by code units', async (pattern, found) => {
        expect(await expandInputs(at(pattern))).toEqual(at(...found));
    });

    test('an existing file is not a pattern, whatever its name', async () => {
        expect(await expandInputs(at('x[1].glb'))).toEqual(at('x[1].glb'));
    });

    test('arguments keep their order, and each file comes once', async () => {
        expect(await expandInputs(at('b.glb', '*.glb', 'deep/../a.glb'))).toEqual(at('b.glb', 'a.glb', 'x[1].glb'));
    });

    test('a missing plain path stays, and is reported when it is read', async () => {
        const names = at('missing.glb', 'a.glb/no-folder.glb', `${'long'.repeat(100)}.glb`);
        expect(await expandInputs(names)).toEqual(names);
    });

    test('a pattern without a match is an InputError', async () => {
        await expect(expandInputs(at('*.fbx'))).rejects.toMatchObject({
            name: 'InputError',
            code: 'FILE_UNREADABLE',
            message: expect.stringContaining('no file matches'),
        });
    });
});

const FOUND = ['B.gltf', 'a.glb', 'b.glb', 'deep/c.glb', 'deep/er/d.glb', 'x[1].glb'];

describe('folders', () => {
    test('.vrm files, which are GLB files, in upper or lower case', async () => {
        for (const name of ['deep/hero.vrm', 'deep/ORC.VRM']) writeFileSync(join(folder, name), '');
        expect(await expandInputs(at('deep'))).toEqual(
            at('deep/ORC.VRM', 'deep/c.glb', 'deep/er/d.glb', 'deep/hero.vrm'),
        );
    });

    test('all models below them, sorted by code units, without bakes, hidden files or others', async () => {
        mkdirSync(join(folder, '.git'));
        for (const name of ['a.baked.glb', 'a.bake.glb', 'a.bake.json', '.git/e.glb', '.f.glb']) {
            writeFileSync(join(folder, name), '');
        }
        expect(await expandInputs([folder])).toEqual(at(...FOUND));
        expect(await expandInputs([`${folder}/deep/`])).toEqual(at('deep/c.glb', 'deep/er/d.glb'));
        const judged = await findInputs([folder], { kind: JUDGED });
        expect(judged.map(({ tree }) => tree)).toEqual([...FOUND, 'a.bake.glb', 'a.bake.json'].sort());
    });

    testUnless(NOT_POSIX, 'links to files, but none to folders: they may lead in circles', async () => {
        symlinkSync('..', join(folder, 'deep/er/circle'));
        symlinkSync(join(folder, 'a.glb'), join(folder, 'deep/link.glb'));
        symlinkSync('nowhere', join(folder, 'deep/dangling.glb'));
        expect(await expandInputs(at('deep'))).toEqual(at('deep/c.glb', 'deep/er/d.glb', 'deep/link.glb'));
    });

    test('the output folder is left out if it is inside the input folder, not if it is that folder', async () => {
        const found = async (out: string) =>
            (await findInputs([folder], { out: join(folder, out) })).map(({ tree }) => tree);
        expect(await found('deep/er')).toEqual(FOUND.filter((name) => name !== 'deep/er/d.glb'));
        expect(await found('.')).toEqual(FOUND);
    });

    test('a folder without models is an InputError that says so', async () => {
        mkdirSync(join(folder, 'empty'));
        await expect(expandInputs(at('empty'))).rejects.toMatchObject({
            code: 'FILE_UNREADABLE',
            message: `${join(folder, 'empty')}: no .glb, .gltf, .vrm, .fbx or .bvh file is in this folder, or in one below it`,
        });
    });
});

describe('the path relative to the argument', () => {
    test.each([
        ['deep', 'c.glb er/d.glb'],
        ['deep/**/*.glb', 'c.glb er/d.glb'],
        ['./deep/../deep/*/d.glb', 'er/d.glb'],
        ['dee{p/c,p/er/d}.glb', 'deep/c.glb deep/er/d.glb'],
        // Files are relative to their common folder.
        ['deep/c.glb deep/er/d.glb', 'c.glb er/d.glb'],
        ['deep/er/d.glb a.glb', 'deep/er/d.glb a.glb'],
        ['deep/er/d.glb', 'd.glb'],
        ['deep/er/d.glb deep deep/missing.glb', 'er/d.glb c.glb missing.glb'],
    ])('%s: %s', async (names, expected) => {
        const found = await findInputs(at(...names.split(' ')));
        expect(found.map(({ tree }) => tree)).toEqual(expected.split(' '));
    });
});

describe('--exclude', () => {
    const left = async (names: string[], ...exclude: string[]) =>
        (await findInputs(at(...names), { exclude })).map(({ path }) => relative(folder, path));
    test.each<[string[], string[], string[]]>([
        [['.'], ['?.glb'], ['B.gltf', 'x[1].glb']],
        [['.'], ['deep'], ['B.gltf', 'a.glb', 'b.glb', 'x[1].glb']],
        [['.'], ['**/er/*', '*.gltf', 'x*'], ['a.glb', 'b.glb', 'deep/c.glb']],
        [['.'], ['FOLDER/deep/er/'], FOUND.filter((name) => name !== 'deep/er/d.glb')],
        [['.'], ['FOLDER/*.glb'], ['B.gltf', 'deep/c.glb', 'deep/er/d.glb']],
        [['**/*.glb'], ['er', '[ab].*'], ['deep/c.glb', 'x[1].glb']],
        [['a.glb', 'deep/c.glb', 'deep/er/d.glb'], ['er', 'a.*'], ['deep/c.glb']],
        // The name of the current folder's parent or sibling does not count.
        [['deep'], [basename(tmpdir()), 'e', 'c'], ['deep/c.glb', 'deep/er/d.glb']],
    ])('of %p without %p: %p', async (names, exclude, expected) => {
        const patterns = exclude.map((pattern) => pattern.replace('FOLDER', folder));
        expect(await left(names, ...patterns)).toEqual(expected);
    });

    test('paths are relative to the current folder', async () => {
        const cwd = jest.spyOn(process, 'cwd').mockReturnValue(join(folder, 'deep'));
        try {
            expect(await left(['.'], 'er/*', '../a.glb')).toEqual(['B.gltf', 'b.glb', 'deep/c.glb', 'x[1].glb']);
        } finally {
            cwd.mockRestore();
        }
    });

    test('an exclusion of all files, or an empty one, is a UsageError', async () => {
        await expect(left(['.'], '*')).rejects.toMatchObject({
            name: 'UsageError',
            message: '--exclude: no file is left of 6',
        });
        await expect(left(['.'], '')).rejects.toThrow('--exclude: the pattern is empty');
    });
});

describe('refuseCollisions', () => {
    const inputsOf = (trees: readonly string[]) => trees.map((tree) => ({ path: tree, tree }));
    const refuse = async (trees: readonly string[], keepTree: boolean) =>
        refuseCollisions(await targetsOf(inputsOf(trees), join(folder, 'out'), keepTree), 'bake', withoutSkin);

    test.each([
        [['hero.glb', 'hero.gltf']],
        [['hero.glb', 'other.glb', 'Hero.glb']],
        [['hero.glb', 'hero.skin0.glb']],
        [['hero.skin1.glb', 'hero.glb']],
    ])('%p', async (trees) => {
        const message = /would write the same files: bake them into different folders$/;
        for (const keepTree of [false, true]) await expect(refuse(trees, keepTree)).rejects.toThrow(message);
    });

    test('different folders: the error suggests --keep-tree, which helps', async () => {
        const trees = ['a/hero.glb', 'b/hero.glb', 'hero.glb'];
        await expect(refuse(trees, false)).rejects.toThrow(
            "'a/hero.glb' and 'b/hero.glb' would write the same files: bake them into different folders, as --keep-tree does",
        );
        expect([...(await refuse(trees, true)).values()]).toEqual(trees);
    });

    test('one folder with two names is rejected with --keep-tree', async () => {
        mkdirSync(join(folder, 'out/a'), { recursive: true });
        symlinkSync('a', join(folder, 'out/link'), 'junction');
        for (const other of ['A/Hero.glb', 'link/hero.glb']) {
            await expect(refuse(['a/hero.glb', other], true)).rejects.toThrow(/would write the same files/);
        }
    });

    test('other names, and several skins, can be baked together', async () => {
        for (const trees of [
            ['hero.glb', 'hero2.glb', 'skin0.glb'],
            ['hero.skin0.glb', 'hero.skin1.glb'],
        ]) {
            await expect(refuse(trees, false)).resolves.toBeDefined();
        }
    });
});

test('shards: n processes take each input once', () => {
    const inputs = Array.from({ length: 10 }, (_, i) => `${i}.glb`);
    for (const count of [1, 2, 3, 7, 10, 12]) {
        const shards = Array.from({ length: count }, (_, i) => takeShard(inputs, { index: i + 1, count }));
        expect(shards.flat().sort()).toEqual(inputs);
        const sizes = shards.map(({ length }) => length);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
    }
});

describe('--shard env', () => {
    /** Values that Slurm 22.05 sets for `--array=<min>-<max>:<step>`. */
    const slurm = (...values: [id: number, min: number, max: number, step: number, count: number]) =>
        ['ID', 'MIN', 'MAX', 'STEP', 'COUNT'].map((name, i) => `SLURM_ARRAY_TASK_${name}=${values[i]}`).join(' ');
    const shardOf = (variables: string, wanted?: number) =>
        shardFromEnvironment(wanted, Object.fromEntries(variables.split(' ').map((one) => one.split('='))));

    test.each<[string, string[], number?]>([
        ['--array=0-2', [0, 1, 2].map((id) => slurm(id, 0, 2, 1, 3))],
        ['--array=1-3', [1, 2, 3].map((id) => slurm(id, 1, 3, 1, 3)), 3],
        ['--array=2-8:3', [2, 5, 8].map((id) => slurm(id, 2, 8, 3, 3))],
        ['an indexed job', [0, 1, 2].map((index) => `JOB_COMPLETION_INDEX=${index}`), 3],
        ['CI', [0, 1, 2].map((index) => `CI_NODE_INDEX=${index} CI_NODE_TOTAL=3`)],
        ['GitLab', [1, 2, 3].map((index) => `GITLAB_CI=true CI_NODE_INDEX=${index} CI_NODE_TOTAL=3`), 3],
    ])('%s: each part once', (...[, processes, wanted]) => {
        const shards = processes.map((variables) => shardOf(variables, wanted));
        expect(shards).toEqual([1, 2, 3].map((index) => ({ index, count: 3 })));
    });

    const JOB = 'JOB_COMPLETION_INDEX';
    const TWO = `${slurm(1, 0, 7, 1, 8)} CI_NODE_INDEX=2 CI_NODE_TOTAL=4`;
    const GITLAB = 'GITLAB_CI=true CI_NODE_INDEX=0 CI_NODE_TOTAL=4';
    test.each<[variables: string, wanted: number | undefined, RegExp]>([
        ['A=', undefined, /SLURM_ARRAY_TASK_ID is not set, JOB_COMPLETION_INDEX is not set, CI_NODE_INDEX is not/],
        [`${JOB}=`, 8, /JOB_COMPLETION_INDEX is not set.*: needs one of them/],
        [TWO, undefined, /SLURM_ARRAY_TASK_ID=1, CI_NODE_INDEX=2: which of them counts\?/],
        [slurm(-1, 0, 7, 1, 8), 8, /SLURM_ARRAY_TASK_ID=-1: needs a whole/],
        [slurm(3, 1, 9, 1, 3), undefined, /: 3 tasks from 1 to 9 with a step of 1: needs a range/],
        [slurm(3, 3, 3, 0, 1), undefined, /with a step of 0: needs a range/],
        [slurm(3, 2, 8, 3, 3), undefined, /SLURM_ARRAY_TASK_ID=3: it is not one of 3 parts, counted from 2$/],
        [slurm(3, 3, 5, 1, 3), 8, /--shard env\/8: SLURM_ARRAY_TASK_ID=3 is one of 3$/],
        [`${JOB}=3`, undefined, /JOB_COMPLETION_INDEX=3, and .* such as --shard env\/8$/],
        [`${JOB}=8`, 8, /JOB_COMPLETION_INDEX=8: it is not one of 8 parts, counted from 0$/],
        [`${JOB}=0`, 0, /JOB_COMPLETION_INDEX=0: it is not one of 0 parts, counted from 0$/],
        ['CI_NODE_INDEX=4 CI_NODE_TOTAL=4', undefined, /CI_NODE_INDEX=4: it is not one of 4 parts, counted from 0$/],
        [GITLAB, undefined, /CI_NODE_INDEX=0: it is not one of 4 parts, counted from 1$/],
        ['CI_NODE_INDEX=1', undefined, /CI_NODE_TOTAL is not set: needs a whole number/],
    ])('%s of %p: a UsageError', (variables, wanted, message) => {
        expect(() => shardOf(variables, wanted)).toThrow(message);
        expect(() => shardOf(variables, wanted)).toThrow(expect.objectContaining({ name: 'UsageError' }));
    });
});
