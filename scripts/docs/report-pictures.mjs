// SPDX-License-Identifier: MIT

/**
 * node scripts/docs/report-pictures.mjs: docs/images/report*.png, the pictures of the README and of docs/verify.md. The command writes
 * the pages, and Chromium (the one that CHROMIUM names, else the one on the PATH) shows them. A model of ../shared/models that is
 * not there keeps the picture that it has.
 */

import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { chromium } from 'playwright-core';
import { endWith, root, runCommand } from '../lib.mjs';

const SIZE = { width: 1200, height: 860 };
/** Max bytes of a picture in the package. */
const LIMIT = 350_000;

/** `press`: what to press on the page, in order. `until`: where the picture ends, by default below the graphs. */
const PICTURES = [
    { name: 'report', model: 'examples/character.glb', clip: 'Wave', press: ['#worst'] },
    {
        name: 'report-robot',
        model: '../shared/models/RobotExpressive/RobotExpressive.glb',
        clip: 'Running',
        press: ['#play', 'label:has([value=crowd])'],
        until: '#transport',
    },
    {
        name: 'report-knight',
        model: '../shared/models/KayKit/Knight.glb',
        clip: '1H_Melee_Attack_Slice_Diagonal',
        press: ['#worst', 'label:has([value=difference])'],
    },
    {
        name: 'report-rogue',
        model: '../shared/models/KayKit/Rogue.glb',
        clip: '1H_Melee_Attack_Chop',
        press: ['#worst', 'label:has([value=overlay])'],
    },
];

function findChromium() {
    const folders = (process.env.PATH ?? '').split(path.delimiter);
    return process.env.CHROMIUM ?? folders.map((folder) => path.join(folder, 'chromium')).find(fs.existsSync);
}

const faults = [];
const executablePath = findChromium();
if (executablePath === undefined) endWith(['no Chromium: install it, or name it in CHROMIUM'], 'pictures', '');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'poselane-pictures-'));
// It draws in software, so that the pictures are the same on every machine.
const gl = ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-gpu-compositing'];
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', ...gl] });
try {
    for (const { name, model, clip: shown, press, until = '#errors' } of PICTURES) {
        const input = path.join(root, model);
        if (!fs.existsSync(input)) {
            console.log(`${name}: left as it is, ${model} is absent`);
            continue;
        }
        const html = path.join(folder, `${name}.html`);
        const command = [path.join(root, 'dist/cli/main.js'), 'view', input, '--html', html];
        const { status, output } = await runCommand(process.execPath, command);
        if (status !== 0) {
            faults.push(`${name}: ${output}`);
            continue;
        }
        const page = await browser.newPage({ viewport: SIZE, colorScheme: 'light' });
        page.on('pageerror', (error) => faults.push(`${name}: ${error.message}`));
        await page.goto(`file://${html}`);
        await page.waitForSelector('body[data-ready]');
        await page.locator('#clip-list label', { has: page.locator(`text="${shown}"`) }).click();
        for (const selector of press) await page.locator(selector).click();
        // The browser draws the thumbnails when it is idle.
        await page.waitForFunction(() => {
            const isDrawn = (canvas) => {
                const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
                return data.some((value) => value !== 0);
            };
            return [...document.querySelectorAll('#thumbnails canvas')].every(isDrawn);
        });
        await page.mouse.move(0, 0);
        const file = path.join(root, 'docs/images', `${name}.png`);
        const { y, height } = await page.locator(until).boundingBox();
        const clip = { x: 0, y: 0, width: SIZE.width, height: Math.ceil(y + height + 8) };
        await page.screenshot({ path: file, clip, fullPage: true });
        await page.close();
        const { size } = fs.statSync(file);
        console.log(`${name}: ${size} bytes`);
        if (size > LIMIT) faults.push(`${name}: ${size} bytes, more than ${LIMIT}`);
    }
} finally {
    await browser.close();
    fs.rmSync(folder, { recursive: true, force: true });
}
endWith(faults, 'pictures', `${PICTURES.length} pictures, ${faults.length} faults`);
