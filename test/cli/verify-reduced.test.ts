// SPDX-License-Identifier: MIT

/** `poselane verify` of a model with fewer keys, in this process. */

import { copyFileSync, mkdirSync } from 'node:fs';
import { basename } from 'node:path';
import { CHARACTER } from '../support/models';
import { expectRun, inNewFolder, poselane, printed, put } from './command-line';
import { smallGltf } from './small-gltf';

inNewFolder();

/** The small model, whose joint 1 goes this far up instead of 1. */
function small(name: string, up = 1, change = (text: string) => text): string {
    put(name, change(smallGltf({ up })));
    return name;
}

test('within what is allowed: one line, exit 0', async () => {
    const [source, reduced] = [small('source.gltf'), small('near.gltf', 1.0001)];
    // There are no vertices. Both joints are at the origin, and one travels up by 1.
    const stdout = await printed(`verify ${source} ${reduced} --max-error 0.5mm`);
    expect(stdout).toBe(
        `${reduced}: within 0.05% of the extent (0.5 mm): off by at most 0.01% of the extent (0.1 mm): clip #0 'Walk', joint 'knee' (node 1) at 1 s\n`,
    );
    const same = await poselane(`verify ${CHARACTER.path} ${CHARACTER.path}`);
    expect(same).toEqual({
        code: 0,
        stdout: `${CHARACTER.path}: within 0.1% of the extent (1.6 mm): no vertex is off in any of 3 clips\n`,
        stderr: '',
    });
});

test('beyond: the clips, and exit 4', async () => {
    const [source, reduced] = [small('source.gltf'), small('far.gltf', 3)];
    const { code, stdout, stderr } = await poselane(`verify ${source} ${reduced} --max-error 2cm`);
    expect(code).toBe(4);
    const place = (animation: number, name: string) =>
        `off by 200% of the extent (2 m): clip #${animation} '${name}', joint 'knee' (node 1) at 1 s`;
    expect(stdout).toBe(
        `${place(0, 'Walk')}\n${place(1, 'Run')}\n${reduced}: BEYOND 2% of the extent (20 mm): ${place(0, 'Walk').replace('by', 'by at most')}\n`,
    );
    expect(stderr).toBe(`poselane: ${reduced}: error above the maximum\n`);
});

test('more than the keys was changed: what, and exit 4', async () => {
    const source = small('source.gltf');
    const reduced = small('renamed.gltf', 1, (text) => text.replace('knee', 'elbow'));
    await expectRun(`verify ${source} ${reduced} --max-error 0.02`, {
        code: 4,
        stdout:
            `FILE_DIFFERS ${reduced}#/nodes/1/name: is "elbow", in the source "knee"\n` +
            `${reduced}: DIFFERS from ${source} in more than its keys: no vertex is off in any of 2 clips\n`,
        stderr: `poselane: ${reduced}: more than the keys of ${source} was changed\n`,
    });
});

test('--json, --max-angle and --keep-joints', async () => {
    const [source, reduced] = [small('source.gltf'), small('far.gltf', 3)];
    const judged = await poselane(`verify ${source} ${reduced} --json --max-angle inf`);
    expect(judged.code).toBe(0);
    expect(JSON.parse(judged.stdout)).toMatchObject({ ok: true, clips: [{ error: 0 }, { error: 0 }] });
    const kept = await poselane(`verify ${source} ${reduced} --json --max-angle inf --keep-joints knee`);
    expect(kept.code).toBe(4);
    expect(JSON.parse(kept.stdout)).toMatchObject({ ok: false, worst: { error: 2, time: 1 } });
});

test('wrong use: exit 2; a file that is none: exit 3', async () => {
    const source = small('source.gltf');
    for (const wrong of [
        '--max-error much',
        '--max-angle -1',
        '--keep-joints (',
        '--keep-joints none',
        '--tol 1',
        '--oracle three',
    ]) {
        const { code, stdout } = await poselane(`verify ${source} ${source} ${wrong}`);
        expect({ wrong, code, stdout }).toEqual({ wrong, code: 2, stdout: '' });
    }
    expect((await poselane(`bake ${source} -o out`)).code).toBe(0);
    const refused = await poselane(`verify ${source} out/source.bake.json --max-error 1mm`);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('need a reduced model, not a bake') });
    expect((await poselane(`verify ${source} no.glb`)).code).toBe(3);
    expect((await poselane(`verify no.glb ${source}`)).code).toBe(3);
});

describe('folders', () => {
    const model = (path: string, up = 1) => put(path, smallGltf({ up }));
    beforeEach(() => {
        for (const [name, up] of [
            ['knight', 1],
            ['a/rogue', 2],
        ] as const) {
            model(`models/${name}.gltf`, up);
            model(`small/${name}.glb`, up + 0.0001);
        }
    });

    test('each model is judged against the source of its name: a line for each, and totals', async () => {
        const stdout = await printed('verify models small --max-error 1mm');
        expect(stdout).toMatch(
            /^small\/a\/rogue\.glb: within 0\.05% of the extent \(1 mm\): off by at most .*\nsmall\/knight\.glb: within 0\.1% of the extent \(1 mm\).*\n2 models: 2 within; [\d.]+ s\n$/,
        );
    });

    test('--json: a list with the source of each', async () => {
        const stdout = await printed('verify models small --max-error 1mm --json');
        expect(JSON.parse(stdout)).toMatchObject([
            { reduced: 'small/a/rogue.glb', input: 'models/a/rogue.gltf', ok: true, maxError: 0.001 },
            { reduced: 'small/knight.glb', input: 'models/knight.gltf', ok: true },
        ]);
    });

    test('one that is beyond, one that is another model, one that is not glTF: exit 5, and each is told', async () => {
        model('small/knight.glb', 3);
        put('small/a/rogue.glb', smallGltf({ up: 2, clips: ['Walk'] }));
        put('models/orc.glb', smallGltf());
        put('small/orc.glb', 'HIERARCHY\nROOT');
        await expectRun('verify models small', {
            code: 5,
            stdout: /CLIP_DIFFERS small\/a\/rogue\.glb.+small\/knight\.glb: BEYOND .+3 models: 1 beyond, 1 different, 1 not read; /s,
            stderr: /^poselane: small\/orc\.glb: .*BVH.*\nposelane: 3 of 3 models are wrong, above the maximum error, or could not be read\n$/,
        });
    });

    test('other names: one that begins with the name of a source has that; others are told, and so is a source without a model', async () => {
        copyFileSync('small/knight.glb', 'small/knight.lod1.glb');
        copyFileSync('small/knight.glb', 'small/knightly.glb');
        copyFileSync('models/knight.gltf', 'models/orc.gltf');
        await expectRun('verify models small --max-error 1mm', {
            code: 5,
            stdout: /small\/knight\.lod1\.glb: within/,
            stderr: /^poselane: small\/knightly\.glb: no file among those of '[^']*models' has its name; name both files: .*\nposelane: warning: models\/orc\.gltf: nothing was made of it\nposelane: 1 of 4 models /,
        });
    });

    test('of several sources of one name it is the one in the same folder', async () => {
        mkdirSync('models/b');
        mkdirSync('small/b');
        model('models/b/rogue.gltf', 5);
        model('small/b/rogue.glb', 5);
        const stdout = await printed('verify models small --json --max-error 1mm');
        const inputs = JSON.parse(stdout).map(({ input }: { input: string }) => input);
        expect(inputs).toEqual(['models/a/rogue.gltf', 'models/b/rogue.gltf', 'models/knight.gltf']);
    });

    test('bakes and models in one folder, which may be that of the sources', async () => {
        for (const out of ['small', 'models']) {
            expect((await poselane(`bake models -o ${out} -j 1 --quiet`)).code).toBe(0);
        }
        const both = await poselane('verify models small --max-error 1mm --tol 1e-4 --json');
        expect(both.code).toBe(0);
        const names = JSON.parse(both.stdout).map(
            ({ bake, reduced }: { bake?: string; reduced?: string }) => bake ?? reduced,
        );
        expect(names.map((name: string) => basename(name))).toEqual([
            'rogue.glb',
            'knight.bake.json',
            'knight.glb',
            'rogue.bake.json',
        ]);
        expect((await poselane('verify models small --max-error 1mm')).stdout).toMatch(/4 files: 2 proved, 2 within; /);
        const beside = await poselane('verify models models');
        expect(beside).toMatchObject({ code: 0, stdout: expect.stringMatching(/2 bakes: 2 proved; /), stderr: '' });
        const alone = await poselane('verify models/knight.gltf models');
        expect(alone.stdout).toMatch(/models\/knight\.bake\.json/);
    });

    test('one source and a folder: the models that have its name', async () => {
        const stdout = await printed('verify models/knight.gltf small --max-error 1mm');
        expect(stdout).toMatch(/^small\/knight\.glb: within[^\n]+\n$/);
        expect(await poselane('verify models/knight.gltf small/a')).toMatchObject({ code: 3 });
    });

    test.each<[string[], RegExp]>([
        [['models', 'small', '--tol', '1'], /--tol, --oracle and --animations need a bake/],
        [['models', 'small', '--max-error', '-1'], /--max-error is -1; it must be 0 or more/],
    ])('%j is refused: exit 2', async ([input, out, ...options], message) => {
        const { code, stderr } = await poselane(['verify', input!, out!, ...options]);
        expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) });
    });
});
