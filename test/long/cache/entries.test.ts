// SPDX-License-Identifier: MIT

/** A folder of very many entries is a cache as any other. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { bakeFile } from '../../../lib/bake';
import { openCache } from '../../../lib/cache/cache';
import { pruneFolder } from '../../../lib/cache/folder';
import { CHARACTER } from '../../support/models';

test('a folder of 100,000 entries answers as fast as an empty one, and is pruned', async () => {
    const place = mkdtempSync(join(tmpdir(), 'poselane-entries-'));
    try {
        for (let shard = 0; shard < 256; shard++) {
            const digits = shard.toString(16).padStart(2, '0');
            mkdirSync(join(place, 'cas', digits), { recursive: true });
            for (let i = 0; i < 391; i++) {
                writeFileSync(join(place, 'cas', digits, digits + i.toString(16).padStart(62, '0')), 'x');
            }
        }
        await setTimeout(2500); // an entry counts as two seconds older than it is
        const cache = openCache(place);
        await bakeFile(CHARACTER.path, {}, { cache });
        const { cache: outcome } = await bakeFile(CHARACTER.path, {}, { cache });
        expect(outcome).toEqual({ hit: true, warnings: [] });
        const { kept, removed } = await pruneFolder(place, 10_000_000);
        expect([kept.files, removed.files]).toEqual([256 * 391 + 3, 0]);
        const pruned = await pruneFolder(place, kept.bytes - 50_000);
        expect(pruned.removed).toEqual({ files: 50_000, bytes: 50_000 });
        expect((await bakeFile(CHARACTER.path, {}, { cache })).cache).toEqual({ hit: true, warnings: [] });
    } finally {
        rmSync(place, { recursive: true, force: true });
    }
}, 300_000);
