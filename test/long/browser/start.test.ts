// SPDX-License-Identifier: MIT

/** The page of docs/start.md, as pasted, and the sample of the README, in Chromium: both draw a crowd that moves. */

import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { bakeFile } from '../../../lib/bake';
import { launchChromium } from '../../support/chromium';
import { blocksOf } from '../../support/documents';
import { describeInChromium, MODEL } from './pages-in-chromium';

const ROOT = join(__dirname, '../../..');
const SITE = 'http://localhost/';
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript' };

const PAGE = blocksOf('docs/start.md')('html')[0]!;
const README = blocksOf('README.md')('js')[0]!;
/** The code around the README's sample. */
const AROUND = `
    const renderer = new THREE.WebGLRenderer();
    document.body.append(renderer.domElement);
    const camera = new THREE.PerspectiveCamera(40, 2, 0.01, 1000);
    camera.position.set(5, 1, 8);
    const scene = new THREE.Scene();
    scene.background = new THREE.Color(0xcfe3ea);
    scene.add(new THREE.HemisphereLight(0xffffff, 0x8899aa, 3));
`;
const [imports, sample] = README.split('\n\n');
const [head] = PAGE.split('<script type="module">');
const README_PAGE = `${head}<script type="module">${imports}\n${AROUND}\n${sample}\n</script>`;

describeInChromium(() => {
    let browser: Browser;
    let bake: { json: string; bin: Uint8Array };
    beforeAll(async () => {
        browser = await launchChromium();
        bake = (await bakeFile({ bytes: readFileSync(MODEL), name: 'hero.glb' }, { fps: 60 })).outputs[0]!;
    });
    afterAll(() => browser?.close());

    test.each([
        ['docs/start.md', PAGE],
        ['README.md', README_PAGE],
    ])('%s draws a crowd that moves', async (_, html) => {
        const page = await browser.newPage({ viewport: { width: 400, height: 200 } });
        const errors: string[] = [];
        page.on('pageerror', (error) => errors.push(String(error)));
        await page.route(`${SITE}**`, (route) => {
            const name = new URL(route.request().url()).pathname.slice(1);
            const contentType = TYPES[extname(name || 'index.html')] ?? 'application/octet-stream';
            // Software draws 500 characters too slowly.
            const few = html.replaceAll('500', '12');
            const own: Record<string, string | Buffer> = {
                '': few,
                'hero.glb': readFileSync(MODEL),
                'hero.bake.json': bake.json,
                'hero.bake.bin': Buffer.from(bake.bin),
            };
            const file = join(ROOT, name.replace('node_modules/poselane/', ''));
            if (name === 'favicon.ico') return route.fulfill({ status: 204 });
            return route.fulfill({ contentType, body: own[name] ?? readFileSync(file) });
        });
        await page.goto(SITE);
        await page.waitForSelector('canvas');
        const pictures = new Set<string>();
        // A picture without characters has less than 1 kB.
        for (let i = 0; i < 100 && pictures.size < 2; i++) {
            await page.waitForTimeout(200);
            const picture = await page.screenshot();
            if (picture.length > 2000) pictures.add(picture.toString('base64'));
        }
        await page.close();
        expect(errors).toEqual([]);
        expect(pictures.size).toBe(2);
    });
});
