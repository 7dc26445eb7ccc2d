// SPDX-License-Identifier: MIT

/** examples/bake.html in Chromium, used as a person does: its files are those of Node, byte for byte. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { type BakeOptions, bakedFiles, bakeFile } from '../../../lib/bake';
import { CHARACTER, describeModel, KNIGHT, type Model, RIGGED_FIGURE, ROBOT } from '../../support/models';
import { describeInChromium, pagesInChromium } from './pages-in-chromium';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

// Reports are made and drawn as well, in software, on a machine that may be busy.
jest.setTimeout(300_000);

describeInChromium(() => {
    const pages = pagesInChromium();
    const shown = (page: Page, selector: string) => page.waitForSelector(selector, { timeout: 250_000 });
    const openPage = () => pages.open('bake.html', []);

    /** Name and SHA-256 of each file that the page offers. */
    const offered = (page: Page) =>
        page.$$eval('#files a', (links) =>
            Promise.all(
                (links as HTMLAnchorElement[]).map(async ({ download, href }) => {
                    const bytes = await (await fetch(href)).arrayBuffer();
                    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
                    return [download, Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')];
                }),
            ),
        );

    async function expected({ path }: Model, options: BakeOptions): Promise<string[][]> {
        const files = bakedFiles(await bakeFile(path, options));
        return files.map(({ name, bytes }) => [name, createHash('sha256').update(bytes).digest('hex')]);
    }

    for (const model of [CHARACTER, ROBOT, KNIGHT]) {
        describeModel(model, () => {
            test('the files are those of Node', async () => {
                const { page, errors } = await openPage();
                await page.setInputFiles('#file', model.path);
                await shown(page, '#result');
                expect(await offered(page)).toEqual(await expected(model, {}));
                // The report may be there already.
                await page.dispatchEvent('#cancel', 'click');

                const options: BakeOptions = { fps: 24, layout: 'mat3x4', dtype: 'f16', clips: ['#0'] };
                options.emit = ['palette', 'bounds', 'hit', 'local', 'morph'];
                await page.selectOption('[name=fps]', '24');
                await page.selectOption('[name=palette]', 'mat3x4 f16');
                for (const name of options.emit.slice(1)) await page.check(`[value=${name}]`);
                await page.click('#clips summary');
                await page.click('#none');
                await page.check('#clip-list [value="#0"]');
                expect(await page.textContent('#chosen')).toMatch(/^1 of /);
                await page.click('.main');
                await shown(page, '#result');
                expect(await offered(page)).toEqual(await expected(model, options));
                expect(errors).toEqual([]);
            });
        });
    }

    test('the example: progress, and the report of `poselane bake --html`', async () => {
        const { page, errors } = await openPage();
        await page.evaluate(() => {
            const values: number[] = [];
            Object.assign(globalThis, { values });
            const bar = document.querySelector('progress')!;
            const watch = () => values.push(bar.position);
            new MutationObserver(watch).observe(bar, { attributes: true });
        });
        await page.click('#example');
        await shown(page, '#report');
        const values = (await page.evaluate('values')) as number[];
        expect(values).toContain(1);
        const frame = await (await page.$('iframe'))!.contentFrame();
        await frame!.waitForFunction(() => document.body.dataset.ready === 'yes', null, { timeout: 100_000 });
        expect(await frame!.textContent('#title')).toBe('character.glb');
        expect(await frame!.textContent('#facts')).toContain('auto');
        expect(errors).toEqual([]);
    });

    describeModel(RIGGED_FIGURE, () => {
        test('a .gltf with the file beside it; without, that file is named', async () => {
            const { page } = await openPage();
            const beside = RIGGED_FIGURE.path.replace('.gltf', '0.bin');
            await page.setInputFiles('#file', [beside, RIGGED_FIGURE.path]);
            await shown(page, '#result');
            expect(await offered(page)).toEqual(await expected(RIGGED_FIGURE, {}));
            await page.setInputFiles('#file', RIGGED_FIGURE.path);
            await shown(page, '.message');
            expect(await page.textContent('.message')).toMatch(/RiggedFigure0\.bin.*ENOENT.*buffers/s);
        });
    });

    test('a file that cannot be baked gives a message, and canceling ends the work', async () => {
        const { page, errors } = await openPage();
        const buffer = readFileSync(CHARACTER.path);
        await page.setInputFiles('#file', { name: 'cut.glb', mimeType: '', buffer: buffer.subarray(0, 60_000) });
        await shown(page, '.message');
        expect(await page.textContent('.message')).toContain('truncated GLB');
        expect(await page.isVisible('#options')).toBe(false);
        // At once: on a busy machine the bake would be done before a click from here.
        await page.evaluate(() => {
            const doing = document.getElementById('doing')!;
            new MutationObserver((_, observer) => {
                if (!doing.textContent!.startsWith('Baking')) return;
                observer.disconnect();
                document.getElementById('cancel')!.click();
            }).observe(doing, { childList: true });
        });
        await page.setInputFiles('#file', { name: 'hero.glb', mimeType: '', buffer });
        await page.waitForFunction(() => document.getElementById('said')!.textContent === 'Cancelled.');
        await page.waitForTimeout(1500);
        expect(await page.isVisible('#result')).toBe(false);
        expect(errors).toEqual([]);
    });

    test('narrow, light and dark: no fault that axe finds, nothing beyond the edge', async () => {
        const { page } = await openPage();
        await page.setViewportSize({ width: 360, height: 700 });
        await page.click('#example');
        await shown(page, '#report');
        await page.click('#clips summary');
        await page.evaluate(AXE);
        for (const colorScheme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme });
            const faults = await page.evaluate(async () => {
                // biome-ignore lint/suspicious/noExplicitAny: axe is a global of its own
                const { violations } = await (globalThis as any).axe.run({ iframes: false });
                return violations.map(({ id }: { id: string }) => id);
            });
            expect([colorScheme, faults]).toEqual([colorScheme, []]);
            expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
        }
    });
});
