// SPDX-License-Identifier: MIT

/**
 * Takes the pictures of report pages in docs/images again, with default options. Needs `npm run build`, Chromium (or its path in
 * CHROMIUM), and the models of ../shared.
 *
 *     node scripts/docs/pictures.mjs
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { root, runNode } from '../lib.mjs';

const MODELS = path.join(root, '../shared/models');

/** Model, clip, label of the picture, and heights of window and image. At a clip's worst moment, except for a crowd. */
const PICTURES = {
    report: [path.join(root, 'examples/character.glb'), 'Wave', 'Side by side', 820, 1005],
    'report-knight': [
        path.join(MODELS, 'KayKit/Knight.glb'),
        '1H_Melee_Attack_Slice_Diagonal',
        'Difference',
        820,
        1005,
    ],
    'report-robot': [path.join(MODELS, 'RobotExpressive/RobotExpressive.glb'), 'Running', 'Crowd', 558, 558],
    'report-rogue': [path.join(MODELS, 'KayKit/Rogue.glb'), '1H_Melee_Attack_Chop', 'Overlay', 820, 1005],
};

const folder = mkdtempSync(path.join(tmpdir(), 'poselane-pictures-'));
const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
try {
    for (const [name, [model, clip, mode, window, height]] of Object.entries(PICTURES)) {
        const html = path.join(folder, `${name}.html`);
        const { ok, output } = runNode('dist/cli/main.js', ['view', model, '--html', html]);
        if (!ok) throw new Error(output);
        const page = await browser.newPage({ viewport: { width: 1200, height: window }, reducedMotion: 'reduce' });
        await page.goto(pathToFileURL(html).href);
        await page.waitForFunction(() => document.body.dataset.ready === 'yes', null, { timeout: 120_000 });
        await page.locator('#search').fill(clip);
        await page.locator('#search').press('Enter');
        await page.locator('#search').fill('');
        await page.locator('#modes label').filter({ hasText: mode }).click();
        if (mode !== 'Crowd') await page.locator('#worst').click();
        await page.mouse.move(0, 0);
        // Moments of the clip are drawn one by one, when nothing else is.
        await page.waitForTimeout(15_000);
        await page.screenshot({
            fullPage: true,
            path: path.join(root, `docs/images/${name}.png`),
            clip: { x: 0, y: 0, width: 1200, height },
        });
        await page.close();
        console.log(`docs/images/${name}.png`);
    }
} finally {
    await browser.close();
    rmSync(folder, { recursive: true });
}
