// SPDX-License-Identifier: MIT

/** examples/hits: the page in Chromium and the server, by the addon, judge ten thousand shots alike. */

import { once } from 'node:events';
import { join } from 'node:path';
import { launchChromium, withoutChromium } from '../../support/chromium';
import { startNode } from '../../support/processes';
import { testUnless } from '../../support/unless';

const ROOT = join(__dirname, '../../..');

interface Score {
    readonly judged: number;
    readonly equal: number;
    readonly hits: number;
    readonly implementation: string;
    readonly hasWebAssembly: boolean;
}

declare global {
    // Functions of the page.
    function fireAtRandom(count: number): Promise<Score>;
}

testUnless(
    withoutChromium(),
    'the same hits, distances and hashes of poses',
    async () => {
        const server = startNode([join(ROOT, 'examples/hits/server.mjs'), '--port', '0']);
        const [said] = await once(server.stdout!, 'data');
        const browser = await launchChromium();
        try {
            const page = await browser.newPage({ viewport: { width: 400, height: 300 } });
            const errors: string[] = [];
            page.on('pageerror', (error) => errors.push(String(error)));
            await page.goto(/http:\S+/.exec(String(said))![0]);
            await page.waitForFunction('document.body.dataset.ready', null, { timeout: 50_000 });

            const score = await page.evaluate(() => fireAtRandom(10_000));
            expect(score.judged).toBe(10_000);
            expect(score.equal).toBe(10_000);
            expect(score.hits).toBeGreaterThan(5_000);
            expect(score.implementation).toBe('strict/wasm');
            expect(await page.textContent('#serverBy')).toMatch(/^strict\/(avx|sse|neon|scalar)/);

            // A control: a thousandth of a tick later the poses are others.
            const hashes = await page.evaluate(async () => {
                // On a busy machine a tick may be forgotten before it is asked for.
                for (;;) {
                    const source = new EventSource('states');
                    const event = await new Promise<MessageEvent>((resolve) => {
                        source.onmessage = resolve;
                    });
                    source.close();
                    const tick = JSON.parse(event.data).tick - 5;
                    const shots = [0, 0.001, 0].map((later) => ({ tick: tick + later, ray: [0, 1, 9, 0, 0, -1, 50] }));
                    const response = await fetch('shots', { method: 'POST', body: JSON.stringify(shots) });
                    const { answers } = (await response.json()) as { answers: ({ hash: string } | null)[] };
                    if (answers.every((answer) => answer !== null)) return answers.map((answer) => answer!.hash);
                }
            });
            expect(hashes[0]).toBe(hashes[2]);
            expect(hashes[0]).not.toBe(hashes[1]);

            // The server refuses invalid shots, and survives.
            const answers = await page.evaluate(async () => {
                const rays = ['[{"tick":1,"ray":[0,0,0,0,0,1]}]', '[{"tick":null,"ray":[0,0,0,0,0,1,1]}]'];
                const bodies = ['', '{}', '[null]', ...rays, '[]'];
                return Promise.all(bodies.map(async (body) => (await fetch('shots', { method: 'POST', body })).status));
            });
            expect(answers).toEqual([400, 400, 400, 400, 400, 200]);
            expect(errors).toEqual([]);
        } finally {
            await browser.close();
            server.kill();
        }
    },
    300_000,
);
