// SPDX-License-Identifier: MIT

/** Pages in Chromium, with the examples' server behind them. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { type BakeOptions, bakeFile, writeBake } from '../../lib/bake';
import { launchChromium } from '../support/chromium';
import { scratchFolder } from '../support/temporary-folder';

const ROOT = join(__dirname, '../..');
export const MODEL = join(ROOT, 'examples/character.glb');

export interface OpenPage {
    readonly page: Page;
    /** What went wrong in it, so far. */
    readonly errors: string[];
}

/** A file that pages can fetch from the server, by its name. */
export type ServedFiles = Record<string, string | Uint8Array>;

/** Bakes, as files for {@link ServedFiles}: `<name>.json` and `<name>.bin`. */
export async function bakeToServe(name: string, input: string, options: BakeOptions): Promise<ServedFiles> {
    const [output] = (await bakeFile(input, options)).outputs;
    return { [`${name}.json`]: output!.json, [`${name}.bin`]: output!.bin };
}

/** To be called in a `describe`: starts Chromium, and the server with the example's bake at 60 Hz, before its tests. */
export function pagesInChromium(): {
    /** Text of the manifest of `bake.json`. */
    manifest(): string;
    /** A page that has loaded, with a script of `pages/` in it. Whatever goes wrong in it comes out of `page.evaluate`. */
    open(path: string, script: string, served?: ServedFiles): Promise<OpenPage>;
} {
    const scratch = scratchFolder();
    let browser: Browser;
    let server: ChildProcess;
    let url: string;
    let manifest: string;

    beforeAll(async () => {
        const { outputs } = await bakeFile(MODEL, { fps: 60 });
        const [{ json }] = await writeBake(outputs, scratch());
        manifest = readFileSync(json, 'utf8');
        server = spawn(process.execPath, [join(ROOT, 'examples/view.mjs'), json, '--port', '0'], { stdio: 'pipe' });
        const [said] = await once(server.stdout!, 'data');
        url = /http:\S+/.exec(String(said))![0];
        browser = await launchChromium();
    });
    afterAll(async () => {
        await browser?.close();
        server?.kill();
    });

    async function open(path: string, script: string, served: ServedFiles = {}): Promise<OpenPage> {
        const page = await browser.newPage({ viewport: { width: 400, height: 300 } });
        const errors: string[] = [];
        page.on('pageerror', (error) => errors.push(String(error)));
        page.on('console', (message) => {
            if (message.type() === 'error' || /error/i.test(message.text())) errors.push(message.text().slice(0, 500));
        });
        await page.route('**/blank.html', (route) =>
            route.fulfill({ contentType: 'text/html', body: '<body></body>' }),
        );
        for (const [name, body] of Object.entries(served)) {
            await page.route(`**/${name}`, (route) =>
                route.fulfill({ body: typeof body === 'string' ? body : Buffer.from(body) }),
            );
        }
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

    return { manifest: () => manifest, open };
}
