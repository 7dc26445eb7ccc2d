// SPDX-License-Identifier: MIT

/** Pages of the built command in Chromium: from the disk, its server, an index. The rest: test/long/browser/report.test.ts. */

import { once } from 'node:events';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { launchChromium, withoutChromium } from '../../support/chromium';
import { CHARACTER, INTERPOLATION_TEST, KNIGHT, type Model, ROBOT } from '../../support/models';
import { runNode, startNode } from '../../support/processes';
import { scratchFolder } from '../../support/temporary-folder';
import { describeUnless } from '../../support/unless';

const MAIN = join(__dirname, '../../../dist/cli/main.js');

describeUnless(withoutChromium(), 'pages', () => {
    const folder = scratchFolder();
    const at = (name: string) => join(folder(), name);
    const urlOf = (name: string) => pathToFileURL(at(name)).href;
    let browser: Browser;
    let page: Page;
    let faults: string[];

    beforeAll(async () => {
        browser = await launchChromium();
    });
    afterAll(() => browser.close());
    beforeEach(async () => {
        page = await browser.newPage();
        faults = [];
        page.on('pageerror', ({ message }) => faults.push(message));
        page.on('console', (line) => line.type() === 'error' && faults.push(line.text()));
        page.on('request', (request) => {
            // A page loads nothing but itself.
            if (!/^(data|blob):/.test(request.url()) && !request.isNavigationRequest()) faults.push(request.url());
        });
    });
    afterEach(() => page.close());

    function poselane(...argv: string[]): number | null {
        return runNode([MAIN, ...argv]).status;
    }

    /** Whether the page shows its report. */
    async function ready(): Promise<string | undefined> {
        await page.waitForSelector('body[data-ready]', { timeout: 60_000 });
        return page.evaluate(() => document.body.dataset.ready);
    }

    test('an index shows a picture of each bake, with a link to its page', async () => {
        writeFileSync(at('bad.glb'), 'bad');
        copyFileSync(CHARACTER.path, at(`#1 50% "fox".glb`));
        const inputs = [at('bad.glb'), at(`#1 50% "fox".glb`)];
        expect(poselane('bake', ...inputs, '-o', at('out'), '--fps', '60', '--html', at('pages'))).toBe(5);
        await page.goto(urlOf('pages/index.html'));
        expect(await page.title()).toBe('2 files, 1 not baked');
        // It loads lazily.
        await page.waitForFunction(() => document.querySelector('img')!.naturalWidth > 0);
        const picture = await page.evaluate(() => {
            const image = document.querySelector('img')!;
            const context = Object.assign(document.createElement('canvas'), { width: 160, height: 160 }).getContext(
                '2d',
            )!;
            context.drawImage(image, 0, 0);
            const { data } = context.getImageData(0, 0, 160, 160);
            let orange = 0;
            for (let i = 0; i < data.length; i += 4) {
                if (data[i]! > 1.5 * data[i + 1]! && data[i + 1]! > data[i + 2]! && data[i + 3] === 255) orange++;
            }
            return { width: image.naturalWidth, orange };
        });
        expect(picture.width).toBe(160);
        expect(picture.orange).toBeGreaterThan(1000); // the fox's fur
        await page.click('.file a');
        expect(await ready()).toBe('yes');
        expect(await page.title()).toContain(`#1 50% "fox".glb`);
        await page.click('text=All files');
        expect(await page.title()).toBe('2 files, 1 not baked');
        expect(faults).toEqual([]);
    });

    test('serves a page until Ctrl-C', async () => {
        const argv = [MAIN, 'view', CHARACTER.path, '--fps', '60'];
        const server = startNode(argv, { stdio: ['ignore', 'pipe', 'inherit'] });
        const [line] = await once(createInterface(server.stdout!), 'line');
        await page.goto(/^(http:\S+)/.exec(line)![1]!);
        expect(await ready()).toBe('yes');
        expect(faults).toEqual([]);
        server.kill('SIGINT');
        expect((await once(server, 'exit'))[0]).toBe(0);
    });

    const HALF = '--emit palette,morph,bounds,root --dtype f16 --layout mat3x4 --max-error 0.05'.split(' ');
    const models: [string, Model, string[]][] = [
        ['textures, 76 clips and attachments', KNIGHT, []],
        ['morphs, half floats', ROBOT, HALF],
        ['buffers beside it, no skin', INTERPOLATION_TEST, []],
    ];
    test.each(models.filter(([, { absent }]) => absent === null))('%s', async (_, model, options) => {
        expect(poselane('view', model.path, '--html', at('page.html'), ...options)).toBe(0);
        expect(readFileSync(at('page.html')).length).toBeLessThan(15e6);
        await page.goto(urlOf('page.html'));
        expect(await ready()).toBe('yes');
        // A picture that its folder lacks.
        expect(faults.filter((fault) => !fault.endsWith('load texture l.jpg'))).toEqual([]);
    });
});
