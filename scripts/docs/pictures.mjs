// SPDX-License-Identifier: MIT

/**
 * Takes the pictures of report pages in docs/images again, with default options, and that of a clip on other rigs. Needs `npm run
 * build`, Chromium (or its path in CHROMIUM), and the models of ../shared.
 *
 *     node scripts/docs/pictures.mjs [name of a picture]
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
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

/** A clip of the first one on three other rigs, at moments of its duration. */
const RETARGETED = {
    models: [
        'KayKit/Knight.glb',
        'humanoids/quaternius_platformer.glb',
        'RobotExpressive/RobotExpressive.glb',
        'humanoids/mixamo_names.glb',
    ],
    clip: '1H_Melee_Attack_Chop',
    moments: [0.1, 0.42, 0.6],
};

/** Draws one column for each model and one row for each moment, in a page. */
const DRAW = `
    import * as THREE from 'three';
    import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
    const [width, height] = [innerWidth / MODELS.length, innerHeight / MOMENTS.length];
    const renderer = new THREE.WebGLRenderer({ antialias: true });
    renderer.setSize(innerWidth, innerHeight);
    renderer.setScissorTest(true);
    document.body.append(renderer.domElement);
    for (const [column, data] of MODELS.entries()) {
        const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
        const { scene: model, animations } = await new GLTFLoader().parseAsync(bytes.buffer, '');
        const scene = new THREE.Scene();
        scene.background = new THREE.Color(0xf4f4f2);
        scene.add(model, new THREE.HemisphereLight(0xffffff, 0x888877, 2.2));
        const sun = new THREE.DirectionalLight(0xffffff, 1.6);
        sun.position.set(2, 3, 4);
        scene.add(sun);
        const mixer = new THREE.AnimationMixer(model);
        const clip = animations.find(({ name }) => name === CLIP);
        mixer.clipAction(clip).play();
        mixer.setTime(0);
        const box = new THREE.Box3().setFromObject(model, true);
        const tall = box.max.y;
        const grid = new THREE.GridHelper(tall * 3, 6, 0xbbbbbb, 0xbbbbbb);
        scene.add(grid);
        const camera = new THREE.PerspectiveCamera(28, width / height, tall / 20, tall * 20);
        camera.position.set(tall * 1.2, tall * 0.9, tall * 2.9);
        camera.lookAt(-tall * 0.05, tall * 0.5, 0);
        for (const [row, moment] of MOMENTS.entries()) {
            mixer.setTime(moment * clip.duration);
            const at = [column * width, innerHeight - (row + 1) * height, width - 2, height - 2];
            renderer.setViewport(...at);
            renderer.setScissor(...at);
            renderer.render(scene, camera);
        }
    }
    document.body.dataset.ready = 'yes';
`;

const folder = mkdtempSync(path.join(tmpdir(), 'poselane-pictures-'));
const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
try {
    const isWanted = (name) => [undefined, name].includes(process.argv[2]);
    if (isWanted('retargeted')) await takeRetargeted();
    for (const [name, [model, clip, mode, window, height]] of Object.entries(PICTURES)) {
        if (!isWanted(name)) continue;
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

async function takeRetargeted() {
    const { models, clip, moments } = RETARGETED;
    const [source, ...targets] = models.map((model) => path.join(MODELS, model));
    const glbs = [source];
    for (const target of targets) {
        glbs.push(path.join(folder, path.basename(target)));
        const flags = ['--animations', source, '--retarget', 'humanoid'];
        const { ok, output } = runNode('dist/cli/main.js', ['convert', target, '-o', glbs.at(-1), ...flags]);
        if (!ok) throw new Error(output);
    }
    const data = glbs.map((glb) => readFileSync(glb).toString('base64'));
    const { outputFiles } = await build({
        stdin: { contents: DRAW, resolveDir: root },
        bundle: true,
        write: false,
        format: 'esm',
        define: { MODELS: JSON.stringify(data), CLIP: JSON.stringify(clip), MOMENTS: JSON.stringify(moments) },
    });
    const html = path.join(folder, 'retargeted.html');
    writeFileSync(
        html,
        `<!doctype html><body style="margin:0"><script type="module">${outputFiles[0].text.replaceAll('</', '<\\/')}</script>`,
    );
    const page = await browser.newPage({ viewport: { width: 800, height: 456 } });
    page.on('pageerror', (error) => console.error(error));
    await page.goto(pathToFileURL(html).href);
    await page.waitForFunction(() => document.body.dataset.ready === 'yes', null, { timeout: 120_000 });
    await page.screenshot({ path: path.join(root, 'docs/images/retargeted.png') });
    await page.close();
    console.log('docs/images/retargeted.png');
}
