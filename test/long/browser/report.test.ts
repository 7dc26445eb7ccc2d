// SPDX-License-Identifier: MIT

/** The page of a report in Chromium, from a disk and without a network, used as a person does. */

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Manifest } from '../../../lib/format/manifest';
import { reduceFile } from '../../../lib/reduce';
import { collectReduced } from '../../../lib/report/collect-reduced';
import type { ReportData } from '../../../lib/report/data';
import { reportHtml } from '../../../lib/report/html';
import { MODEL as PART, skinnedModel } from '../../gltf/support/builder';
import { dracoModel, encodeVertices } from '../../gltf/support/draco';
import { compressedView } from '../../gltf/support/meshopt';
import { launchChromium } from '../../support/chromium';
import { GltfBuilder } from '../../support/gltf-builder';
import { CHARACTER, KNIGHT } from '../../support/models';
import { bakeOf, type Parts, partsOf, worstInterval } from '../../support/report';
import { changedGlb, fileOf } from '../../support/split-file';
import { scratchFolder } from '../../support/temporary-folder';
import { testUnless } from '../../support/unless';
import { describeInChromium } from './pages-in-chromium';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

interface Opened {
    readonly page: Page;
    /** Errors of scripts, and requests for missing files. */
    readonly errors: string[];
}

// All is drawn in software, on a machine that may be busy.
jest.setTimeout(180_000);

describeInChromium(() => {
    const scratch = scratchFolder();
    let browser: Browser;
    let character: Parts;
    let opened: Opened | undefined;
    let files = 0;

    beforeAll(async () => {
        [browser, character] = await Promise.all([
            launchChromium(),
            partsOf(CHARACTER.path, { fps: 30, emit: ['palette', 'bounds'] }),
        ]);
    });
    afterAll(() => browser?.close());
    afterEach(async () => {
        await opened?.page.context().close();
        opened = undefined;
    });

    /** In place of the page before. Nothing plays by itself, unless a test wants that. */
    async function open(
        { data, blobs }: Readonly<Parts>,
        options: BrowserContextOptions = {},
        in_ = browser,
    ): Promise<Page> {
        await opened?.page.context().close();
        const file = join(scratch(), `report-${files++}.html`);
        writeFileSync(file, reportHtml(data, blobs));
        const context = await in_.newContext({
            viewport: { width: 1000, height: 700 },
            reducedMotion: 'reduce',
            offline: true,
            ...options,
        });
        const page = await context.newPage();
        const errors: string[] = [];
        opened = { page, errors };
        page.on('pageerror', (error) => errors.push(String(error)));
        page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
        page.on('request', (request) => {
            if (!/^(file|blob|data):/.test(request.url())) errors.push(`asks for ${request.url()}`);
        });
        await page.goto(pathToFileURL(file).href);
        await page.waitForFunction(() => document.body.dataset.ready !== undefined, null, { timeout: 50_000 });
        return page;
    }

    const ready = (page: Page) => page.evaluate(() => document.body.dataset.ready);
    const textOf = async (page: Page, selector: string) => (await page.textContent(selector)) ?? '';
    const messages = (page: Page) => page.locator('#messages .message').allTextContents();
    const mode = (page: Page) => page.locator('#stage').getAttribute('data-mode');
    const frame = async (page: Page) => Number(/^frame ([\d.]+)/.exec(await textOf(page, '#place'))![1]);

    /** A choice that looks like a button or a row of a list. */
    const choice = (page: Page, text: string) =>
        page.locator('main label').filter({ has: page.getByText(text, { exact: true }) });

    /** Waits until what was asked for has been drawn. */
    const drawn = (page: Page) =>
        page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

    /** The picture as it is seen, once it has been drawn: mean brightness of each half, 0 to 255. */
    async function brightness(page: Page): Promise<number[]> {
        await drawn(page);
        const image = (await page.locator('#canvas').screenshot()).toString('base64');
        return page.evaluate(async (base64) => {
            const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
            const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
            const context = canvas.getContext('2d')!;
            context.drawImage(bitmap, 0, 0);
            return [0, 1].map((half) => {
                const { data } = context.getImageData((half * canvas.width) / 2, 0, canvas.width / 2, canvas.height);
                let sum = 0;
                for (let i = 0; i < data.length; i += 4) sum += data[i]! + data[i + 1]! + data[i + 2]!;
                return sum / (data.length * 0.75);
            });
        }, image);
    }

    /** In the difference view of a paused page. */
    async function differing(page: Page): Promise<number> {
        await page.waitForFunction(() => document.getElementById('verdict')!.textContent !== '');
        await drawn(page);
        const words = await textOf(page, '#verdict');
        return words.startsWith('No pixel') ? 0 : Number(/^[\d,]+/.exec(words)![0].replace(',', ''));
    }

    test('every control, by the mouse', async () => {
        const smaller = [{ options: { fps: 'auto', layout: 'qts16' }, byteLength: 2048, bound: '1%' }] as const;
        const page = await open({ ...character, data: { ...character.data, smaller } });
        expect(await ready(page)).toBe('yes');
        expect(await messages(page)).toEqual([]);
        const summary = await textOf(page, '#summary');
        expect(summary).toContain('3 clips');
        expect(summary).toMatch(/gzip--fps auto --layout qts16 takes about 2 KiB at the same 1%maximum error/);

        for (const label of ['Overlay', 'Difference', 'Crowd', 'Side by side']) {
            await choice(page, label).click();
            expect(await mode(page)).toBe(label.toLowerCase().split(' ')[0]);
        }
        await choice(page, 'Walk').click();
        expect(await textOf(page, '#clip-name')).toBe('Walk');
        for (const name of ['Skeleton', 'Boxes', 'Nearest row']) {
            const box = page.getByLabel(name, { exact: true });
            await choice(page, name).click();
            expect(await box.isChecked()).toBe(true);
        }
        // This bake has no root motion.
        expect(await page.getByLabel('Root path').isDisabled()).toBe(true);

        await page.getByLabel('Frame forward').click();
        await page.getByLabel('Frame forward').click();
        expect(await frame(page)).toBe(2);
        await page.getByLabel('Frame back').click();
        expect(await frame(page)).toBe(1);
        await page.getByLabel('Time', { exact: true }).fill('0.5');
        expect(await textOf(page, '#place')).toContain('0.500 s');
        await page.getByLabel('Speed').fill('0.5');
        expect(await textOf(page, '#speed-shown')).toBe('0.5×');
        await page
            .getByRole('button', { name: /Go to frame/ })
            .nth(3)
            .click();
        const at = await frame(page);
        expect(at).toBeGreaterThan(3);

        await page.getByLabel('Play', { exact: true }).click();
        await page.waitForFunction(
            (before) => !document.getElementById('place')!.textContent!.startsWith(before),
            `frame ${at} `,
        );
        await page.getByLabel('Pause', { exact: true }).click();

        const { clips } = JSON.parse(character.data.bakes[0]!.outputs[0]!.json);
        const worst = clips.map((clip: { error: { maxNearest: number } }) => clip.error.maxNearest);
        await page.getByRole('button', { name: 'Worst of all clips' }).click();
        const { name, frameCount } = clips[worst.indexOf(Math.max(...worst))];
        expect(await textOf(page, '#clip-name')).toBe(name);
        // Nearest rows are whole ones: the middle of the interval is shown by the one after it.
        expect(await frame(page)).toBe(worstInterval(frameCount) + 1);
        await choice(page, 'Nearest row').click();
        await page.getByRole('button', { name: 'Worst moment' }).click();
        expect(await frame(page)).toBe(worstInterval(frameCount) + 0.5);

        // The graph leads to a time, too.
        const plot = page.locator('#graph .plot svg').first();
        const { width } = (await plot.boundingBox())!;
        await plot.click({ position: { x: width / 2, y: 30 } });
        expect(await frame(page)).toBeCloseTo((frameCount - 1) / 2, 0);

        await page.getByPlaceholder('Find a clip').fill('WA');
        expect(await page.locator('#clip-list label:visible').allTextContents()).toEqual([
            expect.stringContaining('Walk'),
            expect.stringContaining('Wave'),
        ]);
        await page.getByRole('button', { name: 'Keys' }).click();
        expect(await page.getByRole('dialog').isVisible()).toBe(true);
        await page.getByRole('button', { name: 'Close' }).click();
        expect(await page.getByRole('dialog').isVisible()).toBe(false);

        // Dragging turns both pictures; what was seen is put back.
        await page.locator('#canvas').scrollIntoViewIfNeeded();
        await drawn(page);
        const before = await page.locator('#canvas').screenshot();
        const { x, y } = (await page.locator('#canvas').boundingBox())!;
        await page.mouse.move(x + 200, y + 100);
        await page.mouse.down();
        await page.mouse.move(x + 300, y + 150, { steps: 3 });
        await page.mouse.up();
        await drawn(page);
        expect((await page.locator('#canvas').screenshot()).equals(before)).toBe(false);
        await page.getByRole('button', { name: 'Reset view' }).click();
        await drawn(page);
        expect((await page.locator('#canvas').screenshot()).equals(before)).toBe(true);
        expect(opened!.errors).toEqual([]);
    });

    test('every control, by the keyboard', async () => {
        const page = await open(character);
        const press = (...keys: string[]) =>
            keys.reduce((done, key) => done.then(() => page.keyboard.press(key)), Promise.resolve());
        for (const [key, name] of [
            ['o', 'overlay'],
            ['d', 'difference'],
            ['c', 'crowd'],
            ['1', 'side'],
        ]) {
            await press(key!);
            expect(await mode(page)).toBe(name);
        }
        await press('ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowLeft');
        expect(await frame(page)).toBe(2);
        await press('Shift+ArrowRight');
        expect(await frame(page)).toBe(12);
        await press('End');
        expect(await frame(page)).toBe(60);
        await press('Home');
        expect(await frame(page)).toBe(0);
        await press('ArrowDown', 'ArrowDown', 'ArrowUp');
        expect(await textOf(page, '#clip-name')).toBe('Walk');
        await press('[', '[', ']');
        expect(await textOf(page, '#speed-shown')).toBe('0.9×');
        for (const id of ['skeleton', 'boxes', 'nearest']) {
            await press(id[0]!);
            expect(await page.locator(`#${id}`).isChecked()).toBe(true);
        }
        await press('n', 'w');
        expect(await frame(page)).toBe(worstInterval(31) + 0.5);
        await press('Space');
        expect(await page.getByLabel('Pause', { exact: true }).isVisible()).toBe(true);
        await press('Space');
        expect(await page.getByLabel('Play', { exact: true }).isVisible()).toBe(true);
        // Enter and Escape leave the search. Enter chooses what was found, and Escape forgets it.
        const shown = page.locator('#clip-list label:visible b');
        await press('/');
        await page.keyboard.type('idle s');
        expect(await shown.count()).toBe(0);
        await press('Escape', 'n');
        expect(await shown.allTextContents()).toEqual(['Idle', 'Walk', 'Wave']);
        expect(await page.locator('#nearest').isChecked()).toBe(true);
        await press('/');
        await page.keyboard.type('wav');
        await press('Enter', 'n', 'ArrowDown');
        expect(await shown.allTextContents()).toEqual(['Wave']);
        expect(await textOf(page, '#clip-name')).toBe('Wave');
        expect(await page.locator('#nearest').isChecked()).toBe(false);
        await press('/', 'Escape');
        // Every control is reached by Tab, and shows that it is.
        await page.evaluate(() => (document.activeElement as HTMLElement).blur());
        const reached = new Set<string>();
        for (let i = 0; i < 60; i++) {
            await press('Tab');
            reached.add(
                await page.evaluate(() => {
                    const active = document.activeElement as HTMLInputElement;
                    const isHidden = active.matches('label input') && active.type !== 'range';
                    const shown = isHidden ? active.nextElementSibling! : active;
                    const outlined = getComputedStyle(shown).outlineStyle !== 'none';
                    return `${active.id || active.name || active.textContent}${outlined ? '' : ' unseen'}`;
                }),
            );
        }
        const ids =
            'help-open search clip mode skeleton boxes reset canvas back play forward time speed nearest worst worst-of-all';
        for (const id of ids.split(' ')) expect(reached).toContain(id);
        await page.locator('#canvas').focus();
        await drawn(page);
        const before = await page.locator('#canvas').screenshot();
        await press('ArrowLeft', 'ArrowUp', '+');
        await drawn(page);
        expect((await page.locator('#canvas').screenshot()).equals(before)).toBe(false);
        await press('?');
        expect(await page.getByRole('dialog').isVisible()).toBe(true);
        await press('Escape');
        expect(await page.getByRole('dialog').isVisible()).toBe(false);
        expect(opened!.errors).toEqual([]);
    });

    test('the difference is black at frames, and is not between them, nor where the bake is another', async () => {
        let page = await open(character);
        await page.keyboard.press('3');
        await page.keyboard.press('ArrowDown');
        for (let i = 0; i < 4; i++) {
            await page.keyboard.press('Shift+ArrowRight');
            // At an edge one pixel can fall the other way: docs/reliability.md.
            expect(await differing(page)).toBeLessThan(20);
            expect(Math.max(...(await brightness(page)))).toBeLessThan(12);
        }
        await page.keyboard.press('w');
        expect(await differing(page)).toBeGreaterThan(100);

        // Another model's numbers under this one's name: all rows are those of frame 0 of the clip.
        const { json, bin } = character.data.bakes[0]!.outputs[0]!;
        const manifest = JSON.parse(json);
        const bytes = character.blobs[bin]!.slice();
        const { byteOffset, byteLength } = manifest.arrays.palette;
        const rows = manifest.clips.reduce((sum: number, clip: { frameCount: number }) => sum + clip.frameCount, 0);
        const row = byteLength / rows;
        for (let i = 1; i < rows; i++) bytes.copyWithin(byteOffset + i * row, byteOffset, byteOffset + row);
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        const tampered = JSON.stringify({ ...manifest, binary: { ...manifest.binary, sha256 } });
        const output = { ...character.data.bakes[0]!.outputs[0]!, json: tampered };
        page = await open({
            data: { ...character.data, bakes: [{ ...character.data.bakes[0]!, outputs: [output] }] },
            blobs: character.blobs.map((blob, i) => (i === bin ? bytes : blob)),
        });
        await page.keyboard.press('3');
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Shift+ArrowRight');
        expect(await differing(page)).toBeGreaterThan(1000);
    });

    test('clips are sorted by each column; the keyboard follows the list; errors above the bound stand out', async () => {
        const page = await open(character);
        const shown = page.locator('#clip-list b');
        const { clips } = JSON.parse(character.data.bakes[0]!.outputs[0]!.json) as Pick<Manifest, 'clips'>;
        const by = (key: (clip: (typeof clips)[0]) => number) =>
            [...clips].sort((a, b) => key(b) - key(a)).map(({ name }) => name);
        for (const [sort, names] of [
            ['Maximum error', by(({ error }) => error.maxLerpShare)],
            ['Length', by(({ duration }) => duration)],
            ['Size', by(({ frameCount }) => frameCount)],
            ['Name', ['Idle', 'Walk', 'Wave']],
            ['Maximum error', by(({ error }) => error.maxLerpShare)],
        ] as const) {
            await page.getByLabel('Sort by').selectOption(sort);
            expect([sort, await shown.allTextContents()]).toEqual([sort, names]);
        }
        await page.getByLabel('Sort by').evaluate((field: HTMLElement) => field.blur());
        const [first, second] = await shown.allTextContents();
        await choice(page, first!).click();
        await page.evaluate(() => (document.activeElement as HTMLElement).blur());
        await page.keyboard.press('ArrowDown');
        expect(await textOf(page, '#clip-name')).toBe(second);
        const over = clips.filter(({ error }) => error.maxLerpShare > 0.01);
        expect(over.length).toBeGreaterThan(0);
        const marked = page.locator('#clip-list label').filter({ has: page.locator('.over .sign') });
        expect(await marked.count()).toBe(over.length);
        expect(await marked.first().textContent()).toContain('above the bound');
        // Both charts have the same axis, with the bound on it.
        const axes = await page.locator('#graph .axis').allTextContents();
        expect(axes).toEqual([axes[0], axes[0]]);
        expect(await page.locator('#graph .at-bound').allTextContents()).toEqual(['1%', '1%']);
        expect(await page.locator('#warnings code').allTextContents()).toEqual(['PLAYBACK_ERROR_LARGE']);
        expect(await textOf(page, '#summary')).toMatch(/30 fps.*KiB.*1 warning/);
    });

    test('it plays by itself, unless less motion is wanted', async () => {
        const page = await open(character, { reducedMotion: 'no-preference' });
        await page.waitForFunction(() => !document.getElementById('place')!.textContent!.startsWith('frame 0 '));
        expect(await page.getByLabel('Pause', { exact: true }).isVisible()).toBe(true);
        const still = await open(character);
        await brightness(still);
        expect(await still.getByLabel('Play', { exact: true }).isVisible()).toBe(true);
        expect(await frame(still)).toBe(0);
    });

    test('events of the clip are lines on the time line, and buttons that go to them', async () => {
        const events = { Walk: [0.25, 0.75].map((time) => ({ name: 'step', time })) };
        const page = await open(await partsOf(CHARACTER.path, { fps: 20, events }));
        const buttons = page.locator('#events button');
        expect(await page.locator('#events').isVisible()).toBe(false);
        await choice(page, 'Walk').click();
        expect(await buttons.allTextContents()).toEqual(['step 0.25 s', 'step 0.75 s']);
        await buttons.nth(1).click();
        expect(await frame(page)).toBe(15);
        const lines = await page
            .locator('.plot')
            .first()
            .locator('.event')
            .evaluateAll((all) => all.map((line) => line.getBoundingClientRect().x));
        const { x, width } = (await page.locator('.plot').first().boundingBox())!;
        expect(lines.map((at) => (at - x) / width)).toEqual([expect.closeTo(0.25, 2), expect.closeTo(0.75, 2)]);
        expect(await textOf(page, '.in-use figcaption')).toContain('2 events, finely dotted');
        await choice(page, 'Idle').click();
        expect(await buttons.count()).toBe(0);
    });

    test('a narrow screen: nothing is wider, the list of clips folds, fingers do', async () => {
        const error = { frames: 0.00025, between: 0.0129 };
        const folders = [{ folder: 'character_vat', frames: 139, bytes: 4_550_000, error, extent: 1.6 }];
        const { data, blobs } = character;
        const page = await open(
            { data: { ...data, bakes: data.bakes.map((bake) => ({ ...bake, folders })) }, blobs },
            { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
        );
        expect(await page.getByText('character_vat: 139 frames').isVisible()).toBe(true);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
        const top = async (selector: string) => (await page.locator(selector).boundingBox())!.y;
        expect(await top('#stage')).toBeLessThan(Math.min(await top('#clips'), await top('#modes'), 150));
        expect(await page.locator('#clip-list').isVisible()).toBe(false);
        await page.locator('#clips summary').tap();
        await choice(page, 'Wave').tap();
        expect(await textOf(page, '#clip-name')).toBe('Wave');
        expect(await page.locator('#clip-list').isVisible()).toBe(false);
        await choice(page, 'Crowd').tap();
        expect(await mode(page)).toBe('crowd');
        await page.getByLabel('Frame forward').tap();
        expect(await frame(page)).toBe(1);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    });

    const twoJoints = () =>
        new GltfBuilder([
            { name: 'root', children: [1] },
            { name: 'tip', translation: [0, 1, 0] },
        ]);

    test('two hundred clips', async () => {
        const builder = twoJoints();
        builder.skinnedMesh(builder.skin([0, 1]));
        for (let i = 0; i < 200; i++) {
            const values = [0, i / 100, 0].map((x) => [x, 1, 0]);
            builder.animation(`Clip ${i}`, [{ node: 1, path: 'translation', times: [0, 0.1, 0.2], values }]);
        }
        const page = await open(await partsOf(builder.write(scratch(), 'many'), { fps: 30 }));
        expect(await page.locator('#clip-list label:visible').count()).toBe(200);
        await page.getByPlaceholder('Find a clip').fill('19');
        expect(await page.locator('#clip-list label:visible').count()).toBe(12);
        await choice(page, 'Clip 195').click();
        expect(await textOf(page, '#clip-name')).toBe('Clip 195');
        await page.getByPlaceholder('Find a clip').fill('');
        for (let i = 0; i < 3; i++) await page.keyboard.press('Escape');
        expect(await page.locator('#clip-list input:checked').inputValue()).toBe('195');
        expect(opened!.errors).toEqual([]);
    });

    test('a file without a mesh is shown as its joints', async () => {
        const builder = twoJoints();
        builder.skin([0, 1]);
        const values = [0, 1].map((x) => [x, 1, 0]);
        builder.animation('Bend', [{ node: 1, path: 'translation', times: [0, 1], values }]);
        const page = await open(await partsOf(builder.write(scratch(), 'bones')));
        expect(await messages(page)).toEqual([expect.stringContaining('has no mesh')]);
        const [live, baked] = await brightness(page);
        await page.keyboard.press('End');
        const [liveLater, bakedLater] = await brightness(page);
        // Something is drawn in both halves, and moves in both alike.
        expect(liveLater).not.toBe(live);
        expect(bakedLater).not.toBe(baked);
        expect(opened!.errors).toEqual([]);
    });

    test('a model that is not the one of the bake is refused by its hash', async () => {
        const sha256 = '0123456789abcdef'.repeat(4);
        const page = await open({ ...character, data: { ...character.data, sha256 } });
        expect(await ready(page)).toBe('failed');
        const said = (await messages(page)).join();
        expect(said).toContain(sha256);
        expect(said).toContain(character.data.sha256);
        expect(await page.locator('#canvas').isVisible()).toBe(false);
        expect(await page.locator('#graph .plot svg').first().isVisible()).toBe(true);
        expect(await page.getByText('Rows × columns').isVisible()).toBe(true);
    });

    test.each<[string, number, (bytes: Uint8Array) => Uint8Array, string, string]>([
        ['a model that is cut off', 0, (bytes) => bytes.slice(0, 5000), 'character.glb cannot be shown', 'failed'],
        ['a bin with another byte', 1, (bytes) => bytes.with(9, 77), 'cannot be shown', 'yes'],
    ])('%s is a sentence', async (_, blob, damage, words, state) => {
        const page = await open({ ...character, blobs: character.blobs.map((b, i) => (i === blob ? damage(b) : b)) });
        expect((await messages(page)).join()).toContain(words);
        expect(await ready(page)).toBe(state);
        expect(await page.locator('#graph').isVisible()).toBe(true);
    });

    test('a page that was damaged on its way says so', async () => {
        const file = join(scratch(), 'damaged.html');
        const html = reportHtml(character.data, character.blobs);
        const at = html.indexOf('id="blob-1">') + 2000;
        writeFileSync(file, `${html.slice(0, at)}AAAAAAAA${html.slice(at + 8)}`);
        const page = await (await browser.newContext({ offline: true })).newPage();
        opened = { page, errors: [] };
        await page.goto(pathToFileURL(file).href);
        await page.waitForFunction(() => document.body.dataset.ready !== undefined);
        expect((await messages(page)).join()).toContain('the bin of character cannot be unpacked');
    });

    test('without WebGL the numbers are shown', async () => {
        const plain = await launchChromium(['--disable-3d-apis']);
        try {
            const page = await open(character, {}, plain);
            expect(await ready(page)).toBe('failed');
            expect((await messages(page)).join()).toContain('This browser cannot draw the model');
            expect(await page.locator('#graph .plot svg').first().isVisible()).toBe(true);
            expect(await page.locator('#canvas').isVisible()).toBe(false);
        } finally {
            await plain.close();
        }
    });

    describe('glTF of any form', () => {
        async function expectDrawn(path: string, beside: Record<string, string> = {}): Promise<void> {
            const page = await open(await partsOf(path, {}, beside));
            expect(await messages(page)).toEqual([]);
            const empty = await brightness(page);
            expect(Math.abs(empty[0]! - empty[1]!)).toBeLessThan(1);
            await page.keyboard.press('3');
            expect(await differing(page)).toBeLessThan(20);
            expect(opened!.errors).toEqual([]);
        }

        test('buffers and images beside it, by names that are encoded', async () => {
            const model = skinnedModel();
            const path = fileOf(scratch(), 'beside.gltf', model.toGltf('./a%20buffer.bin'));
            await expectDrawn(path, { './a%20buffer.bin': fileOf(scratch(), 'a buffer.bin', model.bin()) });
        });

        test('Draco', async () => {
            await expectDrawn(fileOf(scratch(), 'draco.glb', dracoModel(encodeVertices(), false).toGlb()));
        });

        test('meshopt', async () => {
            const model = skinnedModel();
            const weights = Float32Array.of(1, 0, 0, 0, 0.5, 0.5, 0, 0, 1, 0, 0, 0);
            const view = compressedView(model, weights, { count: 3, stride: 16 });
            Object.assign(model.json.accessors[PART.weights], { bufferView: view, byteOffset: 0 });
            await expectDrawn(fileOf(scratch(), 'meshopt.glb', model.toGlb()));
        });
    });

    /** The example with other images, which its materials use as colors, in a file of its own. */
    const textured = (images: object[], textures: object[], more: object = {}) =>
        fileOf(
            scratch(),
            'textured.glb',
            changedGlb(CHARACTER.path, (json) => ({
                ...json,
                ...more,
                images,
                textures,
                materials: (json.materials as object[]).map((material, index) =>
                    index < images.length
                        ? { ...material, pbrMetallicRoughness: { baseColorTexture: { index } } }
                        : material,
                ),
            })),
        );

    test('a texture that does not decode, or that is not there, is a sentence beside the picture', async () => {
        const images = [{ uri: 'data:image/png;base64,AAAA' }, { uri: 'gone.png' }];
        const path = textured(images, [{ source: 0 }, { source: 1 }]);
        const page = await open(await partsOf(path));
        expect(await ready(page)).toBe('yes');
        const said = await messages(page);
        expect(said.join()).toContain('An image inside the file cannot be decoded');
        expect(said.join()).toContain('refers to gone.png, which this report does not have');
    });

    test('textures that this page does not decode are a sentence', async () => {
        const used = ['KHR_texture_basisu'];
        const textures = [{ extensions: { KHR_texture_basisu: { source: 0 } } }];
        const images = [{ uri: 'data:image/ktx2;base64,AAAA' }];
        const path = textured(images, textures, { extensionsUsed: used, extensionsRequired: used });
        const page = await open(await partsOf(path));
        expect(await ready(page)).toBe('failed');
        expect((await messages(page)).join()).toContain('It has KTX2 textures (KHR_texture_basisu)');
        expect(await page.locator('#graph .plot svg').first().isVisible()).toBe(true);
    });

    test('the path of the root is drawn, and rows without root motion are moved by it', async () => {
        const { data, blobs } = await partsOf(CHARACTER.path, { emit: ['palette', 'root'], root: 'keep' });
        const [output] = data.bakes[0]!.outputs;
        const manifest = JSON.parse(output!.json);
        // One centimeter along x per frame.
        const { byteOffset, byteLength } = manifest.arrays.root;
        const bytes = blobs[output!.bin]!.slice();
        const rows = new Float32Array(bytes.buffer, byteOffset, byteLength / 4);
        for (let row = 0; row * 7 < rows.length; row++) rows.set([row / 100, 0, 0, 0, 0, 0, 1], row * 7);
        manifest.binary.sha256 = createHash('sha256').update(bytes).digest('hex');
        const moved = (mode: string): Parts => {
            const recipe = { ...manifest.recipe, root: { mode, motion: 'xz+yaw', node: 0 } };
            const outputs = [{ ...output!, json: JSON.stringify({ ...manifest, recipe }) }];
            return {
                data: { ...data, bakes: [{ ...data.bakes[0]!, outputs }] },
                blobs: blobs.with(output!.bin, bytes),
            };
        };
        let page = await open(moved('keep'));
        const before = await brightness(page);
        await page.keyboard.press('r');
        const after = await brightness(page);
        expect(after[0]).toBe(before[0]);
        expect(after[1]).not.toBe(before[1]);
        await page.keyboard.press('3');
        await page.keyboard.press('Shift+ArrowRight');
        expect(await differing(page)).toBeLessThan(20);

        page = await open(moved('extract'));
        await page.keyboard.press('3');
        expect(await differing(page)).toBeLessThan(20);
        await page.keyboard.press('Shift+ArrowRight');
        expect(await differing(page)).toBeGreaterThan(500);

        page = await open(moved('in-place'));
        expect((await messages(page)).join()).toContain('The bake is in place');
    });

    describe('two bakes', () => {
        async function pair(withModel: boolean): Promise<Parts> {
            const blobs = [...character.blobs];
            const options = { fps: 10, clips: ['Walk', 'Wave'] };
            const other = await bakeOf(CHARACTER.path, options, 'coarse.bake.json', blobs);
            const bakes = [{ ...character.data.bakes[0]!, label: 'fine.bake.json' }, other];
            const data = { ...character.data, title: 'fine and coarse', bakes, rates: [] };
            const bare = bakes.map((bake) => ({
                ...bake,
                outputs: bake.outputs.map((output) => ({ ...output, errors: [] })),
            }));
            const none = { ...data, files: [], sha256: null, modelBytes: 0, bakes: bare };
            return { data: withModel ? data : none, blobs };
        }

        test('with the model they are shown side by side', async () => {
            const page = await open(await pair(true));
            expect(await ready(page)).toBe('yes');
            // A clip that only one of them has.
            expect(await textOf(page, '#caption-1')).toContain('no such clip');
            await choice(page, 'Walk').click();
            await brightness(page);
            expect([await textOf(page, '#caption-0'), await textOf(page, '#caption-1')]).toEqual([
                'fine.bake.json',
                'coarse.bake.json',
            ]);
            await page.keyboard.press('3');
            expect(await differing(page)).toBeLessThan(20);
            await page.getByLabel('Time', { exact: true }).fill('0.15');
            expect(await differing(page)).toBeGreaterThan(50);
            expect(opened!.errors).toEqual([]);
        });

        test('without one there are the numbers', async () => {
            const page = await open(await pair(false));
            expect(await ready(page)).toBe('yes');
            expect(await messages(page)).toEqual([expect.stringContaining('without the model')]);
            expect(await page.locator('#canvas').isVisible()).toBe(false);
            expect(await page.locator('#facts thead').first().textContent()).toBe('fine.bake.jsoncoarse.bake.json');
            expect(await page.locator('#graph figcaption').allTextContents()).toHaveLength(1);
        });
    });

    describe('a model with fewer keys', () => {
        /** The example beside itself, or beside what is left of it within 2% of its extent. */
        async function beside(reduced: boolean): Promise<{ data: ReportData; blobs: Uint8Array[] }> {
            const limit = { maxError: '2%' } as const;
            const { path } = CHARACTER;
            const other = reduced ? fileOf(scratch(), 'small.glb', (await reduceFile(path, limit)).bytes) : path;
            const title = 'character.glb beside small.glb';
            const { data, blobs } = await collectReduced({ poselane: '0.1.0', title }, path, other, limit);
            return { data, blobs: [...blobs] };
        }

        test('is shown beside its source, with its error', async () => {
            const parts = await beside(true);
            const clips = parts.data.reduced!.clips;
            const page = await open(parts);
            expect([await ready(page), await messages(page)]).toEqual(['yes', []]);
            expect(await textOf(page, '#captions')).toBe('BeforeAfter');
            for (const text of ['Overlay', 'Skeleton']) expect(await choice(page, text).isVisible()).toBe(true);
            for (const text of ['Crowd', 'Boxes', 'Root path', 'Nearest row']) {
                expect([text, await choice(page, text).isVisible()]).toEqual([text, false]);
            }
            await page.keyboard.press('c');
            expect(await mode(page)).toBe('side');

            await page.keyboard.press('Shift+W');
            const worst = clips.reduce((a, b) => (b.error > a.error ? b : a));
            expect(await textOf(page, '#clip-name')).toBe(worst.name);
            expect(await textOf(page, '#place')).toMatch(new RegExp(`^${worst.time.toFixed(3)} s of `));
            // The dot is on the line.
            const dot = (await page.locator('#graph .worst').getAttribute('d'))!.slice(1, -2);
            expect(await page.locator('#graph .line').getAttribute('d')).toContain(`L${dot}L`);
            expect(await page.locator('#facts section').allTextContents()).toEqual([
                expect.stringContaining('Before and after'),
                'WarningsNone.',
                expect.stringMatching(/^Clips.*Idle.*Walk.*Wave/),
            ]);
            const [left, right] = await brightness(page);
            await page.keyboard.press('3');
            expect(await differing(page)).toBeGreaterThan(500);
            await page
                .getByRole('button', { name: /^Go to/ })
                .nth(9)
                .click();
            expect(await textOf(page, '#place')).toMatch(/^([\d.]+) s of \1 s$/);
            expect(opened!.errors).toEqual([]);

            const same = await open(await beside(false));
            await choice(same, worst.name).click();
            await same.getByLabel('Time', { exact: true }).fill(String(worst.time));
            const alike = await brightness(same);
            expect(alike[0]).toBe(left);
            expect(alike[1]).not.toBe(right);
            await same.keyboard.press('3');
            expect(await differing(same)).toBe(0);
            expect(await textOf(same, '#graph')).toContain('no error');
        });

        test('at 360 pixels, dark: nothing is cut off, and it is accessible', async () => {
            const page = await open(await beside(true), { viewport: { width: 360, height: 740 }, colorScheme: 'dark' });
            expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
            expect(await accessibilityFaults(page)).toEqual([]);
        });
    });

    async function accessibilityFaults(page: Page) {
        // The policy of the page allows no script of another's; the debugger's way in is not bound by it.
        const violations = await page.evaluate(`${AXE}; axe.run().then(({ violations }) =>
            violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map(({ html }) => html) })))`);
        return violations;
    }

    describe.each([
        ['wide', 1280, 800],
        ['narrow', 360, 740],
    ])('accessibility, %s', (_, width, height) => {
        test.each(['light', 'dark'] as const)('%s', async (colorScheme) => {
            const page = await open(character, { viewport: { width, height }, colorScheme });
            await page.locator('#clips').evaluate((clips: HTMLDetailsElement) => {
                clips.open = true;
            });
            for (const state of ['page', 'difference', 'dialog']) {
                if (state === 'difference') await page.keyboard.press('3');
                if (state === 'dialog') await page.keyboard.press('?');
                expect(await accessibilityFaults(page)).toEqual([]);
            }
        });
    });

    testUnless(KNIGHT.absent, 'the page of Knight is at most 15 MB', async () => {
        const { data, blobs } = await partsOf(KNIGHT.path);
        expect(reportHtml(data, blobs).length).toBeLessThan(15_000_000);
        const page = await open({ data, blobs });
        expect(await messages(page)).toEqual([]);
        expect(await page.locator('#clip-list label').count()).toBe(76);
        expect(opened!.errors).toEqual([]);
    });
});
