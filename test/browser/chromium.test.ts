// SPDX-License-Identifier: MIT

/**
 * The examples and the loaders in Chromium, drawing in software: live skinning against the bake, pixel by pixel; and the
 * entry for browsers, whose results have to be those of Node, bit for bit.
 */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { bakeFile, writeBake } from '../../lib/bake';
import { launchChromium, withoutChromium } from '../support/chromium';
import { scratchFolder } from '../support/temporary-folder';

const ROOT = join(__dirname, '../..');
const MODEL = join(ROOT, 'examples/character.glb');

interface Comparison {
    readonly differing: number;
    readonly drawn: number;
}

declare global {
    // What the pages offer.
    function compareHalves(clip: number, frame: number): Comparison;
    function compareCrowd(maxSize?: number): Promise<Comparison & { later: number; byClock?: number }>;
    function compareBetween(): Promise<Record<'mat4' | 'mat3x4' | 'f16' | 'rowBefore', Comparison>>;
    function evaluateModel(): Promise<{ backend: string; hash: number; count: number }>;
}

const reason = withoutChromium();
const title = reason === null ? 'in Chromium' : `in Chromium [skipped: ${reason}]`;

(reason === null ? describe : describe.skip)(title, () => {
    const scratch = scratchFolder();
    let browser: Browser;
    let server: ChildProcess;
    let url: string;

    beforeAll(async () => {
        const { outputs } = await bakeFile(MODEL, { fps: 60 });
        const [{ json }] = await writeBake(outputs, scratch());
        server = spawn(process.execPath, [join(ROOT, 'examples/view.mjs'), json, '--port', '0'], { stdio: 'pipe' });
        const [said] = await once(server.stdout!, 'data');
        url = /http:\S+/.exec(String(said))![0];
        browser = await launchChromium();
    });
    afterAll(async () => {
        await browser?.close();
        server?.kill();
    });

    /** A page that has loaded, with a script of `pages/` in it. Whatever goes wrong in it comes out of `page.evaluate`. */
    async function openPage(path: string, script: string): Promise<{ page: Page; errors: string[] }> {
        const page = await browser.newPage({ viewport: { width: 400, height: 300 } });
        const errors: string[] = [];
        page.on('pageerror', (error) => errors.push(String(error)));
        page.on('console', (message) => {
            if (message.type() === 'error' || /error/i.test(message.text())) errors.push(message.text().slice(0, 500));
        });
        await page.route('**/blank.html', (route) =>
            route.fulfill({ contentType: 'text/html', body: '<body></body>' }),
        );
        await page.goto(url + path);
        const { outputFiles } = await build({
            entryPoints: [join(__dirname, 'pages', script)],
            bundle: true,
            write: false,
            format: 'esm',
            platform: 'browser',
            logLevel: 'silent',
            footer: { js: 'globalThis.loaded = true;' },
        });
        await page.addScriptTag({ type: 'module', content: outputFiles[0]!.text });
        const ready = "globalThis.loaded && (!document.getElementById('canvas') || document.body.dataset.ready)";
        const failed = page.waitForEvent('pageerror', { timeout: 50_000 }).then((error) => Promise.reject(error));
        await Promise.race([page.waitForFunction(ready, null, { timeout: 50_000 }), failed]).catch((error) => {
            throw new Error(`${path} is not ready: ${errors.join('; ')}`, { cause: error });
        });
        failed.catch(() => {});
        return { page, errors };
    }

    /** First, middle and last of each clip, and where STEP keys jump. Clip, then frames at 60 Hz. */
    const KEY_FRAMES = [
        [0, 0, 60, 72, 80, 120],
        [1, 0, 30, 60],
        [2, 0, 38, 47, 64, 94],
    ];

    /**
     * An edge pixel falls the other way where rounding in float32 moves a vertex over one of the rasteriser's steps: at
     * this size in one frame of 12 to 28 (docs/loaders.md), none of which is among these.
     */
    test.each([
        ['three.html', ''],
        ['three.html', '&limit=140'],
        ['babylon.html', ''],
        ['babylon.html', '&limit=140'],
    ])('examples/%s%s: the bake and live skinning are the same picture', async (example, limit) => {
        const { page, errors } = await openPage(`${example}?size=200${limit}`, 'halves.mjs');
        const pictures = new Set<number>();
        for (const [clip, ...frames] of KEY_FRAMES) {
            for (const frame of frames) {
                const of = await page.evaluate(([c, f]) => compareHalves(c!, f!), [clip!, frame]);
                expect({ clip, frame, differing: of.differing }).toEqual({ clip, frame, differing: 0 });
                // There is a character, and it moves.
                expect(of.drawn).toBeGreaterThan(4000);
                pictures.add(of.drawn);
            }
        }
        expect(pictures.size).toBeGreaterThan(8);
        expect(errors).toEqual([]);
        await page.close();
    });

    test.each(['three-crowd.mjs', 'babylon-crowd.mjs'])(
        '%s: each instance at its place, clip and time',
        async (script) => {
            const { page, errors } = await openPage('blank.html', script);
            for (const maxSize of [undefined, 140]) {
                const { differing, drawn, later, byClock } = await page.evaluate((size) => compareCrowd(size), maxSize);
                expect(drawn).toBeGreaterThan(4000);
                expect(differing).toBeLessThanOrEqual(3);
                expect(later).toBeGreaterThan(100);
                if (script === 'babylon-crowd.mjs') expect(byClock).toBeLessThanOrEqual(3);
            }
            if (script === 'three-crowd.mjs') {
                const { mat4, mat3x4, f16, rowBefore } = await page.evaluate(() => compareBetween());
                expect(mat4.drawn).toBeGreaterThan(1000);
                expect(mat4.differing).toBeLessThanOrEqual(3);
                expect(mat3x4.differing).toBe(0);
                expect(f16.differing).toBe(0);
                expect(rowBefore.differing).toBeGreaterThan(20);
            }
            expect(errors).toEqual([]);
            await page.close();
        },
    );

    test('Rig and the functions on lists have the bits that they have in Node', async () => {
        const { page, errors } = await openPage('blank.html', 'evaluate-here.mjs');
        const { backend, ...there } = await page.evaluate(() => evaluateModel());
        expect(backend).toBe('ts');
        const program = `
            import * as poselane from 'poselane';
            import { readFileSync } from 'node:fs';
            import { evaluate } from ${JSON.stringify(join(__dirname, 'pages/evaluate.mjs'))};
            console.log(JSON.stringify(await evaluate(poselane, readFileSync(${JSON.stringify(MODEL)}))));
        `;
        const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
            cwd: ROOT,
            encoding: 'utf8',
        });
        expect(stderr).toBe('');
        expect(there.count).toBeGreaterThan(100_000);
        expect(there).toEqual(JSON.parse(stdout));
        expect(errors).toEqual([]);
        await page.close();
    });
});
