// SPDX-License-Identifier: MIT

/** A plain nginx with WebDAV is a cache. */

import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BakeResult, bakeFile } from '../../../lib/bake';
import { openCache } from '../../../lib/cache/cache';
import { CHARACTER } from '../../support/models';
import { freePort, hasNginx, startNginx } from '../../support/nginx';
import { describeUnless } from '../../support/unless';

let folder: string;
let port: number;
let stop: () => Promise<void>;

const cacheAt = (token = 'secret') => openCache(`http://127.0.0.1:${port}`, { token, timeout: 1000 });
const leftOut = (message: RegExp) => ({ code: 'CACHE_LEFT_OUT', message: expect.stringMatching(message) });
const bytesOf = ({ outputs }: BakeResult) => outputs.map(({ json, bin }) => [json, Buffer.from(bin)]);

describeUnless(!hasNginx && 'needs nginx', 'nginx', () => {
    beforeEach(async () => {
        folder = mkdtempSync(join(tmpdir(), 'poselane-nginx-'));
        port = await freePort();
    });
    afterEach(async () => {
        await stop();
        rmSync(folder, { recursive: true, force: true });
    });

    test('keeps bakes, and gives them back byte for byte', async () => {
        stop = await startNginx(folder, port);
        const first = await bakeFile(CHARACTER.path, {}, { cache: cacheAt() });
        const second = await bakeFile(CHARACTER.path, {}, { cache: cacheAt() });
        const { cache } = await bakeFile(CHARACTER.path, {}, { cache: cacheAt('wrong') });
        expect(cache).toEqual({ hit: false, warnings: [leftOut(/left out now: it answers 401/)] });
        expect([first.cache, second.cache]).toEqual([
            { hit: false, warnings: [] },
            { hit: true, warnings: [] },
        ]);
        expect(bytesOf(second)).toEqual(bytesOf(first));
        expect(readdirSync(join(folder, 'www')).sort()).toEqual(['ac', 'cas']);
    });

    test('that is slow, and one that is killed, cost a bounded wait', async () => {
        stop = await startNginx(folder, port);
        await bakeFile(CHARACTER.path, {}, { cache: cacheAt() });
        await stop();
        stop = await startNginx(folder, port, 'limit_rate 100;');
        const started = performance.now();
        const slow = await bakeFile(CHARACTER.path, {}, { cache: cacheAt() });
        expect(slow.cache).toEqual({ hit: false, warnings: [leftOut(/left out now: no answer within/)] });
        const cache = cacheAt();
        await stop();
        const killed = await bakeFile(CHARACTER.path, {}, { cache });
        expect(killed.cache!.warnings).toHaveLength(1);
        expect(performance.now() - started).toBeLessThan(30_000);
    });
});
