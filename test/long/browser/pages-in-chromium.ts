// SPDX-License-Identifier: MIT

/** Pages in Chromium, with the examples' server behind them. */

import { once } from 'node:events';
import { join } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { type BakeOptions, bakeFile, writeBake } from '../../../lib/bake';
import type { FileBytes } from '../../../lib/gltf/file-bytes';
import { launchChromium, withoutChromium } from '../../support/chromium';
import { startNode } from '../../support/processes';
import { scratchFolder } from '../../support/temporary-folder';
import { describeUnless } from '../../support/unless';

const ROOT = join(__dirname, '../../..');
export const MODEL = join(ROOT, 'examples/character.glb');

/** A `describe` that is skipped if there is no Chromium. */
export function describeInChromium(body: () => void, variant = ''): void {
    describeUnless(withoutChromium(), `in Chromium${variant}`, body);
}

/** Counts of pixels. */
export interface Comparison {
    readonly differing: number;
    readonly drawn: number;
}

export interface OpenPage {
    readonly page: Page;
    /** Its errors so far. */
    readonly errors: string[];
}

/** The renderer: three.js by WebGLRenderer, or by WebGPURenderer with one of its backends. */
export type Engine = 'three' | 'three, WebGPU' | 'three, WebGL 2' | 'babylon';

declare global {
    // A function of three.mjs.
    function rendererName(): Promise<string>;
}

/** Modules for WebGLRenderer stand for those for WebGPURenderer. */
const WEBGPU: Plugin = {
    name: 'webgpu',
    setup(build) {
        build.onResolve({ filter: /^(three|poselane\/three)$/ }, ({ path, kind, resolveDir }) =>
            build.resolve(`${path}/webgpu`, { kind, resolveDir }),
        );
    },
};

/** A file that pages can fetch from the server, by its name. */
export type ServedFiles = Record<string, string | Uint8Array>;

/** Bakes, as files for {@link ServedFiles}: `<name>.json` and `<name>.bin`. */
export async function bakeToServe(name: string, input: string | FileBytes, options: BakeOptions): Promise<ServedFiles> {
    const [output] = (await bakeFile(input, options)).outputs;
    return { [`${name}.json`]: output!.json, [`${name}.bin`]: output!.bin };
}

/**
 * To be called in a `describe`: starts Chromium, and the server with the example's bake at 60 Hz, before its tests. One page
 * serves them all, one after the other: a process for each page costs most of a second. `more` are arguments of Chromium.
 */
export function pagesInChromium(more: readonly string[] = []): {
    /** Text of `bake.json`, the manifest of `bake.bin`; `bake` is a GLB with both. */
    manifest(): string;
    /**
     * Loads a page in place of the one before. Exports of the scripts of `pages/` are globals, and `page.evaluate` throws their errors.
     * `options` are of esbuild.
     */
    open(path: string, scripts: readonly string[], served?: ServedFiles, options?: BuildOptions): Promise<OpenPage>;
    /** An empty page with `three.mjs`, `three-<name>.mjs` or the same of Babylon.js, where that engine draws by that renderer. */
    openEngine(engine: Engine, names: readonly string[], served?: ServedFiles): Promise<OpenPage>;
} {
    const scratch = scratchFolder();
    let browser: Browser;
    let page: Page;
    let url: string;
    let manifest: string;
    let bin: Uint8Array;
    let errors: string[];

    beforeAll(async () => {
        const launched = launchChromium(more);
        const { outputs } = await bakeFile(MODEL, { fps: 60 });
        const [written] = await writeBake(outputs, scratch(), { container: 'glb' });
        manifest = outputs[0]!.json;
        bin = outputs[0]!.bin;
        const server = startNode([join(ROOT, 'examples/view.mjs'), written!.json, '--port', '0']);
        const [said] = await once(server.stdout!, 'data');
        url = /http:\S+/.exec(String(said))![0];
        browser = await launched;
        page = await browser.newPage({ viewport: { width: 400, height: 300 } });
        page.on('pageerror', (error) => errors.push(String(error)));
        page.on('console', (message) => {
            if (message.type() === 'error' || /error/i.test(message.text())) errors.push(message.text().slice(0, 500));
        });
    });
    afterAll(() => browser?.close());

    async function open(
        path: string,
        scripts: readonly string[],
        served: ServedFiles = {},
        options: BuildOptions = {},
    ): Promise<OpenPage> {
        await page.goto('about:blank');
        await page.unrouteAll();
        errors = [];
        await page.route('**/blank.html', (route) =>
            route.fulfill({ contentType: 'text/html', body: '<body></body>' }),
        );
        for (const [name, body] of Object.entries({ 'bake.json': manifest, 'bake.bin': bin, ...served })) {
            await page.route(`**/${name}`, (route) =>
                route.fulfill({ body: typeof body === 'string' ? body : Buffer.from(body) }),
            );
        }
        await page.goto(url + path);
        const { outputFiles } = await build({
            stdin: {
                contents: `${scripts.map((script, i) => `import * as exports${i} from './${script}';`).join('')}
                    Object.assign(globalThis, { loaded: true }, ${scripts.map((_, i) => `exports${i}`)});`,
                resolveDir: join(__dirname, 'pages'),
            },
            bundle: true,
            ...options,
            write: false,
            format: 'esm',
            platform: 'browser',
            logLevel: 'silent',
        });
        let fail: (error: Error) => void = () => {};
        const failed = new Promise<never>((_, reject) => {
            fail = reject;
        });
        page.once('pageerror', fail);
        await page.addScriptTag({ type: 'module', content: outputFiles[0]!.text });
        const ready = "globalThis.loaded && (!document.getElementById('canvas') || document.body.dataset.ready)";
        await Promise.race([page.waitForFunction(ready, null, { timeout: 50_000, polling: 50 }), failed]).catch(
            (error) => {
                throw new Error(`${path} is not ready: ${errors.join('; ')}`, { cause: error });
            },
        );
        page.off('pageerror', fail);
        return { page, errors };
    }

    async function openEngine(engine: Engine, names: readonly string[], served?: ServedFiles): Promise<OpenPage> {
        const [library, backend] = engine.split(', ');
        const scripts = [`${library}.mjs`, ...names.map((name) => `${library}-${name}.mjs`)];
        if (library === 'babylon') return open('blank.html', scripts, served);
        const opened = await open('blank.html', scripts, served, {
            plugins: backend === undefined ? [] : [WEBGPU],
            define: { FORCE_WEBGL: String(backend === 'WebGL 2') },
        });
        const name = await opened.page.evaluate(() => rendererName());
        expect(name).toBe(backend === undefined ? 'WebGLRenderer' : `WebGPURenderer, ${backend}`);
        return opened;
    }

    return { manifest: () => manifest, open, openEngine };
}
