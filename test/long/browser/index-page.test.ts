// SPDX-License-Identifier: MIT

/** The index of a batch in Chromium, from a disk and without a network. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { IndexEntry } from '../../../lib/report/data';
import { indexHtml } from '../../../lib/report/index-page';
import { launchChromium } from '../../support/chromium';
import { scratchFolder } from '../../support/temporary-folder';
import { describeInChromium } from './pages-in-chromium';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const warning = (code: string, pointer = '') => ({ code, pointer, message: `${code} at ${pointer}: do this` });

/** A file whose error is `share`. */
function entry(input: string, share: number, more: Partial<IndexEntry> = {}): IndexEntry {
    return {
        input,
        href: `${encodeURIComponent(input)}.html`,
        thumbnail: null,
        clips: 2,
        rows: 10,
        fps: [24, 30],
        bytes: 1000,
        error: { share, distance: 2 * share, clip: 'Walk' },
        bound: 0.01,
        warnings: [],
        failure: null,
        ...more,
    };
}

const ENTRIES = [
    entry('fish/small.glb', 0.002, { bytes: 5000 }),
    entry('fish/large.glb', 0.3, { warnings: [warning('ONE', '/a'), warning('ONE', '/b'), warning('TWO')] }),
    entry('bad.glb', 0, { href: null, error: null, failure: 'not a glTF file' }),
    entry('close.glb', 0.0099, { warnings: [warning('TWO')] }),
];

jest.setTimeout(60_000);

describeInChromium(() => {
    const scratch = scratchFolder();
    let browser: Browser;
    let page: Page;
    let faults: string[];

    beforeAll(async () => {
        browser = await launchChromium();
    });
    afterAll(() => browser?.close());
    afterEach(() => page.context().close());

    async function open(entries: readonly IndexEntry[], options: BrowserContextOptions = {}): Promise<void> {
        const file = join(scratch(), 'index.html');
        writeFileSync(file, indexHtml('0.1.0', entries));
        page = await (await browser.newContext({ offline: true, ...options })).newPage();
        faults = [];
        page.on('pageerror', ({ message }) => faults.push(message));
        page.on('console', (line) => line.type() === 'error' && faults.push(line.text()));
        await page.goto(pathToFileURL(file).href);
        expect(await page.evaluate(() => document.body.dataset.ready)).toBe('yes');
    }

    /** Names of the files that are visible, in order. */
    const shown = () =>
        page.locator('.file:visible h2').evaluateAll((all) => all.map((one) => one.firstChild!.textContent));

    test('totals, the error against the bound, and every warning with its text', async () => {
        await open(ENTRIES);
        expect(await page.title()).toBe('4 files, 1 not baked');
        expect(await page.locator('#summary li').allTextContents()).toEqual([
            '8 clips',
            '40 rows',
            '7.81 KiB',
            '1 file above the bound',
            '4 warnings',
        ]);
        const large = page.locator('.file', { hasText: 'large.glb' });
        expect(await large.locator('.over').textContent()).toBe('30% (above the bound)');
        expect(await page.locator('.file .over').count()).toBe(1);
        // The mark of the bound is in the middle of each bar.
        const reach = await page.locator('.meter').evaluateAll((bars) =>
            bars.map((bar) => {
                const [fill, bound] = [...bar.children].map((part) => part.getBoundingClientRect()) as [
                    DOMRect,
                    DOMRect,
                ];
                return fill.right > bound.left + 1;
            }),
        );
        expect(reach).toEqual([true, false, false]);
        await large.locator('summary').first().click();
        expect(await large.locator('.warnings > li').allTextContents()).toEqual([
            expect.stringMatching(/^ONE × 2ONE at \/a: do this. \/a1 more/),
            expect.stringMatching(/^TWOTWO at : do this.$/),
        ]);
        expect(faults).toEqual([]);
    });

    test('failures first, then the maximum error; other orders; a search that gives the keyboard back', async () => {
        await open(ENTRIES);
        for (const [sort, names] of [
            ['Maximum error', ['bad.glb', 'large.glb', 'close.glb', 'small.glb']],
            ['Name', ['bad.glb', 'close.glb', 'large.glb', 'small.glb']],
            ['Size', ['small.glb', 'large.glb', 'bad.glb', 'close.glb']],
            ['Warnings', ['large.glb', 'close.glb', 'small.glb', 'bad.glb']],
        ] as const) {
            await page.getByLabel('Sort by').selectOption(sort);
            expect([sort, await shown()]).toEqual([sort, names]);
        }
        const focused = () => page.evaluate(() => document.activeElement!.textContent!.trim());
        await page.getByLabel('Sort by').evaluate((field: HTMLElement) => field.blur());
        await page.keyboard.press('/');
        await page.keyboard.type('FISH/');
        expect(await shown()).toEqual(['large.glb', 'small.glb']);
        expect(await page.locator('#found').textContent()).toBe('2 of 4 files');
        await page.keyboard.press('Enter');
        expect(await focused()).toBe('large.glb');
        await page.keyboard.press('/');
        await page.keyboard.press('Escape');
        expect(await shown()).toHaveLength(4);
        expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
        await page.keyboard.press('/');
        await page.keyboard.type('two');
        expect(await shown()).toEqual(['large.glb', 'close.glb']);
    });

    test('500 files load at once', async () => {
        const { encode } = await import('fast-png');
        // Noise, which is as large as a picture gets.
        const pixels = Uint8Array.from({ length: 160 * 160 * 4 }, (_, i) => (i * 167 + ((i * i) >> 3) * 41) & 255);
        const thumbnail = Buffer.from(encode({ width: 160, height: 160, data: pixels })).toString('base64');
        const entries = Array.from({ length: 500 }, (_, i) => entry(`${i}.glb`, i / 1000, { thumbnail }));
        const started = performance.now();
        await open(entries);
        expect(performance.now() - started).toBeLessThan(5000);
        expect(await page.locator('.file').count()).toBe(500);
        const decoded = () =>
            page
                .locator('img')
                .evaluateAll((all) => all.filter((image) => (image as HTMLImageElement).naturalWidth > 0).length);
        await page.waitForFunction(() => document.querySelector('img')!.naturalWidth > 0);
        expect(await decoded()).toBeLessThan(100);
    });

    describe.each([
        ['wide', 1280, 800],
        ['narrow', 390, 844],
    ])('%s', (_, width, height) => {
        test.each(['light', 'dark'] as const)('%s: nothing is cut off, and it is accessible', async (colorScheme) => {
            await open(ENTRIES, { viewport: { width, height }, colorScheme });
            for (const summary of await page.locator('summary:visible').all()) await summary.click();
            expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
            const violations = await page.evaluate(`${AXE}; axe.run().then(({ violations }) =>
                violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) })))`);
            expect(violations).toEqual([]);
        });
    });
});
