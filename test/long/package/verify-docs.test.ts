// SPDX-License-Identifier: MIT

import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bakeFile, writeBake } from '../../../lib/bake';
import { reduceFile } from '../../../lib/reduce';
import { verifyBake } from '../../../lib/verify';
import { blocksOf, commandsOf, expectToRun } from '../../support/documents';
import { CHARACTER, FOX, KNIGHT, testModel } from '../../support/models';
import { runNode } from '../../support/processes';

const ROOT = join(__dirname, '../../..');

describe('docs/verify.md', () => {
    // Inside the package, where its own name is found.
    const at = mkdtempSync(join(ROOT, 'build/verify-docs-'));
    afterAll(() => rmSync(at, { recursive: true, force: true }));

    beforeAll(async () => {
        mkdirSync(join(at, 'models'));
        for (const name of ['hero', 'models/hero']) copyFileSync(CHARACTER.path, join(at, `${name}.glb`));
        for (const [out, fps] of [
            ['out', 60],
            ['before', 60],
            ['after', 30],
        ] as const) {
            const { outputs } = await bakeFile(join(at, 'hero.glb'), { fps });
            await writeBake(outputs, join(at, out));
        }
        await writeBake(await bakeFile(join(at, 'hero.glb'), { fps: 10, emit: ['openvat'] }), join(at, 'out'));
        const { bytes } = await reduceFile(join(at, 'hero.glb'), { maxError: '0.5mm' });
        writeFileSync(join(at, 'hero.small.glb'), bytes);
    });

    test('every command runs, and ends as the page says', () => {
        const all = commandsOf('docs/verify.md');
        expect(all.length).toBeGreaterThan(4);
        expectToRun(all, at);
        expect(readFileSync(join(at, 'hero.html'), 'utf8')).toMatch(/^<!doctype html>/i);
    });

    test('every sample runs as printed', () => {
        const results = blocksOf('docs/verify.md')('js').map((sample) => {
            const [, names] = /const (\{.+?\}) = await/.exec(sample)!;
            const { stdout, stderr } = runNode(
                ['--input-type=module', '-e', `${sample}console.log(JSON.stringify(${names}));`],
                { cwd: at },
            );
            expect(stderr).toBe('');
            return JSON.parse(stdout);
        });
        expect(results).toMatchObject([
            { ok: true, problems: [] },
            { ok: true, problems: [] },
            { equal: false, clips: { onlyInA: [], onlyInB: [] } },
        ]);
    });

    const [, ...shares] = /worst share is (.+?) for the example, (.+?) for Fox, (.+?) for KayKit/.exec(
        readFileSync(join(ROOT, 'docs/verify.md'), 'utf8'),
    )!;
    for (const [i, model] of [CHARACTER, FOX, KNIGHT].entries()) {
        testModel(model, 'is off by as much as it says', async () => {
            const { outputs } = await bakeFile(model.path, { fps: 60 });
            const [written] = await writeBake(outputs, join(at, model.name));
            const { worst } = await verifyBake(model.path, written!.json);
            expect(worst!.share.toPrecision(2)).toBe(shares[i]);
        });
    }
});
