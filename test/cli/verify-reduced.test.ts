// SPDX-License-Identifier: MIT

/** `poselane verify` of a model with fewer keys, in this process. */

import { copyFileSync } from 'node:fs';
import { basename } from 'node:path';
import { CHARACTER } from '../support/models';
import { expectRun, inNewFolder, printed, put } from './command-line';
import { smallGltf } from './small-gltf';

inNewFolder();

/** The small model, with joint 1 moving up by this distance instead of 1. */
const model = (path: string, up = 1) => put(path, smallGltf({ up }));
const anything = (code: number) => ({ code, stdout: null, stderr: null });

describe('two files', () => {
    beforeEach(() => {
        for (const [name, up] of Object.entries({ source: 1, near: 1.0001, far: 3 })) model(`${name}.gltf`, up);
    });
    const verify = (line: string, expected: Parameters<typeof expectRun>[1]) =>
        expectRun(`verify source.gltf ${line}`, expected);

    test('within the bound: one line, exit 0', async () => {
        // There are no vertices. Both joints are at the origin, and one moves up by 1.
        const off = "off by at most 0.01% of the extent (0.1 mm): clip #0 'Walk', joint 'knee' (node 1) at 1 s";
        const stdout = `near.gltf: within 0.05% of the extent (0.5 mm): ${off}\n`;
        await verify('near.gltf --max-error 0.5mm', { stdout });
        const same = `${CHARACTER.path}: within 0.1% of the extent (1.6 mm): no vertex is off in any of 3 clips\n`;
        await expectRun(`verify ${CHARACTER.path} ${CHARACTER.path}`, { stdout: same });
    });

    test('beyond the bound: the clips, and exit 4', async () => {
        const place = (clip: string, by = 'by') =>
            `off ${by} 200% of the extent (2 m): clip ${clip}, joint 'knee' (node 1) at 1 s\n`;
        const worst = place("#0 'Walk'", 'by at most');
        await verify('far.gltf --max-error 2cm', {
            code: 4,
            stdout: `${place("#0 'Walk'")}${place("#1 'Run'")}far.gltf: BEYOND 2% of the extent (20 mm): ${worst}`,
            stderr: 'poselane: far.gltf: error above the maximum\n',
        });
    });

    test('changes other than keys: a list, and exit 4', async () => {
        put('renamed.gltf', smallGltf().replace('knee', 'elbow'));
        await verify('renamed.gltf --max-error 0.02', {
            code: 4,
            stdout:
                'FILE_DIFFERS renamed.gltf#/nodes/1/name: is "elbow", in the source "knee"\n' +
                'renamed.gltf: DIFFERS from source.gltf in more than its keys: no vertex is off in any of 2 clips\n',
            stderr: 'poselane: renamed.gltf: more than the keys of source.gltf was changed\n',
        });
    });

    test('--json, --max-angle and --keep-joints', async () => {
        const judged = JSON.parse(await printed('verify source.gltf far.gltf --json --max-angle inf'));
        expect(judged).toMatchObject({ ok: true, clips: [{ error: 0 }, { error: 0 }] });
        const { stdout } = await verify('far.gltf --json --max-angle inf --keep-joints knee', anything(4));
        expect(JSON.parse(stdout)).toMatchObject({ ok: false, worst: { error: 2, time: 1 } });
    });

    test('wrong use: exit 2; a missing file: exit 3', async () => {
        const options = ['--max-error much', '--max-angle -1', '--keep-joints (', '--keep-joints none'];
        for (const wrong of [...options, '--tol 1', '--oracle three']) {
            await verify(`source.gltf ${wrong}`, { code: 2, stderr: null });
        }
        await printed('bake source.gltf -o out');
        const stderr = /need a reduced model, not a bake/;
        await verify('out/source.bake.json --max-error 1mm', { code: 2, stderr });
        const first = /the first file must be the source, got a bake: poselane verify hero\.glb out/;
        await expectRun('verify out/source.bake.json out/source.bake.json', { code: 2, stderr: first });
        await verify('no.glb', { code: 3, stderr: null });
        await expectRun('verify no.glb source.gltf', { code: 3, stderr: null });
    });
});

describe('folders', () => {
    beforeEach(() => {
        for (const [name, up] of Object.entries({ knight: 1, 'a/rogue': 2 })) {
            model(`models/${name}.gltf`, up);
            model(`small/${name}.glb`, up + 0.0001);
        }
    });
    const verified = async (line: string) =>
        JSON.parse(await printed(`verify models small --json --max-error 1mm${line}`));

    test('each model is compared with the source of its name: a line for each, and totals', async () => {
        expect(await printed('verify models small --max-error 1mm')).toMatch(
            /^small\/a\/rogue\.glb: within 0\.05% of the extent \(1 mm\): off by at most .*\nsmall\/knight\.glb: within 0\.1% of the extent \(1 mm\).*\n2 models: 2 within; [\d.]+ s\n$/,
        );
    });

    test('--json: a list with the source of each; of several with the same name, the one in the same folder', async () => {
        for (const folder of ['models', 'small']) model(`${folder}/b/rogue.${folder === 'models' ? 'gltf' : 'glb'}`, 5);
        expect(await verified('')).toMatchObject([
            { reduced: 'small/a/rogue.glb', input: 'models/a/rogue.gltf', ok: true, maxError: 0.001 },
            { reduced: 'small/b/rogue.glb', input: 'models/b/rogue.gltf', ok: true },
            { reduced: 'small/knight.glb', input: 'models/knight.gltf', ok: true },
        ]);
    });

    test('one beyond the bound, one of another model, one that is not glTF: exit 5, and each is reported', async () => {
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

    test('other names: a name that starts with that of a source belongs to it; others are reported, as is a source without a model', async () => {
        copyFileSync('small/knight.glb', 'small/knight.lod1.glb');
        copyFileSync('small/knight.glb', 'small/knightly.glb');
        copyFileSync('models/knight.gltf', 'models/orc.gltf');
        await expectRun('verify models small --max-error 1mm', {
            code: 5,
            stdout: /small\/knight\.lod1\.glb: within/,
            stderr: /^poselane: small\/knightly\.glb: no file among those of '[^']*models' has its name; name both files: .*\nposelane: warning: models\/orc\.gltf: nothing was made of it\nposelane: 1 of 4 models /,
        });
    });

    test('bakes and models in one folder, which can be that of the sources', async () => {
        for (const out of ['small', 'models']) await printed(`bake models -o ${out} -j 1 --quiet`);
        const both: { bake?: string; reduced?: string }[] = await verified(' --tol 1e-4');
        const names = both.map(({ bake, reduced }) => basename(bake ?? reduced!));
        expect(names).toEqual(['rogue.glb', 'knight.bake.json', 'knight.glb', 'rogue.bake.json']);
        expect(await printed('verify models small --max-error 1mm')).toMatch(/4 files: 2 proved, 2 within; /);
        expect(await printed('verify models models')).toMatch(/2 bakes: 2 proved; /);
        // The bake of the other model is wrong for this one.
        const alone = { code: 5, stdout: /models\/knight\.bake\.json/, stderr: null };
        await expectRun('verify models/knight.gltf models', alone);
    });

    test('one source and a folder: the models with its name', async () => {
        const stdout = /^small\/knight\.glb: within[^\n]+\n$/;
        await expectRun('verify models/knight.gltf small --max-error 1mm', { stdout });
        await expectRun('verify models/knight.gltf small/a', { code: 3, stderr: null });
    });

    test('invalid combinations of options: exit 2', async () => {
        const tol = /--tol, --oracle and --animations need a bake/;
        await expectRun('verify models small --tol 1', { code: 2, stderr: tol });
        const error = /--max-error is -1; it must be 0 or more/;
        await expectRun('verify models small --max-error -1', { code: 2, stderr: error });
    });
});
