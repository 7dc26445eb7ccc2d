// SPDX-License-Identifier: MIT

/**
 * node scripts/side-by-side.mjs [--out docs/baking/side-by-side.png]: examples/three.html as Chromium shows it, live
 * skinning on the left and the bake on the right, for docs/baking.md. Needs Chromium (CHROMIUM names it, or it is on the
 * PATH). Build first (npm run build). That both halves are the same picture, pixel by pixel, is test/browser's to prove.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import poselane from '../dist/index.js';
import { root } from './lib.mjs';

const { values: options } = parseArgs({
    options: { out: { type: 'string', default: path.join(root, 'docs/baking/side-by-side.png') } },
});

/** The last clip, waving, in its middle. */
const SHOWN = '?clip=2&frame=38';

const folder = mkdtempSync(path.join(tmpdir(), 'poselane-side-by-side-'));
const { outputs } = await poselane.bakeFile(path.join(root, 'examples/character.glb'), { fps: 60 });
const [{ json }] = await poselane.writeBake(outputs, folder);
const server = spawn(process.execPath, [path.join(root, 'examples/view.mjs'), json, '--port', '0'], { stdio: 'pipe' });
try {
    const [said] = await once(server.stdout, 'data');
    const [url] = /http:\S+/.exec(String(said));
    const browser = await chromium.launch({
        executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
        args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
    });
    const page = await browser.newPage({ viewport: { width: 1000, height: 560 } });
    await page.goto(`${url}three.html${SHOWN}`);
    await page.waitForFunction('document.body.dataset.ready', null, { timeout: 60_000 });
    await page.waitForTimeout(1000);
    await page.screenshot({ path: options.out });
    await browser.close();
    console.log(`side by side: ${SHOWN} -> ${options.out}`);
} finally {
    server.kill();
    rmSync(folder, { recursive: true });
}
