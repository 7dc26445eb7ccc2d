// SPDX-License-Identifier: MIT

/** WebAssembly in Chromium: before and after it is compiled, where it cannot be, in many rigs, and in workers. */

import { join } from 'node:path';
import { build } from 'esbuild';
import { describeInChromium, type OpenPage, pagesInChromium } from './pages-in-chromium';

interface State {
    readonly backend: string;
    readonly defaultImplementation: string;
    readonly implementations: { name: string; available: boolean; reason?: string }[];
}
interface Stage extends State {
    readonly rig: string;
    readonly results: string;
}

declare global {
    // Functions of pages/webassembly.mjs.
    function beforeAndAfter(): Promise<{
        untouched: State;
        before: Stage;
        backend: string;
        after: Stage;
        inTypescript: string;
    }>;
    function manyRigs(count: number, keep: boolean): Promise<{ faults: number[]; inWasm: number }>;
    function inWorker(script: string): Promise<{ backend: string; there: number[]; here: number[] }>;
}

const SCRIPTS = ['webassembly.mjs'];
const ROOT = join(__dirname, '../../..');

/** Everything is calculated in TypeScript, for this reason. */
async function expectTypescript(opened: Promise<OpenPage>, why: string): Promise<void> {
    const { page } = await opened;
    const { before, backend, after } = await page.evaluate(() => beforeAndAfter());
    expect([backend, after.backend, after.rig]).toEqual(['ts', 'ts', 'strict/typescript']);
    expect(after.implementations[0]).toMatchObject({ name: 'strict/wasm', available: false });
    expect(after.implementations[0]!.reason).toContain(why);
    expect(after.results).toBe(before.results);
}

describeInChromium(() => {
    const pages = pagesInChromium(['--js-flags=--no-enable-sse4-1']);

    test('WebAssembly has no SIMD', async () => {
        await expectTypescript(pages.open('blank.html', SCRIPTS), 'WebAssembly has no SIMD here');
    });
}, ', without SSE4.1');

describeInChromium(() => {
    const pages = pagesInChromium();

    // That both have the bits of Node: test/long/browsers.mjs.
    test('TypeScript answers until ready(), WebAssembly from then on, with the same bits', async () => {
        const { page, errors } = await pages.open('blank.html', SCRIPTS);
        const { untouched, before, backend, after, inTypescript } = await page.evaluate(() => beforeAndAfter());
        expect(untouched).toMatchObject({ backend: 'ts', defaultImplementation: 'strict/typescript' });
        expect(untouched.implementations[0]!.reason).toContain('not compiled yet');
        expect(before.implementations[0]!.reason).toContain('being compiled');
        expect([before.backend, before.rig]).toEqual(['ts', 'strict/typescript']);
        expect([backend, after.backend, after.rig]).toEqual(['wasm', 'wasm', 'strict/wasm']);
        expect(after.implementations.map(({ name, available }) => [name, available])).toEqual([
            ['strict/wasm', true],
            ['strict/typescript', true],
        ]);
        expect(after.results).toBe(before.results);
        expect(inTypescript).toBe('ts');
        expect(errors).toEqual([]);
    });

    test("a page whose Content-Security-Policy lacks 'wasm-unsafe-eval'", async () => {
        const policy = `<meta http-equiv="Content-Security-Policy" content="script-src 'self' 'unsafe-inline'">`;
        await expectTypescript(
            pages.open('policy.html', SCRIPTS, { 'policy.html': `<!doctype html>${policy}` }),
            "needs script-src 'wasm-unsafe-eval'",
        );
    });

    test.each([
        ['no WebAssembly', 'delete globalThis.WebAssembly', 'this page has no WebAssembly'],
        ['no DecompressionStream', 'delete globalThis.DecompressionStream', 'no DecompressionStream'],
    ])('a browser with %s', async (_, script, why) => {
        const body = `<!doctype html><script>${script}</script>`;
        await expectTypescript(pages.open('older.html', SCRIPTS, { 'older.html': body }), why);
    });

    test('100 rigs created and dropped, and 1,000 that live at once', async () => {
        const { page, errors } = await pages.open('blank.html', SCRIPTS);
        const dropped = await page.evaluate(() => manyRigs(100, false));
        expect(dropped).toEqual({ faults: [], inWasm: 100 });
        const kept = await page.evaluate(() => manyRigs(1000, true));
        expect(kept.faults).toEqual([]);
        expect(kept.inWasm).toBeGreaterThan(50);
        expect(errors).toEqual([]);
    });

    test('a worker takes over the compiled module', async () => {
        const { page, errors } = await pages.open('blank.html', SCRIPTS);
        const { outputFiles } = await build({
            stdin: {
                contents: `import { backend, slerpJoints, useModule } from 'poselane';
                    onmessage = ({ data }) => {
                        useModule(data);
                        const there = Float32Array.from({ length: 800 }, (_, i) => ((i * 7919) % 1013) / 1013 - 0.5);
                        slerpJoints(there, there.map((x) => x * 0.5 + 0.1), 0.375);
                        postMessage({ backend, there: Array.from(there) });
                    };`,
                resolveDir: ROOT,
            },
            bundle: true,
            write: false,
            format: 'esm',
            platform: 'browser',
            logLevel: 'silent',
        });
        const answer = await page.evaluate((script) => inWorker(script), outputFiles[0]!.text);
        expect(answer.backend).toBe('wasm');
        expect(answer.there).toEqual(answer.here);
        expect(errors).toEqual([]);
    });
});
